"""Which keywords of a schema object mean something together, so that they must be looked at together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from ..dialects import Dialect
from ..pointers import Step
from .places import APPLICATORS, REFERENCES, subschemas

_GROUPS = (
    frozenset(("properties", "patternProperties", "additionalProperties")),
    frozenset(("items", "prefixItems", "additionalItems")),
    frozenset(("contains", "minContains", "maxContains")),
    frozenset(("if", "then", "else")),
    frozenset(("minimum", "exclusiveMinimum")),
    frozenset(("maximum", "exclusiveMaximum")),
)
_KIN = {name: group for group in _GROUPS for name in group}
_READERS = frozenset(("unevaluatedProperties", "unevaluatedItems"))
_UNCHANGED_ACCEPT = ("properties", "patternProperties", "allOf", "prefixItems", "dependentSchemas", "dependencies")
"""Keywords with several subschemas of which one that did not change says what it said, wherever it is applied."""
_ELSEWHERE = frozenset(
    ("$dynamicRef", "$recursiveRef", "$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
     "definitions", "$defs")
)  # fmt: skip
"""What these say is not seen at the schema object itself."""


class Change(NamedTuple):
    """What an edit changes in a schema object.

    `body`: what the edited object says with the keywords that differ and their kin alone, where what did not change is
    taken as accepting. `names`: those that differ or may say something else now. `places`: the steps to them, or to the
    subschemas in them. `asserting`: no subschema is among them. `refers`: a reference is in `body`.
    """

    names: tuple[str, ...]
    places: tuple[tuple[Step, ...], ...]
    body: dict[str, Any]
    asserting: bool
    refers: bool


def change(before: Any, after: Any, dialect: Dialect) -> Change | None:
    """What differs between two schema objects; None where it cannot be looked at alone.

    That is so where identifiers or dynamic references are among it, and where annotations are read.
    """
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    if dialect.ref_hides_siblings:
        before, after = _unhidden(before), _unhidden(after)
    names = [k for k in before if k not in after or before[k] is not after[k]]
    names += [k for k in after if k not in before]
    if not names or not _ELSEWHERE.isdisjoint(names):
        return None
    if not (_READERS.isdisjoint(before) and _READERS.isdisjoint(after)):
        return None
    kin = with_kin(names)
    body = {k: v for k, v in after.items() if k in kin}
    if APPLICATORS.isdisjoint(kin):
        names += [k for k in body if k not in names]
        return Change(tuple(names), tuple((name,) for name in names), body, True, False)
    for keyword in ("additionalProperties", "items", "additionalItems"):
        if keyword in body and body[keyword] is before.get(keyword) and _same_scope(keyword, before, after):
            del body[keyword]
    if "additionalProperties" not in body:  # then the names of what did not change say nothing, either
        for keyword in ("properties", "patternProperties"):
            held, old = body.pop(keyword, None), before.get(keyword)
            if isinstance(held, dict):
                known = old if isinstance(old, dict) else {}
                body[keyword] = {k: v for k, v in held.items() if v is not known.get(k)}
    for keyword in _UNCHANGED_ACCEPT:
        if keyword in body and keyword in before:
            body[keyword] = _changed_alone(before[keyword], body[keyword])
    names += [k for k in body if k not in names and k not in _UNCHANGED_ACCEPT]
    places = tuple(place for name in names for place in _places(name, before.get(name), after.get(name)))
    return Change(tuple(names), places, body, False, _refers(body, dialect))


def _unhidden(value: dict[str, Any]) -> dict[str, Any]:
    """What counts of a schema object where a reference hides all that is beside it."""
    return {"$ref": value["$ref"]} if isinstance(value.get("$ref"), str) else value


def _places(keyword: str, before: Any, after: Any) -> Iterator[tuple[Step, ...]]:
    if keyword not in _UNCHANGED_ACCEPT or type(before) is not type(after):
        yield (keyword,)
    elif isinstance(before, dict):
        yield from ((keyword, name) for name, entry in before.items() if after.get(name) is not entry)
    elif isinstance(before, list):
        kept = min(len(before), len(after))
        yield from ((keyword, n) for n, entry in enumerate(before) if n >= kept or after[n] is not entry)
    else:
        yield (keyword,)


def with_kin(names: Collection[str]) -> set[str]:
    """These keywords and those that mean something only together with them."""
    kin = set(names)
    for name in names:
        if name in _KIN:
            kin |= _KIN[name]
    return kin


def _changed_alone(before: Any, after: Any) -> Any:
    if isinstance(before, dict) and isinstance(after, dict):
        # A list in `dependencies` stays: it is the keyword itself that rejects for it.
        return {k: {} if k in before and before[k] is v and not isinstance(v, list) else v for k, v in after.items()}
    if isinstance(before, list) and isinstance(after, list):
        return [{} if i < len(before) and before[i] is v else v for i, v in enumerate(after)]
    return after


def _same_scope(keyword: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a keyword for all that is left speaks of the same members or items in both."""
    if keyword == "additionalProperties":
        return all(list(before.get(k, ())) == list(after.get(k, ())) for k in ("properties", "patternProperties"))
    if isinstance(before.get(keyword), list):
        return False
    sizes = [
        len(v) if isinstance(v := value.get(k), list) else 0
        for value in (before, after)
        for k in ("items", "prefixItems")
    ]
    return sizes[:2] == sizes[2:]


def _refers(schema: Any, dialect: Dialect) -> bool:
    if not isinstance(schema, dict):
        return False
    return any(k in schema for k in REFERENCES) or any(
        _refers(child, dialect) for _, child in subschemas(schema, dialect) if child
    )
