"""What is doubtful in a catalogue by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from error_projects import catalogue, project_in, run
from knownbad.catalogue.lints import disagreement, lints
from knownbad.catalogue.reading import built
from knownbad.finding import Level


def codes(*rows: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(f.code.code, f.location) for f in lints(built(catalogue(*rows), "schemas/errors.toml"))]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 501, 502, 504])
def test_published_tables_disagree_about_many_statuses(status: int) -> None:
    again, not_again = disagreement(status)
    assert again
    assert not_again


@pytest.mark.parametrize("status", [400, 401, 404, 422, 503])
def test_they_agree_about_others(status: int) -> None:
    assert disagreement(status) == ([], [])


@pytest.mark.parametrize("retryable", [True, False, "with-idempotency-key"])
def test_a_status_on_which_tables_disagree_is_told_whatever_the_flag_is(retryable: Any) -> None:
    row = {"code": "A", "status": 409, "retryable": retryable, "idempotent": True}
    (finding,) = lints(built(catalogue(row), "schemas/errors.toml"))
    assert finding.code.code == "KB308"
    assert finding.location == "/error/0/status"
    assert "OpenAI would send the call again" in finding.message
    assert finding.weight is Level.WARNING


def test_a_retry_of_a_5xx_without_a_key_is_told_unless_the_operation_is_idempotent() -> None:
    row = {"code": "A", "status": 503, "retryable": True}
    assert codes(row) == [("KB309", "/error/0/retryable")]
    assert codes({**row, "idempotent": False}) == [("KB309", "/error/0/retryable")]
    assert codes({**row, "idempotent": True}) == []
    assert codes({**row, "retryable": "with-idempotency-key"}) == []
    assert codes({**row, "retryable": False}) == []
    assert codes({**row, "status": 400}) == []


def test_what_a_service_says_otherwise_is_looked_at_for_itself() -> None:
    row = {"code": "A", "status": 503, "retryable": False, "services": {"slow": {"retryable": True}, "same": {}}}
    assert codes(row) == [("KB309", "/error/0/services/slow/retryable")]


@pytest.mark.parametrize(
    ("details", "open_"),
    [
        ({"type": "object"}, True),
        ({"type": "object", "additionalProperties": False}, False),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "object"}},
                "required": ["a"],
                "additionalProperties": False,
            },
            True,
        ),
        ({"type": "string"}, False),
    ],
)
def test_open_details_are_told(details: Any, open_: bool) -> None:
    found = codes({"code": "A", "retryable": False, "details": details})
    assert found == ([("KB310", "/error/0/details")] if open_ else [])


def test_lint_tells_them_beside_what_is_wrong_with_the_schemas(tmp_path: Path) -> None:
    project_in(tmp_path, catalogue({"code": "A", "status": 503, "retryable": True}))
    result = run(tmp_path, "lint")
    assert result.exit_code == 0, result.output
    assert "KB309" in result.stdout
    (tmp_path / "knownbad.toml").write_text('[lint.levels]\nKB309 = "error"\n', encoding="utf-8")
    assert run(tmp_path, "lint").exit_code == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"category": "terminal", "retryable": True}, [("KB311", "/error/0/category")]),
        ({"category": "needs-clarification", "retryable": True}, [("KB311", "/error/0/category")]),
        ({"category": "transient", "retryable": True}, []),
        ({"category": "terminal", "retryable": False}, []),
        (
            {"category": "terminal", "retryable": False, "services": {"b": {"retryable": True}}},
            [("KB311", "/error/0/services/b/retryable")],
        ),
        ({"status": 200, "retryable": False}, [("KB312", "/error/0/status")]),
        ({"status": 302, "retryable": False}, [("KB312", "/error/0/status")]),
        ({"status": 400, "retryable": False}, []),
        ({"retryable": False, "message": "SELECT id FROM cards WHERE id = 1"}, [("KB313", "/error/0/message")]),
        ({"retryable": False, "message": "Cannot read /etc/pay/provider.conf"}, [("KB313", "/error/0/message")]),
        ({"retryable": False, "message": "Select a card from the list"}, []),
    ],
)
def test_a_row_that_contradicts_itself_or_shows_internals_is_told(
    row: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    assert codes({"code": "A", **row}) == told


def test_a_project_of_errors_alone_is_linted(tmp_path: Path) -> None:
    project_in(tmp_path, catalogue({"code": "A", "retryable": False, "status": 200}))
    result = run(tmp_path, "lint")
    assert "KB312" in result.stdout
    assert "no contracts" not in result.stderr
