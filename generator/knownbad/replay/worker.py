"""A function of another tree of the same tool, called in a child process: how the last release is asked in process.

The parent sends a request a line, the child answers a line: `{"carrier": ..., "value": ...}` and so on. What the tool
prints goes to standard error, since standard output is the protocol's.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from .. import codes
from ..codes.replay import DIED, TIME_OUT, UNREACHABLE
from ..errors import NO_VALUE, BadInput
from . import processes
from .answer import Answer, Carrier, Trouble
from .in_process import InProcess

_START = 30.0
"""Seconds that importing the tool may take."""
_CHUNK = 65536
_KEPT = 4000


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A function that is imported by a child process with these folders first on its path."""

    function: str
    envelope: str | None
    path: tuple[Path, ...]
    cwd: Path
    timeout: float = 10.0

    @contextmanager
    def open(self) -> Iterator[Child]:
        """Make ready; the child is started by the first call."""
        child = Child(self)
        try:
            yield child
        finally:
            child.close()
            child.errors.close()


@dataclass(slots=True)
class Child:
    """The child process; it is started anew after it had to be ended."""

    at: Elsewhere
    process: subprocess.Popen[bytes] | None = None
    rest: bytearray = field(default_factory=bytearray)
    errors: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    """What it says to a person."""

    def said(self) -> str:
        """The end of what it said to a person since it was started."""
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - _KEPT))
        return self.errors.read().decode("utf-8", "backslashreplace").strip()

    def close(self) -> None:
        """End the child."""
        process, self.process = self.process, None
        if process is not None:
            with suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]
            processes.end(process)

    def call(self, request: Mapping[str, Any]) -> Answer:
        """Call the function once."""
        if self.process is None:
            trouble = self._start()
            if trouble is not None:
                self.close()
                return Answer(Carrier.VALUE, troubles=(trouble,), aside=self.said())
        assert self.process is not None
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        # The child sets the same limit itself; this one is for what does not let itself be interrupted.
        line = self._line(self.at.timeout + 1.0)
        if line is None:
            ended = self.process.poll()
            self.close()
            trouble = Trouble(TIME_OUT, f"no answer within {self.at.timeout:g} s")
            if ended is not None:
                trouble = Trouble(DIED, f"the process ended with exit code {ended}")
            return Answer(Carrier.VALUE, troubles=(trouble,), aside=self.said())
        return _unpacked(json.loads(line))

    def _start(self) -> Trouble | None:
        ours = str(Path(__file__).parents[2])
        paths = [*map(str, self.at.path), ours, *filter(None, [os.environ.get("PYTHONPATH")])]
        spec = json.dumps([self.at.function, self.at.envelope, [str(p) for p in self.at.path], self.at.timeout])
        self.rest.clear()
        self.errors.seek(0)
        self.errors.truncate()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "knownbad.replay.worker", spec],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=self.at.cwd,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        first = self._line(_START)
        if first is None:
            return Trouble(UNREACHABLE, f"{self.at.function} could not be imported there")
        started = json.loads(first)
        return None if started == "ready" else Trouble(UNREACHABLE, str(started))

    def _line(self, seconds: float) -> bytes | None:
        """The next line of the child, None when it ended or did not answer in time."""
        assert self.process is not None
        assert self.process.stdout is not None
        deadline, file = time.monotonic() + seconds, self.process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(file, selectors.EVENT_READ)
            while b"\n" not in self.rest:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                chunk = os.read(file, _CHUNK)
                if not chunk:
                    with suppress(subprocess.TimeoutExpired):
                        self.process.wait(1)
                    return None
                self.rest.extend(chunk)
        line, _, after = bytes(self.rest).partition(b"\n")
        self.rest[:] = after
        return line


def _packed(answer: Answer) -> dict[str, Any]:
    return {
        "carrier": answer.carrier.value,
        **({} if answer.value is NO_VALUE else {"value": answer.value}),
        "data": answer.data.decode("utf-8", "replace"),
        "success": answer.success,
        "troubles": [[t.code.code, t.message, t.fix] for t in answer.troubles],
    }


def _unpacked(packed: Mapping[str, Any]) -> Answer:
    known = codes.every()
    return Answer(
        Carrier(packed["carrier"]),
        value=packed.get("value", NO_VALUE),
        data=packed["data"].encode(),
        success=packed["success"],
        troubles=tuple(Trouble(known[code], message, fix) for code, message, fix in packed["troubles"]),
    )


def main() -> None:
    """The child."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(value: Any) -> None:
        out.write(json.dumps(value).encode() + b"\n")
        out.flush()

    function, envelope, path, timeout = json.loads(sys.argv[1])
    try:
        with InProcess(function, envelope, tuple(map(Path, path)), timeout).open() as called:
            say("ready")
            for line in sys.stdin:
                say(_packed(called.call(json.loads(line))))
    except BadInput as bad:
        say("; ".join(problem.message for problem in bad.problems))


if __name__ == "__main__":
    main()
