"""Whether one fixture gets another verdict from a mutant, told from those of its parts that get to the edited place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .compiled import compiled
from .contract import Location, Subschema
from .evidence import Evidence, Part
from .keywords.mutation import Mutation
from .keywords.together import Change
from .pointers import get, join
from .reach import place
from .specialised import Specialised

Judge = Callable[[Subschema, list[Any]], bool]
"""Whether a schema accepts all of some parts of an instance."""
FEW = 2
"""How many fixtures of each kind are looked at before all others."""


class ByKeywords:
    """By the keywords that changed, alone. The edited schema must be one that a conjunction applies."""

    def __init__(self, evidence: Evidence, cut: Specialised, mutation: Mutation, found: Change) -> None:
        self._evidence, self._cut, self._mutation, self._found = evidence, cut, mutation, found
        self._site = mutation.site
        self._check: Callable[[Any], bool] | None = None
        self._monotone = found.asserting and mutation.weakens and not mutation.either
        """Whether all that is accepted stays so."""

    def kills(self, number: int) -> bool:
        """Raises TooMuch and ValidatorFailed where it cannot be told."""
        if self._evidence.fixtures[number].accepted:
            parts = self._evidence.parts(number, self._site)
            return bool(parts) and not self._accept([part for part, _ in parts])
        if self._monotone:
            rejected = self._rejected(number)
            return bool(rejected) and self._accept(rejected)
        parts = self._evidence.parts(number, self._site)
        return self._only(number, parts) and self._accept([part for part, _ in parts])

    def candidates(self) -> Iterator[int]:
        """All fixtures that may kill, some of each kind first."""
        evidence, site, uri = self._evidence, self._site, self._site.document.uri
        places = [(uri, join(site.pointer, *path)) for path in self._found.places if path != ("$ref",)] or [place(site)]
        rejected, accepted = evidence.rejected_through(places), evidence.accepted_at(place(site))
        there = [number for location in places for number in evidence.accepted_at(location)[:FEW]]
        first, then = (rejected, accepted) if self._mutation.weakens else (accepted, rejected)
        yield from dict.fromkeys((*first[:FEW], *there, *then[:FEW]))
        yield from (*first, *then)

    def _accept(self, parts: list[Any]) -> bool:
        """Whether the edited schema accepts all of these, as far as the changed keywords go."""
        found, dialect = self._found, self._site.dialect
        if not found.body:
            return True
        if found.refers:
            body = self._cut.body(self._site, found.body, parts, self._mutation.edits())
            return all(map(compiled(self._evidence.contract, None, dialect, body).is_valid, parts))
        if self._check is None:
            self._check = compiled(self._evidence.contract, None, dialect, found.body).is_valid
        return all(map(self._check, parts))

    def _rejected(self, number: int) -> list[Any]:
        """The parts that the changed keywords reject, where nothing else rejects anything."""
        rejections = self._evidence.rejections(number)
        uri, own = self._site.document.uri, [join(self._site.pointer, name) for name in self._found.names]
        for document, pointer in (rejection.location for rejection in rejections):
            if document != uri or pointer not in own and not pointer.startswith(tuple(f"{name}/" for name in own)):
                return []
        instance = self._evidence.fixtures[number].instance
        return [get(instance, rejection.instance_location) for rejection in rejections]

    def _only(self, number: int, parts: Iterable[Part]) -> bool:
        """Whether nothing rejects the fixture but what changes of the schema that was applied to `parts`."""
        own: set[str] = set()
        below: list[str] = []
        for _, path in parts:
            own.update(join(path, name) for name in self._found.names)
            below.extend(join(path, *steps) for steps in self._found.places)
        own.update(below)
        inside = tuple(f"{path}/" for path in below)
        rejections, uri = self._evidence.rejections(number), self._site.document.uri
        at = {(uri, join(self._site.pointer, name)) for name in self._found.names}  # where a path leaves out steps
        return bool(rejections) and all(
            r.path in own or r.path.startswith(inside) or r.location in at for r in rejections
        )


class ByTops:
    """By the nearest schemas around the edited one that a conjunction applies, cut down to what a fixture gets to."""

    def __init__(self, evidence: Evidence, cut: Specialised, mutation: Mutation, tops: Sequence[Subschema]) -> None:
        self._evidence, self._cut, self._mutation, self._tops = evidence, cut, mutation, tops
        self._places: set[Location] = set(map(place, tops))

    def kills(self, number: int) -> bool:
        """Raises TooMuch and ValidatorFailed where it cannot be told."""
        passed = self._evidence.passed(number)
        if passed is not None and self._places.isdisjoint(passed):
            return False
        return flips(self._evidence, number, self._tops, self._accept)

    def _accept(self, top: Subschema, parts: list[Any]) -> bool:
        body = self._cut(top, parts, self._mutation.edits())
        return all(map(compiled(self._evidence.contract, None, top.dialect, body).is_valid, parts))


def flips(evidence: Evidence, number: int, tops: Sequence[Subschema], judge: Judge) -> bool:
    """Whether a fixture's verdict is another one when `judge` says what these schemas accept."""
    applied = [(top, parts) for top in tops if (parts := evidence.parts(number, top))]
    if not evidence.fixtures[number].accepted:
        paths = tuple(f"{path}/" for _, parts in applied for _, path in parts)
        rejections = evidence.rejections(number)
        if not rejections or not all(rejection.path.startswith(paths) for rejection in rejections):
            return False  # something else rejects it, too
        return all(judge(top, [part for part, _ in parts]) for top, parts in applied)
    return not all(judge(top, [part for part, _ in parts]) for top, parts in applied)
