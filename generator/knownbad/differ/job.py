"""Head against base: what narrowed, what widened, where, and the instance that shows it; or a proof of neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import clock
from ..contract import Contract
from ..errors import NO_VALUE
from .colors import Colors
from .covers import Cover, Open
from .forms import Forms, Node
from .results import NO, UNKNOWN, YES, Comparison, Shift
from .sides import Joint, Pair, Side, smaller
from .witnesses import Search

SAME = "the two say the same at every place, annotations and names of definitions aside"
COVERED = "place by place, everything that {} accepts is accepted by {}"


def compare(base: Contract, head: Contract, *, candidates: Sequence[Any] = ()) -> Comparison:
    """Compare two contracts, of whatever dialects. `candidates`: instances to try before any is made.

    Every witness is confirmed by both validators on both sides. What is neither shown nor proved is undecided.
    """
    return _Job(base, head, candidates).run()


@dataclass(slots=True)
class _Way:
    """One direction while it is worked on."""

    accepting: Side
    left: Node
    right: Node
    proved: bool = False
    opens: list[Open] = field(default_factory=list)
    found: dict[int, Any] = field(default_factory=dict)
    """Witnesses by the number of their open place; -1: of none."""
    why: list[str] = field(default_factory=list)


class _Job:
    def __init__(self, base: Contract, head: Contract, candidates: Sequence[Any]) -> None:
        self.pair = Pair(base, head)
        self.candidates = candidates
        self.joint = Joint(self.pair, self.pair.base)
        self.forms = Forms(self.joint)
        one, other = self.forms.root(self.pair.base.root), self.forms.root(self.pair.head.root)
        self.colors = Colors(self.forms, [*one.parts, *other.parts])
        self.cover = Cover(self.forms, self.colors)
        self.narrowing = _Way(self.pair.base, one, other)
        self.widening = _Way(self.pair.head, other, one)

    def run(self) -> Comparison:
        ways = (self.narrowing, self.widening)
        if self.narrowing.left.parts == self.narrowing.right.parts or self._same():
            shift = Shift(NO, reason=SAME)
            return Comparison(self.pair.base.contract.name, self.pair.head.contract.name, shift, shift, proof=SAME)
        for way in ways:
            way.proved = self.cover.prove(way.left, way.right)
            if not way.proved:
                way.opens = self.cover.open(way.left, way.right)
                self._search(way)
        narrowing, widening = map(self._shift, ways)
        return Comparison(self.pair.base.contract.name, self.pair.head.contract.name, narrowing, widening)

    def _same(self) -> bool:
        one, other = self.narrowing.left, self.narrowing.right
        return {self.colors.of(p) for p in one.parts} == {self.colors.of(p) for p in other.parts}

    def _search(self, way: _Way) -> None:
        for value in self.candidates:
            self._try(way, -1, [value])
        search = Search(self.joint, way.accepting)
        for number, place in enumerate(way.opens):
            try:
                with clock.limit():
                    self._try(way, number, search.at(place))
            except clock.OutOfTime as late:
                way.why.append(str(late))

    def _try(self, way: _Way, number: int, values: Any) -> bool:
        for value in values:
            if self.pair.confirmed(value, way.accepting):
                if smaller(value, way.found.get(number, NO_VALUE)):
                    way.found[number] = value
                return True
        return False

    def _shift(self, way: _Way) -> Shift:
        if way.found:
            best: Any = NO_VALUE
            for value in way.found.values():
                if smaller(value, best):
                    best = value
            return Shift(YES, best)
        if way.proved:
            names = (way.accepting.name, self.pair.other(way.accepting).name)
            return Shift(NO, reason=COVERED.format(*names))
        return Shift(UNKNOWN, reason="; ".join(way.why))
