"""The JSON Patch (RFC 6902) that turns an accepted fixture into a rejected one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .corpus import RECORDED, Fixture
from .pointers import join
from .values import compact, equal

_GONE: Any = object()
Patch = tuple[dict[str, Any], ...]
_LOOKED_AT = 12
"""How many positive fixtures are looked at for the nearest one."""


class Bases:
    """The positive fixtures that negatives may be told as changes of: recorded ones first, then the smallest."""

    def __init__(self, positives: Sequence[Fixture]) -> None:
        first = [f for f in positives if f.origin == RECORDED]
        smallest = [f for f in positives if f.slug == "minimal"]
        rest = [f for f in positives if f not in first and f not in smallest]
        rest.sort(key=lambda f: (len(compact(f.instance)), f.slug))
        self._bases = [*first, *smallest, *rest][:_LOOKED_AT]

    def nearest(self, instance: Any) -> tuple[str | None, Patch | None]:
        """The fixture that the fewest operations turn into `instance`, and these operations."""
        best: tuple[str | None, Patch | None] = (None, None)
        for base in self._bases:
            patch = difference(base.instance, instance)
            if best[1] is None or len(patch) < len(best[1]):
                best = (base.slug, patch)
            if len(patch) == 1:
                break
        return best


def difference(base: Any, target: Any) -> Patch:
    """The operations that turn `base` into `target`."""
    where, one, other = _narrowed(base, target)
    if one is _GONE:
        return ({"op": "add", "path": where, "value": other},)
    if other is _GONE:
        return ({"op": "remove", "path": where},)
    return tuple({**operation, "path": where + operation["path"]} for operation in _patched(one, other))


def _narrowed(base: Any, target: Any) -> tuple[str, Any, Any]:
    """The one place below which two values differ: a patch of the whole would be made of all their equal members."""
    where = ""
    while isinstance(base, dict) and isinstance(target, dict):
        names = [k for k in base if k not in target or not _same(base[k], target[k])]
        names += [k for k in target if k not in base]
        if len(names) != 1:
            break
        where = join(where, names[0])
        base, target = base.get(names[0], _GONE), target.get(names[0], _GONE)
    return where, base, target


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same text: `1` is not `1.0`."""
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(member, other[name]) for name, member in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _patched(base: Any, target: Any) -> Patch:
    if type(base) is not type(target) or not isinstance(base, (dict, list)):
        return () if _same(base, target) else ({"op": "replace", "path": "", "value": target},)
    import jsonpatch

    made = jsonpatch.make_patch(base, target)
    operations: Patch = tuple(dict(operation) for operation in made.patch)
    if any(op["op"] not in ("add", "replace", "remove") for op in operations) or not _turns(made, base, target):
        return ({"op": "replace", "path": "", "value": target},)
    return operations


def _turns(patch: Any, base: Any, target: Any) -> bool:
    """Whether a patch does what it was made for: some that jsonpatch makes do not even apply."""
    import jsonpatch

    try:
        return equal(patch.apply(base), target)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
        return False
