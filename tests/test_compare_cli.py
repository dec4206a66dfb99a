"""`knownbad compare`: files and revisions in, a report and an exit code out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from conftest import ROOT
from knownbad.cli import main

BASE = {"type": "object", "properties": {"code": {"type": "string"}}, "additionalProperties": False}
HEAD = {"type": "object", "properties": {"code": {"type": "string"}}}
SCHEMA = json.loads((ROOT / "schemas/compare-report.schema.json").read_text("utf-8"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two schemas, to stand in."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "base.json", BASE)
    put(tmp_path, "head.json", HEAD)
    return tmp_path


def put(folder: Path, name: str, value: Any) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments])


def report(*arguments: str) -> dict[str, Any]:
    """The JSON report, which its own schema accepts."""
    done = run(*arguments, "--format", "json")
    found: dict[str, Any] = json.loads(done.stdout)
    assert list(Draft202012Validator(SCHEMA).iter_errors(found)) == []
    assert found["exit"] == done.exit_code
    return found


def git(folder: Path, *arguments: str) -> None:
    given = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *given, *arguments], check=True, capture_output=True)


@pytest.mark.parametrize(
    "base, head, direction, code",
    [
        ("base.json", "head.json", "both", 1),
        ("base.json", "head.json", "output", 1),
        ("base.json", "head.json", "input", 0),
        ("head.json", "base.json", "input", 1),
        ("head.json", "base.json", "output", 0),
        ("base.json", "base.json", "both", 0),
    ],
)
def test_the_exit_code_is_that_of_the_direction(here: Path, base: str, head: str, direction: str, code: int) -> None:
    assert run(base, head, "--direction", direction).exit_code == code


def test_what_is_not_known_is_no_pass(here: Path) -> None:
    put(here, "one.json", {"type": "string", "pattern": r"^(a|b)\1(?<=aa|bb)$"})
    put(here, "other.json", {"type": "string", "pattern": r"^(a|b)\1(?<=bb|aa)$"})
    done = run("one.json", "other.json")
    assert done.exit_code == 3
    assert "undecided" in done.output
    assert "would decide it" in " ".join(done.output.split())


def test_the_report_says_what_where_and_shows_it(here: Path) -> None:
    found = report("base.json", "head.json", "--direction", "output")
    assert (found["verdict"], found["breaks"], found["direction"]) == ("widened", True, "output")
    assert "witness" not in found["narrowing"]
    witness = found["widening"]["witness"]
    assert set(witness) - {"code"}
    (change,) = found["changes"]
    assert (change["location"], change["verdict"], change["decides"]) == ("/additionalProperties", "widened", True)
    assert change["base"]["value"] is False
    assert "value" not in change["head"]


def test_the_text_shows_the_instance_and_the_edit(here: Path) -> None:
    put(here, "head.json", {**BASE, "properties": {"code": {"type": "string", "maxLength": 3}}})
    put(here, "base.json", {**BASE, "properties": {"code": {"type": "string", "maxLength": 4}}})
    lines = run("base.json", "head.json").output.splitlines()
    assert lines[0] == "narrowed: head rejects what base accepts"
    assert '    {"code": "abcd"}' in lines
    assert '  -  "maxLength": 4' in lines
    assert '  +  "maxLength": 3' in lines
    assert lines[-1].endswith("this one breaks")


def test_an_equivalent_pair_is_told_with_its_proof(here: Path) -> None:
    put(here, "head.json", {"title": "T", **BASE})
    done = run("base.json", "head.json")
    assert done.exit_code == 0
    assert done.output.startswith("equivalent: both accept the same instances\n  proof: ")


def test_a_place_in_a_document_is_compared(here: Path) -> None:
    document = {
        "openapi": "3.1.0",
        "components": {"schemas": {"A": BASE, "B": HEAD, "C": {"$ref": "#/components/schemas/A"}}},
    }
    put(here, "api.json", document)
    schemas = "api.json#/components/schemas"
    assert report(f"{schemas}/A", f"{schemas}/C")["verdict"] == "equivalent"
    assert report(f"{schemas}/A", f"{schemas}/B")["verdict"] == "widened"


def test_a_fixture_that_is_given_is_tried(here: Path) -> None:
    put(here, "base.json", {"pattern": r"^(a|b)\1$", "type": "string"})
    put(here, "head.json", {"pattern": r"^(a|b)\1(?<!bb)$", "type": "string"})
    put(here, "kept/one.json", '"bb"')
    assert report("base.json", "head.json", "--fixture", "kept")["narrowing"]["witness"] == "bb"


def test_all_problems_of_both_sides_are_told(here: Path) -> None:
    put(here, "base.json", {"$ref": "nowhere.json"})
    put(here, "head.json", '{"type": ')
    done = run("base.json", "head.json")
    assert done.exit_code == 2
    assert "base.json" in done.stderr
    assert "head.json" in done.stderr
    assert run("base.json", "none.json").exit_code == 2


def test_a_reference_to_nothing_may_be_taken_as_anything(here: Path) -> None:
    put(here, "base.json", {**BASE, "$comment": "", "not": {"$ref": "https://example.org/x"}})
    put(here, "head.json", {**BASE, "not": {"$ref": "https://example.org/x"}})
    assert run("base.json", "head.json").exit_code == 2
    assert run("base.json", "head.json", "--unresolved", "any").exit_code == 0


def test_the_direction_is_that_of_the_contract_in_the_config(here: Path) -> None:
    """An output contract breaks by widening alone, so narrowing it passes."""
    put(here, "knownbad.toml", '[[contract]]\nname = "a"\nschema = "head.json"\ndirection = "output"\n')
    assert report("head.json", "base.json")["direction"] == "both"
    put(here, "base.json", HEAD)
    put(here, "head.json", BASE)
    found = report("base.json", "head.json")
    assert (found["direction"], found["verdict"], found["exit"]) == ("output", "narrowed", 0)


def test_a_revision_is_read_with_the_references_that_it_had(here: Path) -> None:
    """`REVISION:path` as in git, from the top or from here; the folder's files do not mix in."""
    schema = {"properties": {"a": {"$ref": "parts/a%20b.json"}}}
    put(here, "schemas/main.json", schema)
    put(here, "schemas/parts/a b.json", {"type": "string", "minLength": 2})
    git(here, "init", "-q")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "one")
    put(here, "schemas/parts/a b.json", {"type": "string", "minLength": 1})
    found = report("HEAD:schemas/main.json", "schemas/main.json")
    assert (found["verdict"], found["widening"]["witness"]) == ("widened", {"a": "a"})
    assert found["changes"][0]["schema"].endswith("parts/a b.json")
    assert report("HEAD:./schemas/main.json", "HEAD:schemas/main.json")["verdict"] == "equivalent"
    put(here, "schemas/parts/a b.json", "gone")
    assert run("HEAD:schemas/main.json", "HEAD:schemas/main.json").exit_code == 0
    assert "no revision 'HAED'" in run("HAED:schemas/main.json", "schemas/main.json").stderr
    missing = run("HEAD:schemas/none.json", "HEAD:schemas/main.json")
    assert (missing.exit_code, "HEAD:" in missing.stderr) == (2, True)


@pytest.mark.parametrize("format_", ["junit", "github", "sarif", "gitlab"])
def test_the_reports_of_findings_know_a_comparison(here: Path, format_: str) -> None:
    done = run("base.json", "head.json", "--format", format_, "--report", "json=out.json")
    assert done.exit_code == 1
    assert "KB402" in done.stdout
    assert json.loads((here / "out.json").read_text("utf-8"))["verdict"] == "widened"
