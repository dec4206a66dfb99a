"""Where a mutant stands in the text of its schema, and how its edit is shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from conftest import ROOT
from knownbad.mutants import (
    Checked,
)
from knownbad.report.edits import diff
from knownbad.report.mutants import FORMATS
from knownbad.report.sources import Sources
from reported import (
    ALL,
    DEAD,
    LOST,
    TEXT,
    checked,
    printed,
)

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
