"""Walks to the instances that show a finding, within a budget for the whole contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ..compiled import ValidatorFailed
from ..contract import Subschema
from ..errors import OutOfSteps
from ..keywords.shape import Ob
from ..witness.instance import Walk
from .look import Look

STEPS = 1_200
"""Budget of one walk."""
ALL = 150_000
"""Steps of all walks for one contract and rule."""


class Walks:
    """Builds instances, also of subschemas as they would be with another value."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._walk = Walk(look.contract, self)
        self._made: dict[int, tuple[Subschema, Any]] = {}
        self.left = ALL

    def instead(self, sub: Subschema, value: dict[str, Any]) -> Subschema:
        """`sub` as if its value were another one. Raises ValidatorFailed."""
        made = replace(sub, value=value)
        self._made[id(made)] = (made, self._look.oracle.alone(sub, value))
        return made

    def local(self, subschema: Subschema, instance: Any) -> bool:
        """Whether a subschema accepts an instance (jsonschema-rs alone). Raises ValidatorFailed."""
        known = self._made.get(id(subschema))
        return self._look.oracle.local(subschema, instance) if known is None else bool(known[1](instance))

    def to(self, obs: Sequence[Ob], most: int = 3) -> list[Any]:
        """A few instances that meet the obligations, as the walk has it."""
        if self.left <= 0:
            return []
        self._walk.renew(STEPS)
        found = []
        try:
            for built in islice(self._walk.candidates(obs), most):
                found.append(built.value)
        except (OutOfSteps, RecursionError, LookupError, ValidatorFailed):
            pass
        self.left -= STEPS - max(self._walk.budget.left, 0)
        return found
