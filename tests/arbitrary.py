"""Arbitrary small schemas of every dialect, as a Hypothesis strategy; and some that were hard."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from knownbad.dialects import DIALECTS, Dialect

NAMES = ("a", "b", "isError", "retry_after", "x-1", "properties")
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
PATTERNS = ("^a", "b$", "^[a-z]+$", "^x-", "[0-9]", "^.{2}$", "")
FORMATS = ("date", "email", "ipv4", "uuid", "unheard-of")
VALUES = (None, True, False, 0, 1, -1, 2.5, "", "a", "abc", [], [1], {}, {"a": 1}, {"isError": "true"})
NUMBERS = (-1, 0, 1, 2, 2.5, 10, 0.1)


@st.composite
def schemas(draw: st.DrawFn, dialects: tuple[Dialect, ...] = DIALECTS, names: tuple[str, ...] = NAMES) -> Any:
    """A schema that declares its dialect. Most can be satisfied, and most reject something; not all."""
    dialect = draw(st.sampled_from(dialects))
    maker = _Maker(draw, dialect, names)
    schema = {"$schema": dialect.uri, **maker.object(draw(st.integers(1, 3)))}
    if maker.referred:
        schema["$defs" if dialect.year >= 19 else "definitions"] = {"node": maker.object(1)}
    return schema


class _Maker:
    """Draws the parts of one schema."""

    def __init__(self, draw: st.DrawFn, dialect: Dialect, names: tuple[str, ...]) -> None:
        self.draw = draw
        self.dialect = dialect
        self.names = names
        self.referred = False

    def pick(self, options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def some(self, options: Any, least: int = 1, most: int = 3) -> list[Any]:
        return self.draw(st.lists(st.sampled_from(options), min_size=least, max_size=most, unique_by=repr))

    def schema(self, depth: int) -> Any:
        if self.dialect.year >= 6 and self.pick(range(10)) == 9:
            return self.pick((True, False))
        return self.object(depth)

    def object(self, depth: int) -> dict[str, Any]:
        rows = [row for row in _ROWS if row[0] <= self.dialect.year <= row[1] and (depth > 0 or row[2] is _leaf)]
        made: dict[str, Any] = {}
        if self.pick(range(4)):
            made["type"] = self.pick(TYPES) if self.pick(range(4)) else self.some(TYPES)
        for row in self.draw(st.lists(st.sampled_from(rows), max_size=3, unique_by=lambda row: row[3])):
            made.update(row[2](self, depth - 1, row[3]))
        return made

    def small(self) -> int:
        return self.pick((1, 2, 0, 3))


def _leaf(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    if keyword == "enum":
        return {"enum": maker.some(VALUES)}
    if keyword == "const":
        return {"const": maker.pick(VALUES)}
    if keyword in ("minimum", "maximum"):
        found = {keyword: maker.pick(NUMBERS)}
        if maker.dialect.year == 4 and maker.pick((False, True)):
            found["exclusive" + keyword.capitalize()] = True
        return found
    if keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        return {keyword: maker.pick(NUMBERS)}
    if keyword == "multipleOf":
        return {keyword: maker.pick((1, 2, 0.5, 3))}
    if keyword == "pattern":
        return {keyword: maker.pick(PATTERNS)}
    if keyword == "format":
        return {keyword: maker.pick(FORMATS)}
    if keyword == "uniqueItems":
        return {keyword: maker.pick((True, False))}
    if keyword == "required":
        return {keyword: maker.some(maker.names)}
    return {keyword: maker.small()}


def _one(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    if keyword.startswith("additional") and maker.pick((True, False)):
        return {keyword: False}
    return {keyword: maker.schema(depth)}


def _list(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    return {keyword: [maker.schema(depth) for _ in range(maker.pick((1, 2, 3)))]}


def _map(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    keys = PATTERNS[:4] if keyword == "patternProperties" else maker.names
    return {keyword: {key: maker.schema(depth) for key in maker.some(keys)}}


def _names(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    return {keyword: {maker.pick(maker.names): maker.some(maker.names)}}


def _contains(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    found = {keyword: maker.schema(depth)}
    if maker.dialect.year >= 19 and maker.pick((False, True)):
        found[maker.pick(("minContains", "maxContains"))] = maker.small()
    return found


def _if(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    found = {keyword: maker.schema(depth)}
    for part in maker.some(("then", "else"), 1, 2):
        found[part] = maker.schema(depth)
    return found


def _ref(maker: _Maker, depth: int, keyword: str) -> dict[str, Any]:
    """A member that is held against the root or a definition: references in place might never end."""
    maker.referred = True
    place = "#/$defs/node" if maker.dialect.year >= 19 else "#/definitions/node"
    return {"properties": {maker.pick(maker.names): {"$ref": maker.pick((place, "#"))}}}


_ROWS = (
    *((4, 20, _leaf, keyword) for keyword in (
        "enum", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "minItems",
        "maxItems", "uniqueItems", "minProperties", "maxProperties", "required")),
    *((6, 20, _leaf, keyword) for keyword in ("const", "exclusiveMinimum", "exclusiveMaximum")),
    *((4, 20, _map, "properties") for _ in range(3)),
    (4, 20, _map, "patternProperties"),
    (4, 20, _one, "additionalProperties"),
    (6, 20, _one, "propertyNames"),
    (4, 20, _one, "items"),
    (4, 19, _list, "items"),
    (4, 19, _one, "additionalItems"),
    (20, 20, _list, "prefixItems"),
    (6, 20, _contains, "contains"),
    (19, 20, _one, "unevaluatedItems"),
    (19, 20, _one, "unevaluatedProperties"),
    (19, 20, _names, "dependentRequired"),
    (4, 20, _names, "dependencies"),
    (19, 20, _map, "dependentSchemas"),
    (4, 20, _list, "allOf"),
    (4, 20, _list, "anyOf"),
    (4, 20, _list, "oneOf"),
    (4, 20, _one, "not"),
    (7, 20, _if, "if"),
    (4, 20, _ref, "$ref"),
)  # fmt: skip


def _declaring(uri: str, **keywords: Any) -> dict[str, Any]:
    return {"$schema": uri, **keywords}


_D04, _D06, _D07, _D19, _D20 = (dialect.uri for dialect in DIALECTS)

UGLY: dict[str, dict[str, Any]] = {
    "a tree": _declaring(
        _D07, type="object", required=["value"], additionalProperties=False,
        properties={"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    ),
    "a list that ends in null": _declaring(
        _D20, type="object", required=["next"], properties={"next": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}},
    ),
    "branches that exclude each other": _declaring(
        _D20, oneOf=[
            {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            {"properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind", "b"]},
        ], unevaluatedProperties=False, properties={"b": {"type": "string", "minLength": 2}},
    ),
    "draft-04 with exclusive bounds": _declaring(
        _D04, type="number", minimum=0, exclusiveMinimum=True, maximum=1, exclusiveMaximum=True, multipleOf=0.25,
    ),
    "a tuple": _declaring(
        _D19, type="array", items=[{"type": "string"}, {"type": "boolean"}], additionalItems={"type": "null"},
        minItems=1,
    ),
    "contains between two and three": _declaring(
        _D20, type="array", contains={"type": "integer", "minimum": 3}, minContains=2, maxContains=3, uniqueItems=True,
    ),
    "dependencies in both forms": _declaring(
        _D06, type="object", dependencies={"a": ["b"], "b": {"properties": {"a": {"const": 1}}}}, maxProperties=3,
    ),
    "a condition": _declaring(
        _D07, type="object", properties={"retry": {"type": "boolean"}, "after": {"type": "number", "minimum": 0}},
        **{"if": {"properties": {"retry": {"const": True}}, "required": ["retry"]}, "then": {"required": ["after"]},
           "else": {"not": {"required": ["after"]}}},
    ),
    "names under a rule": _declaring(
        _D20, type="object", propertyNames={"pattern": "^[a-z]{2,4}$"}, minProperties=2,
        patternProperties={"^x": {"type": "integer"}}, additionalProperties={"type": ["string", "null"]},
    ),
    "a property called properties": _declaring(
        _D20, properties={"properties": {"properties": {"required": {"type": "array"}}}}, required=["properties"],
    ),
    "names to be escaped": _declaring(
        _D20, type="object", required=["a/b", ""],
        properties={"a/b": {"type": "null"}, "~": {"enum": [1, "1"]}, "": {"type": "string"}, "%": {}},
    ),
    "a dynamic reference": _declaring(
        _D20, **{"$id": "urn:example:tree", "$dynamicAnchor": "node"}, type="object",
        properties={"left": {"$dynamicRef": "#node"}, "n": {"type": "integer"}}, required=["n"],
    ),
    "nothing satisfies it": _declaring(_D07, allOf=[{"type": "string"}, {"type": "null"}]),
    "everything satisfies it": _declaring(_D20),
    "long strings only": _declaring(_D20, type="string", minLength=300, pattern="^(ab)*$"),
    "equal in JSON, not in Python": _declaring(_D20, enum=[1, True, 0, False, "1", [1], {"a": 1.5}]),
    "not in not": _declaring(_D20, type=["object", "string"], **{"not": {"not": {"type": "string", "maxLength": 2}}}),
}  # fmt: skip
"""Schemas that are hard in some way, by what makes them so."""
