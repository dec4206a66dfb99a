"""A tool as a command: the request as JSON on its standard input, the response on its standard output."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..codes.replay import DIED, TIME_OUT, UNREACHABLE
from . import processes
from .answer import Answer, Carrier, Trouble, too_large


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is started for each call."""

    run: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 10.0
    largest: int = 1_000_000

    @contextmanager
    def open(self) -> Iterator[Command]:
        """Nothing is started yet."""
        yield self

    def call(self, request: Mapping[str, Any]) -> Answer:
        """Run the command once."""
        data = json.dumps(request).encode()
        limits = {"timeout": self.timeout, "largest": self.largest}
        try:
            ran = processes.run(self.run, data, cwd=self.cwd, env=self.env, **limits)  # type: ignore[arg-type]
        except OSError as error:
            message = f"{self.run[0]} cannot be started: {error.strerror or error}"
            return Answer(Carrier.RAW, troubles=(Trouble(UNREACHABLE, message),))
        return Answer(
            Carrier.RAW,
            data=ran.out,
            success=None if ran.code is None else ran.code == 0,
            troubles=tuple(self._troubles(ran)),
            aside=ran.err.decode("utf-8", "backslashreplace").strip(),
        )

    def _troubles(self, ran: processes.Ran) -> Iterator[Trouble]:
        if ran.too_large:
            yield too_large(self.largest)
        elif ran.code is None:
            yield Trouble(TIME_OUT, f"no answer within {self.timeout:g} s")
        elif ran.code < 0:
            yield Trouble(DIED, f"the command was ended by {_signal_name(-ran.code)}")
        elif not ran.out.strip():
            yield Trouble(DIED, f"the command ended with exit code {ran.code} and said nothing")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
