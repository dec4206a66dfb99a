"""The reports of a mutation check that other tools read: JSON, JUnit, GitHub, SARIF."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import console
from conftest import ROOT
from knownbad.mutants import (
    Checked,
)
from knownbad.report import github, junit
from knownbad.report.mutants import FORMATS, write
from reported import (
    ALL,
    DEAD,
    LOST,
    MUTANTS,
    NULL,
    TEXT,
    WRONG,
    checked,
    evil,
    printed,
)

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
