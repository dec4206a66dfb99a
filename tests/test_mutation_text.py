"""The report of a mutation check for people: in a terminal, in a pipe, in 80 columns."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest

from conftest import ROOT
from knownbad.mutants import (
    KILLED,
    Checked,
)
from knownbad.report import mutants_json, mutants_text, shown
from knownbad.report.sources import dead
from reported import (
    ALL,
    DEAD,
    KIND,
    LOST,
    MUTANTS,
    NULL,
    WRONG,
    checked,
    evil,
    printed,
)

# --- text


def test_a_survivor_is_told_with_its_line_edit_need_witness_and_file() -> None:
    text = printed(ALL)
    start = text.index("schemas/pay.schema.json:5: required.remove[paid] survived")
    told = text[start : text.index("\n\n", start)].split("\n")
    assert told[1:] == [
        '         "type": "object",',
        '      -  "required": ["id", "paid"],',
        '      +  "required": ["id"],',
        '         "properties": {…},',
        "    missing: a negative fixture without `paid`",
        "    witness: the schema rejects and the mutant accepts:",
        '      {"id": "a"}',
        "    written: negative/pay/without-paid.json",
    ]


def test_null_is_a_witness() -> None:
    assert "      null\n" in printed(checked(NULL))
    assert "witness" not in printed(checked(replace(LOST, witness=DEAD.witness)))


def test_what_is_undecided_is_told_with_its_reason() -> None:
    text = printed(ALL)
    assert "schemas/pay.schema.json:8: minLength.lower undecided" in text
    assert "    undecided: out of steps" in text


def test_the_places_with_most_survivors_come_first() -> None:
    twice = replace(LOST, location="/properties/kind/enum", site="/properties/kind", before=KIND, after={})
    text = printed(checked(LOST, replace(twice, operator="enum.a"), replace(twice, operator="enum.b")))
    assert text.index("enum.a") < text.index("enum.b") < text.index("required.remove[paid]")


def test_only_removals_that_were_expected_to_weaken_are_dead_keywords() -> None:
    assert [mutant.operator for mutant in MUTANTS if dead(mutant)] == ["type.drop", "properties.open[id]"]
    assert not dead(replace(DEAD, operator="type.add[null]"))
    assert not dead(replace(DEAD, state=KILLED))
    for operator in ("not.drop", "required.remove[a.b[c]]", "items.open", "$ref.any", "properties.open[x]"):
        assert dead(replace(DEAD, operator=operator))


def test_dead_keywords_are_told_with_their_proof() -> None:
    text = printed(ALL)
    assert "2 keywords change nothing" in text
    assert "this keyword changes nothing: the algebra leaves nothing over" in text
    assert "'id' in this keyword changes nothing, since no accepted instance gets there" in text


def test_at_most_twenty_dead_keywords_are_listed() -> None:
    text = printed(checked(*(replace(DEAD, operator=f"x{number}.drop") for number in range(25))))
    assert text.count(".drop\n") == 20
    assert "and 5 more (--format json has all)" in text


def test_the_table_has_a_row_a_contract_and_their_sum() -> None:
    text = printed(Checked((*ALL.checks, *checked(LOST, name="other").checks), ROOT))
    rows = {
        line.split()[0]: line.split()[1:6]
        for line in text.splitlines()
        if re.match(r"(contract|pay|other|total) ", line)
    }
    assert rows == {
        "contract": ["score", "mutants", "killed", "survived", "undecided"],
        "pay": ["40.0", "10", "2", "2", "1"],
        "other": ["0.0", "1", "0", "1", "0"],
        "total": ["33.3", "11", "2", "3", "1"],
    }
    assert "not in the score: 2 equivalent, 1 unreachable, 1 ignored, 1 invalid" in text
    assert text.splitlines()[-1] == "score 33.3 %, below the 100 % that are asked for: 2 of 6 mutants killed"


def test_a_wrong_corpus_is_told_and_has_no_score() -> None:
    text = printed(WRONG)
    assert "no score was computed" in text
    assert "    negative/pay/accepted.json: the schema accepts it\n" in text
    assert text.splitlines()[-1].startswith("no score:")


def test_a_score_is_never_rounded_up() -> None:
    many = checked(LOST, *([MUTANTS[0]] * 99_999))
    assert shown.percent(many.score) == "99.9"
    assert mutants_json.document(many)["score"] == 99.99
    assert shown.percent(100.0) == "100.0"
    assert shown.percent(100 * 0.29) == "29.0"


def test_a_shard_says_that_it_is_one() -> None:
    assert "shard 2 of 4" in printed(replace(ALL, shard=(2, 4)))
    assert "shard 2 of 4" in mutants_json.document(replace(ALL, shard=(2, 4)))["notes"][0]


def test_plain_text_keeps_to_80_columns_but_for_paths() -> None:
    words = " ".join(["word"] * 60)
    long = replace(LOST, missing=words, witness={"text": "x" * 500, "items": list(range(300))}, before={"a": "y" * 500})
    name = "a-contract-with-a-name-of-many-words-" * 2
    result = checked(long, *MUTANTS[1:], name=name, notes=(words,))
    paths = re.compile(r"schemas/pay\.schema\.json")
    wide = [line for line in printed(result).splitlines() if len(line) > 80 and not paths.search(line)]
    assert wide == []


def test_a_long_witness_is_shortened_to_a_screenful() -> None:
    text = printed(checked(replace(LOST, witness=[[n] * 30 for n in range(99)])))
    assert len(text.splitlines()) < 45
    assert re.search(r"… \d+ more lines", text)


def test_a_witness_puts_on_a_line_what_fits_on_one() -> None:
    value = {"id": 1, "paid": True, "tags": ["x" * 30, "y" * 30], "of": {"text": "z" * 90}, "list": list(range(30))}
    assert shown.instance(value, width=60) == [
        "{",
        '  "id": 1, "paid": true,',
        '  "tags": [',
        '    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",',
        '    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"',
        "  ],",
        '  "of": {',
        '    "text": "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…',
        "  },",
        '  "list": [',
        "    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,",
        "    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29",
        "  ]",
        "}",
    ]
    whole = shown.instance(value, width=60, longest=1000)
    assert json.loads("".join(whole)) == value


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_and_a_pipe_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TERM", "xterm-256color"), ("COLUMNS", "100")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    mutants_text.write(ALL, stream)
    assert "\x1b[" in stream.getvalue()
    assert re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).count("survived") == printed(ALL).count("survived")
    assert "\x1b" not in printed(ALL)


@pytest.mark.parametrize("format_", ["text", "github", "junit", "html"])
def test_names_from_outside_move_no_cursor_and_turn_no_text(format_: str) -> None:
    text = printed(evil(), format_)
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ufffe]", text) == []
    assert "\\u001b" in text
