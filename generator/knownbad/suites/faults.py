"""Known-bad logs: from a log that conforms, one for each rule, broken in one place. Each is proven before it is given.

The proof is the corpus' own: the judge finds nothing in the log that it was made from, and in the broken one exactly
the rule that it stands for.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..codes import suites as codes
from ..errors import BadInput, Problem
from ..finding import Code
from .asked import Asked
from .conform import conform
from .events import TOOL_CALLED, TOOL_RETURNED, summary_in
from .lines import objects
from .suite import Suite

Events = list[dict[str, Any]]
Edit = Callable[[Events, int, Suite], Events | str | None]
"""Breaks a log at one event, or its text; None where the event does not lend itself to it."""


@dataclass(frozen=True, slots=True)
class BadLog:
    """One known-bad log: `fault` is its name, `rule` the one that finds it, `text` the whole of it."""

    fault: str
    rule: Code
    text: str


def known_bad(asked: Asked) -> tuple[list[BadLog], list[str]]:
    """The known-bad logs that can be made from a log, and the faults that it gives no opportunity for.

    Raises BadInput where the log does not conform itself.
    """
    if asked.log.stat().st_size > LARGEST:
        raise BadInput(Problem(f"is larger than {LARGEST} bytes: break a small log", str(asked.log)))
    own = conform(replace(asked, require=False))
    if own.counts:
        rules = ", ".join(sorted(own.counts))
        raise BadInput(Problem(f"does not conform itself ({rules}), so nothing can be made from it", str(asked.log)))
    events = [dict(line.value or {}) for line in objects(asked.log)]
    found, without = [], []
    with tempfile.TemporaryDirectory(prefix="knownbad-") as folder:
        path = Path(folder) / "log.jsonl"
        for fault, rule, edit in FAULTS:
            text = next((t for t in _tried(edit, events, asked.suite) if _only(rule, t, path, asked)), None)
            if text is None:
                without.append(fault)
            else:
                found.append(BadLog(fault, rule, text))
    return found, without


LARGEST = 1024 * 1024


def _tried(edit: Edit, events: Events, suite: Suite) -> Iterator[str]:
    for at in range(len(events)):
        broken = edit(copy.deepcopy(events), at, suite)
        if broken is not None:
            yield broken if isinstance(broken, str) else _text(broken)


def _text(events: Events) -> str:
    return "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events)


def _only(rule: Code, text: str, path: Path, asked: Asked) -> bool:
    """Whether a log is caught by this rule and no other."""
    path.write_text(text, encoding="utf-8", newline="\n")
    return set(conform(replace(asked, log=path, require=False)).counts) == {rule.code}


def _failed(event: dict[str, Any]) -> bool:
    return event.get("type") == TOOL_RETURNED and isinstance(event.get("error"), dict)


def _as_success(events: Events, at: int, _: Suite) -> Events | None:
    if not _failed(events[at]):
        return None
    del events[at]["error"]
    events[at]["outcome"] = "ok"
    if "status" in events[at]:
        events[at]["status"] = "ok"
    return events


def _as_error(events: Events, at: int, _: Suite) -> Events | None:
    if "outcome" not in events[at] or events[at].get("type") != TOOL_RETURNED:
        return None
    del events[at]["outcome"]
    events[at].update(error={"code": "tool_failed", "message": "The tool call failed."}, status="error")
    return events


def _with_outcome(events: Events, at: int, _: Suite) -> Events | None:
    if not _failed(events[at]):
        return None
    events[at]["outcome"] = "ok"
    if "status" in events[at]:
        events[at]["status"] = "error"
    return events


def _without_error(events: Events, at: int, _: Suite) -> Events | None:
    if not _failed(events[at]):
        return None
    del events[at]["error"]
    return events


def _error_member(member: str, value: Any) -> Edit:
    def edit(events: Events, at: int, _: Suite) -> Events | None:
        if not _failed(events[at]):
            return None
        events[at]["error"][member] = value
        return events

    return edit


def _without_status(events: Events, at: int, _: Suite) -> Events | None:
    if not _failed(events[at]) or "status" not in events[at]:
        return None
    del events[at]["status"]
    return events


def _miss_counted(events: Events, at: int, _: Suite) -> Events | None:
    summary = summary_in(events[at])
    if not isinstance(summary, dict):
        return None
    summary["fixtureMissCount"] += 1
    return events


def _retried(events: Events, at: int, _: Suite) -> Events | None:
    if not _failed(events[at]):
        return None
    events[at]["effectCount"] = 1
    return events


def _echoed(events: Events, at: int, suite: Suite) -> Events | None:
    if not _failed(events[at]):
        return None
    tool = events[at].get("tool")
    said = [json.dumps(e.response, ensure_ascii=False) for _, e in suite.errors if tool in (None, e.tool)]
    if not said:
        return None
    events[at]["error"]["message"] = " ".join(said)
    return events


def _swapped(events: Events, at: int, _: Suite) -> Events | None:
    if at + 1 >= len(events) or events[at].get("type") != TOOL_CALLED or events[at + 1].get("type") != TOOL_RETURNED:
        return None
    events[at], events[at + 1] = events[at + 1], events[at]
    return events


def _unreturned(events: Events, at: int, _: Suite) -> Events | None:
    if events[at].get("type") != TOOL_RETURNED:
        return None
    del events[at]
    return events


def _uncalled(events: Events, at: int, _: Suite) -> Events | None:
    """A call returns a second time."""
    if events[at].get("type") != TOOL_RETURNED:
        return None
    again = {name: value for name, value in events[at].items() if name != "sequence"}
    return [*events[: at + 1], again, *events[at + 1 :]]


def _malformed(events: Events, at: int, _: Suite) -> Events | None:
    if events[at].get("type") != TOOL_RETURNED or "sequence" not in events[at]:
        return None
    events[at]["sequence"] = str(events[at]["sequence"])
    return events


def _grown(events: Events, at: int, _: Suite) -> Events | None:
    summary = events[at].get("summary")
    if not isinstance(summary, dict) or summary_in(events[at]) is None:
        return None
    summary["fixtureErrorCount"] = 1
    return events


def _cut(events: Events, at: int, _: Suite) -> str | None:
    if at != len(events) - 1:
        return None
    return _text(events)[: -len(_text(events[at:])) // 2]


def _littered(events: Events, at: int, _: Suite) -> str | None:
    """A line that is none stands between the others."""
    return _text(events[: at + 1]) + "Traceback (most recent call last):\n" + _text(events[at + 1 :])


FAULTS: tuple[tuple[str, Code, Edit], ...] = (
    ("error-with-only-an-outcome", codes.ERROR_AS_SUCCESS, _as_success),
    ("error-and-outcome", codes.ERROR_AND_OUTCOME, _with_outcome),
    ("neither-error-nor-outcome", codes.NEITHER, _without_error),
    ("error-code-empty", codes.EMPTY_CODE, _error_member("code", "")),
    ("error-message-empty", codes.EMPTY_MESSAGE, _error_member("message", "")),
    ("status-missing", codes.STATUS, _without_status),
    ("miss-counted", codes.MISS_COUNT, _miss_counted),
    ("success-with-an-error", codes.SUCCESS_AS_ERROR, _as_error),
    ("retried-live", codes.RETRIED_LIVE, _retried),
    ("payload-echoed", codes.PAYLOAD_ECHOED, _echoed),
    ("return-before-call", codes.OUT_OF_ORDER, _swapped),
    ("call-without-return", codes.NO_RETURN, _unreturned),
    ("returned-twice", codes.NO_CALL, _uncalled),
    ("sequence-as-text", codes.EVENT_MALFORMED, _malformed),
    ("summary-with-a-new-field", codes.SUMMARY_GREW, _grown),
    ("cut-in-a-line", codes.LOG_CUT, _cut),
    ("line-of-something-else", codes.LINE_UNREADABLE, _littered),
)
