"""A replay beside the log that it was made from: it reads the events again, so it has the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..values import equal
from .events import TOOL_CALLED, TOOL_RETURNED, flat
from .findings import Witnessed
from .lines import lines

_OF_THE_RUN = ("sequence", "runId", "eventId", "timestamp", "payload")
"""What a replay numbers anew."""


def differences(original: Path, replay: Path) -> Iterator[tuple[Witnessed, str]]:
    """Where the tool events of a replay are not those that were recorded. A fork may go on after them."""
    for old, new in zip_longest(_facts(original), _facts(replay)):
        if old is None:
            return
        if new is None:
            return
        at, event = new
        if not equal(_shown(old[1]), _shown(event)):
            yield at, f"is not what was recorded on line {old[0].line} of {original}"
            return


def _facts(log: Path) -> Iterator[tuple[Witnessed, Mapping[str, Any]]]:
    for line in lines(log):
        if line.value is None:
            continue
        event = flat(line.value)
        if event.get("type") in (TOOL_CALLED, TOOL_RETURNED):
            yield Witnessed(line.number, line.offset), event


def _shown(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in _OF_THE_RUN}
