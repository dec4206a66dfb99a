"""A run as an MCP server: the tools of the task, answered with what was recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

from .. import documents
from ..errors import BadInput
from .events import FAILED, UNREACHED
from .run import NO_MATCH, Call, Run
from .shaping import response_of, result_of
from .suite import FAIL

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server import Server

OVER = "The run is over: a call matched nothing that was recorded."
_STAMP = "io.modelcontextprotocol/serverInfo"


class Upstream(Protocol):
    """The live tools, as a client of the SDK offers them."""

    async def list_tools(self) -> types.ListToolsResult: ...

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> types.CallToolResult: ...


def server_of(run: Run, upstream: Upstream | None = None) -> Server[Any]:
    """The server of a run. `upstream` gets the calls that match nothing, where the task wants that, and no others."""
    import mcp_types as types
    from mcp.server import Server
    from mcp.shared.exceptions import MCPError

    from .. import __version__

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        live = [] if upstream is None else (await upstream.list_tools()).tools
        known = {tool.name for tool in live}
        recorded = [types.Tool(name=n, input_schema=_asked(run, n)) for n in run.task.tools if n not in known]
        return types.ListToolsResult(tools=[*recorded, *live])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> Any:
        if run.failed:
            raise MCPError(code=types.INTERNAL_ERROR, message=OVER)
        if (wrong := unloggable(params.name, params.arguments or {})) is not None:
            raise MCPError(code=types.INVALID_PARAMS, message=wrong)
        call = run.begin(params.name, params.arguments or {})
        if call.response is not None:
            run.served(call)
            return result_of(call.response.response, call.response.is_error, ctx.protocol_version)
        if run.live and upstream is not None:
            return await _passed(run, call, upstream)
        run.missed(call)
        if run.task.on_miss == FAIL:
            raise MCPError(code=types.INTERNAL_ERROR, message=OVER)
        return types.CallToolResult(content=[types.TextContent(text=NO_MATCH)], is_error=True)

    async def unstamped(ctx: Any, call_next: Any) -> Any:
        """What was recorded is given as it is: without the name that the SDK puts into every result."""
        result = await call_next(ctx)
        meta = result.get("_meta") if ctx.method == "tools/call" and isinstance(result, dict) else None
        if not isinstance(meta, dict) or meta.get(_STAMP) != server.server_info_stamp:
            return result
        rest = {name: value for name, value in meta.items() if name != _STAMP}
        return {**{n: v for n, v in result.items() if n != "_meta"}, **({"_meta": rest} if rest else {})}

    server: Server[Any] = Server(
        "knownbad-suite", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool
    )
    server.middleware.append(unstamped)
    return server


def unloggable(tool: str, args: dict[str, Any]) -> str | None:
    """Why a call cannot be logged such that it can be read again; None where it can."""
    if not tool:
        return "a tool has a name, and this one is empty"
    try:
        documents.parse(json.dumps({"tool": tool, "args": args}), "the call")
    except BadInput as bad:
        return str(bad.problems[0])
    except (ValueError, RecursionError):
        return "the arguments are no JSON"
    return None


def _asked(run: Run, tool: str) -> dict[str, Any]:
    """The schema of a tool's arguments: the names that were recorded, and any value for each."""
    names: dict[str, Any] = {name: {} for entry in run.task.responses if entry.tool == tool for name in entry.args}
    return {"type": "object", "properties": names} if names else {"type": "object"}


async def _passed(run: Run, call: Call, upstream: Upstream) -> Any:
    """The live tool's answer to a call that matched nothing, as it is."""
    try:
        result = await upstream.call_tool(call.tool, dict(call.args))
    except BaseException:  # whatever it was, the call has ended
        run.ended(call, None, UNREACHED)
        raise
    wire = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    run.ended(call, response_of(wire), FAILED if result.is_error else None)
    return result
