"""Positive fixtures: few instances that together notice every strengthening of the schema.

One instance serves many classes: the walk is given all that are still open as aims and serves as many as go together.
What it claims counts only once the mutant has rejected the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from . import clock
from .compiled import ValidatorFailed
from .conjunctive import Conjunctive
from .distinguish import Engine, Equivalent, Undecided, Witness
from .evidence import Evidence, Given
from .keywords.mutation import Mutation
from .keywords.shape import Aim
from .kill import Killer
from .naming import tag
from .values import compact
from .witness.instance import NO_HINT, Built
from .witness.routes import Route

BATCH = 100
"""How many classes one walk is asked to serve; more make instances that nobody reads."""
LEAST, CUT = 30, 8
"""A part of a large schema has at least so many classes, and ends after one place in so many."""
ALIKE = 2
"""How many classes of one keyword at one place are asked for together; an instance mostly has room for one."""

BULK = 200
"""Counts from which on a boundary makes an instance that is hard to read."""
_COUNTED = ("Length", "Items", "Properties", "Contains")

Told = Callable[[int], None]


@dataclass(slots=True)
class Positive:
    """An accepted instance and the classes that it is a witness of; `route` led to the first of them."""

    instance: Any
    covers: list[Mutation] = field(default_factory=list)
    route: Route = ()


def bulky(mutation: Mutation) -> bool:
    """Whether the witness is so large that it should serve this one class alone."""
    keyword = str(mutation.keyword[0]) if mutation.keyword else ""
    value = mutation.site.value.get(keyword) if isinstance(mutation.site.value, dict) else None
    return keyword.startswith(("min", "max")) and keyword[3:] in _COUNTED and isinstance(value, int) and value > BULK


def parts(goals: Sequence[Mutation]) -> list[list[Mutation]]:
    """The classes in parts that are packed apart, cut between two places by what the place is called.

    Where a part ends does not depend on how much came before it, so that a new member of a large schema changes the
    instances of its own part alone.
    """
    found: list[list[Mutation]] = [[]]
    for before, goal in zip([None, *goals], goals, strict=False):
        if before is not None and before.site is not goal.site:
            count = len(found[-1])
            if count >= BATCH or count >= LEAST and int(tag(before.site.pointer), 16) % CUT == 0:
                found.append([])
        found[-1].append(goal)
    return found


class Packing:
    """Finds the positives of one contract."""

    def __init__(self, engine: Engine, goals: Sequence[Mutation], given: Sequence[Any], told: Told) -> None:
        self.engine = engine
        self.open: dict[int, Mutation] = {id(m): m for m in goals}
        self.found: list[Positive] = []
        self.given: list[Positive] = []
        self.failed: list[tuple[Mutation, Equivalent | Undecided]] = []
        self.turned: list[tuple[Witness, list[Mutation]]] = []
        """Rejected instances, with the classes that each is the witness of."""
        self._told = told
        self._texts: set[str] = set()
        self._groups: dict[int, tuple[Hashable, int]] = {}
        for instance in given:
            positive = Positive(instance)
            self._credit(positive, self.open.values())
            self.given.append(positive)

    def run(self, smallest: Any) -> None:
        """Find an instance for every class that has one, the smallest instance first."""
        if smallest is not NO_HINT and not self._known(smallest):
            first = Positive(smallest)
            self._credit(first, self._touched(smallest))
            self.found.append(first)
        for part in parts(list(self.open.values())):
            left = {id(m): m for m in part}
            while left := {ident: m for ident, m in left.items() if ident in self.open}:
                self._told(len(self.open))
                batch = list(self._batch(left.values()))
                if not self._pack(batch):
                    self._alone(next(iter(batch or left.values())))

    def _known(self, instance: Any) -> bool:
        text = compact(instance)
        if text in self._texts:
            return True
        self._texts.add(text)
        return False

    def _batch(self, goals: Iterable[Mutation]) -> Iterator[Mutation]:
        alike: dict[Hashable, int] = {}
        count = 0
        for mutation in goals:
            group, limit = self._group(mutation)
            if (taken := alike.get(group, 0)) >= limit:
                continue
            alike[group] = taken + 1
            yield mutation
            count += 1
            if count >= BATCH:
                return

    def _group(self, mutation: Mutation) -> tuple[Hashable, int]:
        """What a goal is alike with, and how many of those go into one batch; asked for again and again."""
        known = self._groups.get(id(mutation))
        if known is None:
            group = (id(mutation.site), mutation.name.partition("[")[0])
            limit = ALIKE if mutation.name.startswith(("enum.", "anyOf.", "oneOf.", "type.")) else BATCH
            known = self._groups[id(mutation)] = (group, 0) if bulky(mutation) else (group, limit)
        return known

    def _pack(self, batch: Sequence[Mutation]) -> bool:
        """One instance for as many of these as go together; False when that closes none of them."""
        while len(batch) > 1:
            aims = [Aim(routes[0], m) for m in batch if (routes := self.engine.routes.to(m.site))]
            for built in self._built(aims):
                claimed = list(dict.fromkeys(m for m in built.covered if id(m) in self.open))
                if not claimed or not self.engine.oracle.accepts(built.value):
                    continue
                positive = Positive(built.value)
                self._credit(positive, claimed)
                if positive.covers:
                    route = next(a.route for a in aims if a.mutation is positive.covers[0])
                    positive.route = route
                    self._credit(positive, self._touched(built.value))
                    self.found.append(positive)
                    return True
            batch = batch[: len(batch) // 2]
        return False

    def _built(self, aims: Sequence[Aim]) -> list[Built]:
        try:
            with clock.limit():
                return list(self.engine.aimed(aims, most=2))
        except clock.OutOfTime:
            return []

    def _alone(self, mutation: Mutation) -> None:
        answer = self.engine.distinguish(mutation)
        del self.open[id(mutation)]
        if isinstance(answer, Witness) and answer.turned:
            noticed = (m for w, m in self.turned if self.engine.differs(mutation, w.instance, accepted=False))
            covers = next(noticed, None)
            if covers is None:
                self.turned.append((answer, [mutation]))
            else:
                covers.append(mutation)
        elif isinstance(answer, Witness):
            positive = Positive(answer.instance, [mutation], answer.route)
            self._credit(positive, self._touched(answer.instance))
            self.found.append(positive)
        else:
            self.failed.append((mutation, answer))

    def _touched(self, instance: Any) -> list[Mutation]:
        """The open classes at places that the instance reaches."""
        try:
            places = self.engine.oracle.applied(instance)
        except ValidatorFailed:
            return []
        own = self.engine.contract.document
        return [
            m
            for m in self.open.values()
            if m.site.document is own and (own.uri, m.site.pointer) in places and not m.name.startswith("enum.")
        ]

    def _credit(self, positive: Positive, mutations: Iterator[Mutation] | Sequence[Mutation] | Any) -> None:
        given = Given("", positive.instance, True)
        killer = Killer(Evidence(self.engine.oracle, [given]), self._conjunctive)
        for mutation in list(mutations):
            if id(mutation) in self.open and killer.killed_by(mutation) is not None:
                positive.covers.append(mutation)
                del self.open[id(mutation)]

    @cached_property
    def _conjunctive(self) -> Conjunctive:
        return Conjunctive(self.engine.contract)


DEPTH = 2
"""How often a recursive fixture goes round; the smallest instance is depth 0, and one more member depth 1."""
CYCLES = 6
"""How many recursions of one contract get a fixture."""


def recursive(engine: Engine) -> Iterator[Positive]:
    """Accepted instances that go round each recursion of the schema twice."""
    for sub, route, around in engine.routes.cycles()[:CYCLES]:
        plan = Mutation(
            name=f"recursion[{DEPTH}]", site=sub, keyword=(), value=sub.value, weakens=False,
            plan=lambda: [lambda x: None], slug=f"recursion-depth-{DEPTH}",
        )  # fmt: skip
        full = (*route, *(around * DEPTH))
        try:
            with clock.limit():
                found = next((b for b in engine.aimed([Aim(full, plan)]) if engine.oracle.accepts(b.value)), None)
        except clock.OutOfTime:
            continue
        if found is not None:
            yield Positive(found.value, [plan], route)
