"""What a judge has to say: findings by rule, not more of each than a person reads, and all of them counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..finding import Code, Finding, Level
from .lines import Line

KEPT = 100
"""Findings that are kept of each rule, so that a bad log of any length takes little memory."""


@dataclass(frozen=True, slots=True)
class Witnessed:
    """The event that a verdict names: where it stands in the log, and which call it is of."""

    line: int
    offset: int
    call: str | None = None


@dataclass
class Said:
    """The findings of one log."""

    file: str
    findings: list[Finding] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    first: dict[str, Witnessed] = field(default_factory=dict)
    """The first event that broke a rule, by its code."""

    def add(
        self,
        code: Code,
        line: Line | Witnessed | None,
        message: str,
        call: str | None = None,
        detail: tuple[str, ...] = (),
        fix: str | None = None,
        witness: Any = None,
    ) -> None:
        """One more finding, at a line of the log (None: at none); located as if the lines were an array."""
        self.count[code.code] += 1
        where, location = "", None
        if line is not None:
            number = line.number if isinstance(line, Line) else line.line
            where, location = f"line {number}: ", f"/{number - 1}"
            self.first.setdefault(code.code, Witnessed(number, line.offset, call))
        if self.count[code.code] > KEPT:
            return
        named = f"call {call}: " if call is not None else ""
        shown = {} if witness is None else {"witness": witness}
        self.findings.append(
            Finding(
                code,
                f"{where}{named}{message}",
                self.file,
                location,
                subject=call or "",
                detail=detail,
                fix=fix,
                **shown,
            )
        )

    def broken(self, rules: tuple[Code, ...], *levels: Level) -> list[Code]:
        """Which of these rules were broken, of these levels."""
        return [rule for rule in rules if self.count[rule.code] and rule.level in levels]
