"""References that never end are refused with their loop; recursion into the instance is fine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.contract import Contract
from knownbad.errors import BadInput, Problem
from knownbad.load import LoadOptions, load


def write(root: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def loaded(root: Path, files: dict[str, Any], **options: Any) -> Contract:
    """The contract of the first file."""
    write(root, files)
    return load(next(iter(files)), None, LoadOptions(root=root, **options))


def problems(root: Path, files: dict[str, Any], **options: Any) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as raised:
        loaded(root, files, **options)
    assert str(root) not in str(raised.value)
    return raised.value.problems


LOOPS: dict[str, tuple[dict[str, Any], str]] = {
    "the root to itself": ({"a.json": {"$ref": "#"}}, "# -> #"),
    "two definitions": (
        {
            "a.json": {
                "properties": {"p": {"$ref": "#/$defs/a"}},
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            }
        },
        "#/$defs/a -> #/$defs/b -> #/$defs/a",
    ),
    "through allOf": ({"a.json": {"allOf": [{"$ref": "#"}]}}, "#/allOf/0 -> #"),
    "through anyOf": ({"a.json": {"anyOf": [{"type": "string"}, {"$ref": "#"}]}}, "#/anyOf/1 -> #"),
    "through oneOf": ({"a.json": {"oneOf": [True, {"$ref": "#"}]}}, "#/oneOf/1 -> #"),
    "through not": ({"a.json": {"not": {"$ref": "#"}}}, "#/not -> #"),
    "through if": ({"a.json": {"if": {"$ref": "#"}}}, "#/if -> #"),
    "through then": ({"a.json": {"if": True, "then": {"$ref": "#"}}}, "#/then -> #"),
    "through dependentSchemas": ({"a.json": {"dependentSchemas": {"x": {"$ref": "#"}}}}, "#/dependentSchemas/x -> #"),
    "through another file": (
        {"a.json": {"$ref": "b.json"}, "b.json": {"allOf": [{"$ref": "a.json"}]}},
        "# -> b.json#/allOf/0 -> #",
    ),
    "a dynamic reference with one anchor": (
        {"a.json": {"$dynamicAnchor": "n", "allOf": [{"$dynamicRef": "#n"}]}},
        "#/allOf/0 -> #",
    ),
}


@pytest.mark.parametrize(("files", "told"), LOOPS.values(), ids=LOOPS)
def test_a_reference_that_never_ends_is_refused_with_its_loop(tmp_path: Path, files: dict[str, Any], told: str) -> None:
    (problem,) = problems(tmp_path, files)
    assert problem.message.endswith(": " + told)
    assert str(problem.location).rpartition("/")[2] in ("$ref", "$dynamicRef")


def test_every_loop_is_told(tmp_path: Path) -> None:
    found = problems(tmp_path, {"a.json": {"$defs": {"a": {"$ref": "#/$defs/a"}, "b": {"not": {"$ref": "#/$defs/b"}}}}})
    assert [p.location for p in found] == ["/$defs/a/$ref", "/$defs/b/not/$ref"]


RECURSION: dict[str, Any] = {
    "properties": {"properties": {"p": {"$ref": "#"}}},
    "items": {"items": {"$ref": "#"}},
    "through a definition": {"$ref": "#/$defs/a", "$defs": {"a": {"additionalProperties": {"$ref": "#/$defs/a"}}}},
    "the same schema twice": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}},
    "then without if": {"then": {"$ref": "#"}},
    "contains": {"contains": {"$ref": "#"}},
    "propertyNames": {"propertyNames": {"$ref": "#"}},
    "a dynamic reference below items": {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}},
}


@pytest.mark.parametrize("schema", RECURSION.values(), ids=RECURSION)
def test_recursion_that_steps_into_the_instance_is_fine(tmp_path: Path, schema: Any) -> None:
    assert loaded(tmp_path, {"a.json": schema}).documents
