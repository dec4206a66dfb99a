"""Proofs by type: what a weaker `type` could let through is rejected all the same."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.dialects import DIALECTS
from knownbad.distinguish import Engine
from knownbad.kinds import by_types
from knownbad.varied import contract_of

D04, D06, D07, D19, D20 = (dialect.uri for dialect in DIALECTS)
OBJECT, NAMED = {"type": "object"}, {"type": "object", "required": ["n"]}


def proved(schema: dict[str, Any], uri: str = D20) -> set[str]:
    """The mutants that are proved by type alone to change nothing."""
    contract = contract_of({"$schema": uri, **schema})
    return {m.class_ for m in Engine(contract).mutants() if by_types(contract, m)}


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({**OBJECT, "allOf": [NAMED]}, ["", "/allOf/0"]),
        ({**OBJECT, "$ref": "#/$defs/d", "$defs": {"d": NAMED}}, ["", "/$defs/d"]),
        ({**OBJECT, "anyOf": [NAMED, {"type": "string"}]}, ["/anyOf/0"]),
        ({**OBJECT, "not": NAMED}, ["/not"]),
        ({"enum": [{}, {"n": 1}], "oneOf": [NAMED, {"maxProperties": 0}]}, ["/oneOf/0"]),
        ({"dependentSchemas": {"n": NAMED}}, ["/dependentSchemas/n"]),
        ({"allOf": [{"allOf": [{"allOf": [NAMED]}]}, OBJECT]}, ["/allOf/0/allOf/0/allOf/0", "/allOf/1"]),
    ],
)
def test_a_type_is_said_again_by_what_is_applied_beside_it_or_around_it(
    schema: dict[str, Any], places: list[str]
) -> None:
    found = proved(schema)
    assert {name for name in found if name.endswith("type.drop")} == {
        f"{p}: type.drop".removeprefix(": ") for p in places
    }
    assert any(name.endswith("type.add[null]") for name in found)


@pytest.mark.parametrize(
    "schema",
    [
        {**OBJECT, "properties": {"a": OBJECT}},
        {"anyOf": [OBJECT, {"type": "string"}]},
        {**OBJECT, "allOf": [{"type": ["object", "array"]}]},
        {"items": {"$ref": "#/$defs/d"}, "allOf": [{**OBJECT, "$ref": "#/$defs/d"}], "$defs": {"d": NAMED}},
    ],
)
def test_a_type_that_is_said_once_on_some_way_is_not_called_repeated(schema: dict[str, Any]) -> None:
    assert not any(name == "type.drop" or name.endswith("/d: type.drop") for name in proved(schema))


def test_an_ignored_sibling_of_a_reference_says_nothing() -> None:
    schema = {"definitions": {"d": NAMED}, "properties": {"a": {"$ref": "#/definitions/d", "type": "object"}}}
    assert proved(schema, D07) == set()


def test_every_name_is_a_string() -> None:
    schema = {
        "propertyNames": {"type": "string"},
        "properties": {"a": {"propertyNames": {"type": "string", "minLength": 1}}},
    }
    found = proved(schema, D06)
    assert "propertyNames.drop" in found
    assert "/properties/a: propertyNames.drop" not in found
    assert {"/propertyNames: type.drop", "/properties/a/propertyNames: type.drop"} <= found


def test_what_applies_to_names_and_to_values_may_meet_another_type() -> None:
    schema = {"propertyNames": {"$ref": "#/$defs/s"}, "additionalProperties": {"$ref": "#/$defs/s"},
              "$defs": {"s": {"type": "string"}}}  # fmt: skip
    assert "/$defs/s: type.drop" not in proved(schema)
