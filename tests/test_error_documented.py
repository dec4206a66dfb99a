"""What a row documents beside the three assertions is held against its fixture: message, category, status, trigger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from error_projects import DECLINED, TIMEOUT, catalogue, project_in, read, run, write

FIXTURE = "fixtures/errors/charge_card/PAYMENT_DECLINED.json"
OWN = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["code", "retryable", "status"],
    "properties": {
        "code": {"type": "string"},
        "retryable": {"type": "boolean"},
        "status": {"type": "integer"},
        "wait": {"type": "number"},
    },
    "additionalProperties": False,
}
PLACES = {"code": "/code", "retryable": "/retryable", "status": "/status", "retry_after": "/wait"}


def recorded(root: Path, **values: Any) -> None:
    """The declined card as the tool answers it, with these members of the error otherwise."""
    value = read(root / FIXTURE)
    value["response"]["error"].update(values)
    write(root / FIXTURE, value)
    run(root, "generate")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project_in(tmp_path, catalogue())
    assert run(tmp_path, "generate").exit_code == 0
    return tmp_path


@pytest.mark.parametrize("values", [{"message": "The bank said no"}, {"category": "transient"}])
def test_a_recorded_value_other_than_the_documented_one_is_told(root: Path, values: dict[str, Any]) -> None:
    recorded(root, **values)
    ((name, value),) = values.items()
    for command in (("verify",), ("generate", "--check")):
        result = run(root, *command)
        assert result.exit_code == 1
        assert (
            f"KB303 {FIXTURE}: /response/error/{name}: PAYMENT_DECLINED is not as documented: {name}" in result.stdout
        )
        assert f'actual "{value}"' in result.stdout


def test_it_is_told_with_a_wrong_flag_at_once(root: Path) -> None:
    recorded(root, message="The bank said no", retryable=True)
    assert "not as documented: retryable and message" in run(root, "verify").stdout


def test_what_the_config_calls_volatile_may_be_any_value(root: Path) -> None:
    recorded(root, message="The bank said no")
    (root / "knownbad.toml").write_text('[replay]\nvolatile = ["/error/message"]\n', encoding="utf-8")
    assert run(root, "verify").exit_code == 0


def test_what_a_row_says_nothing_of_is_free(root: Path) -> None:
    row = {key: value for key, value in DECLINED.items() if key not in ("message", "category")}
    write(root / "schemas/errors.json", catalogue(row, TIMEOUT))
    run(root, "generate")
    recorded(root, message="The bank said no", category="transient")
    assert run(root, "verify").exit_code == 0


@pytest.mark.parametrize(("there", "exit_code"), [({"status": 409}, 0), ({"status": 500}, 1), ({"status": 409.0}, 0)])
def test_a_status_in_the_envelope_is_the_documented_one(tmp_path: Path, there: dict[str, Any], exit_code: int) -> None:
    row = {"code": "A", "retryable": False, "status": 409}
    project_in(tmp_path, {"tools": ["r"], "envelope": PLACES, "error": [row]}, OWN)
    write(
        tmp_path / "fixtures/errors/r/A.json",
        {"fixture": "a", "request": {"tool": "r"}, "response": {"code": "A", "retryable": False, **there}},
    )
    run(tmp_path, "generate")
    assert run(tmp_path, "verify").exit_code == exit_code


def test_what_the_catalogue_says_stands_in_its_envelope_may_not_be_left_out(tmp_path: Path) -> None:
    row = {"code": "A", "retryable": True, "status": 409, "retry_after": 7}
    project_in(tmp_path, {"tools": ["r"], "envelope": PLACES, "error": [row]}, OWN)
    body = {"code": "A", "retryable": True, "status": 409}
    write(tmp_path / "fixtures/errors/r/A.json", {"fixture": "a", "request": {"tool": "r"}, "response": body})
    run(tmp_path, "generate")
    assert "expected 7, actual absent at /response/wait" in run(tmp_path, "verify").stdout


# ---- the trigger


def with_request(tmp_path: Path, row: dict[str, Any], request: dict[str, Any], flag: bool = False) -> str:
    """What `verify` says of a recorded request under a row."""
    project_in(tmp_path, {"tools": ["r"], "error": [row]})
    error = {"code": "A", "hint": "A", "message": "a", "retryable": flag}
    write(tmp_path / "fixtures/errors/r/A.json", {"fixture": "a", "request": request, "response": {"error": error}})
    run(tmp_path, "generate")
    return run(tmp_path, "verify").stdout


ROW = {"code": "A", "retryable": False, "trigger": {"args": {"amount": 42, "card": "4000"}}}


def test_a_request_recorded_before_the_row_had_its_trigger_is_told(tmp_path: Path) -> None:
    assert "A is not as documented: trigger" in with_request(tmp_path, ROW, {"tool": "r", "args": {"amount": 1}})


@pytest.mark.parametrize(
    "request_",
    [
        {"tool": "r", "args": {"amount": 42, "card": "4000"}},
        {"tool": "r", "args": {"amount": 42, "card": "[masked]"}},
        {"tool": "r", "args": {"amount": 42.0, "card": "4000"}, "headers": {"accept": "*/*"}},
    ],
)
def test_the_documented_request_passes_masked_or_with_what_a_recorder_adds(tmp_path: Path, request_: Any) -> None:
    assert "KB303" not in with_request(tmp_path, ROW, request_)


def test_any_request_will_do_for_a_row_without_a_trigger(tmp_path: Path) -> None:
    row = {"code": "A", "retryable": False}
    assert "KB303" not in with_request(tmp_path, row, {"tool": "r", "args": {"amount": 1}})


def test_an_idempotency_key_is_another_one_each_time(tmp_path: Path) -> None:
    row = {**ROW, "retryable": "with-idempotency-key"}
    request = {"tool": "r", "args": {"amount": 42, "card": "4000", "idempotency_key": "k-17"}}
    assert "KB303" not in with_request(tmp_path, row, request, flag=True)


# ---- one cause, one finding


def told(root: Path) -> list[str]:
    return [line for line in run(root, "verify").stdout.splitlines() if line.startswith("error: ")]


def test_a_changed_row_is_one_finding_and_not_one_a_twin(root: Path) -> None:
    write(root / "schemas/errors.json", catalogue({**DECLINED, "retryable": True}, TIMEOUT))
    (finding,) = told(root)
    assert "KB303" in finding
    assert "known-bad twins were made for the row as it was" in finding


def test_a_removed_row_is_one_finding_that_says_who_removes_the_files(root: Path) -> None:
    write(root / "schemas/errors.json", catalogue(TIMEOUT))
    first, *others = told(root)
    assert f"KB302 {FIXTURE}: no class of schemas/errors.json is called PAYMENT_DECLINED" in first
    assert not [line for line in others if "KB302" in line]
    assert "run `knownbad generate`, which removes them" in run(root, "verify").stdout
    run(root, "generate")
    assert told(root) == []


def test_a_fixture_with_broken_json_is_told_with_its_line_and_a_way_out_that_works(root: Path) -> None:
    (root / FIXTURE).write_text('{\n  "fixture": oops\n}', encoding="utf-8")
    text = run(root, "verify").stdout
    assert f"the class PAYMENT_DECLINED of charge_card has no fixture: {FIXTURE} is none" in text
    assert "is not JSON" in text
    assert "2:14" in text
    assert text.count("correct it, or remove it and run `knownbad generate`") == 1
    (root / FIXTURE).unlink()
    run(root, "generate")
    assert told(root) == []
