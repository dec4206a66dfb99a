"""A change of the catalogue and its fixtures, seen from the base: what a gate has to say of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from error_projects import DECLINED, TIMEOUT, catalogue, project_in, read, run, write
from knownbad.config import project
from knownbad.error_fixtures import gated

EXPIRED = {"code": "CARD_EXPIRED", "retryable": False}


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    """A project in step, twice."""
    project_in(tmp_path / "base", catalogue())
    run(tmp_path / "base", "generate")
    shutil.copytree(tmp_path / "base", tmp_path / "head")
    return tmp_path / "base", tmp_path / "head"


def found(sides: tuple[Path, Path]) -> list[tuple[str, str]]:
    findings = gated(project(sides[0]), project(sides[1]))
    return sorted({(finding.code.code, finding.subject or "") for finding in findings})


def codes(sides: tuple[Path, Path]) -> set[str]:
    return {code for code, _ in found(sides)}


def change(root: Path, *rows: dict[str, Any]) -> None:
    write(root / "schemas/errors.json", catalogue(*rows))


def test_nothing_is_said_where_nothing_changed(sides: tuple[Path, Path]) -> None:
    assert found(sides) == []


def test_a_class_that_is_added_with_its_fixture_passes(sides: tuple[Path, Path]) -> None:
    change(sides[1], DECLINED, TIMEOUT, EXPIRED)
    run(sides[1], "generate")
    assert found(sides) == []


def test_a_class_that_is_added_alone_is_stopped_by_its_name(sides: tuple[Path, Path]) -> None:
    change(sides[1], DECLINED, TIMEOUT, EXPIRED)
    assert ("KB301", "charge_card CARD_EXPIRED") in found(sides)


def test_a_row_that_changes_with_its_fixture_passes(sides: tuple[Path, Path]) -> None:
    change(sides[1], {**DECLINED, "message": "The bank said no"}, TIMEOUT)
    run(sides[1], "generate")
    assert found(sides) == []


@pytest.mark.parametrize(
    "changed", [{"retryable": True}, {"message": "The bank said no"}, {"category": "transient"}, {"hint": "DECLINED"}]
)
def test_a_row_that_changes_alone_is_told(sides: tuple[Path, Path], changed: dict[str, Any]) -> None:
    change(sides[1], {**DECLINED, **changed}, TIMEOUT)
    findings = gated(project(sides[0]), project(sides[1]))
    (one,) = [finding for finding in findings if finding.code.code == "KB306"]
    assert one.file == "fixtures/errors/charge_card/PAYMENT_DECLINED.json"
    assert one.location == "/response/error/" + next(iter(changed))
    assert "PAYMENT_DECLINED" in one.message


def test_a_trigger_that_changes_alone_is_told(sides: tuple[Path, Path]) -> None:
    change(sides[1], {**DECLINED, "trigger": {"args": {"amount": 7}}}, TIMEOUT)
    assert ("KB306", "PAYMENT_DECLINED") in found(sides)


def test_what_no_fixture_can_show_may_change_alone(sides: tuple[Path, Path]) -> None:
    change(sides[1], {**DECLINED, "effect": "payment", "since": "1.2", "status": 403}, TIMEOUT)
    assert found(sides) == []


def test_a_recorded_fixture_that_says_already_what_the_row_says_now_passes(sides: tuple[Path, Path]) -> None:
    for root in sides:
        path = root / "fixtures/errors/charge_card/TIMEOUT.json"
        value = read(path)
        value["response"]["error"]["message"] = "No answer in 30 s"
        write(path, value)
        run(root, "generate")
    change(sides[1], DECLINED, {**TIMEOUT, "message": "No answer in 30 s"})
    assert found(sides) == []
    change(sides[1], DECLINED, {**TIMEOUT, "message": "No answer"})
    assert codes(sides) == {"KB303", "KB306"}


def test_a_row_that_is_removed_without_its_fixture_is_told(sides: tuple[Path, Path]) -> None:
    change(sides[1], DECLINED)
    assert ("KB302", "TIMEOUT") in found(sides)
    run(sides[1], "generate")
    assert found(sides) == []


def test_a_first_catalogue_needs_its_fixtures(sides: tuple[Path, Path]) -> None:
    (sides[0] / "schemas/errors.json").unlink()
    shutil.rmtree(sides[0] / "fixtures")
    assert found(sides) == []
    shutil.rmtree(sides[1] / "fixtures")
    assert "KB301" in codes(sides)


def test_a_base_that_cannot_be_read_counts_as_none(sides: tuple[Path, Path]) -> None:
    (sides[0] / "schemas/errors.json").write_text("{", encoding="utf-8")
    assert found(sides) == []


def test_a_test_that_was_edited_is_told(sides: tuple[Path, Path]) -> None:
    path = sides[1] / "tests/contracts/test_errors_charge_card.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# weaker\n", encoding="utf-8")
    findings = gated(project(sides[0]), project(sides[1]))
    assert [(f.code.code, f.file) for f in findings] == [("KB307", "tests/contracts/test_errors_charge_card.py")]


def test_a_project_without_a_catalogue_has_nothing_to_say(tmp_path: Path) -> None:
    (tmp_path / "knownbad.toml").write_text("", encoding="utf-8")
    assert gated(project(tmp_path), project(tmp_path)) == []
