"""Running a command with a time-out and a limit of what it may say; whatever it started is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

POLITE = 0.5
"""Seconds between asking a group of processes to end and ending it."""
_CHUNK = 65536
_LINGER = 0.3
"""Seconds to go on reading once the command has ended, while what it left behind holds its output open."""
_KEPT_ERRORS = 4000


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. `code` is negative for a signal, None where it had to be ended."""

    out: bytes
    err: bytes
    code: int | None
    too_large: bool = False


def run(command: Sequence[str], data: bytes, *, timeout: float, largest: int, cwd: Path, env: Mapping[str, str]) -> Ran:
    """Run a command with `data` on its standard input. Raises OSError where it cannot be started."""
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        process = subprocess.Popen(
            list(command),
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **env},
            start_new_session=True,
        )
        try:
            return _read(process, timeout, largest)
        finally:
            end(process)


def _read(process: subprocess.Popen[bytes], timeout: float, largest: int) -> Ran:
    out, err = bytearray(), bytearray()
    deadline, ended = time.monotonic() + timeout, None
    with selectors.DefaultSelector() as selector:
        for stream, kept in ((process.stdout, out), (process.stderr, err)):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map():
            now = time.monotonic()
            if ended is None and process.poll() is not None:
                ended = now
            if now >= deadline or ended is not None and now >= ended + _LINGER:
                break
            for key, _ in selector.select(min(0.05, max(0.0, deadline - now))):
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                key.data.extend(chunk)
                if key.data is err:
                    del err[:-_KEPT_ERRORS]
            if len(out) > largest:
                return Ran(bytes(out[:largest]), bytes(err), process.poll(), too_large=True)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - time.monotonic()))
    return Ran(bytes(out), bytes(err), process.poll())


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process and everything in its group, politely first."""
    try:
        _signal(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLITE)
    finally:
        _signal(process, signal.SIGKILL)
        process.wait()
        for stream in (process.stdout, process.stderr, process.stdin):
            if stream is not None:
                stream.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
    else:
        process.send_signal(number)


@contextlib.contextmanager
def aside() -> Iterator[TextIO]:
    """Have everything that a tool prints in this process on standard error, and the report alone on what this yields.

    A process whose standard output is its own does not get it back: what a tool prints while the process ends is no
    part of the report, either.
    """
    stdout = sys.stdout
    held = stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__  # by a test, by another program
    if held or not isinstance(stdout, TextIOWrapper):
        with contextlib.redirect_stdout(sys.stderr):
            yield stdout
        return
    stdout.flush()
    report = os.fdopen(os.dup(1), "w", encoding=stdout.encoding, errors=stdout.errors, newline="")
    os.dup2(2, 1)
    with report:
        yield report


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let the signals that end a process raise SystemExit, so that what was started is ended on the way out."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(getattr(signal, name), signal.signal(getattr(signal, name), leave)) for name in names]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
