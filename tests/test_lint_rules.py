"""Each rule of lint on a schema that triggers it exactly, and on a near one that does not, in several dialects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import Entry
from knownbad.dialects import DIALECTS, named
from knownbad.errors import NO_VALUE
from knownbad.finding import Finding
from knownbad.lint import lint
from knownbad.load import load

DRAFT_4, DRAFT_6, DRAFT_7, IN_2019, IN_2020 = (d.name for d in DIALECTS)
ALL = tuple(d.name for d in DIALECTS)
LATER = ALL[1:]
NEWEST = ALL[3:]


def linted(tmp_path: Path, schema: dict[str, Any], dialect: str, **entry: Any) -> list[Finding]:
    """What lint finds in a schema of a dialect."""
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"$schema": named(dialect).uri, **schema}))
    return lint(None, load(str(path)), Entry("a", "a.schema.json", **entry))


def told(findings: list[Finding]) -> list[tuple[str, str | None]]:
    return [(finding.code.code, finding.location) for finding in findings]


def cases(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [
        pytest.param(dialect, *row[1:], id=f"{dialect}-{json.dumps(row[1])[:70]}") for row in rows for dialect in row[0]
    ]


WRONG: list[tuple[tuple[str, ...], dict[str, Any], str, str]] = [
    (ALL, {"properties": {"a": {"numItems": 3}}}, "KB103", "/properties/a/numItems"),
    (ALL, {"type": "object", "additionnalProperties": False}, "KB103", "/additionnalProperties"),
    (ALL, {"items": {"enumm": ["a"]}}, "KB103", "/items/enumm"),
    (ALL, {"type": "object", "Required": ["a"]}, "KB103", "/Required"),
    (ALL, {"address": {"type": "object"}}, "KB103", "/address"),
    ((DRAFT_4,), {"const": 1}, "KB104", "/const"),
    ((DRAFT_4, DRAFT_6), {"if": {"type": "string"}}, "KB104", "/if"),
    ((DRAFT_4, DRAFT_6, DRAFT_7), {"dependentRequired": {"a": ["b"]}}, "KB104", "/dependentRequired"),
    ((DRAFT_4, DRAFT_6, DRAFT_7), {"$defs": {"a": {"type": "string"}}}, "KB104", "/$defs"),
    ((DRAFT_4, DRAFT_6, DRAFT_7, IN_2019), {"prefixItems": [{"type": "string"}]}, "KB104", "/prefixItems"),
    (NEWEST, {"dependencies": {"a": ["b"]}}, "KB104", "/dependencies"),
    ((IN_2020,), {"additionalItems": {"type": "string"}}, "KB104", "/additionalItems"),
    (LATER, {"id": "urn:a"}, "KB104", "/id"),
    (ALL, {"divisibleBy": 2}, "KB104", "/divisibleBy"),
    (ALL, {"type": "string", "nullable": True}, "KB104", "/nullable"),
    (ALL, {"additionalProperties": False, "required": ["a"]}, "KB112", "/required/0"),
    (LATER, {"properties": {"a": {"type": "string"}, "additionalProperties": False}}, "KB115",
     "/properties/additionalProperties"),
    (ALL[:3], {"definitions": {"a": {}}, "properties": {"b": {"$ref": "#/definitions/a", "minLength": 1}}},
     "KB105", "/properties/b/$ref"),
    (ALL, {"type": "string", "enum": [1, 2]}, "KB106", ""),
    (ALL, {"type": "integer", "minimum": 5, "maximum": 3}, "KB106", ""),
    (ALL, {"allOf": [{"type": "string"}, {"title": "a"}, {"type": "integer"}]}, "KB106", ""),
    (ALL, {"properties": {"a": {"minLength": 4, "maxLength": 3}}}, "KB106", "/properties/a"),
    (ALL, {"type": "string", "pattern": "^[a-z]{4}$", "maxLength": 3}, "KB106", ""),
    (ALL, {"type": "object", "items": {"type": "string"}}, "KB107", "/items"),
    (ALL, {"type": ["string", "null"], "minimum": 3}, "KB107", "/minimum"),
    (ALL, {"enum": ["a", "b"], "type": "string", "minLength": 1}, "KB107", "/minLength"),
    (ALL, {"enum": ["a", 1], "type": "string"}, "KB107", "/enum/1"),
    (ALL, {"type": "string", "pattern": "^[a-z]{3}$", "minLength": 2}, "KB107", "/minLength"),
    (ALL, {"type": "object", "required": ["a", "b"], "minProperties": 2}, "KB107", "/minProperties"),
    (ALL, {"patternProperties": {"^[a-z]": {"type": "string"}, "^[^a-z]|^$": {"type": "null"}},
           "additionalProperties": False}, "KB107", "/additionalProperties"),
    (ALL, {"anyOf": [{"type": "string"}, {"title": "anything"}]}, "KB107", "/anyOf"),
    (ALL[2:], {"then": {"type": "string"}}, "KB107", "/then"),
    (NEWEST, {"type": "array", "maxContains": 2}, "KB107", "/maxContains"),
    (LATER, {"minimum": 1, "exclusiveMinimum": 3}, "KB107", "/minimum"),
    (ALL, {"type": "string", "not": {"type": "array"}}, "KB107", "/not"),
    (ALL, {"type": "string", "format": "datetime"}, "KB108", "/format"),
    (ALL[:3], {"type": "string", "format": "uuid"}, "KB108", "/format"),
    (ALL, {"type": "integer", "format": "uint8"}, "KB108", "/format"),
    (ALL, {"type": "string", "pattern": "[0-9]{4}"}, "KB109", "/pattern"),
    (ALL, {"type": "string", "pattern": "^[a-z]+"}, "KB109", "/pattern"),
    (ALL, {"type": "string", "pattern": "^v[0-9]"}, "KB109", "/pattern"),
    (ALL, {"type": "string", "pattern": "^([0-9]+px|[0-9]+%$)"}, "KB109", "/pattern"),
    (ALL, {"type": "string", "pattern": "ping"}, "KB109", "/pattern"),
    (ALL, {"type": "string", "pattern": "^dev|beta|rc$"}, "KB109", "/pattern"),
    (ALL, {"patternProperties": {"^[a-z]*": {"type": "string"}}}, "KB109", "/patternProperties/^[a-z]*"),
    (ALL, {"type": "string", "pattern": "^(a+)+$"}, "KB110", "/pattern"),
    (ALL, {"type": "string", "pattern": "^([a-z]|[a-f])*$"}, "KB110", "/pattern"),
    (ALL, {"type": "string", "pattern": "^\\d+\\d+$"}, "KB110", "/pattern"),
    (ALL, {"type": "integer", "default": "1"}, "KB113", "/default"),
    (LATER, {"properties": {"a": {"pattern": "^a$", "examples": ["a", "b"]}}}, "KB113",
     "/properties/a/examples/1"),
    (ALL, {"oneOf": [{"type": "integer"}, {"type": "number"}]}, "KB114", "/oneOf"),
    (ALL, {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 3}]}, "KB114", "/oneOf"),
]  # fmt: skip

RIGHT: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (ALL, {"type": "array", "minItems": 3}),
    (ALL, {"type": "object", "x-additionnalProperties": False}),
    (ALL, {"type": "object", "properties": {"numItems": {"type": "integer"}, "enumm": {"type": "string"}}}),
    (ALL, {"type": "object", "markdownDescription": "a", "ui:order": ["a"]}),
    (ALL, {"$ref": "#/types/a", "types": {"a": {"type": "object"}}}),
    (NEWEST, {"dependentRequired": {"a": ["b"]}, "$defs": {"a": {"type": "string"}}}),
    ((IN_2020,), {"prefixItems": [{"type": "string"}]}),
    ((DRAFT_4,), {"id": "http://a.example/a"}),
    (ALL, {"properties": {"id": {"type": "string"}, "const": {"type": "string"}}}),
    (ALL, {"properties": {"a": {"type": "string"}}, "additionalProperties": False, "required": ["a"]}),
    (ALL, {"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False, "required": ["a"]}),
    (ALL, {"properties": {"additionalProperties": {"type": "boolean"}}}),
    (ALL, {"definitions": {"a": {"type": "string", "minLength": 3}},
           "properties": {"b": {"$ref": "#/definitions/a", "minLength": 3, "description": "a"}}}),
    (NEWEST, {"$defs": {"a": {"type": "string"}}, "properties": {"b": {"$ref": "#/$defs/a", "minLength": 3}}}),
    (ALL, {"type": "string", "enum": ["1", "2"]}),
    (ALL, {"type": "integer", "minimum": 3, "maximum": 3}),
    (ALL, {"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}),
    (ALL, {"type": "string", "pattern": "^[a-z]{3,4}$", "maxLength": 3}),
    (ALL, {"additionalProperties": False, "properties": {"a": {"not": {}}}}),
    (ALL, {"type": ["object", "array"], "items": {"type": "string"}}),
    (ALL, {"type": "object", "additionalProperties": True, "minProperties": 0, "properties": {}}),
    (ALL, {"enum": ["a", "bc"], "type": "string"}),
    (ALL, {"type": "object", "required": ["a", "b"], "minProperties": 3}),
    (ALL, {"patternProperties": {"^[a-z]": {"type": "string"}}, "additionalProperties": False}),
    (ALL, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    (ALL[2:], {"if": {"type": "string"}, "then": {"minLength": 2}}),
    (ALL, {"type": "string", "format": "date-time"}),
    (NEWEST, {"if": {"contains": {"const": 1}}, "unevaluatedItems": False}),
    (NEWEST, {"anyOf": [{"items": {"type": "string"}}, True], "unevaluatedItems": {"type": "null"}}),
    (ALL, {"type": "string", "format": "x-money"}),
    (NEWEST, {"type": "string", "format": "uuid"}),
    (ALL, {"type": "string", "pattern": "^[0-9]{4}$"}),
    (ALL, {"type": "string", "pattern": "^https://"}),
    (ALL, {"type": "string", "pattern": "[.]json$"}),
    (ALL, {"type": "string", "pattern": "\\S"}),
    (ALL, {"type": "string", "pattern": "^a.*"}),
    (ALL, {"type": "string", "pattern": "^(dev|beta|rc)$"}),
    (ALL, {"patternProperties": {"^x-": {"type": "string"}, ".*": {"maxLength": 9}}}),
    (ALL, {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}),
    (ALL, {"type": "string", "pattern": "^([a-f]|[g-z])*$"}),
    (ALL, {"type": "string", "maxLength": 200, "pattern": "^\\d+\\d+$"}),
    (ALL, {"type": "integer", "default": 1}),
    (LATER, {"properties": {"default": {"type": "integer"}, "a": {"pattern": "^a$", "examples": ["a"]}}}),
    (ALL, {"oneOf": [{"type": "integer"}, {"type": "string"}]}),
    (ALL, {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    (ALL, {"type": "string", "oneOf": [{"maxLength": 2}, {"minLength": 4}]}),
]  # fmt: skip


@pytest.mark.parametrize("dialect, schema, code, location", cases(WRONG))
def test_a_rule_finds_what_it_is_about_and_nothing_else_is_found(
    dialect: str, schema: dict[str, Any], code: str, location: str, tmp_path: Path
) -> None:
    assert told(linted(tmp_path, schema, dialect)) == [(code, location)]


@pytest.mark.parametrize("dialect, schema", cases(RIGHT))
def test_a_near_schema_without_the_fault_is_clean(dialect: str, schema: dict[str, Any], tmp_path: Path) -> None:
    assert told(linted(tmp_path, schema, dialect)) == []


SHOWN = ("KB105", "KB109", "KB110", "KB113", "KB114")


@pytest.mark.parametrize("dialect, schema, code, location", cases([row for row in WRONG if row[2] in SHOWN]))
def test_what_an_instance_can_show_is_shown(
    dialect: str, schema: dict[str, Any], code: str, location: str, tmp_path: Path
) -> None:
    (finding,) = linted(tmp_path, schema, dialect)
    assert finding.witness is not NO_VALUE
