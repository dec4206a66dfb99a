"""The event log of a run, JSON Lines: what a host writes while it serves, and what is read back.

No payload is ever in it, neither arguments nor what a tool answered: a failure is logged by a fixed text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ..errors import BadInput, Problem
from .lines import Line, objects

TOOL_CALLED, TOOL_RETURNED, EVAL_COMPLETED = "agent.tool-called", "agent.tool-returned", "eval.completed"

FAILED = {"code": "knownbad.tool_failed", "message": "The tool call failed."}
"""What the log says of a call that was answered with a failure. The answer itself is untrusted and stays out."""
MISSED = {"code": "knownbad.fixture_miss", "message": "No recorded call matches."}
UNREACHED = {"code": "knownbad.upstream_failed", "message": "The live tool could not be asked."}

_ALSO = (("toolName", "tool"), ("inputs", "args"))


class JsonLines:
    """A file that gets one object a line, each written through at once; `path` None: nowhere.

    What was in it before stays until the first line is written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stream: TextIO | None = None
        self._new = False
        self._written = False

    def __enter__(self) -> JsonLines:
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._new = not self._path.exists()
                self._stream = self._path.open("a", encoding="utf-8", newline="\n")
            except OSError as error:
                raise BadInput(Problem(f"cannot be written: {error.strerror or error}", str(self._path))) from None
            self._written = not self._path.is_file()  # of a device nothing can be taken off
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
            if self._path is not None and self._new and not self._written:
                self._path.unlink(missing_ok=True)

    def write(self, value: Mapping[str, Any]) -> None:
        """Add one line."""
        if self._stream is not None:
            if not self._written:
                self._written = True
                self._stream.truncate(0)
            self._stream.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._stream.flush()


def flat(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The event as our contracts have it: the members of its `payload` beside its own, `toolName` and `inputs` as
    `tool` and `args`. Hosts write either.
    """
    payload = event.get("payload")
    found = {**event, **payload} if isinstance(payload, dict) else event
    also = {ours: found[theirs] for theirs, ours in _ALSO if theirs in found and ours not in found}
    return {**found, **also} if also else found


def summary_in(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The run summary that an `eval.*` event carries; None where it carries none."""
    kind = event.get("type")
    if not isinstance(kind, str) or not kind.startswith("eval."):
        return None
    found = event.get("summary")
    if isinstance(found, dict):
        return found
    return event if "fixtureMissCount" in event else None


def recorded_facts(log: Path, named: str | None = None) -> Iterator[Line]:
    """The lines of a log that a replay goes by: tool events and summaries, as they were written.

    A replay or fork reads these again. Nothing is matched, served or judged a second time. Raises BadInput for a line
    that cannot be read.
    """
    for line in objects(log, named):
        event = flat(line.value or {})
        if event.get("type") in (TOOL_CALLED, TOOL_RETURNED) or summary_in(event) is not None:
            yield line
