"""What went wrong, told to a person: file, location, offending value, likely fix; and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """The exit codes of every command."""

    GOOD = 0
    """Nothing to report."""
    FINDINGS = 1
    """Something to act on was found (`generate`: under `--check`, or in error fixtures)."""
    BAD_INPUT = 2
    """The input or the usage was bad; nothing was written."""
    UNDECIDED = 3
    """Nothing is wrong, but something could not be decided."""
    WRONG_START = 4
    """The starting point was already wrong, so there is no result."""
    UNREACHABLE = 5
    """Something outside could not be reached."""
    BUG = 70
    """A fault of knownbad itself."""


class _NoValue:
    """One object in every process: a copy, or one that was sent away and came back, is the same."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "NO_VALUE"

    def __repr__(self) -> str:
        return "NO_VALUE"


NO_VALUE: Any = _NoValue()
"""Marks a `Problem` that has no offending value to show (`None` is a value: JSON null)."""


def shorten(value: object, width: int = 60) -> str:
    """`value` as JSON on one line, cut in the middle to `width` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    if len(text) <= width:
        return text
    keep = width - 1
    return text[: keep - keep // 3] + "…" + text[len(text) - keep // 3 :]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the input.

    `location` is a JSON Pointer into `file` (or `line:column` where the text is not JSON at all).
    """

    message: str
    file: str | None = None
    location: str | None = None
    value: Any = NO_VALUE
    fix: str | None = None

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.location) if part)
        text = f"{where}: {self.message}" if where else self.message
        if self.value is not NO_VALUE:
            text += f"\n    found: {shorten(self.value)}"
        if self.fix:
            text += f"\n    fix:   {self.fix}"
        return text


class BadInput(Exception):
    """The input cannot be worked on; `problems` holds every one that was found, `exit` the exit code."""

    def __init__(self, problems: Problem | Iterable[Problem], exit: Exit = Exit.BAD_INPUT) -> None:  # noqa: A002  as `sys.exit` calls it
        self.exit = exit
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class OutOfSteps(Exception):
    """A budget of steps is spent: the answer is undecided, for the reason given."""
