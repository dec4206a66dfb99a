"""The digest of a contract: what its verdicts and its values depend on, and nothing else.

Annotations are left out, except `examples` and `default`, whose values are used as fixtures' values. A keyword that no
dialect knows is an annotation too. Names of properties are no keywords: the walk goes from subschema to subschema.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import Any

from .contract import Contract, Subschema
from .keywords.places import subschemas
from .values import compact

COUNTED = frozenset(
    (
        *("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"),
        *("$ref", "$dynamicRef", "$recursiveRef"),
        *("type", "enum", "const", "default", "examples"),
        *("format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType", "contentSchema"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("items", "additionalItems", "prefixItems", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"),
        *("contains", "minContains", "maxContains"),
        *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
        *("required", "minProperties", "maxProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas"),
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    )
)
_DYNAMIC = frozenset(("$dynamicRef", "$recursiveRef"))


def digest(contract: Contract) -> str:
    """The SHA-256, in hexadecimal, of everything that the contract's schema reaches."""
    own = contract.document.uri
    parts = sorted(
        (("" if sub.document.uri == own else sub.document.uri), sub.pointer, shell(sub)) for sub in reached(contract)
    )
    whole = [contract.root_pointer, contract.dialect.name, contract.formats, sorted(contract.any_refs), parts]
    return hashlib.sha256(compact(whole).encode()).hexdigest()


def reached(contract: Contract) -> list[Subschema]:
    """Every subschema that the contract's root leads to, itself included, through applicators and references.

    Where a dynamic reference leads depends on the way to it, so with one of them every subschema counts.
    """
    found = walk(contract, [contract.root], definitions=False)
    if any(isinstance(s.value, dict) and not _DYNAMIC.isdisjoint(s.value) for s in found):
        roots = [contract.target(contract.root, uri) for uri in contract.documents]
        found = walk(contract, [contract.root, *(root for root in roots if root is not None)], definitions=True)
    return found


def walk(contract: Contract, stack: list[Subschema], *, definitions: bool) -> list[Subschema]:
    """Every subschema that some lead to, themselves included; with `definitions` also what only stands below them."""
    seen: dict[tuple[str, str], Subschema] = {}
    while stack:
        sub = stack.pop()
        place = (sub.document.uri, sub.pointer)
        if place in seen:
            continue
        seen[place] = sub
        below = contract.children(sub)
        stack.extend(child for steps, child in below if definitions or steps[0] not in ("definitions", "$defs"))
        reference = sub.value.get("$ref") if isinstance(sub.value, dict) else None
        if isinstance(reference, str):
            with contextlib.suppress(LookupError):
                target = contract.target(sub, reference)
                if target is not None:
                    stack.append(target)
    return list(seen.values())


def shell(sub: Subschema) -> str:
    """The subschema's own keywords that count, with a mark in place of each subschema below it."""
    value = sub.value
    if not isinstance(value, dict):
        return compact(value)
    if "$ref" in value and sub.dialect.ref_hides_siblings:
        return compact({"$ref": value["$ref"]})
    own: dict[str, Any] = {k: v for k, v in value.items() if k in COUNTED}
    for steps, _ in subschemas(dict(own), sub.dialect):
        keyword = steps[0]
        if len(steps) == 1:
            own[str(keyword)] = "<schema>"
        elif isinstance(own[str(keyword)], dict):
            own[str(keyword)] = {**own[str(keyword)], steps[1]: "<schema>"}
        else:
            own[str(keyword)] = [*own[str(keyword)]]
            own[str(keyword)][int(steps[1])] = "<schema>"
    return compact(own)
