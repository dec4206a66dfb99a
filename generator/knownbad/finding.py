"""A finding: one thing that a check has to say, with its code, its place and the instance that shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .errors import NO_VALUE


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
    the instance that shows it, `detail` more lines for the person, `fix` the likely way out.
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
