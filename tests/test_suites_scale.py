"""Recorded calls cost little more than the protocol itself."""

from __future__ import annotations

import pytest

pytest.importorskip("mcp")

from bench.suites import CALLS, MATCHES, ratio


@pytest.mark.slow
@pytest.mark.parametrize("match", MATCHES)
def test_recorded_calls_take_at_most_twice_as_long_as_a_constant(match: str) -> None:
    """2,000 of them, with log and transcript, beside a bare server of the SDK in the same run."""
    assert CALLS == 2000
    assert ratio(match, "auto", rounds=1) <= 2 or ratio(match, "auto") <= 2
