"""The walk from obligations to an instance that meets them.

At each instance location the obligations are merged into shapes (`expand`), and a value is built for the first shape
that has one: members and items are solved by the same walk, one level down. A chooser decides wherever there is a
choice. What the merging cannot express (exactly one branch of `oneOf`) is checked on the finished value, by the
oracle's verdict on that one subschema, and denied in a second attempt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from ..contract import Contract, Subschema
from ..keywords.mutation import Mutation
from ..keywords.places import STAYING
from ..keywords.shape import (
    ARRAY,
    BOOLEAN,
    FRACTION,
    INTEGER,
    NULL,
    OBJECT,
    STRING,
    Key,
    Ob,
    Shape,
    mask_of,
)
from ..values import equal, key, keys
from .arrays import arrays
from .budget import Budget
from .chooser import MINIMAL, Chooser
from .expand import shapes
from .objects import objects
from .scalars import fits, numbers
from .texts import text_fits, texts

DEPTH = 48
"""How deep a walk goes down; recursion that has found no end by then has none worth a fixture."""
SHAPES = 48
"""How many shapes of one location are tried."""
VALUES = 24
"""How many values of one shape are tried."""

NO_HINT: Any = object()
"""Marks that there is no value to keep near to (`None` is a value: JSON null)."""


class Local(Protocol):
    """Verdicts on parts: whether one subschema of the contract accepts a value."""

    def local(self, subschema: Subschema, instance: Any) -> bool: ...


@dataclass(frozen=True, slots=True)
class Built:
    """A value, and the mutations that it was made to witness."""

    value: Any
    covered: tuple[Mutation, ...] = ()


_Key = frozenset[Key]


class Walk:
    """Builds instances for one contract. Not safe to share between threads."""

    def __init__(self, contract: Contract, oracle: Local, chooser: Chooser = MINIMAL, steps: int = 20_000) -> None:
        self.contract = contract
        self.oracle = oracle
        self.chooser = chooser
        self.budget = Budget(steps)
        self._known: dict[_Key, Built | None] = {}
        self._single: dict[Key, Built] = {}
        """Of what is known, what single obligations ask."""
        self._open: set[_Key] = set()
        self._cut = 0

    def renew(self, steps: int) -> None:
        """Start a new budget; what is known is kept."""
        self.budget = Budget(steps)
        self._open.clear()

    def solve(
        self, obs: Sequence[Ob], depth: int = 0, avoid: frozenset[Hashable] = frozenset(), hint: Any = NO_HINT
    ) -> Built | None:
        """The first value that meets the obligations and is none of `avoid` (value keys); None when none was found."""
        if hint is NO_HINT and not avoid and len(obs) == 1 and not obs[0].aims and self.chooser.minimal:
            known = self._single.get(obs[0].key)  # the most frequent question by far
            if known is not None:
                self.budget.spend()
                return known
        self.budget.spend()
        plain = self.chooser.minimal and hint is NO_HINT and not any(ob.aims for ob in obs)
        memo: _Key = frozenset([ob.key for ob in obs]) if plain else frozenset()
        if plain:
            if not avoid and memo in self._known:
                return self._known[memo]
            if memo in self._open and not avoid:  # the smallest instance never holds itself
                self._cut += 1
                return None
        if depth > DEPTH:
            self._cut += 1
            return None
        cut = self._cut
        opened = plain and memo not in self._open
        if opened:
            self._open.add(memo)
        try:
            found = next(self.candidates(obs, depth, avoid, hint), None)
        finally:
            if opened:
                self._open.discard(memo)
        if plain and not avoid and (found is not None or cut == self._cut):
            self._known[memo] = found
            if found is not None and len(obs) == 1:
                self._single[obs[0].key] = found
        return found

    def candidates(
        self, obs: Sequence[Ob], depth: int = 0, avoid: frozenset[Hashable] = frozenset(), hint: Any = NO_HINT
    ) -> Iterator[Built]:
        """Values that meet the obligations, the chooser's first choice first."""
        offenders: set[Key] = set()
        yield from self._candidates(obs, depth, avoid, hint, offenders)
        for _ in range(3):
            if not offenders:
                return
            before = len(offenders)
            yield from self._candidates(obs, depth, avoid, hint, offenders)
            if len(offenders) == before:
                return

    def _candidates(
        self,
        obs: Sequence[Ob],
        depth: int,
        avoid: frozenset[Hashable],
        hint: Any,
        offenders: set[Key],
    ) -> Iterator[Built]:
        for shape in islice(shapes(obs, self.contract, self.chooser, self.budget, frozenset(offenders)), SHAPES):
            for built in islice(self._values(shape, obs, depth, avoid, hint), VALUES):
                if avoid and key(built.value) in avoid:
                    continue
                wrong = [ob for ob in shape.rejecting if self.accepts(ob, built.value)]
                offenders.update(ob.key for ob in wrong)
                if not wrong:
                    yield Built(built.value, (*shape.covered, *built.covered))

    def accepts(self, ob: Ob, value: Any) -> bool:
        """The oracle's verdict on one obligation."""
        self.budget.spend(5)
        return self.oracle.local(ob.sub, value) is ob.accept

    def meets(self, obs: Sequence[Ob], value: Any) -> bool:
        """Whether all obligations without aims hold for a value that was not built for them."""
        return all(ob.aims or self.accepts(ob, value) for ob in obs)

    def _values(
        self, shape: Shape, obs: Sequence[Ob], depth: int, avoid: frozenset[Hashable], hint: Any
    ) -> Iterator[Built]:
        passing = any(aim.route for ob in obs for aim in ob.aims)
        further = passing and any(step[0] not in STAYING for ob in obs for aim in ob.aims for step in aim.route)
        if shape.values is not None:
            listed = keys(shape.values) if shape.wanted else frozenset()
            given = [v for v in shape.wanted if key(v) in listed]
            if hint is not NO_HINT and not shape.covered:
                given += [v for v in shape.values if equal(v, hint)]
            given += [shape.values[i] for i in self.chooser.order(len(shape.values))]
            yield from self._given(given, shape, obs)
            return
        if not further:
            yield from self._given(self._preferred(shape.wanted), shape, obs)
        if not passing:
            if hint is not NO_HINT and not shape.covered and fits(shape, hint) and self.meets(obs, hint):
                yield Built(hint)
            if self.chooser.minimal and not shape.forced and not shape.repeated:
                for value in shape.hints:
                    if self._fits(shape, value) and self.meets(obs, value):
                        yield Built(value)
            elif shape.hints and not shape.forced and not shape.repeated and not shape.covered:
                chosen = self.chooser.integer(0, 2 * len(shape.hints) - 1)  # as often as not one is invented
                yield from self._given(shape.hints[chosen : chosen + 1], shape, obs)
        bits = self._types(shape, hint)
        for index in self.chooser.order(len(bits)):
            yield from self._of_type(bits[index], shape, depth, avoid, hint)
        if not further and not self.chooser.minimal:
            yield from self._given(shape.wanted, shape, obs)

    def _preferred(self, wanted: Sequence[Any]) -> Sequence[Any]:
        """All telling values for the smallest instance; where choices vary, one of them as often as not."""
        if self.chooser.minimal or not wanted:
            return wanted
        at = self.chooser.integer(0, 2 * len(wanted) - 1)
        return wanted[at : at + 1]

    def _given(self, values: Sequence[Any], shape: Shape, obs: Sequence[Ob]) -> Iterator[Built]:
        """Those of some values that fit."""
        for value in values:
            if self._fits(shape, value) and (not isinstance(value, (dict, list)) or self.meets(obs, value)):
                yield Built(value)

    def _fits(self, shape: Shape, value: Any) -> bool:
        return fits(shape, value) and (not isinstance(value, str) or text_fits(shape, value, self.contract.dialect))

    def _types(self, shape: Shape, hint: Any) -> list[int]:
        """The type bits that are left, the likeliest first."""
        likely = 0
        if hint is not NO_HINT:
            likely = mask_of(hint)
        elif shape.properties or shape.required or shape.forced or shape.pattern_properties or shape.min_properties:
            likely = OBJECT
        elif shape.tuples or shape.contains or shape.min_items or shape.repeated:
            likely = ARRAY
        elif shape.lows or shape.highs or shape.multiples or shape.not_multiples:
            likely = INTEGER
        order = [STRING, INTEGER, BOOLEAN, OBJECT, ARRAY, NULL, FRACTION]
        order.sort(key=lambda bit: bit != likely)
        return [bit for bit in order if bit & shape.types]

    def _of_type(self, bit: int, shape: Shape, depth: int, avoid: frozenset[Hashable], hint: Any) -> Iterator[Built]:
        if bit == OBJECT:
            yield from (b for b in objects(self, shape, depth, avoid, hint) if fits(shape, b.value))
            return
        if bit == ARRAY:
            yield from (b for b in arrays(self, shape, depth, avoid, hint) if fits(shape, b.value))
            return
        dialect = self.contract.dialect
        simple: Iterator[Any]
        if bit in (INTEGER, FRACTION):
            narrowed = shape.copy()
            narrowed.types &= bit
            simple = numbers(narrowed, self.chooser)
        elif bit == STRING:
            self.budget.spend(20 if shape.patterns or shape.not_patterns or shape.not_formats else 1)
            simple = texts(shape, self.chooser, dialect, avoid)
        elif bit == BOOLEAN:
            simple = iter([(False, True)[i] for i in self.chooser.order(2)])
        else:
            simple = iter([None])
        yield from (Built(v) for v in simple if fits(shape, v))
