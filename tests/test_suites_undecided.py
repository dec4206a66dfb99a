"""A log that does not tell all is judged by what it tells: no host is accused of what it did not do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.suites.suite import Suite, suite_of
from suitekit import (
    ARGS,
    TOOL,
    called,
    document,
    edited,
    entry,
    events_of,
    failed,
    failing,
    judged,
    ran,
    returned,
    rules,
    suite,
    summary,
    verdict,
    written,
)

FOUR = [(TOOL, ARGS)] * 4
MIXED = suite(failing(), failing(), entry(), failing())


def two(**second: Any) -> Suite:
    """A tool of both tasks, and one of each alone."""
    value = document(failing(), entry(tool="only-1"))
    value["tasks"].append({**document(entry(), failing(tool="only-2"), **second)["tasks"][0], "taskId": "refund-2"})
    return suite_of(value, "suite.json")


def test_a_tool_that_is_in_no_task_is_a_miss_where_the_log_names_none(tmp_path: Path) -> None:
    events = [called(1, tool="other"), failed(1), called(2, tool="only-2"), failed(2)]
    assert rules(judged(two(), written(tmp_path, [*events, summary(1)]))) == set()
    assert rules(judged(two(), written(tmp_path, [*events, summary(0)]))) == {"KB616"}
    events[1] = returned(1)
    assert rules(judged(two(), written(tmp_path, [*events, summary(1)]))) == {"KB628"}
    assert rules(judged(two(onMiss="passthrough"), written(tmp_path, [*events, summary(1)]))) == set()


def test_a_tool_of_one_task_only_is_judged_where_the_log_names_none(tmp_path: Path) -> None:
    events = [called(1, tool="only-2"), returned(1), summary()]
    assert rules(judged(two(), written(tmp_path, events))) == {"KB610"}


@pytest.mark.parametrize("misses", range(3))
def test_misses_are_not_counted_where_it_is_open_what_was_served(misses: int, tmp_path: Path) -> None:
    log = written(tmp_path, [called(), failed(), summary(misses)])
    result = judged(two(), log)
    assert (rules(result), int(result.exit)) == ({"KB631"}, 3)
    other = written(tmp_path, [called(taskId="nope"), failed(taskId="nope"), summary(misses)])
    assert rules(judged(two(), other)) == {"KB626"}


@pytest.mark.parametrize("count", range(1, 14))
def test_a_tool_that_is_asked_in_many_ways_is_undecided_where_calls_may_have_missed(count: int, tmp_path: Path) -> None:
    """With no misses and all recorded calls served, it is known that they were."""
    found = suite(
        *(failing(args={"n": n}) for n in range(5)),
        *(entry(args={"n": n}, argsMatch="subset") for n in range(5)),
        *(failing() for _ in range(3)),
    )
    events = [event for n in range(count) for event in (called(n), failed(n) if n < 8 else returned(n))]
    for end, decided in (([], False), ([summary(0)], count == 13)):
        result = judged(found, written(tmp_path, [*events, *end]))
        decided = decided or count == 13
        assert (int(result.exit), rules(result)) == ((0, set()) if decided else (3, {"KB631"}))
    missed = judged(found, written(tmp_path, [*events, summary(1)]))
    assert (int(missed.exit), rules(missed)) == (3, {"KB631"})
    assert verdict(missed, "recorded-as-error") == "inapplicable"


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("transcript", [True, False])
@pytest.mark.parametrize("line", range(8))
def test_a_line_that_is_lost_accuses_nobody_of_anything_else(
    line: int, transcript: bool, hashed: bool, tmp_path: Path
) -> None:
    def lose(events: list[dict[str, Any]]) -> None:
        del events[line]
        for event in events if not hashed else ():
            event.pop("argsHash", None)

    log = edited(ran(MIXED, tmp_path, FOUR), lose)
    calls = tmp_path / "calls.jsonl" if transcript else None
    assert rules(judged(MIXED, log, calls=calls)) == {"KB622" if line % 2 else "KB623"}


@pytest.mark.parametrize("transcript", [True, False])
@pytest.mark.parametrize("apart", [1, 3])
@pytest.mark.parametrize("line", range(8))
def test_a_line_that_stands_there_twice_is_told_once(line: int, apart: int, transcript: bool, tmp_path: Path) -> None:
    log = edited(ran(MIXED, tmp_path, FOUR), lambda events: events.insert(min(line + apart, 8), events[line]))
    calls = tmp_path / "calls.jsonl" if transcript else None
    result = judged(MIXED, log, calls=calls)
    assert result.counts == {"KB623" if line % 2 else "KB622": 1}


def spoilt(text: str, how: str) -> str:
    """A line that cannot be read."""
    value = json.loads(text)
    return {
        "nan": text[:-1] + ',"n":NaN}',
        "twice": text[:-1] + f',"callId":{json.dumps(value["callId"])}}}',
        "quote": text.replace('"sequence"', '"sequence', 1),
        "gone": "#" * len(text),
    }[how]


@pytest.mark.parametrize("transcript", [True, False])
@pytest.mark.parametrize("how", ["nan", "twice", "quote", "gone"])
@pytest.mark.parametrize("line", range(8))
def test_a_line_that_cannot_be_read_is_told_as_that_alone(
    line: int, how: str, transcript: bool, tmp_path: Path
) -> None:
    log = ran(MIXED, tmp_path, FOUR)
    texts = log.read_text("utf-8").splitlines()
    texts[line] = spoilt(texts[line], how)
    log.write_text("\n".join(texts) + "\n", "utf-8")
    calls = tmp_path / "calls.jsonl" if transcript else None
    result = judged(MIXED, log, calls=calls)
    assert rules(result) == {"KB625"}
    assert result.findings[0].message.count("(byte") == 1


def test_a_lost_call_does_not_hide_a_failure_that_was_served_as_a_success_before_it(tmp_path: Path) -> None:
    log = ran(MIXED, tmp_path, FOUR)
    events = events_of(log)
    events[1] = {**returned(), "runId": "run-1", "taskId": "refund-1", "sequence": 1}
    del events[6]
    assert rules(judged(MIXED, written(tmp_path, events))) == {"KB610", "KB623"}
