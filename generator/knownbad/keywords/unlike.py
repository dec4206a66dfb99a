"""Which edits of a schema object are the same mutant under two names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from ..values import key
from .mutation import Mutation

_GONE = ("gone",)


def difference(before: Any, after: Any) -> Hashable:
    """What an edit changes, so that two edits of one schema are equal exactly when these are; None for no change.

    Edits share with the schema whatever they leave as it is. What is shared is not looked into, so the cost follows
    the edit and not the size of the schema.
    """
    if before is after:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        parts: list[tuple[Hashable, Hashable]] = [(name, _GONE) for name in before if name not in after]
        for name, held in after.items():
            changed = difference(before[name], held) if name in before else ("new", key(held))
            if changed is not None:
                parts.append((name, changed))
        return frozenset(parts) or None
    if isinstance(before, list) and isinstance(after, list):
        if len(before) == len(after):
            items = enumerate(zip(before, after, strict=True))
            return frozenset((i, found) for i, pair in items if (found := difference(*pair)) is not None) or None
        first, last = _shared(before, after)
        middle = after[first : len(after) - last]
        held = any(isinstance(item, (dict, list)) for item in middle)
        places = {id(item): i for i, item in enumerate(before) if isinstance(item, (dict, list))} if held else {}
        return ("list", first, last, tuple(("at", places[id(v)]) if id(v) in places else key(v) for v in middle))
    value = key(after)
    return None if key(before) == value else ("value", value)


def _shared(before: list[Any], after: list[Any]) -> tuple[int, int]:
    """How many items two lists begin with alike, and how many of the rest they end with."""
    most = min(len(before), len(after))
    first = next((n for n in range(most) if before[n] is not after[n]), most)
    last = next((n for n in range(most - first) if before[-1 - n] is not after[-1 - n]), most - first)
    return first, last


def unlike(before: Any, found: Iterable[Mutation], names: set[str], results: set[Hashable]) -> Iterator[Mutation]:
    """Those whose name and whose result are new, where the result is another schema than `before`."""
    for mutation in found:
        result = difference(before, mutation.value)
        if result is not None and mutation.name not in names and result not in results:
            names.add(mutation.name)
            results.add(result)
            yield mutation
