"""What became of the comparison of two contracts, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import NO_VALUE

EQUIVALENT, NARROWED, WIDENED, BOTH, UNDECIDED = "equivalent", "narrowed", "widened", "both", "undecided"
VERDICTS = (EQUIVALENT, NARROWED, WIDENED, BOTH, UNDECIDED)
"""Of head against base. `narrowed`: head rejects an instance that base accepts, and nothing the other way round, as is
proved. `widened`: the reverse. `both`: each is seen. `equivalent`: proved that neither is. `undecided`: one of the two
directions, or both, is neither seen nor proved to be empty."""

YES, NO, UNKNOWN = "yes", "no", "unknown"
"""What is known of one direction: an instance shows it, it is proved that none does, or neither."""

INPUT, OUTPUT, EITHER = "input", "output", "both"
"""Which way a contract breaks: what it reads must not narrow, what it writes must not widen."""


@dataclass(frozen=True, slots=True)
class Shift:
    """One direction of a difference.

    `witness`: the smallest instance found that shows it, judged by both validators on both sides (`NO_VALUE`: none).
    `reason`: the proof where `state` is `no`, what was missing where it is `unknown`.
    `location`: the static JSON Pointer of the keyword that rejects the witness, in the document `schema`.
    """

    state: str
    witness: Any = NO_VALUE
    reason: str = ""
    location: str | None = None
    schema: str | None = None

    @property
    def shown(self) -> bool:
        """Whether an instance shows it."""
        return self.state == YES


@dataclass(frozen=True, slots=True)
class Place:
    """A place in one of the two contracts: the name of its document and a static JSON Pointer into it."""

    schema: str
    location: str

    def __str__(self) -> str:
        return f"{self.schema}#{self.location}"


@dataclass(frozen=True, slots=True)
class Change:
    """One location that changed, and which way it moves the whole contract.

    `base` and `head` are where it stands on either side, `before` and `after` what stands there (`NO_VALUE`: nothing;
    then the place is that of the schema object around it). `what` it is about in a few words. `decides`: its witness is
    that of the whole.
    """

    base: Place
    head: Place
    what: str
    before: Any
    after: Any
    narrowing: Shift
    widening: Shift
    decides: bool = False

    @property
    def verdict(self) -> str:
        """As of the whole (see `VERDICTS`)."""
        return verdict(self.narrowing, self.widening)

    @property
    def place(self) -> Place:
        """Where to look: in head, or in base where what it is about is gone from head."""
        gone = self.after is NO_VALUE and self.before is not NO_VALUE
        return self.base if gone or _closes(self.head) and not _closes(self.base) else self.head


def _closes(place: Place) -> bool:
    return place.location.endswith(("/additionalProperties", "/unevaluatedProperties"))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Head against base. `proof` says why they are equivalent, where they are."""

    base: str
    head: str
    narrowing: Shift
    widening: Shift
    changes: tuple[Change, ...] = ()
    proof: str = ""

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        return verdict(self.narrowing, self.widening)

    def breaks(self, direction: str = EITHER) -> bool:
        """Whether an instance shows that users of a contract of this direction are broken."""
        return any(shift.shown for shift in self.mattering(direction))

    def open(self, direction: str = EITHER) -> bool:
        """Whether it is unknown if they are."""
        return any(shift.state == UNKNOWN for shift in self.mattering(direction))

    def mattering(self, direction: str) -> tuple[Shift, ...]:
        """The shifts that break a contract of this direction."""
        return {INPUT: (self.narrowing,), OUTPUT: (self.widening,)}.get(direction, (self.narrowing, self.widening))


def verdict(narrowing: Shift, widening: Shift) -> str:
    """The verdict that two directions make."""
    states = (narrowing.state, widening.state)
    if UNKNOWN in states:
        return UNDECIDED
    return {(YES, NO): NARROWED, (NO, YES): WIDENED, (YES, YES): BOTH, (NO, NO): EQUIVALENT}[states]
