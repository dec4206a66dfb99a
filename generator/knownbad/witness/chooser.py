"""Choosers: who decides where the walk from a schema to an instance has a choice.

The minimal chooser makes the smallest instance, always the same; a Hypothesis chooser (in `strategies`) makes the very
same walk a strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol


class Chooser(Protocol):
    """Answers each choice of a walk."""

    @property
    def minimal(self) -> bool:
        """Whether this chooser always takes the simplest option (results may then be shared)."""
        ...

    def order(self, count: int) -> Sequence[int]:
        """The order in which `count` options (simplest first) are tried: a permutation of `range(count)`."""
        ...

    def integer(self, low: int, high: int) -> int:
        """An integer between `low` and `high`, both included; the simplest is `low`."""
        ...


class Minimal:
    """Takes the first, simplest option."""

    minimal = True

    def order(self, count: int) -> Sequence[int]:
        return range(count)

    def integer(self, low: int, high: int) -> int:
        return low


MINIMAL = Minimal()


class Seeded:
    """Varies every choice, the same way for the same seed."""

    minimal = False

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311  its draws shall be foreseeable

    def order(self, count: int) -> Sequence[int]:
        return self._random.sample(range(count), count)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, min(high, low + 8))
