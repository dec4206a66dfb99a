"""Putting a keyword aside: the schema as it would be if that one keyword rejected nothing.

A negative fixture names a keyword; with the keyword put aside the same instance is accepted. The rules are those of
`docs/architecture.md` ("fails for exactly one reason"), the same here and in the emitted tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contract import Contract, Subschema
from ..pointers import join, pointer, steps

Edits = Mapping[tuple[str, str], Any]
"""What a mutant puts where: (document URI, pointer) to value, in this order."""

_NAME_LISTS = ("dependentRequired", "dependencies")
_CONTAINS = ("contains", "minContains", "maxContains")


def asides(contract: Contract, uri: str, location: str, member: str | None = None) -> list[Edits]:
    """Each way to put the keyword at `location` of a document aside; a `oneOf` has two (none and several accept).

    Raises LookupError where no keyword stands.
    """
    place = contract.known(uri, location)
    path = steps(location)
    holder = contract.known(uri, pointer(path[:-1])) if path else None
    counted = path[-1:] == ["contains"] and holder is not None and isinstance(holder.value, dict)
    if place is not None and place.value is False and not counted:
        return [{(uri, location): True}]
    if not path:
        raise LookupError(f"the root of {uri} is no keyword")
    if holder is not None and isinstance(holder.value, dict) and path[-1] in holder.value:
        changed = [_without(holder, path[-1], member)]
        if path[-1] == "oneOf":
            changed.append(_any_of(holder.value))
        return [{(uri, holder.pointer): value} for value in changed]
    holder = contract.known(uri, pointer(path[:-2])) if len(path) > 1 else None
    if holder is not None and isinstance(holder.value, dict) and path[-2] in _NAME_LISTS:
        lists = holder.value.get(path[-2])
        if isinstance(lists, dict) and isinstance(lists.get(path[-1]), list):
            left = [name for name in lists[path[-1]] if member is not None and name != member]
            others = {name: needed for name, needed in lists.items() if name != path[-1]}
            merged = {**lists, path[-1]: left} if left else others
            return [{(uri, join(holder.pointer, path[-2])): merged}]
    raise LookupError(f"no keyword stands at {location!r} of {uri}")


def aside(contract: Contract, uri: str, location: str, member: str | None = None) -> Edits:
    """The first way of `asides`."""
    return asides(contract, uri, location, member)[0]


def _without(holder: Subschema, keyword: str, member: str | None) -> Any:
    value: dict[str, Any] = holder.value
    if keyword == "$ref" and holder.dialect.ref_hides_siblings:
        return {}
    if keyword == "required" and member is not None and isinstance(value[keyword], list):
        left = [name for name in value[keyword] if name != member]
        return {**value, keyword: left} if left else _drop(value, keyword)
    if keyword == "contains":
        return _drop(value, *_CONTAINS)
    if keyword in ("minimum", "maximum") and holder.dialect.year == 4:
        return _drop(value, keyword, f"exclusive{keyword.capitalize()}")
    return _drop(value, keyword)


def _any_of(value: dict[str, Any]) -> dict[str, Any]:
    """`oneOf` as at-least-one, beside an `anyOf` that may be there already."""
    rest = _drop(value, "oneOf")
    return {**rest, "allOf": [*rest.get("allOf", []), {"anyOf": value["oneOf"]}]}


def _drop(value: dict[str, Any], *keywords: str) -> dict[str, Any]:
    return {name: held for name, held in value.items() if name not in keywords}
