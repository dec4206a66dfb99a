"""Strings of a shape: what is made, what is proved impossible, and how ECMA 262 is read."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import product

import jsonschema
import jsonschema_rs
import pytest

from knownbad.dialects import DRAFT_04, DRAFT_2020_12
from knownbad.witness import regex
from knownbad.witness.automaton import machine
from knownbad.witness.chooser import MINIMAL
from knownbad.witness.strings import MAX_LENGTH, StringShape, satisfies, strings, unmatchable


class Dice:
    """A chooser that varies everything, the same way for the same seed."""

    minimal = False

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def order(self, count: int) -> Sequence[int]:
        return self.random.sample(range(count), count)

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


def shape(*patterns: str, no: Sequence[str] = (), low: int = 0, high: int | None = None) -> StringShape:
    return StringShape(low, high, patterns, tuple(no))


def first(wanted: StringShape) -> str | None:
    return next(strings(wanted, MINIMAL), None)


def judged(pattern: str, text: str) -> tuple[bool, bool]:
    """What both validators make of a pattern."""
    slow = jsonschema.Draft202012Validator({"pattern": pattern}).is_valid(text)
    return slow, jsonschema_rs.validator_for({"pattern": pattern}).is_valid(text)


LENGTHS = [
    (shape(), ["a", "", "ab", "abc", "abcd"]),
    (shape(high=0), [""]),
    (shape(low=3, high=3), ["abc", "bcd", "cde", "def", "efg", "fgh"]),
    (shape(low=28, high=28), ["abcdefghijklmnopqrstuvwxyzab"]),
    (shape(low=2, high=1), []),
    (shape(low=MAX_LENGTH + 1), []),
]


@pytest.mark.parametrize(("wanted", "found"), LENGTHS, ids=str)
def test_where_only_the_length_matters_the_alphabet_is_repeated(wanted: StringShape, found: list[str]) -> None:
    assert list(strings(wanted, MINIMAL))[: len(found)] == found


SIMPLEST = [
    (shape("^[a-z]+$"), "a"),
    (shape("^.*$"), "a"),
    (shape("^.*$", high=0), ""),
    (shape("^[A-Z][0-9]{3}$"), "A000"),
    (shape("foo|bar"), "bar"),
    (shape("^x-"), "x-"),
    (shape("^https://api.example.org/.+"), "https://api.example.org/a"),
    (shape("^(?!foo$).+$", "^f"), "f"),
    (shape("^a{2,4}$", low=3), "aaa"),
    (shape("^[a-z]+$", low=12), "aaaaaaaaaaaa"),
    (shape("^[a-z]+$", "[0-9]"), None),
    (shape("abc$", no=["^abc$"]), "aabc"),
    (shape("^abc", no=["^abc$"]), "abca"),
    (shape(no=["^[a-z]+$"]), "0"),
    (shape(no=["^[a-z]*$", "^[0-9]"]), "A"),
    (shape(no=["^.*$"]), "\na"),
    (shape("^did:.+", no=["^did:.+$"]), "did:a\na"),
    (shape(no=[""]), None),
    (shape("^(?=.*[A-Z])(?=.*[0-9]).{4,}$"), "aa0A"),
    (shape("^(?!a|b)[a-c]$"), "c"),
    (shape("^[a-c]+(?<!a)$"), "b"),
    (shape("^(a|b)\\1$"), "aa"),
    (shape("^(?<first>x)\\k<first>$"), "xx"),
    (shape("^\\w+\\b-\\b\\w+$"), "a-a"),
    (shape("^\\p{Lu}$"), "A"),
    (shape("^\\cA$"), "\x01"),
    (shape("^\\u{1F432}\\/\\-$"), "🐲/-"),
    (shape("^[^\\x00-\\x7f]$"), "é"),
    (shape("^[^]$"), "a"),
    (shape("[]"), None),
]


@pytest.mark.parametrize(("wanted", "text"), SIMPLEST, ids=str)
def test_the_simplest_string_is_short_and_readable(wanted: StringShape, text: str | None) -> None:
    assert first(wanted) == text


REAL = [
    "^(?!variables$).+$",
    "^https://example.org/api/items/.+?$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$",
    "^(\\*|http|https|ws|wss|ftp):\\/\\/(\\*|\\*\\.[^\\/\\*]+|[^\\/\\*]+)?(\\/.*)$",
    "^.*\\$\\{\\{(.|[\r\n])*\\}\\}.*$",
    "^\\d+\\.?\\d*%?$",
    "^[\\S]+$",
    "^[-\\w]+/[-\\w]+(\\.[-\\w]+)*([+][-\\w]+)?$",
    "^([0-9]{3})$|^(default)$",
    "^[0-9\\[\\(,. \\)\\]]+$",
    "^(([a-zA-Z0-9]+)(-?))+$",
    "(\\d{1,3}\\.){3}\\d{1,3}",
    "^[^\\s-]+$",
    "^\\+?[0-9]+(\\.[0-9]+)? *[kKmMgGtTpP][bB]$",
    "^10[Xx]$|^$",
    "^(https?:\\/\\/)?([\\da-z\\.-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.-]*)*\\/?$",
    "^\\S+\\s\\S+$",
    "^[a-z0-9-_.~]+$",
]


@pytest.mark.parametrize("pattern", REAL)
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_both_validators_agree_with_what_was_made(pattern: str, seed: int | None) -> None:
    """Matching strings, others, and near-misses that one anchor less would let in, chosen simply and at random."""
    cases = [((pattern,), ()), ((), (pattern,))]
    if "|^" not in pattern and "|(" not in pattern:
        cases += [((pattern[1:],), (pattern,))] if pattern[0] == "^" else []
        cases += [((pattern[:-1],), (pattern,))] if pattern[-1] == "$" else []
    for patterns, not_patterns in cases:
        wanted = StringShape(patterns=patterns, not_patterns=not_patterns)
        found = list(strings(wanted, MINIMAL if seed is None else Dice(seed)))
        assert found or unmatchable(wanted)
        for text in found:
            assert [judged(p, text) for p in patterns] == [(True, True)] * len(patterns), text
            assert [judged(p, text) for p in not_patterns] == [(False, False)] * len(not_patterns), text


NO_STRING = [
    shape("^[a-z]+$", "[0-9]"),
    shape("^a{3}$", high=2),
    shape("^a{1,3}$", low=4),
    shape(no=[".*"]),
    shape("^(a+)+$", no=["^(a*)*$"]),
    shape("^(?!a)[a]$"),
    shape(no=["\\w*"], low=3),
    shape(low=4, high=3),
    StringShape(not_formats=("no-such-format",)),
    StringShape(not_formats=("uuid",), dialect=DRAFT_04),
    StringShape(formats=("ipv4",), patterns=("[a-z]",)),
    StringShape(formats=("email",), patterns=("^[^@]*$",)),
]


@pytest.mark.parametrize("wanted", NO_STRING, ids=str)
def test_what_no_string_can_be_is_proved(wanted: StringShape) -> None:
    assert first(wanted) is None
    assert unmatchable(wanted)


SOME_STRING = [
    shape(),
    shape("^[a-z]+$"),
    shape(low=5),
    shape("(?=.*a.{5}b)(?=.*b.{5}c)c"),  # impossible, but past what is modelled exactly
    shape("("),
    shape("\\p{Lu}", no=["[A-Z]"]),
    StringShape(formats=("uri",)),
    StringShape(not_formats=("date",), dialect=DRAFT_04),  # asserted by one validator only
    StringShape(254, formats=("hostname",)),
]


@pytest.mark.parametrize("wanted", SOME_STRING, ids=str)
def test_nothing_is_proved_without_an_exact_reason(wanted: StringShape) -> None:
    assert not unmatchable(wanted)


WITH_FORMATS = [
    (StringShape(formats=("date",)), "2024-01-31"),
    (StringShape(not_formats=("date",)), "2024-02-30"),
    (StringShape(not_formats=("date",), min_length=30), "a" * 30),
    (StringShape(not_formats=("date",), patterns=("^\\d{4}-\\d{2}-\\d{2}$",)), "2024-02-30"),
    (StringShape(not_formats=("date-time",), patterns=("Z$",)), "2024-02-30T12:00:00Z"),
    (StringShape(formats=("uri",), patterns=("^https://github\\.com/",)), "https://github.com/"),
    (StringShape(formats=("uri-reference",), not_formats=("uri",)), "/a"),
    (StringShape(formats=("uri",), max_length=3), "a:b"),
    (StringShape(formats=("no-such-format",)), "a"),
    (StringShape(formats=("uuid",), dialect=DRAFT_04), "a"),
    (StringShape(not_formats=("date",), dialect=DRAFT_04), None),
    (StringShape(formats=("date",), dialect=DRAFT_04), "2024-01-31"),
]


@pytest.mark.parametrize(("wanted", "text"), WITH_FORMATS, ids=str)
def test_formats_join_lengths_and_patterns(wanted: StringShape, text: str | None) -> None:
    assert first(wanted) == text


def test_hints_win_where_they_satisfy() -> None:
    wanted = shape("^[a-z]+$", high=4)
    assert list(strings(wanted, MINIMAL, ["Nine", "five", "toolong", "four", "five"], limit=3)) == ["five", "four", "a"]


def test_at_most_as_many_different_strings_come_as_are_asked_for() -> None:
    assert "".join(strings(shape("^[a-z]$"), MINIMAL, limit=40)) == "abcdefghijklmnopqrstuvwxyz"
    assert len(list(strings(shape("^[a-z]+$"), MINIMAL, limit=100))) == 100


def test_lone_surrogates_are_never_made() -> None:
    assert list(strings(shape(), MINIMAL, ["\ud800"], limit=1)) == ["a"]
    assert first(shape("^[\\ud800-\\udfff]$")) is None


@pytest.mark.parametrize("text", ["٣", "3\n"])
def test_a_string_that_the_validators_read_differently_satisfies_nothing(text: str) -> None:
    assert len({*judged("^\\d$", text)}) == 2
    assert not satisfies(shape("^\\d$"), text)
    assert not satisfies(shape(no=["^\\d$"]), text)


def test_length_counts_code_points() -> None:
    assert satisfies(shape(low=2, high=2), "🐲🐲")


def test_long_strings_of_nested_repeats_are_judged_without_backtracking() -> None:
    """Python's matcher would need ages for the first of these."""
    nested = "^(([a-zA-Z0-9]+)(-?))+$"
    assert satisfies(shape(no=[nested]), "a" * 200 + "!")
    assert satisfies(shape(nested), "a" * 200)
    text = first(shape(no=[nested], low=200))
    assert text is not None
    assert judged(nested, text) == (False, False)


def test_a_search_that_costs_too_much_ends_without_an_answer() -> None:
    wanted = shape("^.*a.{20}$", "^.*b.{20}$")
    assert first(wanted) is None
    assert not unmatchable(wanted)


def test_varied_strings_differ_and_satisfy() -> None:
    wanted = shape("^[a-z]+(-[0-9]{1,3})?$", low=2, high=20)
    found = [next(strings(wanted, Dice(seed))) for seed in range(50)]
    assert len(set(found)) > 40
    assert all(satisfies(wanted, text) for text in found)


TRANSLATED = {
    "^a$": "^a\\Z",
    "\\d": "[0-9]",
    "[\\w-.]": "[0-9A-Za-z_\\-.]",
    "\\/\\-": "\\/\\-",
    "[^]": "[\\x00-\\U0010ffff]",
    "[]": "(?!)",
    "\\cJ": "\\x0a",
    "\\u0041\\u{1F432}": "\\U00000041\\U0001f432",
    "\\ud83d\\udc32": "\\U0001f432",
    "(?<a>x)\\k<a>(?<=x)(?<!y)": "(?P<a>x)(?P=a)(?<=x)(?<!y)",
    "[[&&]": "[\\[\\&\\&]",
    "[$.]": "[$.]",
    "\\$": "\\$",
}


@pytest.mark.parametrize(("pattern", "python"), TRANSLATED.items())
def test_ecma_patterns_are_put_in_pythons_notation(pattern: str, python: str) -> None:
    assert regex.to_python(pattern) == python


@pytest.mark.parametrize(
    "pattern", ["a", "", "^\\p{L}\\P{Lu}[\\p{Script=Greek}]$", "(?<y>\\d{4})", "[^]", "\\cA", "(?i)a"]
)
def test_valid_patterns_compile(pattern: str) -> None:
    assert regex.compiles(pattern) is None


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "*", "a**", "[z-a]", "a{2,1}", "\\", "\\e", "\\p{Nonsense}", "a)", "\\xg"]
)
def test_invalid_patterns_are_told_from_valid_ones(pattern: str) -> None:
    assert regex.compiles(pattern)
    assert list(strings(shape(pattern), MINIMAL)) == []


ENGINES = [
    "^a", "a$", "^$", "a|^b", "(^a|b)c?$", "\\ba", "a\\b", "\\Bb", "a\\Bb", "^(?!ab)", "^a(?=b)", "^.(?!b)", "(a|b)*c$",
    "^(ab?)+$", "a{2}", "a{1,2}c", "^[^a]*$", ".", "^.$", "(?i)B", "a??b", "^(a*)*$", "\\s", "^\\S+$", "b(?<!ab)$",
    "^(?:ab|bc)(?!c)",
]  # fmt: skip


@pytest.mark.parametrize("pattern", ENGINES)
def test_the_automaton_and_the_matcher_agree_on_every_short_string(pattern: str) -> None:
    made, matcher = machine((pattern,), ()), regex.compiled(pattern)
    assert made.exact
    texts = ["".join(chars) for count in range(1, 5) for chars in product("abc-\nB", repeat=count)] + [""]
    differing = [text for text in texts if made.accepts(text) != bool(matcher.search(text))]
    assert [text for text in differing if text or "\\B" not in pattern] == []


def test_a_lookahead_after_text_of_several_lengths_makes_a_machine_inexact() -> None:
    assert not machine(("^(?:a|bc)(?!c)",), ()).exact
    assert first(shape("^(?:a|bc)(?!c)")) == "a"


def test_strings_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from knownbad.witness.strings import *; from knownbad.witness.chooser import MINIMAL;"
        f"print([list(strings(StringShape(patterns=p, not_patterns=n), MINIMAL)) for q in {REAL!r}"
        " for p, n in (((q,), ()), ((), (q,)))])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONIOENCODING": "utf-8",
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_a_shape_without_patterns_loads_nothing_heavy() -> None:
    script = (
        "import sys; from knownbad.witness.strings import *; from knownbad.witness.chooser import MINIMAL;"
        "next(strings(StringShape(min_length=3), MINIMAL));"
        "print([m for m in sys.modules if m in ('jsonschema', 'hypothesis', 'unicodedata')"
        " or m.startswith('knownbad.witness.') and m.split('.')[-1] in ('automaton', 'nfa', 'regex', 'walk')])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
    assert StringShape().dialect == DRAFT_2020_12
