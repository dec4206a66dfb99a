"""Each rule of lint on a schema that triggers it exactly, and on a near one that does not, in several dialects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import Entry
from knownbad.dialects import DIALECTS, named
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
]


@pytest.mark.parametrize("dialect, schema, code, location", cases(WRONG))
def test_a_rule_finds_what_it_is_about_and_nothing_else_is_found(
    dialect: str, schema: dict[str, Any], code: str, location: str, tmp_path: Path
) -> None:
    assert told(linted(tmp_path, schema, dialect)) == [(code, location)]


@pytest.mark.parametrize("dialect, schema", cases(RIGHT))
def test_a_near_schema_without_the_fault_is_clean(dialect: str, schema: dict[str, Any], tmp_path: Path) -> None:
    assert told(linted(tmp_path, schema, dialect)) == []
