"""The two transports of MCP, with a `Wire` that keeps what came.

Over stdio the bytes have to be seen: a line that is cut off, that is not UTF-8 or is no JSON is what a person wants to
be shown, and the SDK's own transport drops it. A server and what it started is ended as a group.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from .wire import EVENTS, JSON, Wire

POLITE = 0.5
"""Seconds that a server has to end after its input was closed, and again after it was asked to."""
_KEPT_ERRORS = 4000


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the SDK from logging: what it has to say becomes findings."""
    logger = logging.getLogger("mcp")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


@asynccontextmanager
async def started(
    run: tuple[str, ...], cwd: Path, env: Mapping[str, str], wire: Wire, errors: Any
) -> AsyncIterator[tuple[Any, Any]]:
    """Start a server and speak with it, a message a line. Raises OSError where it cannot be started."""
    import anyio
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    process = await anyio.open_process(
        list(run), cwd=cwd, env={**os.environ, **env}, stderr=errors, start_new_session=True
    )
    assert process.stdin
    assert process.stdout
    stdin, stdout = process.stdin, process.stdout
    came, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, going = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        rest = b""
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            async with came:
                async for chunk in stdout:
                    if not wire.pieces:
                        wire.piece()
                    if not wire.add(wire.pieces[-1], chunk):
                        return
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in filter(bytes.strip, lines):
                        try:
                            # What is no UTF-8 is told from the wire; here it must not keep the call waiting.
                            text = line.decode("utf-8", "replace")
                            message = jsonrpc_message_adapter.validate_json(text, by_name=False)
                        except ValueError as error:
                            await came.send(error)
                        else:
                            await came.send(SessionMessage(message))

    async def write() -> None:
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            async with going:
                async for message in going:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    wire.sent(text)
                    await stdin.send(text.encode() + b"\n")

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(write)
            try:
                yield reading, writing
            finally:
                with anyio.CancelScope(shield=True):
                    with contextlib.suppress(Exception):
                        await stdin.aclose()
                    await _end(process)
                group.cancel_scope.cancel()
    finally:
        for stream in (came, reading, writing, going):
            stream.close()
        with anyio.CancelScope(shield=True):
            await process.aclose()


async def _end(process: Any) -> None:
    """End the group of a process whose input is closed: wait, ask, and then end it."""
    import anyio

    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)
        with anyio.move_on_after(POLITE):
            while process.returncode is None:
                await anyio.sleep(0.01)
        if process.returncode is not None and number is not None:
            break
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def errors_kept() -> Iterator[Any]:
    """A file for the standard error of a server; `tail` reads its end."""
    with tempfile.TemporaryFile() as file:
        yield file


def tail(file: Any) -> str:
    """The end of what a server said on its standard error."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - _KEPT_ERRORS))
    return str(file.read().decode("utf-8", "backslashreplace").strip())


@asynccontextmanager
async def connected(url: str, headers: Mapping[str, str], timeout: float, wire: Wire) -> AsyncIterator[tuple[Any, Any]]:
    """Speak with a server over streamable HTTP."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    class Kept(httpx2.AsyncByteStream):
        def __init__(self, stream: Any, piece: Any) -> None:
            self.stream, self.piece = stream, piece

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for chunk in self.stream:
                    if not wire.add(self.piece, chunk):
                        raise httpx2.ReadError("the reply is too large")
                    yield chunk
            except httpx2.TransportError as error:
                wire.failed = error
                raise

        async def aclose(self) -> None:
            await self.stream.aclose()

    class Keeping(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: Any) -> Any:
            request.headers["accept-encoding"] = "identity"
            asked = wire.sent(request.content) if request.method == "POST" else None
            try:
                response = await super().handle_async_request(request)
            except httpx2.TransportError as error:
                wire.failed = error
                raise
            kind = response.headers.get("content-type", "")
            piece = wire.piece(status=response.status_code, content_type=kind, asked=asked)
            response.stream = Kept(response.stream, piece)
            if piece.kind not in (JSON, EVENTS):  # a client does not read it, but a person wants to see it
                response.stream = httpx2.ByteStream(b"".join([chunk async for chunk in response.stream]))
            return response

    client = httpx2.AsyncClient(headers=dict(headers), timeout=timeout, transport=Keeping())
    async with client, streamable_http_client(url, http_client=client, max_sse_event_size=wire.largest) as streams:
        yield streams
