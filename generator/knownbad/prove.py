"""Proofs that a mutation changes nothing: by a rule with a name, or by the algebra behind its fence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .contract import Contract
from .keywords.general import type_mask
from .keywords.mutation import Mutation
from .keywords.shape import mask_of


class Prover:
    """Answers for one contract. `reason` tells why the last question to the algebra has no answer."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.reason = ""

    def by_rule(self, mutation: Mutation) -> str:
        """The proof by a named rule; empty when no rule applies."""
        site = mutation.site.value
        if isinstance(site, dict) and mutation.keyword[:1] == ("type",) and mutation.weakens:
            values = site["enum"] if isinstance(site.get("enum"), list) else None
            values = [site["const"]] if values is None and "const" in site else values
            if values is not None and all(mask_of(v) & type_mask(site["type"]) for v in values):
                return f"`{'enum' if 'enum' in site else 'const'}` beside it lets no other type through"
        return ""

    def empty(self) -> str:
        """The proof that nothing satisfies the contract; empty when there is none."""
        return ""

    def algebra(self, mutation: Mutation) -> tuple[str, Sequence[Any]]:
        """A proof of equivalence (or empty), and instances to try when there is none."""
        return "", ()
