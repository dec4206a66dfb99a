"""A catalogue out of what is documented already; no flag is ever made up."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from error_projects import run, write
from knownbad.catalogue.importing import imported
from knownbad.catalogue.reading import catalogue_of, read
from knownbad.catalogue.writing import toml
from knownbad.config import project
from knownbad.errors import BadInput

REGISTRY = {
    "source": "a registry",
    "codes": [
        {"code": "rate_limited", "httpStatus": 429, "retriable": True},
        {"code": "validation_error", "httpStatus": 400, "retriable": False},
    ],
}
AWS = {
    "metadata": {"serviceId": "Pay"},
    "operations": {
        "Charge": {"name": "Charge", "errors": [{"shape": "Throttled"}, {"shape": "Declined"}]},
        "Refund": {"name": "Refund", "idempotent": True, "errors": [{"shape": "Throttled"}]},
        "Ping": {"name": "Ping"},
    },
    "shapes": {
        "Throttled": {
            "type": "structure",
            "exception": True,
            "retryable": {"throttling": True},
            "error": {"code": "ThrottledException", "httpStatusCode": 429, "senderFault": True},
        },
        "Declined": {
            "type": "structure",
            "exception": True,
            "documentation": "<p>The card was <i>declined</i>. Ask for another.</p>",
            "error": {"httpStatusCode": 402},
        },
        "Unused": {"type": "structure", "exception": True},
    },
}
OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "Pay", "version": "1"},
    "paths": {
        "/charges": {
            "post": {
                "operationId": "charge",
                "responses": {
                    "201": {"description": "Charged"},
                    "402": {"$ref": "#/components/responses/Declined"},
                    "429": {
                        "description": "Too many requests",
                        "content": {
                            "application/json": {
                                "example": {
                                    "error": {"code": "RATE_LIMITED", "retryable": True, "message": "Slow down"}
                                }
                            }
                        },
                    },
                    "default": {"description": "Anything else"},
                },
            },
            "get": {"responses": {"402": {"$ref": "#/components/responses/Declined"}}},
        }
    },
    "components": {
        "responses": {
            "Declined": {
                "description": "The card was declined. Sorry.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Declined"}}},
            }
        },
        "schemas": {
            "Declined": {
                "type": "object",
                "properties": {
                    "error": {
                        "type": "object",
                        "properties": {
                            "code": {"enum": ["DECLINED", "EXPIRED"]},
                            "retryable": {"const": False},
                        },
                    }
                },
            }
        },
    },
}


def rows(value: Any, tmp_path: Path, *tools: str) -> Any:
    write(tmp_path / "document.json", value)
    return imported(tmp_path / "document.json", "document.json", tools)


@pytest.mark.parametrize(
    "value",
    [
        REGISTRY,
        REGISTRY["codes"],
        {
            "errors": {
                row["code"]: {"status": row["httpStatus"], "retryable": row["retriable"]} for row in REGISTRY["codes"]
            }
        },
    ],
    ids=["with a source", "a plain list", "by code"],
)
def test_a_registry_of_codes_is_read_in_the_shapes_that_registries_have(value: Any, tmp_path: Path) -> None:
    assert [*rows(value, tmp_path).rows] == [
        {"code": "rate_limited", "retryable": True, "status": 429},
        {"code": "validation_error", "retryable": False, "status": 400},
    ]


def test_a_code_that_is_there_twice_and_differs_is_told(tmp_path: Path) -> None:
    twice = [{"code": "a", "status": 400, "retryable": True}, {"code": "a", "status": 500, "retryable": True}]
    with pytest.raises(BadInput, match="there twice"):
        rows(twice, tmp_path)


def test_an_aws_model_gives_its_exceptions_with_the_operations_as_tools(tmp_path: Path) -> None:
    found = rows(AWS, tmp_path)
    assert [*found.rows] == [
        {"code": "ThrottledException", "retryable": True, "status": 429, "tools": ["Charge"]},
        {"code": "Declined", "status": 402, "message": "The card was declined.", "tools": ["Charge"]},
        {"code": "ThrottledException", "retryable": True, "status": 429, "idempotent": True, "tools": ["Refund"]},
    ]
    assert found.undocumented == ("Declined",)
    assert "Unused" in found.notes[0]


def test_an_openapi_document_gives_what_its_error_responses_name(tmp_path: Path) -> None:
    found = rows(OPENAPI, tmp_path)
    declined = {"retryable": False, "status": 402, "message": "The card was declined."}
    assert {
        (row["code"], *row["tools"]): {k: v for k, v in row.items() if k not in ("code", "tools")} for row in found.rows
    } == {
        ("DECLINED", "charge"): declined,
        ("EXPIRED", "charge"): declined,
        ("RATE_LIMITED", "charge"): {"retryable": True, "status": 429, "message": "Slow down"},
        ("DECLINED", "get-charges"): {**declined, "idempotent": True},
        ("EXPIRED", "get-charges"): {**declined, "idempotent": True},
    }
    assert found.notes == ("POST /charges: the response default names no code",)


def test_a_response_that_names_no_code_is_called_as_the_document_calls_it(tmp_path: Path) -> None:
    shared = {"NotThere": {"description": "Nothing is there", "x-retryable": False}}
    operation = {"operationId": "look", "responses": {"404": {"$ref": "#/components/responses/NotThere"}}}
    found = rows(
        {"openapi": "3.0.3", "paths": {"/a": {"get": operation}}, "components": {"responses": shared}}, tmp_path
    )
    (row,) = found.rows
    assert (row["code"], row["retryable"], row["status"], row["tools"]) == ("NotThere", False, 404, ["look"])
    assert "its own name stands for one: NotThere" in found.notes[0]


def test_codes_may_stand_in_an_extension(tmp_path: Path) -> None:
    response = {"description": "Wrong", "x-error-codes": ["A", "B"], "x-retryable": True}
    found = rows({"openapi": "3.1.0", "paths": {"/a": {"post": {"responses": {"503": response}}}}}, tmp_path)
    assert [(row["code"], row["retryable"]) for row in found.rows] == [("A", True), ("B", True)]


def test_what_no_importer_knows_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="documents no error class"):
        rows({"hello": "world"}, tmp_path)


def test_the_command_writes_a_catalogue_that_generate_takes(tmp_path: Path) -> None:
    write(tmp_path / "registry.json", REGISTRY)
    result = run_import(tmp_path, "registry.json", "--tool", "pay")
    assert result.exit_code == 0, result.output
    assert "2 error classes of 1 tools, from a registry of codes" in result.stdout
    found = catalogue_of(project(tmp_path))
    assert found is not None
    assert [(case.tool, case.code, case.retryable) for case in found.cases()] == [
        ("pay", "rate_limited", True),
        ("pay", "validation_error", False),
    ]
    assert run(tmp_path, "generate").exit_code == 0


def run_import(root: Path, file: str, *arguments: str) -> Any:
    from click.testing import CliRunner

    from knownbad.cli import main

    return CliRunner().invoke(main, ["errors", "import", str(root / file), "--root", str(root), *arguments])


def test_one_command_makes_everything_of_a_registry(tmp_path: Path) -> None:
    write(tmp_path / "registry.json", REGISTRY)
    result = run_import(tmp_path, "registry.json", "--generate")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "tests/contracts/test_errors_api.py").is_file()
    assert run(tmp_path, "generate", "--check").exit_code == 0


def test_a_flag_that_nobody_documented_is_left_open_and_no_command_works_until_it_is_decided(tmp_path: Path) -> None:
    write(tmp_path / "service-2.json", AWS)
    result = run_import(tmp_path, "service-2.json")
    assert result.exit_code == 3
    assert "undecided: Declined" in result.stdout
    text = (tmp_path / "schemas/errors.toml").read_text(encoding="utf-8")
    assert '# retryable: true, false or "with-idempotency-key"?' in text
    refused = run(tmp_path, "generate")
    assert refused.exit_code == 2
    assert "has no 'retryable'" in refused.stderr


def test_a_person_may_decide_for_all_that_is_left_open(tmp_path: Path) -> None:
    write(tmp_path / "service-2.json", AWS)
    assert run_import(tmp_path, "service-2.json", "--undocumented", "false").exit_code == 0
    found = catalogue_of(project(tmp_path))
    assert found is not None
    assert {case.code: case.retryable for case in found.cases()} == {"ThrottledException": True, "Declined": False}


def test_a_catalogue_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "registry.json", REGISTRY)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.yaml").write_text("mine", encoding="utf-8")
    assert run_import(tmp_path, "registry.json").exit_code == 2
    assert (tmp_path / "schemas/errors.yaml").read_text(encoding="utf-8") == "mine"
    assert run_import(tmp_path, "registry.json", "--out", str(tmp_path / "other.json")).exit_code == 0
    assert json.loads((tmp_path / "other.json").read_text(encoding="utf-8"))["tools"] == ["api"]


values = st.recursive(
    st.text() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9, allow_subnormal=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(min_size=1, max_size=8), values, max_size=5))
def test_whatever_is_written_as_toml_is_read_back_as_it_was(row: dict[str, Any]) -> None:
    row = {**row, "retryable": True}
    assert tomllib.loads(toml(["t"], [row], "A catalogue.")) == {"tools": ["t"], "error": [row]}


def test_the_registry_of_107_codes_is_read_whole(corpora: Path) -> None:
    path = corpora.parent / "cases/registry-107.json"
    expected = [(e["code"], e["httpStatus"], e["retriable"]) for e in read(path, path.name)["codes"]]
    found = imported(path, path.name)
    assert len(expected) == 107
    assert [(row["code"], row["status"], row["retryable"]) for row in found.rows] == expected


def test_the_page_lists_every_option_of_the_import() -> None:
    import re

    from knownbad.cli.errors import import_

    text = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    listed = {
        option for line in text.splitlines() if line.startswith("| `--") for option in re.findall(r"`(--[a-z]+)", line)
    }
    assert listed == {option for param in import_.params for option in param.opts if option.startswith("--")}
