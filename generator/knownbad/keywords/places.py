"""Where subschemas live: the one table of applicators and their shapes, per dialect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..dialects import Dialect
from ..pointers import Step

ONE, LIST, MAP = "one", "list", "map"

# keyword: (shape, first dialect year, last dialect year)
_PLACES: dict[str, tuple[str, int, int]] = {
    "$defs": (MAP, 19, 20),
    "definitions": (MAP, 4, 20),
    "properties": (MAP, 4, 20),
    "patternProperties": (MAP, 4, 20),
    "dependentSchemas": (MAP, 19, 20),
    "dependencies": (MAP, 4, 20),
    "allOf": (LIST, 4, 20),
    "anyOf": (LIST, 4, 20),
    "oneOf": (LIST, 4, 20),
    "prefixItems": (LIST, 20, 20),
    "items": (ONE, 4, 20),
    "additionalItems": (ONE, 4, 19),
    "additionalProperties": (ONE, 4, 20),
    "unevaluatedItems": (ONE, 19, 20),
    "unevaluatedProperties": (ONE, 19, 20),
    "contains": (ONE, 6, 20),
    "propertyNames": (ONE, 6, 20),
    "not": (ONE, 4, 20),
    "if": (ONE, 7, 20),
    "then": (ONE, 7, 20),
    "else": (ONE, 7, 20),
    "contentSchema": (ONE, 19, 20),
}

IN_PLACE = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"))
"""The applicators whose subschemas judge the same instance location as the schema object itself."""
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
STAYING = IN_PLACE.union(REFERENCES)
"""The steps of a route that stay at one instance location."""
CONJUNCTIVE = frozenset(
    ("properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems", "allOf",
     "then", "else", "dependentSchemas", "dependencies")
)  # fmt: skip
"""The applicators whose subschemas must accept what they are held against, or the schema object rejects."""
MOVING = frozenset(
    ("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains",
     "propertyNames")
)  # fmt: skip
"""The applicators of one subschema that is held against parts of the instance, not against the same location."""
APPLICATORS = frozenset((*_PLACES, *REFERENCES))
"""Keywords that apply subschemas, or only hold them."""
CONTAINERS = ("properties", "dependentSchemas", "dependencies")
"""Applicators by the name of a member: an entry for a name that an instance does not have says nothing of it."""
UNAPPLIED = frozenset(("$defs", "definitions", "contentSchema"))
"""Where subschemas stand that nothing applies; they may be referred to."""


def disputed(keyword: str, dialect: Dialect) -> bool:
    """Whether only jsonschema-rs asserts a keyword in a dialect, and jsonschema knows nothing of it there.

    From 2019-09 on the specification has `dependentRequired` and `dependentSchemas` for `dependencies`, which the
    metaschema still describes.
    """
    return keyword == "dependencies" and dialect.year >= 19


def holds_subschemas(keyword: str) -> bool:
    """Whether a keyword of this name applies, or only holds, subschemas."""
    return keyword in _PLACES


def holds_several(keyword: str, value: Any) -> bool:
    """Whether this value of a keyword is a map or a list of subschemas."""
    return holds_subschemas(keyword) and (isinstance(value, list) or _PLACES[keyword][0] == MAP)


def is_schema(value: Any, dialect: Dialect) -> bool:
    """Whether a value has the shape of a schema. Draft-04 knows boolean schemas only in two places (not here)."""
    return isinstance(value, (dict, bool))


def subschemas(schema: Any, dialect: Dialect) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """The direct subschemas of a schema object, each with the steps that lead to it, in document order."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema and dialect.ref_hides_siblings:
        # Ignored siblings are no subschemas, but definitions beside a reference can still be pointed at.
        schema = {k: v for k, v in schema.items() if k in ("definitions", "$defs")}
    for keyword, value in schema.items():
        place = _PLACES.get(keyword)
        if place is None or not place[1] <= dialect.year <= place[2]:
            continue
        shape = place[0]
        if shape == ONE and isinstance(value, list) and keyword == "items" and dialect.year < 20:
            shape = LIST
        if shape == ONE and is_schema(value, dialect):
            yield (keyword,), value
        elif shape == LIST and isinstance(value, list):
            for index, item in enumerate(value):
                if is_schema(item, dialect):
                    yield (keyword, index), item
        elif shape == MAP and isinstance(value, dict):
            for name, item in value.items():
                if is_schema(item, dialect):
                    yield (keyword, name), item
