"""Proofs by type: what is said of a type that the schema around an edited place lets nothing through of."""

from __future__ import annotations

from .contract import Contract, Subschema
from .keywords.general import type_mask
from .keywords.mutation import Mutation
from .keywords.places import STAYING
from .keywords.shape import ANY, OBJECT, STRING, mask_of
from .keywords.vacuous import accepts_all
from .reach import reach

DEPTH = 12
"""How many schemas that apply one another are looked at."""


def by_types(contract: Contract, mutation: Mutation) -> str:
    """Proof that a weaker `type` or `propertyNames` lets nothing more through; or empty."""
    site, value = mutation.site, mutation.site.value
    if mutation.either or not mutation.weakens or not isinstance(value, dict):
        return ""
    if mutation.keyword == ("propertyNames",) and mutation.name == "propertyNames.drop":
        names = contract.child(site, "propertyNames")
        return "every name is a string" if accepts_all(contract, names, STRING) else ""
    if mutation.keyword != ("type",) or not isinstance(mutation.value, dict):
        return ""
    if all(keyword == "propertyNames" for _, keyword in reach(contract).appliers(site) or [(site, "")]):
        return "every name is a string" if type_mask(value["type"]) & STRING else ""
    if not possible(contract, site, site) & ~type_mask(value["type"]):
        return "what is applied beside it, or around it, lets no other type through"
    return ""


def possible(contract: Contract, sub: Subschema, apart: Subschema, depth: int = DEPTH) -> int:
    """The types of which `sub` may decide anything, whatever `apart` says of types; as bits, rather too many.

    An instance of another type is rejected all the same: by what is beside `sub`, or by what applies it in place.
    """
    own = asserted(contract, sub, apart, depth)
    appliers = reach(contract).appliers(sub)
    if not appliers or not depth or sub is contract.root:
        return own
    around = 0
    for parent, keyword in appliers:
        if keyword == "propertyNames":
            around |= STRING
        elif keyword not in STAYING:
            return own
        else:
            only = OBJECT if keyword in ("dependentSchemas", "dependencies") else ANY
            around |= only & possible(contract, parent, apart, depth - 1)
    return own & around


def asserted(contract: Contract, sub: Subschema, apart: Subschema | None, depth: int) -> int:
    """The types that a schema lets through, as far as its own keywords, `allOf` and references say."""
    value = sub.value
    if not isinstance(value, dict) or not depth:
        return ANY
    mask = ANY
    reference = value.get("$ref")
    if isinstance(reference, str):
        target = contract.target(sub, reference)
        if target is not None and target is not apart:
            mask &= asserted(contract, target, apart, depth - 1)
        if sub.dialect.ref_hides_siblings:
            return mask
    if sub is not apart and "type" in value:
        mask &= type_mask(value["type"])
    if sub is not apart and isinstance(value.get("enum"), list):
        listed = 0
        for member in value["enum"]:
            listed |= mask_of(member)
        mask &= listed
    for path, child in contract.children(sub):
        if path[0] == "allOf" and child is not apart:
            mask &= asserted(contract, child, apart, depth - 1)
    return mask
