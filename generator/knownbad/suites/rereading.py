"""A replay beside the log that it was made from: it reads the events again, so it has the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..values import equal
from .events import TOOL_CALLED, TOOL_RETURNED, flat
from .findings import Witnessed
from .lines import lines

_OF_THE_RUN = ("sequence", "runId", "eventId", "timestamp", "payload")
"""What a replay numbers anew."""


def reread(original: Path, replay: Path) -> tuple[int, tuple[Witnessed | None, str] | None]:
    """How many tool events of a replay are those that were recorded, and the first that is not.

    A fork may go on after them. One that ends earlier has not read the rest again.
    """
    same = 0
    last: Witnessed | None = None
    again = _facts(replay)
    for old_at, old in _facts(original):
        at, event = next(again, (None, {}))
        if at is None:
            return same, (last, f"ends after {same} tool events, and line {old_at.line} of {original} records another")
        last = at
        if not equal(_shown(old), _shown(event)):
            return same, (at, f"is not what was recorded on line {old_at.line} of {original}")
        same += 1
    return same, None


def _facts(log: Path) -> Iterator[tuple[Witnessed, Mapping[str, Any]]]:
    for line in lines(log):
        if line.value is None:
            continue
        event = flat(line.value)
        if event.get("type") in (TOOL_CALLED, TOOL_RETURNED):
            yield Witnessed(line.number, line.offset), event


def _shown(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in _OF_THE_RUN}
