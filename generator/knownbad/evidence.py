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
from .pointers import get
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


_EMPTY_NAME = '"":'
"""A member whose name is empty, in compact text: jsonschema-rs leaves such names out of the paths of errors."""
ROOT_PATH = "/$ref"
"""The evaluation path to the root of a contract: a validator is compiled for a reference to it."""
Part = tuple[Any, str]
"""A part of an instance that a subschema was held against, and the evaluation path to it."""


class Evidence:
    """The fixtures of one contract, smallest first."""

    def __init__(self, oracle: Oracle, fixtures: Iterable[Given]) -> None:
        self.oracle = oracle
        self.contract: Contract = oracle.contract
        texts = [(compact(fixture.instance), fixture) for fixture in fixtures]
        texts.sort(key=lambda pair: (len(pair[0]), pair[1].file))
        self.fixtures = [fixture for _, fixture in texts]
        self._untold = {number for number, (text, _) in enumerate(texts) if _EMPTY_NAME in text}
        self.doubtful: list[str] = []
        """The files that only jsonschema-rs has a verdict on, and why (after `wrong`)."""
        self._applied: dict[int, dict[Location, list[tuple[str, str]]]] = {}
        self._rejections: dict[int, list[Rejection]] = {}
        self._parts: dict[tuple[int, int], list[Part]] = {}
        self._ways: dict[str, list[Location]] = {}
        self._places: dict[str, Location | None] = {ROOT_PATH: place(self.contract.root)}

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
            untold = fixture.accepted or number in self._untold
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
    def _through(self) -> tuple[dict[Location, list[int]], list[int]]:
        """The rejected fixtures by each place on the way to what rejects them first; and those of no known way."""
        found: dict[Location, list[int]] = {}
        lost = []
        for number in range(len(self.fixtures)):
            if not self.rejections(number):
                continue
            way = self.passed(number)
            if way is None:
                lost.append(number)
            for location in way or ():
                found.setdefault(location, []).append(number)
        return found, lost

    @property
    def lost(self) -> list[int]:
        """The rejected fixtures of which it is not known how the evaluation gets to what rejects them."""
        return self._through[1]

    def passed(self, number: int) -> list[Location] | None:
        """The places on the way to what rejects a fixture first; None where that is not known."""
        rejections = self.rejections(number)
        if not rejections:
            return None
        path = rejections[0].path
        way = self._ways.get(path)
        if way is None:
            way = self._ways[path] = list(dict.fromkeys(self._way(path)))
        return way if way and way[0] == rejections[0].location else None

    def _way(self, path: str) -> Iterator[Location]:
        """The places that an evaluation path passes, the last one first; none when that is not known."""
        places, new, at = self._places, [], path
        while at and at not in places:
            new.append(at)
            at = at.rpartition("/")[0]
        for longer in reversed(new):
            above, _, token = longer.rpartition("/")
            here = places.get(above)
            places[longer] = None if here is None else self._next(here, token)
        while (known := places.get(path)) is not None:
            yield known
            path = path.rpartition("/")[0]

    def _next(self, here: Location, token: str) -> Location | None:
        """Where one step of an evaluation path leads."""
        holder = self.contract.known(*here) if token in REFERENCES else None
        if holder is None or not isinstance(holder.value, dict) or token not in holder.value:
            return here[0], f"{here[1]}/{token}"
        with suppress(LookupError):
            if token != REFERENCES[0]:
                return place(self.contract.dynamic(holder, token)[0])
            target = self.contract.target(holder, holder.value[token])
            return None if target is None else place(target)
        return None

    def rejected_through(self, locations: Iterable[Location]) -> list[int]:
        """The rejected fixtures of which what rejects them first is at or below one of these places, smallest first."""
        through, lost = self._through
        lists = [through[location] for location in locations if location in through]
        if len(lists) == 1 and not lost:
            return lists[0]
        return sorted({*lost, *(number for numbers in lists for number in numbers)})

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

    def related(self, beginning: str, most: int) -> Iterator[int]:
        """Some fixtures that are said to be witnesses of a class whose name begins so."""
        names = self._names
        for at in range(bisect_left(names, beginning), len(names)):
            if not names[at].startswith(beginning):
                return
            yield self._recorded[names[at]][0]
            most -= 1
            if not most:
                return

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self._recorded)

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

    def accepted_at(self, location: Location) -> Sequence[int]:
        """The accepted fixtures with a part that the subschema there was held against, smallest first."""
        return self._accepted_at.get(location, ())
