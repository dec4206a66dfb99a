"""What the validators say of each fixture of a corpus, asked once, and which fixtures get to a place of the schema."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .compiled import ValidatorFailed
from .contract import Contract, Location, Subschema
from .keywords.places import MOVING, REFERENCES
from .oracle import Oracle, Rejection
from .pointers import Step, get, join, steps
from .reach import place
from .values import compact


@dataclass(frozen=True, slots=True)
class Given:
    """A fixture that a mutation check uses: its file's name, its instance, and the verdict that it stands for.

    `classes`: what the corpus says that it is a witness of, which is where to look first.
    """

    file: str
    instance: Any
    accepted: bool
    classes: tuple[str, ...] = ()


ROOT_PATH = "/$ref"
"""The evaluation path to the root of a contract: a validator is compiled for a reference to it."""
Part = tuple[Any, str]
"""A part of an instance that a subschema was held against, and the evaluation path to it."""


class Evidence:
    """The fixtures of one contract, smallest first."""

    def __init__(self, oracle: Oracle, fixtures: Iterable[Given]) -> None:
        self.oracle = oracle
        self.contract: Contract = oracle.contract
        self.fixtures = sorted(fixtures, key=lambda f: (len(compact(f.instance)), f.file))
        self.doubtful: list[str] = []
        """The files that only jsonschema-rs has a verdict on, and why (after `wrong`)."""
        self._applied: dict[int, dict[Location, list[tuple[str, str]]]] = {}
        self._rejections: dict[int, list[Rejection]] = {}
        self._parts: dict[tuple[int, int], list[Part]] = {}
        self._paths: dict[int, list[str]] = {}
        self._lost: list[int] = []

    def wrong(self) -> list[str]:
        """The files whose verdict is not what they stand for, with what the validators say."""
        found = []
        for fixture in self.fixtures:
            verdict = self.oracle.accepts(fixture.instance)
            if verdict is None and self._one_says(fixture):
                self.doubtful.append(f"{fixture.file}: {self.oracle.disagreements[-1]}")
            elif verdict is None:
                found.append(f"{fixture.file}: {self.oracle.disagreements[-1]}")
            elif verdict is not fixture.accepted:
                found.append(f"{fixture.file}: the schema {'rejects' if fixture.accepted else 'accepts'} it")
        return found

    def _one_says(self, fixture: Given) -> bool:
        """Whether jsonschema-rs gives the verdict that a fixture stands for, and jsonschema none at all."""
        try:
            self.oracle.slow(fixture.instance)
        except ValidatorFailed:
            with suppress(ValidatorFailed):
                return self.oracle.fast(fixture.instance) is fixture.accepted
        return False

    def rejections(self, number: int) -> list[Rejection]:
        """What rejects a fixture; nothing when it is accepted, or when that cannot be told."""
        known = self._rejections.get(number)
        if known is None:
            fixture = self.fixtures[number]
            untold = fixture.accepted or _has_empty_name(fixture.instance)
            try:
                known = [] if untold else self.oracle.rejections(fixture.instance)
            except ValidatorFailed:
                known = []
            self._rejections[number] = known
        return known

    @cached_property
    def opaque(self) -> list[int]:
        """The rejected fixtures of which nothing tells what rejects them."""
        return [n for n, fixture in enumerate(self.fixtures) if not fixture.accepted and not self.rejections(n)]

    @cached_property
    def _sole(self) -> dict[Location, list[int]]:
        found: dict[Location, list[int]] = {}
        for number, fixture in enumerate(self.fixtures):
            if not fixture.accepted:
                locations = {rejection.location for rejection in self.rejections(number)}
                if len(locations) == 1:
                    found.setdefault(locations.pop(), []).append(number)
        return found

    def rejected_by(self, location: Location) -> list[int]:
        """The fixtures that nothing rejects but the keyword at one location."""
        return self._sole.get(location, [])

    @cached_property
    def _by_path(self) -> list[tuple[str, int]]:
        """The rejected fixtures by the evaluation path of what rejects them first."""
        return sorted((self.rejections(n)[0].path, n) for n in range(len(self.fixtures)) if self.rejections(n))

    def rejected_at(self, sub: Subschema, keywords: Iterable[str], below: Sequence[Sequence[Step]]) -> list[int]:
        """The rejected fixtures that one of these keywords of a subschema rejects first, or what is `below` it."""
        paths = self._paths.get(id(sub))
        if paths is None:
            passed = self._passed.get(place(sub), ())
            paths = self._paths[id(sub)] = list(dict.fromkeys(path for _, path in passed))
        found: set[int] = set()
        for path in paths:
            for exact in (*(join(path, keyword) for keyword in keywords), *(join(path, *at) for at in below)):
                found.update(self._between((exact, -1), (exact, len(self.fixtures))))
            for inside in (join(path, *at) for at in below):
                found.update(self._between((inside + "/", -1), (inside + "0", -1)))  # 0 comes after the slash
        return sorted(found)

    def _between(self, first: tuple[str, int], last: tuple[str, int]) -> Iterator[int]:
        rows = self._by_path
        yield from (number for _, number in rows[bisect_left(rows, first) : bisect_left(rows, last)])

    @cached_property
    def _recorded(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, fixture in enumerate(self.fixtures):
            for class_ in fixture.classes:
                found.setdefault(class_, []).append(number)
        return found

    def recorded(self, class_: str) -> list[int]:
        """The fixtures that are said to be witnesses of a class."""
        return self._recorded.get(class_, [])

    def _applied_in(self, number: int) -> dict[Location, list[tuple[str, str]]]:
        known = self._applied.get(number)
        if known is None:
            try:
                known = self.oracle.applied(self.fixtures[number].instance)
            except ValidatorFailed:
                known = {}
            self._applied[number] = known
        return known

    def parts(self, number: int, sub: Subschema) -> list[Part]:
        """What of a fixture a subschema (that `Conjunctive.clean` holds for) was held against."""
        known = self._parts.get((number, id(sub)))
        if known is None:
            known = self._parts[number, id(sub)] = self._found_parts(number, sub)
        return known

    def _found_parts(self, number: int, sub: Subschema) -> list[Part]:
        if sub is self.contract.root:  # where it is applied again, that is a part of this
            return [(self.fixtures[number].instance, ROOT_PATH)]
        applied = self._applied_in(number)
        parts = list(dict.fromkeys(applied.get(place(sub), ())))
        holder, _, keyword = sub.pointer.rpartition("/")
        if keyword in MOVING:  # where such a keyword is applied, it and its subschema have one location
            at = set(applied.get((sub.document.uri, holder), ()))
            parts = [(where, path) for where, path in parts if (where, path.rpartition("/")[0]) not in at]
        instance = self.fixtures[number].instance
        return [(get(instance, where), path) for where, path in parts]

    @cached_property
    def _accepted_at(self) -> dict[Location, list[int]]:
        found: dict[Location, list[int]] = {}
        for number, fixture in enumerate(self.fixtures):
            if fixture.accepted:
                for location in self._applied_in(number):
                    found.setdefault(location, []).append(number)
        return found

    @cached_property
    def _passed(self) -> dict[Location, list[tuple[int, str]]]:
        """The rejected fixtures whose first rejection is below a schema, and the evaluation path to that schema."""
        found: dict[Location, list[tuple[int, str]]] = {}
        for number, fixture in enumerate(self.fixtures):
            rejections = [] if fixture.accepted else self.rejections(number)
            way = self._way(rejections[0]) if rejections else ()
            if way is None:
                self._lost.append(number)
            for where, path in way or ():
                found.setdefault(where, []).append((number, path))
        return found

    def _way(self, rejection: Rejection) -> list[tuple[Location, str]] | None:
        """The schemas that an evaluation goes through to what rejects, with their paths; None where it gets lost."""
        sub, found = self.contract.root, [(place(self.contract.root), ROOT_PATH)]
        at = sub.pointer
        path = steps(rejection.path)
        for number, step in enumerate(path[1:], 2):  # it begins with the reference to the root
            if step in REFERENCES and at == sub.pointer and isinstance(sub.value, dict):
                there = self._referred(sub, step)
                if there is None:
                    return None
            else:
                at = join(at, step)
                there = self.contract.known(sub.document.uri, at)
            if there is not None:
                sub, at = there, there.pointer
                found.append((place(sub), join("", *path[:number])))
        return found if rejection.location == (sub.document.uri, at) else None

    def _referred(self, sub: Subschema, keyword: str) -> Subschema | None:
        if keyword == "$ref":
            return self.contract.target(sub, sub.value[keyword])
        return self.contract.dynamic(sub, keyword)[0]

    def touching(self, sub: Subschema, accepted: bool) -> Sequence[int]:
        """The fixtures whose verdict an edit of `sub` may change (that `Conjunctive.clean` holds for), smallest first.

        The accepted ones with a part that `sub` was held against, or the rejected ones that something in it rejects.
        """
        if accepted:
            return self._accepted_at.get(place(sub), [])
        passed = [number for number, _ in self._passed.get(place(sub), ())]
        untold = [*self.opaque, *self._lost]
        return sorted({*passed, *untold}) if untold else passed


def _has_empty_name(value: Any) -> bool:
    """Whether a member's name is empty: jsonschema-rs leaves such names out of the paths of its errors."""
    if isinstance(value, dict):
        return "" in value or any(map(_has_empty_name, value.values()))
    return isinstance(value, list) and any(map(_has_empty_name, value))
