"""The table of formats against the two validators: nothing in it is a guess."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

import jsonschema
import jsonschema_rs
import pytest

from knownbad.dialects import DIALECTS, DRAFT_04, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.formats import FORMATS, asserted, standing
from knownbad.witness import regex
from knownbad.witness.automaton import Budget, machine
from knownbad.witness.strings import StringShape, strings

CHECKERS = {
    4: jsonschema.Draft4Validator,
    6: jsonschema.Draft6Validator,
    7: jsonschema.Draft7Validator,
    19: jsonschema.Draft201909Validator,
    20: jsonschema.Draft202012Validator,
}
ANNOTATIONS = (
    "binary", "byte", "color", "double", "float", "host-name", "int32", "int64", "ip-address", "password", "phone",
    "style", "unix-time", "uriref", "url", "utc-millisec",
)  # fmt: skip
ODD = ("\x00 %%%{ \n", "", "@", "1", "256.0.0.1", "::g", "2024-02-30", "(", "http://[", "/~2", "-1", "P", "a b", "%")


class Dice:
    """A chooser that varies everything, the same way for the same seed."""

    minimal = False

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def order(self, count: int) -> Sequence[int]:
        return self.random.sample(range(count), count)

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


@lru_cache
def fast(name: str, year: int) -> jsonschema_rs.Validator:
    return {
        4: jsonschema_rs.Draft4Validator,
        6: jsonschema_rs.Draft6Validator,
        7: jsonschema_rs.Draft7Validator,
        19: jsonschema_rs.Draft201909Validator,
        20: jsonschema_rs.Draft202012Validator,
    }[year]({"format": name}, validate_formats=True)


def verdicts(name: str, text: str, dialect: Dialect) -> tuple[bool, bool]:
    """Whether jsonschema and jsonschema-rs accept a string as this format."""
    slow = CHECKERS[dialect.year].FORMAT_CHECKER.conforms(text, name)
    return slow, fast(name, dialect.year).is_valid(text)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
@pytest.mark.parametrize("name", [*FORMATS, *ANNOTATIONS])
def test_the_standing_of_a_format_is_what_the_validators_do(name: str, dialect: Dialect) -> None:
    probes = [*(FORMATS[name].invalid if name in FORMATS else ()), *ODD]
    seen = [verdicts(name, text, dialect) for text in probes]
    count = any(not slow for slow, _ in seen) + any(not quick for _, quick in seen)
    assert standing(name, dialect) == ("none", "one", "both")[count]
    assert asserted(name, dialect) == (count == 2)


def test_every_format_that_a_validator_knows_has_its_row() -> None:
    known = {name for cls in CHECKERS.values() for name in cls.FORMAT_CHECKER.checkers}
    assert sorted(known - set(FORMATS)) == []


def asserting(name: str) -> list[Dialect]:
    return [dialect for dialect in DIALECTS if standing(name, dialect) == "both"]


@pytest.mark.parametrize("name", FORMATS)
def test_valid_examples_are_accepted_and_invalid_ones_rejected_by_both(name: str) -> None:
    row = FORMATS[name]
    assert len(set(row.valid)) == len(row.valid)
    assert len(set(row.invalid)) == len(row.invalid)
    for dialect in asserting(name):
        assert {text: verdicts(name, text, dialect) for text in row.valid} == dict.fromkeys(row.valid, (True, True))
        assert {text: verdicts(name, text, dialect) for text in row.invalid} == dict.fromkeys(
            row.invalid, (False, False)
        )


@pytest.mark.parametrize("name", FORMATS)
def test_examples_lie_on_the_right_side_of_the_patterns(name: str) -> None:
    row = FORMATS[name]
    assert [text for text in row.valid if regex.matches(row.outer, text) is not True] == []
    assert [text for text in row.invalid if regex.matches(row.inner, text) is not False] == []
    assert regex.matches(row.inner, row.valid[0])


def drawn(patterns: tuple[str, ...], not_patterns: tuple[str, ...], longest: int | None) -> list[str]:
    """Many different strings of a machine."""
    made, found = machine(patterns, not_patterns), []
    for seed in range(150):
        dice = Dice(seed)
        low = dice.integer(0, 40)
        for _, layers in made.layers(low, longest, seed % 4 != 0, Budget(100_000)):
            found += [next(made.words(layers, seed % 4 != 0, dice, Budget(100_000)))]
            break
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_whatever_matches_the_inner_pattern_is_accepted_by_both(name: str) -> None:
    texts = drawn((FORMATS[name].inner,), (), FORMATS[name].longest)
    assert len(texts) > 20
    for dialect in asserting(name):
        assert [text for text in texts if verdicts(name, text, dialect) != (True, True)] == []


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "regex"])
def test_whatever_does_not_match_the_outer_pattern_is_rejected_by_both(name: str) -> None:
    texts = drawn((), (FORMATS[name].outer,), None)
    assert len(texts) > 20
    for dialect in asserting(name):
        assert [text for text in texts if verdicts(name, text, dialect) != (False, False)] == []


LENGTHS = (
    ("uri", 200, 200), ("uri", 0, 3), ("email", 64, 64), ("email", 100, 110), ("email", 0, 5), ("hostname", 200, 253),
    ("hostname", 2, 2), ("date-time", 40, 40), ("time", 25, None), ("ipv6", 39, 39), ("ipv6", 2, 5), ("ipv4", 15, 15),
    ("uri-reference", 300, None), ("json-pointer", 50, 50), ("duration", 12, 12), ("regex", 30, 30), ("iri", 0, 2),
    ("uri-template", 99, 99), ("relative-json-pointer", 10, 10), ("idn-email", 70, 80), ("idn-hostname", 90, 90),
)  # fmt: skip


@pytest.mark.parametrize(("name", "low", "high"), LENGTHS)
def test_a_format_is_met_within_a_length(name: str, low: int, high: int | None) -> None:
    from knownbad.witness.chooser import MINIMAL

    found = list(strings(StringShape(low, high, formats=(name,)), MINIMAL))
    assert found
    assert [t for t in found if len(t) < low or (high is not None and len(t) > high)] == []
    assert [t for t in found if verdicts(name, t, DRAFT_2020_12) != (True, True)] == []


def test_what_an_older_dialect_does_not_assert_is_an_annotation_there() -> None:
    assert standing("uuid", DRAFT_07) == "none"
    assert standing("uuid", DRAFT_2019_09) == "both"
    assert standing("date", DRAFT_04) == "one"
    assert standing("no-such-format", DRAFT_2020_12) == "none"
