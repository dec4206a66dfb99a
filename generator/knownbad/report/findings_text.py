"""Findings as text for a person: by contract, the worst first, each with the document that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TextIO

from ..errors import Exit
from ..finding import WORST_FIRST, Finding, Findings, Level
from . import shown
from .lines import Line, prose
from .lines import write as printed
from .spots import Spots, has_witness, title, verdict, worth_a_row

STYLES = {Level.ERROR: "bold red", Level.UNDECIDED: "bold yellow", Level.WARNING: "yellow", Level.NOTE: "blue"}
_NOTES = 20
"""Notes of a contract that are shown before the rest is only counted; JSON has them all."""

_DETAIL = 12
"""Lines of detail of one finding that are shown."""


def write(result: Findings, stream: TextIO) -> None:
    """The whole report: coloured where `stream` is a terminal, plain otherwise."""
    printed(partial(lines, result), stream)


def lines(result: Findings, width: int) -> Iterator[Line]:
    """The lines of the report; all but paths keep to `width`."""
    spots = Spots(result)
    for contract, findings in result.grouped():
        if contract is not None:
            word = result.contracts.get(contract, "")
            yield Line(shown.one_line(contract + (f": {word}" if word else "")), "bold")
        notes = 0
        for finding in findings:
            notes += finding.weight is Level.NOTE
            if notes <= _NOTES:
                yield from _finding(finding, spots, width)
        if notes > _NOTES:
            yield Line(f"  and {notes - _NOTES} more notes (--format json has all)")
        yield Line("")
    for note in result.notes:
        yield from prose(f"note: {note}", width, 0)
    yield from _table(result)
    bad = result.exit is not Exit.GOOD
    yield from prose(f"knownbad {result.command}: {verdict(result)}", width, 0, "bold red" if bad else "bold green")


def _finding(finding: Finding, spots: Spots, width: int) -> Iterator[Line]:
    style = STYLES[finding.weight]
    where = spots.where(finding)
    head = f"  {where}: " if where else "  "
    yield Line(shown.one_line(f"{head}{finding.weight}: {title(finding)}"), style)
    if finding.location and finding.file is not None:
        yield Line(shown.one_line(f"    at {finding.location}"), "dim")
    yield from prose(finding.message, width, 4)
    if has_witness(finding):
        yield from (Line(f"      {line}", "cyan") for line in shown.instance(finding.witness, 12, width - 6))
    for line in finding.detail[:_DETAIL]:
        yield from prose(line, width, 4)
    if len(finding.detail) > _DETAIL:
        yield Line(f"    and {len(finding.detail) - _DETAIL} more (--format json has all)")
    if finding.fix:
        yield from prose(f"fix: {finding.fix}", width, 4, "green")


def _table(result: Findings) -> Iterator[Line]:
    rows = worth_a_row(result)
    if len(rows) < 2:
        return
    words = any(word for _, word, _ in rows)
    columns = [n for n, level in enumerate(WORST_FIRST) if result.count(level)]
    cells = [("contract", *(("is",) if words else ()), *(WORST_FIRST[n] for n in columns))]
    for name, word, numbers in rows:
        cells.append(
            (shown.one_line(name), *((shown.one_line(word),) if words else ()), *(str(numbers[n]) for n in columns))
        )
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for number, row in enumerate(cells):
        text = [c.ljust(w) if i <= words else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        yield Line("  ".join(text).rstrip(), "" if number else "bold")
    yield Line("")
