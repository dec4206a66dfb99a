"""What lint says of a slip beside the keyword that it is meant for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from knownbad.cli import main

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("slip, keyword, value", [("propertes", "properties", {}), ("requird", "required", ["b"])])
def test_a_slip_beside_its_keyword_names_it_and_is_not_repaired(
    tmp_path: Path, slip: str, keyword: str, value: object
) -> None:
    file = tmp_path / "a.schema.json"
    own = {"a": {"type": "string"}} if keyword == "properties" else ["a"]
    text = json.dumps({"$schema": DIALECT, keyword: own, slip: value})
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["lint", "--fix", "--schema", str(file)])
    assert result.exit_code == 1
    assert f"`{keyword}`? It stands beside it already" in result.output
    assert file.read_text(encoding="utf-8") == text


def test_unevaluated_properties_beside_additional_ones_do_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.schema.json"
    schema = {"$schema": DIALECT, "additionalProperties": {"type": "string"}, "unevaluatedProperties": False}
    file.write_text(json.dumps(schema), encoding="utf-8")
    result = CliRunner().invoke(main, ["lint", "--schema", str(file)])
    assert "/unevaluatedProperties" in result.output
    assert "has looked at every member" in " ".join(result.output.split())
