"""A finding: one thing that a check has to say, with its code, its place and the instance that shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from .errors import NO_VALUE, Exit


class Level(StrEnum):
    """How much a finding weighs. Only `ERROR` makes a command exit 1, and only `UNDECIDED` makes it exit 3."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    UNDECIDED = "undecided"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Code:
    """What all findings of one kind share: `code` as in `KB204`, a kebab-case `name`, the level unless configured."""

    code: str
    name: str
    summary: str
    level: Level = Level.ERROR


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `file` is relative to the project's root, `location` a JSON Pointer into it, or into the schema of `contract`.
    `subject` tells findings of one code at one place apart: a member's name, an operator, an error code. `witness` is
    the instance that shows it, `detail` more lines for the person, `fix` the likely way out; lines after its first are
    for a config.
    """

    code: Code
    message: str
    file: str | None = None
    location: str | None = None
    contract: str | None = None
    subject: str = ""
    witness: Any = NO_VALUE
    detail: tuple[str, ...] = ()
    fix: str | None = None
    level: Level | None = None

    @property
    def weight(self) -> Level:
        """The level that counts: the finding's own, or that of its code."""
        return self.level or self.code.level

    @property
    def fingerprint(self) -> str:
        """16 hex digits that stay while the code, the place and the subject do, whatever the line or commit."""
        about = [self.code.code, self.contract or "", self.file or "", self.location or "", self.subject]
        return hashlib.sha256(json.dumps(about).encode("ascii")).hexdigest()[:16]


def nearest(name: str, known: Iterable[Code]) -> Code | None:
    """The code whose number or name is most like what was typed; None where none is."""
    from difflib import get_close_matches

    names: dict[str, Code] = {}
    for code in known:
        names[code.code.lower()] = names[code.name] = code
    typed = name.strip().lower()
    if typed.startswith("kb"):  # letters that look like digits
        typed = "kb" + typed[2:].translate(str.maketrans("oilsz", "01152"))
    near = get_close_matches(typed, names, 1)
    return names[near[0]] if near else None


WORST_FIRST = (Level.ERROR, Level.UNDECIDED, Level.WARNING, Level.NOTE)


@dataclass(frozen=True, slots=True)
class Findings:
    """What one run of a command found.

    `contracts`: a word for how each contract stands that was looked at, such as `widened`; empty where there is none.
    `said`: the exit code where it is not the one that the findings make. `prefix`: where the root stands in what a CI
    system has checked out, as in `services/billing/`; its annotations need it.
    """

    command: str
    root: Path
    findings: tuple[Finding, ...]
    contracts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    said: Exit | None = None
    prefix: str = ""

    @property
    def exit(self) -> Exit:
        """FINDINGS for an error, UNDECIDED only where nothing worse was found."""
        if self.said is not None:
            return self.said
        if self.count(Level.ERROR):
            return Exit.FINDINGS
        return Exit.UNDECIDED if self.count(Level.UNDECIDED) else Exit.GOOD

    def count(self, level: Level, contract: str | None = None) -> int:
        """How many findings weigh this much, of all or of one contract."""
        return sum(f.weight is level and contract in (None, f.contract) for f in self.findings)

    def grouped(self) -> list[tuple[str | None, list[Finding]]]:
        """The findings by contract (None: of no contract), the worst first in each group and among the groups."""
        groups: dict[str | None, list[Finding]] = {}
        for finding in self.findings:
            if finding.weight is not Level.OFF:
                groups.setdefault(finding.contract, []).append(finding)
        for found in groups.values():
            found.sort(key=_weight)
        return sorted(groups.items(), key=lambda group: (_weight(group[1][0]), group[0] or ""))


def _weight(finding: Finding) -> int:
    return WORST_FIRST.index(finding.weight)
