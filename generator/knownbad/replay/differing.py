"""Where two JSON values differ, and a value without the parts that may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..pointers import join, steps
from ..values import equal


def differences(left: Any, right: Any, at: str = "") -> Iterator[str]:
    """The pointers to the smallest parts in which two values differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in [*left, *(name for name in right if name not in left)]:
            if name not in left or name not in right:
                yield join(at, name)
            else:
                yield from differences(left[name], right[name], join(at, name))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from differences(one, other, join(at, number))
    elif not equal(left, right):
        yield at


def without(value: Any, places: Sequence[str]) -> Any:
    """The value without the members at these pointers; `*` stands for any member or item."""
    for place in places:
        value = _dropped(value, steps(place))
    return value


def _dropped(value: Any, path: Sequence[str]) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        kept = {}
        for name, item in value.items():
            if first not in ("*", name):
                kept[name] = item
            elif rest:
                kept[name] = _dropped(item, rest)
        return kept
    if isinstance(value, list):
        return [
            _dropped(item, rest) if first in ("*", str(number)) else item
            for number, item in enumerate(value)
            if rest or first not in ("*", str(number))
        ]
    return value
