"""Why the validator rejects a twin, as rows of a `corpus.json` say it: one keyword, proved by putting it aside."""

from __future__ import annotations

from ..contract import Contract
from ..keywords.aside import asides
from ..oracle import Failure, Oracle, Verdicts
from ..violations import violations
from .judging import NO_REASON, Reason


class Reasons:
    """Finds the reasons for one contract; keywords are put aside once, however many twins fail by them."""

    def __init__(self, contract: Contract, oracle: Oracle) -> None:
        self.contract = contract
        self.oracle = oracle
        self._asides: dict[tuple[str, str, str | None], list[Verdicts]] = {}

    def of(self, body: object) -> Reason:
        """The one keyword that rejects a body, if it is accepted once that is put aside."""
        found = violations(self.oracle, body)
        if len(found) != 1:
            return NO_REASON
        failure = found[0]
        if not any(aside.accepts(body) for aside in self._aside(failure)):
            return NO_REASON
        own = failure.document == self.contract.document.uri
        schema = None if own else self.contract.documents[failure.document].name
        return Reason(failure.keyword_location, failure.member, failure.instance_location, schema)

    def _aside(self, failure: Failure) -> list[Verdicts]:
        key = (failure.document, failure.keyword_location, failure.member)
        if key not in self._asides:
            try:
                ways = asides(self.contract, *key)
            except LookupError:
                ways = []
            self._asides[key] = [self.oracle.mutant(edits) for edits in ways]
        return self._asides[key]
