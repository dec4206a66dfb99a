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

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace as with_
from functools import cached_property

from .compiled import ValidatorFailed
from .conjunctive import Conjunctive
from .evidence import Evidence, Given
from .flips import ByKeywords, ByTops, flips
from .keywords.mutation import Mutation
from .keywords.together import change
from .mutants import identity
from .pointers import join, replace, steps
from .reach import changed, place, reach
from .specialised import Specialised, TooMuch

_REST = "additionalProperties"
LIKELY = 3
"""How many fixtures that are said to be witnesses of one thing or another are looked at one by one."""


class Killer:
    """Finds the fixtures that kill the mutants of one contract."""

    def __init__(
        self,
        evidence: Evidence,
        conjunctive: Conjunctive | None = None,
        spared: Callable[[Mutation], bool] = lambda mutation: False,
    ) -> None:
        self.evidence = evidence
        self._given = conjunctive
        self._spared = spared
        self.contract = evidence.contract
        self._cut = Specialised(evidence.contract)
        self.broken = ""
        """Why the mutant that was asked for last is no schema, where that is so."""

    @cached_property
    def _conjunctive(self) -> Conjunctive:
        return self._given or Conjunctive(self.contract)

    def killed_by(self, mutation: Mutation) -> Given | None:
        """A fixture that gets another verdict from the mutant; None: there is none (or `broken` says why).

        `spared` of the constructor tells soon of some mutants that no instance kills them.
        """
        self.broken = ""
        number = self._number(mutation)
        return None if number is None else self.evidence.fixtures[number]

    def _number(self, named: Mutation) -> int | None:
        mutation, evidence = self._on_object(named), self.evidence
        site, conjunctive = mutation.site, self._conjunctive
        recorded = evidence.recorded(named.class_)[:LIKELY]
        way: ByKeywords | ByTops | None = None
        if not reach(self.contract).shared(site, mutation.value):
            found = change(site.value, mutation.value, site.dialect) if conjunctive.clean(site) else None
            if found is not None:
                way = ByKeywords(evidence, self._cut, mutation, found)
            elif conjunctive.known:
                way = ByTops(evidence, self._cut, mutation, conjunctive.tops(site))
        number, sure = self._first(way, recorded)
        if number is not None:
            return number
        untold = evidence.opaque or evidence.lost
        if isinstance(way, ByKeywords):
            number, all_told = self._first(way, way.candidates())
            if number is not None or sure and all_told and conjunctive.acyclic and not untold:
                return number
        if self._spared(named):
            return None
        related = list(self._related(named, mutation))
        if isinstance(way, ByTops):
            number, _ = self._first(way, related)
            if number is not None:
                return number
        number, sure = self._alone(mutation) if way is not None else (None, False)
        if number is not None or sure and not untold:
            return number
        return self._whole(mutation, [*recorded, *related])

    def _first(self, way: ByKeywords | ByTops | None, numbers: Iterable[int]) -> tuple[int | None, bool]:
        """The first of these fixtures that kills in one way of looking at it; and whether all could be looked at."""
        sure = way is not None
        for number in numbers if way is not None else ():
            try:
                if way is not None and way.kills(number):
                    return number, True
            except (TooMuch, ValidatorFailed, ValueError):
                sure = False
        return None, sure

    def _alone(self, mutation: Mutation) -> tuple[int | None, bool]:
        """By the edited schema, or the nearest one that holds it, without the rest; and whether that is final."""
        conjunctive, site = self._conjunctive, mutation.site
        top = site if conjunctive.clean(site) else conjunctive.top(site)
        if top is None:
            return None, False
        value = mutation.value
        if top is not site:
            value = replace(top.value, steps(site.pointer)[len(steps(top.pointer)) :], value)
        where = place(top)
        numbers = (*self.evidence.accepted_at(where), *self.evidence.rejected_through([where]))
        if not numbers:
            return None, conjunctive.acyclic
        try:
            check = self.evidence.oracle.alone(top, value)
            for number in numbers:
                if flips(self.evidence, number, [top], lambda top, parts: all(map(check, parts))):
                    return number, True
        except ValidatorFailed:
            return None, False
        return None, conjunctive.acyclic

    def _related(self, mutation: Mutation, moved: Mutation) -> Iterator[int]:
        """Fixtures to try soon: some of those said to be witnesses of classes near to this one."""
        evidence, uri = self.evidence, moved.site.document.uri
        places = [join(moved.site.pointer, *path) for path in changed(moved.site.value, moved.value)]
        near = [identity(mutation.schema, place, "") for place in places]
        if mutation.keyword:
            near.insert(0, identity(mutation.schema, mutation.site.pointer, f"{mutation.keyword[0]}."))
        numbers = [n for location in (*places, moved.site.pointer) for n in evidence.accepted_at((uri, location))[:1]]
        numbers += [n for beginning in near for n in evidence.related(beginning, LIKELY)]
        # A name that is no longer known to a closed object is rejected.
        closed = moved.either and isinstance(moved.site.value, dict) and moved.site.value.get(_REST) is False
        wanted = not closed and mutation.weakens
        yield from sorted(dict.fromkeys(numbers), key=lambda n: evidence.fixtures[n].accepted is wanted)

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

    def _whole(self, mutation: Mutation, likely: Iterable[int]) -> int | None:
        mutant = self.evidence.oracle.mutant(mutation.edits())
        if mutant.broken:
            self.broken = mutant.broken
            return None
        numbers = list(dict.fromkeys((*likely, *self._candidates(mutation))))
        fixtures = (self.evidence.fixtures[number] for number in numbers)
        found = mutant.first_other((fixture.instance, fixture.accepted) for fixture in fixtures)
        return None if found is None else numbers[found]

    def _candidates(self, mutation: Mutation) -> Iterable[int]:
        """The fixtures that may kill: those that get to where the verdict is made."""
        evidence, site = self.evidence, mutation.site
        if not self._conjunctive.known or reach(self.contract).shared(site, mutation.value):
            return range(len(evidence.fixtures))
        tops = [place(top) for top in self._conjunctive.tops(site)]
        accepted = (number for top in tops for number in evidence.accepted_at(top))
        return *accepted, *evidence.rejected_through(tops), *evidence.opaque
