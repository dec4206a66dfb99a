"""Promotion: a credential that is masked at one place is masked at every other, and told nowhere."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from knownbad.cli import main
from knownbad.errors import BadInput
from knownbad.masking import Masking
from knownbad.suites.promote import Named, Promoted, promote
from suitekit import ARGS, TOOL, conformance, edited, entry, events_of, failing, ran, suite

PASSWORD = 'Tr0ub4dor&3"'
KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c"


def promoted(log: Path, **named: Any) -> Promoted:
    return promote(log, log.parent / "calls.jsonl", Masking(), Named(**named))


@pytest.mark.parametrize(
    "response",
    [
        f"login of u with {PASSWORD} failed",
        {"echo": PASSWORD},
        {PASSWORD: "is a name"},
        {"content": [{"type": "text", "text": json.dumps({"said": PASSWORD})}]},
        {"content": [{"type": "text", "text": f"GET /?q={quote(PASSWORD, safe='')}"}]},
        {"header": base64.b64encode(PASSWORD.encode()).decode()},
    ],
)
def test_a_masked_argument_is_masked_in_what_was_answered(response: Any, tmp_path: Path) -> None:
    result = promoted(ran(suite(failing(response)), tmp_path, [(TOOL, {"user": "u", "password": PASSWORD})]))
    assert result.suite is not None
    written = json.dumps(result.suite)
    assert "[masked]" in written
    for spelt in ("Tr0ub4dor", base64.b64encode(PASSWORD.encode()).decode().rstrip("=")):
        assert spelt not in written
        assert spelt not in "".join(result.masked)


def test_an_argument_of_another_call_that_holds_it_is_not_asked_for(tmp_path: Path) -> None:
    log = ran(suite(entry(), entry()), tmp_path, [(TOOL, {"password": PASSWORD}), (TOOL, {"note": PASSWORD, "n": 1})])
    result = promoted(log, input=f"log in with {PASSWORD}")
    assert result.suite is not None
    assert result.suite["tasks"][0]["input"] == "log in with [masked]"
    assert result.suite["tasks"][0]["fixtures"]["toolResponses"][1]["args"] == {"n": 1}


def test_a_short_one_is_masked_as_a_word_and_a_number_as_a_number(tmp_path: Path) -> None:
    response = {"said": "pin 4711 of 14711", "n": 4711, "m": 4712}
    log = ran(suite(entry(response)), tmp_path, [(TOOL, {"password": 4711})])
    result = promoted(log)
    assert result.suite is not None
    (response,) = result.suite["tasks"][0]["fixtures"]["toolResponses"]
    assert response["response"] == {"said": "pin [masked] of 14711", "n": 0, "m": 4712}


def test_a_member_that_is_named_by_a_credential_is_told_without_it(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    log = ran(suite(entry({KEY: 1, "by": {KEY: "x"}})), tmp_path, [(TOOL, {KEY: "x"})])
    done = CliRunner().invoke(main, ["suite", "promote", str(log), "--calls", str(tmp_path / "calls.jsonl")])
    assert done.exit_code == 0
    assert "/response/[masked]" in done.output
    assert KEY not in done.output


def test_a_member_whose_name_looks_drawn_is_refused_without_being_told(tmp_path: Path) -> None:
    drawn = "kX9vQ2mL7pR4tY8wZ1nB6cD3fG5hJ0sA"
    result = promoted(ran(suite(entry({drawn: 1})), tmp_path, [(TOOL, {})]))
    assert (result.suite, [f.code.code for f in result.findings]) == (None, ["KB643"])
    assert drawn not in result.findings[0].message + result.findings[0].subject


@pytest.mark.parametrize("member", ["tool", "taskId"])
def test_a_name_that_is_a_credential_is_refused(member: str, tmp_path: Path) -> None:
    """A masked name would match nothing."""

    def named(events: list[dict[str, Any]]) -> None:
        for event in events[:2]:
            event[member] = KEY

    log = edited(ran(suite(entry()), tmp_path, [(TOOL, {})]), named)
    calls = tmp_path / "calls.jsonl"
    if member == "tool":
        calls.write_text(json.dumps({**events_of(calls)[0], "tool": KEY}) + "\n", "utf-8")
    result = promoted(log)
    assert (result.suite, [f.code.code for f in result.findings]) == (None, ["KB643"])
    assert KEY not in result.findings[0].message


def test_a_miss_is_no_answer_of_a_tool_and_is_left_out(tmp_path: Path) -> None:
    log = ran(suite(failing(args=ARGS)), tmp_path, [(TOOL, ARGS), (TOOL, {"id": "c-2"}), ("other", {})])
    result = promoted(log)
    assert result.suite is not None
    (only,) = result.suite["tasks"][0]["fixtures"]["toolResponses"]
    assert (only["args"], only["isError"]) == (ARGS, True)
    assert [text.partition(": ")[2].partition(":")[0] for text in result.left] == ["call call-2", "call call-3"]


def test_a_task_that_the_log_does_not_name_is_none_of_it(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, [(TOOL, ARGS)])
    with pytest.raises(BadInput, match="no call of this task"):
        promoted(log, task_id="nope")
    bare = edited(log, lambda events: [event.pop("taskId", None) for event in events])
    result = promoted(bare, task_id="mine")
    assert result.suite is not None
    assert result.suite["tasks"][0]["taskId"] == "mine"


def test_a_hash_that_is_not_that_of_the_recorded_arguments_is_told(tmp_path: Path) -> None:
    log = ran(suite(entry()), tmp_path, [(TOOL, ARGS)])
    calls = tmp_path / "calls.jsonl"
    calls.write_text(json.dumps({**events_of(calls)[0], "args": {"id": "c-2"}}) + "\n", "utf-8")
    assert [f.code.code for f in promoted(log).findings] == ["KB642"]
