"""Branches that no instance is accepted by two of: whether they are `oneOf` or `anyOf` is the same."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from arbitrary import VALUES
from knownbad.apart import branches_apart
from knownbad.compiled import ValidatorFailed
from knownbad.dialects import DIALECTS
from knownbad.distinguish import Engine
from knownbad.varied import contract_of
from test_kill import ODD

D04, D06, D07, D19, D20 = (dialect.uri for dialect in DIALECTS)
KIND_A = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}}}
KIND_B = {"type": "object", "properties": {"kind": {"enum": ["b", "c"]}}}
BRANCHES: dict[str, dict[str, Any]] = {
    "a type": {"type": "integer"},
    "another type": {"type": ["string", "null"]},
    "a number": {"type": "number"},
    "a list of values": {"enum": [1, "a", None]},
    "a value of them, written otherwise": {"const": 1.0},
    "other values": {"enum": [2, "abc", False]},
    "a pattern": {"type": "string", "pattern": "^[0-9]+$"},
    "a pattern that it does not meet": {"type": "string", "pattern": "^[a-z]"},
    "short strings": {"type": "string", "maxLength": 1},
    "long strings": {"type": "string", "minLength": 2},
    "a date": {"type": "string", "format": "date"},
    "an address": {"type": "string", "format": "ipv4"},
    "a kind": KIND_A,
    "another kind": KIND_B,
    "a kind by reference": {"$ref": "#/$defs/a"},
    "a kind that need not be": {"properties": {"kind": {"const": "a"}}},
    "a closed object": {"type": "object", "properties": {"b": {}}, "additionalProperties": False},
    "a member that the closed one has not": {"type": "object", "required": ["kind"]},
    "nothing": False,
    "everything": {},
}  # fmt: skip
KINDS = [*VALUES, *ODD, {"kind": "a"}, {"kind": "b"}, {"b": 1}, {"kind": "c", "b": 1}, "2020-01-01", "1.2.3.4", "ab"]


def proved(*branches: Any, keyword: str = "anyOf", uri: str = D20) -> bool:
    contract = contract_of({"$schema": uri, keyword: [*branches], "$defs": {"a": KIND_A}})
    edits = {"anyOf": "anyOf.one", "oneOf": "oneOf.any"}
    mutation = next(m for m in Engine(contract).mutants() if m.class_ == edits[keyword])
    return bool(branches_apart(contract, mutation))


@pytest.mark.parametrize(
    "pair",
    [
        ("a type", "another type"), ("a list of values", "other values"),
        ("a pattern", "a pattern that it does not meet"),
        ("short strings", "long strings"), ("a date", "an address"), ("a kind", "another kind"),
        ("a kind by reference", "another kind"), ("a closed object", "a member that the closed one has not"),
        ("nothing", "everything"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_branches_that_exclude_one_another_are_told(pair: tuple[str, str], keyword: str) -> None:
    assert proved(*(BRANCHES[name] for name in pair), keyword=keyword)


@pytest.mark.parametrize(
    "pair",
    [
        ("a type", "a number"), ("a list of values", "a value of them, written otherwise"),
        ("a pattern", "long strings"),
        ("a kind that need not be", "another kind"), ("everything", "a type"),
    ],
)  # fmt: skip
def test_branches_that_may_meet_are_not(pair: tuple[str, str]) -> None:
    assert not proved(*(BRANCHES[name] for name in pair))


def test_all_pairs_count() -> None:
    assert proved({"type": "null"}, {"type": "string"}, {"type": "array"})
    assert not proved({"type": "null"}, {"type": "string"}, {"type": ["null", "array"]})


def test_what_is_told_apart_has_no_instance_in_common() -> None:
    """Each pair of the branches above, held against many instances."""
    told = 0
    for one, other in product(BRANCHES.values(), repeat=2):
        if one is other or not proved(one, other):
            continue
        told += 1
        both = {"$schema": D20, "allOf": [one, other], "$defs": {"a": KIND_A}}
        oracle = Engine(contract_of(both)).oracle
        for instance in KINDS:
            try:
                assert not oracle.fast(instance), (one, other, instance)
            except ValidatorFailed:
                continue
    assert told > 40


def test_an_integer_may_be_written_with_a_fraction_of_zero_in_draft_04() -> None:
    assert not proved({"enum": [6]}, {"enum": [6.0]}, uri=D04)
