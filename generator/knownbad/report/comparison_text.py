"""A comparison for a person: the verdict first, then each changed location with the instance that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TextIO

from ..differ.results import (
    BOTH,
    EITHER,
    EQUIVALENT,
    INPUT,
    NARROWED,
    OUTPUT,
    UNDECIDED,
    UNKNOWN,
    WIDENED,
    Change,
    Comparison,
    Shift,
)
from ..errors import NO_VALUE
from . import shown
from .edits import diff
from .lines import Line, prose
from .lines import write as printed

STYLES = {NARROWED: "bold red", WIDENED: "bold red", BOTH: "bold red", UNDECIDED: "bold yellow", EQUIVALENT: "green"}
_SAYS = {
    EQUIVALENT: "both accept the same instances",
    NARROWED: "head rejects what base accepts",
    WIDENED: "head accepts what base rejects",
    BOTH: "each accepts what the other rejects",
    UNDECIDED: "not everything is known",
}
_BREAKS = {
    INPUT: "an input contract breaks by narrowing",
    OUTPUT: "an output contract breaks by widening",
    EITHER: "a contract that is read and written breaks by either",
}
MOST = 40
"""Changed locations that are shown; JSON has them all."""


def write(comparison: Comparison, direction: str, stream: TextIO) -> None:
    """The whole report: coloured where `stream` is a terminal, plain otherwise."""
    printed(partial(lines, comparison, direction), stream)


def lines(comparison: Comparison, direction: str, width: int) -> Iterator[Line]:
    """The lines of the report."""
    verdict = comparison.verdict
    style = STYLES[verdict]
    yield from prose(f"{verdict}: {_SAYS[verdict]}", width, 0, style)
    if comparison.proof:
        yield from prose(f"proof: {comparison.proof}", width, 2)
    for name, shift in (("narrowing", comparison.narrowing), ("widening", comparison.widening)):
        if shift.state == UNKNOWN:
            yield from prose(f"{name}: not known: {shift.reason}", width, 2)
        elif verdict == UNDECIDED:
            yield from prose(f"{name}: {'seen' if shift.shown else 'none, as is proved'}", width, 2)
    if not comparison.changes:
        yield from _ways(comparison.narrowing, comparison.widening, width)
    for change in _first(comparison)[:MOST]:
        yield Line("")
        yield from _change(change, width)
    if len(comparison.changes) > MOST:
        yield Line("")
        yield Line(f"and {len(comparison.changes) - MOST} more changed locations (--format json has all)")
    if verdict != EQUIVALENT:
        yield Line("")
        said = "this one breaks" if comparison.breaks(direction) else "this one does not"
        if not comparison.breaks(direction) and comparison.open(direction):
            said = "whether this one does is not known"
        bad = comparison.breaks(direction) or comparison.open(direction)
        yield from prose(f"{_BREAKS[direction]}: {said}", width, 0, "bold red" if bad else "green")


def _first(comparison: Comparison) -> list[Change]:
    """The changes, those that decide before the others."""
    return sorted(comparison.changes, key=lambda change: not change.decides)


def _change(change: Change, width: int) -> Iterator[Line]:
    mark = " (decides)" if change.decides else ""
    head = f"{change.place.location or '/'}: {change.verdict}{mark}"
    yield Line(shown.one_line(head), STYLES[change.verdict])
    if change.what != change.place.location.rpartition("/")[2]:
        yield Line(shown.one_line(f"  {change.what}"))
    if change.base.location != change.head.location:
        for name, place in (("base", change.base), ("head", change.head)):
            if place is not change.place and not change.place.location.startswith(place.location):
                yield Line(shown.one_line(f"  in {name}: {place.location or '/'}"), "dim")
    yield from _ways(change.narrowing, change.widening, width)
    yield from _edit(change)


def _ways(narrowing: Shift, widening: Shift, width: int) -> Iterator[Line]:
    says = ("base accepts, head rejects:", "base rejects, head accepts:")
    for shift, said in ((narrowing, says[0]), (widening, says[1])):
        if shift.shown:
            yield Line(f"  {said}")
            yield from (Line(f"    {line}", "cyan") for line in shown.instance(shift.witness, width=width - 4))
        elif shift.state == UNKNOWN:
            yield from prose(f"{said} not known; {shift.reason}", width, 2)


def _edit(change: Change) -> Iterator[Line]:
    """What stands there before and after, where it is one keyword that is edited, added or taken away."""
    base, head = change.base.location, change.head.location
    holder, _, name = (head if change.before is NO_VALUE else base).rpartition("/")
    before = {} if change.before is NO_VALUE else {name: change.before}
    after = {} if change.after is NO_VALUE else {name: change.after}
    edited = before and after and head.rpartition("/")[2] == name
    if edited or bool(before) != bool(after) and holder == (base if after else head):
        for line in diff(before, after):
            if not edited and line[1:] in ("{}", "{", "}"):
                continue  # the object around a keyword that stands alone
            style = {"-": "red", "+": "green"}.get(line[:1], "")
            yield Line(f"  {shown.one_line(line)}", style)
