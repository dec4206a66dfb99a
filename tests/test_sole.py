"""A witness is confirmed by the edited keyword alone only where both validators reject it for that keyword."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from knownbad.contract import Contract, Document
from knownbad.dialects import DRAFT_2020_12
from knownbad.generate import GenerateOptions, generate

URI = "https://example.org/s.json"
D20 = DRAFT_2020_12.uri


@pytest.mark.parametrize(
    "schema",
    [
        {"dependencies": {"bar": ["foo"]}},  # only jsonschema-rs asserts it in 2020-12
        {"dependencies": {"bar": {"properties": {"foo": {"type": "integer"}}}}},
        {"properties": {"a": {"pattern": "^\\p{Lu}+$"}}},  # Python knows no such class
        {"properties": {"a": {"type": "string", "pattern": "^\\d+$", "format": "uuid"}}},
    ],
    ids=["a list of needs", "a schema that depends", "a pattern that Python cannot read", "digits"],
)
def test_every_negative_is_rejected_by_both_validators(schema: dict[str, Any]) -> None:
    whole = {"$schema": D20, **schema}
    made = Contract("s", "s.json", {URI: Document(URI, "s.json", whole, DRAFT_2020_12)})
    for fixture in generate(made, (), GenerateOptions("all")).fixtures:
        fast = jsonschema_rs.Draft202012Validator(whole, validate_formats=True).is_valid(fixture.instance)
        checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
        slow = jsonschema.Draft202012Validator(whole, format_checker=checker).is_valid(fixture.instance)
        assert (fast, slow) == (fixture.positive, fixture.positive), fixture
