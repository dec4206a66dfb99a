"""A mutation check as text for a person: what survived and what would kill it, then the counts and the score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TextIO

from ..mutants import KILLED, SURVIVED, UNDECIDED, Check, Checked, Mutant, worst_first
from . import shown
from .edits import diff
from .lines import Line, prose
from .lines import write as printed
from .sources import Sources, dead

_SHOWN = 20
"""Entries of a list of findings that are shown before the rest is only counted; JSON has them all."""
_NAME = 16
"""Characters of a contract's name that the table leaves room for."""


def write(checked: Checked, stream: TextIO) -> None:
    """The whole report: coloured where `stream` is a terminal, plain otherwise."""
    printed(partial(lines, checked), stream)


def lines(checked: Checked, width: int) -> Iterator[Line]:
    """The lines of the report; all but paths keep to `width`."""
    for check in checked.checks:
        yield from _wrong(check, width)
    for check in checked.checks:
        sources = Sources(check, checked.root)
        for _, mutants in worst_first(check.mutants):
            open_ones = [mutant for mutant in mutants if mutant.state in (SURVIVED, UNDECIDED)]
            if open_ones:
                yield from _group(check, sources, open_ones, len(mutants), width)
    yield from _dead(checked, width)
    for note in chain(checked.notes, *([f"{c.contract}: {note}" for note in c.notes] for c in checked.checks)):
        yield from prose(f"note: {note}", width, 0)
    yield from _table(checked, width)
    yield from _verdict(checked, width)


def _wrong(check: Check, width: int) -> Iterator[Line]:
    if not check.wrong:
        return
    message = f"{check.contract}: the corpus itself is wrong, so no score was computed. These fixtures have another "
    message += "verdict than their folder says:"
    yield from prose(message, width, 0, "bold red")
    yield from (Line(f"    {shown.one_line(name)}") for name in check.wrong)
    yield Line("")


def _group(check: Check, sources: Sources, mutants: list[Mutant], total: int, width: int) -> Iterator[Line]:
    first = mutants[0]
    states = [f"{n} {state}" for state in (SURVIVED, UNDECIDED) if (n := sum(m.state == state for m in mutants))]
    yield Line(shown.one_line(f"{check.contract}: {sources.of(first).file}#{first.site}"), "bold")
    yield Line(f"  {' and '.join(states)} of {total} mutants here")
    yield Line("")
    for mutant in mutants:
        yield from _mutant(mutant, sources, width)


def _mutant(mutant: Mutant, sources: Sources, width: int) -> Iterator[Line]:
    colour = "red" if mutant.state == SURVIVED else "yellow"
    yield Line(shown.one_line(f"  {sources.where(mutant)}: {mutant.operator} {mutant.state}"), f"bold {colour}")
    yield from _edit(mutant, width)
    if mutant.state == UNDECIDED:
        yield from prose(f"undecided: {mutant.reason or 'no reason given'}", width, 4)
    else:
        yield from prose(f"missing: {shown.needed(mutant)}", width, 4)
    if shown.has_witness(mutant):
        yield from prose(f"witness: {shown.verdicts(mutant)}:", width, 4)
        yield from (Line(f"      {line}", "cyan") for line in shown.instance(mutant.witness, width=width - 6))
    if mutant.written:
        yield Line(f"    written: {shown.one_line(mutant.written)}", "green")
    yield Line("")


def _edit(mutant: Mutant, width: int) -> Iterator[Line]:
    styles = {"-": "red", "+": "green", "@": "dim"}
    for line in diff(mutant.before, mutant.after):
        yield Line("      " + shown.cut(shown.one_line(line), width - 6), styles.get(line[0], ""))


def _dead(checked: Checked, width: int) -> Iterator[Line]:
    found = [
        (mutant, sources)
        for check in checked.checks
        for sources in [Sources(check, checked.root)]
        for mutant in check.mutants
        if dead(mutant)
    ]
    if not found:
        return
    word = "keyword changes" if len(found) == 1 else "keywords change"
    yield Line(f"{len(found)} {word} nothing", "bold")
    for mutant, sources in found[:_SHOWN]:
        yield Line(shown.one_line(f"  {sources.where(mutant)}: {mutant.operator}"), "magenta")
        yield from prose(shown.finding(mutant), width, 4)
    if len(found) > _SHOWN:
        yield Line(f"  and {len(found) - _SHOWN} more (--format json has all)")
    yield Line("")


def _row(name: str, score: float | None, check: Check | Checked) -> tuple[str, ...]:
    states = [sum(m.state == state for m in check.mutants) for state in (*shown.COUNTED, *shown.ASIDE)]
    return (name, shown.percent(score), str(len(check.mutants)), *map(str, states))


def _table(checked: Checked, width: int) -> Iterator[Line]:
    head = ("contract", "score", "mutants", *shown.COUNTED, *shown.ASIDE)
    rows = [_row(shown.one_line(check.contract), check.score, check) for check in checked.checks]
    total = _row("total", checked.score, checked)
    if len(rows) != 1:
        rows.append(total)
    first_aside = 3 + len(shown.COUNTED)
    columns = [i for i in range(len(head)) if i < first_aside or total[i] != "0"]
    if _width(head, rows, columns) > width:
        # Too many columns for a line: what the score leaves out stands below the table, as a sum.
        columns = list(range(first_aside))
    name_width = max(_NAME, width - _width(head, rows, columns[1:]) - 2)
    rows = [(_middle(row[0], name_width), *row[1:]) for row in rows]
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for number, row in enumerate((head, *rows)):
        cells = [row[i].rjust(widths[i]) if i else row[i].ljust(widths[i]) for i in columns]
        bad = number > 0 and row[4:6] != ("0", "0")
        yield Line("  ".join(cells).rstrip(), "bold" if number == 0 else "red" if bad else "")
    left_out = [f"{total[i]} {head[i]}" for i in range(first_aside, len(head))]
    yield from prose(f"not in the score: {', '.join(left_out)}", width, 0)


def _width(head: tuple[str, ...], rows: list[tuple[str, ...]], columns: list[int]) -> int:
    return sum(max(len(row[i]) for row in (head, *rows)) + 2 for i in columns) - 2


def _middle(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    keep = width - 1
    return text[: keep - keep // 2] + "…" + text[len(text) - keep // 2 :]


def _verdict(checked: Checked, width: int) -> Iterator[Line]:
    if checked.shard is not None:
        yield Line(f"shard {checked.shard[0]} of {checked.shard[1]}: the score is that of this part alone")
    text = shown.verdict(checked.exit, checked.score, checked.fail_under)
    good = checked.exit == 0
    if checked.score is not None:
        counted = sum(mutant.state in shown.COUNTED for mutant in checked.mutants)
        text += f": {sum(m.state == KILLED for m in checked.mutants)} of {counted} mutants killed"
    yield from prose(text, width, 0, "bold green" if good else "bold red")
