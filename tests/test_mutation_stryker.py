"""The report that Stryker's viewers read: its schema, its score, and replacements that make the mutant of the text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conftest import ROOT
from knownbad.mutants import (
    OTHER,
    SURVIVED,
    Checked,
    Mutant,
)
from knownbad.pointers import get
from knownbad.report import stryker
from reported import (
    ALL,
    DEAD,
    ID,
    LOST,
    PAID,
    SCHEMA,
    TEXT,
    WRONG,
    checked,
    evil,
    printed,
    read,
)

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
