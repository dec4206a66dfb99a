"""OpenAPI documents: which dialect their schemas have, and the schemas of OpenAPI 3.0 as draft 2020-12."""

from __future__ import annotations

import re
from typing import Any

from .dialects import DRAFT_04, DRAFT_2020_12, Dialect, declared

_OAS_DIALECT = "https://spec.openapis.org/oas/3."
"""How the URIs of the base dialects of OpenAPI 3.1 and later begin; they are draft 2020-12 with annotations."""

_VERSION = re.compile(r"[23]\.\d")

# Objects whose member names are free, so that a member called `default` or `example` is only a name.
_MAPS = frozenset(
    (
        *("properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "schemas", "responses"),
        *("parameters", "headers", "requestBodies", "content", "callbacks", "links", "securitySchemes", "paths"),
        *("pathItems", "webhooks", "encoding", "variables"),
    )
)
_DATA = frozenset(("example", "examples", "default", "enum", "const", "mapping", "x-examples"))
_COMBINATORS = ("$ref", "allOf", "anyOf", "oneOf")
_ANNOTATIONS = frozenset(
    ("title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly")
)


def version(document: Any) -> str | None:
    """The version that an OpenAPI (or Swagger) document declares, None for any other document."""
    if not isinstance(document, dict):
        return None
    found = str(document.get("openapi", document.get("swagger")))  # `swagger: 2.0` is a number in YAML
    return found if _VERSION.match(found) else None


def dialect(document: dict[str, Any]) -> Dialect:
    """The dialect of the schemas in an OpenAPI document. Raises KeyError for an unknown `jsonSchemaDialect`."""
    number = version(document) or ""
    if number.startswith("2"):
        return DRAFT_04
    uri = document.get("jsonSchemaDialect")
    if number.startswith("3.0") or not isinstance(uri, str) or uri.startswith(_OAS_DIALECT):
        return DRAFT_2020_12
    return declared({"$schema": uri}) or DRAFT_2020_12


def is_3_0(document: Any) -> bool:
    """Whether the schemas in a document are written in the dialect of OpenAPI 3.0."""
    return (version(document) or "").startswith("3.0")


def plain_dialects(value: Any) -> Any:
    """The document with each `$schema` that names a base dialect of OpenAPI replaced by draft 2020-12."""
    if isinstance(value, dict):
        changed = {name: plain_dialects(item) for name, item in value.items()}
        uri = value.get("$schema")
        if isinstance(uri, str) and uri.startswith(_OAS_DIALECT):
            changed["$schema"] = DRAFT_2020_12.uri
        return changed if any(changed[name] is not item for name, item in value.items()) else value
    if isinstance(value, list):
        items = [plain_dialects(item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def translated(value: Any, is_map: bool = False) -> Any:
    """A document of OpenAPI 3.0 with its schemas in draft 2020-12; every schema stays at its pointer.

    The one exception: what is made nullable around a `$ref` or a combinator moves below an `anyOf`.
    """
    if isinstance(value, list):
        return [translated(item) for item in value]
    if not isinstance(value, dict):
        return value
    if is_map:
        return {name: translated(item) for name, item in value.items()}
    changed = {
        name: item if name in _DATA or name.startswith("x-") else translated(item, name in _MAPS)
        for name, item in value.items()
    }
    return _schema(changed)


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    """One schema object in draft 2020-12; objects that are no schemas have none of these keywords, and stay."""
    if "example" in schema and "examples" not in schema:
        schema = {"examples" if k == "example" else k: [v] if k == "example" else v for k, v in schema.items()}
    for bound in ("Minimum", "Maximum"):
        schema = _bound(schema, f"exclusive{bound}", bound.lower())
    nullable = schema.get("nullable") is True
    if isinstance(schema.get("nullable"), bool):
        schema = {k: v for k, v in schema.items() if k != "nullable"}
    if isinstance(schema.get("$ref"), str):  # OpenAPI 3.0 ignores what stands beside a reference
        schema = {k: v for k, v in schema.items() if k == "$ref" or k in _ANNOTATIONS}
    return _with_null(schema) if nullable else schema


def _bound(schema: dict[str, Any], exclusive: str, limit: str) -> dict[str, Any]:
    flag = schema.get(exclusive)
    if not isinstance(flag, bool):
        return schema
    if not flag or limit not in schema:
        return {k: v for k, v in schema.items() if k != exclusive}
    return {exclusive if k == limit else k: v for k, v in schema.items() if k != exclusive}


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if isinstance(kind, str):
        schema = {**schema, "type": [kind, "null"] if kind != "null" else kind}
    elif any(keyword in schema for keyword in _COMBINATORS):
        around = {k: v for k, v in schema.items() if k in _ANNOTATIONS}
        inside = {k: v for k, v in schema.items() if k not in _ANNOTATIONS}
        return {**around, "anyOf": [inside, {"type": "null"}]}
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        schema = {**schema, "enum": [*values, None]}
    return schema
