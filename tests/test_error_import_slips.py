"""What an import must not lose or pass over: examples beside a shared enum, odd entries, where the catalogue goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from error_projects import write
from knownbad.catalogue.importing import imported
from knownbad.cli import main

ERROR = {"type": "object", "properties": {"code": {"enum": ["DECLINED", "BUSY", "LATE"]}}}
A = [{"code": "A", "retriable": True}]


def response(description: str, example: Any = None) -> dict[str, Any]:
    media = {"schema": {"$ref": "#/components/schemas/Error"}, **({"example": example} if example else {})}
    return {"description": description, "content": {"application/json": media}}


def rows(tmp_path: Path, responses: dict[str, Any]) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Pay", "version": "1"},
        "paths": {"/charge": {"post": {"operationId": "charge", "responses": responses}}},
        "components": {"schemas": {"Error": ERROR}},
    }
    write(tmp_path / "openapi.json", document)
    found = imported(tmp_path / "openapi.json", "openapi.json")
    return {row["code"]: row for row in found.rows}, found.notes


def test_an_example_counts_before_the_enum_that_another_response_shares(tmp_path: Path) -> None:
    found, notes = rows(
        tmp_path,
        {
            "402": response("Declined"),
            "503": response("Busy", {"code": "BUSY", "retryable": True, "message": "Later"}),
        },
    )
    assert {key: found["BUSY"].get(key) for key in ("status", "retryable", "message")} == {
        "status": 503,
        "retryable": True,
        "message": "Later",
    }
    assert not any("BUSY" in note for note in notes)


def test_no_status_is_taken_where_several_responses_list_a_code(tmp_path: Path) -> None:
    found, notes = rows(tmp_path, {"402": response("Declined"), "503": response("Busy")})
    assert "status" not in found["LATE"]
    assert "message" not in found["LATE"]
    assert "POST /charge: several responses list LATE, and none by example: no status is taken" in notes


def test_the_status_of_the_one_response_that_lists_a_code_is_taken(tmp_path: Path) -> None:
    found, _ = rows(tmp_path, {"402": response("Declined")})
    assert found["LATE"]["status"] == 402


# ---- the command


def run_import(root: Path, value: Any, *more: str) -> Result:
    if value is not None:
        (root / "in.json").write_text(json.dumps(value), encoding="utf-8")
    arguments = ["errors", "import", str(root / "in.json"), "--root", str(root), *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.mark.parametrize(
    ("odd", "message", "fix"),
    [
        ("X", "is no error class", "an object with `code`"),
        ({"codee": "B", "retriable": True}, "has no code", "`code` for `codee`?"),
    ],
)
@pytest.mark.parametrize("place", ["", "/errors"])
def test_one_odd_entry_is_told_with_its_place(odd: Any, message: str, fix: str, place: str, tmp_path: Path) -> None:
    entries = [*A, odd]
    result = run_import(tmp_path, {"errors": entries} if place else entries)
    assert result.exit_code == 2
    assert f"in.json: {place}/1: {message}" in result.stderr
    assert fix in result.stderr
    assert not (tmp_path / "schemas").exists()


def test_an_input_that_does_not_exist_is_told_first(tmp_path: Path) -> None:
    write(tmp_path / "schemas/errors.json", {})
    assert "there is no such file" in run_import(tmp_path, None).stderr


def test_a_catalogue_that_the_project_would_not_take_is_not_generated_from(tmp_path: Path) -> None:
    out = tmp_path / "r.toml"
    result = run_import(tmp_path, A, "--out", str(out), "--generate")
    assert result.exit_code == 2
    assert "--generate works on the catalogue of the project" in result.stderr
    assert not out.exists()


def test_a_second_catalogue_is_not_written_to_be_generated_from(tmp_path: Path) -> None:
    write(tmp_path / "schemas/errors.json", {"error": [{"code": "B", "retryable": True}]})
    out = tmp_path / "schemas/errors.toml"
    result = run_import(tmp_path, A, "--out", str(out), "--generate")
    assert result.exit_code == 2
    assert "there is a catalogue already" in result.stderr
    assert not out.exists()


def test_the_catalogue_that_the_config_names_is_written_and_generated_from(tmp_path: Path) -> None:
    (tmp_path / "knownbad.toml").write_text('[errors]\ncatalogue = "r.toml"\n', encoding="utf-8")
    result = run_import(tmp_path, A, "--tool", "t", "--out", str(tmp_path / "r.toml"), "--generate")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "fixtures/errors/t/A.json").is_file()
