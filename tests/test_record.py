"""Capturing real replies as fixtures: masked, refused where something is left, and never what its class is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from click.testing import CliRunner, Result

import replaying
from conftest import ROOT
from knownbad.cli import main
from replaying import config, fixture, put, written

FILE = "fixtures/errors/charge_card/PAYMENT_DECLINED.json"
SECRET = "q7Rk2vXw9LpTz4Nc8YbHd3Mf6Gs1JaUe"
SOURCE = """
MORE = {more!r}
def answer(request):
    assert request["args"]["amount"] == 42
    assert request["args"].get("token") in (None, "t-1")
    error = {{"code": "PAYMENT_DECLINED", "hint": "PAYMENT_DECLINED", "message": "Card issuer declined",
             "retryable": False, **MORE}}
    return {{"error": error}}
"""
ONE = replaying.CATALOGUE[: replaying.CATALOGUE.index('[[error]]\ncode = "TRANSIENT"')]


def project(root: Path, number: int, catalogue: str = ONE, mask: str = "", **more: Any) -> Path:
    """A project with one class, and a tool that answers with these members more."""
    name = f"recorded_tool_{number}_{abs(hash(root))}"
    put(root, f"{name}.py", SOURCE.format(more=more))
    put(root, "schemas/errors.toml", catalogue)
    put(root, "knownbad.toml", config(function=f"{name}:answer") + mask)
    return root


def record(root: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["record", "--root", str(root), *arguments], catch_exceptions=False)


def read(root: Path, name: str = FILE) -> Any:
    return json.loads((root / name).read_text(encoding="utf-8"))


def test_a_reply_becomes_the_fixture_of_its_class(tmp_path: Path) -> None:
    root = project(tmp_path, 1, details={"issuer": "x"})
    done = record(root)
    assert (done.exit_code, "PAYMENT_DECLINED.json: recorded\n" in done.stdout) == (0, True)
    assert read(root) == fixture("PAYMENT_DECLINED", details={"issuer": "x"})


def test_the_same_reply_again_changes_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    record(root)
    before = (root / FILE).stat().st_mtime_ns
    done = record(root)
    assert "unchanged" in done.stdout
    assert (root / FILE).stat().st_mtime_ns == before


def test_a_recorded_fixture_is_left_alone_by_generate_and_said_to_be_recorded(tmp_path: Path) -> None:
    root = project(tmp_path, 3, details={"issuer": "x"})
    invoke = CliRunner().invoke
    assert invoke(main, ["generate", "--root", str(root)]).exit_code == 0
    assert read(root)["response"]["error"].get("details") is None
    record(root)
    recorded = (root / FILE).read_bytes()
    assert invoke(main, ["generate", "--root", str(root)]).exit_code == 0
    assert (root / FILE).read_bytes() == recorded
    (row,) = read(root, "fixtures/errors/charge_card/corpus.json")["fixtures"]
    assert row["origin"] == "recorded"
    verified = invoke(main, ["verify", "--root", str(root)])
    assert verified.exit_code == 0, verified.output


def test_credentials_are_masked_before_anything_is_written(tmp_path: Path) -> None:
    details = {"authorization": "Bearer abc", "session": {"cookie": "a=b"}, "note": "sent Bearer abc123.def"}
    root = project(tmp_path, 4, details=details)
    done = record(root)
    masked = {"authorization": "[masked]", "session": {"cookie": "[masked]"}, "note": "sent Bearer [masked]"}
    assert read(root)["response"]["error"]["details"] == masked
    assert "masked: /response/error/details/authorization (its name)" in done.stdout
    assert "abc" not in (root / FILE).read_text(encoding="utf-8")


def test_a_reply_that_still_looks_like_holding_one_is_refused(tmp_path: Path) -> None:
    root = project(tmp_path, 5, details={"blob": SECRET})
    done = record(root)
    assert done.exit_code == 1
    assert "KB380" in done.stdout
    assert SECRET not in done.stdout
    assert not (root / FILE).exists()


def test_a_team_says_what_else_is_a_credential_and_what_is_none(tmp_path: Path) -> None:
    root = project(tmp_path, 6, mask='[replay.mask]\nnames = ["blob"]\n', details={"blob": SECRET})
    record(root)
    assert read(root)["response"]["error"]["details"] == {"blob": "[masked]"}
    root = project(tmp_path, 7, mask='[replay.mask]\nkeep = ["blob"]\n', details={"blob": SECRET})
    record(root)
    assert read(root)["response"]["error"]["details"] == {"blob": SECRET}


def test_a_reply_of_another_class_is_no_fixture_of_this_one(tmp_path: Path) -> None:
    root = project(tmp_path, 8, hint="OTHER")
    done = record(root)
    assert done.exit_code == 1
    assert "KB381 PAYMENT_DECLINED: the reply is not what the class documents: hint-differs" in done.stdout
    assert not (root / FILE).exists()


def test_one_refusal_does_not_keep_the_others_from_being_recorded(tmp_path: Path) -> None:
    root = written(tmp_path)
    put(root, "schemas/errors.toml", replaying.CATALOGUE.replace('code = "TIMEOUT"', 'code = "TIMEOUT"\nhint = "LATE"'))
    (root / FILE).unlink()
    done = record(root)
    assert done.exit_code == 1
    assert read(root) == fixture("PAYMENT_DECLINED")
    assert read(root, FILE.replace("PAYMENT_DECLINED", "TIMEOUT")) == fixture("TIMEOUT")


def test_check_writes_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, 9)
    assert record(root, "--check").exit_code == 1
    assert not (root / FILE).exists()
    record(root)
    assert record(root, "--check").exit_code == 0


def test_a_credential_in_a_request_stays_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_RECORD", "t-1")
    root = project(tmp_path, 10, ONE.replace('currency = "USD"', 'token = "${TOKEN_OF_RECORD}"'))
    assert record(root).exit_code == 0
    assert read(root)["request"]["args"]["token"] == "${TOKEN_OF_RECORD}"
    assert "t-1" not in (root / FILE).read_text(encoding="utf-8")


def test_a_credential_in_the_catalogue_is_masked_in_the_fixture_and_sent_all_the_same(tmp_path: Path) -> None:
    root = project(tmp_path, 11, ONE.replace('currency = "USD"', 'token = "t-1"'))
    assert record(root).exit_code == 0
    assert read(root)["request"]["args"]["token"] == "[masked]"
    assert CliRunner().invoke(main, ["replay", "--root", str(root)]).exit_code == 0


def test_the_report_is_what_its_schema_says(tmp_path: Path) -> None:
    schema = json.loads((ROOT / "schemas/record-report.schema.json").read_text(encoding="utf-8"))
    accepts = jsonschema_rs.validator_for(schema).is_valid
    for number, more in enumerate([{}, {"details": {"token": "x"}}, {"details": {"blob": SECRET}}, {"hint": "X"}]):
        done = record(project(tmp_path, 20 + number, **more), "--format", "json")
        report = json.loads(done.stdout)
        assert accepts(report)
        assert report["exit"] == done.exit_code


def test_leaving_the_process_has_to_be_allowed(tmp_path: Path) -> None:
    root = written(tmp_path)
    assert record(root, "--adapter", "command").exit_code == 2
    assert record(root, "--adapter", "command", "--live").exit_code == 0
