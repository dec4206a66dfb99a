"""What a log without arguments tells, against every way of matching, tried out."""

from __future__ import annotations

import random
from itertools import product

import pytest

from knownbad.suites.explain import EITHER, FAILURE, SUCCESS, Counted, Ordered, explained, sums
from knownbad.suites.suite import ToolResponse
from suitekit import entry, suite


def entries(flags: list[bool], args: list[int] | None = None) -> tuple[ToolResponse, ...]:
    asked = [{} if args is None else {"args": {"id": n}} for n in (args or flags)]
    return suite(*(entry(isError=f, **a) for f, a in zip(flags, asked, strict=True))).tasks[0].responses


def ways(flags: list[bool], ended: list[str], always: bool, free: bool) -> set[int]:
    """The numbers of misses of every way of matching in order that explains how calls ended."""
    found = set()
    for hits in product([True, False], repeat=len(ended)):
        served, fits = 0, True
        for hit, how in zip(hits, ended, strict=True):
            if hit:
                fits &= served < len(flags) and how in (EITHER, FAILURE if flags[served] else SUCCESS)
                served += 1
            else:
                fits &= (free or how != SUCCESS) and not (always and served < len(flags))
            if not fits:
                break
        if fits:
            found.add(hits.count(False))
    return found


@pytest.mark.parametrize("seed", range(150))
def test_calls_in_order_have_the_misses_of_the_ways_that_explain_them(seed: int) -> None:
    """Also: it is contradicted exactly where there is no way."""
    draw = random.Random(seed)
    flags = [draw.random() < 0.5 for _ in range(draw.randint(1, 5))]
    ended = [draw.choice([FAILURE, FAILURE, SUCCESS, EITHER]) for _ in range(draw.randint(0, 7))]
    takes_any, strict, free = (draw.random() < 0.5 for _ in range(3))
    found = Ordered(entries(flags, None if takes_any else [1] * len(flags)), "passthrough" if free else "error", strict)
    steps = [found.step(how) for how in ended]
    contradicted = any(step.contradicts for step in steps)
    expected = ways(flags, ended, takes_any or strict, free)
    assert contradicted is (not expected)
    if not contradicted:
        assert {n for n in range(20) if found.misses >> n & 1} == expected


@pytest.mark.parametrize("seed", range(100))
def test_calls_that_are_only_counted_never_rule_out_what_happened(seed: int) -> None:
    """Whatever an agent asks: nothing is contradicted, and the true number of misses stays possible."""
    draw = random.Random(seed)
    names = [draw.randint(0, 3) for _ in range(6)]
    recorded = entries([draw.random() < 0.5 for _ in names], names)
    if len(set(names)) == 1:
        pytest.fail("all ask the same, so nothing is counted")
    found = explained(recorded, "error", strict=False)
    assert isinstance(found, Counted)
    left, misses = list(recorded), 0
    for _ in range(draw.randint(0, 9)):
        asked = draw.randint(0, 4)
        served = next((r for r in left if r.args == {"id": asked}), None)
        if served is None:
            misses += 1
        else:
            left.remove(served)
        assert not found.step(FAILURE if served is None or served.is_error else SUCCESS).contradicts
    assert found.misses >> misses & 1


def test_sums_of_sets_are_all_sums() -> None:
    for left, right in [(0b1, 0b1), (0b101, 0b11), (0b110, 0b1001)]:
        numbers = [[n for n in range(8) if s >> n & 1] for s in (left, right)]
        assert sums(left, right) == sum({1 << a + b for a in numbers[0] for b in numbers[1]})


def test_a_failure_is_witnessed_only_where_every_way_served_it() -> None:
    found = Ordered(entries([True, False], [1, 1]), "error", strict=False)
    found.step(FAILURE)
    assert not found.witnessed(None)
    assert found.witnessed(0)
    found.step(SUCCESS)
    assert found.witnessed(None)
