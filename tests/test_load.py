"""Loading contracts: names, dialects, metaschemas, regular expressions, pointers into other documents."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from knownbad.contract import Contract
from knownbad.dialects import DIALECTS, DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.documents import MAX_DEPTH
from knownbad.errors import BadInput, Problem
from knownbad.load import LoadOptions, contract_name, load


def write(root: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def loaded(root: Path, schema: Any, spec: str = "a.schema.json", **options: Any) -> Contract:
    write(root, {"a.schema.json": json.dumps(schema)} if spec == "a.schema.json" else {})
    return load(spec, None, LoadOptions(root=root, **options))


def problems(root: Path, schema: Any, spec: str = "a.schema.json", **options: Any) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as raised:
        loaded(root, schema, spec, **options)
    assert str(root) not in str(raised.value)
    return raised.value.problems


NAMES = {
    "a.schema.json": "a",
    "schemas/tool-error.schema.json": "tool-error",
    "/x/y/plain.json": "plain",
    "a.schema.yaml": "a",
    "v1.2.schema.json": "v1.2",
    "openapi.yaml#/components/schemas/Error": "openapi-Error",
    "tools.json#/tools/0/outputSchema": "tools-0-outputSchema",
    "a.json#/$defs/b c": "a-b-c",
    "größe.schema.json": "groe",
    "日本.schema.json": "contract",
}


@pytest.mark.parametrize(("spec", "name"), NAMES.items(), ids=NAMES)
def test_a_contract_is_named_for_its_file_and_place(spec: str, name: str) -> None:
    assert contract_name(spec) == name


def test_a_given_name_wins(tmp_path: Path) -> None:
    write(tmp_path, {"a.schema.json": {}})
    assert load("a.schema.json", "other", LoadOptions(root=tmp_path)).name == "other"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
@pytest.mark.parametrize("hash_", [True, False], ids=["with #", "without #"])
def test_a_schema_has_the_dialect_that_it_declares(tmp_path: Path, dialect: Dialect, hash_: bool) -> None:
    uri = dialect.uri.rstrip("#") + "#" * hash_
    other = DRAFT_07 if dialect is not DRAFT_07 else DRAFT_04
    contract = loaded(tmp_path, {"$schema": uri}, dialect=other)
    assert contract.dialect is dialect
    assert contract.document.dialect is dialect


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_a_schema_that_declares_no_dialect_has_the_one_of_the_options(tmp_path: Path, dialect: Dialect) -> None:
    assert loaded(tmp_path, {"type": "string"}, dialect=dialect).dialect is dialect


@pytest.mark.parametrize("schema", [True, False, {}])
def test_a_boolean_is_a_schema(tmp_path: Path, schema: Any) -> None:
    contract = loaded(tmp_path, schema)
    assert contract.root.value == schema
    assert contract.schema == "a.schema.json"
    assert not contract.translated


def test_what_is_neither_object_nor_boolean_is_no_schema(tmp_path: Path) -> None:
    values: list[Any] = [[], 5, None, "true"]
    for value in values:
        (problem,) = problems(tmp_path, value)
        assert "is no schema" in problem.message
        assert problem.value == value


UNKNOWN_DIALECTS = {
    "http://json-schema.org/draft-03/schema#": "declare one of",
    "https://json-schema.org/draft-07/schema#": "did you mean http://json-schema.org/draft-07/schema#?",
    "https://example.org/my-dialect": "declare one of",
}


@pytest.mark.parametrize(("uri", "fix"), UNKNOWN_DIALECTS.items(), ids=UNKNOWN_DIALECTS)
def test_an_unknown_dialect_is_named_beside_the_known_ones(tmp_path: Path, uri: str, fix: str) -> None:
    for schema, place in (({"$schema": uri}, "/$schema"), ({"not": {"$schema": uri}}, "/not/$schema")):
        (problem,) = problems(tmp_path, schema)
        assert problem.location == place
        assert uri in problem.message
        assert all(dialect.name in problem.message for dialect in DIALECTS)
        assert str(problem.fix).startswith(fix)


def test_a_property_called_schema_declares_nothing(tmp_path: Path) -> None:
    assert loaded(tmp_path, {"properties": {"$schema": {"type": "string"}}, "enum": [{"$schema": "x"}]}).documents


def test_the_uri_of_a_document_is_its_identifier_or_stands_for_its_name(tmp_path: Path) -> None:
    assert loaded(tmp_path, {"$id": "https://example.org/a#"}).document.uri == "https://example.org/a"
    assert loaded(tmp_path, {"$id": "urn:x:a"}).document.uri == "urn:x:a"
    assert loaded(tmp_path, {"$id": "b.json"}).document.uri == "https://knownbad.invalid/a.schema.json"
    assert loaded(tmp_path, {"id": "urn:x:a"}, dialect=DRAFT_04).document.uri == "urn:x:a"
    hidden = {"$id": "urn:x:a", "$ref": "#/definitions/b", "definitions": {"b": {}}}
    assert loaded(tmp_path, hidden, dialect=DRAFT_07).document.uri == "https://knownbad.invalid/a.schema.json"


def test_a_file_outside_the_project_is_known_by_its_name_alone(tmp_path: Path) -> None:
    write(tmp_path, {"there/deep/a.json": {"$ref": "b.json"}, "there/deep/b.json": {}, "here/x.json": {}})
    contract = load(str(tmp_path / "there/deep/a.json"), None, LoadOptions(root=tmp_path / "here"))
    assert [d.name for d in contract.documents.values()] == ["a.json", "b.json"]
    assert [d.uri for d in contract.documents.values()] == [
        "https://knownbad.invalid/a.json",
        "https://knownbad.invalid/b.json",
    ]


METASCHEMA_FAILURES: dict[str, tuple[Any, Dialect, list[str]]] = {
    "a misspelt type": ({"properties": {"a": {"type": "strng"}}}, DRAFT_2020_12, ["/properties/a/type"]),
    "a length below zero": ({"minLength": -1}, DRAFT_07, ["/minLength"]),
    "required with a name twice": ({"required": ["a", "a"]}, DRAFT_2019_09, ["/required"]),
    "an empty list of schemas": ({"anyOf": []}, DRAFT_04, ["/anyOf"]),
    "several at once": (
        {"type": 5, "not": {"items": 3}, "maximum": "9"},
        DRAFT_2020_12,
        ["/maximum", "/not/items", "/type"],
    ),
    "a boolean bound after draft-04": ({"exclusiveMinimum": True}, DRAFT_06, ["/exclusiveMinimum"]),
    "a numeric bound in draft-04": ({"minimum": 1, "exclusiveMinimum": 3}, DRAFT_04, ["/exclusiveMinimum"]),
    "a boolean schema in draft-04": ({"properties": {"a": True}}, DRAFT_04, ["/properties/a"]),
    "a boolean document in draft-04": (True, DRAFT_04, [""]),
    "an identifier that is only a fragment": ({"$id": "#a"}, DRAFT_2020_12, ["/$id"]),
    "a reference that is no string": ({"properties": {"a": {"$ref": 3}}}, DRAFT_04, ["/properties/a/$ref"]),
}


@pytest.mark.parametrize(("schema", "dialect", "places"), METASCHEMA_FAILURES.values(), ids=METASCHEMA_FAILURES)
def test_what_fails_the_metaschema_is_told_with_its_places(
    tmp_path: Path, schema: Any, dialect: Dialect, places: list[str]
) -> None:
    found = problems(tmp_path, schema, dialect=dialect)
    assert [problem.location for problem in found] == places
    assert all(problem.file == "a.schema.json" for problem in found)


def test_a_misspelt_type_is_told_in_plain_words(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"type": "strng"})
    assert problem.message == "fails its metaschema: is none of the values that are allowed"
    assert problem.value == "strng"
    assert problem.fix == "did you mean 'string'?"


def test_data_that_looks_like_a_schema_is_not_checked(tmp_path: Path) -> None:
    looks = {"type": "strng", "$ref": "#/nowhere", "pattern": "["}
    schema = {"const": looks, "enum": [looks], "examples": [looks], "default": looks, "x-unknown": looks}
    assert loaded(tmp_path, schema).documents
    assert loaded(tmp_path, {"properties": {"$ref": {"type": "string"}, "pattern": True}}).documents


def test_an_embedded_resource_is_checked_by_its_own_metaschema(tmp_path: Path) -> None:
    old = {"$schema": DRAFT_04.uri, "id": "urn:x:old", "maximum": 3, "exclusiveMaximum": True}
    contract = loaded(tmp_path, {"$schema": DRAFT_2020_12.uri, "$defs": {"old": old}})
    assert contract.child(contract.root, "$defs", "old").dialect is DRAFT_04
    (problem,) = problems(tmp_path, {"$schema": DRAFT_2020_12.uri, "$defs": {"old": {**old, "maximum": "3"}}})
    assert problem.location == "/$defs/old/maximum"


BAD_PATTERNS = {
    "an open class": ({"pattern": "[a"}, ["/pattern"]),
    "an open group below": ({"items": {"properties": {"a": {"pattern": "("}}}}, ["/items/properties/a/pattern"]),
    "a name of patternProperties": ({"patternProperties": {"a/*[": {}}}, ["/patternProperties/a~1*["]),
    "Python's end of text": ({"pattern": "a\\Z"}, ["/pattern"]),
    "two of three": (
        {"allOf": [{"pattern": "["}, {"pattern": "a"}, {"pattern": "*"}]},
        ["/allOf/0/pattern", "/allOf/2/pattern"],
    ),
}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
@pytest.mark.parametrize(("schema", "places"), BAD_PATTERNS.values(), ids=BAD_PATTERNS)
def test_a_regular_expression_that_does_not_compile_is_refused(
    tmp_path: Path, schema: Any, places: list[str], dialect: Dialect
) -> None:
    found = problems(tmp_path, schema, dialect=dialect)
    assert [problem.location for problem in found] == places
    assert all("regular expression" in p.message or "regex" in p.message for p in found)


GOOD_PATTERNS = ["^\\p{L}+$", "a\\/b\\-c", "(?<name>a)", "(?<=a)b", "(a)\\1", "^[\\w.-]+$", "\\u0041", ""]


@pytest.mark.parametrize("pattern", GOOD_PATTERNS)
def test_an_ecma_pattern_is_taken_even_where_python_knows_it_not(tmp_path: Path, pattern: str) -> None:
    assert loaded(tmp_path, {"pattern": pattern, "patternProperties": {pattern: {}}}).documents


def nested(levels: int, innermost: Any) -> Any:
    for _ in range(levels):
        innermost = {"not": innermost}
    return innermost


def test_a_schema_as_deep_as_is_read_loads(tmp_path: Path) -> None:
    assert loaded(tmp_path, nested(MAX_DEPTH - 1, {})).documents


def test_a_deep_schema_that_fails_its_metaschema_is_told_with_its_place(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, nested(MAX_DEPTH - 1, {"type": "strng"}))
    assert problem.location == "/not" * (MAX_DEPTH - 1) + "/type"


def test_loading_imports_nothing_that_is_slow_to_import(tmp_path: Path) -> None:
    """Neither jsonschema nor what it brings, unless an error is to be explained."""
    write(tmp_path, {"a.json": {"$ref": "b.json"}, "b.json": {"pattern": "^a", "items": {"$ref": DRAFT_07.uri}}})
    code = "import sys; from pathlib import Path; from knownbad.load import LoadOptions, load; "
    code += "load('a.json', None, LoadOptions(root=Path(sys.argv[1]))); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    slow = {"jsonschema", "referencing", "jsonschema_specifications", "yaml", "hypothesis", "jinja2", "rich"}
    assert not slow & set(run.stdout.split())


PETS = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "components": {
        "schemas": {
            "Error": {"type": "object", "properties": {"pet": {"$ref": "#/components/schemas/Pet"}}},
            "Pet": {"type": "object", "properties": {"parent": {"$ref": "#/components/schemas/Pet"}}},
            "Broken": {"type": "objct"},
            "Lost": {"$ref": "#/components/schemas/Nowhere"},
        }
    },
}


def test_a_place_in_an_openapi_document_is_a_contract(tmp_path: Path) -> None:
    write(tmp_path, {"api.json": PETS})
    contract = loaded(tmp_path, None, "api.json#/components/schemas/Error")
    assert (contract.name, contract.schema) == ("api-Error", "api.json#/components/schemas/Error")
    assert contract.root.pointer == "/components/schemas/Error"
    assert contract.dialect is DRAFT_2020_12
    assert not contract.translated
    pet = contract.target(contract.child(contract.root, "properties", "pet"), "#/components/schemas/Pet")
    assert pet is not None
    assert pet.pointer == "/components/schemas/Pet"


def test_only_what_a_place_reaches_is_checked(tmp_path: Path) -> None:
    write(tmp_path, {"api.json": PETS})
    (problem,) = problems(tmp_path, None, "api.json#/components/schemas/Broken")
    assert (problem.file, problem.location) == ("api.json", "/components/schemas/Broken/type")
    (problem,) = problems(tmp_path, None, "api.json#/components/schemas/Lost")
    assert (problem.file, problem.location) == ("api.json", "/components/schemas/Lost/$ref")


def test_an_openapi_document_as_a_whole_is_no_schema(tmp_path: Path) -> None:
    write(tmp_path, {"api.json": PETS})
    (problem,) = problems(tmp_path, None, "api.json")
    assert "OpenAPI 3.1.0 document" in problem.message
    assert problem.fix == "name one of its schemas: api.json#/components/schemas/..."


POINTERS = {
    "a place that is not there": ("api.json#/components/schemas/Eror", "nothing at this place", "there is 'Error'"),
    "a place that holds no schema": ("api.json#/info/title", "is no schema", None),
    "an anchor": (
        "api.json#Error",
        "no JSON Pointer",
        "give a JSON Pointer, such as openapi.yaml#/components/schemas/Error",
    ),
    "a file that is not there": ("ap.json#/a", "no such file", None),
}


@pytest.mark.parametrize(("spec", "message", "fix"), POINTERS.values(), ids=POINTERS)
def test_a_spec_that_leads_nowhere_is_told(tmp_path: Path, spec: str, message: str, fix: str | None) -> None:
    write(tmp_path, {"api.json": PETS})
    (problem,) = problems(tmp_path, None, spec)
    assert message in problem.message
    assert problem.fix == fix


def test_a_pointer_may_be_percent_encoded_as_in_a_uri(tmp_path: Path) -> None:
    write(tmp_path, {"d.json": {"$defs": {"a b": {"type": "string"}}}})
    assert loaded(tmp_path, None, "d.json#/$defs/a%20b").root.pointer == "/$defs/a b"
    assert loaded(tmp_path, None, "d.json#/$defs/a b").root.pointer == "/$defs/a b"


TOOL = {
    "type": "object",
    "properties": {"n": {"$ref": "#/$defs/n"}, "me": {"$ref": "#"}},
    "$defs": {"n": {"type": "integer"}},
}


def test_a_schema_carried_by_other_data_is_a_document_of_its_own(tmp_path: Path) -> None:
    """In a list of MCP tools `#` means the tool's schema, not the list."""
    write(tmp_path, {"tools.json": {"id": 7, "items": "x", "tools": [{"name": "t", "outputSchema": TOOL}]}})
    contract = loaded(tmp_path, None, "tools.json#/tools/0/outputSchema", dialect=DRAFT_07)
    assert contract.schema == "tools.json#/tools/0/outputSchema"
    assert contract.root_pointer == ""
    assert contract.document.value == TOOL
    assert contract.dialect is DRAFT_07
    assert contract.translated
    me = contract.child(contract.root, "properties", "me")
    assert contract.target(me, "#") is contract.root


def test_a_schema_whose_references_need_the_rest_of_the_data_keeps_it(tmp_path: Path) -> None:
    write(tmp_path, {"data.json": {"shapes": {"a": {"$ref": "#/shapes/b"}, "b": {"type": "string"}}}})
    contract = loaded(tmp_path, None, "data.json#/shapes/a")
    assert contract.root_pointer == "/shapes/a"
    target = contract.target(contract.root, "#/shapes/b")
    assert target is not None
    assert target.value == {"type": "string"}


def test_a_definition_of_a_schema_file_is_a_contract_that_keeps_its_file(tmp_path: Path) -> None:
    schema = {"$schema": DRAFT_07.uri, "type": "oops", "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {}}}
    write(tmp_path, {"lib.json": schema})
    contract = loaded(tmp_path, None, "lib.json#/definitions/a")
    assert contract.root_pointer == "/definitions/a"
    assert contract.dialect is DRAFT_07
    assert contract.document.value == schema


def test_a_schema_in_other_data_may_declare_its_dialect(tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": {"tools": [{"$schema": DRAFT_04.uri, "id": "urn:x:t", "minimum": 1}]}})
    contract = loaded(tmp_path, None, "tools.json#/tools/0")
    assert contract.dialect is DRAFT_04
    assert contract.document.uri == "urn:x:t"


def test_yaml_is_a_document_like_any_other_and_is_marked_as_translated(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": "type: object\nproperties:\n  b:\n    $ref: b.json\n", "b.json": {}})
    contract = loaded(tmp_path, None, "a.yaml")
    assert contract.translated
    assert contract.root.value == {"type": "object", "properties": {"b": {"$ref": "b.json"}}}


def test_loading_twice_gives_equal_documents_in_the_same_order(tmp_path: Path) -> None:
    files = {f"{name}.json": {"$id": f"https://example.org/{name}.json"} for name in "zyxabc"}
    write(tmp_path, files)
    schema = {"allOf": [{"$ref": f"https://example.org/{name}.json"} for name in "bzxayc"]}
    found = [list(loaded(tmp_path, schema, folders=(tmp_path,)).documents) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0][1:] == [f"https://example.org/{name}.json" for name in "abcxyz"]
