"""The findings that a comparison makes, for a contract of some direction."""

from __future__ import annotations

from collections.abc import Iterator

from ..codes.compare import NARROWED, UNDECIDED_CHANGE, WIDENED
from ..errors import NO_VALUE
from ..finding import Finding, Level
from .results import EITHER, INPUT, OUTPUT, UNKNOWN, Change, Comparison, Shift

BREAKS_BY = {INPUT: (NARROWED,), OUTPUT: (WIDENED,), EITHER: (NARROWED, WIDENED)}
"""What breaks a contract of each direction."""
_SAYS = {
    NARROWED: "what was accepted before is rejected now",
    WIDENED: "what was rejected before is accepted now",
}


def findings(comparison: Comparison, direction: str = EITHER, contract: str | None = None) -> list[Finding]:
    """One finding for each changed location and way that it moves; what breaks nobody is a note."""
    found = [f for change in comparison.changes for f in _of_change(change, direction, contract)]
    for code, shift in ((NARROWED, comparison.narrowing), (WIDENED, comparison.widening)):
        codes = {f.code for f in found}
        if shift.shown and code not in codes:
            found.append(Finding(code, _SAYS[code], shift.schema, shift.location, contract, "", shift.witness))
        elif shift.state == UNKNOWN and UNDECIDED_CHANGE not in codes:
            level = None if code in BREAKS_BY[direction] else Level.NOTE
            found.append(Finding(UNDECIDED_CHANGE, shift.reason, None, None, contract, code.name, level=level))
    return found


def _of_change(change: Change, direction: str, contract: str | None) -> Iterator[Finding]:
    place, where = change.place, _where(change)
    for code, shift in ((NARROWED, change.narrowing), (WIDENED, change.widening)):
        level = None if code in BREAKS_BY[direction] else Level.NOTE
        if shift.shown:
            message = f"{change.what}: {_SAYS[code]}"
            detail = (*where, *_rejected(change, shift))
            yield Finding(
                code, message, place.schema, place.location, contract, change.what, shift.witness, detail, level=level
            )
        elif shift.state == UNKNOWN:
            message = f"{change.what}: not known to be {code.name} or not; {shift.reason}"
            subject = f"{change.what} {code.name}"
            yield Finding(
                UNDECIDED_CHANGE, message, place.schema, place.location, contract, subject, NO_VALUE, where, level=level
            )


def _where(change: Change) -> tuple[str, ...]:
    return () if change.base.location == change.head.location else (f"base {change.base}, head {change.head}",)


def _rejected(change: Change, shift: Shift) -> tuple[str, ...]:
    if shift.location is None or shift.location == change.place.location:
        return ()
    return (f"rejected by {shift.location}",)
