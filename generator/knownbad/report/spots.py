"""Where findings stand: the file, the line, and how both are said."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import NO_VALUE
from ..finding import WORST_FIRST, Finding, Findings, Level
from ..positions import Position
from .sources import Source

_TABLE = re.compile(r"/([a-z-]+)/(\d+)(?:/|\Z)")
"""The last table of an array in a pointer into a config."""


class Spots:
    """The files that findings name. A text that is not there or cannot be read has no lines."""

    def __init__(self, result: Findings) -> None:
        self._root: Path = result.root
        self._prefix = result.prefix
        self._sources: dict[str, Source] = {}

    def _source(self, file: str) -> Source:
        if file not in self._sources:
            try:
                text = (self._root / file).read_text(encoding="utf-8-sig")
            except (OSError, ValueError):
                text = ""
            self._sources[file] = Source(file, text)
        return self._sources[file]

    def place(self, finding: Finding) -> Position | None:
        """Of what a finding is about, or of the nearest that the text has around it."""
        if finding.file is None:
            return None
        if finding.file.endswith(".jsonl"):
            return _in_lines(finding.location or "")
        source = self._source(finding.file)
        if finding.file.endswith(".toml"):
            return _in_toml(source.text, finding.location or "")
        return source.nearest(finding.location or "") if source.text else None

    def line(self, finding: Finding) -> int | None:
        """The line of `place`."""
        place = self.place(finding)
        return place.line if place else None

    def path(self, finding: Finding) -> str | None:
        """The file from the top of what a CI system has checked out."""
        return None if finding.file is None else self._prefix + finding.file

    def where(self, finding: Finding) -> str:
        """`file:line`, as editors and terminals link it; the contract where a finding has no file."""
        if finding.file is None:
            return finding.contract or ""
        line = self.line(finding)
        return finding.file + (f":{line}" if line else "")


def _in_lines(pointer: str) -> Position | None:
    """The line of JSON Lines that a pointer leads to, as if the lines were an array."""
    number = pointer[1:].partition("/")[0]
    if not number.isdecimal():
        return None
    line = int(number) + 1
    return Position(line, 1, line, 1, line, 1)


def _in_toml(text: str, pointer: str) -> Position | None:
    """The head of the table of an array that a pointer leads to: `[[...accept]]` of `/tool/knownbad/accept/2`."""
    found = _TABLE.search(pointer)
    if found is None:
        return None
    head = re.compile(rf"^[ \t]*\[\[[^\]\n]*\b{re.escape(found[1])}\]\]", re.MULTILINE)
    for number, match in enumerate(head.finditer(text)):
        if number == int(found[2]):
            line = text.count("\n", 0, match.end()) + 1
            width = len(match[0].lstrip()) + 1
            return Position(line, 1, line, 1, line, width)
    return None


def has_witness(finding: Finding) -> bool:
    """Whether an instance shows it (`null` is one)."""
    return finding.witness is not NO_VALUE


def title(finding: Finding) -> str:
    """`KB402 widened`."""
    return f"{finding.code.code} {finding.code.name}"


def counted(result: Findings) -> str:
    """`2 errors, 1 note`; empty where nothing was found."""
    numbers = {level: result.count(level) for level in WORST_FIRST}
    several = {Level.UNDECIDED: "undecided"}
    return ", ".join(f"{n} {level if n == 1 else several.get(level, f'{level}s')}" for level, n in numbers.items() if n)


def verdict(result: Findings) -> str:
    """The result of a run in a sentence."""
    total = len(result.contracts)
    among = f" in {total} contract{'' if total == 1 else 's'}" if total else ""
    return f"{counted(result) or 'nothing to report'}{among}"


def worth_a_row(result: Findings) -> list[tuple[str, str, list[int]]]:
    """The contracts that there is something to tell of: name, word, and how many findings of each level."""
    rows = []
    names = [*result.contracts, *sorted({f.contract for f in result.findings if f.contract} - {*result.contracts})]
    for name in names:
        numbers = [result.count(level, name) for level in WORST_FIRST]
        word = result.contracts.get(name, "")
        if any(numbers) or word not in ("", "unchanged"):
            rows.append((name, word, numbers))
    return rows
