"""`lint --fix`: small edits of a text, and which repairs are made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from knownbad.cli import main
from knownbad.lint.edit import CannotEditError, edited
from knownbad.lint.look import Repair

JSON = '{\n  "type": "string",\n  "minLength": 1,\n  "enum": ["a", 1]\n}\n'
YAML = """\
# head
type: object  # it is
properties:
  a:
    type: string
    minLength: 1 # gone
    enum: [a, 1]
  additionalProperties: false

list:
  - a
  - b  # x
"""
CLOSURE = Repair("move", "/properties/additionalProperties", "additionalProperties", target="")

EDITS = [
    (JSON, "a.json", Repair("drop", "/minLength"), '  "minLength": 1,\n', ""),
    (JSON, "a.json", Repair("drop", "/enum"), ',\n  "enum": ["a", 1]', ""),
    (JSON, "a.json", Repair("drop", "/enum/1"), ', 1]', "]"),
    (JSON, "a.json", Repair("drop", "/enum/0"), '"a", ', ""),
    (JSON, "a.json", Repair("rename", "/minLength", "maxLength"), "minLength", "maxLength"),
    (JSON, "a.json", Repair("add", "", "$schema", "x"), "{\n", '{\n  "$schema": "x",\n'),
    ('{"a": 1}', "a.json", Repair("drop", "/a"), '"a": 1', ""),
    ("{}", "a.json", Repair("add", "", "$schema", "x"), "{}", '{ "$schema": "x" }'),
    ('{"a": 1}', "a.json", Repair("add", "", "$schema", "x"), "{", '{"$schema": "x", '),
    (YAML, "a.yaml", Repair("drop", "/properties/a/minLength"), "    minLength: 1 # gone\n", ""),
    (YAML, "a.yaml", Repair("drop", "/properties/a/enum/1"), ", 1]", "]"),
    (YAML, "a.yaml", Repair("drop", "/list/1"), "  - b  # x\n", ""),
    (YAML, "a.yaml", Repair("rename", "/list", "lost"), "list:", "lost:"),
    (YAML, "a.yaml", Repair("add", "", "$schema", "x#"), "type: object  #", '$schema: "x#"\ntype: object  #'),
    (YAML, "a.yaml", CLOSURE, "  additionalProperties", "additionalProperties"),
]  # fmt: skip


@pytest.mark.parametrize("text, name, repair, before, after", EDITS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_edit_changes_its_own_text_alone(
    text: str, name: str, repair: Repair, before: str, after: str, ending: str
) -> None:
    text, before, after = (part.replace("\n", ending) for part in (text, before, after))
    assert text.count(before) == 1
    assert edited(text, name, repair) == text.replace(before, after)


def test_a_closure_is_moved_to_the_place_after_properties() -> None:
    text = '{\n  "properties": {\n    "a": {},\n    "additionalProperties": false\n  },\n  "type": "object"\n}'
    wanted = '{\n  "properties": {\n    "a": {}\n  },\n  "additionalProperties": false,\n  "type": "object"\n}'
    assert edited(text, "a.json", CLOSURE) == wanted


REFUSED = [
    ("- a: 1\n  b: 2\n", "a.yaml", Repair("drop", "/0/a")),
    ("a: {x: &x 1, y: 2}\nb: *x\n", "a.yaml", Repair("drop", "/a/x")),
    ("base: &b\n  x: 1\nc:\n  <<: *b\n  y: 2\n", "a.yaml", Repair("drop", "/c/x")),
    ("a:\n  x: 1\n", "a.yaml", Repair("drop", "/a/x")),
    ('{"a": 1, "b": 2}', "a.json", Repair("rename", "/a", "b")),
    ('{"a": 1}', "a.json", Repair("drop", "/c")),
]


@pytest.mark.parametrize("text, name, repair", REFUSED)
def test_an_edit_that_would_say_something_else_is_refused(text: str, name: str, repair: Repair) -> None:
    with pytest.raises(CannotEditError):
        edited(text, name, repair)


# ---- the command


def fix(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["lint", "--fix", "--schema", str(path), *more])


def written(tmp_path: Path, schema: dict[str, Any]) -> Path:
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n")
    return path


FIXED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "object", "additionnalProperties": False}, {"type": "object", "additionalProperties": False}),
    ({"type": "object", "minimum": 3}, {"type": "object"}),
    ({"type": "string", "enum": ["a", 1, "b", 2]}, {"type": "string", "enum": ["a", "b"]}),
    ({"type": "string", "enum": ["a", 1], "minLength": 1}, {"type": "string", "enum": ["a"]}),
    (
        {"properties": {"a": {"type": "string"}, "additionalProperties": False}},
        {"properties": {"a": {"type": "string"}}, "additionalProperties": False},
    ),
]
LEFT: list[dict[str, Any]] = [
    {"type": "string", "pattern": "[0-9]{4}"},
    {"type": "array", "properties": {"a": {"type": "string"}}},
    {"type": "array", "required": ["a"]},
    {"type": "integer", "numItems": 3},
    {"properties": {"a": {"type": "string"}, "additionalProperties": False}, "additionalProperties": True},
    {"type": "object", "additionnalProperties": False, "default": {"a": 1}, "examples": [{"a": 1}]},
]


@pytest.mark.parametrize("schema, wanted", FIXED)
def test_what_is_certain_is_repaired(schema: dict[str, Any], wanted: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, schema)
    done = fix(path)
    assert (done.exit_code, path.read_text()) == (0, written(tmp_path / "..", wanted).read_text()), done.output
    assert "fixed: " in done.stdout


@pytest.mark.parametrize("schema", LEFT)
def test_what_is_not_certain_is_left_alone(schema: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, schema)
    before = path.read_bytes()
    done = fix(path)
    assert "fixed" not in done.stdout
    assert "KB1" in done.stdout
    assert path.read_bytes() == before


def test_of_two_keywords_that_say_the_same_one_is_left(tmp_path: Path) -> None:
    path = written(tmp_path, {"type": "string", "pattern": "^a{3}$", "minLength": 3, "allOf": [{"minLength": 3}]})
    fix(path)
    schema = json.loads(path.read_text())
    assert schema["pattern"] == "^a{3}$"
    assert "minLength" not in schema


def test_a_repair_keeps_the_byte_order_mark_and_the_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.schema.yaml"
    path.write_bytes(b"\xef\xbb\xbf# ours\r\ntype: object # really\r\nminLength: 3\r\n")
    fix(path)
    uri = b"https://json-schema.org/draft/2020-12/schema"
    assert path.read_bytes() == b'\xef\xbb\xbf# ours\r\n$schema: "' + uri + b'"\r\ntype: object # really\r\n'


def test_what_the_config_ignores_is_not_repaired(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    path = written(tmp_path / "schemas", {"type": "object", "minimum": 3})
    (tmp_path / "knownbad.toml").write_text('[[lint.ignore]]\nrule = "KB107"\nreason = "kept for old tools"\n')
    before = path.read_bytes()
    done = CliRunner().invoke(main, ["lint", "--fix", "--root", str(tmp_path)])
    assert done.exit_code == 0
    assert path.read_bytes() == before


def test_a_translated_document_is_not_edited(tmp_path: Path) -> None:
    """Pointers into an OpenAPI 3.0 document are those of its translation."""
    path = tmp_path / "api.json"
    schema = {"type": "string", "nullable": True, "minimum": 3}
    document = {"openapi": "3.0.3", "info": {}, "paths": {}, "components": {"schemas": {"A": schema}}}
    path.write_text(json.dumps(document))
    done = CliRunner().invoke(main, ["lint", "--fix", "--schema", f"{path}#/components/schemas/A"])
    assert "KB107" in done.stdout
    assert "fixed" not in done.stdout
    assert json.loads(path.read_text()) == document
