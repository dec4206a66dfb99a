"""The one message of a judged reply: expected and actual of all three assertions, and the reply itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import NO_VALUE, shorten
from .assertions import Assertion, Judged, Verdict

_WIDTH = max(map(len, ("shape", "hint", "retryable", "finding", "costs", "reply")))
_LONGEST = 2_000
"""Characters of a reply that a message shows."""


def text(judged: Judged, reply: Any = NO_VALUE) -> str:
    """The message. `reply` is what came back, where that is more than the envelope."""
    case = judged.case
    lines = [f"{case.name} ({case.tool})", *map(_line, judged.assertions)]
    if judged.cost:
        lines.append(_row("costs", judged.cost))
    lines.extend(_row("finding", f"{f.code.code} {f.message.removeprefix(case.name + ': ')}") for f in judged.findings)
    shown = judged.body if reply is NO_VALUE else reply
    if shown is not NO_VALUE:
        lines.append(_row("reply", raw(shown)))
    return "\n".join(lines)


def raw(reply: Any) -> str:
    """A reply as it came: JSON on one line, other text as it stands; cut where it is long."""
    if isinstance(reply, bytes):
        reply = reply.decode("utf-8", "backslashreplace")
    line = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"


def grouped(judged: Iterable[Judged]) -> str:
    """The messages of all that is not good, grouped by error class; empty where all is good."""
    groups: dict[str, list[str]] = {}
    for one in judged:
        if not one.good:
            groups.setdefault(one.case.class_, []).append(text(one))
    return "\n\n".join("\n".join(messages) for messages in groups.values())


def _line(assertion: Assertion) -> str:
    return _row(assertion.name, f"{assertion.verdict.value:9}  " + "; ".join(_said(assertion)))


def _said(assertion: Assertion) -> Iterator[str]:
    if assertion.expected is not NO_VALUE:
        actual = "absent" if assertion.actual is NO_VALUE else shorten(assertion.actual)
        unreached = assertion.verdict is Verdict.UNREACHED
        at = f" at {assertion.location}" if assertion.location else ""
        yield f"expected {shorten(assertion.expected)}" + ("" if unreached else f", actual {actual}{at}")
    if assertion.message and (assertion.name != "retryable"):
        yield assertion.message
    if assertion.keyword is not None:
        yield f"violated: {assertion.keyword or '(root)'}"


def _row(name: str, text: str) -> str:
    return f"  {name:{_WIDTH}}  {text}".rstrip()
