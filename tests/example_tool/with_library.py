"""The tool as people write it with the high-level class of the SDK, on the 2.x line or on the 1.x line.

An amount of 42 raises the envelope as the text of an exception, 29 returns it, 503 raises something else.
"""

from __future__ import annotations

import json
from typing import Any

from example_tool import charge

try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("charge")


@server.tool()
def charge_card(amount: int, currency: str) -> dict[str, Any]:
    """Charge a card."""
    response = charge.answer({"tool": "charge_card", "args": {"amount": amount, "currency": currency}})
    if amount == 42:
        raise ValueError(json.dumps(response))
    if amount == 503:
        raise RuntimeError("pool is empty")
    return response


if __name__ == "__main__":
    server.run("stdio")
