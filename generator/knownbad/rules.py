"""Proofs that can be read off the schema around an edited place, for what the algebra does not see."""

from __future__ import annotations

from typing import Any

from . import formats
from .contract import Contract, Subschema
from .keywords.mutation import Mutation
from .pointers import pointer, steps
from .reach import place, reach
from .standalone import CannotStandAlone, standalone
from .values import compact
from .witness.regex import matches
from .witness.strings import StringShape, unmatchable

_STRING_KEYWORDS = ("minLength", "maxLength", "pattern", "format")
_MONOTONE = frozenset(
    ("properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems", "allOf",
     "anyOf", "then", "else", "dependentSchemas")
)  # fmt: skip
"""Applicators under which a weaker subschema makes a weaker schema."""


def by_strings(contract: Contract, mutation: Mutation) -> str:
    """Proof that the string keywords beside the edited one say the same of it; or empty."""
    site, keyword = mutation.site.value, mutation.keyword[0] if mutation.keyword else ""
    if mutation.either or keyword not in _STRING_KEYWORDS or not isinstance(site, dict):
        return ""
    accepting, rejecting = (mutation.value, site) if mutation.weakens else (site, mutation.value)
    if keyword not in rejecting:
        return ""
    if keyword == "format" and formats.standing(rejecting["format"], mutation.site.dialect) == "none":
        return f"no validator asserts the format {rejecting['format']!r} in {mutation.site.dialect.name}"
    shape = _strings(contract, mutation.site, accepting, keyword, rejecting[keyword])
    return f"no string that the other keywords beside `{keyword}` let through shows it" if unmatchable(shape) else ""


def disputed(mutation: Mutation) -> str:
    """Why no fixture can rest on an edited `format` that one of the validators does not assert; or empty."""
    name = mutation.site.value.get("format") if mutation.keyword == ("format",) else None
    if name is None or formats.standing(name, mutation.site.dialect) != "one":
        return ""
    return f"only one of the validators asserts the format {name!r} in {mutation.site.dialect.name}"


def _strings(contract: Contract, sub: Subschema, accepting: dict[str, Any], keyword: str, denied: Any) -> StringShape:
    """The strings that `accepting` lets through, as far as its string keywords go, and that fail `keyword: denied`."""
    low, high = int(accepting.get("minLength", 0)), accepting.get("maxLength")
    high = None if high is None else int(high)
    if keyword == "minLength":
        high = int(denied) - 1 if high is None else min(high, int(denied) - 1)
    elif keyword == "maxLength":
        low = max(low, int(denied) + 1)
    named = accepting.get("format")
    return StringShape(
        min_length=low,
        max_length=high,
        patterns=(accepting["pattern"],) if "pattern" in accepting else (),
        not_patterns=(denied,) if keyword == "pattern" else (),
        formats=(named,) if contract.formats and isinstance(named, str) else (),
        not_formats=(denied,) if keyword == "format" else (),
        dialect=sub.dialect,
    )


def no_name_left(contract: Contract, mutation: Mutation) -> str:
    """Proof that `patternProperties` leaves no name to the `additionalProperties` that is edited; or empty."""
    closes = mutation.name == "additionalProperties.close"
    if closes and _every_name_matched(mutation.site):
        return "`patternProperties` beside it matches every name"
    known = reach(contract)
    uri, path = mutation.site.document.uri, steps(mutation.site.pointer)
    for length in range(len(path), 0, -1):
        sub = contract.known(uri, pointer(path[:length]))
        if sub is not None and (not known.complete or place(sub) in known.referred):
            return ""  # what refers to it sees nothing of what is beside it
        holder = (
            contract.known(uri, pointer(path[: length - 1])) if path[length - 1] == "additionalProperties" else None
        )
        if holder is not None and _every_name_matched(holder):
            return f"`patternProperties` beside {pointer(path[:length])} matches every name"
    return ""


def _every_name_matched(sub: Subschema) -> bool:
    patterns = sub.value.get("patternProperties") if isinstance(sub.value, dict) else None
    if not isinstance(patterns, dict) or not patterns:
        return False
    return unmatchable(StringShape(not_patterns=tuple(patterns), dialect=sub.dialect))


def said_twice(contract: Contract, mutation: Mutation) -> str:
    """Proof that `patternProperties` beside a property says all that the property's subschema says; or empty.

    Then whatever is made weaker in the latter changes nothing. For contracts without `unevaluated...` only.
    """
    if mutation.either or not mutation.weakens:
        return ""
    known = reach(contract)
    path = steps(mutation.site.pointer)
    uri = mutation.site.document.uri
    while len(path) > 1:
        sub = contract.known(uri, pointer(path))
        if sub is None or not known.complete or place(sub) in known.referred:
            return ""  # what refers to it sees nothing of what is beside it
        keyword, name = path[-2:]
        holder = contract.known(uri, pointer(path[:-2]))
        if holder is None or keyword not in _MONOTONE:
            if name not in _MONOTONE or contract.known(uri, pointer(path[:-1])) is None:
                return ""
            path = path[:-1]
            continue
        patterns = holder.value.get("patternProperties") if keyword == "properties" else None
        for pattern in patterns if isinstance(patterns, dict) else ():
            if matches(pattern, name) and _same(contract, contract.child(holder, "patternProperties", pattern), sub):
                return f"`patternProperties` beside it says the same of {name!r}"
        path = path[:-2]
    return ""


def _same(contract: Contract, one: Subschema, other: Subschema) -> bool:
    """Whether two subschemas read the same, annotations aside."""
    try:
        return compact(standalone(contract, one)) == compact(standalone(contract, other))
    except CannotStandAlone:
        return False


def said_by_patterns(contract: Contract, mutation: Mutation) -> str:
    """Proof that `patternProperties` says all that an edit of `properties` beside it takes away or moves; or empty.

    For contracts without `unevaluated...` only. A name that a pattern matches is never an additional one.
    """
    site, edited = mutation.site.value, mutation.value
    if mutation.keyword[:1] != ("properties",) or not isinstance(site, dict) or not isinstance(edited, dict):
        return ""
    before, after = site.get("properties"), edited.get("properties", {})
    kept = all(edited.get(k) is v for k, v in site.items() if k != "properties")
    added = [k for k in edited if k not in site]
    if not isinstance(before, dict) or not isinstance(after, dict) or not kept:
        return ""
    if added and mutation.name != "properties.misspell":
        return ""
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old is new:
            continue
        if name in before and not _patterned(contract, mutation.site, name, name):
            return ""
        if name in after and new not in ({}, True):
            origin = next((n for n, sub in before.items() if sub is new), None)
            if origin is None or not _patterned(contract, mutation.site, name, origin):
                return ""
    return "`patternProperties` beside it says the same of these names"


def said_by_rest(contract: Contract, mutation: Mutation) -> str:
    """Proof that `additionalProperties` says the same as the one pattern that an edit moves or takes away; or empty.

    For contracts without `unevaluated...` only. Then each name is held against the same schema before and after.
    """
    site, edited = mutation.site.value, mutation.value
    if mutation.keyword[:1] != ("patternProperties",) or not isinstance(site, dict) or not isinstance(edited, dict):
        return ""
    before, after = site.get("patternProperties"), edited.get("patternProperties", {})
    kept = all(edited.get(k) is v for k, v in site.items() if k != "patternProperties")
    added = any(k not in site for k in edited) and mutation.name != "patternProperties.misspell"
    if not kept or added or site.get("properties") or "additionalProperties" not in site:
        return ""
    if not isinstance(before, dict) or not isinstance(after, dict) or len(before) != 1 or len(after) > 1:
        return ""
    (pattern, held), rest = next(iter(before.items())), contract.child(mutation.site, "additionalProperties")
    moved = all(sub is held for sub in after.values())
    same = moved and _same(contract, contract.child(mutation.site, "patternProperties", pattern), rest)
    return "`additionalProperties` beside it says the same of all names" if same else ""


def _patterned(contract: Contract, site: Subschema, name: str, origin: str) -> bool:
    """Whether a pattern that matches `name` says all that the property `origin` says."""
    said = contract.child(site, "properties", origin)
    patterns = site.value.get("patternProperties")
    return any(
        matches(pattern, name) and _same(contract, contract.child(site, "patternProperties", pattern), said)
        for pattern in (patterns if isinstance(patterns, dict) else ())
    )
