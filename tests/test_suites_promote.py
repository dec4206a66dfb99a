"""A recorded run becomes a suite task: failures stay failures, and no credential is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from knownbad.cli import main
from knownbad.errors import BadInput
from knownbad.masking import Masking
from knownbad.suites.contracts import RECORDED, SUITE, misfits
from knownbad.suites.promote import Named, Promoted, promote
from knownbad.suites.suite import Suite, suite_of
from suitekit import (
    ARGS,
    DOWN,
    FOUND,
    TOOL,
    conformance,
    document,
    edited,
    entry,
    events_of,
    failing,
    judged,
    ran,
    rules,
    suite,
)

TWICE = [(TOOL, ARGS), (TOOL, ARGS)]


def promoted(log: Path, **named: Any) -> Promoted:
    return promote(log, log.parent / "calls.jsonl", Masking(), Named(**named))


def again(result: Promoted) -> Suite:
    assert result.suite is not None
    return suite_of(result.suite, "promoted.json")


def responses(result: Promoted) -> list[dict[str, Any]]:
    assert result.suite is not None
    (task,) = result.suite["tasks"]
    found: list[dict[str, Any]] = task["fixtures"]["toolResponses"]
    return found


def test_a_run_is_promoted_with_its_failures_as_failures(tmp_path: Path) -> None:
    result = promoted(ran(conformance(), tmp_path, TWICE))
    assert result.findings == []
    assert responses(result) == [
        {"tool": TOOL, "args": ARGS, "argsMatch": "exact", "isError": True, "response": DOWN},
        {"tool": TOOL, "args": ARGS, "argsMatch": "exact", "response": FOUND},
    ]
    assert misfits(SUITE, result.suite) == []


def test_what_is_promoted_is_served_as_it_was_recorded(tmp_path: Path) -> None:
    """Recorded, promoted, served again: the same log."""
    entries = [failing({"a": [1, None]}), entry("text"), entry(7, tool="b"), failing(tool="b"), entry(None)]
    calls = [(TOOL, {"n": 1}), ("b", {}), (TOOL, {"n": 2}), ("b", {"x": {"y": 1}}), (TOOL, {"n": 1})]
    log = ran(suite(*entries), tmp_path, calls)
    first, transcript = log.read_text("utf-8"), (tmp_path / "calls.jsonl").read_text("utf-8")
    found = again(promoted(log))
    served = ran(found, tmp_path, calls)
    assert served.read_text("utf-8").replace('"recorded"', '"billing.refunds"') == first
    assert (tmp_path / "calls.jsonl").read_text("utf-8") == transcript
    assert rules(judged(found, served, calls=tmp_path / "calls.jsonl")) == set()


def test_a_call_that_the_transcript_does_not_hold_is_refused_by_its_name(tmp_path: Path) -> None:
    """An event log holds no payloads; nothing is promoted without them."""
    log = ran(conformance(), tmp_path, TWICE)
    calls = tmp_path / "calls.jsonl"
    calls.write_text(calls.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    result = promoted(log)
    assert result.suite is None
    (finding,) = result.findings
    assert finding.code.code == "KB641"
    assert "call-2" in finding.message
    assert "holds no payloads" in finding.message


def test_every_call_without_a_payload_is_named(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    (tmp_path / "calls.jsonl").write_text("", "utf-8")
    assert [f.subject for f in promoted(log).findings] == ["call-1", "call-2"]


CONTRADICTIONS: list[tuple[str, dict[str, Any]]] = [
    ("a failure that the transcript calls a success", {"isError": False}),
    ("another tool", {"tool": "mail:send"}),
]


@pytest.mark.parametrize("change", [c for _, c in CONTRADICTIONS], ids=[n for n, _ in CONTRADICTIONS])
def test_log_and_transcript_must_tell_a_call_alike(change: dict[str, Any], tmp_path: Path) -> None:
    log, calls = ran(conformance(), tmp_path, TWICE), tmp_path / "calls.jsonl"
    first, second = events_of(calls)
    calls.write_text(json.dumps({**first, **change}) + "\n" + json.dumps(second) + "\n", "utf-8")
    result = promoted(log)
    assert (result.suite, [f.code.code for f in result.findings]) == (None, ["KB642"])


def test_a_call_that_never_returned_is_not_promoted(tmp_path: Path) -> None:
    log = edited(ran(conformance(), tmp_path, TWICE), lambda events: events.pop(1))
    result = promoted(log)
    assert (result.suite, [f.code.code for f in result.findings]) == (None, ["KB622"])


def test_calls_are_promoted_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    """Whatever the order of the transcript."""
    log, calls = ran(suite(failing(), entry(), failing()), tmp_path, [*TWICE, (TOOL, ARGS)]), tmp_path / "calls.jsonl"
    calls.write_text("".join(f"{line}\n" for line in reversed(calls.read_text("utf-8").splitlines())), "utf-8")
    assert [r.get("isError", False) for r in responses(promoted(log))] == [True, False, True]


def test_credentials_are_masked_and_the_call_still_matches(tmp_path: Path) -> None:
    """No agent sends what stands in the place of a credential, so it is not asked for."""
    secret = "sk-live-4f9a8b7c6d5e4f3a2b1c"
    args = {"id": "c-1", "login": {"apiKey": secret, "user": "u"}, "items": [{"password": secret}]}
    body = {"content": [{"type": "text", "text": json.dumps({"token": secret, "ok": True})}]}
    log = ran(suite(failing(body)), tmp_path, [(TOOL, args)])
    result = promoted(log)
    assert secret not in json.dumps(result.suite)
    (response,) = responses(result)
    assert response["args"] == {"id": "c-1", "login": {"user": "u"}}
    assert (response["argsMatch"], response["isError"]) == ("subset", True)
    assert [place.partition("argument ")[2].partition(",")[0] for place in result.masked[:-1]] == [
        "/login/apiKey",
        "/items/0/password",
    ]
    assert result.masked[-1:] == ["/tasks/0/fixtures/toolResponses/0/response/content/0/text/token"]
    found = again(result)
    assert found.tasks[0].responses[0].is_error
    assert events_of(ran(found, tmp_path, [(TOOL, args)]))[-1]["summary"]["fixtureMissCount"] == 0


def test_arguments_that_are_all_masked_match_any(tmp_path: Path) -> None:
    log = ran(suite(entry()), tmp_path, [(TOOL, {"password": "hunter2hunter2"})])
    (response,) = responses(promoted(log))
    assert (response.get("args"), response["argsMatch"]) == (None, "any")


def test_nothing_is_promoted_that_may_still_be_a_credential(tmp_path: Path) -> None:
    """As in `record`: what still looks like one is named and not written, unless the config keeps it."""
    drawn = "kX9vQ2mL7pR4tY8wZ1nB6cD3fG5hJ0sA"
    log = ran(suite(entry({"note": drawn})), tmp_path, [(TOOL, {})])
    result = promoted(log)
    assert (result.suite, [f.code.code for f in result.findings]) == (None, ["KB643"])
    assert drawn not in result.findings[0].message
    kept = promote(log, tmp_path / "calls.jsonl", Masking(keep=("note",)), Named())
    assert responses(kept)[0]["response"] == {"note": drawn}


def test_one_run_of_several_is_promoted_by_its_name(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    both = events_of(log)
    other = [{**e, "runId": "run-2"} for e in both]
    log.write_text("".join(json.dumps(e) + "\n" for e in [*both, *other]), "utf-8")
    with pytest.raises(BadInput, match="more than one run"):
        promoted(log)
    assert len(responses(promoted(log, run_id="run-1"))) == 2


def test_a_log_without_calls_makes_no_suite(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no tool call"):
        promoted(ran(conformance(), tmp_path, []))


def test_each_task_of_the_log_becomes_a_task(tmp_path: Path) -> None:
    value = document(failing())
    value["tasks"].append({**document(entry(tool="b"))["tasks"][0], "taskId": "refund-2"})
    found = suite_of(value, "suite.json")
    log = ran(found, tmp_path, [(TOOL, {})], "refund-1")
    events = [*events_of(log), *({**e, "taskId": "refund-2", "callId": "call-9"} for e in events_of(log)[:2])]
    calls = events_of(tmp_path / "calls.jsonl")
    log.write_text("".join(json.dumps(e) + "\n" for e in events), "utf-8")
    both = [calls[0], {**calls[0], "callId": "call-9"}]
    (tmp_path / "calls.jsonl").write_text("".join(json.dumps(c) + "\n" for c in both), "utf-8")
    result = promoted(log)
    assert result.suite is not None
    assert [task["taskId"] for task in result.suite["tasks"]] == ["refund-1", "refund-2"]


def test_the_transcript_that_serve_writes_fits_its_contract(tmp_path: Path) -> None:
    ran(conformance(), tmp_path, [*TWICE, ("other", {})])
    lines = events_of(tmp_path / "calls.jsonl")
    assert len(lines) == 3
    assert [misfits(RECORDED, line) for line in lines] == [[], [], []]


@pytest.mark.parametrize("line", ["no json", "[]", '{"callId": "a"}', '{"callId": "a", "tool": "t", "result": 1}'])
def test_a_transcript_that_is_none_is_bad_input_with_its_line(line: str, tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    (tmp_path / "calls.jsonl").write_text(f"{line}\n", "utf-8")
    with pytest.raises(BadInput, match="1:1"):
        promoted(log)


def test_the_command_writes_a_suite_or_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log, out = ran(conformance(), tmp_path, TWICE), tmp_path / "suite.json"
    arguments = ["suite", "promote", str(log), "--calls", str(tmp_path / "calls.jsonl")]
    task = conformance().tasks[0].task_id
    named = ["--suite-id", "mine", "--task", task, "--input", '{"ask": 1}', "--out", str(out)]
    assert CliRunner().invoke(main, [*arguments, *named]).exit_code == 0
    value = json.loads(out.read_text("utf-8"))
    assert (value["suiteId"], value["tasks"][0]["taskId"], value["tasks"][0]["input"]) == (
        "mine",
        task,
        {"ask": 1},
    )
    out.unlink()
    (tmp_path / "calls.jsonl").write_text("", "utf-8")
    result = CliRunner().invoke(main, [*arguments, *named])
    assert result.exit_code == 1
    assert "KB641" in result.output
    assert not out.exists()


def test_the_masking_of_the_project_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "knownbad.toml").write_text('[replay.mask]\nnames = ["pin"]\n', "utf-8")
    log = ran(suite(entry({"pin": "4711-4711"})), tmp_path, [(TOOL, {})])
    result = CliRunner().invoke(main, ["suite", "promote", str(log), "--calls", str(tmp_path / "calls.jsonl")])
    assert result.exit_code == 0
    assert "4711-4711" not in result.output
    assert "masked: " in result.output
