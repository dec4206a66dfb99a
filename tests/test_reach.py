"""What a schema's evaluation reaches, proofs from its entries, and kinds of fault that the official suite showed."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.contract import Contract, Document
from knownbad.corpus import DOMINATED, FIXTURE, UNDECIDED, Corpus
from knownbad.dialects import DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.distinguish import Engine
from knownbad.generate import GenerateOptions, generate
from knownbad.keywords.vacuous import accepts_all
from knownbad.oracle import Oracle
from knownbad.reach import reach
from knownbad.standalone import CannotStandAlone, unfolded

URI = "https://example.org/s.json"


def contract(schema: Any, dialect: Dialect = DRAFT_2020_12) -> Contract:
    return Contract("s", "s.json", {URI: Document(URI, "s.json", schema, dialect)})


def corpus(schema: Any, dialect: Dialect = DRAFT_2020_12) -> Corpus:
    return generate(contract(schema, dialect), (), GenerateOptions(faults="all"))


TREE = {
    "type": "object",
    "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}},
    "$ref": "#/$defs/base",
    "$defs": {"base": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
}
TWO_KINDS = {
    "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"allOf": [{"$ref": "#/$defs/x"}]}, "c": {"type": "null"}},
    "$defs": {"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
}


@pytest.mark.parametrize(
    ("schema", "place", "entries"),
    [
        (TREE, "", ["", "/properties/kids/items"]),
        (TREE, "/$defs/base", ["", "/properties/kids/items"]),
        (TREE, "/$defs/base/properties/name", ["/$defs/base/properties/name"]),
        (TWO_KINDS, "/$defs/x/anyOf/1", ["/properties/a", "/properties/b"]),
        (TWO_KINDS, "/properties/c", ["/properties/c"]),
    ],
)
def test_the_entries_of_a_place_are_where_it_is_held_against_a_location_of_its_own(
    schema: Any, place: str, entries: list[str]
) -> None:
    made = contract(schema)
    found = reach(made).entries(made.child(made.root, *place.split("/")[1:]))
    assert found is not None
    assert [entry.pointer for entry in found] == entries


def test_a_place_that_nothing_applies_has_no_known_entries() -> None:
    made = contract({"$defs": {"unused": {"type": "string"}}})
    assert reach(made).entries(made.child(made.root, "$defs", "unused")) is None


def test_an_unfolded_schema_stands_in_place_with_its_edit_while_its_items_read_as_before() -> None:
    made = contract(TREE)
    edited = {("https://example.org/s.json", ""): {**TREE, "type": ["object", "null"]}}
    schema = unfolded(made, made.root, edited)
    assert schema["type"] == ["object", "null"]
    assert schema["allOf"][0]["required"] == ["name"]
    (whole,) = (body for body in schema["$defs"].values() if "properties" in body and "kids" in body["properties"])
    assert whole["type"] == "object"


def test_a_schema_that_comes_back_to_itself_in_place_does_not_unfold() -> None:
    made = contract({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}})
    with pytest.raises(CannotStandAlone):
        unfolded(made, made.root)


@pytest.mark.parametrize(
    ("schema", "dialect", "accepted"),
    [
        (True, DRAFT_2020_12, True),
        ({}, DRAFT_2020_12, True),
        ({"title": "any", "properties": {"a": True, "b": {}}}, DRAFT_2020_12, True),
        ({"if": {"type": "string"}}, DRAFT_2020_12, True),
        ({"prefixItems": [{"type": "string"}]}, DRAFT_2019_09, True),
        ({"prefixItems": [{"type": "string"}]}, DRAFT_2020_12, False),
        ({"properties": {"a": {"$ref": "#"}}}, DRAFT_2020_12, True),
        ({"anyOf": [{"type": "string"}, True]}, DRAFT_2020_12, True),
        ({"type": ["string", "number"]}, DRAFT_2020_12, False),
        ({"if": {"type": "string"}, "then": {"minLength": 1}}, DRAFT_2020_12, False),
        ({"required": ["a"]}, DRAFT_2020_12, False),
        (False, DRAFT_2020_12, False),
    ],
)
def test_what_surely_accepts_everything_is_known_by_its_keywords(schema: Any, dialect: Dialect, accepted: bool) -> None:
    made = (
        contract({"allOf": [schema]}, dialect) if schema != {"properties": {"a": {"$ref": "#"}}} else contract(schema)
    )
    part = made.child(made.root, "allOf", 0) if "allOf" in made.root.value else made.root
    assert accepts_all(made, part) is accepted


STRINGS_BELOW = {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/o"}}]}
NESTED = {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/o"}], "$defs": {"o": STRINGS_BELOW}}
REPEATED = {
    "properties": {"a": {"type": "object", "allOf": [{"type": "object"}]}, "b": {"$ref": "#/properties/a/allOf/0"}}
}
DYNAMIC = {
    "$id": "https://example.org/root", "$dynamicAnchor": "node", "type": "object", "$ref": "base",
    "$defs": {"base": {"$id": "base", "$dynamicAnchor": "node", "type": "object",
                       "properties": {"next": {"$dynamicRef": "#node"}}}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "dialect", "class_", "state"),
    [
        # what a second conjunct or another branch says as well is proved, recursion or not
        (TREE, DRAFT_2020_12, "type.add[null]", DOMINATED),
        (NESTED, DRAFT_2020_12, "/anyOf/0: type.add[string]", DOMINATED),
        (DYNAMIC, DRAFT_2020_12, "type.add[null]", DOMINATED),
        ({"allOf": [{"if": {"type": "string"}}, {"minLength": 1}]}, DRAFT_2020_12, "allOf.remove[0]", DOMINATED),
        # ... but not from a place around it, when a reference leads past that
        (REPEATED, DRAFT_2020_12, "/properties/a/allOf/0: type.add[null]", FIXTURE),
        # `oneOf` whose smallest instance two branches accept
        (
            {"prefixItems": [{"const": "f"}], "unevaluatedItems": False,
             "oneOf": [{"prefixItems": [True, {"const": "b"}]}, {"prefixItems": [True, {"const": "c"}]}]},
            DRAFT_2020_12, "oneOf.remove[0]", FIXTURE,
        ),
        # both limits of one `contains`
        ({"contains": {"const": 1}, "minContains": 1, "maxContains": 3}, DRAFT_2020_12, "maxContains.lower", FIXTURE),
        ({"contains": {"const": 1}, "minContains": 2, "maxContains": 3}, DRAFT_2020_12, "minContains.lower", FIXTURE),
        # what `contains` accepts is evaluated from 2020-12 on
        (
            {"allOf": [{"contains": {"multipleOf": 2}}, {"contains": {"multipleOf": 3}}],
             "unevaluatedItems": {"multipleOf": 5}},
            DRAFT_2020_12, "/unevaluatedItems: multipleOf.drop", FIXTURE,
        ),
        # a closed member that holds what others refer to
        (
            {"properties": {"a": {"definitions": {"d": {"type": "string"}}},
                            "b": {"$ref": "#/properties/a/definitions/d"}}},
            DRAFT_07, "properties.close[a]", FIXTURE,
        ),
        # a definition that goes by a plain name
        (
            {"allOf": [{"$ref": "#here"}], "definitions": {"d": {"$id": "#here", "type": "integer"}}},
            DRAFT_07, "/definitions/d: type.add[string]", FIXTURE,
        ),
    ],
)  # fmt: skip
def test_each_kind_of_class_has_its_state(schema: Any, dialect: Dialect, class_: str, state: str) -> None:
    """The class is decided, and in this way."""
    states = {o.class_: o.state for o in corpus(schema, dialect).outcomes}
    assert states[class_] == state


def test_no_proof_from_around_a_place_that_a_reference_leads_to() -> None:
    """Around `a/allOf/0` another conjunct says the same; at `b` nothing does."""
    engine = Engine(contract(REPEATED))
    mutation = next(m for m in engine.mutations() if m.class_ == "/properties/a/allOf/0: type.add[null]")
    assert engine.prover.algebra(mutation).proof == ""


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({"contains": {"const": 1}, "minContains": 1}, DRAFT_2020_12),
        ({"contains": {"const": 1}, "minContains": 0, "maxContains": 2}, DRAFT_2020_12),
        ({"type": "integer", "multipleOf": 0.123456789}, DRAFT_07),
        ({"contentMediaType": "application/json"}, DRAFT_07),
        ({"contentMediaType": "application/json", "contentEncoding": "base64"}, DRAFT_07),
        (TREE, DRAFT_2020_12),
        (NESTED, DRAFT_2020_12),
        (DYNAMIC, DRAFT_2020_12),
    ],
)
def test_nothing_stays_undecided(schema: Any, dialect: Dialect) -> None:
    made = corpus(schema, dialect)
    assert [o for o in made.outcomes if o.state == UNDECIDED] == []
    assert made.positives


def test_the_dynamic_scope_does_not_grow_by_going_round() -> None:
    """Resources that refer to each other in turns are entered a few times only."""
    parts = {
        f"p{i}": {
            "$id": f"p{i}",
            "$dynamicAnchor": "m",
            "properties": {"a": {"$ref": f"p{(i + 1) % 6}"}, "b": {"$ref": "r"}},
        }
        for i in range(6)
    }
    made = contract({"$id": "https://example.org/r", "$dynamicAnchor": "m", "$ref": "p0", "$defs": parts})
    found = reach(made)
    assert found.complete
    assert len(generate(made).positives) >= 1


def test_the_outermost_recursive_anchor_counts_for_both_validators() -> None:
    below = {"type": "object", "additionalProperties": {"$recursiveRef": "#"}}
    inner = {"$id": "inner", "$recursiveAnchor": True, "anyOf": [{"type": "string"}, below]}
    schema = {
        "$id": "https://example.org/outer", "$recursiveAnchor": True, "$defs": {"i": inner},
        "anyOf": [{"type": "integer"}, {"$ref": "inner"}],
    }  # fmt: skip
    oracle = Oracle(contract(schema, DRAFT_2019_09))
    assert oracle.accepts({"a": 1}) is True
    assert oracle.accepts({"a": None}) is False


def test_every_use_of_a_definition_is_a_way_to_what_is_deep_inside_it() -> None:
    def use(kind: str) -> Any:
        return {"allOf": [{"$ref": "#/$defs/to"}, {"properties": {"to": {"properties": {"kind": {"const": kind}}}}}]}

    rule = {"properties": {"kind": {"enum": ["section"]}}}
    to = {"type": "object", "properties": {"kind": {"type": "string"}}, "dependentSchemas": {"website": rule}}
    uses = {"section": use("section"), "site": use("site")}
    schema = {"properties": uses, "$defs": {"to": {"type": "object", "properties": {"to": to}}}}
    engine = Engine(contract(schema))
    pointer = "/$defs/to/properties/to/dependentSchemas/website/properties/kind"
    site = next(s for s in engine.routes.reached.values() if s.pointer == pointer)
    assert {route[0] for route in engine.routes.to(site)} == {("properties", "section"), ("properties", "site")}
