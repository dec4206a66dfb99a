"""Beside a branch of `anyOf` that accepts everything, no other branch counts."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.contract import Contract, Document
from knownbad.corpus import UNREACHABLE
from knownbad.dialects import DRAFT_07, DRAFT_2020_12, Dialect
from knownbad.generate import generate
from knownbad.idle import idle

URI = "https://example.org/s.json"
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}


def contract(schema: Any, dialect: Dialect = DRAFT_2020_12) -> Contract:
    return Contract("s", "s.json", {URI: Document(URI, "s.json", schema, dialect)})


def idle_places(made: Contract) -> set[str]:
    generate(made)  # by then every place is known
    return {sub.pointer for sub in made.subschemas() if idle(made).why(sub)}


@pytest.mark.parametrize("anything", [True, {}, {"anyOf": [{}]}, {"properties": {"a": True}}])
def test_a_branch_beside_one_that_accepts_everything_is_idle(anything: Any) -> None:
    assert idle_places(contract({"anyOf": [TEXT, anything]})) >= {"/anyOf/0", "/anyOf/0/properties/text"}


@pytest.mark.parametrize("other", [{"type": "object"}, {"minProperties": 1}, False])
def test_beside_any_other_branch_none_is(other: Any) -> None:
    assert idle_places(contract({"anyOf": [TEXT, other]})) == set()


def test_the_branch_that_accepts_everything_is_not_idle_itself() -> None:
    assert "/anyOf/1" not in idle_places(contract({"anyOf": [TEXT, {}]}))


def test_what_is_used_elsewhere_too_is_not_idle() -> None:
    schema = {
        "$defs": {"text": TEXT},
        "anyOf": [{"$ref": "#/$defs/text"}, {}],
        "properties": {"a": {"$ref": "#/$defs/text"}},
    }
    assert idle_places(contract(schema)) == {"/anyOf/0"}


def test_up_to_draft_07_what_stands_beside_a_reference_does_not_keep_a_branch_from_accepting_everything() -> None:
    schema = {"definitions": {"any": {}}, "anyOf": [{"$ref": "#/definitions/any", "enum": [1]}, TEXT]}
    assert idle_places(contract(schema, DRAFT_07)) >= {"/anyOf/1"}


def test_under_one_of_every_branch_counts() -> None:
    assert idle_places(contract({"oneOf": [TEXT, {}]})) == set()


def test_classes_at_idle_places_are_unreachable_and_say_why() -> None:
    corpus = generate(contract({"anyOf": [TEXT, {}]}))
    told = {
        o.class_: (o.state, o.reason)
        for o in corpus.outcomes
        if o.keyword_location and o.keyword_location.startswith("/anyOf/0/p")
    }
    assert set(told.values()) == {(UNREACHABLE, "/anyOf/1 beside it accepts everything")}


def test_where_annotations_are_read_an_idle_branch_still_counts() -> None:
    corpus = generate(contract({"anyOf": [TEXT, {}], "unevaluatedProperties": False}))
    assert all(o.state != UNREACHABLE for o in corpus.outcomes)
