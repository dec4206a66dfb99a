"""Head against base: what narrowed, what widened, where, and the instance that shows it; or a proof of neither."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .. import clock
from ..algebra import Difference, Empty
from ..compiled import ValidatorFailed
from ..contract import Contract
from ..errors import NO_VALUE
from .changes import Changes, shown
from .colors import Colors
from .covers import Cover, Open
from .forms import Forms, Node
from .results import NO, UNKNOWN, Comparison, Shift
from .sides import Joint, Pair, Side, smaller, smaller_ones
from .subtracted import Subtraction
from .witnesses import Search

SAME = "the two say the same at every place, annotations and names of definitions aside"
COVERED = "place by place, everything that {} accepts is accepted by {}"
MUTUAL = "place by place, each of the two accepts everything that the other accepts"
CALLS = 6_000
"""How many calls may be open at a time."""
TURNS = 3
"""How often the proof is tried again with what the algebra said meanwhile."""
FAILURES = 100
"""At how many open places the walk may show nothing before it is given up."""
ENOUGH = 30
"""The same where the direction is shown already."""
SECONDS = 4.0
"""How long the walks to one place may take."""
SHRINKS = 60
"""How often a witness is made smaller."""
FEW = 6
"""About how many places the algebra is asked where the direction is shown already."""
HARD = 6
"""How many open places are searched with varied choices."""


def compare(base: Contract, head: Contract, *, candidates: Sequence[Any] = ()) -> Comparison:
    """Compare two contracts, of whatever dialects. `candidates`: instances to try before any is made.

    Every witness is confirmed by both validators on both sides. What is neither shown nor proved is undecided.
    """
    with _deep():
        return Job(base, head, candidates).run()


def proof(base: Contract, head: Contract) -> str:
    """The proof that two contracts accept the same instances; empty where places alone do not show it.

    No instance is looked for, and the algebra is not asked.
    """
    with _deep():
        try:
            return Job(base, head, ()).proof()
        except RecursionError:
            return ""


@contextmanager
def _deep() -> Iterator[None]:
    """Nodes lead to nodes, some ten calls for each step down a schema; its documents are up to 200 levels deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@dataclass(slots=True)
class Way:
    """One direction while it is worked on."""

    accepting: Side
    left: Node
    right: Node
    proved: bool = False
    opens: list[Open] = field(default_factory=list)
    closed: list[tuple[Open, str]] = field(default_factory=list)
    """Places that were open until the algebra proved them."""
    found: dict[int, Any] = field(default_factory=dict)
    """Witnesses by the identity of their open place; 0: of none."""
    failed: int = 0
    """At how many open places the walk showed nothing."""
    why: dict[str, None] = field(default_factory=dict)

    def shown(self, place: Open) -> bool:
        return id(place) in self.found


class Job:
    """One comparison."""

    def __init__(self, base: Contract, head: Contract, candidates: Sequence[Any]) -> None:
        self.pair = Pair(base, head)
        self.candidates = candidates
        self.joint = Joint(self.pair, self.pair.base)
        self.forms = Forms(self.joint)
        one, other = self.forms.root(self.pair.base.root), self.forms.root(self.pair.head.root)
        self.colors = Colors(self.forms, [*one.parts, *other.parts])
        self.cover = Cover(self.forms, self.colors)
        self.algebra = Subtraction(self.joint, self.colors)
        self.narrowing = Way(self.pair.base, one, other)
        self.widening = Way(self.pair.head, other, one)

    def run(self) -> Comparison:
        ways = (self.narrowing, self.widening)
        names = self.pair.base.contract.name, self.pair.head.contract.name
        if self._same():
            shift = Shift(NO, reason=SAME)
            return Comparison(*names, shift, shift, proof=SAME)
        for way in ways:
            for value in self.candidates:
                self._try(way, 0, [value])
            self._decide(way)
        narrowing, widening = map(self._shift, ways)
        changes = Changes(self.pair)
        for way in ways:
            for place in way.opens:
                witness = way.found.get(id(place), NO_VALUE)
                changes.add(way.accepting, place, witness, "", self._why(way))
            left = {_place(place) for place in way.opens}
            for place, proof in way.closed:
                if _place(place) not in left:
                    changes.add(way.accepting, place, NO_VALUE, proof, "")
        proof = narrowing.reason if (narrowing.state, widening.state) == (NO, NO) else ""
        return Comparison(*names, narrowing, widening, changes.found(narrowing, widening), proof)

    def proof(self) -> str:
        """The proof of both directions by their places alone; or empty."""
        if self._same():
            return SAME
        both = all(self.cover.prove(way.left, way.right) for way in (self.narrowing, self.widening))
        return MUTUAL if both else ""

    def _same(self) -> bool:
        one, other = self.narrowing.left, self.narrowing.right
        return {self.colors.of(p) for p in one.parts} == {self.colors.of(p) for p in other.parts}

    # -- one direction

    def _decide(self, way: Way) -> None:
        search = Search(self.joint, self.cover, way.accepting)
        for _ in range(TURNS):
            way.proved = self.cover.prove(way.left, way.right)
            if way.proved:
                return
            before = {_place(o): o for o in way.opens}
            way.opens = [before.get(_place(o), o) for o in self.cover.open(way.left, way.right, way.accepting.root)]
            for place in way.opens:
                if _place(place) not in before and way.failed < (ENOUGH if way.found else FAILURES):
                    self._timed(way, place, search.at(place))
                    way.failed += not way.shown(place)
            if not self._subtract(way):
                break
        for place in [place for place in way.opens if not way.shown(place)][: 0 if way.found else HARD]:
            left = self.algebra.of(*_inner(place))
            if isinstance(left, Difference):
                self._timed(way, place, search.of_difference(place, left.schema))
            if not way.shown(place):
                self._timed(way, place, search.beyond(place, way.right.parts))
        if not way.found:
            self._timed(way, None, search.anywhere(way.right.parts))

    def _timed(self, way: Way, place: Open | None, values: Iterable[Any]) -> None:
        try:
            with clock.limit(SECONDS):
                self._try(way, 0 if place is None else id(place), values)
        except (clock.OutOfTime, ValidatorFailed) as failed:
            way.why[str(failed)] = None

    def _try(self, way: Way, number: int, values: Iterable[Any]) -> bool:
        for value in values:
            if self.pair.confirmed(value, way.accepting):
                if smaller(value, way.found.get(number, NO_VALUE)):
                    way.found[number] = value
                return True
        return False

    def _subtract(self, way: Way) -> bool:
        """Ask the algebra about the places that nothing shows; whether it proved one of them, or what is around."""
        progress = False
        for place in [p for p in way.opens if not way.shown(p)][: FEW if way.found else None]:
            for left, right in [_inner(place), *reversed(place.trail[-3:]), *place.trail[:1]]:
                if (id(left), id(right)) in self.cover.proved:
                    break
                answer = self.algebra.of(left, right)
                if isinstance(answer, Empty):
                    self.cover.proved[id(left), id(right)] = answer.proof
                    way.closed.append((place, answer.proof))
                    progress = True
                    break
                left_over = "it leaves something, of which no instance was found"
                said = left_over if isinstance(answer, Difference) else answer.reason
                way.why[f"the algebra: {said}"] = None
        return progress

    def _shift(self, way: Way) -> Shift:
        rejecting = self.pair.other(way.accepting)
        if way.found:
            best: Any = NO_VALUE
            for value in way.found.values():
                if smaller(value, best):
                    best = value
            return self._shrunk(way, shown(rejecting, best))
        if way.proved:
            return Shift(NO, reason=COVERED.format(way.accepting.name, rejecting.name))
        return Shift(UNKNOWN, reason=self._why(way))

    def _shrunk(self, way: Way, shift: Shift) -> Shift:
        """The witness without what it does not need to be rejected by the same keyword."""
        best = shift
        for _ in range(SHRINKS):
            for value in smaller_ones(best.witness):
                if self.pair.confirmed(value, way.accepting):
                    found = shown(self.pair.other(way.accepting), value)
                    if (found.schema, found.location) == (shift.schema, shift.location):
                        best = found
                        break
            else:
                break
        for number, value in way.found.items():
            if value is shift.witness:
                way.found[number] = best.witness
        return best

    def _why(self, way: Way) -> str:
        """Why a direction is neither shown nor proved, and what would decide it."""
        said = [*way.why, *(f"the validators disagree: {text}" for text in self.pair.disagreements[:1])]
        if self.cover.exhausted:
            said.append("there is too much to look at")
        accepting, rejecting = way.accepting.name, self.pair.other(way.accepting).name
        missing = f"an instance that {accepting} accepts and {rejecting} rejects would decide it"
        return "; ".join([*said[:2], missing])


def _inner(place: Open) -> tuple[Node, Node]:
    """The pair of nodes that an open place is about."""
    if place.kid is not None:
        return place.kid.left, place.kid.right
    return place.left, place.right


def _place(place: Open) -> tuple[object, ...]:
    need = place.need
    return (*map(id, _inner(place)), id(need.flat.sub), need.keyword, repr(need.subject))
