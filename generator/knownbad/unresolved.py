"""References that cannot be resolved and are taken as accepting anything (`--unresolved any`): schemas without them.

What the validators are given holds no such reference, because they would look for what it names.
"""

from __future__ import annotations

from typing import Any

from .contract import Contract, Location, Subschema
from .keywords.places import subschemas
from .pointers import join, replace, steps
from .uris import join_uri


def any_edits(contract: Contract) -> dict[Location, Any]:
    """The subschemas that the contract's schema reaches and whose reference accepts anything, with that taken out."""
    edits: dict[Location, Any] = {}
    seen: set[Location] = set()
    pending = [contract.root]
    while pending:
        sub = pending.pop()
        where = (sub.document.uri, sub.pointer)
        if where in seen:
            continue
        seen.add(where)
        pending.extend(child for _, child in contract.children(sub))
        reference = sub.value.get("$ref") if isinstance(sub.value, dict) else None
        if isinstance(reference, str):
            target = contract.target(sub, reference)
            if target is None:
                edits[where] = without_reference(sub)
            else:
                pending.append(target)
    return edits


def without_any(contract: Contract, sub: Subschema) -> Any:
    """The value of a subschema in which the references that accept anything are taken out."""
    value = sub.value
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str) and join_uri(sub.base, reference) in contract.any_refs:
        value = without_reference(sub)
    for path, child in subschemas(value, sub.dialect):
        below = Subschema(sub.document, join(sub.pointer, *path), child, sub.base, sub.resource, sub.dialect)
        changed = without_any(contract, below)
        if changed is not child:
            value = replace(value, path, changed)
    return value


def without_reference(sub: Subschema) -> Any:
    """The schema object without its `$ref`; where a `$ref` hides its siblings, only the definitions are left."""
    kept = ("definitions", "$defs") if sub.dialect.ref_hides_siblings else tuple(sub.value)
    return {keyword: sub.value[keyword] for keyword in kept if keyword in sub.value and keyword != "$ref"}


def placed(contract: Contract, uri: str, location: str, value: Any) -> Subschema:
    """`value` as the subschema at a location, with the base and the dialect of that place."""
    document = next(document for document in contract.documents.values() if document.uri == uri)
    top = Subschema(document, "", document.value, uri, "", document.dialect)
    place = contract.child(top, *steps(location))
    return Subschema(document, location, value, place.base, place.resource, place.dialect)
