"""Hypothesis strategies: the instances that a schema accepts, and those that it rejects for one known reason.

Both are the walk that makes the fixtures, with Hypothesis as its chooser. The simplest option comes first at each
choice, so an instance shrinks towards the fixture of the same class.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from .contract import Contract
from .errors import BadInput, Problem
from .keywords.mutation import Mutation
from .varied import Varied, contract_of
from .witness.instance import NO_HINT

Schema = dict[str, Any] | bool | str | Path | Contract
"""A JSON Schema as Python values, the path of one (`tools.json#/tools/0/outputSchema`), or a loaded contract."""

DRAWS = 256
"""Choices of one instance: Hypothesis gives up on examples that take too many, so what is left is minimal."""

TRIED = 12
"""Faults that are tried for one instance; not every fault can be shown alone."""


class Drawing:
    """A chooser that lets Hypothesis choose, until an instance has had its share of choices; then it is minimal."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw
        self._left = DRAWS

    @property
    def minimal(self) -> bool:
        return self._left <= 0

    def order(self, count: int) -> Sequence[int]:
        # One number says which option comes first: a whole permutation costs more and shrinks badly.
        first = self.integer(0, count - 1) if count > 1 else 0
        return [first, *range(first), *range(first + 1, count)] if first else range(count)

    def integer(self, low: int, high: int) -> int:
        if self._left <= 0 or low >= high:
            return low
        self._left -= 1
        return self._draw(st.integers(low, high))


def accepted(schema: Schema) -> SearchStrategy[Any]:
    """Instances that `schema` accepts, by the verdict of both validators.

    `schema` is a JSON Schema (a dict or a bool; `$schema` names the dialect, 2020-12 when there is none), the path of
    one, or a contract. Raises BadInput when it is no good schema or nothing that satisfies it was found.
    """
    varied = Varied(contract_of(schema))
    if varied.smallest() is NO_HINT:
        proof = varied.engine.prover.empty()
        message = f"nothing satisfies the schema: {proof}" if proof else "no instance that satisfies it was found"
        raise BadInput(Problem(message, varied.contract.schema))

    @st.composite
    def instances(draw: DrawFn) -> Any:
        return varied.accepted(Drawing(draw))

    return instances()


def rejected(schema: Schema, fault: str | None = None) -> SearchStrategy[Any]:
    """Instances that `schema` rejects, each for one reason: put one keyword aside, and it is accepted.

    `fault` names what is wrong with them: a fault class as fixtures have it (`/properties/isError: type.add[string]`),
    a fault at any place (`type.add[null]`, `required.remove[code]`), or a keyword (`required`); None: any fault.
    Raises LookupError for a fault that the schema has not, or that no instance shows; BadInput as `accepted` does, and
    when the schema rejects nothing.
    """
    varied = Varied(contract_of(schema))
    faults = _shown(varied, varied.faults(fault), fault)

    @st.composite
    def instances(draw: DrawFn) -> Any:
        chooser = Drawing(draw)
        for at in list(chooser.order(len(faults)))[:TRIED]:
            found = varied.witness(faults[at], chooser)
            if found is not NO_HINT:
                return found
        return varied.minimal(faults[0])

    return instances()


def _shown(varied: Varied, faults: list[Mutation], fault: str | None) -> list[Mutation]:
    """The faults from the first on that has a witness."""
    reasons = []
    for number, mutation in enumerate(faults):
        reason = varied.proved(mutation)
        if not reason:
            return faults[number:]
        reasons.append(f"{mutation.class_}: {reason}")
    if fault is not None:
        raise LookupError(f"no instance fails for {fault!r} alone: {'; '.join(reasons[:3])}")
    raise BadInput(Problem("no instance that it rejects for one reason was found", varied.contract.schema))
