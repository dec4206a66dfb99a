"""Proofs that are read off the schema, and the names that a closed object leaves."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.contract import Contract, Document
from knownbad.corpus import DOMINATED, FIXTURE
from knownbad.dialects import DRAFT_04, DRAFT_2020_12
from knownbad.distinguish import Engine
from knownbad.generate import GenerateOptions, generate
from knownbad.rules import by_strings, no_name_left, said_by_rest, said_twice

URI = "https://example.org/s.json"


def contract(schema: Any) -> Contract:
    return Contract("s", "s.json", {URI: Document(URI, "s.json", schema, DRAFT_2020_12)})


ZIP = {"type": "string", "minLength": 5, "maxLength": 10, "pattern": "^([0-9]{5})(-([0-9]{4}))?$"}


@pytest.mark.parametrize(
    ("schema", "class_", "proved"),
    [
        (ZIP, "minLength.lower", True),
        (ZIP, "maxLength.raise", True),
        (ZIP, "minLength.raise", False),
        (ZIP, "pattern.drop", False),
        ({**ZIP, "minLength": 6}, "minLength.lower", False),
        ({"pattern": "^a{3}$", "maxLength": 4}, "maxLength.raise", True),
        ({"pattern": "^a{3}$", "maxLength": 4}, "maxLength.lower", True),
        ({"pattern": "^a{3}$", "maxLength": 3}, "maxLength.lower", False),
    ],
)
def test_string_keywords_are_dominated_by_a_pattern_that_says_as_much(schema: Any, class_: str, proved: bool) -> None:
    made = contract(schema)
    mutation = next(m for m in Engine(made).mutations() if m.class_ == class_)
    assert bool(by_strings(made, mutation)) is proved


def test_a_format_that_is_not_asserted_by_both_validators_is_told_from_one_that_is_dominated() -> None:
    reasons = {}
    for name in ("mongoId", "date"):
        document = Document(URI, "s.json", {"type": "string", "format": name}, DRAFT_04)
        made = generate(Contract("s", "s.json", {URI: document}))
        reasons[name] = next(o.reason for o in made.outcomes if o.class_ == "format.drop")
    assert reasons["mongoId"] == "no validator asserts the format 'mongoId' in draft-04"
    assert (reasons["date"] or "").startswith("only one of the validators asserts the format 'date' in draft-04")


CLOSED = "/additionalProperties: additionalProperties.open"


@pytest.mark.parametrize(
    ("schema", "class_", "proved"),
    [
        ({"patternProperties": {".*": {"enum": [1]}}, "additionalProperties": False}, CLOSED, True),
        ({"patternProperties": {"^a": {}, "^[^a]|^$": {}}, "additionalProperties": False}, CLOSED, True),
        ({"patternProperties": {".+": {"enum": [1]}}, "additionalProperties": False}, CLOSED, False),
        ({"properties": {"a": {}}, "patternProperties": {".*": {}}}, "additionalProperties.close", True),
        ({"patternProperties": {"": {}}, "additionalProperties": {"items": {"type": "null"}}},
         "/additionalProperties/items: type.drop", True),
        ({"patternProperties": {"": {}}, "additionalProperties": {"type": "null"},
          "properties": {"a": {"$ref": "#/additionalProperties"}}}, "/additionalProperties: type.drop", False),
    ],
)  # fmt: skip
def test_patterns_that_match_every_name_leave_nothing_to_additional_properties(
    schema: Any, class_: str, proved: bool
) -> None:
    made = contract(schema)
    mutation = next(m for m in Engine(made).mutations() if m.class_ == class_)
    assert bool(no_name_left(made, mutation)) is proved


ITEM = {"type": "array", "items": {"type": "object"}}
MAYBE = {"oneOf": [{"type": "null"}, ITEM]}


@pytest.mark.parametrize(
    ("schema", "class_", "proved"),
    [
        (
            {"properties": {"by": {"title": "By", **ITEM}}, "patternProperties": {"^b": ITEM}},
            "/properties/by: type.add[null]", True,
        ),
        ({"properties": {"by": ITEM}, "patternProperties": {"^b": ITEM}}, "/properties/by/items: type.add[null]", True),
        ({"properties": {"by": ITEM}, "patternProperties": {"^c": ITEM}}, "/properties/by: type.add[null]", False),
        (
            {"properties": {"by": ITEM}, "patternProperties": {"^b": {"type": "array"}}},
            "/properties/by: type.add[null]", False,
        ),
        (
            {"properties": {"by": ITEM, "to": {"$ref": "#/properties/by"}}, "patternProperties": {"^b": ITEM}},
            "/properties/by: type.add[null]", False,
        ),
        (
            {"properties": {"by": MAYBE}, "patternProperties": {"^b": MAYBE}},
            "/properties/by/oneOf/1: type.add[null]", False,
        ),
    ],
)  # fmt: skip
def test_a_property_is_dominated_by_a_pattern_beside_it_that_says_the_same(
    schema: Any, class_: str, proved: bool
) -> None:
    made = contract(schema)
    mutation = next(m for m in Engine(made).mutations() if m.class_ == class_)
    assert bool(said_twice(made, mutation)) is proved


def test_a_member_that_must_be_other_takes_a_name_that_a_closed_object_declares() -> None:
    """At least one member that is no extension, where only statuses and extensions have a place."""
    extension = {"type": "object", "additionalProperties": False, "patternProperties": {"^x-": True}}
    schema = {
        "type": "object", "additionalProperties": False, "not": extension,
        "patternProperties": {"^[0-9]{3}$": {"type": "string"}, "^x-": True},
    }  # fmt: skip
    made = generate(contract(schema), (), GenerateOptions(faults="all"))
    assert {f.slug for f in made.positives}
    states = {o.class_: o.state for o in made.outcomes}
    assert states["not.drop"] == FIXTURE
    assert states["/patternProperties/^[0-9]{3}$: type.add[null]"] == FIXTURE


def test_a_pattern_that_fixes_the_length_leaves_nothing_undecided() -> None:
    states = [o.state for o in generate(contract(ZIP), (), GenerateOptions(faults="all")).outcomes]
    assert set(states) == {FIXTURE, DOMINATED}


TEXTS = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "proved"),
    [
        ({"patternProperties": {"^x": TEXTS}, "additionalProperties": TEXTS}, True),
        (
            {"patternProperties": {"^x": TEXTS}, "additionalProperties": {**TEXTS, "description": "said otherwise"}},
            True,
        ),
        ({"patternProperties": {"^x": TEXTS}, "additionalProperties": {"type": "null"}}, False),
        ({"patternProperties": {"^x": TEXTS}}, False),
        ({"patternProperties": {"^x": TEXTS}, "additionalProperties": TEXTS, "properties": {"xy": {}}}, False),
        ({"patternProperties": {"^x": TEXTS, "y$": {"type": "string"}}, "additionalProperties": TEXTS}, False),
    ],
)
def test_a_pattern_says_nothing_where_the_rest_says_the_same(schema: Any, proved: bool) -> None:
    made = contract(schema)
    edits = [m for m in Engine(made).mutants() if m.name.startswith("patternProperties.") and "^x" in m.name]
    found = {m.name for m in edits if said_by_rest(made, m)}
    assert ("patternProperties.remove[^x]" in found) is proved
    assert bool(found) is proved
