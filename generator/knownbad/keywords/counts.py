"""The length and count limits: `minLength`/`maxLength`, `minItems`/`maxItems`, `minProperties`/`maxProperties`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .mutation import DROP, At, Mutation
from .row import Keyword
from .shape import Alternative, Expansion, Ob


def counted(mask: int, method: str, low: int, high: int | None) -> Alternative:
    """Only the counted type, with a count between `low` and `high`."""

    def narrow(x: Expansion) -> None:
        x.shape.only(mask)
        getattr(x.shape, method)(low, high)

    return narrow


def count_rows(noun: str, mask: int, method: str, unit: str) -> tuple[Keyword, Keyword]:
    """The rows of `min<noun>` and `max<noun>`, which limit how many `unit` an instance has."""
    least, most = f"min{noun}", f"max{noun}"

    def exactly(count: int) -> Alternative:
        return counted(mask, method, count, count)

    def accept_min(x: Expansion, ob: Ob, value: Any) -> None:
        getattr(x.shape, method)(int(value), None)

    def accept_max(x: Expansion, ob: Ob, value: Any) -> None:
        getattr(x.shape, method)(0, int(value))

    def deny_min(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
        return [counted(mask, method, 0, int(value) - 1)] if value >= 1 else []

    def deny_max(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
        return [counted(mask, method, int(value) + 1, None)]

    def min_mutations(at: At) -> Iterator[Mutation]:
        value = int(at.value[least])
        if value >= 1:
            lowered = at.edited(**{least: value - 1 or DROP})
            yield at.weaker(f"{least}.lower", least, lowered, exactly(value - 1), slug="short")
        if value > 1:
            fewer, dropped = counted(mask, method, 0, value - 1), at.edited(**{least: DROP})
            yield at.weaker(f"{least}.drop", least, dropped, fewer, slug="much-shorter", minor=True)
        yield at.stronger(f"{least}.raise", least, at.edited(**{least: value + 1}), exactly(value), slug="shortest")

    def max_mutations(at: At) -> Iterator[Mutation]:
        value = int(at.value[most])
        more, dropped = counted(mask, method, value + 1, None), at.edited(**{most: DROP})
        yield at.weaker(f"{most}.raise", most, at.edited(**{most: value + 1}), exactly(value + 1), slug="long")
        yield at.weaker(f"{most}.drop", most, dropped, more, slug="much-longer", minor=True)
        if value >= 1:
            yield at.stronger(f"{most}.lower", most, at.edited(**{most: value - 1}), exactly(value), slug="longest")

    return Keyword(least, accept_min, deny_min, min_mutations), Keyword(most, accept_max, deny_max, max_mutations)
