"""Error fixtures held against a tool: in process, as a command, over HTTP and over MCP."""
