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
    value = _at(body, failure.instance_location)
    if failure.member is not None:
        return f"{place} has no {failure.member!r}"
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(value, dict):
        extra = _extra(oracle, failure, value)
        if extra:
            return f"{place} has {' and '.join(map(repr, extra))}, which is not documented"
    schema = _at(oracle.documents.get(failure.document), failure.keyword_location)
    if schema is False:
        return f"{place} must not be there"
    if keyword == "type":
        kinds = schema if isinstance(schema, list) else [schema]
        return f"{place} is {_kind(value)}, not {_article(kinds)}"
    if keyword in ("const", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum"):
        return f"{place} is {_kind(value)}, against {keyword} {shorten(schema)}"
    return f"{place}: {keyword} rejects {shorten(value)}"


def _extra(oracle: Oracle, failure: Failure, value: dict[str, Any]) -> list[str]:
    """The members that a closed object does not know."""
    holder = _at(oracle.documents.get(failure.document), failure.keyword_location.rpartition("/")[0])
    if not isinstance(holder, dict) or "patternProperties" in holder:
        return []
    return [name for name in value if name not in holder.get("properties", {})]


def _kind(value: Any) -> str:
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


def _at(value: Any, pointer: str) -> Any:
    try:
        return get(value, pointer)
    except LookupError:
        return NO_VALUE
