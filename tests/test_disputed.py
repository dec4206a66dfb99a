"""Keywords that the two validators read differently: nothing is proved from what only one of them asserts."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from knownbad.contract import Contract, Document
from knownbad.dialects import DIALECTS, Dialect
from knownbad.differ import compare
from knownbad.keywords.places import disputed

CLASSES = ("Draft4Validator", "Draft6Validator", "Draft7Validator", "Draft201909Validator", "Draft202012Validator")
# Each keyword with what it says, and an instance that fails it where it is asserted.
SAID: list[tuple[str, dict[str, Any], Any]] = [
    ("dependencies", {"dependencies": {"a": ["b"]}}, {"a": 1}),
    ("dependencies of a schema", {"dependencies": {"a": {"required": ["b"]}}}, {"a": 1}),
    ("dependentRequired", {"dependentRequired": {"a": ["b"]}}, {"a": 1}),
    ("dependentSchemas", {"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}),
    ("const", {"const": 1}, 2),
    ("contains", {"contains": {"type": "string"}}, [1]),
    ("minContains", {"contains": {"type": "string"}, "minContains": 2}, ["a"]),
    ("propertyNames", {"propertyNames": {"maxLength": 1}}, {"ab": 1}),
    ("if", {"if": {"type": "string"}, "then": {"minLength": 2}}, "a"),
    ("prefixItems", {"prefixItems": [{"type": "string"}]}, [1]),
    ("unevaluatedProperties", {"unevaluatedProperties": False}, {"a": 1}),
    ("unevaluatedItems", {"unevaluatedItems": False}, [1]),
    ("additionalItems", {"items": [{}], "additionalItems": False}, [1, 2]),
]


@pytest.mark.parametrize(("name", "said", "instance"), SAID, ids=[name for name, _, _ in SAID])
@pytest.mark.parametrize("dialect", DIALECTS, ids=[d.name for d in DIALECTS])
def test_the_validators_dispute_what_is_said_to_be_disputed_and_nothing_else(
    name: str, said: dict[str, Any], instance: Any, dialect: Dialect
) -> None:
    if "items" in said and dialect.year == 20:
        pytest.skip("a list of items is no schema in 2020-12")
    cls = CLASSES[DIALECTS.index(dialect)]
    schema = {"$schema": dialect.uri, **said}
    verdicts = {getattr(library, cls)(schema).is_valid(instance) for library in (jsonschema, jsonschema_rs)}
    assert (len(verdicts) == 2) is disputed(name.split(maxsplit=1)[0], dialect)


OLD, _, _, _, NEW = (dialect.uri for dialect in DIALECTS)
NEEDS = {"dependencies": {"a": ["b"]}}


def verdict(base: dict[str, Any], head: dict[str, Any]) -> str:
    sides = []
    for value in (base, head):
        dialect = next(d for d in DIALECTS if d.uri == value["$schema"])
        sides.append(
            Contract(
                "s",
                "s.json",
                {"https://knownbad.invalid/s": Document("https://knownbad.invalid/s", "s.json", value, dialect)},
            )
        )
    return compare(*sides).verdict


@pytest.mark.parametrize("around", [lambda s: s, lambda s: {"properties": {"x": s}}, lambda s: {"not": {"not": s}}])
def test_a_disputed_keyword_is_not_the_same_as_one_that_both_assert(around: Any) -> None:
    old, new = {"$schema": OLD, **around(NEEDS)}, {"$schema": NEW, **around(NEEDS)}
    required = {"$schema": NEW, **around({"dependentRequired": {"a": ["b"]}})}
    assert verdict(old, new) == verdict(new, old) == "undecided"
    assert verdict(new, required) == verdict(required, new) == "undecided"
    assert verdict(old, required) == "equivalent"
    assert verdict(new, {**new, "title": "the same"}) == "equivalent"
