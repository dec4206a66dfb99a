"""The algebra of schemas: its answers against brute force; and subschemas made to stand alone."""

from __future__ import annotations

import itertools
import json
from functools import cache
from typing import Any

import pytest

from knownbad import dialects
from knownbad.algebra import Difference, Empty, Unknown, difference, equivalent, unsatisfiable
from knownbad.contract import Contract, Document, Subschema
from knownbad.dialects import DIALECTS, DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.oracle import Oracle
from knownbad.pointers import steps
from knownbad.standalone import CannotStandAlone, standalone

BASE = "https://knownbad.invalid/"


def contract(*schemas: Any, dialect: Dialect = DRAFT_07, formats: bool = True) -> Contract:
    documents = {}
    for letter, schema in zip("abcdef", schemas, strict=False):
        uri = f"{BASE}{letter}.json"
        documents[uri] = Document(uri, f"{letter}.json", schema, dialects.declared(schema) or dialect)
    return Contract("test", "a.json", documents, formats=formats)


def at(whole: Contract, pointer: str) -> Subschema:
    return whole.child(whole.root, *steps(pointer))


# -- the laws, against brute force

LEAVES: list[Any] = [
    {}, {"not": {}}, {"type": "integer"}, {"type": ["number", "null"]}, {"minimum": 1},
    {"type": "number", "maximum": 2}, {"multipleOf": 2}, {"type": "string"}, {"minLength": 1},
    {"type": "string", "maxLength": 0}, {"pattern": "^a"},
    {"enum": [1, "a", None]}, {"enum": [0, 1.0, [], {}]}, {"format": "date"}, {"not": {"format": "date"}},
    {"not": {"format": "no such format"}}, {"type": "boolean"}, {"maxItems": 1}, {"items": {"type": "integer"}},
    {"type": "array", "uniqueItems": True}, {"required": ["a"]}, {"properties": {"a": {"type": "integer"}}},
    {"properties": {"a": {}}, "additionalProperties": False}, {"type": "object", "minProperties": 1},
    {"patternProperties": {"^a": {"type": "null"}}}, {"dependencies": {"a": ["b"]}}, {"not": {"required": ["a"]}},
    {"oneOf": [{"type": "integer"}, {"minimum": 1}]}, {"anyOf": [{"type": "string"}, {"required": ["a", "b"]}]},
    {"allOf": [{"type": "object"}, {"maxProperties": 1}]},
    {"properties": {"a": {"$ref": "#"}}, "required": ["b"]}, {"properties": {"a": {"$ref": "#"}}, "type": "object"},
    {"items": {"$ref": "#/definitions/n"}, "definitions": {"n": {"properties": {"a": {"$ref": "#/definitions/n"}}}}},
    {"items": {"$ref": "#/definitions/n"}, "definitions": {"n": {"type": "integer"}}},
    {"properties": {"a": {"minimum": 1}, "b": {"$ref": "#/properties/a"}}},
]  # fmt: skip
LATER: list[Any] = [
    {"const": 1}, {"contains": {"type": "integer"}}, {"propertyNames": {"maxLength": 1}}, {"exclusiveMinimum": 1},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"type": "integer"}}, True, False,
]  # fmt: skip
ATOMS: list[Any] = [None, True, False, 0, 1, 2, 1.5, -1, 1.0, "", "a", "b", "abc", "2024-02-29", "2024-02-30"]
POOL: list[Any] = [
    *ATOMS, [], {},
    *([x] for x in ATOMS), *([x, y] for x, y in itertools.product([1, "a", None, {}], repeat=2)),
    *({"a": x} for x in ATOMS), *({"b": x} for x in (0, 2, "a")),
    *({"a": x, "b": y} for x in (None, 1, "x") for y in (0, 2)),
    {"abc": 1}, {"abc": None}, {"a": {"a": 1}}, {"a": {"b": 1}}, {"a": {"b": 1}, "b": 1}, [{"a": {"a": 1}}], [[1]],
]  # fmt: skip


@cache
def oracle(text: str, dialect: Dialect) -> Oracle:
    return Oracle(contract(json.loads(text), dialect=dialect))


@cache
def verdicts(text: str, dialect: Dialect) -> tuple[bool | None, ...]:
    """What both validators say of the pool."""
    return tuple(map(oracle(text, dialect).accepts, POOL))


@pytest.mark.parametrize("dialect", [DRAFT_04, DRAFT_07, DRAFT_2020_12], ids=lambda d: d.name)
def test_answers_agree_with_brute_force(dialect: Dialect) -> None:
    """What is proved empty has no witness, and a difference accepts exactly the witnesses."""
    schemas = [json.dumps(schema) for schema in (LEAVES if dialect.year == 4 else LEAVES + LATER)]
    counts = {Empty: 0, Difference: 0, Unknown: 0}
    for left, right in itertools.product(schemas, repeat=2):
        answer = difference(json.loads(left), json.loads(right), dialect, True)
        counts[type(answer)] += 1
        rows = list(zip(verdicts(left, dialect), verdicts(right, dialect), POOL, strict=True))
        if isinstance(answer, Empty):
            assert [x for accepted, rejected, x in rows if accepted and rejected is False] == [], (left, right, answer)
        elif isinstance(answer, Difference):
            for (accepted, rejected, x), found in zip(rows, verdicts(json.dumps(answer.schema), dialect), strict=True):
                if None not in (accepted, rejected, found):  # a format or keyword that only one validator asserts
                    assert found == (accepted and not rejected), (left, right, x, answer.schema)
    assert counts[Empty] > len(schemas)
    assert counts[Unknown] < 0.02 * len(schemas) ** 2, counts


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_a_schema_minus_itself_is_empty_however_it_is_written(dialect: Dialect) -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}, "v": {"type": "integer"}}}
    one = {"$ref": "#/definitions/node", "definitions": {"node": node}}
    other = {"definitions": {"unused": {}, "node": node}, "$ref": "#/definitions/node", "title": "the same"}
    assert isinstance(difference(one, other, dialect, True), Empty)
    assert isinstance(equivalent(one, other, dialect, True), Empty)


EQUIVALENT = [
    ("a type beside an enum", {"enum": ["a", "b"], "type": "string"}, {"enum": ["a", "b"]}),
    ("a bound that another makes idle", {"minLength": 2, "pattern": "^a", "minProperties": 0},
     {"pattern": "^a", "minLength": 2}),
    ("an unknown format", {"format": "no such format"}, {}),
    ("an unknown format, negated", {"not": {"format": "no such format"}}, {"not": {}}),
    ("required behind a closed door", {"properties": {"a": False}, "required": ["a"], "type": "object"}, False),
    ("a nested $schema", {"properties": {"a": {"$schema": DRAFT_07.uri, "minimum": 1}}},
     {"properties": {"a": {"minimum": 1}}}),
    ("identifiers", {"$id": "http://x.invalid/", "items": {"$ref": "n"},
                     "definitions": {"y": {"$id": "n", "type": "null"}}}, {"items": {"type": "null"}}),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [row[1:] for row in EQUIVALENT], ids=[row[0] for row in EQUIVALENT])
def test_equivalence_is_proved(one: Any, other: Any) -> None:
    assert isinstance(equivalent(one, other, DRAFT_07, True), Empty)
    assert isinstance(equivalent(other, one, DRAFT_07, True), Empty)


def test_what_is_not_equivalent_is_told_from_either_side() -> None:
    for one, other in (({"minimum": 1}, {"minimum": 2}), ({"minimum": 2}, {"minimum": 1})):
        answer = equivalent(one, other, DRAFT_07, True)
        assert isinstance(answer, Difference)
        assert answer.certain


def test_formats_that_are_not_asserted_make_no_difference() -> None:
    assert isinstance(difference({}, {"format": "date"}, DRAFT_07, True), Difference)
    assert isinstance(difference({}, {"format": "date"}, DRAFT_07, False), Empty)
    assert isinstance(difference({}, {"format": "duration"}, DRAFT_07, True), Empty)
    assert isinstance(difference({}, {"format": "duration"}, DRAFT_2020_12, True), Difference)


def test_an_empty_required_of_draft_04_is_no_obstacle() -> None:
    answer = difference({"required": [], "type": "object"}, {"required": ["a"]}, DRAFT_04, True)
    assert answer == Difference({"$schema": DRAFT_04.uri, "type": "object", "properties": {"a": {"not": {}}}}, True)


def test_unsatisfiable_schemas_are_proved_to_be() -> None:
    endless = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "required": ["n"],
                                                    "properties": {"n": {"$ref": "#/$defs/n"}}}}}  # fmt: skip
    assert isinstance(unsatisfiable(endless, DRAFT_2020_12, True), Empty)
    assert isinstance(unsatisfiable({"minimum": 2, "maximum": 1, "type": "number"}, DRAFT_2020_12, True), Empty)
    assert isinstance(unsatisfiable(False, DRAFT_2020_12, True), Empty)
    assert isinstance(unsatisfiable({"minimum": 2, "maximum": 1}, DRAFT_2020_12, True), Difference)


def test_what_cannot_be_answered_is_unknown_with_a_reason() -> None:
    for schema in ({"type": "no such type"}, {"$ref": "#/nowhere"}, {"pattern": "("}):
        answer = difference({}, schema, DRAFT_07, True)
        assert isinstance(answer, Unknown)
        assert answer.reason


# -- standing alone

STANDING = [
    ("nothing else is taken along", DRAFT_07,
     [{"properties": {"a": {"type": "string", "title": "t"}}, "required": ["b"]}], "/properties/a", {"type": "string"}),
    ("definitions that are reached", DRAFT_07,
     [{"items": {"items": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"minimum": 1}, "y": {}}}],
     "/items",
     {"items": {"$ref": "#/definitions/d0.definitions.x"}, "definitions": {"d0.definitions.x": {"minimum": 1}}}),
    ("the top is looked through", DRAFT_07,
     [{"$ref": "#/definitions/x", "minimum": 3, "definitions": {"x": {"$ref": "b.json#/definitions/y"}}},
      {"definitions": {"y": {"maximum": 1}}}], "", {"maximum": 1}),
    ("the root as a definition", DRAFT_07, [{"items": {"$ref": "#"}}], "",
     {"items": {"$ref": "#/definitions/d0"}, "definitions": {"d0": {"items": {"$ref": "#/definitions/d0"}}}}),
    ("keywords beside a reference", DRAFT_2019_09,
     [{"$defs": {"x": {"type": "null"}}, "items": {"$ref": "#/$defs/x", "minimum": 1}}], "",
     {"items": {"$ref": "#/$defs/d0._24_defs.x", "minimum": 1}, "$defs": {"d0._24_defs.x": {"type": "null"}}}),
    ("properties with the names of keywords", DRAFT_04,
     [{"properties": {"title": {"title": "t"}, "$ref": {"id": "x"}, "definitions": {}}, "id": "y"}], "",
     {"properties": {"title": {}, "$ref": {}, "definitions": {}}}),
    ("boolean schemas of draft-04", DRAFT_04,
     [{"additionalProperties": False, "items": {}, "additionalItems": True}], "",
     {"additionalProperties": False, "items": {}, "additionalItems": True}),
    ("anchors and identifiers", DRAFT_2020_12,
     [{"prefixItems": [{"$ref": "#n"}, {"$ref": "in/side"}], "$defs": {"a": {"$anchor": "n", "minimum": 1},
       "b": {"$id": "in/", "$defs": {"c": {"$id": "side", "maximum": 2}}}}}], "",
     {"prefixItems": [{"$ref": "#/$defs/d0._24_defs.a"}, {"$ref": "#/$defs/d0._24_defs.b._24_defs.c"}],
      "$defs": {"d0._24_defs.a": {"minimum": 1}, "d0._24_defs.b._24_defs.c": {"maximum": 2}}}),
    ("a dynamic reference with one target", DRAFT_2020_12,
     [{"$dynamicAnchor": "t", "items": {"$dynamicRef": "#t"}}], "",
     {"items": {"$ref": "#/$defs/d0"}, "$defs": {"d0": {"items": {"$ref": "#/$defs/d0"}}}}),
    ("a dynamic reference that the root overrides", DRAFT_2020_12,
     [{"$id": "r", "$dynamicAnchor": "t", "minimum": 1, "items": {"$ref": "b.json"}},
      {"$id": "b.json", "items": {"$dynamicRef": "#t"}, "$dynamicAnchor": "t"}], "",
     {"minimum": 1, "items": {"$ref": "#/$defs/d1"},
      "$defs": {"d0": {"minimum": 1, "items": {"$ref": "#/$defs/d1"}}, "d1": {"items": {"$ref": "#/$defs/d0"}}}}),
    ("a recursive reference", DRAFT_2019_09, [{"items": {"$recursiveRef": "#"}}], "",
     {"items": {"$ref": "#/$defs/d0"}, "$defs": {"d0": {"items": {"$ref": "#/$defs/d0"}}}}),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schemas", "pointer", "expected"), [row[1:] for row in STANDING],
                         ids=[row[0] for row in STANDING])  # fmt: skip
def test_a_subschema_stands_alone(dialect: Dialect, schemas: list[Any], pointer: str, expected: Any) -> None:
    before = json.dumps(schemas)
    whole = contract(*schemas, dialect=dialect)
    assert standalone(whole, at(whole, pointer)) == expected
    assert json.dumps(schemas) == before


def test_a_mutant_shares_the_names_of_what_it_shares() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/definitions/outer"}, "b": {"$ref": "#/definitions/same"}},
        "definitions": {
            "outer": {"items": {"$ref": "#/definitions/inner"}},
            "inner": {"properties": {"x": {"minimum": 1}, "again": {"$ref": "#/definitions/inner"}}},
            "same": {"items": {"$ref": "#/definitions/same"}},
        },
    }
    whole = contract(schema)
    edits = {(f"{BASE}a.json", "/definitions/inner/properties/x"): {}}
    mutant = standalone(whole, whole.root, edits)
    assert sorted(mutant["definitions"]) == ["d0.definitions.same", "m0.definitions.inner", "m0.definitions.outer"]
    assert mutant["definitions"]["m0.definitions.inner"] == {
        "properties": {"x": {}, "again": {"$ref": "#/definitions/m0.definitions.inner"}}
    }
    left = difference(mutant, standalone(whole, whole.root), DRAFT_07, True)
    assert isinstance(left, Difference)
    assert isinstance(difference(standalone(whole, whole.root), mutant, DRAFT_07, True), Difference | Empty)


def test_a_replacement_may_bring_references_of_its_own() -> None:
    whole = contract({"items": {"type": "null"}, "definitions": {"x": {"minimum": 1}}})
    own = f"{BASE}a.json"
    assert standalone(whole, whole.root, {(own, "/items"): {"$ref": "#/definitions/x"}}) == {
        "items": {"$ref": "#/definitions/d0.definitions.x"},
        "definitions": {"d0.definitions.x": {"minimum": 1}},
    }
    assert standalone(whole, whole.root, {(own, ""): False}) is False
    assert standalone(whole, at(whole, "/items"), {(own, ""): {"items": {"const": 1}}}) == {"const": 1}
    with pytest.raises(CannotStandAlone):
        standalone(whole, whole.root, {(own, "/items"): {"$ref": "#/definitions/none"}})
    with pytest.raises(CannotStandAlone):
        standalone(whole, at(whole, "/items"), {(own, ""): {}})


def test_a_replacement_of_draft_04_may_be_a_boolean() -> None:
    whole = contract({"properties": {"a": {"type": "null"}, "b": {}}}, dialect=DRAFT_04)
    edits = {(f"{BASE}a.json", "/properties/a"): False, (f"{BASE}a.json", "/properties/b"): True}
    assert standalone(whole, whole.root, edits) == {"properties": {"a": {"not": {}}, "b": {}}}


CANNOT = [
    ("another dialect",
     [{"items": {"$ref": "b.json"}}, {"$schema": DRAFT_04.uri, "minimum": 1, "exclusiveMinimum": True}]),
    ("a reference into nothing", [{"items": {"$ref": "#/definitions/none"}}]),
    ("a reference to itself", [{"$ref": "#"}]),
    ("a dynamic reference with several targets",
     [{"items": {"$ref": "b.json"}, "contains": {"$ref": "c.json"}},
      {"$id": "b.json", "items": {"$dynamicRef": "#t"}, "$dynamicAnchor": "t"},
      {"$id": "c.json", "items": {"$ref": "b.json"}, "$dynamicAnchor": "t"}]),
]  # fmt: skip


@pytest.mark.parametrize("schemas", [row[1] for row in CANNOT], ids=[row[0] for row in CANNOT])
def test_what_one_plain_document_cannot_say_is_refused(schemas: list[Any]) -> None:
    whole = contract(*schemas, dialect=DRAFT_2020_12)
    with pytest.raises(CannotStandAlone):
        standalone(whole, whole.root)


MEANING: list[tuple[Dialect, list[Any]]] = [
    (DRAFT_07, [{"properties": {"a": {"$ref": "b.json"}, "b": {"$ref": "#/definitions/n", "type": "null"}},
                 "definitions": {"n": {"type": "integer"}}}, {"items": {"$ref": "a.json"}, "minLength": 2}]),
    (DRAFT_06, [{"dependencies": {"a": {"$ref": "#/definitions/n"}, "b": ["a"]},
                 "definitions": {"n": {"required": ["b"]}}}]),
    (DRAFT_04, [{"id": "http://x.invalid/y", "properties": {"a": {"$ref": "#n"}, "id": {}},
                 "definitions": {"n": {"id": "#n", "minimum": 1, "exclusiveMinimum": True}}}]),
    (DRAFT_2020_12, [{"$ref": "#/$defs/open", "unevaluatedProperties": False, "properties": {"b": {}},
                      "$defs": {"open": {"properties": {"a": {"type": "integer"}}}}}]),
    (DRAFT_2020_12, [{"$dynamicAnchor": "n", "properties": {"a": {"$ref": "b.json"}}, "maxProperties": 1},
                     {"$dynamicAnchor": "n", "properties": {"b": {"$dynamicRef": "#n"}, "a": {"$dynamicRef": "#n"}}}]),
    (DRAFT_2019_09, [{"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}, "maxProperties": 1}]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schemas"), MEANING)
def test_standing_alone_changes_no_meaning(dialect: Dialect, schemas: list[Any]) -> None:
    whole = contract(*schemas, dialect=dialect)
    alone = verdicts(json.dumps(standalone(whole, whole.root)), dialect)
    assert list(alone) == [Oracle(whole).accepts(instance) for instance in POOL]
    assert len(set(alone)) == 2
