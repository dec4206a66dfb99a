"""The misses that summaries count, looked at before the calls: where there were none, calls were served in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .contracts import SUMMARY, members
from .events import flat, summary_in
from .lines import lines
from .suite import Suite

KEPT_RUNS = 10_000
"""Runs that are remembered. Of more, nothing is taken for granted."""


def miss_count(summary: Any) -> int | None:
    """`fixtureMissCount` of a summary; None where it is no number of calls."""
    found = summary.get("fixtureMissCount") if isinstance(summary, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def foreign(summary: Any, suite: Suite) -> str:
    """Of what other suite a summary is; empty where it is of this one, or does not say."""
    for member, ours in (("suiteId", suite.suite_id), ("version", suite.version)):
        found = summary.get(member) if isinstance(summary, Mapping) else None
        if isinstance(found, str) and found != ours:
            return f"is of another suite: its `{member}` is {found}, and that of {suite.file} is {ours}"
    return ""


def grown(event: Any, above: str = "") -> Iterator[str]:
    """The members of a summary, or of an `eval.*` event at any depth, that tell of recorded failures and are new."""
    known = members(SUMMARY)
    for name, value in event.items():
        telling = "fixture" in name.lower() or "error" in name.lower() and name != "error"
        if telling and name not in known:
            yield f"{above}{name}"
        elif isinstance(value, Mapping) and name != "payload":  # which stands beside the members already
            yield from grown(value, f"{above}{name}.")


class Unmissed:
    """The runs of a log in which no call was missed, as their summaries say.

    A summary that names no run, or that stands `beside` the log, is of everything on it.
    """

    def __init__(self, log: Path, beside: int | None, suite: Suite, named: str) -> None:
        self._all = beside == 0
        self._some = bool(beside)
        self._runs: set[str] = set()
        for line in lines(log, b"fixtureMissCount", named):
            event = {} if line.value is None else flat(line.value)
            summary = summary_in(event)
            if (count := miss_count(summary)) is None or summary is None or foreign(summary, suite):
                continue
            run_id = event.get("runId", summary.get("runId"))
            if not isinstance(run_id, str):
                self._all |= count == 0
                self._some |= count > 0
            elif count > 0:
                self._runs.discard(run_id)
            elif len(self._runs) < KEPT_RUNS:
                self._runs.add(run_id)

    def holds(self, run_id: str | None) -> bool:
        """Whether no call of this run was missed."""
        return not self._some and (self._all or run_id in self._runs)
