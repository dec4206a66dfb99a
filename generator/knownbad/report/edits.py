"""The edit that makes a mutant, as a small diff: unchanged parts are folded, so its size follows the edit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

_NONE: Any = object()
_text = json.JSONEncoder(ensure_ascii=False).encode
_INLINE = 60
"""Characters that a list of plain values may take to stand on one line."""


def diff(before: Any, after: Any, most: int = 14) -> list[str]:
    """The lines that an edit changes with one line of context, at most `most` of them.

    Each begins with ` `, `-` or `+` as in a unified diff, or with `@@` and the line that what follows is inside of.
    """
    old = list(_written(before, after, 0, "", ""))
    new = list(_written(after, before, 0, "", ""))
    # A comma that comes or goes with the line below is no change.
    matcher = SequenceMatcher(None, [x.rstrip(",") for x in old], [x.rstrip(",") for x in new], False)
    found: list[str] = []
    for group in matcher.get_grouped_opcodes(1):
        found += _opener(old, group[0][1], found)
        for tag, i, j, k, m in group:
            if tag == "equal":
                found += [f" {line}" for line in old[i:j]]
            else:
                found += [f"-{line}" for line in old[i:j]]
                found += [f"+{line}" for line in new[k:m]]
    if len(found) > most:
        found[most - 1 :] = [f"@@ {len(found) - most + 1} more lines"]
    return found


def _opener(old: list[str], at: int, before: list[str]) -> list[str]:
    """The line that opens what line `at` is inside of, where that is more than the schema object itself."""
    depth = _depth(old[at]) if at < len(old) else 0
    for line in reversed(old[:at]):
        if _depth(line) < depth:
            return [f"@@ {line.strip()}"] if line.strip() not in "[{" else ["@@"] if before else []
    return ["@@"] if before else []


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _written(value: Any, other: Any, depth: int, lead: str, comma: str) -> Iterator[str]:
    """The lines of `value`. What `other` has alike is folded to `{…}`, or left out where nothing near it differs."""
    pad = "  " * depth
    if not isinstance(value, (dict, list)) or not value:
        yield f"{pad}{lead}{_text(value)}{comma}"
        return
    brackets = "{}" if isinstance(value, dict) else "[]"
    if same(value, other):
        yield f"{pad}{lead}{brackets[0]}…{brackets[1]}{comma}"
        return
    if isinstance(value, list) and _is_short(value):
        line = _text(value)
        if len(line) <= _INLINE:
            yield f"{pad}{lead}{line}{comma}"
            return
    yield f"{pad}{lead}{brackets[0]}"
    parts = _members(value, other) if isinstance(value, dict) else _items(value, other)
    for part in parts:
        if part is None:
            yield f"{pad}  …"
        else:
            yield from _written(part.value, part.other, depth + 1, part.lead, "," if part.more else "")
    yield f"{pad}{brackets[1]}{comma}"


class _Part(NamedTuple):
    """A member or item, what stands in its place in the other collection, and whether more follows it."""

    lead: str
    value: Any
    other: Any
    more: bool


def _members(value: dict[str, Any], other: Any) -> Iterator[_Part | None]:
    """The members that differ and their neighbours in either object; None for a run of others."""
    others = other if isinstance(other, dict) else {}
    names = list(value)
    changed = {name for name in (*names, *others) if not same(value.get(name, _NONE), others.get(name, _NONE))}
    kept = set(changed)
    for order in (names, list(others)):
        for left, right in pairwise(order):
            if left in changed or right in changed:
                kept.update((left, right))
    left_out = False
    for name in names:
        if name in kept:
            yield _Part(f"{_text(name)}: ", value[name], others.get(name, _NONE), name != names[-1])
        elif not left_out:
            yield None
        left_out = name not in kept


def _items(value: list[Any], other: Any) -> Iterator[_Part | None]:
    """The items between those that both arrays begin and end with, and a neighbour at each end."""
    others = other if isinstance(other, list) else []
    head, tail = ends(value, others)
    if head > 1:
        yield None
    for index in range(max(0, head - 1), min(len(value), len(value) - tail + 1)):
        if index < head:
            at = index
        elif index >= len(value) - tail:
            at = index + len(others) - len(value)
        else:
            at = index if len(value) == len(others) else len(others)
        yield _Part("", value[index], others[at] if at < len(others) else _NONE, index < len(value) - 1)
    if tail > 1:
        yield None


def ends(left: list[Any], right: list[Any]) -> tuple[int, int]:
    """How many items two arrays have in common at the beginning, and at the end of what is left."""
    most = min(len(left), len(right))
    head = 0
    while head < most and same(left[head], right[head]):
        head += 1
    tail = 0
    while tail < most - head and same(left[-1 - tail], right[-1 - tail]):
        tail += 1
    return head, tail


def _is_short(value: list[Any]) -> bool:
    return len(value) < _INLINE and not any(isinstance(item, (dict, list)) for item in value)


def same(left: Any, right: Any) -> bool:
    """Whether two values are written alike. What an edit leaves alone is mostly the same object."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(item, right[name]) for name, item in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
