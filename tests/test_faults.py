"""Each keyword of each dialect has its fault, under a stable name, with the instance that a person would expect."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.contract import Contract, Document
from knownbad.corpus import DOMINATED, UNDECIDED, UNREACHABLE, Corpus
from knownbad.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.generate import GenerateOptions, generate


def contract(schema: Any, dialect: Dialect = DRAFT_2020_12) -> Contract:
    uri = "https://knownbad.invalid/case.json"
    return Contract("case", "case.json", {uri: Document(uri, "case.json", schema, dialect)})


def corpus(schema: Any, dialect: Dialect = DRAFT_2020_12, faults: str = "core") -> Corpus:
    return generate(contract(schema, dialect), (), GenerateOptions(faults=faults))


OBJECT = {"type": "object"}

NEGATIVES: list[tuple[str, Dialect, Any, str, Any]] = [
    # what is asserted, dialect, schema, class, the instance that breaks it and nothing else
    ("type: null for absent", DRAFT_04, {"type": "string"}, "type.add[null]", None),
    ("type: a string that looks like the boolean", DRAFT_07, {"type": "boolean"}, "type.add[string]", "true"),
    ("type: a fraction for an integer", DRAFT_2020_12, {"type": "integer"}, "type.add[number]", 1.5),
    ("enum: other case", DRAFT_06, {"enum": ["red", "green"]}, "enum.add", "RED"),
    ("const: other value", DRAFT_06, {"const": 3}, "const.drop", 4),
    ("minimum: one step outside", DRAFT_04, {"type": "integer", "minimum": 3}, "minimum.lower", 2),
    ("minimum: a decimal step", DRAFT_07, {"type": "number", "minimum": 0.5}, "minimum.lower", 0.4),
    ("maximum: one step outside", DRAFT_2019_09, {"type": "integer", "maximum": 3}, "maximum.raise", 4),
    ("maximum: one step outside, also behind a reference", DRAFT_07,
     {"$ref": "#/definitions/n", "definitions": {"n": {"type": "integer", "maximum": -1}}},
     "/definitions/n: maximum.raise", 0),
    ("type: a string that looks like the boolean, also behind a reference", DRAFT_2020_12,
     {"$ref": "#/$defs/b", "$defs": {"b": {"type": "boolean"}}}, "/$defs/b: type.add[string]", "true"),
    ("exclusiveMinimum: the bound itself", DRAFT_06, {"type": "number", "exclusiveMinimum": 0},
     "exclusiveMinimum.lower", 0),
    ("exclusiveMaximum: the bound itself", DRAFT_07, {"type": "number", "exclusiveMaximum": 9},
     "exclusiveMaximum.raise", 9),
    ("draft-04 exclusiveMinimum", DRAFT_04, {"type": "integer", "minimum": 3, "exclusiveMinimum": True},
     "exclusiveMinimum.include", 3),
    ("draft-04 minimum goes with its partner", DRAFT_04, {"type": "integer", "minimum": 3, "exclusiveMinimum": True},
     "minimum.drop", 2),
    ("multipleOf", DRAFT_2020_12, {"type": "integer", "multipleOf": 5}, "multipleOf.drop", 6),
    ("minLength: one short", DRAFT_04, {"type": "string", "minLength": 3}, "minLength.lower", "ab"),
    ("maxLength: one long", DRAFT_2020_12, {"type": "string", "maxLength": 3}, "maxLength.raise", "abcd"),
    ("pattern: an unanchored start", DRAFT_07, {"type": "string", "pattern": "^a$"}, "pattern.open-start", "aa"),
    ("pattern: an unanchored end", DRAFT_07, {"type": "string", "pattern": "^b$"}, "pattern.open-end", "ba"),
    ("pattern: no match", DRAFT_04, {"type": "string", "pattern": "a"}, "pattern.drop", "b"),
    ("format: a date that is none", DRAFT_2020_12, {"type": "string", "format": "date"}, "format.drop", "2024-02-30"),
    ("required", DRAFT_04, {**OBJECT, "required": ["a"]}, "required.remove[a]", {}),
    ("additionalProperties: a near-miss of a real name", DRAFT_2020_12,
     {**OBJECT, "properties": {"isError": {"type": "boolean"}}, "additionalProperties": False},
     "/additionalProperties: additionalProperties.open", {"is_error": False}),
    ("a property that is false", DRAFT_06, {**OBJECT, "properties": {"a": False}},
     "/properties/a: properties.open[a]", {"a": "a"}),
    ("patternProperties", DRAFT_04, {**OBJECT, "patternProperties": {"^x": {"type": "string"}}},
     "/patternProperties/^x: type.add[null]", {"x": None}),
    ("propertyNames", DRAFT_06, {**OBJECT, "propertyNames": {"maxLength": 2}},
     "/propertyNames: maxLength.raise", {"abc": "a"}),
    ("minProperties", DRAFT_04, {**OBJECT, "minProperties": 1}, "minProperties.lower", {}),
    ("maxProperties", DRAFT_04, {**OBJECT, "properties": {"a": {}, "b": {}}, "maxProperties": 1},
     "maxProperties.raise", {"a": "a", "b": "a"}),
    ("dependencies by name", DRAFT_07,
     {**OBJECT, "properties": {"a": {"type": "integer"}}, "dependencies": {"a": ["b"]}},
     "dependencies.remove[a][b]", {"a": 1}),
    ("dependencies by schema", DRAFT_04, {**OBJECT, "dependencies": {"a": {"minProperties": 2}}},
     "/dependencies/a: minProperties.lower", {"a": "a"}),
    ("dependentRequired", DRAFT_2019_09,
     {**OBJECT, "properties": {"a": {"type": "integer"}}, "dependentRequired": {"a": ["b"]}},
     "dependentRequired.remove[a][b]", {"a": 1}),
    ("dependentSchemas", DRAFT_2020_12, {**OBJECT, "dependentSchemas": {"a": {"required": ["b"]}}},
     "/dependentSchemas/a: required.remove[b]", {"a": "a"}),
    ("unevaluatedProperties", DRAFT_2020_12,
     {**OBJECT, "allOf": [{"properties": {"a": {"type": "integer"}}}], "unevaluatedProperties": False},
     "/unevaluatedProperties: unevaluatedProperties.open", {"A": 1}),
    ("items", DRAFT_04, {"type": "array", "items": {"type": "integer"}}, "/items: type.add[null]", [None]),
    ("tuple items", DRAFT_07, {"type": "array", "items": [{"type": "integer"}]}, "/items/0: type.add[null]", [None]),
    ("additionalItems", DRAFT_07, {"type": "array", "items": [{"type": "integer"}], "additionalItems": False},
     "/additionalItems: additionalItems.open", [1, "a"]),
    ("prefixItems", DRAFT_2020_12, {"type": "array", "prefixItems": [{"type": "integer"}]},
     "/prefixItems/0: type.add[null]", [None]),
    ("items after prefixItems", DRAFT_2020_12, {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
     "/items: items.open", [1, "a"]),
    ("unevaluatedItems", DRAFT_2019_09,
     {"type": "array", "allOf": [{"items": [{"type": "integer"}]}], "unevaluatedItems": False},
     "/unevaluatedItems: unevaluatedItems.open", [1, "a"]),
    ("contains", DRAFT_06, {"type": "array", "contains": {"type": "integer"}}, "contains.drop", []),
    ("minContains", DRAFT_2019_09, {"type": "array", "contains": {"const": 1}, "minContains": 2},
     "minContains.lower", [1]),
    ("maxContains", DRAFT_2020_12, {"type": "array", "contains": {"const": 1}, "maxContains": 1},
     "maxContains.raise", [1, 1]),
    ("minItems", DRAFT_04, {"type": "array", "items": {"type": "integer"}, "minItems": 2}, "minItems.lower", [1]),
    ("maxItems", DRAFT_04, {"type": "array", "items": {"type": "integer"}, "maxItems": 1}, "maxItems.raise", [1, 1]),
    ("uniqueItems", DRAFT_04, {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
     "uniqueItems.off", [1, 1]),
    ("anyOf: none", DRAFT_04, {"anyOf": [{"type": "string"}, {"type": "null"}]}, "anyOf.drop", 1),
    ("oneOf: two", DRAFT_04, {"oneOf": [{"minimum": 2, "type": "integer"}, {"maximum": 4, "type": "integer"}]},
     "oneOf.any", 2),
    ("not", DRAFT_04, {"type": "object", "not": {"required": ["a"]}}, "not.drop", {"a": "a"}),
    ("then", DRAFT_07, {**OBJECT, "if": {"required": ["a"]}, "then": {"required": ["b"]}},
     "/then: required.remove[b]", {"a": "a"}),
    ("else", DRAFT_2020_12, {**OBJECT, "if": {"required": ["a"]}, "else": {"required": ["b"]}},
     "/else: required.remove[b]", {}),
    ("$ref: the keyword inside the target", DRAFT_04,
     {"$ref": "#/definitions/a", "definitions": {"a": {"type": "integer"}}},
     "/definitions/a: type.add[null]", None),
    ("$dynamicRef", DRAFT_2020_12,
     {"$dynamicAnchor": "node", **OBJECT, "properties": {"next": {"$dynamicRef": "#node"}}},
     "/properties/next: $dynamicRef.any", {"next": "a"}),
    ("$recursiveRef", DRAFT_2019_09,
     {"$recursiveAnchor": True, **OBJECT, "properties": {"next": {"$recursiveRef": "#"}}},
     "/properties/next: $recursiveRef.any", {"next": "a"}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "dialect", "schema", "class_", "instance"), NEGATIVES, ids=[n[0] for n in NEGATIVES])
def test_a_keyword_has_its_fault(what: str, dialect: Dialect, schema: Any, class_: str, instance: Any) -> None:
    made = corpus(schema, dialect)
    found = {name: f.instance for f in made.negatives for name in f.covers}
    assert found.get(class_) == instance, f"{what}: {sorted(found)}"


@pytest.mark.parametrize(("what", "dialect", "schema", "class_", "instance"), NEGATIVES, ids=[n[0] for n in NEGATIVES])
def test_every_way_of_the_fault_is_found_and_nothing_is_left_undecided(
    what: str, dialect: Dialect, schema: Any, class_: str, instance: Any
) -> None:
    made = corpus(schema, dialect, "all")
    assert [o for o in made.outcomes if o.state == UNDECIDED] == []


def test_a_second_use_of_a_definition_has_a_fault_of_its_own() -> None:
    name = {"$ref": "#/$defs/name"}
    made = corpus({**OBJECT, "properties": {"a": name, "b": name}, "$defs": {"name": {"type": "string"}}})
    assert {f.keyword_location for f in made.negatives} == {"/type", "/$defs/name/type", "/properties/b/$ref"}


def test_all_gives_each_other_type_as_a_producer_would_send_it() -> None:
    made = corpus({"type": "boolean"}, faults="all")
    assert {f.class_: f.instance for f in made.negatives} == {
        "type.add[null]": None,
        "type.add[string]": "true",
        "type.add[number]": 1,
        "type.add[array]": [],
        "type.add[object]": {},
    }


def test_a_type_beside_an_enum_is_dominated_by_it() -> None:
    made = corpus({"type": "string", "enum": ["a", "b"]})
    (outcome,) = [o for o in made.outcomes if o.class_ == "type.add[null]"]
    assert (outcome.state, "enum" in (outcome.reason or "")) == (DOMINATED, True)


def test_a_type_that_bars_a_member_of_the_enum_is_not() -> None:
    made = corpus({**OBJECT, "properties": {"a": {"type": "string", "enum": ["a", 1]}}})
    assert {"a": 1} in [f.instance for f in made.negatives if f.class_ == "/properties/a: type.add[number]"]


def test_an_unused_definition_is_unreachable() -> None:
    made = corpus({"type": "string", "$defs": {"spare": {"type": "integer"}}})
    assert [o.class_ for o in made.outcomes if o.state == UNREACHABLE] == ["/$defs/spare: unreachable"]


def test_a_mutation_under_one_of_may_turn_around_and_is_found_all_the_same() -> None:
    made = corpus({"oneOf": [{"enum": ["a", "b"]}, {}]}, DRAFT_04)
    assert {"a", "b"} <= {f.instance for f in made.negatives if isinstance(f.instance, str)}
    assert not [o for o in made.outcomes if o.state == UNDECIDED]


def test_a_branch_that_another_branch_of_one_of_holds_turns_its_mutations_around() -> None:
    def having(required: str, **properties: Any) -> Any:
        return {**OBJECT, "required": required.split(), "properties": properties}

    text: Any = {"type": "string"}
    graph = having("filter kind", filter=OBJECT, kind={"enum": ["line", "area"]}, tall={"type": "boolean"})
    searched = having("filter kind search", **graph["properties"], search=text)
    feed, cloud = having("url", url=text), having("url id", url=text, id={"enum": ["a", "b"]})
    made = corpus({**OBJECT, "properties": {"config": {"oneOf": [searched, cloud, graph, feed]}}}, DRAFT_04)
    assert not [o for o in made.outcomes if o.state == UNDECIDED]
    at = "/properties/config/oneOf/1"
    turned = {f"{at}: additionalProperties.close", f"{at}/properties/id: enum.remove[b]"}
    assert turned <= {name for f in made.negatives for name in f.covers}
    assert [f.instance["config"]["id"] for f in made.positives if f"{at}/properties/id: enum.add" in f.covers] == ["A"]


def test_nothing_satisfies_false_and_that_is_said() -> None:
    made = corpus(False)
    assert not made.positives
    assert any("nothing satisfies" in note for note in made.notes)
    assert [f.keyword_location for f in made.negatives] == [""]


def test_true_has_a_positive_and_no_negative() -> None:
    made = corpus(True)
    assert len(made.positives) == 1
    assert not made.negatives


@pytest.mark.parametrize("type_", ["boolean", "integer", "number", "string", "array", "object"])
def test_a_nullable_type_has_a_core_fault_as_well(type_: str) -> None:
    made = corpus({"type": [type_, "null"]})
    assert [f.class_ for f in made.negatives if f.class_.startswith("type.")]
