"""The changed locations of a comparison: where each stands on either side, and which way it moves the contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..compiled import ValidatorFailed
from ..contract import Subschema
from ..errors import NO_VALUE
from ..pointers import get, join
from ..values import compact
from .covers import Open
from .forms import Flat
from .results import NO, UNKNOWN, YES, Change, Place, Shift
from .sides import Pair, Side

UNMOVED = "proved: nothing moves this way here"


@dataclass(slots=True)
class _Spot:
    """What is known of one location so far."""

    base: Place
    head: Place
    what: str
    before: Any
    after: Any
    shifts: dict[str, Shift] = field(default_factory=dict)


class Changes:
    """Gathers open places of both directions by their locations."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self._spots: dict[tuple[Place, Place, str], _Spot] = {}

    def add(self, accepting: Side, place: Open, witness: Any, proof: str, why: str) -> None:
        """One place that was open in one direction: what shows it, or what proves that nothing does, or neither."""
        rejecting = self._pair.other(accepting)
        there = _rejecting(place)
        here = _accepting(place, there)
        sides = {accepting.name: self._place(accepting, here), rejecting.name: self._place(rejecting, there)}
        base, head = sides["base"], sides["head"]
        what = _what(place)
        values = {accepting.name: here.value, rejecting.name: there.value}
        spot = self._spots.setdefault((base, head, what), _Spot(base, head, what, values["base"], values["head"]))
        if witness is not NO_VALUE:
            shift = shown(rejecting, witness)
        else:
            shift = Shift(NO, reason=proof) if proof else Shift(UNKNOWN, reason=why)
        known = spot.shifts.get(accepting.name)
        if known is None or _RANK[shift.state] < _RANK[known.state]:
            spot.shifts[accepting.name] = shift

    def found(self, narrowing: Shift, widening: Shift) -> tuple[Change, ...]:
        """Every change; those whose witness is that of the whole decide."""
        made = []
        for spot in self._spots.values():
            one = spot.shifts.get("base", Shift(NO, reason=UNMOVED))
            other = spot.shifts.get("head", Shift(NO, reason=UNMOVED))
            decides = any(
                s.shown and whole.shown and compact(s.witness) == compact(whole.witness)
                for s, whole in ((one, narrowing), (other, widening))
            )
            made.append(Change(spot.base, spot.head, spot.what, spot.before, spot.after, one, other, decides))
        return tuple(made)

    def _place(self, side: Side, spot: _At) -> Place:
        names = {document.uri: document.name for document in side.contract.documents.values()}
        return Place(names.get(spot.sub.document.uri, spot.sub.document.name), spot.location)


_RANK = {YES: 0, UNKNOWN: 1, NO: 2}


@dataclass(frozen=True, slots=True)
class _At:
    """A place of one side, with what stands there (`NO_VALUE`: the keyword is not there)."""

    sub: Subschema
    steps: tuple[Any, ...]
    missing: bool = False

    @property
    def location(self) -> str:
        return join(self.sub.pointer, *self.steps)

    @property
    def value(self) -> Any:
        try:
            return NO_VALUE if self.missing else get(self.sub.value, join("", *self.steps))
        except LookupError:
            return NO_VALUE


def _rejecting(place: Open) -> _At:
    """Where the side that rejects says so."""
    need = place.need
    if place.kid is not None and place.kid.edges:
        flat, edge = place.kid.edges[0]
        return _At(flat.sub, tuple(edge))
    steps = (need.keyword,) if need.keyword and _has(need.flat.sub, need.keyword) else ()
    return _At(need.flat.sub, steps)


def _accepting(place: Open, there: _At) -> _At:
    """What the accepting side says of the same: the keyword if it has it, else the schema object."""
    if place.kid is not None and place.kid.links:
        link = place.kid.links[0]
        if link.flat is not None:
            return _At(link.flat.sub, tuple(link.edge))
    parts = [sub for sub, _ in place.left.parts]
    if place.need.case is not None:
        link = place.need.case[1][0]
        if link.flat is not None:
            return _At(link.flat.sub, tuple(link.edge))
    keyword = place.need.keyword
    for sub in parts:
        if keyword and _has(sub, keyword):
            return _At(sub, (keyword,))
    return _At(parts[0] if parts else place.top, (), missing=True)


def _has(sub: Subschema, keyword: str) -> bool:
    return isinstance(sub.value, dict) and keyword in sub.value


def _what(place: Open) -> str:
    need = place.need
    subject = need.subject
    if subject is not None and subject[0] == "name":
        return f"{need.keyword} {subject[1]!r}" if need.keyword == "required" else f"member {subject[1]!r}"
    if subject is not None and subject[0] == "beside":
        return f"{need.keyword}: two branches at once"
    if not need.keyword or _is_false(need.flat):
        return "nothing is accepted here"
    return need.keyword


def _is_false(flat: Flat) -> bool:
    return flat.sub.value is False


def shown(rejecting: Side, witness: Any) -> Shift:
    """The shift that an instance shows, with the keyword that rejects it."""
    name, location = None, None
    try:
        failures = rejecting.oracle.errors(witness)
    except (ValidatorFailed, LookupError):
        failures = []
    if failures:
        location = failures[0].keyword_location
        name = next((d.name for d in _documents(rejecting) if d.uri == failures[0].document), failures[0].document)
    return Shift(YES, witness, "", location, name)


def _documents(side: Side) -> Iterable[Any]:
    return side.contract.documents.values()
