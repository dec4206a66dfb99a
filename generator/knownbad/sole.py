"""Witnesses that nothing rejects but the edited keyword: proved by that keyword alone, without the whole mutant.

Where a conjunction applies the edited schema, an instance whose only failing keyword is the edited one is accepted by
the mutant as soon as the edited keyword accepts the parts that failed: all the rest says what it said. That holds for
each validator by itself, and each is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .compiled import ValidatorFailed, compiled
from .conjunctive import Conjunctive
from .contract import Contract
from .keywords.aside import asides
from .keywords.mutation import Mutation
from .keywords.together import change
from .oracle import Oracle
from .pointers import get, join
from .reach import reach

Check = Callable[[Any], bool]


class Sole:
    """Asks for the mutants of one contract."""

    def __init__(self, contract: Contract, oracle: Oracle) -> None:
        self.contract = contract
        self.oracle = oracle
        self.conjunctive = Conjunctive(contract)

    def witness(self, mutation: Mutation, value: Any) -> bool:
        """Whether both validators reject `value` for the edited keyword alone, and accept it once that is edited.

        False: not so, or this way cannot tell.
        """
        try:
            return self._told(mutation, value)
        except (ValidatorFailed, LookupError):
            return False

    def _told(self, mutation: Mutation, value: Any) -> bool:
        site = mutation.site
        if not mutation.weakens or not self.conjunctive.clean(site):
            return False
        found = change(site.value, mutation.value, site.dialect)
        if found is None or not found.asserting or reach(self.contract).shared(site, mutation.value):
            return False
        keyword = found.names[0]
        if found.names != (keyword,) or mutation.location != join(site.pointer, keyword):
            return False
        if not self._lifted(mutation, keyword):
            return False
        rejections = self.oracle.rejections(value)
        where = (site.document.uri, mutation.location)
        if not rejections or any(rejection.location != where for rejection in rejections):
            return False
        fast = compiled(self.contract, None, site.dialect, found.body).is_valid
        if not all(fast(get(value, rejection.instance_location)) for rejection in rejections):
            return False
        parts = self.oracle.rejected_by(value, site, keyword)
        return parts is not None and all(map(self.oracle.slow_keywords(site.dialect, found.body), parts))

    def _lifted(self, mutation: Mutation, keyword: str) -> bool:
        """Whether an instance that only `keyword` rejects and the mutant accepts is accepted with the keyword aside."""
        edits = dict(asides(self.contract, mutation.site.document.uri, mutation.location, mutation.member)[0])
        if edits == mutation.edits():
            return True
        left = edits.get((mutation.site.document.uri, mutation.site.pointer))
        return len(edits) == 1 and isinstance(left, dict) and keyword not in left
