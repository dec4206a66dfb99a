"""A tool as an MCP server, over stdio or streamable HTTP. Servers on either line of the SDK are peers to talk to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..codes.replay import DIED, NO_ENVELOPE, NOT_JSON, TIME_OUT, UNREACHABLE, WRONG_CONTENT_TYPE
from ..errors import BadInput, Problem
from . import stdio
from .answer import Answer, Carrier, Trouble, too_large
from .wire import EVENTS, JSON, Wire

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

_MOMENT = 0.02
"""Seconds to wait for a second answer to the same call, which nobody should send."""


@dataclass(frozen=True, slots=True)
class Mcp:
    """A server to start (`run`) or one that runs (`url`)."""

    run: tuple[str, ...] = ()
    url: str = ""
    cwd: Path = Path()
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 10.0
    largest: int = 1_000_000

    @contextmanager
    def open(self) -> Iterator[Peer]:
        """Make ready; the server is started by the first call. Raises BadInput where the SDK is not installed."""
        try:
            import mcp.client.client  # noqa: F401
            from anyio.from_thread import start_blocking_portal
        except ImportError:
            raise BadInput(
                Problem("the SDK of MCP, 2.3 or newer, is not installed", fix="pip install 'knownbad[mcp]'")
            ) from None
        with stdio.quiet(), start_blocking_portal() as portal, stdio.errors_kept() as errors:
            peer = Peer(self, portal, errors)
            try:
                yield peer
            finally:
                peer.close()


@dataclass(slots=True)
class Peer:
    """A connection that is made anew whenever something went wrong with it."""

    at: Mcp
    portal: BlockingPortal
    errors: Any
    wire: Wire = field(init=False)
    _client: Any = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.wire = Wire(self.at.largest)

    def close(self) -> None:
        """Leave the connection; a server that was started here is ended."""
        self._client = None
        stack, self._stack = self._stack, ExitStack()
        with suppress(Exception):  # what a broken connection has to say at its end
            stack.close()

    def call(self, request: Mapping[str, Any]) -> Answer:
        """Call the tool once; a connection that broke is left."""
        self.wire.clear()
        failed: BaseException | None = None
        try:
            if self._client is None:
                self._client = self._stack.enter_context(self.portal.wrap_async_context_manager(self._connection()))
            self.portal.call(self._send, self._client, request)
        except Exception as error:  # noqa: BLE001  whatever came over the wire, it is the peer's
            failed = error
        answer = self._answer(failed)
        if answer.troubles:
            self.close()
        return answer

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """A client after its handshake, for which the time-out holds."""
        import anyio
        from mcp.client.client import Client

        at = self.at
        if at.url:
            streams: Any = stdio.connected(at.url, at.headers, at.timeout, self.wire)
        else:
            streams = stdio.started(at.run, at.cwd, at.env, self.wire, self.errors)
        with anyio.fail_after(at.timeout) as scope:
            async with Client(streams, cache=None, input_required_max_rounds=1) as client:
                if at.url and client.session.protocol_version not in (None, *_handshakes()):
                    with suppress(Exception):  # such servers want headers that only the list of tools names
                        await client.list_tools()
                scope.deadline = float("inf")
                yield client

    async def _send(self, client: Any, request: Mapping[str, Any]) -> None:
        import anyio
        import mcp_types as types

        params = types.CallToolRequestParams(
            name=str(request.get("tool", "")), arguments=dict(request.get("args") or {})
        )
        with anyio.fail_after(self.at.timeout):
            try:
                await client.session.send_request(types.CallToolRequest(params=params), types.CallToolResult)
            finally:
                with anyio.CancelScope(shield=True):
                    await anyio.sleep(_MOMENT)

    def _answer(self, failed: BaseException | None) -> Answer:
        """What the wire says; where it says nothing, what went wrong."""
        aside = "" if self.at.url else stdio.tail(self.errors)
        found = self.wire.answers()
        unread = self.wire.unread()
        piece = next((piece for piece in self.wire.pieces if piece.asked is not None), None)
        about: dict[str, Any] = {"aside": aside}
        if piece is not None:
            about |= {"status": piece.status, "content_type": piece.content_type}
        if self.wire.too_large:
            return Answer(Carrier.MCP_RESULT, data=unread, troubles=(too_large(self.at.largest),), **about)
        if not found:
            return Answer(Carrier.MCP_RESULT, data=unread, troubles=(self._trouble(failed, unread, piece),), **about)
        troubles: tuple[Trouble, ...] = ()
        if piece is not None and piece.kind not in (JSON, EVENTS):
            message = f"the answer came as {piece.kind or 'no type'}, which no client of MCP reads"
            troubles = (Trouble(WRONG_CONTENT_TYPE, message, f"send it as {JSON} or {EVENTS}"),)
        answers = [message["result"] if "result" in message else message["error"] for message in found]
        carrier = Carrier.MCP_RESULT if "result" in found[0] else Carrier.MCP_PROTOCOL
        return Answer(carrier, value=answers[0], more=tuple(answers[1:]), data=unread, troubles=troubles, **about)

    def _trouble(self, failed: BaseException | None, unread: bytes, piece: Any) -> Trouble:
        import httpx2

        failed = _innermost(failed) if self.wire.failed is None else self.wire.failed
        where = self.at.url or self.at.run[0]
        said = f": {failed}" if failed is not None and str(failed) else ""
        if isinstance(failed, httpx2.ConnectError | httpx2.UnsupportedProtocol | httpx2.InvalidURL):
            return Trouble(UNREACHABLE, f"{where} cannot be reached{said}")
        if isinstance(failed, OSError) and not isinstance(failed, TimeoutError):
            return Trouble(UNREACHABLE, f"{where} cannot be started: {failed.strerror or failed}")
        if isinstance(failed, TimeoutError | httpx2.TimeoutException):
            if unread:
                return Trouble(
                    NOT_JSON, f"what the server sent is not JSON, and no answer came within {self.at.timeout:g} s"
                )
            return Trouble(TIME_OUT, f"no answer within {self.at.timeout:g} s")
        if isinstance(failed, httpx2.RemoteProtocolError | httpx2.ReadError):
            return Trouble(DIED, f"the reply was cut off{said}")
        if piece is not None and piece.status is not None and unread:
            return Trouble(NOT_JSON, f"not JSON: {piece.kind or 'no type'}, with status {piece.status}")
        if piece is not None and piece.status is not None and piece.status >= 400:
            return Trouble(NO_ENVELOPE, f"no envelope: status {piece.status}{said}")
        return Trouble(DIED, f"the connection ended before the answer was complete{said}")


def _handshakes() -> tuple[str, ...]:
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    return tuple(HANDSHAKE_PROTOCOL_VERSIONS)


def _innermost(error: BaseException | None) -> BaseException | None:
    """The first plain exception in a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
