"""Witnesses that nothing rejects but the edited keyword: proved by that keyword alone, without the whole mutant.

Where a conjunction applies the edited schema, an instance whose only failing keyword is the edited one is accepted by
the mutant as soon as the edited keyword accepts the parts that failed: all the rest says what it said. That holds for
each validator by itself, and each is asked.
"""

from __future__ import annotations

from typing import Any

from .compiled import ValidatorFailed, compiled
from .conjunctive import Conjunctive
from .contract import Contract
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
        self._asked: dict[int, tuple[Any, list[Rejection]]] = {}

    def witness(self, mutation: Mutation, value: Any) -> bool:
        """Whether both validators reject `value` for the edited keyword alone, and accept it once that is edited.

        False: not so, or this way cannot tell.
        """
        try:
            return self._told(mutation, value)
        except (ValidatorFailed, LookupError):
            return False

    def flips(self, mutation: Mutation, value: Any) -> bool | None:
        """Whether jsonschema-rs accepts the rejected `value` once a keyword is weakened; None: this cannot tell."""
        try:
            found = self._alone(mutation)
            return None if found is None else self._accepted(mutation, found, value)
        except (ValidatorFailed, LookupError):
            return None

    def _alone(self, mutation: Mutation) -> Change | None:
        """The change of a mutation that weakens one keyword, which may be looked at alone."""
        site = mutation.site
        if not mutation.weakens or not self.conjunctive.clean(site):
            return None
        found = change(site.value, mutation.value, site.dialect)
        if found is None or not found.asserting or reach(self.contract).shared(site, mutation.value):
            return None
        (keyword, *more) = found.names
        return None if more or mutation.location != join(site.pointer, keyword) else found

    def _accepted(self, mutation: Mutation, found: Change, value: Any) -> bool | None:
        rejections = self._rejections(value)
        if not rejections:
            return None
        where = (mutation.site.document.uri, mutation.location)
        if any(rejection.location != where for rejection in rejections):
            return False
        check = compiled(self.contract, None, mutation.site.dialect, found.body).is_valid
        return all(check(get(value, rejection.instance_location)) for rejection in rejections)

    def _rejections(self, value: Any) -> list[Rejection]:
        known = self._asked.get(id(value))
        if known is None or known[0] is not value:
            known = self._asked[id(value)] = (value, self.oracle.rejections(value))
        return known[1]

    def _told(self, mutation: Mutation, value: Any) -> bool:
        found = self._alone(mutation)
        if found is None or not self._lifted(mutation, found.names[0]) or not self._accepted(mutation, found, value):
            return False
        parts = self.oracle.rejected_by(value, mutation.site, found.names[0])
        return parts is not None and all(map(self.oracle.slow_keywords(mutation.site.dialect, found.body), parts))

    def _lifted(self, mutation: Mutation, keyword: str) -> bool:
        """Whether an instance that only `keyword` rejects and the mutant accepts is accepted with the keyword aside."""
        edits = dict(asides(self.contract, mutation.site.document.uri, mutation.location, mutation.member)[0])
        if edits == mutation.edits():
            return True
        left = edits.get((mutation.site.document.uri, mutation.site.pointer))
        return len(edits) == 1 and isinstance(left, dict) and keyword not in left
