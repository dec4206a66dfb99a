"""Two schemas are compared: what narrowed, what widened, where, and the instance that shows it, or a proof."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from knownbad.contract import Contract, Document
from knownbad.dialects import DRAFT_2020_12, declared
from knownbad.differ import Comparison, Shift, compare, findings
from knownbad.differ.results import EITHER, INPUT, NO, OUTPUT, UNKNOWN
from knownbad.differ.sides import Joint
from knownbad.errors import NO_VALUE
from knownbad.finding import Level

D4, D6, D7 = (f"http://json-schema.org/draft-0{n}/schema#" for n in (4, 6, 7))
D19, D20 = "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"
SAME, LESS, MORE, BOTH = "equivalent", "narrowed", "widened", "both"
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


CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}
NODE = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}
TREE = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}}
NAMED = {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer", "minimum": 0}}

PAIRS: dict[str, tuple[Any, Any, str]] = {
    "an object opened": (CLOSED, OPEN, MORE),
    "an optional member in a closed object": (
        CLOSED,
        {**CLOSED, "properties": {**CLOSED["properties"], "b": {}}},
        MORE,
    ),
    "an optional member in an open object": (OPEN, {**OPEN, "properties": {**OPEN["properties"], "b": False}}, LESS),
    "a member required": (OPEN, {**OPEN, "required": ["a"]}, LESS),
    "a bound written otherwise": (
        {"type": "integer", "minimum": 1},
        {"type": "integer", "exclusiveMinimum": 0},
        SAME,
    ),
    "a bound that is no integer": ({"type": "integer", "minimum": 0.5}, {"type": "integer", "minimum": 1}, SAME),
    "a bound of numbers": ({"minimum": 0.5}, {"minimum": 1}, LESS),
    "multiples of multiples": ({"multipleOf": 4}, {"multipleOf": 2}, MORE),
    "a const exchanged": ({"const": 1}, {"const": 2}, BOTH),
    "an enum reordered": ({"enum": [1, "a", None]}, {"enum": ["a", None, 1.0]}, SAME),
    "an enum that lists a type": ({"type": ["boolean", "null"]}, {"enum": [None, True, False]}, SAME),
    "an enum grown": ({"enum": ["a"]}, {"enum": ["a", "b"]}, MORE),
    "an enum under a type that it has": ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}, SAME),
    "a format added": ({"type": "string"}, {"type": "string", "format": "date"}, LESS),
    "an unknown format added": ({"type": "string"}, {"type": "string", "format": "unheard-of"}, SAME),
    "a pattern written otherwise": (
        {"type": "string", "pattern": "^[0-9]+$"},
        {"type": "string", "pattern": "^[0-9][0-9]*$"},
        SAME,
    ),
    "a pattern of a few texts": ({"type": "string", "pattern": "^(a|b[.])$"}, {"enum": ["a", "b."]}, SAME),
    "a denial of anything": ({"not": {}}, False, SAME),
    "a dependency written as a choice": (
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        {"type": "object", "anyOf": [{"not": {"required": ["a"]}}, {"required": ["b"]}]},
        SAME,
    ),
    "a closure that all of a conjunction must meet": (
        {"allOf": [OPEN, {"properties": {"b": {}}}]},
        {"allOf": [CLOSED, {"properties": {"b": {}}}]},
        LESS,
    ),
    "a recursive reference made a dynamic one": (
        {"$schema": D19, "$id": "https://example.org/t", "$recursiveAnchor": True, "items": {"$recursiveRef": "#"}},
        {"$schema": D20, "$id": "https://example.org/t", "$dynamicAnchor": "x", "items": {"$dynamicRef": "#x"}},
        SAME,
    ),
    "a length that a pattern says": (
        {"type": "string", "pattern": "^[a-z]{2}$"},
        {"type": "string", "pattern": "^[a-z]{2}$", "maxLength": 2, "minLength": 1},
        SAME,
    ),
    "a pattern of members widened": (
        {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False},
        {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
        MORE,
    ),
    "what all names match": (
        {"additionalProperties": {"type": "string"}},
        {"patternProperties": {"": {"type": "string"}}, "additionalProperties": False},
        SAME,
    ),
    "a type split into branches": (
        {"type": ["string", "array"], "items": {"type": "string"}},
        {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        SAME,
    ),
    "a branch that another one holds": (
        {"anyOf": [{"type": "string"}, {"maxLength": 5, "type": "string"}]},
        {"type": "string"},
        SAME,
    ),
    "a branch more": ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, MORE),
    "a branch of oneOf that overlaps": (
        {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        {"oneOf": [{"type": "integer"}, {"type": "string"}, {"minimum": 5, "type": "number"}]},
        BOTH,
    ),
    "a branch of oneOf told by a member": (
        {"oneOf": [{"properties": {"t": {"const": "a"}}, "required": ["t"]}]},
        {
            "oneOf": [
                {"properties": {"t": {"const": "a"}}, "required": ["t"]},
                {"properties": {"t": {"const": "b"}}, "required": ["t"], "type": "object"},
            ]
        },
        MORE,  # what is no object meets only the first
    ),
    "not weakened": ({"not": {"type": ["string", "null"]}}, {"not": {"type": "string"}}, MORE),
    "a condition for what there cannot be": (
        {"type": "string"},
        {"type": "string", "if": {"type": "integer"}, "then": {"minimum": 3}},
        SAME,
    ),
    "then tightened": (
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b", "c"]}},
        LESS,
    ),
    "else added": (
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 1}},
        LESS,
    ),
    "a dependency dropped": ({"dependentRequired": {"a": ["b", "c"]}}, {"dependentRequired": {"a": ["b"]}}, MORE),
    "a dependent schema": (
        {"type": "object"},
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}},
        LESS,
    ),
    "contains counted": (
        {"type": "array", "contains": {"const": 1}, "minContains": 2},
        {"type": "array", "contains": {"const": 1}},
        MORE,
    ),
    "contains capped": (
        {"type": "array", "contains": {"const": 1}},
        {"type": "array", "contains": {"const": 1}, "maxContains": 2},
        LESS,
    ),
    "items repeated": ({"type": "array", "uniqueItems": True}, {"type": "array"}, MORE),
    "names of members": ({"propertyNames": {"maxLength": 3}}, {"propertyNames": {"maxLength": 2}}, LESS),
    "unevaluated closes": (
        {"allOf": [{"properties": {"a": {}}}], "type": "object"},
        {"allOf": [{"properties": {"a": {}}}], "type": "object", "unevaluatedProperties": False},
        LESS,
    ),
    "a member behind unevaluated": (
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"allOf": [{"properties": {"a": {}, "b": {"type": "null"}}}], "unevaluatedProperties": False},
        MORE,
    ),
    "two ways to close": (
        {"properties": {"a": {}}, "additionalProperties": False},
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        SAME,
    ),
    "recursion tightened": (
        {**NODE, "$defs": {"node": NODE}},
        {**NODE, "$defs": {"node": {**NODE, "required": ["v"]}}},
        LESS,
    ),
    "recursion by the root": (TREE, {**TREE, "minProperties": 1}, LESS),
    "a reference to nothing new": ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, {}, SAME),
    "a sibling of a reference": (
        {"$schema": D20, "$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"$schema": D20, "$ref": "#/$defs/a", "type": "string", "$defs": {"a": {}}},
        LESS,
    ),
    "a schema emptied": ({**CLOSED, "$schema": D20}, {"$schema": D20}, MORE),
    "nothing accepted any more": ({"type": "string"}, False, LESS),
    "a new dialect, the same schema": (
        {"$schema": D7, "definitions": {"a": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/a"}}},
        {"$schema": D20, "$defs": {"a": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/a"}}},
        SAME,
    ),
    "a new dialect wakes a sibling": (
        {"$schema": D7, "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a", "maxLength": 3}}},
        {"$schema": D20, "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a", "maxLength": 3}}},
        LESS,
    ),
    "a tuple in a new dialect": (
        {"$schema": D19, "items": [{"type": "string"}], "additionalItems": False},
        {"$schema": D20, "prefixItems": [{"type": "string"}], "items": False},
        SAME,
    ),
    "an integer in a new dialect": ({"$schema": D4, "type": "integer"}, {"$schema": D7, "type": "integer"}, MORE),
    "a bound in a new dialect": (
        {"$schema": D4, "minimum": 0, "exclusiveMinimum": True},
        {"$schema": D6, "exclusiveMinimum": 0},
        SAME,
    ),
    "dependencies in a new dialect": (
        {"$schema": D7, "dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
        {"$schema": D20, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}}},
        SAME,
    ),
    "an extensible tree closed": (
        {"$schema": D19, "$id": "https://example.org/tree", "$recursiveAnchor": True, **TREE},
        {"$schema": D19, "$id": "https://example.org/tree", "$recursiveAnchor": True, **TREE, "maxProperties": 1},
        LESS,
    ),
    "a dynamic reference bound elsewhere": (
        {"$schema": D20, "$id": "https://example.org/list", "items": {"$dynamicRef": "#item"},
         "$defs": {"any": {"$dynamicAnchor": "item", "type": "string"}}},
        {"$schema": D20, "$id": "https://example.org/list", "items": {"$dynamicRef": "#item"},
         "$defs": {"any": {"$dynamicAnchor": "item", "type": "integer"}}},
        BOTH,
    ),
}  # fmt: skip


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


REFACTORED: dict[str, tuple[Any, Any]] = {
    "a definition renamed": (
        {"properties": {"a": {"$ref": "#/$defs/old"}}, "$defs": {"old": CLOSED}},
        {"properties": {"a": {"$ref": "#/$defs/new"}}, "$defs": {"new": CLOSED}},
    ),
    "a definition moved below another": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": {"$ref": "#/$defs/all/$defs/a"}}, "$defs": {"all": {"$defs": {"a": CLOSED}}}},
    ),
    "a definition put in place": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": CLOSED}},
    ),
    "a schema split": (
        {"type": "object", "properties": NAMED, "required": ["kind"], "minProperties": 1},
        {"allOf": [{"type": "object", "required": ["kind"]}, {"properties": NAMED}, {"minProperties": 1}]},
    ),
    "recursion unrolled": (
        {**NODE, "$defs": {"node": NODE}},
        {**NODE, "$defs": {"node": {**NODE, "properties": {**NODE["properties"], "next": NODE}}}},
    ),
    "lists reordered": (
        {"required": ["a", "b"], "type": ["string", "object"], "enum": ["x", {"a": 1, "b": 2}]},
        {"enum": [{"b": 2, "a": 1}, "x"], "type": ["object", "string"], "required": ["b", "a"]},
    ),
    "branches reordered": (
        {"oneOf": [{"type": "string"}, CLOSED], "anyOf": [{"type": "string"}, {"minProperties": 1}]},
        {"anyOf": [{"minProperties": 1}, {"type": "string"}], "oneOf": [CLOSED, {"type": "string"}]},
    ),
    "annotations edited": (
        {"title": "A", "description": "x", "examples": [1], "properties": {"a": {"default": 1, "type": "integer"}}},
        {"title": "B", "$comment": "y", "properties": {"a": {"type": "integer", "deprecated": True}}},
    ),
    "an identifier changed": (
        {"$id": "https://example.org/a", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"$id": "https://example.org/b", "properties": {"a": {"$ref": "b#/$defs/a"}}, "$defs": {"a": CLOSED}},
    ),
    "a pointer made an anchor": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": {"$ref": "#it"}}, "$defs": {"a": {**CLOSED, "$anchor": "it"}}},
    ),
}


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
