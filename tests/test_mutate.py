"""`knownbad mutate` from the outside: what it promises of survivors, states, folders, caches and processes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from knownbad.config import project
from knownbad.errors import Exit
from knownbad.mutants import STATES
from knownbad.mutate import MutateOptions, cache_of, mutate
from knownbad.produce import tasks
from test_cli import process, run, tree

D07, D20 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"
PAYMENT: dict[str, Any] = {
    "$schema": D20,
    "type": "object",
    "required": ["id", "paid"],
    "properties": {
        "id": {"type": "string", "pattern": "^p-[0-9]+$"},
        "paid": {"type": "boolean"},
        "note": {"type": "string", "minLength": 2, "maxLength": 9},
    },
    "additionalProperties": False,
}
GOOD = {"id": "p-1", "paid": True}


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2), encoding="utf-8")
    return path


def report(*args: object, exit_code: int | None = None) -> dict[str, Any]:
    """The JSON report of a run."""
    result = run("mutate", *args, "--format", "json")
    assert exit_code is None or result.exit_code == exit_code, result.output + result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["exit"] == result.exit_code
    return found


def mutants(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The mutants of a report by their stable name."""
    results = [r for contract in found["contracts"] for r in contract["results"]]
    named = {r["class"]: r for r in results}
    assert len(named) == len(results) or len(found["contracts"]) > 1
    return named


def states(found: dict[str, Any]) -> dict[str, str]:
    return {name: m["state"] for name, m in mutants(found).items()}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project of one contract with fixtures that a person wrote."""
    write(tmp_path / "knownbad.toml", "")
    write(tmp_path / "schemas/payment.schema.json", PAYMENT)
    write(tmp_path / "fixtures/payment/good.json", '{"paid":   true, "id": "p-1"}\n')
    write(tmp_path / "negative/payment/unpaid.json", '{ "id": "p-1" }')
    write(tmp_path / "negative/payment/number.json", '{ "id": 7, "paid": true }')
    return tmp_path


# ---- the start: a corpus that is itself wrong


@pytest.mark.parametrize("wrong", ["fixtures/payment/bad.json", "negative/payment/bad.json"])
def test_a_corpus_that_is_itself_wrong_has_no_score(home: Path, wrong: str) -> None:
    write(home / wrong, GOOD if wrong.startswith("negative") else {})
    before = tree(home)
    found = report("--root", home, "--no-cache", "--write", exit_code=Exit.WRONG_START)
    assert found["score"] is None
    assert (found["mutants"], found["killed"]) == (0, 0)
    verb = "accepts" if wrong.startswith("negative") else "rejects"
    assert found["contracts"][0]["wrong"] == [f"{wrong}: the schema {verb} it"]
    assert tree(home) == before, "nothing is written"
    result = run("mutate", "--root", home, "--no-cache")
    assert result.exit_code == Exit.WRONG_START
    assert wrong in result.output
    assert "no score" in result.output


def test_one_wrong_corpus_among_several_is_no_score_for_the_whole(home: Path) -> None:
    write(home / "schemas/count.json", {"$schema": D07, "type": "integer"})
    write(home / "negative/count/one.json", "1")
    found = report("--root", home, exit_code=Exit.WRONG_START)
    scores = {c["contract"]: c["score"] for c in found["contracts"]}
    assert found["score"] is None
    assert scores["count"] is None
    assert scores["payment"] is not None


# ---- survivors


def test_a_survivor_is_told_with_its_line_its_edit_what_is_missing_and_a_witness(home: Path) -> None:
    result = run("mutate", "--root", home)
    assert result.exit_code == Exit.FINDINGS
    lines = result.output.splitlines()
    text = (home / "schemas/payment.schema.json").read_text(encoding="utf-8").splitlines()
    number = 1 + next(n for n, line in enumerate(text) if "minLength" in line)
    start = lines.index(f"  schemas/payment.schema.json:{number}: minLength.drop survived")
    told = "\n".join(lines[start : start + 16])
    assert '      -  "minLength": 2,' in told
    assert "    missing: a negative fixture" in told
    assert "witness: the schema rejects and the mutant accepts" in told
    assert "note" in told.partition("witness:")[2]
    assert "below the 100 %" in lines[-1]


def test_the_report_is_as_its_schema_says_and_its_counts_add_up(home: Path, root: Path) -> None:
    found = report("--root", home)
    schema = json.loads((root / "schemas/mutation-report.schema.json").read_text(encoding="utf-8"))
    assert [e.message for e in Draft202012Validator(schema).iter_errors(found)] == []
    assert list(found)[:9] == ["score", "mutants", *STATES]
    assert sum(found[state] for state in STATES) == found["mutants"] == len(mutants(found))
    counted = found["mutants"] - sum(found[s] for s in ("equivalent", "unreachable", "ignored", "invalid"))
    assert found["score"] == pytest.approx(100 * found["killed"] / counted, abs=0.01)
    for mutant in mutants(found).values():
        if mutant["state"] == "survived":
            assert "witness" in mutant
            assert mutant["missing"]
        if mutant["state"] == "killed":
            assert mutant["killedBy"]
            assert all((home / file).is_file() for file in mutant["killedBy"])


def test_the_names_of_mutants_are_readable_and_stable(home: Path) -> None:
    names = set(mutants(report("--root", home)))
    assert {
        "required.remove[paid]",
        "/additionalProperties: additionalProperties.open",
        "/properties/note: minLength.drop",
    } <= names
    path = home / "schemas/payment.schema.json"
    path.write_text(json.dumps({"title": "Payment", **PAYMENT}, indent=4), encoding="utf-8")
    assert set(mutants(report("--root", home))) == names


# ---- --write


def test_write_closes_every_gap_and_leaves_what_people_wrote_alone(home: Path) -> None:
    theirs = {name: data for name, data in tree(home).items() if name.startswith(("fixtures", "negative", "schemas"))}
    found = report("--root", home, "--write", exit_code=Exit.FINDINGS)
    written = {m["written"] for m in mutants(found).values() if m["state"] == "survived"}
    assert None not in written, "each survivor names the file that closes it"
    assert all((home / name).is_file() for name in written)
    assert len(written) < found["survived"], "a file serves several"
    after = tree(home)
    assert {name: after[name] for name in theirs} == theirs
    assert report("--root", home, exit_code=Exit.GOOD)["score"] == 100
    rows = {}
    for side in ("fixtures", "negative"):
        manifest = json.loads((home / side / "payment/corpus.json").read_text(encoding="utf-8"))
        rows.update({f"{side}/payment/{row['file']}": row for row in manifest["fixtures"]})
    for name in written:
        row = rows[name]
        assert row["origin"] == "generated"
        if name.startswith("negative"):
            assert row["base"]
            assert row["patch"]
    assert rows["negative/payment/unpaid.json"]["origin"] == "written"
    assert run("verify", "--root", home).exit_code == Exit.GOOD
    again = tree(home)
    assert report("--root", home, "--write", exit_code=Exit.GOOD)["survived"] == 0
    assert tree(home) == again


@pytest.fixture
def core(home: Path) -> Path:
    """The project with a generated corpus of the core faults, and what a check of all faults asked for beside it."""
    run("generate", "--root", home)
    write(home / "schemas/list.json", {"$schema": D07, "type": "array", "items": {"type": "integer"}, "maxItems": 3})
    assert run("generate", "--root", home).exit_code == Exit.GOOD
    return home


def test_what_was_written_is_kept_by_generate_while_its_class_is_there(core: Path) -> None:
    before = tree(core)
    found = report("--root", core, "--faults", "all", "--write", exit_code=Exit.FINDINGS)
    written = sorted(name for name in set(tree(core)) - set(before) if not name.startswith("."))
    assert [name for name in written if name.startswith(("fixtures", "negative"))]
    assert all(before[name] == tree(core)[name] for name in before if not name.endswith("corpus.json"))
    assert report("--root", core, "--faults", "all", exit_code=Exit.GOOD)["score"] == 100
    # The emitted tests have to run what was added, so `generate` writes them anew; then nothing is left to do.
    assert run("generate", "--root", core).exit_code == Exit.GOOD
    assert run("generate", "--root", core, "--check").exit_code == Exit.GOOD
    assert run("verify", "--root", core).exit_code == Exit.GOOD
    assert [name for name in written if name not in tree(core)] == []
    assert report("--root", core, "--faults", "all", exit_code=Exit.GOOD)["score"] == 100
    note = {m["written"] for name, m in mutants(found).items() if name.startswith("/properties/note: ")} - {None}
    assert note
    rest = {k: v for k, v in PAYMENT["properties"].items() if k != "note"}
    write(core / "schemas/payment.schema.json", {**PAYMENT, "properties": rest})
    assert run("generate", "--root", core).exit_code == Exit.GOOD
    assert [name for name in note if (core / name).exists()] == [], "its class is gone, and so is the file"
    assert (core / "fixtures/payment/good.json").is_file()


def test_generate_check_stays_clean_after_a_write(core: Path) -> None:
    report("--root", core, "--faults", "all", "--write", exit_code=Exit.FINDINGS)
    result = run("generate", "--root", core, "--check")
    assert result.exit_code == Exit.GOOD, result.output


# ---- any schema, any folders


def test_any_folders_of_raw_instances_will_do(tmp_path: Path) -> None:
    schema = write(tmp_path / "payment.json", PAYMENT)
    good, bad = tmp_path / "test", tmp_path / "negative_test"
    write(good / "a.json", GOOD)
    write(good / "deep/b.yaml", "id: p-2\npaid: false\nnote: so\n")
    write(good / "log.jsonl", '{"id": "p-3", "paid": true}\n\n{"id": "p-4", "paid": true, "note": "nine long"}\n')
    write(good / "README.md", "no instance")
    write(bad / "c.yml", "id: p-5\n")
    write(bad / "log.ndjson", '{"id": 1, "paid": true}\n{"id": "p-6", "paid": "no"}\n')
    human = tree(tmp_path)
    found = report("--schema", schema, "--fixtures", good, "--negative", bad, exit_code=Exit.FINDINGS)
    (contract,) = found["contracts"]
    assert (contract["positive"], contract["negative"]) == (4, 3)
    killers = {file for m in mutants(found).values() for file in m["killedBy"]}
    assert {"negative_test/c.yml", "negative_test/log.ndjson:2"} <= killers
    assert tree(tmp_path) == human, "a check writes nothing, not even a cache"
    report("--schema", schema, "--fixtures", good, "--negative", bad, "--write", exit_code=Exit.FINDINGS)
    again = report("--schema", schema, "--fixtures", good, "--negative", bad, exit_code=Exit.GOOD)
    assert again["score"] == 100
    after = tree(tmp_path)
    assert {name: after[name] for name in human} == human
    added = [name for name in after if name not in human]
    assert all(name.startswith(("test/", "negative_test/")) for name in added), added


def test_a_folder_of_logs_alone_will_do(tmp_path: Path) -> None:
    schema = write(tmp_path / "payment.json", PAYMENT)
    logs = write(tmp_path / "logs/today.jsonl", '{"id": "p-3", "paid": true}\n').parent
    found = report("--schema", schema, "--fixtures", logs, exit_code=Exit.FINDINGS)
    assert (found["contracts"][0]["positive"], found["contracts"][0]["negative"]) == (1, 0)
    assert found["killed"] > 0
    assert found["survived"] > found["killed"]


def test_broken_instances_are_all_told_at_once(tmp_path: Path) -> None:
    schema = write(tmp_path / "payment.json", PAYMENT)
    write(tmp_path / "fixtures/a.json", "{")
    write(tmp_path / "fixtures/b.jsonl", '{"id": "p-1", "paid": true}\nnot json\n')
    result = run("mutate", "--schema", schema, "--fixtures", tmp_path / "fixtures")
    assert result.exit_code == Exit.BAD_INPUT
    assert "a.json" in result.stderr
    assert "b.jsonl:2" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--fixtures", "x"),
        ("--schema", "payment.json", "--out", "o", "--fixtures", "x"),
        ("--schema", "payment.json", "--shard", "0/3"),
        ("--schema", "payment.json", "--shard", "4/3"),
        ("--schema", "payment.json", "--shard", "half"),
        ("--schema", "payment.json", "--fail-under", "101"),
        ("--schema", "payment.json", "--report", "nothing=x"),
        ("--schema", "payment.json", "--backend", "threads"),
        ("--schema", "gone.json"),
        ("--contract", "gone"),
    ],
)
def test_bad_usage_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    write(tmp_path / "payment.json", PAYMENT)
    monkeypatch.chdir(tmp_path)
    result = run("mutate", *arguments)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stderr
    assert set(tree(tmp_path)) == {"payment.json"}


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


# ---- states


def alone(tmp_path: Path, schema: dict[str, Any], *fixtures: Any, negative: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The report of one schema with these instances."""
    write(tmp_path / "s.json", schema)
    for side, instances in (("fixtures", fixtures), ("negative", negative)):
        (tmp_path / side).mkdir(exist_ok=True)
        for number, instance in enumerate(instances):
            write(tmp_path / side / f"{number}.json", json.dumps(instance))
    return report("--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures")


def test_a_dead_keyword_is_equivalent_with_its_proof_and_a_finding(tmp_path: Path) -> None:
    schema = {"$schema": D20, "type": "string", "minLength": 0, "maxLength": 3, "format": "made-up"}
    found = mutants(alone(tmp_path, schema))
    for name in ("minLength.drop", "format.drop"):
        if name in found:
            assert found[name]["state"] == "equivalent"
            assert found[name]["reason"]
    assert [m for m in found.values() if m["state"] == "equivalent"]
    printed = run("mutate", "--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures").output
    assert "changes nothing" in printed


def test_a_bound_beyond_another_is_equivalent(tmp_path: Path) -> None:
    found = mutants(alone(tmp_path, {"$schema": D20, "type": "integer", "minimum": 5, "exclusiveMinimum": 2}))
    assert found["exclusiveMinimum.drop"]["state"] == "equivalent"
    assert found["minimum.drop"]["state"] == "survived"


def test_what_no_instance_gets_to_is_unreachable(tmp_path: Path) -> None:
    dead = {"allOf": [{"type": "string"}, {"type": "null"}]}
    schema = {
        "$schema": D20,
        "properties": {"a": dead, "b": {"$ref": "#/$defs/u"}},
        "required": ["b"],
        "$defs": {"u": {"type": "integer"}, "unused": {"minLength": 2}},
    }
    found = mutants(alone(tmp_path, schema))
    unused = {m["state"] for name, m in found.items() if name.startswith("/$defs/unused: ")}
    assert unused == {"unreachable"}
    assert all(m["reason"] for m in found.values() if m["state"] == "unreachable")
    assert {m["state"] for name, m in found.items() if name.startswith("/$defs/u: ")} == {"survived"}


def test_a_mutant_that_is_no_schema_is_invalid(tmp_path: Path) -> None:
    """A reference that leads into what the edit takes away."""
    schema = {
        "$schema": D07,
        "properties": {"a": {"items": [{"type": "integer"}, {"minimum": 3}]}, "b": {"$ref": "#/properties/a/items/1"}},
    }
    found = alone(tmp_path, schema)
    invalid = {name: m for name, m in mutants(found).items() if m["state"] == "invalid"}
    assert invalid
    assert found["invalid"] == len(invalid)
    assert all(m["reason"] for m in invalid.values())
    counted = found["killed"] + found["survived"] + found["undecided"]
    assert counted + found["invalid"] + found["equivalent"] + found["unreachable"] == found["mutants"]


def test_an_undecided_mutant_counts_against_the_score_and_is_shown_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad import check
    from knownbad.distinguish import Undecided

    monkeypatch.setattr(check, "find", lambda *_: Undecided("it is too hard"))
    write(tmp_path / "s.json", {"$schema": D20, "type": "integer"})
    write(tmp_path / "fixtures/one.json", "1")
    for name in ("null", "text", "false", "list", "object", "number"):
        value = {"null": None, "text": "a", "false": False, "list": [], "object": {}, "number": 1.5}[name]
        write(tmp_path / f"negative/{name}.json", json.dumps(value))
    arguments = ("--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures")
    assert report(*arguments, exit_code=Exit.GOOD)["score"] == 100
    (tmp_path / "negative/null.json").unlink()
    found = report(*arguments, exit_code=Exit.UNDECIDED)
    assert found["undecided"] == 1
    assert found["score"] < 100
    assert mutants(found)["type.add[null]"]["reason"] == "it is too hard"
    found = report(*arguments, "--fail-under", 0, exit_code=Exit.UNDECIDED)
    assert "undecided: it is too hard" in run("mutate", *arguments).output


TURNED = {
    "not": ({"not": {"type": "string", "minLength": 2}}, "/not: minLength.drop", "a"),
    "if": (
        {"if": {"properties": {"k": {"const": 1}}, "required": ["k"]}, "then": {"required": ["a"]}},
        "/if: required.remove[k]",
        {},
    ),
    "oneOf": ({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]}, "/oneOf/1: minimum.exclude", 3),
    "contains with maxContains": (
        {"contains": {"minimum": 3}, "minContains": 0, "maxContains": 1},
        "/contains: minimum.drop",
        [1, 1],
    ),
    "unevaluatedProperties": (
        {"allOf": [{"properties": {"a": {"type": "integer"}}}], "unevaluatedProperties": False},
        "allOf.remove[0]",
        {"a": 1},
    ),
}


@pytest.mark.parametrize("where", TURNED)
def test_a_direction_is_what_is_observed(tmp_path: Path, where: str) -> None:
    schema, name, instance = TURNED[where]
    mutant = mutants(alone(tmp_path, {"$schema": D20, **schema}))[name]
    assert (mutant["expected"], mutant["observed"]) in (("weaker", "stronger"), ("stronger", "weaker"))
    assert mutant["state"] == "survived"
    accepted = mutant["observed"] == "stronger"
    assert mutant["accepted"] is accepted
    killed = alone(tmp_path, {"$schema": D20, **schema}, *[instance] * accepted, negative=(instance,) * (not accepted))
    assert mutants(killed)[name]["state"] == "killed"
    assert mutants(killed)[name]["observed"] == mutant["observed"]


def test_straight_edits_are_observed_as_expected(home: Path) -> None:
    found = mutants(report("--root", home))
    assert found["required.remove[paid]"]["observed"] == found["required.remove[paid]"]["expected"] == "weaker"
    stronger = found["/properties/note: minLength.raise"]
    assert stronger["observed"] == stronger["expected"] == "stronger"


# ---- the same bytes


def printed(home: Path, *arguments: object, **env: str) -> str:
    done = process("-m", "knownbad", "mutate", "--format", "json", *arguments, cwd=home, **env)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def test_the_bytes_depend_neither_on_processes_nor_on_caches_nor_on_hash_seeds(home: Path) -> None:
    write(home / "schemas/wide.schema.json", wide(40))  # more than one process is given at a time
    first = printed(home, "--no-cache", PYTHONHASHSEED="1")
    assert json.loads(first)["contracts"][1]["mutants"] > 300
    assert not (home / ".knownbad_cache").exists()
    assert printed(home, "--jobs", "2", "--no-cache", PYTHONHASHSEED="2", LC_ALL="C") == first
    assert printed(home, PYTHONHASHSEED="3") == first
    assert (home / ".knownbad_cache").is_dir()
    assert printed(home, "--jobs", "2", PYTHONHASHSEED="4") == first
    assert printed(home) == first
    for name in ("answers.sqlite", "answers.sqlite-wal", "answers.sqlite-shm"):
        (home / ".knownbad_cache" / name).write_bytes(random.Random(7).randbytes(5000))
    assert printed(home) == first


def test_a_cache_that_cannot_be_is_as_none(home: Path) -> None:
    first = report("--root", home, "--no-cache")
    (home / ".knownbad_cache").write_text("a file")
    assert report("--root", home) == first
    (home / ".knownbad_cache").unlink()
    (home / ".knownbad_cache/answers.sqlite").mkdir(parents=True)
    assert report("--root", home) == first


def test_a_cache_is_only_made_in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema = write(tmp_path / "payment.json", PAYMENT)
    report("--schema", schema)
    assert set(tree(tmp_path)) == {"payment.json"}


def test_a_second_run_after_an_edit_asks_only_what_the_edit_can_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad import check

    asked: list[str] = []
    answer = check.find
    monkeypatch.setattr(check, "find", lambda engine, m: asked.append(m.class_) or answer(engine, m))
    report("--root", home)
    assert asked
    asked.clear()
    report("--root", home)
    assert asked == []


def test_answers_about_large_schemas_from_an_earlier_run_count_as_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a second run would ask others, and tell more than the first."""
    from knownbad import prove

    monkeypatch.setattr(prove, "LARGE", 0)
    monkeypatch.setattr(prove, "WHOLE", 2)
    member = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "minProperties": 1}
    hard = {
        "$schema": D20,
        "allOf": [member, {"minProperties": 1}, {"anyOf": [{"minProperties": 1}, {"type": "null"}]}],
    }
    write(home / "schemas/hard.schema.json", hard)
    first = report("--root", home, "--contract", "hard", "--no-cache")
    assert first["undecided"] > 0
    assert report("--root", home, "--contract", "hard") == first
    assert report("--root", home, "--contract", "hard") == first


def test_progress_is_told_up_to_the_last_mutant(home: Path) -> None:
    found = project(home)
    told: list[tuple[str, int, int]] = []
    checked = mutate(found, tasks(found), MutateOptions(cache=cache_of(found)), lambda *step: told.append(step))
    assert told[-1] == ("payment", len(checked.mutants), len(checked.mutants))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


# ---- interrupts


def wide(count: int) -> dict[str, Any]:
    """An object of many properties."""
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "string", "minLength": 1, "maxLength": 8, "pattern": "^[a-z]*$"},
        {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 3},
        {"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]},
    )
    members = {f"member{n}": kinds[n % len(kinds)] for n in range(count)}
    return {"$schema": D20, "type": "object", "properties": members, "additionalProperties": False}


def children(pid: int) -> Iterator[int]:
    """All processes below one, as /proc tells."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(path.parent.name)
            yield child
            yield from children(child)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def hearing() -> None:
    """Ctrl-C is heard, also where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize("whole_group", [True, False], ids=["Ctrl-C", "only the main process"])
def test_an_interrupt_ends_soon_with_130_and_leaves_nothing_behind(home: Path, whole_group: bool) -> None:
    write(home / "schemas/payment.schema.json", wide(600))
    for path in (home / "fixtures/payment/good.json", home / "negative/payment/unpaid.json"):
        path.unlink()
    (home / "negative/payment/number.json").write_text("7")
    before = tree(home)
    command = [sys.executable, "-m", "knownbad", "mutate", "-j", "2", "--write", "--no-cache"]
    env = {**os.environ, "PYTHONPATH": str(Path(mutate.__code__.co_filename).parents[1])}
    with subprocess.Popen(
        command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True,
        preexec_fn=hearing,
    ) as running:  # fmt: skip
        deadline = time.monotonic() + 60
        while len(list(children(running.pid))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        workers = list(children(running.pid))
        assert len(workers) >= 2
        assert running.poll() is None, "the schema is too small for this test"
        begun = time.monotonic()
        if whole_group:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.send_signal(signal.SIGINT)
        try:
            _, errors = running.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # else leaving the block would wait for it
            raise
        took = time.monotonic() - begun
    assert running.returncode == 130, errors
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert took < 10
    until = time.monotonic() + 5
    while [pid for pid in workers if alive(pid)] and time.monotonic() < until:
        time.sleep(0.1)
    assert [pid for pid in workers if alive(pid)] == []
    assert tree(home) == before


# ---- clusters

CLUSTER = """\
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the scheduler of a Dask cluster on this machine."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    script = write(folder / "cluster.py", CLUSTER)
    path = str(Path(mutate.__code__.co_filename).parents[1])
    env = {**os.environ, "PYTHONPATH": path, "DASK_TEMPORARY_DIRECTORY": str(folder)}
    with subprocess.Popen(
        [sys.executable, str(script)], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdin is not None
        yield running.stdout.readline().strip()
        running.stdin.close()
        running.wait(30)


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(home: Path, cluster: str) -> None:
    write(home / "schemas/wide.schema.json", wide(40))
    alone = printed(home, "--no-cache")
    assert cluster.startswith("tcp://")
    assert printed(home, "--no-cache", "--backend", "dask", "--scheduler", cluster, "--jobs", "2") == alone


def test_a_scheduler_that_does_not_answer_is_unreachable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def unanswered(address: str, **_: Any) -> None:
        raise OSError(f"timed out connecting to {address}")

    monkeypatch.setattr(distributed, "Client", unanswered)
    result = run("mutate", "--root", home, "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == Exit.UNREACHABLE
    assert "no Dask scheduler answers" in result.stderr


def test_a_backend_that_is_not_installed_is_bad_input_with_a_fix(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for backend, package in (("dask", "distributed"), ("ray", "ray")):
        monkeypatch.setitem(sys.modules, package, None)
        result = run("mutate", "--root", home, "--backend", backend)
        assert result.exit_code == Exit.BAD_INPUT
        assert f"pip install 'knownbad[{backend}]'" in result.stderr
