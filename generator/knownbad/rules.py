"""Proofs that can be read off the schema around an edited place, for what the algebra does not see."""

from __future__ import annotations

from typing import Any

from .contract import Contract, Subschema
from .keywords.mutation import Mutation
from .pointers import pointer, steps
from .reach import place, reach
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
    if keyword not in _STRING_KEYWORDS or not isinstance(site, dict):
        return ""
    accepting, rejecting = (mutation.value, site) if mutation.weakens else (site, mutation.value)
    if keyword not in rejecting:
        return ""
    shape = _strings(contract, mutation.site, accepting, keyword, rejecting[keyword])
    return f"no string that the other keywords beside `{keyword}` let through shows it" if unmatchable(shape) else ""


def _strings(contract: Contract, sub: Subschema, accepting: dict[str, Any], keyword: str, denied: Any) -> StringShape:
    """The strings that `accepting` lets through, as far as its string keywords go, and that fail `keyword: denied`."""
    low, high = int(accepting.get("minLength", 0)), accepting.get("maxLength")
    high = None if high is None else int(high)
    if keyword == "minLength":
        high = int(denied) - 1 if high is None else min(high, int(denied) - 1)
    elif keyword == "maxLength":
        low = max(low, int(denied) + 1)
    formats = accepting.get("format")
    return StringShape(
        min_length=low,
        max_length=high,
        patterns=(accepting["pattern"],) if "pattern" in accepting else (),
        not_patterns=(denied,) if keyword == "pattern" else (),
        formats=(formats,) if contract.formats and isinstance(formats, str) else (),
        not_formats=(denied,) if keyword == "format" else (),
        dialect=sub.dialect,
    )


def said_twice(contract: Contract, mutation: Mutation) -> str:
    """Proof that `patternProperties` beside a property says all that the property's subschema says; or empty.

    Then whatever is made weaker in the latter changes nothing. For contracts without `unevaluated...` only.
    """
    if not mutation.weakens:
        return ""
    known = reach(contract)
    path = steps(mutation.site.pointer)
    uri = mutation.site.document.uri
    for length in range(len(path), 1, -1):
        sub = contract.known(uri, pointer(path[:length]))
        holder = contract.known(uri, pointer(path[: length - 2]))
        if path[length - 2] == "properties" and sub is not None and holder is not None and isinstance(holder.value, dict):
            patterns = holder.value.get("patternProperties")
            for pattern, other in patterns.items() if isinstance(patterns, dict) else ():
                if matches(pattern, path[length - 1]) and compact(other) == compact(sub.value):
                    return f"`patternProperties` beside it says the same of {path[length - 1]!r}"
        if sub is not None:
            if not known.complete or place(sub) in known.referred:
                return ""
            below = holder if holder is not None and path[length - 2] in _MONOTONE else None
            single = contract.known(uri, pointer(path[: length - 1])) if path[length - 1] in _MONOTONE else None
            if below is None and single is None:
                return ""
    return ""
