"""What the validator has against an envelope, in words: the first violation first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .compiled import ValidatorFailed
from .errors import NO_VALUE, shorten
from .pointers import get, steps

if TYPE_CHECKING:
    from .oracle import Failure, Oracle


def violations(oracle: Oracle, body: Any) -> list[Failure]:
    """Every keyword that rejects `body`, what explains the others first."""
    try:
        found = oracle.errors(body)
    except ValidatorFailed:
        return []
    return sorted(found, key=_rank)


def _rank(failure: Failure) -> tuple[bool, int, str, str]:
    """A wrong type comes first, then what is wrong further out: either explains the rest."""
    place = failure.instance_location
    return not failure.keyword_location.endswith("/type"), len(steps(place)), place, failure.keyword_location


def told(oracle: Oracle, failure: Failure, body: Any, above: str = "") -> str:
    """One violation as a person says it: the place in the reply and what is wrong there.

    `above` is the place of `body` in the whole reply.
    """
    place = above + failure.instance_location or "the reply"
    keyword = failure.keyword_location.rpartition("/")[2]
    value = value_at(body, failure.instance_location)
    if failure.member is not None:
        return f"{place} has no {failure.member!r}"
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(value, dict):
        extra = _extra(oracle, failure, value)
        if extra:
            return f"{place} has {' and '.join(map(repr, extra))}, which is not documented"
    schema = value_at(oracle.documents.get(failure.document), failure.keyword_location)
    if schema is False:
        return f"{place} must not be there"
    if keyword == "type":
        kinds = schema if isinstance(schema, list) else [schema]
        return f"{place} is {kind_of(value)}, not {_article(kinds)}"
    if keyword in ("const", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum"):
        return f"{place} is {kind_of(value)}, against {keyword} {shorten(schema)}"
    return f"{place}: {keyword} rejects {shorten(value)}"


def _extra(oracle: Oracle, failure: Failure, value: dict[str, Any]) -> list[str]:
    """The members that a closed object does not know."""
    holder = value_at(oracle.documents.get(failure.document), failure.keyword_location.rpartition("/")[0])
    if not isinstance(holder, dict) or "patternProperties" in holder:
        return []
    return [name for name in value if name not in holder.get("properties", {})]


def kind_of(value: Any) -> str:
    """A value with what kind of value it is, as a person says it."""
    if value is NO_VALUE:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {shorten(value)}"
    if isinstance(value, str):
        return f"the string {shorten(value)}"
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list) else f"the number {shorten(value)}"


def _article(kinds: list[Any]) -> str:
    words = [("an " if str(kind)[:1] in "aio" else "a ") + str(kind) if kind != "null" else "null" for kind in kinds]
    return " or ".join(words)


def value_at(value: Any, pointer: str) -> Any:
    """The value at a pointer, `NO_VALUE` where there is none."""
    try:
        return get(value, pointer)
    except LookupError:
        return NO_VALUE
