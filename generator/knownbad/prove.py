"""Proofs that a mutation changes nothing: by a rule with a name, or by the algebra behind its fence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from . import fence
from .algebra import Difference, Empty
from .contract import Contract, Document, Subschema
from .errors import OutOfSteps
from .keywords.general import type_mask
from .keywords.mutation import Mutation
from .keywords.shape import Ob, mask_of
from .oracle import Oracle, ValidatorFailed
from .pointers import pointer, steps
from .standalone import CannotStandAlone, standalone
from .values import compact
from .witness.instance import Walk
from .witness.strings import StringShape, unmatchable

STEPS = 6_000
"""Budget of the walk over what the algebra leaves."""
HOLDERS = 3
"""How many schemas around an edited one are asked about, from the inside out."""
LARGE = 10_000
"""Characters from which on a schema counts as large: the algebra may take a second on it."""
WHOLE = 24
"""How often the algebra is asked about large schemas of one contract; a count, so that no clock decides."""
_ANNOTATION_READERS = ("unevaluatedProperties", "unevaluatedItems")


class Prover:
    """Answers for one contract. `reason` tells why the last question to the algebra has no answer."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.reason = ""
        self._asked = 0
        self._local = not any(
            isinstance(sub.value, dict) and any(k in sub.value for k in _ANNOTATION_READERS)
            for sub in contract.subschemas()
        )

    def by_rule(self, mutation: Mutation) -> str:
        """The proof by a named rule; empty when no rule applies."""
        site = mutation.site.value
        if isinstance(site, dict) and mutation.keyword[:1] == ("type",) and mutation.weakens:
            values = site["enum"] if isinstance(site.get("enum"), list) else None
            values = [site["const"]] if values is None and "const" in site else values
            if values is not None and all(mask_of(v) & type_mask(site["type"]) for v in values):
                return f"`{'enum' if 'enum' in site else 'const'}` beside it lets no other type through"
        if mutation.name == "additionalProperties.close" and isinstance(site, dict):
            patterns = site.get("patternProperties")
            if isinstance(patterns, dict) and patterns:
                shape = StringShape(not_patterns=tuple(patterns), dialect=mutation.site.dialect)
                if unmatchable(shape):
                    return "`patternProperties` beside it matches every name"
        return ""

    def empty(self) -> str:
        """The proof that nothing satisfies the contract; empty when there is none."""
        try:
            schema = standalone(self.contract, self.contract.root)
        except CannotStandAlone:
            return ""
        answer = fence.call("unsatisfiable", schema, self.contract.dialect, self.contract.formats)
        return answer.proof if isinstance(answer, Empty) else ""

    def algebra(self, mutation: Mutation) -> tuple[str, Iterator[Any]]:
        """A proof of equivalence (or empty), and instances to try when there is none."""
        self.reason = ""
        nothing: Iterator[Any] = iter(())
        site = mutation.site
        for top in self._around(site) if self._local else ():
            answer = self._ask(top, mutation)
            if isinstance(answer, Empty):
                return f"at {top.pointer or 'the root'}: {answer.proof}", nothing
        answer = self._ask(self.contract.root, mutation)
        if isinstance(answer, Empty):
            return answer.proof, nothing
        if isinstance(answer, Difference):
            return "", self._instances(answer.schema)
        return "", nothing

    def _around(self, site: Subschema) -> Iterator[Subschema]:
        """The subschema itself and the nearest that hold it: what is equivalent there is equivalent everywhere."""
        path = steps(site.pointer)
        found = 0
        for length in range(len(path), 0, -1):
            holder = self.contract.known(site.document.uri, pointer(path[:length]))
            if holder is not None and holder is not self.contract.root:
                found += 1
                yield holder
                if found >= HOLDERS:
                    return

    def _ask(self, top: Subschema, mutation: Mutation) -> object:
        try:
            original = standalone(self.contract, top)
            mutant = standalone(self.contract, top, mutation.edits())
        except CannotStandAlone as cannot:
            self.reason = str(cannot)
            return None
        if len(compact(original)) > LARGE:
            self._asked += 1
            if self._asked > WHOLE:
                self.reason = f"the algebra was asked about large schemas {WHOLE} times already"
                return None
        accepting, rejecting = (mutant, original) if mutation.weakens else (original, mutant)
        answer = fence.call("difference", accepting, rejecting, self.contract.dialect, self.contract.formats)
        if not isinstance(answer, (Empty, Difference)):
            self.reason = f"the algebra: {answer.reason}"
        return answer

    def _instances(self, schema: Any) -> Iterator[Any]:
        """Instances of what the algebra left."""
        uri = "urn:knownbad:difference"
        document = Document(uri, "difference", schema, self.contract.dialect)
        try:
            left = Contract("difference", "difference", {uri: document}, formats=self.contract.formats)
            walk = Walk(left, Oracle(left), steps=STEPS)
            for built in islice(walk.candidates([Ob(left.root)]), 6):
                yield built.value
        except (OutOfSteps, RecursionError, LookupError, ValidatorFailed):
            return
