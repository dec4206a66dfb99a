"""Which recorded call answers a call."""

from __future__ import annotations

import random
from typing import Any

import pytest

from knownbad.suites.matching import Consumption, matches
from knownbad.suites.suite import ToolResponse
from suitekit import TOOL, entry, failing, suite


def taken(entries: list[dict[str, Any]], *calls: dict[str, Any]) -> list[int | None]:
    """The number of the recorded call that answers each call."""
    found = Consumption(suite(*entries).tasks[0].responses)
    served = [found.take(TOOL, args) for args in calls]
    return [None if response is None else response.index for response in served]


@pytest.mark.parametrize(
    "asked, args, answers",
    [
        ({}, {"id": 1}, True),
        ({"args": {"id": 1}}, {"id": 1}, True),
        ({"args": {"id": 1}}, {"id": 1.0}, True),
        ({"args": {"id": 1}}, {"id": True}, False),
        ({"args": {"id": 1}}, {"id": 1, "more": 2}, False),
        ({"args": {}}, {}, True),
        ({"args": {}}, {"id": 1}, False),
        ({"args": {"id": 1}, "argsMatch": "exact"}, {}, False),
        ({"args": {"id": 1}, "argsMatch": "subset"}, {"id": 1, "more": 2}, True),
        ({"args": {"a": {"b": 1}}, "argsMatch": "subset"}, {"a": {"b": 1, "c": 2}}, True),
        ({"args": {"a": {"b": 1}}, "argsMatch": "subset"}, {"a": {"c": 2}}, False),
        ({"args": {"a": [1]}, "argsMatch": "subset"}, {"a": [1, 2]}, False),
        ({"args": {"a": {}}, "argsMatch": "subset"}, {"a": []}, False),
        ({"args": {"a": None}, "argsMatch": "subset"}, {}, False),
        ({"args": {"id": 1}, "argsMatch": "any"}, {"id": 2}, True),
        ({"argsMatch": "exact"}, {}, True),
        ({"argsMatch": "exact"}, {"id": 1}, False),
        ({"argsMatch": "subset"}, {"id": 1}, True),
    ],
)
def test_arguments_are_compared_as_the_recorded_call_asks(
    asked: dict[str, Any], args: dict[str, Any], answers: bool
) -> None:
    """`exact` is the default beside `args`, `any` without."""
    assert taken([entry(**asked)], args) == [0 if answers else None]


def test_entries_are_tried_in_order_and_each_is_served_once() -> None:
    assert taken([failing(), entry()], {}, {}, {}) == [0, 1, None]


def test_the_first_that_matches_is_served_whatever_way_it_matches_in() -> None:
    entries = [
        entry(args={"id": 1}, argsMatch="subset"),
        entry(args={"id": 1}),
        entry(),
        entry(args={"id": 1}),
    ]
    assert taken(entries, {"id": 1}, {"id": 1}, {"id": 1}, {"id": 1}, {"id": 1}) == [0, 1, 2, 3, None]
    assert taken(entries, {"id": 2}, {"id": 2}, {"id": 1}) == [2, None, 0]


def test_a_recorded_call_of_another_tool_is_left_alone() -> None:
    assert taken([failing(tool="mail:send"), entry()], {}, {}) == [1, None]


def test_a_failure_is_matched_and_served_like_any_other() -> None:
    """Selection and consumption are the same with and without the flag."""
    plain = [entry(args={"id": n % 3}) for n in range(6)]
    flagged = [{**e, "isError": n % 2 == 0} for n, e in enumerate(plain)]
    calls = [{"id": n % 4} for n in range(12)]
    assert taken(plain, *calls) == taken(flagged, *calls)


def in_order(entries: list[ToolResponse], args: dict[str, Any]) -> int | None:
    """The plain reading of the rule."""
    for response in entries:
        if matches(response, args):
            entries.remove(response)
            return response.index
    return None


@pytest.mark.parametrize("seed", range(60))
def test_looking_up_finds_what_trying_in_order_finds(seed: int) -> None:
    """Against the plain reading, on drawn suites and calls."""
    draw = random.Random(seed)
    values = [0, 1, 1.0, True, "1", None, [1], {"x": 1}, {"x": 1, "y": 2}]

    def arguments() -> dict[str, Any]:
        return {name: draw.choice(values) for name in draw.sample("abc", draw.randint(0, 3))}

    entries = []
    for _ in range(draw.randint(1, 25)):
        args = {} if draw.random() < 0.2 else {"args": arguments()}
        how = {} if draw.random() < 0.3 else {"argsMatch": draw.choice(["exact", "subset", "any"])}
        entries.append(entry(**args, **how))
    calls = [arguments() for _ in range(40)]
    rest = list(suite(*entries).tasks[0].responses)
    assert taken(entries, *calls) == [in_order(rest, args) for args in calls]
