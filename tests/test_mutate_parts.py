"""`knownbad mutate` over a part of the mutants: what a branch changed, shards, and what is ignored."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from knownbad.errors import Exit
from mutating import D07, D20, GOOD, PAYMENT, mutants, report, states, write
from test_cli import run

# ---- parts of the mutants


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def branch(home: Path) -> Path:
    """The project in a repository whose last commit is not changed yet."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(home, "init", "-q", "-b", "main")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "first")
    return home


def test_against_a_revision_only_mutants_of_changed_lines_count(branch: Path) -> None:
    everything = set(mutants(report("--root", branch)))
    assert report("--root", branch, "--against", "HEAD", exit_code=Exit.GOOD)["mutants"] == 0
    note = {**PAYMENT["properties"]["note"], "minLength": 3}
    edited = {**PAYMENT, "title": "A payment", "properties": {**PAYMENT["properties"], "note": note}}
    write(branch / "schemas/payment.schema.json", edited)
    names = set(mutants(report("--root", branch, "--against", "HEAD")))
    assert "/properties/note: minLength.drop" in names
    assert names < everything
    inside = {name for name in names if name.startswith("/properties/note: minLength")}
    around = {"properties.any[note]", "properties.close[note]"}
    assert inside | around <= names
    assert all(name.startswith("properties.rename[note]") for name in names - inside - around), names
    added = {**PAYMENT["properties"], "when": {"format": "date"}}
    write(branch / "schemas/payment.schema.json", {**PAYMENT, "properties": added, "required": ["id", "paid", "when"]})
    write(branch / "fixtures/payment/good.json", {**GOOD, "when": "2024-01-31"})
    names = set(mutants(report("--root", branch, "--against", "main")))
    assert {"/properties/when: format.drop", "required.remove[when]"} <= names
    assert not [name for name in names if name.startswith(("/properties/note", "/properties/id"))]
    listed = run("mutate", "--root", branch, "--against", "main", "--list")
    assert {line.removeprefix("payment: ") for line in listed.output.splitlines()} == names


def test_against_a_revision_in_which_the_schema_was_not_there_everything_counts(branch: Path) -> None:
    write(branch / "schemas/new.json", {"$schema": D07, "type": "integer", "minimum": 3})
    found = report("--root", branch, "--against", "HEAD")
    assert {c["contract"]: c["mutants"] > 0 for c in found["contracts"]} == {"new": True, "payment": False}


def test_against_a_revision_a_definition_that_changed_counts_where_it_stands(branch: Path) -> None:
    schema = {"$schema": D20, "$ref": "part.json", "type": "object"}
    write(branch / "schemas/whole.schema.json", schema)
    write(branch / "schemas/part.json", {"properties": {"n": {"minimum": 1}, "m": {"type": "null"}}})
    git(branch, "add", ".")
    git(branch, "commit", "-q", "-m", "second")
    write(branch / "schemas/part.json", {"properties": {"n": {"minimum": 2}, "m": {"type": "null"}}})
    names = set(mutants(report("--root", branch, "--against", "HEAD", "--contract", "whole")))
    assert names
    assert all(name.startswith("schemas/part.json#") and ("[n]" in name or "minimum" in name) for name in names), names


def test_an_unknown_revision_is_bad_input_with_a_fix(branch: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for revision in ("origin/main", "--output=x"):
        result = run("mutate", "--root", branch, f"--against={revision}")
        assert result.exit_code == Exit.BAD_INPUT
        assert revision in result.stderr
        assert "fetch" in result.stderr
    elsewhere = tmp_path_factory.mktemp("no-repository")
    write(elsewhere / "payment.json", PAYMENT)
    result = run("mutate", "--schema", elsewhere / "payment.json", "--against", "main")
    assert result.exit_code == Exit.BAD_INPUT
    assert "needs a git repository" in result.stderr


def test_shards_are_disjoint_and_together_all(home: Path) -> None:
    whole = mutants(report("--root", home))
    parts = [report("--root", home, "--shard", f"{n}/3") for n in (1, 2, 3)]
    names = [name for part in parts for name in mutants(part)]
    assert len(names) == len(set(names))
    assert {name: m for part in parts for name, m in mutants(part).items()} == whole
    sizes = [part["mutants"] for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert "shard 2 of 3" in "".join(parts[1]["notes"])
    empty = report("--root", home, "--shard", "999/1000", exit_code=Exit.GOOD)
    assert (empty["mutants"], empty["score"]) == (0, 100)


def test_list_tells_the_mutants_and_checks_nothing(home: Path) -> None:
    write(home / "fixtures/payment/bad.json", {})  # a corpus that is wrong matters to a check only
    result = run("mutate", "--root", home, "--list")
    assert result.exit_code == Exit.GOOD
    (home / "fixtures/payment/bad.json").unlink()
    names = list(mutants(report("--root", home)))
    assert result.output.splitlines() == [f"payment: {name}" for name in names]
    rows = json.loads(run("mutate", "--root", home, "--list", "--format", "json").output)
    assert [row["class"] for row in rows] == names
    assert set(rows[0]) == {"contract", "class", "operator", "keywordLocation", "expected"}
    part = run("mutate", "--root", home, "--list", "--shard", "1/2").output.splitlines()
    assert len(part) == (len(names) + 1) // 2


def test_fail_under_is_what_a_score_is_held_against(home: Path) -> None:
    score = report("--root", home, exit_code=Exit.FINDINGS)["score"]
    assert 0 < score < 100
    assert report("--root", home, "--fail-under", int(score), exit_code=Exit.GOOD)["failUnder"] == int(score)
    assert report("--root", home, "--fail-under", int(score) + 1, exit_code=Exit.FINDINGS)["survived"] > 0
    assert report("--root", home, "--fail-under", 0, exit_code=Exit.GOOD)["score"] == score


def test_more_reports_go_into_files(home: Path) -> None:
    out = home / "reports"
    arguments = [f"--report={name}={out / name}" for name in ("json", "junit", "sarif", "stryker", "html", "text")]
    result = run("mutate", "--root", home, *arguments)
    assert result.exit_code == Exit.FINDINGS
    assert sorted(path.name for path in out.iterdir()) == ["html", "json", "junit", "sarif", "stryker", "text"]
    assert json.loads((out / "json").read_text(encoding="utf-8")) == report("--root", home)
    assert (out / "text").read_text(encoding="utf-8") == result.output


# ---- ignores


def ignoring(home: Path, *ignores: dict[str, str]) -> None:
    lines = ['[[contract]]\nname = "payment"\nschema = "schemas/payment.schema.json"']
    for ignore in ignores:
        expires = f"expires = {ignore['expires']}" if "expires" in ignore else ""
        reason = f"reason = {json.dumps(ignore['reason'])}" if "reason" in ignore else ""
        lines.append(f"[[contract.ignore]]\nmutant = {json.dumps(ignore['mutant'])}\n{reason}\n{expires}")
    write(home / "knownbad.toml", "\n".join(lines))


def test_an_ignored_mutant_is_out_of_the_score_for_its_reason(home: Path) -> None:
    before = report("--root", home)
    ignoring(home, {"mutant": "/properties/note: *", "reason": "notes are free text"})
    found = report("--root", home)
    named = {name: m for name, m in mutants(found).items() if name.startswith("/properties/note: ")}
    assert {(m["state"], m["reason"]) for m in named.values()} == {("ignored", "notes are free text")}
    assert found["ignored"] == len(named)
    assert found["mutants"] == before["mutants"]
    assert found["score"] > before["score"]
    assert found["contracts"][0]["notes"] == []


def test_brackets_in_an_ignore_are_those_of_names(home: Path) -> None:
    ignoring(home, {"mutant": "required.remove[id]", "reason": "old clients"})
    found = states(report("--root", home))
    assert [name for name, state in found.items() if state == "ignored"] == ["required.remove[id]"]


def test_an_ignore_without_a_reason_is_bad_input(home: Path) -> None:
    ignoring(home, {"mutant": "required.remove[id]"})
    result = run("mutate", "--root", home)
    assert result.exit_code == Exit.BAD_INPUT
    assert "has no `reason`" in result.stderr
    ignoring(home, {"mutant": "required.remove[id]", "reason": ""})
    assert run("mutate", "--root", home).exit_code == Exit.BAD_INPUT


def test_an_ignore_that_is_over_counts_no_more_and_is_told(home: Path) -> None:
    today = datetime.now(UTC).date()
    kept = {"mutant": "/properties/note: minLength.drop", "reason": "soon", "expires": str(today + timedelta(days=1))}
    over = {"mutant": "/properties/note: maxLength.drop", "reason": "later", "expires": str(date(2020, 2, 29))}
    ignoring(home, kept, over)
    found = report("--root", home)
    assert states(found)[kept["mutant"]] == "ignored"
    assert states(found)[over["mutant"]] == "survived"
    (note,) = found["contracts"][0]["notes"]
    assert over["mutant"] in note
    assert "2020-02-29" in note
    assert "note: payment: the ignore of" in run("mutate", "--root", home).output


def test_an_ignore_that_meets_no_mutant_is_told_by_a_whole_run(home: Path) -> None:
    ignoring(home, {"mutant": "required.remove[gone]", "reason": "it was there once"})
    (note,) = report("--root", home)["contracts"][0]["notes"]
    assert "'required.remove[gone]' meets no mutant" in note
    assert report("--root", home, "--shard", "1/2")["contracts"][0]["notes"] == []
