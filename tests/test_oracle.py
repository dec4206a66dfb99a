"""The oracle: two validators, one verdict, in every dialect and across documents."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad import dialects
from knownbad.compiled import ValidatorFailed, validators
from knownbad.contract import Contract, Document
from knownbad.dialects import DIALECTS, DRAFT_04, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.oracle import Oracle

BASE = "https://knownbad.invalid/schemas/"


def contract(
    *schemas: Any,
    dialect: Dialect = DRAFT_2020_12,
    root: str = "",
    formats: bool = True,
    any_refs: tuple[str, ...] = (),
) -> Contract:
    """A contract over a.json (its own document), b.json, c.json and so on."""
    documents = {}
    for letter, schema in zip("abcdef", schemas, strict=False):
        uri = f"{BASE}{letter}.json"
        documents[uri] = Document(uri, f"{letter}.json", schema, dialects.declared(schema) or dialect)
    return Contract("test", "a.json", documents, root, formats, frozenset(any_refs))


OWN = f"{BASE}a.json"
OTHER = f"{BASE}b.json"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_each_dialect_is_judged_by_its_own_validators(dialect: Dialect) -> None:
    oracle = Oracle(contract({"properties": {"a": {"minimum": 3}}, "required": ["a"]}, dialect=dialect))
    assert oracle.accepts({"a": 3}) is True
    assert oracle.accepts({"a": 2}) is False
    assert oracle.accepts({}) is False
    assert oracle.disagreements == []


DIALECT_DIFFERENCES = [
    ("const is no keyword of draft-04", {"const": 1}, 2, {4}),
    ("if is no keyword before draft-07", {"if": True, "then": False}, 2, {4, 6}),
    ("a tuple of items is gone in 2020-12", {"prefixItems": [{"type": "string"}]}, [1], {4, 6, 7, 19}),
    ("keywords beside a reference wake up in 2019-09", {"allOf": [{"$ref": "#/definitions/x", "minimum": 9}],
                                                        "definitions": {"x": {}}}, 1, {4, 6, 7}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "instance", "accepting"), [row[1:] for row in DIALECT_DIFFERENCES],
                         ids=[row[0] for row in DIALECT_DIFFERENCES])  # fmt: skip
def test_a_dialect_without_the_keyword_accepts(schema: Any, instance: Any, accepting: set[int]) -> None:
    found = {d.year for d in DIALECTS if Oracle(contract(schema, dialect=d)).accepts(instance)}
    assert found == accepting


def test_references_reach_the_other_documents_by_path_and_by_identifier() -> None:
    own = {"properties": {"path": {"$ref": "b.json#/$defs/n"}, "id": {"$ref": "https://elsewhere.invalid/c#n"}}}
    other = {"$defs": {"n": {"$ref": "a.json#/$defs/back"}}}
    third = {"$id": "https://elsewhere.invalid/c", "$defs": {"x": {"$anchor": "n", "type": "string"}}}
    oracle = Oracle(contract({**own, "$defs": {"back": {"type": "integer"}}}, other, third))
    assert oracle.accepts({"path": 1, "id": "s"}) is True
    assert oracle.accepts({"path": "s"}) is False
    assert oracle.accepts({"id": 1}) is False
    assert [(e.keyword_location, e.document) for e in oracle.errors({"path": "s", "id": 1})] == [
        ("/$defs/back/type", OWN),
        ("/$defs/x/type", f"{BASE}c.json"),
    ]


def test_documents_of_two_dialects_stand_side_by_side() -> None:
    own = {"$schema": DRAFT_2020_12.uri, "$ref": "b.json"}
    uri = OTHER
    other = Document(uri, "b.json", {"minimum": 3, "exclusiveMinimum": True}, DRAFT_04)
    both = contract(own)
    oracle = Oracle(Contract("x", "a.json", {**both.documents, uri: other}))
    assert oracle.accepts(3) is False
    assert oracle.accepts(4) is True


def test_the_published_metaschemas_can_be_referred_to() -> None:
    import jsonschema

    metaschema = jsonschema.Draft4Validator.META_SCHEMA
    uri = "http://json-schema.org/draft-04/schema"
    for dialect in (DRAFT_04, DRAFT_07):
        own = contract(
            {"properties": {"t": {"$ref": f"{uri}#/properties/title"}, "s": {"$ref": f"{uri}#"}}}, dialect=dialect
        )
        both = {**own.documents, uri: Document(uri, "draft-04", metaschema, DRAFT_04)}
        oracle = Oracle(Contract("x", "a.json", both))
        assert oracle.accepts({"t": "x", "s": {"minimum": 1}}) is True
        assert oracle.accepts({"t": 1}) is False
        assert oracle.accepts({"s": {"minimum": "1"}}) is False


def test_dependencies_may_mix_lists_and_schemas() -> None:
    schema = {"dependencies": {"a": {"$ref": "#/definitions/n"}, "b": ["a"]}, "definitions": {"n": {"required": ["b"]}}}
    for dialect in (DRAFT_04, DRAFT_07):
        oracle = Oracle(contract(schema, dialect=dialect))
        assert [oracle.accepts(x) for x in ({"a": 1}, {"b": 1}, {"a": 1, "b": 1})] == [False, False, True]


def test_a_document_may_be_known_under_two_uris() -> None:
    identified = "https://elsewhere.invalid/b.json"
    value = {"$id": identified, "$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n"}
    other = Document(identified, "b.json", value, DRAFT_2020_12)
    own = contract({"properties": {"path": {"$ref": "b.json"}, "id": {"$ref": identified}}})
    oracle = Oracle(Contract("x", "a.json", {**own.documents, OTHER: other, identified: other}))
    assert oracle.accepts({"path": 1, "id": 1}) is True
    assert oracle.accepts({"path": "s"}) is False
    assert {(e.keyword_location, e.document) for e in oracle.errors({"path": "s", "id": "s"})} == {
        ("/$defs/n/type", identified)
    }
    mutant = oracle.mutant({(identified, "/$defs/n"): {}})
    assert mutant.accepts({"path": "s", "id": "s"}) is True


def test_the_root_may_be_a_pointer_into_a_document_that_is_no_schema() -> None:
    openapi = {"openapi": "3.1.0", "components": {"schemas": {"a~/b%": {"$ref": "#/components/schemas/N"},
                                                              "N": {"type": "integer"}}}}  # fmt: skip
    oracle = Oracle(contract(openapi, root="/components/schemas/a~0~1b%"))
    assert oracle.accepts(1) is True
    assert oracle.accepts("1") is False
    assert oracle.errors("1")[0].keyword_location == "/components/schemas/N/type"


def test_identifiers_of_draft_04_change_the_base() -> None:
    schema = {
        "id": "http://x.invalid/root.json",
        "properties": {"id": {"type": "string"}, "n": {"$ref": "inner/n.json"}, "m": {"$ref": "#named"}},
        "definitions": {
            "n": {"id": "inner/n.json", "type": "integer", "not": {"$ref": "m.json"}},
            "m": {"id": "inner/m.json", "minimum": 5},
            "o": {"id": "#named", "enum": [1]},
        },
    }
    oracle = Oracle(contract(schema, dialect=DRAFT_04))
    assert oracle.accepts({"id": "x", "n": 4, "m": 1}) is True
    for bad in ({"id": 1}, {"n": 5}, {"n": "4"}, {"m": 2}):
        assert oracle.accepts(bad) is False, bad
    assert oracle.errors({"n": "4"})[0].keyword_location == "/definitions/n/type"


def test_formats_are_asserted_only_on_request() -> None:
    schema = {"format": "date"}
    assert Oracle(contract(schema)).accepts("2024-02-30") is False
    assert Oracle(contract(schema, formats=False)).accepts("2024-02-30") is True
    for dialect in DIALECTS:
        assert Oracle(contract({"format": "ipv4"}, dialect=dialect)).accepts("1.2.3.400") is False


def test_no_verdict_when_the_validators_disagree() -> None:
    oracle = Oracle(contract({"pattern": r"^\d$"}))
    assert oracle.accepts("7") is True
    assert oracle.accepts("\N{ARABIC-INDIC DIGIT SEVEN}") is None
    assert "jsonschema accepts, jsonschema-rs rejects" in oracle.disagreements[0]


def test_no_verdict_when_one_validator_crashes() -> None:
    oracle = Oracle(contract({"pattern": r"^\p{L}$"}))
    assert oracle.fast("é") is True
    assert oracle.accepts("é") is None
    assert oracle.disagreements[0].startswith("jsonschema: ")


def test_deep_recursion_is_no_verdict() -> None:
    instance: Any = []
    for _ in range(3000):
        instance = [instance]
    assert Oracle(contract({"items": {"$ref": "#"}})).accepts(instance) is None


def test_a_schema_that_does_not_compile_has_no_verdict_and_says_why() -> None:
    mutant = Oracle(contract({"pattern": "a"})).mutant({(OWN, ""): {"pattern": "("}})
    assert mutant.broken is not None
    assert mutant.accepts({}) is None
    with pytest.raises(ValidatorFailed):
        mutant.fast({})


def test_a_reference_to_anything_accepts_anything() -> None:
    missing = "https://gone.invalid/x.json"
    own = {"properties": {"a": {"$ref": f"{missing}#/q", "maxLength": 1}, "b": {"$ref": "#/$defs/none"},
                          "c": {"type": "string"}}}  # fmt: skip
    refs = (f"{missing}#/q", f"{OWN}#/$defs/none")
    oracle = Oracle(contract(own, any_refs=refs))
    assert oracle.accepts({"a": 1, "b": 1}) is True
    assert oracle.accepts({"a": "xx"}) is False
    assert oracle.accepts({"c": 1}) is False
    mutant = oracle.mutant({(OWN, "/properties/c"): {"$ref": f"{missing}#/q"}})
    assert mutant.accepts({"c": 1}) is True
    unused = {**own, "definitions": {"x": {"$ref": f"{missing}#/q"}}}
    assert Oracle(contract(unused, any_refs=refs)).accepts({"a": 1}) is True
    old = Oracle(contract(own, any_refs=refs, dialect=DRAFT_07))
    assert old.accepts({"a": "xx", "b": 1}) is True


def test_a_mutant_differs_only_where_it_was_edited() -> None:
    own = {"properties": {"a": {"$ref": "b.json"}, "c": {"minimum": 3}}}
    other = {"type": "integer", "$defs": {"x": {"$id": "https://x.invalid/", "type": "null"}}}
    oracle = Oracle(contract(own, other))
    assert oracle.accepts({"a": "s"}) is False
    mutant = oracle.mutant({(OTHER, ""): {}, (OWN, "/properties/c"): {}})
    assert mutant.accepts({"a": "s", "c": 2}) is True
    assert oracle.accepts({"a": "s"}) is False
    assert oracle.accepts({"c": 2}) is False
    only_other = oracle.mutant({(OTHER, ""): {}})
    assert only_other.accepts({"a": "s"}) is True
    assert only_other.accepts({"c": 2}) is False
    assert own["properties"]["c"] == {"minimum": 3}


def test_a_subschema_is_judged_on_its_own_with_references_formats_and_dialect() -> None:
    own = {
        "$schema": DRAFT_07.uri,
        "properties": {"a": {"items": [{"$ref": "b.json#/definitions/d"}]}, "no": False, "t%/~": {"const": 1}},
    }
    whole = contract(own, {"definitions": {"d": {"format": "date"}}}, dialect=DRAFT_07)
    oracle = Oracle(whole)
    a, no, odd = (whole.child(whole.root, "properties", name) for name in ("a", "no", "t%/~"))
    assert oracle.local(a, ["2024-02-29"])
    assert not oracle.local(a, ["2023-02-29"])
    assert not oracle.local(no, 1)
    assert oracle.local(odd, 1)
    assert not oracle.local(odd, 2)


def traced(oracle: Oracle, instance: Any, document: str | None = None) -> dict[str, list[str]]:
    """The instance locations that each place of one document was held against."""
    wanted = document or oracle.contract.document.uri
    found = {at: parts for (uri, at), parts in oracle.applied(instance).items() if uri == wanted}
    return {at: list(dict.fromkeys(where for where, _ in parts)) for at, parts in found.items()}


def test_the_trace_tells_where_each_subschema_was_applied() -> None:
    own = {
        "properties": {"list": {"items": {"$ref": "#/$defs/n"}}, "other": {"$ref": "b.json"}, "away": {}},
        "$defs": {"n": {"type": "integer"}, "unused": {}},
    }
    oracle = Oracle(contract(own, {"maxLength": 3}))
    trace = traced(oracle, {"list": [1, 2], "other": "x"})
    assert trace["/$defs/n"] == ["/list/0", "/list/1"]
    assert trace["/$defs/n/type"] == ["/list/0", "/list/1"]
    assert trace["/properties/list"] == ["/list"]
    assert trace[""] == [""]
    assert "/properties/away" not in trace
    assert "/$defs/unused" not in trace
    assert traced(oracle, {"other": "x"}, OTHER)["/maxLength"] == ["/other"]


ERRORS = [
    ("required names the member", DRAFT_07, {"required": ["a", "b"]}, {"b": 1}, [("/required", "", "a")]),
    ("every missing member", DRAFT_07, {"required": ["a", "b"]}, {}, [("/required", "", "a"), ("/required", "", "b")]),
    ("dependentRequired names its property", DRAFT_2020_12, {"dependentRequired": {"x": ["b"], "a": ["b", "c"]}},
     {"a": 1, "c": 1}, [("/dependentRequired/a", "", "b")]),
    ("dependencies name their property", DRAFT_07, {"dependencies": {"q": {"required": ["r"]}, "a/b": ["c"]}},
     {"a/b": 1}, [("/dependencies/a~1b", "", "c")]),
    ("dependencies with a schema name the keyword in it", DRAFT_07, {"dependencies": {"q": {"required": ["r"]}}},
     {"q": 1}, [("/dependencies/q/required", "", "r")]),
    ("draft-04 bound", DRAFT_04, {"minimum": 3, "exclusiveMinimum": True}, 2, [("/minimum", "", None)]),
    ("draft-04 exclusive bound", DRAFT_04, {"maximum": 3, "exclusiveMaximum": True}, 3,
     [("/exclusiveMaximum", "", None)]),
    ("exclusive bound", DRAFT_07, {"exclusiveMinimum": 3}, 2, [("/exclusiveMinimum", "", None)]),
    ("a boolean schema is named by its place", DRAFT_07, {"properties": {"x%": False}}, {"x%": 1},
     [("/properties/x%", "/x%", None)]),
    ("a false root", DRAFT_07, False, 1, [("", "", None)]),
    ("combinators are named themselves", DRAFT_07, {"anyOf": [{"type": "null"}], "not": {"type": "integer"}}, 1,
     [("/anyOf", "", None), ("/not", "", None)]),
    ("then is named by the keyword inside", DRAFT_07, {"if": {}, "then": {"allOf": [{"type": "null"}]}}, 1,
     [("/then/allOf/0/type", "", None)]),
    ("a reference by the keyword it leads to", DRAFT_07, {"items": {"$ref": "#/definitions/n"},
                                                          "definitions": {"n": {"maximum": 1}}}, [2, 0, 3],
     [("/definitions/n/maximum", "/0", None), ("/definitions/n/maximum", "/2", None)]),
    ("an embedded resource", DRAFT_2020_12, {"$ref": "n", "$defs": {"n": {"$id": "n", "maximum": 1}}}, 2,
     [("/$defs/n/maximum", "", None)]),
    ("a dynamic reference", DRAFT_2020_12, {"$dynamicAnchor": "t", "maxProperties": 1,
                                            "additionalProperties": {"$dynamicRef": "#t"}}, {"a": {"b": 1, "c": 1}},
     [("/maxProperties", "/a", None)]),
    ("a recursive reference", DRAFT_2019_09, {"maxProperties": 1, "additionalProperties": {"$recursiveRef": "#"}},
     {"a": {"b": {}, "c": {}}}, [("/maxProperties", "/a", None)]),
    ("contains and its counts", DRAFT_2020_12, {"contains": {"type": "null"}, "maxContains": 1}, [None, None],
     [("/maxContains", "", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schema", "instance", "expected"), [row[1:] for row in ERRORS],
                         ids=[row[0] for row in ERRORS])  # fmt: skip
def test_errors_have_one_normal_form(dialect: Dialect, schema: Any, instance: Any, expected: list[Any]) -> None:
    found = Oracle(contract(schema, dialect=dialect)).errors(instance)
    assert [(e.keyword_location, e.instance_location, e.member) for e in found] == expected
    assert {e.document for e in found} == {OWN}


def test_the_validators_are_recorded_with_version_and_options() -> None:
    recorded = validators(contract(True, dialect=DRAFT_07))
    assert list(recorded) == ["jsonschema", "jsonschema-rs"]
    assert recorded["jsonschema"]["options"] == {"class": "Draft7Validator", "formats": True}
    assert recorded["jsonschema-rs"]["version"].startswith("0.61.")
