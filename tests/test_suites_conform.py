"""Did a host obey? Verdicts by its log: what passes, what fails by which rule, and what nobody can tell."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import known_bad_logs
from conftest import ROOT
from knownbad.cli import main
from knownbad.errors import BadInput
from knownbad.suites.args_hash import canonical
from knownbad.suites.asked import Asked
from knownbad.suites.faults import FAULTS, known_bad
from knownbad.suites.suite import suite_of
from suitekit import (
    ARGS,
    CONFORMANCE,
    DOWN,
    HOST,
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
    reason,
    returned,
    rules,
    suite,
    summary,
    verdict,
    written,
)

TWICE = [(TOOL, ARGS), (TOOL, ARGS)]
PASSED = ("recorded-as-error", "never-served-as-success", "not-a-miss", "calls-and-returns", "served-as-before")


def command(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["suite", "conform", *map(str, arguments)])
    return result.exit_code, result.output


# The examples of RFC 0245.


def test_the_positive_example_passes(tmp_path: Path) -> None:
    """Two calls, two returns, the first with `error`, the second with `outcome`, no miss."""
    result = judged(conformance(), ran(conformance(), tmp_path, TWICE), host(hooks=True))
    assert rules(result) == set()
    assert {verdict(result, check) for check in PASSED} == {"pass"}
    assert verdict(result, "advertised-only-if-implemented") == "pass"
    assert result.exit == 0


def test_a_failure_replayed_as_a_success_fails(tmp_path: Path) -> None:
    """Negative (behaviour): the host emits `agent.tool-returned` with `outcome` for the `upstream_down` entry."""
    log = written(tmp_path, [called(1), returned(1), called(2), returned(2), summary()])
    result = judged(conformance(), log)
    assert rules(result) == {"KB610"}
    assert verdict(result, "never-served-as-success") == verdict(result, "recorded-as-error") == "fail"
    assert verdict(result, "advertised-only-if-implemented") == "fail"
    (finding,) = result.findings
    assert finding.message.startswith("line 2: call call-1: ")
    assert "tasks[0].fixtures.toolResponses[0]" in finding.detail[0]
    assert "/tasks/0/fixtures/toolResponses/0" in finding.detail[0]
    assert result.exit == 1


def test_a_host_without_the_promise_that_runs_the_suite_fails(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    for promise in (None, False):
        result = judged(conformance(), log, host(errors=promise))
        assert rules(result) == {"KB606"}
        assert verdict(result, "unadvertised-refused") == "fail"
        assert verdict(result, "recorded-as-error") == "inapplicable"


PLACE = "/tasks/0/fixtures/toolResponses/0/isError"


def test_a_host_without_the_promise_that_replays_a_failure_as_a_success_is_told_of_both(tmp_path: Path) -> None:
    """§C: it must refuse, and must not silently serve the entry as a success."""
    log = written(tmp_path, [called(1), returned(1), called(2), returned(2), summary()])
    result = judged(conformance(), log, host(errors=None))
    assert rules(result) == {"KB606", "KB608"}
    assert verdict(result, "never-served-silently") == "fail"
    assert verdict(result, "recorded-as-error") == "inapplicable"
    replayed = judged(conformance(), ran(conformance(), tmp_path, TWICE), host(errors=None))
    assert verdict(replayed, "never-served-silently") == "pass"


ANSWERS: list[tuple[str, Any, set[str]]] = [
    ("the 400", {"status": 400, "error": "validation_error", "at": "fixtures.toolResponses[0].isError"}, set()),
    ("nested", {"status": 400, "error": {"code": "validation_error", "message": f"see {PLACE}"}}, set()),
    ("a 422", {"status": 422, "error": "validation_error", "at": "fixtures.toolResponses[0].isError"}, {"KB607"}),
    ("another error", {"status": 400, "error": "bad", "at": "fixtures.toolResponses[0].isError"}, {"KB607"}),
    ("no field", {"status": 400, "error": "validation_error", "message": "no"}, {"KB607"}),
]  # fmt: skip


@pytest.mark.parametrize("answer, broken", [a[1:] for a in ANSWERS], ids=[a[0] for a in ANSWERS])
def test_the_answer_to_the_creation_of_a_run_is_judged(answer: Any, broken: set[str], tmp_path: Path) -> None:
    """RFC 0245, negative (capability): `400 validation_error` naming the field."""
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer), "utf-8")
    result = judged(conformance(), written(tmp_path, []), host(errors=None), answer=path)
    assert rules(result) == broken
    assert verdict(result, "unadvertised-refused") == ("fail" if broken else "pass")


def test_the_refusal_that_check_prints_is_the_answer_that_conform_wants(tmp_path: Path) -> None:
    from knownbad.suites.admission import refusal

    refused = refusal(conformance(), host(errors=None))
    assert refused is not None
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(refused.body), "utf-8")
    result = judged(conformance(), written(tmp_path, []), host(errors=None), answer=path, require=True)
    assert (verdict(result, "unadvertised-refused"), result.exit) == ("pass", 0)


# What serve writes conforms, and each known-bad log fails its own rule only.

SUITES: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[tuple[str, dict[str, Any]]]]] = [
    ("a failure, then a success", [failing(), entry()], {}, TWICE),
    ("a success, then a failure", [entry(), failing()], {}, TWICE),
    ("only failures", [failing(), failing()], {}, TWICE),
    ("no failure", [entry(), entry()], {}, TWICE),
    ("two tools", [failing(), entry(tool="b"), failing(tool="b")], {}, [("b", {}), (TOOL, ARGS), ("b", {})]),
    ("more calls than recorded", [failing()], {}, [*TWICE, *TWICE]),
    ("calls that match nothing", [failing(args=ARGS), entry(args=ARGS)], {}, [(TOOL, {}), *TWICE, (TOOL, {})]),
    ("a tool that is not recorded", [failing()], {}, [("other", {}), (TOOL, {})]),
    ("arguments that differ", [failing(args=ARGS), entry(args={"id": 2})], {}, [(TOOL, {"id": 2}), (TOOL, ARGS)]),
    ("subsets", [failing(args=ARGS, argsMatch="subset"), entry()], {}, [(TOOL, {"id": "c-1", "x": 1}), (TOOL, {})]),
    ("a run that fails", [failing(args=ARGS)], {"onMiss": "fail"}, [(TOOL, ARGS), (TOOL, {})]),
    ("fewer calls than recorded", [failing(), entry(), failing()], {}, [(TOOL, {})]),
    ("no call", [failing()], {}, []),
]  # fmt: skip


def without_hashes(events: list[dict[str, Any]]) -> None:
    for event in events:
        event.pop("argsHash", None)


@pytest.mark.parametrize("arguments", ["transcript", "hashes", "none"])
@pytest.mark.parametrize("hooks", [False, True], ids=["plain", "hooks"])
@pytest.mark.parametrize("entries, fixtures, calls", [s[1:] for s in SUITES], ids=[s[0] for s in SUITES])
def test_the_log_of_a_served_run_conforms(
    entries: Any, fixtures: Any, calls: Any, hooks: bool, arguments: str, tmp_path: Path
) -> None:
    """`serve` and `conform` agree, whatever is known of the arguments."""
    found = suite(*entries, **fixtures)
    log = ran(found, tmp_path, calls)
    if arguments == "none":
        log = edited(log, without_hashes)
    given = {"calls": tmp_path / "calls.jsonl"} if arguments == "transcript" else {}
    result = judged(found, log, host(hooks=hooks), **given)
    assert rules(result) == set()
    assert result.exit == 0
    assert "fail" not in {v.verdict for v in result.verdicts}


@pytest.mark.parametrize("seed", range(40))
def test_the_log_of_any_served_run_conforms(seed: int, tmp_path: Path) -> None:
    """Drawn suites and calls: nothing is ever held against them, whatever is known of the arguments."""
    draw = random.Random(seed)
    tools = ["a", "b"]
    entries = []
    for _ in range(draw.randint(0, 8)):
        args = {} if draw.random() < 0.4 else {"args": {"id": draw.randint(0, 1)}}
        how = {} if draw.random() < 0.5 else {"argsMatch": draw.choice(["exact", "subset", "any"])}
        entries.append(entry(tool=draw.choice(tools), isError=draw.random() < 0.5, **args, **how))
    found = suite(*entries, onMiss=draw.choice(["error", "fail"]))
    calls = [(draw.choice(tools), {"id": draw.randint(0, 1)}) for _ in range(draw.randint(0, 10))]
    log = ran(found, tmp_path, calls)
    assert rules(judged(found, log)) <= {"KB631"}
    assert rules(judged(found, edited(log, without_hashes))) <= {"KB631"}
    assert rules(judged(found, log, calls=tmp_path / "calls.jsonl")) == set()


def wrong_flags(events: list[dict[str, Any]], draw: random.Random) -> bool:
    """Turn one failure of a log into a success."""
    found = [e for e in events if e.get("error", {}).get("code") == "knownbad.tool_failed"]
    if not found:
        return False
    event = draw.choice(found)
    del event["error"]
    event.update(outcome="ok", status="ok")
    return True


@pytest.mark.parametrize("seed", range(40))
def test_a_failure_turned_into_a_success_is_always_found_with_the_transcript(seed: int, tmp_path: Path) -> None:
    """Whatever the arguments: matching is repeated, and the one recorded call that was served is known."""
    draw = random.Random(seed)
    entries = [
        entry(args={"id": draw.randint(0, 2)}, argsMatch=draw.choice(["exact", "subset", "any"]), isError=n % 2 == 0)
        for n in range(8)
    ]
    found = suite(*entries)
    calls = [(TOOL, {"id": draw.randint(0, 2)}) for _ in range(8)]
    log = ran(found, tmp_path, calls)
    bad = edited(log, lambda events: wrong_flags(events, draw))
    if bad.read_text("utf-8") == log.read_text("utf-8"):
        pytest.fail("no failure was served, so the test shows nothing")
    assert rules(judged(found, bad, calls=tmp_path / "calls.jsonl")) == {"KB610"}


@pytest.fixture(scope="module")
def bad_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("bad")
    log = ran(conformance(), folder, TWICE)
    found, without = known_bad(Asked(conformance(), host(hooks=True), log))
    assert without == []
    return {bad.fault: bad for bad in found}


@pytest.mark.parametrize("fault, rule", [(name, rule) for name, rule, _ in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_known_bad_log_is_caught_by_exactly_its_own_rule(
    fault: str, rule: Any, bad_logs: dict[str, Any], tmp_path: Path
) -> None:
    """And the row of the requirement says so."""
    path = tmp_path / "log.jsonl"
    path.write_text(bad_logs[fault].text, "utf-8")
    result = judged(conformance(), path, host(hooks=True))
    assert rules(result) == {rule.code}
    rows = [v for v in result.verdicts if v.rule is not None]
    expected = "advice" if rule.level.value == "warning" else "fail"
    assert rows
    assert {(v.verdict, v.rule) for v in rows} == {(expected, rule)}
    assert result.exit == (0 if expected == "advice" else 1)


def test_the_committed_logs_are_what_would_be_made() -> None:
    """`make generate` writes them."""
    made = known_bad_logs.logs()
    folder = known_bad_logs.BAD
    assert {*folder.glob("*.jsonl"), known_bad_logs.GOOD} == set(made)
    assert {path.name: path.read_text("utf-8") for path in made} == {path.name: text for path, text in made.items()}


def negatives(name: str) -> list[Any]:
    """The known-bad events that `knownbad generate` made of a contract, those that still say which call they are of."""
    found = []
    for row in json.loads((ROOT / f"negative/{name}/corpus.json").read_text("utf-8"))["fixtures"]:
        event = json.loads((ROOT / f"negative/{name}" / row["file"]).read_text("utf-8"))
        named = isinstance(event, dict) and event.get("type") == name.replace("agent-", "agent.")
        if named and isinstance(event.get("callId"), str) and event["callId"]:
            found.append(pytest.param(row["keywordLocation"], event, id=row["file"]))
    return found


PLACED = {
    "/dependentSchemas/error/properties/outcome": "KB611",
    "/anyOf": "KB612",
    "/$defs/error/properties/code": "KB613",
    "/$defs/error/properties/message": "KB614",
    "/dependentSchemas/error/properties/status": "KB615",
    "/dependentSchemas/outcome/properties/status": "KB615",
    "/properties/status": "KB615",
}
"""The rule that a place of the contract stands for; KB626 elsewhere."""


@pytest.mark.parametrize("keyword, event", negatives("agent-tool-returned"))
def test_every_generated_known_bad_event_is_caught_by_exactly_its_own_rule(
    keyword: str, event: dict[str, Any], tmp_path: Path
) -> None:
    """Each negative of the contract of `agent.tool-returned`, put on a log after its call."""
    found = suite(entry() if "outcome" in event and "error" not in event else failing())
    run = {"runId": event["runId"]} if isinstance(event.get("runId"), str) and event["runId"] else {}
    log = written(tmp_path, [called(callId=event["callId"], **run), event])
    (rule,) = rules(judged(found, log))
    expected = next((code for place, code in PLACED.items() if keyword.startswith(place)), None)
    if keyword == "/$defs/error/required":
        expected = "KB614" if "code" in event["error"] else "KB613"
    assert rule == (expected or "KB626")


def test_nothing_is_made_from_a_log_that_does_not_conform(tmp_path: Path) -> None:
    log = written(tmp_path, [called(), returned()])
    with pytest.raises(BadInput, match="does not conform"):
        known_bad(Asked(conformance(), host(), log))


# One line a rule: the smallest log that breaks it, and what it says.

GROWN = {"fixtureMissCount": 0, "fixtureErrorCount": 1}
ALONE: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("an error with an outcome", "KB611", [called(), failed(outcome="ok")]),
    ("neither", "KB612", [called(), {"type": "agent.tool-returned", "callId": "call-1"}]),
    ("no code", "KB613", [called(), returned(error={"message": "m"})]),
    ("a code that is no text", "KB613", [called(), returned(error={"code": 7, "message": "m"})]),
    ("an empty message", "KB614", [called(), returned(error={"code": "c", "message": ""})]),
    ("another status", "KB615", [called(), failed(status="ok")]),
    ("a miss counted", "KB616", [called(), failed(), summary(1)]),
    ("a second call counted as no miss", "KB616", [called(), failed(), called(2), failed(2), summary(0)]),
    ("retried", "KB619", [called(), failed(effectCount=2)]),
    ("the payload echoed", "KB620", [called(), failed(message="the tool said upstream_down")]),
    ("returned first", "KB621", [failed(), called()]),
    ("numbered backwards", "KB621", [called(sequence=2), failed(sequence=1)]),
    ("never returned", "KB622", [called()]),
    ("called again before it returned", "KB622", [called(), called(), failed()]),
    ("never called", "KB623", [called(), failed(), failed(7)]),
    ("no tool", "KB626", [called(), failed(), called(2, tool=""), failed(2)]),
    ("another tool", "KB626", [called(), failed(tool="mail:send")]),
    ("another task", "KB626", [called(taskId="nobody"), failed()]),
    ("a count that is none", "KB626", [called(), failed(), summary(-1)]),
    ("a success beyond what is recorded", "KB628", [called(), failed(), called(2), returned(2)]),
    ("a summary that grew", "KB629", [called(), failed(), {"type": "eval.done", "summary": GROWN}]),
]  # fmt: skip


@pytest.mark.parametrize("rule, events", [a[1:] for a in ALONE], ids=[a[0] for a in ALONE])
def test_a_rule_is_broken_alone(rule: str, events: list[dict[str, Any]], tmp_path: Path) -> None:
    """The suite holds one failure for any arguments."""
    assert rules(judged(suite(failing()), written(tmp_path, events))) == {rule}


def test_a_recorded_success_returned_as_a_failure_is_found(tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(), summary()])
    for args in ({}, {"args": ARGS}):
        assert rules(judged(suite(entry(**args)), log)) == {"KB617"}


def test_no_status_is_asked_of_a_host_without_tool_hooks(tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(), called(2), failed(2, status="error"), summary()])
    found = suite(failing(), failing())
    assert rules(judged(found, log)) == set()
    result = judged(found, log, host(hooks=True))
    assert rules(result) == {"KB615"}
    assert result.verdicts[2].event is not None
    assert result.verdicts[2].event.line == 2


def test_every_event_that_breaks_a_rule_is_told_and_a_flood_is_counted(tmp_path: Path) -> None:
    events = [e for n in range(300) for e in (called(n), returned(n))]
    result = judged(suite(*[failing()] * 300), written(tmp_path, events))
    assert result.counts == {"KB610": 300}
    assert len(result.findings) == 100


def test_a_host_may_call_the_tool_and_its_arguments_by_the_names_of_the_wire(tmp_path: Path) -> None:
    """`toolName` and `inputs`, in a `payload`; other members are passed over."""
    found = suite(failing(args=ARGS), entry(args={"id": "c-2"}))
    events: list[dict[str, Any]] = []
    for number, (args, how) in enumerate([({"id": "c-2"}, {"outcome": 1}), (ARGS, {"error": failed()["error"]})]):
        head = {"agentId": "a", "toolName": TOOL, "callId": f"c{number}"}
        events += [
            {"type": "agent.tool-called", "eventId": f"e{number}", "payload": {**head, "inputs": args}},
            {"type": "agent.tool-returned", "eventId": f"r{number}", "payload": {**head, **how, "durationMs": 3}},
        ]
    result = judged(found, written(tmp_path, events))
    assert rules(result) == set()
    assert verdict(result, "recorded-as-error") == "pass"
    del events[3]["payload"]["error"]
    events[3]["payload"]["outcome"] = 1
    assert rules(judged(found, written(tmp_path, events))) == {"KB610"}


@pytest.mark.parametrize("status", ["forbidden", "rate_limited"])
def test_a_served_failure_does_not_say_that_it_was_held_back(status: str, tmp_path: Path) -> None:
    """Such a status is for a live call; of a recorded failure the status is `error`."""
    log = written(tmp_path, [called(), failed(status=status), called(2), failed(2, status=status)])
    assert judged(suite(failing()), log, host(hooks=True)).counts == {"KB615": 1}


def test_a_log_that_does_not_name_tasks_is_undecided_where_it_matters(tmp_path: Path) -> None:
    value = document(failing(), entry(tool="b"))
    value["tasks"].append({**document(entry(), failing(tool="c"))["tasks"][0], "taskId": "refund-2"})
    found = suite_of(value, "suite.json")
    log = written(tmp_path, [called(), failed()])
    assert (rules(judged(found, log)), judged(found, log).exit) == ({"KB631"}, 3)
    only_there = written(tmp_path, [called(tool="c"), failed(), summary()])
    assert verdict(judged(found, only_there), "recorded-as-error") == "pass"


def test_a_payload_in_a_member_is_written_beside_the_event_or_in_its_payload(tmp_path: Path) -> None:
    """A host may put the members of an event into `payload`."""
    flat = [called(), failed(), called(2), returned(2), summary()]
    deep = [{"type": e["type"], "payload": {n: v for n, v in e.items() if n != "type"}} for e in flat]
    found = suite(failing(), entry())
    assert rules(judged(found, written(tmp_path, deep))) == set()
    del deep[1]["payload"]["error"]
    assert rules(judged(found, written(tmp_path, deep))) == {"KB612"}


def test_other_events_of_a_host_are_passed_over(tmp_path: Path) -> None:
    log = written(tmp_path, [{"type": "run.started"}, called(), {"x": 1}, failed(), {"type": 7}, summary()])
    result = judged(suite(failing()), log)
    assert rules(result) == set()
    assert verdict(result, "recorded-as-error") == "pass"


# What nobody can tell.


def test_a_run_with_nothing_to_witness_is_inapplicable_and_never_a_pass(tmp_path: Path) -> None:
    for events in ([], [summary()], [called(tool="other"), failed(), summary(1)]):
        result = judged(conformance(), written(tmp_path, events))
        assert {verdict(result, c) for c in ("recorded-as-error", "never-served-as-success", "not-a-miss")} == {
            "inapplicable"
        }
        assert result.exit == 0


def test_required_behavior_that_is_not_witnessed_is_a_failure(tmp_path: Path) -> None:
    result = judged(conformance(), written(tmp_path, []), require=True)
    assert rules(result) == {"KB630"}
    assert verdict(result, "recorded-as-error") == "fail"
    assert result.exit == 1
    assert judged(conformance(), ran(conformance(), tmp_path, TWICE), require=True).exit == 0


@pytest.mark.parametrize("value, code", [("true", 1), ("false", 0)])
def test_the_environment_may_require_behavior(
    value: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the variable that the RFC names."""
    monkeypatch.setenv("OPENWOP_REQUIRE_BEHAVIOR", value)
    log = written(tmp_path, [])
    assert command("--suite", CONFORMANCE, "--capabilities", HOST, "--log", log)[0] == code


def test_a_host_that_does_not_list_the_fixture_is_not_held_against_it(tmp_path: Path) -> None:
    """Also for the refusal: both legs are inapplicable there."""
    log = written(tmp_path, [])
    for promise, check in ((True, "recorded-as-error"), (None, "unadvertised-refused")):
        result = judged(conformance(), log, host(errors=promise, fixtures=[]))
        assert verdict(result, check) == "inapplicable"
        assert "does not list the fixture" in reason(result, check)
    assert judged(conformance(), log, host(fixtures=[]), require=True).exit == 1


def test_a_host_that_advertises_is_not_asked_to_refuse(tmp_path: Path) -> None:
    result = judged(conformance(), ran(conformance(), tmp_path, TWICE))
    assert verdict(result, "unadvertised-refused") == "inapplicable"
    assert "advertises" in reason(result, "unadvertised-refused")


def test_never_retried_live_is_inapplicable_without_an_effect_counter_and_says_so(tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(), called(2), returned(2), summary()])
    found = suite(failing(), entry())
    result = judged(found, log)
    assert verdict(result, "never-retried-live") == "inapplicable"
    assert "no effect counter" in reason(result, "never-retried-live")
    counted = edited(log, lambda events: events[1].update(effectCount=0))
    assert verdict(judged(found, counted), "never-retried-live") == "pass"


def test_what_the_agent_was_given_is_only_in_a_transcript(tmp_path: Path) -> None:
    log, calls = ran(conformance(), tmp_path, TWICE), tmp_path / "calls.jsonl"
    assert verdict(judged(conformance(), log), "agent-receives-error") == "inapplicable"
    assert verdict(judged(conformance(), log, calls=calls), "agent-receives-error") == "pass"


@pytest.mark.parametrize(
    "given", [{"isError": False}, {"response": {"content": []}}], ids=["a success", "another payload"]
)
def test_an_agent_that_was_given_something_else_is_found_in_the_transcript(given: Any, tmp_path: Path) -> None:
    """The log alone looks right."""
    log, calls = ran(conformance(), tmp_path, TWICE), tmp_path / "calls.jsonl"
    first, second = events_of(calls)
    calls.write_text(json.dumps({**first, **given}) + "\n" + json.dumps(second) + "\n", "utf-8")
    result = judged(conformance(), log, calls=calls)
    assert rules(result) == {"KB618"}
    assert verdict(result, "advertised-only-if-implemented") == "fail"


def test_an_agent_may_be_given_the_text_of_the_recorded_response(tmp_path: Path) -> None:
    found = suite(failing({"error": "down"}))
    log, calls = ran(found, tmp_path, [(TOOL, {})]), tmp_path / "calls.jsonl"
    (line,) = events_of(calls)
    line["response"] = {"content": [{"type": "text", "text": '{"error": "down"}'}]}
    calls.write_text(json.dumps(line) + "\n", "utf-8")
    assert rules(judged(found, log, calls=calls)) == set()


def test_a_log_without_arguments_that_tells_too_little_is_undecided_and_no_pass(tmp_path: Path) -> None:
    """Which of two recorded calls was served cannot be told; the transcript or logged arguments tell."""
    found = suite(failing(args=ARGS), entry(args={"id": "c-2"}))
    log = edited(ran(found, tmp_path, [(TOOL, ARGS)]), lambda events: events[0].pop("argsHash"))
    result = judged(found, log)
    assert rules(result) == {"KB631"}
    assert result.exit == 3
    assert verdict(result, "recorded-as-error") == "inapplicable"
    assert judged(found, log, require=True).exit == 1
    assert verdict(judged(found, log, calls=tmp_path / "calls.jsonl"), "recorded-as-error") == "pass"
    with_args = edited(log, lambda events: events[0].update(args=ARGS))
    assert verdict(judged(found, with_args), "recorded-as-error") == "pass"


@pytest.mark.parametrize("spelt", [str, str.upper, "sha256:{}".format])
def test_a_hash_of_the_arguments_tells_what_was_served(spelt: Callable[[str], str], tmp_path: Path) -> None:
    """Which is what tool hooks log, and `serve`."""
    found = suite(failing(args=ARGS), entry(args={"id": 2.0}), failing())
    log = ran(found, tmp_path, [(TOOL, {"id": 2}), (TOOL, {"id": "other"})])
    log = edited(log, lambda events: [e.update(argsHash=spelt(e["argsHash"])) for e in events if "argsHash" in e])
    assert rules(judged(found, log)) == set()
    assert verdict(judged(found, log), "recorded-as-error") == "pass"
    swapped = edited(
        log,
        lambda events: [e[0].update({"callId": e[1]}) for e in zip(events[1::2], ("call-2", "call-1"), strict=False)],
    )
    assert rules(judged(found, swapped)) >= {"KB610", "KB617"}


def test_a_hash_does_not_tell_a_subset(tmp_path: Path) -> None:
    found = suite(failing(args=ARGS, argsMatch="subset"), entry(args={"id": "c-2"}))
    log = ran(found, tmp_path, [(TOOL, {**ARGS, "more": 1})])
    assert rules(judged(found, log)) == {"KB631"}


NUMBERS = [(0.0, "0"), (1e21, "1e+21"), (1e20, "1" + "0" * 20), (1e-6, "0.000001"), (1e-7, "1e-7"), (5e-324, "5e-324")]


@pytest.mark.parametrize(
    "number, text", [*NUMBERS, (-1.5, "-1.5"), (0.002, "0.002"), (1, "1"), (333333333.33333329, "333333333.3333333")]
)
def test_a_hash_is_over_canonical_json(number: float, text: str) -> None:
    """RFC 8785: numbers as ECMAScript writes them, names in the order of UTF-16."""
    assert canonical({"b": number, "a": [True, None, "é\n"]}) == f'{{"a":[true,null,"é\\n"],"b":{text}}}'
    names = ["\r", "1", "\x80", "ö", "€", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(dict.fromkeys(reversed(names), 0)))) == names


def test_successes_beyond_those_recorded_are_found_without_arguments(tmp_path: Path) -> None:
    found = suite(failing(args=ARGS), entry(args={"id": "c-2"}))
    log = written(tmp_path, [called(1), returned(1), called(2), returned(2), summary()])
    assert rules(judged(found, log)) == {"KB610"}


def test_calls_of_several_tasks_runs_and_trials_are_told_apart(tmp_path: Path) -> None:
    """Each task of each trial of each run begins with all recorded calls unserved."""
    value = document(failing(), entry())
    value["tasks"].append({**document(entry(tool="b"))["tasks"][0], "taskId": "refund-2"})
    found = suite_of(value, "suite.json")
    heads = [{"runId": run, "taskId": "refund-1", "trial": trial} for run in ("r", "s") for trial in (0, 1)]
    events: list[dict[str, Any]] = []
    for number in (1, 2):
        for place, head in enumerate(heads):
            name = {**head, "callId": f"call-{place}-{number}"}
            events += [{**called(), **name}, {**(failed() if number == 1 else returned()), **name}]
    events += [{**called(9, runId="r", tool="b")}, {**returned(9, runId="r")}]
    events += [summary(runId="r"), summary(runId="s")]
    assert rules(judged(found, written(tmp_path, events))) == set()
    events[-1] = summary(1, runId="s")
    assert rules(judged(found, written(tmp_path, events))) == {"KB616"}
    events.insert(0, called(10, runId="r", tool="unknown"))
    events.insert(1, failed(10, runId="r"))
    assert judged(found, written(tmp_path, events)).counts == {"KB616": 2}  # one more miss


def test_a_summary_without_a_miss_says_nothing_of_another_run(tmp_path: Path) -> None:
    """The other may have missed a call, and served the failure after it."""
    found = suite(failing(args=ARGS), entry(args=ARGS))
    good = [called(1), failed(1), called(2), returned(2), summary()]
    other = [called(1), failed(1), called(2), failed(2), called(3), returned(3)]
    log = written(tmp_path, [{**e, "runId": "a"} for e in good] + [{**e, "runId": "b"} for e in other])
    assert rules(judged(found, log)) == set()
    log = written(tmp_path, [*({**e, "runId": "b"} for e in [*other, summary()])])
    assert rules(judged(found, log)) == {"KB617", "KB628"}


def test_calls_that_overlap_are_matched_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    found = suite(failing(), entry())
    events = [called(1), called(2), returned(2), failed(1), summary()]
    assert rules(judged(found, written(tmp_path, events))) == set()
    events[2:4] = [failed(2), returned(1)]
    assert rules(judged(found, written(tmp_path, events))) == {"KB610", "KB617"}


def test_the_summary_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    log, path = written(tmp_path, [called(), failed()]), tmp_path / "summary.json"
    found = suite(failing())
    assert verdict(judged(found, log), "not-a-miss") == "inapplicable"
    for misses, broken in ((0, set()), (1, {"KB616"})):
        path.write_text(json.dumps(summary(misses)["summary"]), "utf-8")
        result = judged(found, log, summary=path)
        assert rules(result) == broken
        assert verdict(result, "not-a-miss") == ("fail" if broken else "pass")


# Replays, and logs that are damaged.


def test_a_replay_has_the_events_that_it_was_made_from(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    again = edited(log, lambda events: [e.update(runId="again") for e in events])
    result = judged(conformance(), again, replay_of=log)
    assert (rules(result), verdict(result, "replay-rereads")) == (set(), "pass")


def test_a_replay_without_an_event_proves_nothing(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    empty = written(tmp_path, [summary()])
    assert verdict(judged(conformance(), log, replay_of=empty), "replay-rereads") == "inapplicable"
    assert verdict(judged(conformance(), empty, replay_of=log), "replay-rereads") == "fail"


def test_a_fork_may_go_on_after_what_was_recorded(tmp_path: Path) -> None:
    log = ran(suite(failing(), entry(), entry()), tmp_path, TWICE)
    more = [called(7, runId="run-1"), returned(7, runId="run-1")]
    fork = edited(log, lambda events: events.extend(more))
    result = judged(suite(failing(), entry(), entry()), fork, replay_of=log)
    assert (rules(result), verdict(result, "replay-rereads")) == (set(), "pass")


def test_a_replay_that_serves_again_is_found(tmp_path: Path) -> None:
    """The events differ from those recorded, though they conform by themselves."""
    log = ran(conformance(), tmp_path, TWICE)
    again = edited(log, lambda events: events[1]["error"].update(code="other"))
    result = judged(conformance(), again, replay_of=log)
    assert rules(result) == {"KB627"}
    assert verdict(result, "replay-rereads") == "fail"


def test_a_log_that_is_cut_in_a_line_is_told_with_its_place_and_judged_up_to_there(tmp_path: Path) -> None:
    """Cut at every byte: at most the cut is told, with line and byte, and what came before is judged."""
    log = ran(conformance(), tmp_path, TWICE)
    data = log.read_bytes()
    ends = [n for n, byte in enumerate(data) if byte == ord("\n")]
    for at in range(1, len(data), 7):
        log.write_bytes(data[:at])
        result = judged(conformance(), log, host(hooks=True))
        if b"\n" in data[at - 1 : at + 1]:  # between two lines
            assert rules(result) <= {"KB622"}
            continue
        assert rules(result) == {"KB624"}
        (finding,) = result.findings
        line = data[:at].count(b"\n") + 1
        assert finding.message.startswith(f"line {line}: ")
        assert f"byte {at};" in finding.message
        seen = "pass" if at > ends[1] else "inapplicable"
        assert verdict(result, "recorded-as-error") == seen


def test_what_came_before_a_cut_is_still_held_against_the_host(tmp_path: Path) -> None:
    log = written(tmp_path, [called(), returned(), called(2)])
    log.write_bytes(log.read_bytes()[:-9])
    assert rules(judged(suite(failing()), log)) == {"KB610", "KB624"}


@pytest.mark.parametrize(
    "line", [b"Traceback", b"[]", b'{"type": "agent.tool-called"', b'{"a": 1, "a": 2}', b"\xff\xfe"]
)
def test_a_line_that_is_none_is_told_and_the_rest_is_judged(line: bytes, tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(), called(2), returned(2)])
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], line + b"\n", b"\n", *lines[2:]]))
    result = judged(suite(failing(), failing()), log)
    assert rules(result) == {"KB610", "KB625"}
    assert "line 3: " in result.findings[0].message


def test_a_log_without_a_newline_at_its_end_is_whole(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    log.write_bytes(log.read_bytes().rstrip(b"\n"))
    assert rules(judged(conformance(), log)) == set()


PEAK = """
import json, resource, sys
from pathlib import Path
from knownbad.suites.capabilities import Capabilities
from knownbad.suites.asked import Asked
from knownbad.suites.conform import conform
from knownbad.suites.suite import read_suite

host = Capabilities(eval_suite=True, fixture_errors=True)
result = conform(Asked(read_suite(Path(sys.argv[1])), host, Path(sys.argv[2])))
(verdict,) = [v.verdict for v in result.verdicts if v.requirement.check == "recorded-as-error"]
status = Path("/proc/self/status")  # what getrusage says of a child begins with what its parent had
if status.exists():
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"counts": dict(result.counts), "verdict": verdict, "peak": peak}))
"""


def large(path: Path, events: int, kind: str) -> Path:
    """A log of so many events: one long run, or many short ones."""
    with path.open("w", encoding="utf-8") as log:
        for number in range(events // 4):
            head = {"runId": f"run-{number}" if kind == "runs" else "run"}
            second = returned if kind == "runs" or number == 0 else failed
            a, b = 2 * number, 2 * number + 1
            for event in (called(a), failed(a), called(b), second(b)):
                log.write(json.dumps({**event, **head}) + "\n")
            if kind == "runs":
                log.write(json.dumps(summary(**head)) + "\n")
        if kind == "one":
            log.write(json.dumps(summary(events // 2 - 2, runId="run")) + "\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind, sizes", [("one", (10_000, 100_000)), ("runs", (4_000, 40_000))])
def test_a_log_of_ten_times_the_events_takes_no_more_memory(kind: str, sizes: Sequence[int], tmp_path: Path) -> None:
    """The peak of the process that judges, for one long run of 100,000 events and for many short ones."""
    suite_file = tmp_path / "suite.json"
    suite_file.write_text(json.dumps(document(failing(), entry())), "utf-8")
    peaks = []
    for events in sizes:
        log = large(tmp_path / f"{events}.jsonl", events, kind)
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(suite_file), str(log)], capture_output=True, text=True, check=True
        )
        shown = json.loads(done.stdout)
        assert shown["counts"] == {}
        assert shown["verdict"] == "pass"
        peaks.append(shown["peak"])
    small, big = peaks
    assert big < small * 1.05


# The command.


def test_the_command_tells_every_requirement_and_its_exit_code(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    arguments = ["--suite", CONFORMANCE, "--capabilities", HOST, "--log"]
    code, told = command(*arguments, log)
    assert code == 0
    assert "10 pass, 0 fail, 0 advice, 7 inapplicable" in told
    bad = edited(log, lambda events: events[1].update(outcome="ok"))
    code, told = command(*arguments, bad)
    assert code == 1
    assert "FAIL          §B    recorded-as-error" in told
    assert "[KB611, line 2]" in told
    assert "error: KB611 error-and-outcome: " in told


def test_the_report_for_programs_has_the_verdict_event_and_rule_of_each_requirement(tmp_path: Path) -> None:
    log = edited(ran(conformance(), tmp_path, TWICE), lambda events: events[1].update(outcome="ok"))
    code, told = command("--suite", CONFORMANCE, "--capabilities", HOST, "--log", log, "--format", "json")
    shown = json.loads(told)
    assert code == shown["exit"] == 1
    rows = {row["check"]: row for row in shown["verdicts"]}
    assert rows["recorded-as-error"] == {
        "requirement": "openwop.requirement.0245.fixture-error-replayed",
        "check": "recorded-as-error",
        "section": "§B",
        "force": "MUST",
        "verdict": "fail",
        "reason": "A call that returned has both an error and an outcome (1)",
        "rule": "KB611",
        "event": {"line": 2, "offset": rows["recorded-as-error"]["event"]["offset"], "callId": "call-1"},
    }
    line = log.read_bytes()[rows["recorded-as-error"]["event"]["offset"] :].splitlines()[0]
    assert json.loads(line)["outcome"] == "ok"
    assert rows["unadvertised-refused"]["requirement"] == "openwop.requirement.0245.unadvertised-refused"


def test_findings_are_told_in_the_forms_of_all_commands(tmp_path: Path) -> None:
    """With the line of the log that each is about."""
    log = edited(ran(conformance(), tmp_path, TWICE), lambda events: events[1].update(outcome="ok"))
    sarif, github = tmp_path / "out.sarif", tmp_path / "out.txt"
    reports = ["--report", f"sarif={sarif}", "--report", f"github={github}"]
    assert command("--suite", CONFORMANCE, "--capabilities", HOST, "--log", log, *reports)[0] == 1
    (found,) = json.loads(sarif.read_text("utf-8"))["runs"][0]["results"]
    assert found["ruleId"] == "KB611"
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert "line=2" in github.read_text("utf-8")


def test_the_command_writes_known_bad_logs(tmp_path: Path) -> None:
    log = ran(conformance(), tmp_path, TWICE)
    folder = tmp_path / "bad"
    code, told = command("--suite", CONFORMANCE, "--capabilities", HOST, "--log", log, "--write-bad", folder)
    assert code == 0
    assert {path.stem for path in folder.iterdir()} == {name for name, _, _ in FAULTS}
    assert "KB610  error-with-only-an-outcome.jsonl" in told


EDITS: list[Callable[[dict[str, Any]], Any]] = [
    lambda value: value["tasks"][0]["fixtures"]["toolResponses"][0].update(isError="true"),
    lambda value: value.pop("tasks"),
]


@pytest.mark.parametrize("edit", EDITS)
def test_a_suite_that_is_none_is_bad_input(edit: Callable[[dict[str, Any]], Any], tmp_path: Path) -> None:
    value = json.loads(CONFORMANCE.read_text("utf-8"))
    edit(value)
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(value), "utf-8")
    log = written(tmp_path, [])
    assert command("--suite", path, "--capabilities", HOST, "--log", log)[0] == 2
    assert command("--suite", CONFORMANCE, "--capabilities", HOST, "--log", tmp_path / "none")[0] == 2


def test_a_message_is_compared_with_every_text_of_the_payload() -> None:
    from knownbad.suites.echo import echoes

    assert echoes("The tool call failed.", DOWN) is None
    assert echoes("upstream_down", DOWN) is not None
    assert echoes("it said: upstream_down!", DOWN) == "upstream_down"
    assert echoes(json.dumps({"error": "upstream_down"}), DOWN) is not None
    assert echoes("no", {"code": "no"}) == "no"
    assert echoes("not found", {"code": "no"}) is None
    assert echoes("text", {"content": [{"type": "text", "text": "boom"}]}) is None
