"""The reports of a mutation check: every format says the same, safely, and the same to the byte each time."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import console
from conftest import ROOT
from knownbad.errors import BadInput
from knownbad.mutants import (
    EQUIVALENT,
    IGNORED,
    INVALID,
    KILLED,
    OTHER,
    STRONGER,
    SURVIVED,
    UNDECIDED,
    UNREACHABLE,
    WEAKER,
    Check,
    Checked,
    Mutant,
)
from knownbad.pointers import get
from knownbad.report import github, junit, mutants_json, mutants_text, page, sarif, shown, stryker
from knownbad.report.edits import diff
from knownbad.report.mutants import FORMATS, write
from knownbad.report.sources import Sources, dead

TEXT = """\
{
  "type": "object",
  "required": [
    "id",
    "paid"
  ],
  "properties": {
    "id": { "type": "string", "minLength": 1 },
    "paid": { "type": "boolean" },
    "kind": { "enum": ["a", "b"] }
  },
  "additionalProperties": false
}
"""
SCHEMA = json.loads(TEXT)
NASTY = "a\x00\x1b[31m\x9b\u202e</script><b>\"'&,:%\r\n`|]]>\ufffe"
"""A name with what any of the formats could trip over."""


def mutant(operator: str, location: str, after: Any, state: str, **more: Any) -> Mutant:
    """A mutant of SCHEMA; the site is what holds the last step of `location`."""
    site = more.pop("site", location.rpartition("/")[0])
    expected = more.pop("expected", WEAKER)
    return Mutant(operator, location, site, get(SCHEMA, site), after, expected, state, **more)


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: member for name, member in value.items() if name not in names}


ID, PAID, KIND = (SCHEMA["properties"][name] for name in ("id", "paid", "kind"))
LOST = mutant(
    "required.remove[paid]",
    "/required",
    {**SCHEMA, "required": ["id"]},
    SURVIVED,
    observed=WEAKER,
    witness={"id": "a"},
    accepted=False,
    missing="a negative fixture without `paid`",
    written="negative/pay/without-paid.json",
)
NULL = mutant(
    "type.add[null]",
    "/properties/paid/type",
    {"type": ["boolean", "null"]},
    SURVIVED,
    witness=None,
    accepted=False,
)
DEAD = mutant("type.drop", "/type", without(SCHEMA, "type"), EQUIVALENT, reason="the algebra leaves nothing over")
MUTANTS = (
    mutant(
        "required.remove[id]",
        "/required",
        {**SCHEMA, "required": ["paid"]},
        KILLED,
        killed_by=("negative/pay/no.json",),
    ),
    LOST,
    DEAD,
    mutant("minLength.lower", "/properties/id/minLength", {**ID, "minLength": 0}, UNDECIDED, reason="out of steps"),
    NULL,
    mutant("enum.remove[b]", "/properties/kind/enum", {"enum": ["a"]}, EQUIVALENT, expected=STRONGER, reason="proved"),
    mutant("enum.add", "/properties/kind/enum", {"enum": ["a", "b", "A"]}, IGNORED, reason="see issue 12"),
    mutant("type.swap", "/properties/paid/type", {"type": 1}, INVALID, expected=OTHER, reason="1 is no type"),
    mutant("properties.open[id]", "/properties/id", {"id": True}, UNREACHABLE, reason="nothing gets there"),
    mutant("minProperties.add", "/minProperties", {**SCHEMA, "minProperties": 3}, KILLED, expected=STRONGER),
)


def checked(*mutants: Mutant, name: str = "pay", **more: Any) -> Checked:
    """A check of one contract."""
    fields = {name: more.pop(name) for name in ("wrong", "notes", "corpus", "inside") if name in more}
    texts = more.pop("texts", {None: TEXT})
    file = more.pop("file", ROOT / "schemas/pay.schema.json")
    return Checked((Check(name, file, mutants, texts, (3, 9), **fields),), ROOT, **more)


ALL = checked(*MUTANTS, corpus=("fixtures/pay/minimal.json", "negative/pay/no.json"))
WRONG = checked(wrong=("negative/pay/accepted.json: the schema accepts it",))


def evil() -> Checked:
    """The same result with nasty names wherever a schema, a config or a file name can bring one in."""
    nasty = Mutant(
        f"required.remove[{NASTY}]",
        "/required",
        "",
        {"required": [NASTY], NASTY: {"x": NASTY}},
        {NASTY: {}},
        WEAKER,
        SURVIVED,
        witness={NASTY: [NASTY]},
        accepted=True,
        missing=NASTY,
        written=NASTY,
    )
    return checked(
        nasty,
        replace(nasty, operator=f"enum.remove[{NASTY}]", state=UNDECIDED, reason=NASTY),
        replace(nasty, operator=f"enum.open[{NASTY}]", state=EQUIVALENT, reason=NASTY),
        replace(nasty, operator=f"enum.add[{NASTY}]", state=IGNORED, reason=NASTY),
        replace(nasty, operator=f"enum.cut[{NASTY}]", state=KILLED, killed_by=(NASTY, "negative/b.json")),
        name=NASTY,
        notes=(NASTY,),
        texts={None: json.dumps({"required": [NASTY], NASTY: {"x": NASTY}}, ensure_ascii=False, indent=2)},
        file=ROOT / "sch emas" / "a,b:c%20`é.json",
    )


def read(path: str) -> str | None:
    """What the files of fixtures hold, in these tests."""
    return None if "nothing" in path else f'{{"of": {json.dumps(path)}, "x": "</pre><script>1</script>"}}\n'


def printed(result: Checked, format_: str = "text") -> str:
    stream = io.StringIO()
    write(result, format_, stream, read=read)
    return stream.getvalue()


@pytest.mark.parametrize("format_", FORMATS)
def test_a_report_is_the_same_to_the_byte_and_holds_no_path_of_this_machine(format_: str) -> None:
    for result in (ALL, WRONG, evil(), checked()):
        text = printed(result, format_)
        assert text == printed(result, format_)
        assert str(ROOT) not in text
        assert text.endswith("\n")


def test_a_report_does_not_depend_on_hash_order(tmp_path: Path) -> None:
    code = f"import sys; sys.path[:0] = [{str(ROOT / 'tests')!r}, {str(ROOT / 'generator')!r}]\n"
    code += "import test_mutation_reports as t\nfor f in t.FORMATS: sys.stdout.write(t.printed(t.ALL, f))"
    command = [sys.executable, "-X", "utf8", "-c", code]
    outputs = {
        subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadInput, match="text, json, junit, github, sarif, stryker, html"):
        write(ALL, "pdf", io.StringIO())


def test_fixtures_are_read_below_the_root_unless_a_reader_is_given(tmp_path: Path) -> None:
    (tmp_path / "negative").mkdir()
    (tmp_path / "negative/no.json").write_text('"what the fixture says"', encoding="utf-8")
    result = replace(checked(replace(MUTANTS[0], killed_by=("negative/no.json", "gone.json"))), root=tmp_path)
    stream = io.StringIO()
    write(result, "html", stream)
    assert stream.getvalue().count("what the fixture says") == 1


# --- where a mutant stands


def lines_of(result: Checked) -> dict[str, int | None]:
    sources = Sources(result.checks[0], result.root)
    return {mutant.operator: sources.line(mutant) for mutant in result.checks[0].mutants}


def test_a_mutant_stands_on_the_line_of_its_keyword_or_of_the_name_that_it_is_about() -> None:
    assert lines_of(ALL) == {
        "required.remove[id]": 4,
        "required.remove[paid]": 5,
        "type.drop": 2,
        "minLength.lower": 8,
        "type.add[null]": 9,
        "enum.remove[b]": 10,
        "enum.add": 10,
        "type.swap": 9,
        "properties.open[id]": 8,
        "minProperties.add": 1,
    }


def test_a_mutant_of_a_part_of_a_file_stands_on_the_line_in_the_file() -> None:
    text = "tools:\n- name: x\n  outputSchema:\n    required:\n    - id\n    - paid\n    type: object\n"
    result = checked(LOST, DEAD, texts={None: text}, file=ROOT / "tools.yaml", inside="/tools/0/outputSchema")
    assert lines_of(result) == {"required.remove[paid]": 6, "type.drop": 7}
    named = checked(LOST, DEAD, texts={None: text}, file=ROOT / "tools.yaml#/tools/0/outputSchema")
    assert printed(named) == printed(result)


def test_a_mutant_of_another_document_names_the_file_of_that_document() -> None:
    other = replace(DEAD, schema="common/tools.json#/tools/0")
    texts = {None: TEXT, "common/tools.json#/tools/0": '{"tools": [\n{\n"type": "object"}]}'}
    result = checked(other, texts=texts)
    assert Sources(result.checks[0], ROOT).where(other) == "common/tools.json:3"
    assert "common/tools.json:3: type.drop" in printed(result)


def test_a_mutant_of_a_text_that_is_not_known_has_a_file_and_no_line() -> None:
    result = checked(DEAD, LOST, texts={})
    assert lines_of(result) == {"type.drop": None, "required.remove[paid]": None}
    for format_ in FORMATS:
        assert "required.remove" in printed(result, format_)


# --- the edit

EDITS: dict[str, tuple[Any, Any, list[str]]] = {
    "a keyword that is dropped": (
        {"type": "string", "minLength": 1, "maxLength": 9, "title": "x"},
        {"type": "string", "maxLength": 9, "title": "x"},
        ['   "type": "string",', '-  "minLength": 1,', '   "maxLength": 9,'],
    ),
    "a last keyword, so that a comma goes, too": (
        {"a": 1, "type": "string", "minLength": 1},
        {"a": 1, "type": "string"},
        ['   "type": "string",', '-  "minLength": 1', " }"],
    ),
    "a boolean schema": (False, True, ["-false", "+true"]),
    "a number that is written otherwise": (
        {"const": 1},
        {"const": 1.0},
        [" {", '-  "const": 1', '+  "const": 1.0', " }"],
    ),
    "a number for a boolean": ({"const": 1}, {"const": True}, [" {", '-  "const": 1', '+  "const": true', " }"]),
    "nothing": ({"a": [1]}, {"a": [1]}, []),
    "a part deep inside": (
        {"a": 1, "properties": {"x": {"not": {"b": 2, "enum": [{"c": 3}]}}, "y": {"z": 1}}, "d": [[1]]},
        {"a": 1, "properties": {"x": {"not": {"b": 5, "enum": [{"c": 3}]}}, "y": {"z": 1}}, "d": [[1]]},
        ['@@ "x": {', '       "not": {', '-        "b": 2,', '+        "b": 5,', '         "enum": […]'],
    ),
    "two places": (
        {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7},
        {"a": 0, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 0},
        [" {", '-  "a": 1,', '+  "a": 0,', '   "b": 2,', "@@", '   "f": 6,', '-  "g": 7', '+  "g": 0', " }"],
    ),
    "a branch among many": (
        {"allOf": [{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}]},
        {"allOf": [{"x": 1}, {"x": 2}, {"x": 4}]},
        ['@@ "allOf": [', "     {…},", "-    {", '-      "x": 3', "-    },", "     {…}"],
    ),
    "a name among many": (
        {"required": [f"name-{number}" for number in range(40)]},
        {"required": [f"name-{number}" for number in range(40) if number != 20]},
        ['@@ "required": [', '     "name-19",', '-    "name-20",', '     "name-21",'],
    ),
}


@pytest.mark.parametrize("before, after, shown_", EDITS.values(), ids=EDITS)
def test_an_edit_is_shown_as_the_lines_that_it_changes(before: Any, after: Any, shown_: list[str]) -> None:
    assert diff(before, after) == shown_


def test_a_large_edit_is_cut_and_says_by_how_much() -> None:
    lines = diff({"a": [{"b": number} for number in range(100)]}, {"a": True}, 10)
    assert len(lines) == 10
    assert re.fullmatch(r"@@ \d+ more lines", lines[-1])


def test_an_edit_in_a_large_schema_does_not_read_what_it_leaves_alone() -> None:
    """Equal parts are the same objects, so they are not compared either."""

    class Sealed(dict[str, Any]):
        def items(self) -> Any:
            raise AssertionError("was read")

    part = Sealed(x=1)
    assert diff({"a": part, "b": 1}, {"a": part, "b": 2}) == ['   "a": {…},', '-  "b": 1', '+  "b": 2', " }"]


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


# --- JSON


def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads((ROOT / "schemas/mutation-report.schema.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("result", [ALL, WRONG, evil(), checked()], ids=["all", "wrong", "evil", "nothing"])
def test_the_json_report_fits_its_schema(result: Checked) -> None:
    document = json.loads(printed(result, "json"))
    assert [error.message for error in validator().iter_errors(document)] == []
    assert document["exit"] == int(result.exit)


def test_the_json_report_begins_with_what_a_script_reads() -> None:
    document = json.loads(printed(ALL, "json"))
    counts = ["mutants", "killed", "survived", "equivalent", "unreachable", "ignored", "invalid", "undecided"]
    assert list(document)[:9] == ["score", *counts]
    assert [document[name] for name in counts] == [10, 2, 2, 2, 1, 1, 1, 1]
    assert [document["contracts"][0][name] for name in counts] == [10, 2, 2, 2, 1, 1, 1, 1]
    assert document["score"] == 40


def test_the_json_report_has_every_mutant_with_its_whole_witness() -> None:
    long = {"text": "x" * 5000}
    results = json.loads(printed(checked(replace(LOST, witness=long), NULL, DEAD), "json"))["contracts"][0]["results"]
    assert results[0]["witness"] == long
    assert results[1]["witness"] is None
    assert "witness" not in results[2]
    assert results[0]["class"] == "required.remove[paid]"
    assert (results[0]["line"], results[0]["site"], results[0]["written"]) == (5, "", "negative/pay/without-paid.json")


def keys_of(schema: Any) -> set[str]:
    """The names of all properties that a schema describes."""
    if isinstance(schema, dict):
        own = schema.get("properties")
        return set(own if isinstance(own, dict) else ()).union(*map(keys_of, schema.values()))
    return set().union(*map(keys_of, schema)) if isinstance(schema, list) else set()


def test_every_key_of_the_json_report_is_explained() -> None:
    text = (ROOT / "docs/mutation-reports.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    explained = {word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])}
    assert keys_of(validator().schema) - explained == set()


def test_the_page_of_the_reports_names_every_format() -> None:
    text = (ROOT / "docs/mutation-reports.md").read_text(encoding="utf-8")
    assert [f"`{name}`" for name in FORMATS if f"`{name}`" not in text] == []
    assert list(console.blocks(text))


# --- JUnit


def suite_of(result: Checked) -> ET.Element:
    (suite,) = ET.fromstring(printed(result, "junit"))
    return suite


def test_a_test_case_stands_for_a_mutant_and_tells_what_became_of_it() -> None:
    suite = suite_of(ALL)
    assert {name: suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "pay",
        "tests": "10",
        "failures": "2",
        "errors": "1",
        "skipped": "5",
    }
    kinds = [[child.tag for child in case] for case in suite]
    skipped = ["skipped"]
    assert kinds == [[], ["failure"], skipped, ["error"], ["failure"], skipped, skipped, skipped, skipped, []]


def test_a_failure_holds_the_edit_and_the_witness() -> None:
    failure = suite_of(ALL)[1][0]
    assert failure.get("message") == "KB501: missing: a negative fixture without `paid`"
    assert failure.text is not None
    assert '-  "required": ["id", "paid"],\n+  "required": ["id"],' in failure.text
    assert '{"id": "a"}' in failure.text


def test_what_there_is_to_act_on_has_its_code() -> None:
    results = json.loads(printed(ALL, "json"))["contracts"][0]["results"]
    told = {(result["state"], result["code"]) for result in results}
    assert {("survived", "KB501"), ("undecided", "KB502"), ("killed", None), ("ignored", None)} < told
    assert {state for state, code in told if code == "KB503"} == {"equivalent", "unreachable"}


def test_a_skipped_test_case_says_why() -> None:
    messages = [case[0].get("message") for case in suite_of(ALL) if [child.tag for child in case] == ["skipped"]]
    assert "ignored: see issue 12" in messages
    assert "equivalent: KB503: this keyword changes nothing: the algebra leaves nothing over" in messages


def test_a_wrong_fixture_is_an_error() -> None:
    (case,) = suite_of(WRONG)
    assert (case.get("name"), case[0].tag) == ("negative/pay/accepted.json", "error")
    assert case[0].get("message") == "the schema accepts it, so no mutant was checked"
    assert "::error file=negative/pay/accepted.json,title=wrong fixture::" in printed(WRONG, "github")


def test_xml_is_ascii_and_well_formed_whatever_the_names_are() -> None:
    text = junit.text(evil())
    text.encode("ascii")
    assert len(ET.fromstring(text)[0]) == 5


# --- GitHub


def test_survivors_are_errors_undecided_ones_warnings_and_dead_keywords_notices() -> None:
    heads = [line.split("::")[1] for line in printed(ALL, "github").splitlines()]
    file = "file=schemas/pay.schema.json"
    assert heads == [
        f"error {file},line=5,title=KB501 required.remove[paid] survived",
        f"error {file},line=9,title=KB501 type.add[null] survived",
        f"warning {file},line=8,title=KB502 minLength.lower undecided",
        f"notice {file},line=2,title=KB503 type.drop changes nothing",
        f"notice {file},line=8,title=KB503 properties.open[id] changes nothing",
        "error title=knownbad mutate",
    ]


def test_a_command_is_one_line_whatever_the_names_are() -> None:
    lines = printed(evil(), "github").splitlines()
    assert all(re.match(r"::(error|warning|notice) [^\n]*?::", line) for line in lines)
    properties = lines[0][len("::error ") :].partition("::")[0].split(",")
    assert [entry.partition("=")[0] for entry in properties] == ["file", "line", "title"]
    assert properties[0] == "file=sch emas/a%2Cb%3Ac%2520`é.json"


def test_a_good_run_has_a_notice_and_an_undecided_one_a_warning() -> None:
    assert printed(checked(MUTANTS[0]), "github") == "::notice title=knownbad mutate::score 100.0 %25\n"
    undecided = checked(MUTANTS[0], MUTANTS[3], fail_under=10)
    assert printed(undecided, "github").splitlines()[-1].startswith("::warning title=knownbad mutate::")


def test_the_summary_of_a_step_is_appended(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n", encoding="utf-8")
    write(ALL, "github", io.StringIO(), summary=file)
    text = file.read_text(encoding="utf-8")
    assert text == "before\n" + github.summary(ALL)
    assert "| pay | 40.0 | 10 | 2 | 2 | 1 | 2 | 1 | 1 | 1 |" in text
    assert '```json\n{"id": "a"}\n```' in text


def test_a_name_with_backticks_does_not_end_a_fence() -> None:
    ticks = replace(LOST, witness="```\n# out", before={}, after={"```": 1})
    text = github.summary(checked(ticks))
    fences = re.findall(r"^(`{3,})(\w*)$", text, re.MULTILINE)
    assert [len(ticks) for ticks, _ in fences] == [4, 4, 4, 4]


def test_a_summary_keeps_below_what_github_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(github, "SUMMARY_BYTES", 20_000)
    text = github.summary(checked(*(replace(LOST, operator=f"x.{number}") for number in range(200))))
    assert len(text.encode()) < 20_100
    assert re.search(r"\nAnd \d+ more\.\n$", text)


# --- SARIF


def run_of(result: Checked) -> Any:
    document = json.loads(printed(result, "sarif"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    return run


def test_a_result_stands_for_a_survivor_an_undecided_mutant_or_a_dead_keyword() -> None:
    run = run_of(ALL)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["minLength.lower", "properties.open", "required.remove", "type.add", "type.drop"]
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [
        ("required.remove", "error"),
        ("type.drop", "note"),
        ("minLength.lower", "warning"),
        ("type.add", "error"),
        ("properties.open", "note"),
    ]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_a_result_has_a_region_in_a_relative_file() -> None:
    physical = run_of(checked(MUTANTS[3]))["results"][0]["locations"][0]["physicalLocation"]
    assert physical == {
        "artifactLocation": {"uri": "schemas/pay.schema.json"},
        "region": {"startLine": 8, "startColumn": 31, "endLine": 8, "endColumn": 45},
    }
    uri = run_of(evil())["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "sch%20emas/a%2Cb%3Ac%2520%60%C3%A9.json"


def fingerprints(result: Checked) -> list[str]:
    return [entry["partialFingerprints"]["primaryLocationLineHash"] for entry in run_of(result)["results"]]


def test_fingerprints_follow_the_mutant_and_not_its_line() -> None:
    """GitHub makes one alert of two results with one fingerprint, and two of one result with two."""
    first = fingerprints(ALL)
    assert len(set(first)) == 5
    assert fingerprints(checked(*MUTANTS, texts={None: "\n\n" + TEXT})) == first
    assert set(fingerprints(checked(*MUTANTS, name="other"))).isdisjoint(first)


def test_a_wrong_corpus_is_a_run_that_failed() -> None:
    (invocation,) = run_of(WRONG)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "negative/pay/accepted.json" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert run_of(ALL)["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]


def test_a_message_holds_no_link_by_accident() -> None:
    (result,) = run_of(checked(replace(LOST, missing="[a](javascript:b)")))["results"]
    assert "\\[a](javascript:b)" in result["message"]["text"]
    assert "required.remove[paid]" in result["message"]["text"]


# --- Stryker

POSITION = {
    "type": "object",
    "required": ["line", "column"],
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
STRYKER = {
    "type": "object",
    "required": ["schemaVersion", "thresholds", "files"],
    "properties": {
        "schemaVersion": {"type": "string", "pattern": "^[12]"},
        "thresholds": {
            "type": "object",
            "required": ["high", "low"],
            "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 100},
        },
        "files": {
            "additionalProperties": {
                "type": "object",
                "required": ["language", "source", "mutants"],
                "properties": {
                    "language": {"enum": ["json", "yaml"]},
                    "source": {"type": "string"},
                    "mutants": {
                        "type": "array",
                        "uniqueItems": True,
                        "items": {
                            "type": "object",
                            "required": ["id", "mutatorName", "location", "status"],
                            "properties": {
                                "id": {"type": "string"},
                                "mutatorName": {"type": "string"},
                                "description": {"type": "string"},
                                "replacement": {"type": "string"},
                                "statusReason": {"type": "string"},
                                "killedBy": {"type": "array", "items": {"type": "string"}},
                                "location": {"required": ["start", "end"], "additionalProperties": POSITION},
                                "status": {"enum": ["Killed", "Survived", "NoCoverage", "CompileError", "Ignored"]},
                            },
                            "additionalProperties": False,
                        },
                    },
                },
            }
        },
        "testFiles": {
            "additionalProperties": {
                "type": "object",
                "required": ["tests"],
                "properties": {
                    "source": {"type": "string"},
                    "tests": {
                        "type": "array",
                        "items": {
                            "required": ["id", "name"],
                            "additionalProperties": {"type": "string"},
                        },
                    },
                },
            }
        },
    },
}
"""What counts of the schema that Stryker publishes as `mutation-testing-report-schema`."""


@pytest.mark.parametrize("result", [ALL, WRONG, evil(), checked()], ids=["all", "wrong", "evil", "nothing"])
def test_the_stryker_report_fits_what_stryker_reads(result: Checked) -> None:
    document = json.loads(printed(result, "stryker"))
    assert [error.message for error in Draft202012Validator(STRYKER).iter_errors(document)] == []
    tests = {test["id"] for file in document["testFiles"].values() for test in file["tests"]}
    entries = [mutant for file in document["files"].values() for mutant in file["mutants"]]
    assert {test for entry in entries for test in entry.get("killedBy", ())} <= tests
    assert len({entry["id"] for entry in entries}) == len(entries) == len(result.mutants)


def test_stryker_computes_the_same_score() -> None:
    """Its rule: detected (Killed, Timeout) of those and undetected ones (Survived, NoCoverage)."""
    (file,) = stryker.document(ALL, read)["files"].values()
    states = [mutant["status"] for mutant in file["mutants"]]
    killed, alive = states.count("Killed"), states.count("Survived") + states.count("NoCoverage")
    assert 100 * killed / (killed + alive) == ALL.score


def test_the_same_mutant_twice_has_two_names() -> None:
    (file,) = stryker.document(checked(LOST, LOST), read)["files"].values()
    assert len({mutant["id"] for mutant in file["mutants"]}) == 2


def test_all_fixtures_are_test_files_with_their_text() -> None:
    files = stryker.document(ALL, read)["testFiles"]
    assert list(files) == ["fixtures/pay/minimal.json", "negative/pay/no.json"]
    assert files["negative/pay/no.json"]["source"] == read("negative/pay/no.json")


REPLACED: dict[str, tuple[str, Any]] = {
    "a keyword with another value": ("/properties/id", {**ID, "minLength": 0}),
    "a keyword with a list for a word": ("/properties/paid", {"type": ["boolean", "null"]}),
    "a member more in a list": ("/properties/kind", {"enum": ["a", "b", "c"]}),
    "a member in the middle of a list": ("/properties/kind", {"enum": ["a", "x", "b"]}),
    "another member": ("/properties/kind", {"enum": ["a", "B"]}),
    "a keyword more": ("/properties/paid", {**PAID, "const": True}),
    "a keyword more at the root": ("", {**SCHEMA, "minProperties": 1}),
    "a name more": ("", {**SCHEMA, "required": ["id", "paid", "kind"]}),
    "two keywords": ("/properties/id", {"type": "object", "minLength": 4}),
    "a boolean": ("/additionalProperties", True),
    "a schema deep inside": ("", {**SCHEMA, "properties": {**SCHEMA["properties"], "id": True}}),
}
YAML = """\
type: object
required:
- id
- paid
properties:
  id:
    type: string
    minLength: 1
  paid: { type: boolean }
  kind:
    enum:
      - a
      - b
additionalProperties: false
"""


def spliced(text: str, entry: dict[str, Any]) -> str:
    """The text with a mutant's replacement in place."""
    lines = text.split("\n")

    def offset(place: dict[str, int]) -> int:
        return sum(len(line) + 1 for line in lines[: place["line"] - 1]) + place["column"] - 1

    start, end = offset(entry["location"]["start"]), offset(entry["location"]["end"])
    return text[:start] + entry["replacement"] + text[end:]


@pytest.mark.parametrize("text, name", [(TEXT, "a.json"), (YAML, "a.yaml")], ids=["JSON", "YAML"])
@pytest.mark.parametrize("site, after", REPLACED.values(), ids=REPLACED)
def test_the_replacement_makes_the_mutant_of_the_text(site: str, after: Any, text: str, name: str) -> None:
    from knownbad.documents import parse

    edit = Mutant("x.y", site, site, get(SCHEMA, site), after, OTHER, SURVIVED)
    document = stryker.document(checked(edit, texts={None: text}, file=ROOT / name), read)
    (entry,) = document["files"][name]["mutants"]
    assert get(parse(spliced(text, entry), name), site) == after


def test_a_keyword_or_name_that_goes_is_replaced_by_nothing() -> None:
    (file,) = stryker.document(checked(DEAD, LOST), read)["files"].values()
    places = [(m["location"]["start"], m["location"]["end"], m["replacement"]) for m in file["mutants"]]
    assert places == [
        ({"line": 2, "column": 3}, {"line": 2, "column": 19}, ""),
        ({"line": 5, "column": 5}, {"line": 5, "column": 11}, ""),
    ]


# --- the page


class Page(HTMLParser):
    """What the tests want to know of a page. Every element that is opened has to be closed."""

    VOID = ("meta", "link", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.lines: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        values = dict(attrs)
        self.ids += [str(values["id"])] if "id" in values else []
        kinds = str(values.get("class") or "").split()
        if kinds[:1] == ["line"]:
            self.lines.append(kinds[-1] if "has" in kinds else "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that can be read without JavaScript."""
        return "".join(self.words)


def test_each_line_has_the_state_of_its_worst_mutant() -> None:
    lines = Page(page.text(ALL, read)).lines
    assert dict(enumerate(lines, 1)) == {
        **dict.fromkeys(range(1, 14), ""),
        1: "killed",
        2: "equivalent",
        4: "killed",
        5: "survived",
        8: "undecided",
        9: "survived",
        10: "equivalent",
    }


def test_the_page_reaches_for_nothing_outside() -> None:
    found = Page(page.text(evil(), read))
    links = {value for _, name, value in found.attributes if name in ("href", "src", "action", "data", "srcset")}
    assert {link for link in links if not link.startswith("#")} == set()
    assert {link[1:] for link in links} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    handlers = [name for _, name, _ in found.attributes if name.startswith("on") or name == "style"]
    assert handlers == []
    assert "@import" not in page.text(ALL, read)
    assert "url(" not in page.text(ALL, read)


def test_all_that_the_page_says_can_be_read_without_a_script() -> None:
    found = Page(page.text(ALL, read))
    for words in (
        "required.remove[paid]",
        "a negative fixture without `paid`",
        '{"id": "a"}',
        "out of steps",
        "see issue 12",
    ):
        assert words in found.text
    assert "negative/pay/no.json" in found.text
    assert '"of": "negative/pay/no.json"' in found.text
    hidden = [tag for tag, name, _ in found.attributes if name == "hidden"]
    assert hidden == []


def test_names_from_outside_stay_text_in_the_page() -> None:
    text = page.text(evil(), read)
    found = Page(text)
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<b>\"'&," in found.text
    assert "</pre><script>1</script>" in found.text


def test_a_fixture_that_kills_much_is_in_the_page_once() -> None:
    killed = [replace(MUTANTS[0], operator=f"required.remove[{n}]") for n in range(50)]
    text = page.text(checked(*killed), read)
    assert text.count("&#34;of&#34;") == 1


def test_a_fixture_that_cannot_be_read_is_named_without_a_link() -> None:
    found = Page(page.text(checked(replace(MUTANTS[0], killed_by=("nothing.json",))), read))
    assert "nothing.json" in found.text
    assert not any(value == "shows" for _, _, value in found.attributes)


def test_a_line_says_in_words_what_its_colour_says() -> None:
    found = Page(page.text(ALL, read))
    labels = [value for tag, name, value in found.attributes if tag == "a" and name == "aria-label"]
    assert "Line 9: 1 survived, 1 invalid" in labels


def test_a_file_of_two_contracts_is_shown_for_each() -> None:
    both = Checked((*ALL.checks, *checked(DEAD, name="other").checks), ROOT)
    assert len(Page(page.text(both, read)).lines) == 26


@pytest.mark.parametrize("make", [mutants_json.text, junit.text, github.text, github.summary, sarif.text])
def test_a_result_without_contracts_has_a_report(make: Callable[[Checked], str]) -> None:
    assert make(Checked((), ROOT))


def test_importing_the_formats_imports_nothing_heavy() -> None:
    code = "import sys, knownbad.report.mutants as m, io, knownbad.mutants as k, pathlib\n"
    code += "[m.write(k.Checked((), pathlib.Path('.')), f, io.StringIO()) for f in m.FORMATS if f != 'html']\n"
    code += "print([n for n in ('rich', 'jinja2', 'yaml', 'jsonschema', 'hypothesis') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
