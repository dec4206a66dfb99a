"""What is given beside a log (transcript, answer, summary, of a replay) is held against what is recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.errors import BadInput
from knownbad.suites.admission import refusal
from knownbad.suites.suite import Suite, suite_of
from suitekit import (
    ARGS,
    DOWN,
    FOUND,
    TOOL,
    called,
    conformance,
    document,
    edited,
    entry,
    events_of,
    failed,
    failing,
    host,
    judged,
    ran,
    returned,
    rules,
    suite,
    summary,
    verdict,
    written,
)

TWICE = [(TOOL, ARGS), (TOOL, ARGS)]


def given(found: Suite, folder: Path, number: int, **change: Any) -> set[str]:
    """The rules that are broken where a line of the transcript of a run that conforms is changed."""
    log = ran(found, folder, TWICE)
    calls = events_of(folder / "calls.jsonl")
    calls[number] = {**calls[number], **change}
    (folder / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls), "utf-8")
    return rules(judged(found, log, calls=folder / "calls.jsonl"))


@pytest.mark.parametrize(
    "recorded, agent, broken",
    [
        ({"error": "a"}, {"error": "b"}, True),
        ({"error": "a"}, {}, True),
        ({}, {"error": "a"}, True),
        ({"error": "a"}, {"error": "a"}, False),
        ({"error": "a"}, {"content": [{"type": "text", "text": '{"error": "a"}'}]}, False),
        ({**DOWN, "error": "a"}, {**DOWN, "error": "b"}, True),
        ({**DOWN, "error": "a"}, {**DOWN, "isError": True}, False),
        (DOWN, {**DOWN, "isError": True}, False),
        (DOWN, FOUND, True),
        (["a"], ["b"], True),
    ],
)
def test_an_agent_must_be_given_the_recorded_failure_whatever_its_shape(
    recorded: Any, agent: Any, broken: bool, tmp_path: Path
) -> None:
    found = suite(failing(recorded), entry())
    assert given(found, tmp_path, 0, response=agent) == ({"KB618"} if broken else set())


@pytest.mark.parametrize("change", [{"isError": True}, {"response": DOWN}, {"response": {"error": "x"}}])
def test_a_recorded_success_must_reach_the_agent_as_it_is(change: dict[str, Any], tmp_path: Path) -> None:
    assert given(suite(failing(), entry()), tmp_path, 1, **change) == {"KB632"}


@pytest.mark.parametrize("change", [{"tool": "mail:send"}, {"args": {"id": "c-2"}}])
def test_a_transcript_of_another_call_is_told(change: dict[str, Any], tmp_path: Path) -> None:
    assert given(suite(failing(), entry()), tmp_path, 1, **change) == {"KB642"}


def test_a_miss_that_the_agent_was_given_as_a_success_is_told(tmp_path: Path) -> None:
    found = suite(failing(args=ARGS))
    log = ran(found, tmp_path, TWICE)
    calls = events_of(tmp_path / "calls.jsonl")
    del calls[1]["isError"]
    (tmp_path / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls), "utf-8")
    assert rules(judged(found, log, calls=tmp_path / "calls.jsonl")) == {"KB628"}


def three() -> Suite:
    """Two tasks, whose first entries are called alike."""
    value = document(failing(), entry(), failing())
    value["tasks"].append({**document(failing())["tasks"][0], "taskId": "refund-10"})
    return suite_of(value, "suite.json")


def answered(answer: Any, folder: Path) -> list[str]:
    (folder / "answer.json").write_text(json.dumps(answer), "utf-8")
    log = folder / "empty.jsonl"
    log.write_text("", "utf-8")
    result = judged(three(), log, host(errors=None), answer=folder / "answer.json")
    assert rules(result) <= {"KB607"}
    return [finding.message.partition("answer.json: ")[2] for finding in result.findings]


def body() -> dict[str, Any]:
    refused = refusal(three(), host(errors=None))
    assert refused is not None
    return refused.body


def test_a_refusal_must_name_every_entry(tmp_path: Path) -> None:
    assert answered(body(), tmp_path) == []
    full = body()
    for number in range(3):
        details = [detail for n, detail in enumerate(full["details"]) if n != number]
        (missing,) = answered({**full, "details": details}, tmp_path)
        assert f"does not name the field `{full['details'][number]['field']}`" in missing


@pytest.mark.parametrize("spelling", ["pointer", "place"])
def test_a_field_may_be_named_by_pointer_or_by_its_place_in_the_suite(spelling: str, tmp_path: Path) -> None:
    places = {
        "pointer": [f"/tasks/{t}/fixtures/toolResponses/{n}/isError" for t, n in ((0, 0), (0, 2), (1, 0))],
        "place": [f"tasks[{t}].fixtures.toolResponses[{n}].isError" for t, n in ((0, 0), (0, 2), (1, 0))],
    }[spelling]
    assert answered({"status": 400, "error": "validation_error", "message": ", ".join(places)}, tmp_path) == []
    assert len(answered({"status": 400, "error": "validation_error", "fields": places[1:]}, tmp_path)) == 1


def test_what_check_prints_is_an_answer(tmp_path: Path) -> None:
    assert answered({"admitted": False, "refusal": body(), "findings": [], "exit": 1}, tmp_path) == []


def test_an_answer_without_a_status_is_told_so(tmp_path: Path) -> None:
    assert answered({**body(), "status": None}, tmp_path) == ["it has no status, and must have 400"]


@pytest.mark.parametrize("member, value", [("suiteId", "other"), ("version", "2.0.0")])
def test_a_summary_of_another_suite_is_not_taken(member: str, value: str, tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    own = events_of(log)[-1]["summary"]
    (tmp_path / "summary.json").write_text(json.dumps({**own, member: value}), "utf-8")
    with pytest.raises(BadInput, match="of another suite"):
        judged(conformance(), log, summary=tmp_path / "summary.json")
    other = edited(log, lambda events: events[-1]["summary"].update({member: value}))
    assert rules(judged(conformance(), other)) == {"KB626"}


@pytest.mark.parametrize(
    "event",
    [
        {"summary": {"fixtureMissCount": 0, "fixtureErrorCount": 1}},
        {"summary": {"fixtureMissCount": 0}, "fixtureErrors": 1},
        {"summary": {"fixtureMissCount": 0, "details": {"errorsServed": 1}}},
        {"fixtureMissCount": 0, "servedErrors": 1},
        {"payload": {"fixtureMissCount": 0, "servedErrors": 1}},
    ],
)
def test_a_new_field_in_a_summary_or_an_event_of_the_run_fails(event: dict[str, Any], tmp_path: Path) -> None:
    log = edited(
        ran(conformance(), tmp_path, TWICE), lambda events: events.__setitem__(-1, {"type": "eval.completed", **event})
    )
    result = judged(conformance(), log)
    assert (result.counts, int(result.exit), verdict(result, "summary-unchanged")) == ({"KB629": 1}, 1, "fail")


def test_a_new_field_in_another_event_of_the_run_fails(tmp_path: Path) -> None:
    extra = {"type": "eval.task-completed", "fixtureErrors": 2}
    log = edited(ran(conformance(), tmp_path, TWICE), lambda events: events.insert(4, extra))
    assert rules(judged(conformance(), log)) == {"KB629"}


@pytest.mark.parametrize("keep", [0, 1, 2, 3])
def test_a_part_of_a_replay_has_not_read_the_rest_again(keep: int, tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    part = written(tmp_path, events_of(log)[:keep])
    assert "KB627" in rules(judged(conformance(), part, replay_of=log))
    assert rules(judged(conformance(), log, replay_of=part)) == set()


@pytest.mark.parametrize("message", ['{"code":500}', 'failed: { "code": 500.0 }', 'tool said {"code":500}.'])
def test_a_payload_without_a_text_is_seen_in_a_message(message: str, tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(message=message), summary()])
    assert rules(judged(suite(failing({"code": 500})), log)) == {"KB620"}


@pytest.mark.parametrize("member, rule", [("code", "KB613"), ("message", "KB614")])
def test_blanks_are_no_code_and_no_message(member: str, rule: str, tmp_path: Path) -> None:
    event = failed()
    event["error"][member] = " \t"
    assert rules(judged(suite(failing()), written(tmp_path, [called(), event, summary()]))) == {rule}


def test_a_success_of_the_log_and_of_the_agent_conform(tmp_path: Path) -> None:
    assert rules(judged(suite(entry()), written(tmp_path, [called(), returned(), summary()]))) == set()
