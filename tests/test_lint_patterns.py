"""Patterns that backtrack: what is found, what is not, and what a real matcher does with the text."""

from __future__ import annotations

import subprocess
import sys
import time

import jsonschema_rs
import pytest

from knownbad.lint.backtrack import steps
from knownbad.lint.patterns import blowup

EXPONENTIAL = [
    "^(a+)+$", "^(a*)*$", "^(a|a)*$", "^(a|aa)+$", "^([a-z]+)*$", r"^(\w+\s?)*$", r"^(\w|\d)+$", "^(.*)*$",
    "^((ab)*)*$", "^(x+x+)+y$", "^(a{1,20}){1,20}$", "^(?=(a+)+b)a", "^a(b|[^c])*d$", "(a+)+!$",
    r"^([\da-z\.-]+)\.([a-z\.]{2,6})([\/\w \.-]*)*\/?$", "^(([a-z])+.)+[A-Z]([a-z])+$", "^[a-z]+(a?[a-z]+)*_$",
]  # fmt: skip
POWERS = [
    (r"^\d+\d+$", 2), (r"^\s*(.*)\s*$", 3), ("^a*a*a*b$", 2), ("^.*a.*b.*c$", 3), ("^[a-z]*[a-f]*x?$", 2),
]  # fmt: skip
HARMLESS = [
    "^a+$", "^[a-z]+(-[a-z]+)*$", "^[a-z0-9]+(?:[._-][a-z0-9]+)*$", r"^(\d{1,3}\.){3}\d{1,3}$", "(a+)+", "^(a+)+",
    r'^([^"\\]|\\.)*$', "^(a|b)*$", "^(ab|cd)*$", "^(a?b)*$", r"^\d{4}-\d{2}-\d{2}$", "^(a+b)+$", "^(?:a|ab)c*$",
    r"^[^@\s]+@[^@\s]+$", "a|b", "", ".*", "^(a{2}){3}$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_a_pattern_with_two_ways_round_a_loop_is_exponential(pattern: str) -> None:
    found = blowup(pattern)
    assert found is not None
    assert found.degree == 0
    assert found.factor > 1.25


@pytest.mark.parametrize("pattern, least", POWERS)
def test_a_pattern_of_two_loops_that_share_letters_grows_with_a_power(pattern: str, least: int) -> None:
    found = blowup(pattern)
    assert found is not None
    assert found.degree >= least


@pytest.mark.parametrize("pattern", HARMLESS)
def test_a_pattern_with_one_way_for_each_text_is_harmless(pattern: str) -> None:
    assert blowup(pattern) is None


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_the_steps_of_the_text_double_with_a_few_pumps(pattern: str) -> None:
    """The matcher that counts agrees with what is claimed, on texts that were not tried before."""
    found = blowup(pattern)
    assert found is not None
    repeats = found.seen[-1][0]
    before, matched = steps(pattern, found.text(repeats), 10**6)
    after, _ = steps(pattern, found.text(repeats + 1), 10**6)
    assert matched is False
    assert after > before * found.factor**0.8


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["^(a+)+$", r"^(\w+\s?)*$", "^(a|aa)+$"])
def test_pythons_own_matcher_is_kept_busy_and_one_without_backtracking_is_not(pattern: str) -> None:
    found = blowup(pattern)
    assert found is not None
    text = found.text(found.reaches(1e11))
    assert len(text) < 100
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", f"import re; re.search({pattern!r}, {text!r})"], timeout=1.5, check=False)
    start = time.monotonic()
    assert not jsonschema_rs.Draft202012Validator({"pattern": pattern}).is_valid(text)
    assert time.monotonic() - start < 1


MATCHES = [
    ("^a+$", "aaa"), ("a", "xay"), (r"^\d{2,3}$", "123"), (r"\bfoo\b", "a foo b"), ("^(?!a)b", "b"), ("^(?=a)a", "ab"),
    ("(?<=a)b", "ab"), ("^a.c$", "abc"), ("^[^a]$", "b"), ("^(a|b)*?c$", "abc"), ("^a??b$", "b"), ("^$", ""),
]  # fmt: skip


@pytest.mark.parametrize("pattern, text", MATCHES)
def test_the_matcher_that_counts_finds_what_others_find(pattern: str, text: str) -> None:
    assert steps(pattern, text, 1000)[1] is True
    assert steps(pattern, "\x00" + "z" * 3, 1000)[1] is False
