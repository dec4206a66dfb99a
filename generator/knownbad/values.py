"""JSON values: equality, types, size and text as JSON Schema sees them.

JSON Schema compares numbers by value (`1` equals `1.0`) and never a boolean with a number; Python does the
reverse of the latter, so equality goes through `key`.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
"""The names that `type` may hold, simplest first."""


def key(value: Any) -> Hashable:
    """A hashable stand-in: two JSON values are equal in JSON Schema exactly when their keys are."""
    if isinstance(value, str):  # the most frequent by far
        return value
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, dict):
        return ("object", frozenset((name, key(member)) for name, member in value.items()))
    if isinstance(value, list):
        return ("array", tuple(map(key, value)))
    scalar: int | float | None = value
    return scalar


def keys(values: Iterable[Any]) -> frozenset[Hashable]:
    """The keys of some values."""
    return frozenset(map(key, values))


def equal(left: Any, right: Any) -> bool:
    """JSON Schema's equality of two instances."""
    return key(left) == key(right)


def type_of(value: Any) -> str:
    """The most specific type name: `1.0` is an `integer` (from draft-06 on), `1.5` a `number`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or isinstance(value, float) and value.is_integer():
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def dump(value: Any) -> str:
    """The text of a fixture file: indented, keys in their order, a newline at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def compact(value: Any) -> str:
    """One line with sorted keys: for digests and for deterministic order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def size(value: Any, limit: int) -> int:
    """The bytes of a fixture's file; a lesser number where they are surely no more than `limit`: indenting is slow."""
    flat = json.dumps(value)
    depth = min(flat.count("{") + flat.count("["), len(flat))
    most = len(flat) * (2 * depth + 3)  # each character on a line of its own
    return len(flat) if most <= limit else len(dump(value).encode())
