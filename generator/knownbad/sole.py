"""Witnesses that are proved by the edited keywords alone, without the whole mutant.

Where a conjunction applies the edited schema, an instance whose only failing keyword is the edited one is accepted by
the mutant as soon as the edited keyword accepts the parts that failed: all the rest says what it said. And an accepted
instance is rejected by the mutant as soon as the edited keywords reject a part. That holds for each validator by
itself, and each is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .compiled import ValidatorFailed, compiled
from .conjunctive import Conjunctive
from .contract import Contract
from .evidence import Evidence, Given
from .keywords.aside import asides
from .keywords.mutation import Mutation
from .keywords.together import Change, change
from .oracle import Oracle, Rejection
from .pointers import get, join
from .reach import reach


class Sole:
    """Asks for the mutants of one contract."""

    def __init__(self, contract: Contract, oracle: Oracle) -> None:
        self.contract = contract
        self.oracle = oracle
        self.conjunctive = Conjunctive(contract)
        self._last: tuple[Change, Callable[[Any], bool]] | None = None
        self._asked: dict[int, tuple[Any, list[Rejection]]] = {}

    def witness(self, mutation: Mutation, value: Any) -> bool:
        """Whether both validators give `value` one verdict for the contract and the other for the mutant.

        A rejected one is rejected for the edited keyword alone. False: not so, or this way cannot tell.
        """
        try:
            found = self._alone(mutation)
            if found is None:
                return False
            return self._weaker(mutation, found, value) if mutation.weakens else self._stronger(mutation, found, value)
        except (ValidatorFailed, LookupError):
            return False

    def told(self, mutation: Mutation, values: Sequence[tuple[Any, bool]]) -> list[bool] | None:
        """Whether jsonschema-rs reverses each of these verdicts once a keyword is weakened; None: this cannot tell."""
        try:
            found = self._alone(mutation) if mutation.weakens else None
            if found is None:
                return None
            flips = [not accepted and self._accepted(mutation, found, value) for value, accepted in values]
        except (ValidatorFailed, LookupError):
            return None
        return None if None in flips else [bool(flip) for flip in flips]

    def _alone(self, mutation: Mutation) -> Change | None:
        """What a mutation changes, where that may be looked at alone: of one that weakens, a keyword that asserts."""
        site = mutation.site
        if mutation.either or not self.conjunctive.clean(site):
            return None
        found = change(site.value, mutation.value, site.dialect)
        if found is None or found.refers or reach(self.contract).shared(site, mutation.value):
            return None
        (keyword, *more) = found.names
        own = found.asserting and not more and mutation.location == join(site.pointer, keyword)
        return found if own or not mutation.weakens else None

    def _accepted(self, mutation: Mutation, found: Change, value: Any) -> bool | None:
        rejections = self._rejections(value)
        if not rejections:
            return None
        where = (mutation.site.document.uri, mutation.location)
        if any(rejection.location != where for rejection in rejections):
            return False
        check = self._check(mutation, found)
        return all(check(get(value, rejection.instance_location)) for rejection in rejections)

    def _check(self, mutation: Mutation, found: Change) -> Callable[[Any], bool]:
        if self._last is None or self._last[0] is not found:
            self._last = (found, compiled(self.contract, None, mutation.site.dialect, found.body).is_valid)
        return self._last[1]

    def _rejections(self, value: Any) -> list[Rejection]:
        known = self._asked.get(id(value))
        if known is None or known[0] is not value:
            known = self._asked[id(value)] = (value, self.oracle.rejections(value))
        return known[1]

    def _stronger(self, mutation: Mutation, found: Change, value: Any) -> bool:
        if not self.oracle.fast(value):
            return False
        parts = [part for part, _ in Evidence(self.oracle, [Given("", value, True)]).parts(0, mutation.site)]
        rejected = [part for part in parts if not self._check(mutation, found)(part)]
        slow = self.oracle.slow_keywords(mutation.site.dialect, found.body)
        return not all(map(slow, rejected)) and self.oracle.slow(value)

    def _weaker(self, mutation: Mutation, found: Change, value: Any) -> bool:
        if not self._lifted(mutation, found.names[0]) or not self._accepted(mutation, found, value):
            return False
        parts = self.oracle.rejected_by(value, mutation.site, found.names[0])
        if not parts:  # jsonschema does not reject it, or for another reason too
            return False
        return all(map(self.oracle.slow_keywords(mutation.site.dialect, found.body), parts))

    def _lifted(self, mutation: Mutation, keyword: str) -> bool:
        """Whether an instance that only `keyword` rejects and the mutant accepts is accepted with the keyword aside."""
        edits = dict(asides(self.contract, mutation.site.document.uri, mutation.location, mutation.member)[0])
        if edits == mutation.edits():
            return True
        left = edits.get((mutation.site.document.uri, mutation.site.pointer))
        return len(edits) == 1 and isinstance(left, dict) and keyword not in left
