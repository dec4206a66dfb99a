"""A transcript: what tools were asked and what they answered, a call a line; the payloads that a log does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput, Problem
from ..values import equal
from .args_hash import contradicts
from .contracts import RECORDED, misfits, place
from .lines import Line, objects

KEPT_AHEAD = 100_000
"""Calls that are kept while another one is looked for: a log and its transcript have nearly the same order."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call. `response`: what the tool answered, the error payload where it failed."""

    call_id: str
    run_id: str | None
    tool: str
    args: Mapping[str, Any]
    is_error: bool
    response: Any


class Transcript:
    """The calls of a file by their names, read as far as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rest = recorded(path)
        self._ahead: dict[tuple[str | None, str], Recorded] = {}

    def call(self, run_id: str | None, call_id: str) -> Recorded | None:
        """A call, once; None where the transcript does not hold it. Raises BadInput."""
        wanted = (run_id, call_id)
        if (found := self._kept(*wanted)) is not None:
            return found
        for call in self._rest:
            if call.call_id == call_id and call.run_id in (None, run_id):
                return call
            if len(self._ahead) >= KEPT_AHEAD:
                del self._ahead[next(iter(self._ahead))]
            self._ahead[call.run_id, call.call_id] = call
        return None

    def _kept(self, run_id: str | None, call_id: str) -> Recorded | None:
        return self._ahead.pop((run_id, call_id), None) or self._ahead.pop((None, call_id), None)


def recorded(path: Path) -> Iterator[Recorded]:
    """The calls of a file, in its order. Raises BadInput at the first line that is none."""
    for line in objects(path):
        yield _recorded(line, path)


def _recorded(line: Line, path: Path) -> Recorded:
    value = line.value
    assert value is not None
    found = misfits(RECORDED, value)
    if found:
        raise BadInput(
            [Problem(f"{place(f.location, value)}: {f.message}", str(path), f"{line.number}:1", f.value) for f in found]
        )
    return Recorded(
        value["callId"],
        value.get("runId"),
        value["tool"],
        value.get("args", {}),
        value.get("isError", False),
        value["response"],
    )


def contradicted(event: Mapping[str, Any], told: Recorded) -> str:
    """In what a transcript tells another call than the log; empty where it is the same."""
    if told.tool != event["tool"]:
        return f"the log says that {event['tool']} was called, the transcript {told.tool}"
    args = event.get("args")
    if isinstance(args, dict) and not equal(args, dict(told.args)):
        return "the arguments on the log are not those in the transcript"
    if contradicts(event.get("argsHash"), told.args):
        return "the hash of the arguments on the log is not that of those in the transcript"
    return ""
