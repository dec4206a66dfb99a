"""Two schemas are compared: what narrowed, what widened, where, and the instance that shows it, or a proof."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from compare_pairs import CLOSED, LESS, MORE, OPEN, PAIRS, REFACTORED, SAME
from knownbad.contract import Contract, Document
from knownbad.dialects import DRAFT_2020_12, declared
from knownbad.differ import Comparison, Shift, compare, findings
from knownbad.differ.results import EITHER, INPUT, NO, OUTPUT, UNKNOWN
from knownbad.differ.sides import Joint
from knownbad.errors import NO_VALUE
from knownbad.finding import Level

MIRRORED = {LESS: MORE, MORE: LESS}


def contract(schema: Any, name: str = "schema", **others: Any) -> Contract:
    """A contract of one document, and of more by their URIs."""
    documents = {}
    for file, value in {f"{name}.json": schema, **others}.items():
        uri = f"https://knownbad.invalid/{file}"
        documents[uri] = Document(uri, file, value, declared(value) or DRAFT_2020_12)
    return Contract(name, f"{name}.json", documents)


def compared(base: Any, head: Any, **options: Any) -> Comparison:
    """Head against base."""
    return compare(contract(base), contract(head), **options)


def judged(schema: Any, instance: Any) -> tuple[bool, bool]:
    """What the two validators say, asked without anything of ours."""
    cls = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    fast = jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(instance)
    return cls(schema, format_checker=cls.FORMAT_CHECKER).is_valid(instance), fast


def shifts(found: Comparison) -> list[tuple[str, Shift]]:
    """Every shift of a comparison and of its changes, with its direction."""
    parts = [found, *found.changes]
    return [pair for p in parts for pair in (("narrowing", p.narrowing), ("widening", p.widening))]


@pytest.mark.parametrize("base, head, verdict", PAIRS.values(), ids=PAIRS)
def test_a_change_has_its_verdict_and_every_witness_shows_it(base: Any, head: Any, verdict: str) -> None:
    """The verdicts of small pairs; witnesses are judged by both validators, without anything of ours."""
    found = compared(base, head)
    assert found.verdict == verdict
    for way, shift in shifts(found):
        if shift.shown:
            accepting, rejecting = (base, head) if way == "narrowing" else (head, base)
            assert judged(accepting, shift.witness) == (True, True)
            assert judged(rejecting, shift.witness) == (False, False)
        else:
            assert shift.witness is NO_VALUE
            assert shift.reason


@pytest.mark.parametrize("base, head, verdict", PAIRS.values(), ids=PAIRS)
def test_the_reverse_change_has_the_reverse_verdict(base: Any, head: Any, verdict: str) -> None:
    """Mirrored, narrowing and widening change places, with the same witnesses."""
    there, back = compared(base, head), compared(head, base)
    assert back.verdict == MIRRORED.get(verdict, verdict)
    assert there.narrowing.witness == back.widening.witness or not there.narrowing.shown
    assert there.widening.witness == back.narrowing.witness or not there.widening.shown


@pytest.mark.parametrize("schema", [pair[0] for pair in PAIRS.values()], ids=PAIRS)
def test_a_schema_is_equivalent_to_itself(schema: Any) -> None:
    found = compared(schema, schema)
    assert found.verdict == SAME
    assert found.proof
    assert not found.changes


def test_a_contract_is_equivalent_to_the_very_same_object() -> None:
    one = contract(CLOSED)
    assert compare(one, one).verdict == SAME


@pytest.mark.parametrize("base, head", REFACTORED.values(), ids=REFACTORED)
def test_a_refactoring_is_equivalent_without_a_finding(base: Any, head: Any) -> None:
    """What changes nothing is proved to, and nobody hears of it."""
    found = compared(base, head)
    assert found.verdict == SAME
    assert "annotations" in found.proof
    assert found.changes == ()
    assert findings(found) == []


def test_references_of_each_side_are_followed_among_its_own_documents() -> None:
    """A change in a document that is only referred to is a change of the contract."""
    schema = {"properties": {"a": {"$ref": "part.json"}}}
    one = contract(schema, **{"part.json": {"type": "string"}})
    other = contract(schema, **{"part.json": {"type": "string", "maxLength": 2}})
    found = compare(one, other)
    assert found.verdict == LESS
    assert (found.narrowing.schema, found.narrowing.location) == ("part.json", "/maxLength")


def test_an_unproved_side_is_told_with_what_would_decide_it() -> None:
    """Patterns that no automaton stands for: neither an instance nor a proof. That is never a pass."""
    base = {"type": "string", "pattern": r"^(a|b)\1(?<=aa|bb)$"}
    head = {"type": "string", "pattern": r"^(a|b)\1(?<=bb|aa)$"}
    found = compared(base, head)
    assert found.verdict == "undecided"
    assert UNKNOWN in (found.narrowing.state, found.widening.state)
    assert any("would decide it" in shift.reason for shift in (found.narrowing, found.widening))
    assert found.open(EITHER)
    assert not found.breaks(EITHER)
    assert {f.weight for f in findings(found)} == {Level.UNDECIDED}


def test_an_instance_given_decides_what_nothing_else_does() -> None:
    """A candidate that both validators confirm is a witness; it is made smaller as far as it shows the same."""
    base = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^(a|b)\1$"}, "b": {}}}
    head = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^(a|b)\1(?<!bb)$"}, "b": {}}}
    found = compared(base, head, candidates=[{"a": "bb", "b": [1, 2, 3]}, {"a": 1}])
    assert found.narrowing.witness == {"a": "bb"}


def test_an_input_breaks_by_narrowing_and_an_output_by_widening() -> None:
    narrowed, widened = compared(OPEN, CLOSED), compared(CLOSED, OPEN)
    assert [narrowed.breaks(d) for d in (INPUT, OUTPUT, EITHER)] == [True, False, True]
    assert [widened.breaks(d) for d in (INPUT, OUTPUT, EITHER)] == [False, True, True]
    assert narrowed.widening.state == NO


@pytest.mark.parametrize("direction, level", [(INPUT, Level.NOTE), (OUTPUT, Level.ERROR), (EITHER, Level.ERROR)])
def test_what_breaks_nobody_is_a_note(direction: str, level: Level) -> None:
    """The finding of a widening weighs by the direction of its contract, and keeps its fingerprint."""
    (found,) = findings(compared(CLOSED, OPEN), direction, "envelope")
    assert (found.code.code, found.weight, found.location) == ("KB402", level, "/additionalProperties")
    (other,) = findings(compared(CLOSED, OPEN), EITHER, "envelope")
    assert found.fingerprint == other.fingerprint


def test_each_changed_location_has_a_verdict_of_its_own() -> None:
    """Several changes at once: each is told apart, with its own instance, and one of each direction decides."""
    base = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": [1, 2]}, "c": {"title": "x"}}}
    head = {
        "type": "object",
        "properties": {"a": {"maxLength": 3, "type": "string"}, "b": {"enum": [2, 1, 3]}, "c": {}},
    }
    found = compared(base, head)
    assert {change.place.location: change.verdict for change in found.changes} == {
        "/properties/a/maxLength": LESS,
        "/properties/b/enum": MORE,
    }
    assert all(change.decides for change in found.changes)
    assert found.narrowing.witness == {"a": "abcd"}
    assert found.widening.witness == {"b": 3}
    assert found.narrowing.location == "/properties/a/maxLength"


def test_a_member_that_is_gone_is_told_where_it_was() -> None:
    found = compared({**CLOSED, "properties": {**CLOSED["properties"], "b": {"type": "null"}}}, CLOSED)
    (change,) = found.changes
    assert (change.verdict, change.place.location, change.what) == (LESS, "/properties/b", "member 'b'")
    assert found.narrowing.witness == {"b": None}


def test_formats_that_are_not_asserted_change_nothing() -> None:
    one, other = ({"type": "string"}, {"type": "string", "format": "date"})
    sides = [replace(contract(schema), formats=False) for schema in (one, other)]
    assert compare(*sides).verdict == SAME


def test_both_contracts_answer_as_one_for_all_that_a_walk_asks() -> None:
    """The joint contract has every public method of a contract that takes a subschema."""
    asked = {
        name
        for name, member in vars(Contract).items()
        if callable(member) and not name.startswith("_") and {"source", "parent"} & signature(member).parameters.keys()
    }
    assert "child" in asked
    assert asked <= set(dir(Joint))
