"""Which build passed which fixtures, and whether that is enough to deploy it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from click.testing import CliRunner

import replaying
from conftest import ROOT
from knownbad.cli import main
from knownbad.errors import BadInput, Exit
from knownbad.replay.job import needed_in
from knownbad.replay.verification import Deployable, Held, Outcome, Record, build_of, can_deploy, read, write
from replaying import config, fixture, git, planned, put, written

FILE = "fixtures/errors/charge_card/PAYMENT_DECLINED.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return written(tmp_path)


def accepts(schema: str, value: Any) -> bool:
    found = json.loads((ROOT / f"schemas/{schema}.schema.json").read_text(encoding="utf-8"))
    return jsonschema_rs.validator_for(found).is_valid(value)


def invoke(root: Path, *arguments: str) -> Any:
    return CliRunner().invoke(main, [arguments[0], "--root", str(root), *arguments[1:]], catch_exceptions=False)


def answer(root: Path, build: str = "v1", to: str = "production", **more: Any) -> Deployable:
    plan = planned(root)
    return can_deploy(plan.settings, lambda: needed_in(plan, to), build, to, **more)


def recorded(root: Path, outcome: Outcome, *, adapter: str = "callable", environment: str | None = None) -> None:
    """A record in which every fixture came to this."""
    plan = planned(root)
    held = tuple(
        Held(file, digest or "", outcome)
        for file, digest in needed_in(plan, environment or "production").fixtures.items()
    )
    write(plan.settings, [Record("v1", adapter, environment, held)])


def test_a_build_that_passed_every_fixture_is_deployable(root: Path) -> None:
    done = invoke(root, "replay", "--record", "--build", "v1")
    assert done.exit_code == 0
    assert "recorded in verifications/v1.callable.json" in done.stdout
    done = invoke(root, "can-deploy", "--to", "production", "--build", "v1")
    assert (done.exit_code, done.stdout) == (0, "deployable: build v1 to production, 4 of 4 fixtures verified\n")


def test_a_record_is_what_its_schema_says_and_is_written_anew_by_the_same_run(root: Path) -> None:
    invoke(root, "replay", "--record", "--build", "v1")
    path = root / "verifications/v1.callable.json"
    before = path.read_bytes()
    assert accepts("verification", json.loads(before))
    invoke(root, "replay", "--record", "--build", "v1")
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_build_that_failed_a_fixture_is_not(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_FAULT", "declined-as-transient")
    assert invoke(root, "replay", "--record", "--build", "v1").exit_code == 1
    found = answer(root)
    assert (found.exit, found.word, found.passed) == (Exit.FINDINGS, "failed", 3)
    assert [f.file for f in found.findings] == [FILE]


def test_a_build_without_a_record_is_unknown(root: Path) -> None:
    invoke(root, "replay", "--record", "--build", "v1")
    found = answer(root, "v2")
    assert (found.exit, found.word) == (Exit.UNDECIDED, "unknown")
    assert {f.code.name for f in found.findings} == {"not-verified"}


def test_a_fixture_that_changed_since_is_not_verified(root: Path) -> None:
    invoke(root, "replay", "--record", "--build", "v1")
    put(root, FILE, fixture("PAYMENT_DECLINED", category="terminal"))
    found = answer(root)
    assert found.exit == Exit.UNDECIDED
    assert "the fixture changed since" in found.findings[0].message


def test_a_class_without_a_fixture_is_not_verified(root: Path) -> None:
    invoke(root, "replay", "--record", "--build", "v1")
    (root / FILE).unlink()
    assert [f.message for f in answer(root).findings] == ["there is no such fixture"]


@pytest.mark.parametrize(
    "outcome, exit_code",
    [(Outcome.PASSED, 0), (Outcome.FAILED, 1), (Outcome.UNDECIDED, 3), (Outcome.UNREACHABLE, 5)],
)
def test_the_answer_is_an_exit_code(root: Path, outcome: Outcome, exit_code: int) -> None:
    recorded(root, outcome)
    done = invoke(root, "can-deploy", "--to", "production", "--build", "v1", "--format", "json")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["exit"]) == (exit_code, exit_code)
    assert accepts("deployable-report", report)


def test_one_that_failed_weighs_more_than_one_that_passed_elsewhere(root: Path) -> None:
    recorded(root, Outcome.PASSED)
    recorded(root, Outcome.FAILED, adapter="http")
    assert answer(root).exit == Exit.FINDINGS


def test_an_environment_may_ask_for_adapters(root: Path) -> None:
    put(root, "knownbad.toml", config() + '[replay.deploy.production]\nadapters = ["command"]\n')
    recorded(root, Outcome.PASSED)
    found = answer(root)
    assert (found.exit, found.passed) == (Exit.UNDECIDED, 0)
    assert found.findings[0].fix == "knownbad replay --record --build v1 --live --adapter command"
    assert answer(root, to="staging").exit == Exit.GOOD
    recorded(root, Outcome.PASSED, adapter="command")
    assert answer(root).exit == Exit.GOOD


def test_a_fixture_that_is_split_by_environment_is_verified_there_only(tmp_path: Path) -> None:
    split = replaying.CATALOGUE.replace(
        'message = "Card issuer declined"', 'message = "Card issuer declined"\nenvironments = { production = {} }'
    )
    root = written(tmp_path, catalogue=split)
    put(root, FILE.replace(".json", ".production.json"), fixture("PAYMENT_DECLINED"))
    recorded(root, Outcome.PASSED)
    assert [f.file for f in answer(root).findings] == [FILE.replace(".json", ".production.json")]
    recorded(root, Outcome.PASSED, environment="production")
    assert answer(root).exit == Exit.GOOD
    assert answer(root, to="staging").exit == Exit.UNDECIDED


def test_what_is_unknown_is_looked_at_again(root: Path) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            recorded(root, Outcome.PASSED)

    found = answer(root, retries=5, interval=7.0, wait=wait)
    assert (found.exit, found.looked, waits) == (Exit.GOOD, 3, [7.0, 7.0])


def test_what_stays_unknown_is_looked_at_so_often_and_no_more(root: Path) -> None:
    done = invoke(root, "can-deploy", "--to", "production", "--build", "v1", "--retry-while-unknown", "2",
                  "--retry-interval", "0")  # fmt: skip
    assert (done.exit_code, "(looked 3 times)" in done.stdout) == (3, True)


def test_what_is_failed_is_not_looked_at_again(root: Path) -> None:
    recorded(root, Outcome.FAILED)
    assert answer(root, retries=3, wait=lambda _: pytest.fail("waited")).looked == 1


def test_records_may_be_brought_by_a_command_which_may_fail(root: Path) -> None:
    recorded(root, Outcome.PASSED)
    code = "import os; os.rename('verifications', 'away')"
    for arguments, expected in (([sys.executable, "-c", "pass"], 0), (["no-such-command-of-ours"], 5),
                                ([sys.executable, "-c", "raise SystemExit('no network')"], 5),
                                ([sys.executable, "-c", code], 3)):  # fmt: skip
        put(root, "knownbad.toml", config() + f"[replay.deploy.production]\nfetch = {json.dumps(arguments)}\n")
        assert answer(root).exit == expected


def test_records_that_are_none_are_bad_input_and_all_told(root: Path) -> None:
    put(root, "verifications/a.json", "{}")
    put(root, "verifications/b.json", "not JSON")
    with pytest.raises(BadInput) as caught:
        read(root / "verifications", root)
    assert [p.file for p in caught.value.problems] == ["verifications/a.json", "verifications/b.json"]


def test_a_build_is_called_by_the_last_commit_that_changed_more_than_records(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    commit = git(root, "rev-parse", "HEAD")
    assert build_of(root, root / "verifications") == commit
    assert invoke(root, "replay", "--record").exit_code == 0
    git(root, "add", "-A")
    git(root, "commit", "-qm", "records")
    assert build_of(root, root / "verifications") == commit
    assert invoke(root, "can-deploy", "--to", "production").exit_code == 0
    put(root, FILE, fixture("PAYMENT_DECLINED", category="terminal"))
    assert build_of(root, root / "verifications") == f"{commit}-edited"


def test_a_build_outside_of_git_has_to_be_named(root: Path) -> None:
    done = invoke(root, "can-deploy", "--to", "production")
    assert (done.exit_code, "--build" in done.stderr) == (2, True)


def test_the_report_of_a_replay_is_what_its_schema_says(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for fault in ("", "declined-as-transient", "trace-for-message"):
        monkeypatch.setenv("EXAMPLE_FAULT", fault)
        (root / "fixtures/errors/charge_card/PERMANENT.json").unlink(missing_ok=True)
        done = invoke(root, "replay", "--format", "json", "--live", "--adapter", "callable", "--adapter", "command")
        report = json.loads(done.stdout)
        assert accepts("replay-report", report)
        assert report["exit"] == done.exit_code
        assert len(report["replayed"]) == 8
