"""Proof that no instance is accepted by two branches, so that `oneOf` and `anyOf` of them say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from .contract import Contract, Subschema
from .keywords.mutation import Mutation
from .keywords.shape import OBJECT, STRING
from .kinds import asserted
from .values import key
from .witness.strings import StringShape, unmatchable

DEPTH = 6
"""How deep members, `allOf` and references are followed."""


def branches_apart(contract: Contract, mutation: Mutation) -> str:
    """Proof that `anyOf` may as well be `oneOf`, or the reverse; or empty."""
    if mutation.name not in ("anyOf.one", "oneOf.any"):
        return ""
    keyword = mutation.name.partition(".")[0]
    branches = [contract.child(mutation.site, keyword, at) for at in range(len(mutation.site.value[keyword]))]
    told = all(apart(contract, one, other) for one, other in combinations(branches, 2))
    return "no instance is accepted by two of the branches" if told else ""


def apart(contract: Contract, one: Subschema, other: Subschema, depth: int = DEPTH) -> bool:
    """Whether surely no instance is accepted by both. False promises nothing."""
    if one.value is False or other.value is False:
        return True
    if not depth or not isinstance(one.value, dict) or not isinstance(other.value, dict):
        return False
    common = asserted(contract, one, None, depth) & asserted(contract, other, None, depth)
    if not common:
        return True
    left, right = list(_facets(contract, one, depth)), list(_facets(contract, other, depth))
    listed = [*_listed(left)], [*_listed(right)]
    if any(values.isdisjoint(others) for values in listed[0] for others in listed[1]):
        return True
    if common == STRING:
        return _strings_apart(contract, [*left, *right])
    return common == OBJECT and _members_apart(contract, left, right, depth)


def _facets(contract: Contract, sub: Subschema, depth: int) -> Iterator[Subschema]:
    """A schema and what it applies to the same value in any case."""
    if not isinstance(sub.value, dict) or not depth:
        return
    reference = sub.value.get("$ref")
    if isinstance(reference, str):
        target = contract.target(sub, reference)
        if target is not None:
            yield from _facets(contract, target, depth - 1)
        if sub.dialect.ref_hides_siblings:
            return
    yield sub
    for path, child in contract.children(sub):
        if path[0] == "allOf":
            yield from _facets(contract, child, depth - 1)


def _listed(facets: Sequence[Subschema]) -> Iterator[frozenset[Any]]:
    """The sets of values that the facets let through."""
    for sub in facets:
        if isinstance(sub.value.get("enum"), list):
            yield frozenset(map(key, sub.value["enum"]))
        if "const" in sub.value and sub.dialect.year >= 6:
            yield frozenset((key(sub.value["const"]),))


def _strings_apart(contract: Contract, facets: Sequence[Subschema]) -> bool:
    """Whether no string meets all of these."""

    def all_of(keyword: str, kind: type) -> list[Any]:
        return [held for sub in facets if isinstance(held := sub.value.get(keyword), kind)]

    shape = StringShape(
        min_length=max(all_of("minLength", int), default=0),
        max_length=min(all_of("maxLength", int), default=None),
        patterns=tuple(all_of("pattern", str)),
        formats=tuple(all_of("format", str)) if contract.formats else (),
        dialect=facets[0].dialect,
    )
    return unmatchable(shape)


def _members_apart(contract: Contract, left: Sequence[Subschema], right: Sequence[Subschema], depth: int) -> bool:
    """Whether a member that must be there can be none that both sides accept."""
    needed = {name for sub in (*left, *right) for name in _required(sub)}
    for name in sorted(needed):
        for one in left:
            for other in right:
                mine, theirs = _member(contract, one, name), _member(contract, other, name)
                if mine is not None and theirs is not None and apart(contract, mine, theirs, depth - 1):
                    return True
    return any(_closed_to(one, name) for one in (*left, *right) for name in needed)


def _required(sub: Subschema) -> list[str]:
    names = sub.value.get("required")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _member(contract: Contract, sub: Subschema, name: str) -> Subschema | None:
    held = sub.value.get("properties")
    return contract.child(sub, "properties", name) if isinstance(held, dict) and name in held else None


def _closed_to(sub: Subschema, name: str) -> bool:
    held = sub.value.get("properties", {})
    closed = sub.value.get("additionalProperties") is False and "patternProperties" not in sub.value
    return isinstance(held, dict) and (held.get(name) is False or closed and name not in held)
