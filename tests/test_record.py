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
from knownbad.masking import Masking
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


ECHO = """
def answer(request):
    said = request["args"]["token"]
    error = {"code": "PAYMENT_DECLINED", "hint": "PAYMENT_DECLINED", "message": "Card issuer declined",
             "retryable": False, "details": {"said": said, "text": "no account for <%s>" % said, "pin": 4242}}
    return {"error": error}
"""


def test_what_was_put_in_for_a_variable_is_masked_wherever_it_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAIN_WORD", "rosebud")
    monkeypatch.setenv("PIN_OF_RECORD", "4242")
    root = project(tmp_path, 30, ONE.replace('currency = "USD"', 'token = "${PLAIN_WORD}", pin = "${PIN_OF_RECORD}"'))
    put(root, f"echo_{abs(hash(root))}.py", ECHO)
    put(root, "knownbad.toml", config(function=f"echo_{abs(hash(root))}:answer"))
    done = record(root, "--format", "json")
    assert read(root)["response"]["error"]["details"] == {
        "said": "[masked]",
        "text": "no account for <[masked]>",
        "pin": 0,
    }
    assert "the value of ${PLAIN_WORD}" in done.stdout
    again = CliRunner().invoke(main, ["replay", "--root", str(root), "--format", "json"])
    assert again.exit_code == 0
    assert "reply-differs" not in again.stdout
    assert "rosebud" not in done.stdout + again.stdout


@pytest.mark.parametrize(
    "said",
    [
        "passwd hunter2 is wrong",
        "the client_secret hunter2 was refused",
        "the password is 'hunter2'",
        "GET /blob?sig=hunter2&x=1",
        {"signature": "hunter2"},
        {"csrf": "hunter2"},
        {"x-hub-signature-256": "hunter2"},
    ],
)
def test_credentials_in_plain_words_are_masked(said: Any) -> None:
    assert "hunter2" not in json.dumps(Masking().mask(said).value)


def test_a_token_that_is_a_number_is_masked_and_an_amount_of_tokens_is_not() -> None:
    value = {"token": 5, "max_tokens": 5, "note": "password must have 8 characters"}
    assert Masking().mask(value).value == {**value, "token": 0}


def test_recording_again_settles_where_only_what_is_volatile_differs(tmp_path: Path) -> None:
    root = project(tmp_path, 31)
    name = f"clock_{abs(hash(root))}"
    put(
        root,
        f"{name}.py",
        "from itertools import count\nCOUNT = count()\ndef answer(request):\n"
        '    return {"error": {"code": "PAYMENT_DECLINED", "hint": "PAYMENT_DECLINED", "retryable": False,\n'
        '            "message": "Card issuer declined", "details": {"at": next(COUNT)}}}\n',
    )
    text = config(function=f"{name}:answer")
    put(root, "knownbad.toml", text.replace("timeout", 'volatile = ["/error/details/at"]\ntimeout'))
    assert "1 changed" in record(root).stdout
    before = (root / FILE).read_bytes()
    assert "0 changed" in record(root).stdout
    assert (root / FILE).read_bytes() == before


def test_a_request_is_that_of_the_catalogue_even_where_the_fixture_has_an_older_one(tmp_path: Path) -> None:
    root = project(tmp_path, 32)
    put(root, FILE, {**fixture("PAYMENT_DECLINED"), "request": {"tool": "charge_card", "error": {"code": "X"}}})
    live = CliRunner().invoke(main, ["replay", "--root", str(root), "--live", "--adapter", "command"])
    assert "older than the row's `trigger`" in live.stdout
    assert record(root).exit_code == 0
    assert read(root)["request"] == fixture("PAYMENT_DECLINED")["request"]
