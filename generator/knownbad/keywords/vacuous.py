"""Subschemas that accept everything of some types, as can be read off them."""

from __future__ import annotations

from ..contract import Contract, Subschema
from .general import type_mask
from .shape import ANY, ARRAY, NUMBER, OBJECT, STRING
from .table import rows_of

_SPEAKS_OF = {
    NUMBER: ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    STRING: ("minLength", "maxLength", "pattern", "format"),
    ARRAY: (
        "prefixItems", "items", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems",
        "unevaluatedItems",
    ),
    OBJECT: (
        "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties",
        "maxProperties", "dependentRequired", "unevaluatedProperties",
    ),
}  # fmt: skip
TYPES_OF = {keyword: mask for mask, keywords in _SPEAKS_OF.items() for keyword in keywords}
"""The types that a keyword speaks of; one that is not here speaks of all."""
_BELOW = ("properties", "patternProperties", "additionalProperties", "prefixItems", "items", "additionalItems")


def accepts_all(contract: Contract, sub: Subschema, types: int = ANY, within: tuple[Subschema, ...] = ()) -> bool:
    """Whether `sub` surely accepts every instance of these types. False promises nothing."""
    value = sub.value
    if not isinstance(value, dict):
        return value is True
    if sub in within:
        return True  # it comes back to itself at a member or an item, and every instance ends
    within = (*within, sub)
    for row in rows_of(value, sub.dialect):
        keyword, held = row.name, value[row.name]
        if not types & TYPES_OF.get(keyword, ANY):
            continue
        children = [child for steps, child in contract.children(sub) if steps[0] == keyword]
        if keyword == "type":
            fine = not types & ~type_mask(held)
        elif keyword in _BELOW:
            fine = all(accepts_all(contract, child, ANY, within) for child in children)
        elif keyword == "allOf":
            fine = all(accepts_all(contract, child, types, within) for child in children)
        elif keyword == "anyOf":
            fine = any(accepts_all(contract, child, types, within) for child in children)
        elif keyword == "if":
            parts = [child for steps, child in contract.children(sub) if steps[0] in ("then", "else")]
            fine = all(accepts_all(contract, part, types, within) for part in parts)
        elif keyword == "$ref":
            target = contract.target(sub, held)
            fine = target is None or accepts_all(contract, target, types, within)
        else:
            fine = keyword == "format" and not contract.formats
        if not fine:
            return False
    return True
