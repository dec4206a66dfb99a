"""Serving a run over stdio or streamable HTTP, until the client has gone or someone stops it."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput, Exit, Problem
from .events import JsonLines, flat, recorded_facts, summary_in
from .host import server_of
from .lines import rereadable
from .outputs import written
from .run import Run
from .suite import Suite, Task

if TYPE_CHECKING:
    from mcp.server import Server


_ENDS = (signal.SIGTERM, signal.SIGINT, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))
"""What ends a run as if the client had gone."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How a task is served, and what is written of it. `port`: over HTTP, 0 for any that is free; None: stdio."""

    log: Path | None = None
    summary: Path | None = None
    calls: Path | None = None
    run_id: str = "run-1"
    upstream: str | None = None
    host: str = "127.0.0.1"
    port: int | None = None


def serve(suite: Suite, task: Task, how: Serving, told: Callable[[str], None]) -> Exit:
    """Serve a task until it is over. FINDINGS where a call matched nothing and the task wants that to fail.

    `told` gets what a person should know. Raises BadInput.
    """
    import anyio

    _check(task, how)
    with JsonLines(how.log) as log, JsonLines(how.calls) as calls:
        run = Run(suite, task, log, calls, how.run_id)
        done: list[bool] = []

        def finish() -> Exit:
            if not done:
                done.append(True)
                summary = run.finish()
                if how.summary is not None:
                    written(how.summary, summary)
            return Exit.FINDINGS if run.failed else Exit.GOOD

        try:
            anyio.run(_serve, run, how, told, finish)
        except BadInput:
            raise  # it never began, so there is nothing to finish
        except BaseExceptionGroup as group:
            finish()
            if not _is_gone(first := _innermost(group)):
                raise first from None
        except BaseException:
            finish()
            raise
        return finish()


def replay(recorded: Path, how: Serving) -> None:
    """A run that was recorded, again: its events are read and written as they are, nothing is served or judged.

    Raises BadInput, and then nothing is written.
    """
    summary: Any = None
    with rereadable(recorded) as file:
        for line in recorded_facts(file, str(recorded)):
            summary = summary_in(flat(line.value or {})) or summary
        if how.summary is not None and summary is None:
            raise BadInput(Problem("holds no summary, and a replay counts nothing anew", str(recorded)))
        with JsonLines(how.log) as log:
            for line in recorded_facts(file, str(recorded)):
                log.write(line.value or {})
    if how.summary is not None:
        written(how.summary, summary)


def _check(task: Task, how: Serving) -> None:
    from importlib.util import find_spec

    if task.on_miss == "passthrough" and how.upstream is None:
        message = f"task {task.task_id} passes calls that match nothing to the live tool, and none was named"
        raise BadInput(Problem(message, fix="--upstream COMMAND or --upstream URL"))
    if task.on_miss != "passthrough" and how.upstream is not None:
        message = f"task {task.task_id} passes no call to a live tool (`onMiss` is `{task.on_miss}`), and one was named"
        raise BadInput(Problem(message, fix="leave --upstream out, or serve a task with `onMiss: passthrough`"))
    if find_spec("mcp") is None:
        raise BadInput(Problem("serving needs the MCP SDK", fix="pip install 'knownbad[mcp]'"))


async def _serve(run: Run, how: Serving, told: Callable[[str], None], finish: Callable[[], Exit]) -> None:
    async with _upstream(how.upstream if run.live else None) as upstream:
        server = server_of(run, upstream)
        if how.port is None:
            await _over_stdio(server, finish)
        else:
            await _over_http(server, how, told)


@asynccontextmanager
async def _upstream(spec: str | None) -> AsyncIterator[Any]:
    """A client of the live tools: of a URL, or of a command that is started."""
    if spec is None:
        yield None
        return
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    target: Any = spec
    if not spec.startswith(("http://", "https://")):
        command, *arguments = shlex.split(spec)
        target = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with AsyncExitStack() as stack:
        try:
            upstream = await stack.enter_async_context(Client(target))
        except Exception as error:  # noqa: BLE001  whatever it is: nobody answers there
            first = _innermost(error)
            message = f"the live tools cannot be reached: {type(first).__name__}: {first}"
            raise BadInput(Problem(message, spec), Exit.UNREACHABLE) from None
        yield upstream


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _is_gone(error: BaseException) -> bool:
    """Whether only the client has gone, which ends a run like any other."""
    import anyio

    return isinstance(error, ConnectionError | anyio.BrokenResourceError | anyio.ClosedResourceError)


async def _over_stdio(server: Server[Any], finish: Callable[[], Exit]) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async def stopped() -> None:
        with anyio.open_signal_receiver(*_ENDS) as signals:
            async for _ in signals:
                os._exit(finish())  # a thread still waits for a line of input, and would for ever

    async with anyio.create_task_group() as group:
        if sys.platform != "win32":  # which has no such signals to wait for
            group.start_soon(stopped)
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _over_http(server: Server[Any], how: Serving, told: Callable[[str], None]) -> None:
    import uvicorn

    try:
        listening = socket.create_server((how.host, how.port or 0))
    except OSError as error:
        message = f"cannot listen: {error.strerror or error}"
        raise BadInput(Problem(message, f"{how.host}:{how.port}"), Exit.UNREACHABLE) from None
    config = uvicorn.Config(server.streamable_http_app(host=how.host), log_level="error", lifespan="on")
    with listening:
        port = listening.getsockname()[1]
        told(f"serving at http://{how.host}:{port}/mcp")
        web = uvicorn.Server(config)
        before = {number: signal.signal(number, lambda *_: None) for number in _ENDS}
        if signal.SIGTERM is not _ENDS[-1]:
            signal.signal(_ENDS[-1], web.handle_exit)  # which uvicorn does for the others
        try:  # it raises again what stopped it, which is no failure here
            await web.serve(sockets=[listening])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
