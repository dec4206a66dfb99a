"""Error codes at the gate, as a real repository: a class comes with its fixture, or the pull request is stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from error_projects import DECLINED, TIMEOUT, catalogue, run
from knownbad.cli import main
from repository import Repository

EXPIRED = {"code": "CARD_EXPIRED", "retryable": False}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A project in step on `main`, and a branch for the pull request."""
    made = Repository.new(tmp_path / "shop")
    made.put("knownbad.toml", "")
    change(made, DECLINED, TIMEOUT)
    assert run(made.folder, "generate").exit_code == 0
    made.commit("Errors of charge_card")
    made.git("checkout", "--quiet", "-b", "work")
    return made


def change(repository: Repository, *rows: dict[str, Any]) -> None:
    repository.put("schemas/errors.json", catalogue(*rows))


def gate(repository: Repository, *more: str) -> Result:
    arguments = ["gate", "--against", "main", "--root", str(repository.folder), "--no-cache", *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_a_pull_request_that_adds_an_error_code_with_its_fixture_passes(repository: Repository) -> None:
    change(repository, DECLINED, TIMEOUT, EXPIRED)
    assert run(repository.folder, "generate").exit_code == 0
    repository.commit("A card may be expired")
    result = gate(repository)
    assert result.exit_code == 0, result.output


def test_a_pull_request_that_adds_an_error_code_alone_is_stopped(repository: Repository) -> None:
    change(repository, DECLINED, TIMEOUT, EXPIRED)
    repository.commit("A card may be expired")
    result = gate(repository)
    assert result.exit_code == 1
    assert "KB301" in result.output
    assert "CARD_EXPIRED of charge_card has no fixture" in result.output


def test_a_pull_request_that_changes_a_row_alone_is_stopped(repository: Repository) -> None:
    change(repository, {**DECLINED, "message": "The bank said no"}, TIMEOUT)
    repository.commit("Another message")
    result = gate(repository)
    assert result.exit_code == 1
    assert "KB306" in result.output
    assert "PAYMENT_DECLINED" in result.output


def test_a_pull_request_that_changes_a_row_with_its_fixture_passes(repository: Repository) -> None:
    change(repository, {**DECLINED, "retryable": True, "category": "transient"}, TIMEOUT)
    assert run(repository.folder, "generate").exit_code == 0
    repository.commit("A declined card may be tried again: the issuers asked for it")
    assert gate(repository).exit_code == 0


def test_a_pull_request_that_edits_a_fixture_against_its_row_is_stopped(repository: Repository) -> None:
    path = repository.folder / "fixtures/errors/charge_card/PAYMENT_DECLINED.json"
    text = path.read_text(encoding="utf-8").replace('"retryable": false', '"retryable": true')
    path.write_text(text, encoding="utf-8")
    repository.commit("Oops")
    result = gate(repository)
    assert result.exit_code == 1
    assert "KB303" in result.output


def test_a_pull_request_that_has_nothing_to_do_with_errors_passes(repository: Repository) -> None:
    repository.put("README.md", "# The shop\n")
    repository.commit("A readme")
    assert gate(repository).exit_code == 0


def test_the_gate_itself_writes_what_is_missing_when_asked(repository: Repository) -> None:
    change(repository, DECLINED, TIMEOUT, EXPIRED)
    repository.commit("A card may be expired")
    result = gate(repository, "--write")
    assert result.exit_code == 0, result.output
    assert (repository.folder / "fixtures/errors/charge_card/CARD_EXPIRED.json").is_file()
    assert gate(repository).exit_code == 0
