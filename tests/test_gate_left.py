"""What must not vanish silently: files of a contract that is gone, fixtures in doubt, a job in the wrong folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from knownbad.cli import main
from knownbad.config import project
from knownbad.errors import Exit
from knownbad.finding import Level
from knownbad.gate import GateOptions, gate
from knownbad.produce import Options, produce, tasks
from repository import Repository

OLD, NEW = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One contract with its corpus on `main`; `topic` is checked out."""
    one = Repository.new(tmp_path / "made")
    one.put("knownbad.toml", "formats = true\n")
    one.put("schemas/dep.schema.json", {"$schema": OLD, "type": "object", "dependencies": {"card": ["address"]}})
    regenerate(one)
    one.commit("a contract")
    one.git("switch", "--quiet", "--create", "topic")
    return one


def regenerate(repository: Repository) -> None:
    found = project(repository.folder)
    produce(found, tasks(found), Options())


def test_all_that_stays_of_a_contract_that_is_gone_is_named(repository: Repository) -> None:
    (repository.folder / "schemas/dep.schema.json").unlink()
    result = gate(project(repository.folder), GateOptions("main"))
    (left,) = (f for f in result.findings if f.code.code == "KB415")
    assert left.detail == ("fixtures/dep", "negative/dep", "tests/contracts/test_dep.py")
    found = project(repository.folder)
    notes = produce(found, tasks(found), Options(), write=False).notes
    assert any("tests/contracts/test_dep.py" in note for note in notes)


def test_a_fixture_that_the_validators_disagree_on_does_not_vanish_by_regenerating(repository: Repository) -> None:
    repository.put("schemas/dep.schema.json", {"$schema": NEW, "type": "object", "dependencies": {"card": ["address"]}})
    before = {path.name for path in (repository.folder / "negative/dep").glob("*.json")}
    regenerate(repository)
    assert before - {path.name for path in (repository.folder / "negative/dep").glob("*.json")}
    result = gate(project(repository.folder), GateOptions("main"))
    assert any(f.code.code == "KB206" and f.weight is Level.UNDECIDED for f in result.findings)
    assert result.exit is not Exit.GOOD


@pytest.mark.parametrize("command", [["gate", "--against", "main"], ["lint"]])
def test_a_folder_without_contracts_is_bad_input_that_names_those_below(tmp_path: Path, command: list[str]) -> None:
    one = Repository.new(tmp_path / "mono")
    one.put("proj/knownbad.toml", "formats = true\n")
    one.put("proj/schemas/a.schema.json", {"$schema": NEW, "type": "string"})
    one.commit("a project below")
    result = CliRunner().invoke(main, [*command, "--root", str(one.folder)], catch_exceptions=True)
    assert result.exit_code == Exit.BAD_INPUT, result.output
    assert "--root proj" in result.output
