"""OpenAPI documents: their dialects, and the schemas of OpenAPI 3.0 in draft 2020-12."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.dialects import DRAFT_04, DRAFT_07, DRAFT_2020_12, Dialect
from knownbad.load import LoadOptions, load
from knownbad.openapi import translated

TRANSLATIONS: dict[str, tuple[Any, Any]] = {
    "a nullable type": ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    "not nullable": ({"type": "string", "nullable": False}, {"type": "string"}),
    "a nullable enum": (
        {"type": "string", "nullable": True, "enum": ["a"]},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    "a nullable enum that has null": ({"nullable": True, "enum": ["a", None]}, {"enum": ["a", None]}),
    "a nullable reference": (
        {"nullable": True, "$ref": "#/x", "description": "d"},
        {"description": "d", "anyOf": [{"$ref": "#/x"}, {"type": "null"}]},
    ),
    "a nullable allOf": (
        {"nullable": True, "allOf": [{"$ref": "#/x"}], "title": "t"},
        {"title": "t", "anyOf": [{"allOf": [{"$ref": "#/x"}]}, {"type": "null"}]},
    ),
    "nullable alone": ({"nullable": True}, {}),
    "an exclusive bound": ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}),
    "both exclusive bounds": (
        {"maximum": 3, "exclusiveMaximum": True, "minimum": 1, "exclusiveMinimum": False},
        {"exclusiveMaximum": 3, "minimum": 1},
    ),
    "an exclusive bound of nothing": ({"exclusiveMaximum": True}, {}),
    "an example": ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
    "what stands beside a reference": ({"$ref": "#/x", "minLength": 3, "title": "t"}, {"$ref": "#/x", "title": "t"}),
    "properties with the names of keywords": (
        {
            "properties": {
                "nullable": {"type": "boolean"},
                "example": {"nullable": True, "type": "string"},
                "default": {"nullable": True, "type": "null"},
            }
        },
        {
            "properties": {
                "nullable": {"type": "boolean"},
                "example": {"type": ["string", "null"]},
                "default": {"type": "null"},
            }
        },
    ),
    "data that looks like a schema": (
        {"default": {"nullable": True, "type": "x"}, "enum": [{"example": 1}], "x-a": {"nullable": True}},
        {"default": {"nullable": True, "type": "x"}, "enum": [{"example": 1}], "x-a": {"nullable": True}},
    ),
    "schemas at any depth": (
        {"items": {"not": {"allOf": [{"type": "integer", "nullable": True}]}}},
        {"items": {"not": {"allOf": [{"type": ["integer", "null"]}]}}},
    ),
    "a response called default": (
        {"responses": {"default": {"content": {"a/b": {"schema": {"type": "string", "nullable": True}}}}}},
        {"responses": {"default": {"content": {"a/b": {"schema": {"type": ["string", "null"]}}}}}},
    ),
}


@pytest.mark.parametrize(("before", "after"), TRANSLATIONS.values(), ids=TRANSLATIONS)
def test_a_schema_of_openapi_3_0_is_translated(before: Any, after: Any) -> None:
    text = json.dumps(before)
    assert translated(before) == after
    assert json.dumps(before) == text  # the original is not touched


OAS = "https://spec.openapis.org/oas/3.1/dialect/base"
DIALECTS: dict[str, tuple[dict[str, Any], Dialect, bool]] = {
    "OpenAPI 3.1": ({"openapi": "3.1.0"}, DRAFT_2020_12, False),
    "OpenAPI 3.1 with its base dialect": ({"openapi": "3.1.1", "jsonSchemaDialect": OAS}, DRAFT_2020_12, False),
    "OpenAPI 3.1 with another dialect": ({"openapi": "3.1.0", "jsonSchemaDialect": DRAFT_07.uri}, DRAFT_07, False),
    "OpenAPI 3.0": ({"openapi": "3.0.3"}, DRAFT_2020_12, True),
    "Swagger 2.0": ({"swagger": "2.0"}, DRAFT_04, False),
    "Swagger 2.0 as a number": ({"swagger": 2.0}, DRAFT_04, False),
    "other data": ({"anything": "3.0.3"}, DRAFT_07, False),
}


@pytest.mark.parametrize(("head", "dialect", "is_translated"), DIALECTS.values(), ids=DIALECTS)
def test_the_version_of_openapi_decides_the_dialect(
    tmp_path: Path, head: dict[str, Any], dialect: Dialect, is_translated: bool
) -> None:
    schemas = {"A": {"$ref": "#/components/schemas/B"}, "B": {"type": "string", "nullable": True}}
    (tmp_path / "api.json").write_text(json.dumps({**head, "components": {"schemas": schemas}}))
    contract = load("api.json#/components/schemas/A", None, LoadOptions(root=tmp_path, dialect=DRAFT_07))
    assert contract.dialect is dialect
    assert contract.root_pointer == "/components/schemas/A"
    assert contract.translated is is_translated
    target = contract.target(contract.root, "#/components/schemas/B")
    assert target is not None
    assert (target.value == {"type": ["string", "null"]}) is is_translated


def test_the_base_dialect_of_openapi_counts_as_2020_12_inside_schemas(tmp_path: Path) -> None:
    api = {"openapi": "3.1.0", "components": {"schemas": {"A": {"$schema": OAS, "type": "string"}}}}
    (tmp_path / "api.json").write_text(json.dumps(api))
    contract = load("api.json#/components/schemas/A", None, LoadOptions(root=tmp_path))
    assert contract.root.value == {"$schema": DRAFT_2020_12.uri, "type": "string"}
    assert contract.translated


def test_files_that_an_openapi_3_0_document_refers_to_are_written_like_it(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(
        "openapi: 3.0.3\ncomponents:\n  schemas:\n    Error:\n      $ref: 'common.yaml#/Error'\n"
    )
    (tmp_path / "common.yaml").write_text("Error:\n  type: string\n  nullable: true\n")
    contract = load("api.yaml#/components/schemas/Error", None, LoadOptions(root=tmp_path))
    assert [d.name for d in contract.documents.values()] == ["api.yaml", "common.yaml"]
    target = contract.target(contract.root, "common.yaml#/Error")
    assert target is not None
    assert target.value == {"type": ["string", "null"]}
