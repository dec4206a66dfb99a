"""The tool as an MCP server: `python -m example_tool.mcp_server [stdio | http]`; over HTTP it prints its address.

`EXAMPLE_CARRIER` says how an envelope travels: `both` (structured content and text), `text`, or `protocol`.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from example_tool import charge

SCHEMA = {"type": "object", "properties": {"amount": {"type": "integer"}, "currency": {"type": "string"}}}


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    """The one tool."""
    tool = types.Tool(name="charge_card", description="Charge a card", input_schema=SCHEMA)
    return types.ListToolsResult(tools=[tool])


async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """A call, answered in the carrier asked for."""
    response = charge.answer({"tool": params.name, "args": params.arguments or {}})
    carrier = os.environ.get("EXAMPLE_CARRIER", "both")
    failed = "error" in response
    if failed and carrier == "protocol":
        raise MCPError(-32000, response["error"]["message"], response)
    text = types.TextContent(type="text", text=json.dumps(response))
    structured = response if carrier == "both" else None
    return types.CallToolResult(content=[text], structured_content=structured, is_error=failed)


server: Server[Any] = Server("charge", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)


async def stdio() -> None:
    """Serve over stdin and stdout."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http() -> None:
    """Serve over streamable HTTP on a free port."""
    import uvicorn

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        free.listen()
        port = free.getsockname()[1]
        print(f"http://127.0.0.1:{port}/mcp", flush=True)
        config = uvicorn.Config(server.streamable_http_app(), log_level="error")
        uvicorn.Server(config).run(sockets=[free])


if __name__ == "__main__":
    http() if sys.argv[1:] == ["http"] else anyio.run(stdio)
