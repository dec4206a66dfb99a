"""`knownbad mutate` from the outside: what it promises of survivors, of what it writes, and of folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from knownbad.errors import Exit
from knownbad.mutants import STATES
from mutating import D07, GOOD, PAYMENT, mutants, report, write
from test_cli import run, tree

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
