"""What became of one contract: what narrowed or widened, where, by which document, and whom that breaks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..codes.compare import NARROWED, REMOVED, UNDECIDED_CHANGE, UNREADABLE_BASE, WIDENED
from ..errors import NO_VALUE, shorten
from ..finding import Finding, Level
from ..pointers import get
from ..values import compact, equal
from .edits import Edits, Leaf, fallen, hashed
from .sides import One, Pair

if TYPE_CHECKING:
    from ..differ import Comparison, Place, Shift

NARROWING, WIDENING = "narrowing", "widening"
UNCHANGED, NEW, REMOVED_WORD, UNREADABLE = "unchanged", "new", "removed", "unreadable before"
_WAYS = (NARROWING, WIDENING)
UNDO = "change it back"
MANY = 8
"""Places of one contract that are told one by one."""
_SAID = {
    NARROWING: "this document was accepted before and is rejected now",
    WIDENING: "this document was rejected before and is accepted now",
}
_CODES = {NARROWING: NARROWED, WIDENING: WIDENED}
_BROKEN = {
    ("input", NARROWING): "who sends it is refused from now on",
    ("output", WIDENING): "who reads it may meet it from now on",
    ("both", NARROWING): "who sends it is refused from now on",
    ("both", WIDENING): "who reads it may meet it from now on",
}
_MATTERS = {"input": (NARROWING,), "output": (WIDENING,), "both": _WAYS}


@dataclass(frozen=True, slots=True)
class Moved:
    """How one contract stands: a word for it, the findings, and the comparison where one was made."""

    word: str
    findings: tuple[Finding, ...] = ()
    comparison: Comparison | None = None

    @property
    def equivalent(self) -> bool:
        """Whether it was proved that no verdict changes."""
        return self.comparison is not None and self.comparison.verdict == "equivalent"


def moved(pair: Pair, candidates: list[Any]) -> Moved:
    """Compare the two sides of a contract. `candidates`: instances that may show a difference."""
    base, head = pair.base, pair.head
    if head is None:
        return Moved(REMOVED_WORD, (_removed(pair),))
    if base is None:
        return Moved(NEW)
    if base.contract is None:
        return Moved(UNREADABLE, (_unreadable(pair),))
    if not pair.changed:
        return Moved(UNCHANGED)
    from ..differ import compare

    assert head.contract is not None
    found = compare(base.contract, head.contract, candidates=candidates)
    return Moved(found.verdict, tuple(_findings(pair, found)), found)


def _removed(pair: Pair) -> Finding:
    message = "the contract is gone: nothing holds its users to it any more"
    return Finding(REMOVED, message, pair.file, contract=pair.name, fix="keep its schema, and its name in the config")


def _unreadable(pair: Pair) -> Finding:
    assert pair.base is not None
    told = tuple(str(problem) for problem in pair.base.problems)
    message = "the schema cannot be read as it was before, so nothing can be said of the change"
    return Finding(UNREADABLE_BASE, message, pair.file, contract=pair.name, detail=told, subject=_stands(pair))


def _stands(pair: Pair) -> str:
    """What stands there now, of a contract whose base cannot be read."""
    return pair.head.digest[:12] if pair.head is not None and pair.head.contract is not None else ""


def _findings(pair: Pair, found: Comparison) -> Iterator[Finding]:
    """A finding for each changed place that breaks users, or one for the whole; what breaks nobody is one note."""
    from ..differ.results import UNKNOWN

    mattering = _MATTERS[pair.direction]
    for way in _WAYS:
        shift: Shift = getattr(found, way)
        matters = way in mattering
        if shift.shown and matters:
            yield from _breaks(pair, found, way)
        elif shift.shown:
            place = next((c.place for c in found.changes if c.decides and getattr(c, way).shown), None)
            yield _shown(pair, way, shift, _spot(pair, shift, place), breaks=False)
        elif shift.state == UNKNOWN:
            yield from _open(pair, found, way, matters)


def _breaks(pair: Pair, found: Comparison, way: str) -> Iterator[Finding]:
    """One finding a place; a definition that several places refer to is one place."""
    changes = sorted(found.changes, key=lambda change: not change.decides)
    shown: list[tuple[Shift, Place | None]] = [(getattr(c, way), c.place) for c in changes if getattr(c, way).shown]
    spots: dict[tuple[str, str], tuple[Shift, _Spot]] = {}
    for shift, place in shown or [(getattr(found, way), None)]:
        spot = _spot(pair, shift, place)
        spots.setdefault((spot.schema, spot.location), (shift, spot))
    edits = Edits(pair)
    if len(spots) > MANY:
        yield _many(pair, way, list(spots.values()), edits)
    elif not shown:  # nobody knows which of the edits it is
        ((shift, spot),) = spots.values()
        yield _shown(pair, way, shift, _held(spot, edits, edits.leaves), breaks=True)
    else:
        shares = edits.at(spots)
        for key, (shift, spot) in spots.items():
            yield _shown(pair, way, shift, _held(spot, edits, shares[key]), breaks=True)


def _held(spot: _Spot, edits: Edits, leaves: Sequence[Leaf]) -> _Spot:
    """The spot with the mark of all that it stands for."""
    own = [leaf for leaf in leaves if leaf.location != spot.location or not spot.edit]
    return replace(spot, said=edits.mark(leaves), more=fallen(own))


def _many(pair: Pair, way: str, places: list[tuple[Shift, _Spot]], edits: Edits) -> Finding:
    """One finding for an edit of many places, so that one approval is enough; its mark is that of the whole edit."""
    first = _shown(pair, way, *places[0], breaks=True)
    spots = sorted(f"{spot.schema}#{spot.location}" for _, spot in places)
    verb = "is rejected" if way == NARROWING else "is accepted"
    others = [f"also at {spot.pointer or '(the root)'}" for _, spot in places[1:]]
    return replace(
        first,
        message=f"at {len(places)} places another document {verb} now; the first of them:",
        subject=f"{way} {hashed([*spots, edits.mark()])}",
        detail=(f"an approval is of all {len(places)} places", *fallen(edits.leaves), *first.detail, *others),
    )


def _shown(pair: Pair, way: str, shift: Shift, spot: _Spot, *, breaks: bool) -> Finding:
    whom = _BROKEN[pair.direction, way] if breaks else "that breaks nobody"
    return Finding(
        _CODES[way],
        f"{_SAID[way]}:",
        spot.file,
        spot.pointer,
        pair.name,
        subject=f"{way} {spot.mark}",
        witness=shift.witness,
        detail=(*spot.edit, *spot.more, f'direction = "{pair.direction}": {whom}'),
        fix=UNDO if breaks else None,
        level=None if breaks else Level.NOTE,
    )


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place of a document, with what stood and what stands there (`NO_VALUE`: nothing)."""

    schema: str
    location: str
    before: Any = NO_VALUE
    after: Any = NO_VALUE
    said: str = ""
    more: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """A document that is a part of a file is called `file#/pointer`."""
        return self.schema.partition("#")[0]

    @property
    def pointer(self) -> str:
        """In the file."""
        return self.schema.partition("#")[2] + self.location

    @property
    def mark(self) -> str:
        """Of all that the edit says, so that an approval is of this edit at this place and of no later one."""
        if self.said:
            return self.said
        texts = ["" if value is NO_VALUE else compact(value) for value in (self.before, self.after)]
        return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def edit(self) -> tuple[str, ...]:
        """In words, where anything stands otherwise at this very place."""
        if self.before is NO_VALUE and self.after is NO_VALUE or equal_values(self.before, self.after):
            return ()
        name = self.location.rpartition("/")[2] or "the schema"
        if self.after is NO_VALUE:
            return (f"`{name}` was {shorten(self.before, 60)} and is gone",)
        if self.before is NO_VALUE:
            return (f"`{name}` is new: {shorten(self.after, 60)}",)
        return (f"`{name}` was {shorten(self.before, 48)} and is {shorten(self.after, 48)}",)


def equal_values(one: Any, other: Any) -> bool:
    """Whether both are there and are the same JSON value."""
    return one is not NO_VALUE and other is not NO_VALUE and equal(one, other)


def _spot(pair: Pair, shift: Shift, place: Place | None) -> _Spot:
    """Where a shift comes from: the keyword that rejects its witness, if that was edited, or else the edited place."""
    spots = [_at(pair, shift.schema, shift.location)] if shift.location is not None else []
    spots += [_at(pair, place.schema, place.location)] if place is not None else []
    return next((spot for spot in spots if spot.edit), spots[0] if spots else _at(pair, None, ""))


def _at(pair: Pair, schema: str | None, location: str) -> _Spot:
    assert pair.base is not None
    assert pair.head is not None
    assert pair.head.contract is not None
    schema = schema or pair.head.contract.document.name
    return _Spot(schema, location, _value(pair.base, schema, location), _value(pair.head, schema, location))


def _value(one: One, schema: str, location: str) -> Any:
    try:
        return get(one.values[schema], location)
    except (LookupError, ValueError):
        return NO_VALUE


def _open(pair: Pair, found: Comparison, way: str, matters: bool) -> Iterator[Finding]:
    """What is not known of a direction, at each place that leaves it open."""
    from ..differ.results import UNKNOWN

    shift: Shift = getattr(found, way)
    verb = "rejected" if way == NARROWING else "accepted"
    other = "accepted" if way == NARROWING else "rejected"
    open_changes = [(c.place, getattr(c, way)) for c in found.changes if getattr(c, way).state == UNKNOWN]
    places: list[tuple[Place | None, Shift]] = [*open_changes] or [(None, shift)]
    edits = Edits(pair)
    for place, one in places:
        spot = _spot(pair, one, place)
        # What is undecided is approved for the contract as it is, and for no other.
        spot = _held(spot, edits, edits.leaves)
        yield Finding(
            UNDECIDED_CHANGE,
            f"no document is known that is {verb} now and was {other} before, nor is it proved that there is none",
            spot.file,
            spot.pointer,
            pair.name,
            subject=f"{way} {spot.mark}",
            detail=(*spot.edit, *(part for part in (one.reason or shift.reason,) if part)),
            fix="split the change into smaller ones" if matters else None,
            level=None if matters else Level.NOTE,
        )
