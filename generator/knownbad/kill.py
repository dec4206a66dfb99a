"""Which fixture kills a mutant: the cheapest way that answers for sure.

1. *What the evaluation of the schema already tells.* A fixture that nothing rejects but the edited keyword kills the
   mutant without that keyword. Nothing is compiled.
2. *The keywords that changed*, alone, held against the parts of the fixtures that get to the edited schema. A fixture
   that is accepted is accepted by all that did not change; one whose only failing keywords are the changed ones is
   accepted as soon as those accept it. Nothing is compiled but these few keywords.
3. *What the likeliest fixtures get to*: the nearest schemas around the edited one that a conjunction applies, cut down
   to the parts of a fixture that is said to be a witness.
4. *The edited schema alone*, or the nearest one around it that a conjunction applies.
5. *The whole mutant*, on the fixtures that get to the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace as with_
from functools import cached_property
from typing import Any

from .compiled import ValidatorFailed, compiled
from .conjunctive import Conjunctive
from .contract import Subschema
from .evidence import Evidence, Given, Part
from .keywords.mutation import Mutation
from .keywords.together import Change, change
from .pointers import get, join, replace, steps
from .reach import reach
from .specialised import Specialised, TooMuch

Check = Callable[[Any], bool]
Judge = Callable[[Subschema, list[Any]], bool]
"""Whether a schema accepts all of some parts of an instance."""
LIKELY = 3
"""How many fixtures that are said to be witnesses are looked at one by one."""


class Killer:
    """Finds the fixtures that kill the mutants of one contract."""

    def __init__(self, evidence: Evidence, conjunctive: Conjunctive | None = None) -> None:
        self.evidence = evidence
        self._given = conjunctive
        self.contract = evidence.contract
        self._cut = Specialised(evidence.contract)
        self.broken = ""
        """Why the mutant that was asked for last is no schema, where that is so."""

    @cached_property
    def _conjunctive(self) -> Conjunctive:
        return self._given or Conjunctive(self.contract)

    def killed_by(self, mutation: Mutation) -> Given | None:
        """A fixture that gets another verdict from the mutant; None: there is none (or `broken` says why)."""
        self.broken = ""
        likely = self.evidence.recorded(mutation.class_)[:LIKELY]
        mutation = self._on_object(mutation)
        number, sure = None, False
        if not reach(self.contract).shared(mutation.site, mutation.value):
            number, sure = self._nearby(mutation, likely)
        if number is None and not (sure and not self.evidence.opaque):
            number = self._whole(mutation)
        return None if number is None else self.evidence.fixtures[number]

    def _on_object(self, mutation: Mutation) -> Mutation:
        """An edit of a boolean schema as an edit of the object that holds it: `false` is applied to nothing."""
        site = mutation.site
        path = steps(site.pointer)
        if isinstance(site.value, dict) or not path:
            return mutation
        for length in (len(path) - 1, len(path) - 2):
            holder = self.contract.known(site.document.uri, site.pointer.rsplit("/", len(path) - length)[0])
            if holder is not None and isinstance(holder.value, dict):
                value = replace(holder.value, path[length:], mutation.value)
                return with_(mutation, site=holder, keyword=tuple(path[length:]), value=value)
        return mutation

    def _nearby(self, mutation: Mutation, likely: Sequence[int]) -> tuple[int | None, bool]:
        """The fixture by all ways but the last, and whether that answer is final."""
        conjunctive, site = self._conjunctive, mutation.site
        top = site if conjunctive.clean(site) else conjunctive.top(site)
        if top is site:
            found = change(site.value, mutation.value, site.dialect)
            number = None if found is None else next(self._by_keywords(mutation, found), None)
            if number is not None:
                return number, True
        if conjunctive.known:
            tops = conjunctive.tops(site)
            for number in likely:
                if self._flips_cut(number, tops, mutation):
                    return number, True
        if top is None:
            return None, False
        value = mutation.value
        if top is not site:
            value = replace(top.value, steps(site.pointer)[len(steps(top.pointer)) :], value)
        try:
            check = self.evidence.oracle.alone(top, value)
            for accepted in (not mutation.weakens, mutation.weakens):
                for number in self.evidence.touching(top, accepted):
                    if self._flips(number, [top], lambda top, parts: all(map(check, parts))):
                        return number, True
        except ValidatorFailed:
            return None, False
        return None, conjunctive.acyclic

    def _flips_cut(self, number: int, tops: Sequence[Subschema], mutation: Mutation) -> bool:
        def judge(top: Subschema, parts: list[Any]) -> bool:
            body = self._cut(top, parts, mutation.edits())
            return all(map(compiled(self.contract, None, top.dialect, body).is_valid, parts))

        try:
            return self._flips(number, tops, judge)
        except (TooMuch, ValidatorFailed, ValueError):
            return False

    def _by_keywords(self, mutation: Mutation, found: Change) -> Iterator[int]:
        site = mutation.site
        if mutation.weakens and found.asserting:
            for keyword in found.names:
                numbers = self.evidence.rejected_by((site.document.uri, join(site.pointer, keyword)))
                if numbers and found.dropped:
                    yield numbers[0]
                for number in numbers:
                    if all(map(self._check(mutation, found), self._rejected_parts(number))):
                        yield number
        ways = (self._rejected_by_keywords, self._accepted_by_keywords)
        for way in ways if mutation.weakens else reversed(ways):
            yield from way(mutation, found)

    def _accepted_by_keywords(self, mutation: Mutation, found: Change) -> Iterator[int]:
        site = mutation.site
        for number in self.evidence.touching(site, True):
            if not all(self._check(mutation, found)(part) for part, _ in self.evidence.parts(number, site)):
                yield number

    def _rejected_by_keywords(self, mutation: Mutation, found: Change) -> Iterator[int]:
        site = mutation.site
        if found.asserting and mutation.weakens:
            return
        for number in self.evidence.rejected_at(site, found.names, found.places):
            parts = self.evidence.parts(number, site)
            if self._only(number, parts, found) and all(map(self._check(mutation, found), (p for p, _ in parts))):
                yield number

    def _check(self, mutation: Mutation, found: Change) -> Check:
        if self._last is None or self._last[0] is not found:
            try:
                check: Check = compiled(self.contract, None, mutation.site.dialect, found.body).is_valid
            except ValidatorFailed:
                check = _no_answer
            self._last = (found, check)
        return self._last[1]

    _last: tuple[Change, Check] | None = None

    def _rejected_parts(self, number: int) -> Iterator[Any]:
        instance = self.evidence.fixtures[number].instance
        for rejection in self.evidence.rejections(number):
            yield get(instance, rejection.instance_location)

    def _only(self, number: int, parts: Iterable[Part], found: Change) -> bool:
        """Whether nothing rejects the fixture but what changes of the schema that was applied to `parts`."""
        own: set[str] = set()
        below: list[str] = []
        for _, path in parts:
            own.update(join(path, name) for name in found.names)
            below.extend(join(path, *place) for place in found.places)
        own.update(below)
        inside = tuple(path + "/" for path in below)
        rejections = self.evidence.rejections(number)
        return bool(rejections) and all(r.path in own or r.path.startswith(inside) for r in rejections)

    def _flips(self, number: int, tops: Sequence[Subschema], judge: Judge) -> bool:
        """Whether a fixture's verdict is another one when `judge` says what these schemas accept."""
        applied = [(top, parts) for top in tops if (parts := self.evidence.parts(number, top))]
        if not self.evidence.fixtures[number].accepted:
            paths = tuple(path + "/" for _, parts in applied for _, path in parts)
            rejections = self.evidence.rejections(number)
            if not rejections or not all(rejection.path.startswith(paths) for rejection in rejections):
                return False  # something else rejects it, too
            return all(judge(top, [part for part, _ in parts]) for top, parts in applied)
        return not all(judge(top, [part for part, _ in parts]) for top, parts in applied)

    def _whole(self, mutation: Mutation) -> int | None:
        mutant = self.evidence.oracle.mutant(mutation.edits())
        if mutant.broken:
            self.broken = mutant.broken
            return None
        numbers = list(self._candidates(mutation))
        fixtures = (self.evidence.fixtures[number] for number in numbers)
        found = mutant.first_other((fixture.instance, fixture.accepted) for fixture in fixtures)
        return None if found is None else numbers[found]

    def _candidates(self, mutation: Mutation) -> Iterable[int]:
        site = mutation.site
        if self._conjunctive.clean(site) and not reach(self.contract).shared(site, mutation.value):
            return [*self.evidence.touching(site, True), *self.evidence.touching(site, False)]
        likely = self.evidence.recorded(mutation.class_)
        return dict.fromkeys([*likely, *range(len(self.evidence.fixtures))])


def _no_answer(part: Any) -> bool:
    raise ValidatorFailed("the keywords are no schema without the rest")
