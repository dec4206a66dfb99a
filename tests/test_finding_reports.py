"""The reports of findings: every format says the same, safely, and is what its readers expect."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from conftest import ROOT
from knownbad.errors import BadInput, Exit
from knownbad.finding import Code, Finding, Findings, Level
from knownbad.report import findings_github, findings_sarif
from knownbad.report.findings import FORMATS, parse, tell, write

WIDENED = Code("KB402", "widened", "The contract accepts more.")
STALE = Code("KB405", "stale", "The corpus is old.")
QUIET = Code("KB101", "no-dialect", "No dialect.", Level.WARNING)
OPEN = Code("KB403", "undecided-change", "Nobody knows.", Level.UNDECIDED)
NASTY = "a\x00\x1b[31m\x9b\u202e</script><b>\"'&,:%\r\n`|]]>\ufffe[x](javascript:y)"
SCHEMA = '{\n  "type": "object",\n  "additionalProperties": false\n}\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/pay.schema.json").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.knownbad]\n\n[[tool.knownbad.accept]]\nfinding = "1"\n\n[[tool.knownbad.accept]]\nfinding = "2"\n',
        encoding="utf-8",
    )
    return tmp_path


LEAK = Finding(
    WIDENED,
    "this document is accepted now, and was rejected before:",
    "schemas/pay.schema.json",
    "/additionalProperties",
    "pay",
    subject="widening",
    witness={"stack": "Traceback"},
    detail=("base rejects it at /additionalProperties",),
    fix="close the object again",
)
DIALECT = Finding(QUIET, "declares no dialect", "schemas/pay.schema.json", "", "pay")
UNKNOWN = Finding(OPEN, "nothing is known of it", "schemas/gone.schema.json", "/x", "other", witness=None)
SPENT = Finding(STALE, "matches nothing", "pyproject.toml", "/tool/knownbad/accept/1", level=Level.NOTE)


def found(home: Path, *findings: Finding, **more: Any) -> Findings:
    contracts = more.pop("contracts", {"other": "undecided", "pay": "widened", "quiet": "unchanged"})
    return Findings("gate", home, findings, contracts, **more)


@pytest.fixture
def every(home: Path) -> Findings:
    return found(home, DIALECT, UNKNOWN, SPENT, LEAK, notes=("one thing to know",))


@pytest.fixture
def evil(home: Path) -> Findings:
    bad = replace(LEAK, message=NASTY, subject=NASTY, witness={NASTY: [NASTY]}, detail=(NASTY,), fix=NASTY)
    more = replace(bad, file=f"sch emas/{NASTY}.json", contract=NASTY, location=f"/{NASTY}", level=Level.UNDECIDED)
    return found(home, bad, bad, more, replace(bad, level=Level.NOTE), contracts={NASTY: NASTY}, notes=(NASTY,))


def printed(result: Findings, format_: str = "text") -> str:
    stream = io.StringIO()
    write(result, format_, stream)
    return stream.getvalue()


@pytest.mark.parametrize("format_", FORMATS)
def test_a_report_is_the_same_each_time_and_holds_no_path_of_this_machine(
    format_: str, every: Findings, evil: Findings, home: Path
) -> None:
    for result in (every, evil, found(home), Findings("lint", home, ())):
        text = printed(result, format_)
        assert text == printed(result, format_)
        assert str(home) not in text
        assert text.endswith("\n")
        if format_ not in ("json", "sarif", "gitlab"):  # JSON may hold any character
            assert not re.search("[\x00-\x08\x1b\x9b\u202e]", text)


def test_an_unknown_format_is_refused_with_those_that_there_are(every: Findings) -> None:
    with pytest.raises(BadInput, match="text, json, junit, github, sarif, gitlab"):
        write(every, "pdf", io.StringIO())


def test_the_exit_is_that_of_the_worst_finding_unless_the_command_says_another(home: Path) -> None:
    assert found(home, LEAK, UNKNOWN).exit is Exit.FINDINGS
    assert found(home, UNKNOWN, DIALECT).exit is Exit.UNDECIDED
    assert found(home, DIALECT, SPENT).exit is Exit.GOOD
    assert found(home, LEAK, said=Exit.WRONG_START).exit is Exit.WRONG_START


# --- text


def test_text_begins_with_the_worst_contract_and_the_document_that_shows_it(every: Findings) -> None:
    assert printed(every).splitlines()[:8] == [
        "pay: widened",
        "  schemas/pay.schema.json:3: error: KB402 widened",
        "    at /additionalProperties",
        "    this document is accepted now, and was rejected before:",
        '      {"stack": "Traceback"}',
        "    base rejects it at /additionalProperties",
        "    fix: close the object again",
        "  schemas/pay.schema.json:1: warning: KB101 no-dialect",
    ]


def test_text_ends_with_the_contracts_that_moved_and_the_counts(every: Findings) -> None:
    assert printed(every).splitlines()[-6:] == [
        "note: one thing to know",
        "contract  is         error  undecided  warning  note",
        "other     undecided      0          1        0     0",
        "pay       widened        1          0        1     0",
        "",
        "knownbad gate: 1 error, 1 undecided, 1 warning, 1 note in 3 contracts",
    ]


def test_a_run_without_findings_is_one_line(home: Path) -> None:
    assert printed(found(home, contracts={"pay": "unchanged"})) == ("knownbad gate: nothing to report in 1 contract\n")


def test_a_finding_about_the_config_stands_on_the_line_of_its_table(every: Findings) -> None:
    assert "pyproject.toml:6: note: KB405 stale" in printed(every)


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_and_none_with_no_color(every: Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured, plain = Screen(), Screen()
    write(every, "text", coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    write(every, "text", plain)
    colour = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
    assert colour.search(coloured.getvalue())
    assert not colour.search(plain.getvalue())
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.getvalue()) == re.sub(r"\x1b\[[0-9;]*m", "", plain.getvalue())


def test_many_notes_are_counted_and_errors_never_are(home: Path) -> None:
    notes = [replace(DIALECT, location=f"/{n}", level=Level.NOTE) for n in range(50)]
    errors = [replace(LEAK, subject=str(n)) for n in range(50)]
    text = printed(found(home, *notes, *errors))
    assert text.count("error: KB402") == 50
    assert text.count("note: KB101") == 20
    assert "and 30 more notes" in text


# --- JSON

REPORT = json.loads((ROOT / "schemas/findings-report.schema.json").read_text(encoding="utf-8"))


def test_json_is_what_its_schema_says(every: Findings, evil: Findings, home: Path) -> None:
    for result in (every, evil, found(home), Findings("lint", home, (), said=Exit.BAD_INPUT)):
        errors = [
            error.message for error in Draft202012Validator(REPORT).iter_errors(json.loads(printed(result, "json")))
        ]
        assert errors == []


def test_json_tells_null_as_a_witness_from_none(every: Findings) -> None:
    rows = {row["code"]: row for row in json.loads(printed(every, "json"))["findings"]}
    assert rows["KB403"]["witness"] is None
    assert "witness" not in rows["KB101"]
    assert rows["KB402"]["line"] == 3


# --- GitHub


def test_annotations_come_worst_first_on_their_lines(every: Findings) -> None:
    heads = [line.split("::")[1] for line in printed(every, "github").splitlines()]
    assert heads == [
        "error file=schemas/pay.schema.json,line=3,title=KB402 widened (pay)",
        "warning file=schemas/gone.schema.json,title=KB403 undecided-change (other)",
        "warning file=schemas/pay.schema.json,line=1,title=KB101 no-dialect (pay)",
        "notice file=pyproject.toml,line=6,title=KB405 stale",
        "error title=knownbad gate",
    ]
    assert '{"stack": "Traceback"}' in printed(every, "github").splitlines()[0]


def test_an_annotation_is_one_line_whatever_the_names_are(evil: Findings) -> None:
    lines = printed(evil, "github").splitlines()
    assert len(lines) == 5
    assert all(re.match(r"::(error|warning|notice) [^\n]*?::", line) for line in lines)


def test_the_summary_is_a_table_and_folded_documents(every: Findings) -> None:
    text = findings_github.summary(every)
    assert "| contract | is | error | undecided | warning | note |" in text
    assert "| pay | widened | 1 | 0 | 1 | 0 |" in text
    assert "quiet" not in text
    folded = re.search(r"<details><summary><code>({.*})</code></summary>\n\n```json\n(.*?)\n```", text)
    assert folded is not None, text
    assert json.loads(folded[1]) == json.loads(folded[2]) == {"stack": "Traceback"}


def test_the_summary_of_a_step_is_written_once(
    every: Findings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    tell(
        every, "text", [("github", tmp_path / "a"), ("github", tmp_path / "b"), ("json", tmp_path / "c")], io.StringIO()
    )
    assert file.read_text(encoding="utf-8") == findings_github.summary(every)
    assert json.loads((tmp_path / "c").read_text(encoding="utf-8"))["exit"] == 1


def test_a_summary_keeps_below_what_github_takes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings_github, "SUMMARY_BYTES", 20_000)
    text = findings_github.summary(found(home, *(replace(LEAK, subject=str(n)) for n in range(300))))
    assert len(text.encode()) < 20_100
    assert re.search(r"\nAnd \d+ more\.\n$", text)


# --- JUnit


def test_junit_has_a_suite_a_contract_and_counts_what_is_in_it(every: Findings, evil: Findings) -> None:
    root = ET.fromstring(printed(every, "junit"))
    counts = {
        suite.get("name"): tuple(suite.get(n) for n in ("tests", "failures", "errors", "skipped")) for suite in root
    }
    assert counts == {
        "": ("1", "0", "0", "1"),
        "other": ("1", "0", "1", "0"),
        "pay": ("2", "1", "0", "1"),
        "quiet": ("1", "0", "0", "0"),
    }
    assert (root.get("tests"), root.get("failures")) == ("5", "1")
    printed(evil, "junit").encode("ascii")
    assert len(ET.fromstring(printed(evil, "junit"))) == 2


# --- SARIF


@cache
def sarif_validator() -> Draft4Validator:
    published = json.loads((ROOT / "tests/published/sarif-2.1.0.json").read_text(encoding="utf-8"))
    Draft4Validator.check_schema(published)
    return Draft4Validator(published)


def faults_of(log: Any) -> list[str]:
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in sarif_validator().iter_errors(log)]


def test_sarif_is_valid_by_its_own_schema(every: Findings, evil: Findings, home: Path) -> None:
    for result in (every, evil, found(home), found(home, LEAK, said=Exit.WRONG_START)):
        assert faults_of(json.loads(printed(result, "sarif"))) == []
    broken = json.loads(printed(every, "sarif"))
    broken["runs"][0]["results"][0]["level"] = "undecided"
    assert faults_of(broken), "the schema would not notice"


def test_the_sarif_of_mutants_is_valid_by_its_own_schema() -> None:
    from knownbad.report import sarif
    from reported import ALL, WRONG
    from reported import evil as nasty

    for result in (ALL, WRONG, nasty()):
        assert faults_of(json.loads(sarif.text(result))) == []


def test_a_result_of_sarif_names_its_rule_place_and_fingerprint(every: Findings) -> None:
    (run,) = findings_sarif.document(every)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["KB101", "KB402", "KB403", "KB405"]
    first = run["results"][0]
    assert (first["ruleId"], rules[first["ruleIndex"]], first["level"]) == ("KB402", "KB402", "error")
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    assert first["partialFingerprints"]["knownbadFinding/v1"] == LEAK.fingerprint


def test_a_message_of_sarif_holds_no_link_by_accident(evil: Findings) -> None:
    for result in findings_sarif.document(evil)["runs"][0]["results"]:
        assert not re.search(r"(?<!\\)\[[^\[\]]*\]\(", result["message"]["text"])


# --- GitLab


def test_gitlab_gets_a_place_a_severity_and_a_fingerprint_of_its_own_for_each(every: Findings, evil: Findings) -> None:
    rows = json.loads(printed(every, "gitlab"))
    assert [(row["severity"], row["location"]["path"], row["location"]["lines"]["begin"]) for row in rows] == [
        ("critical", "schemas/pay.schema.json", 3),
        ("minor", "schemas/pay.schema.json", 1),
        ("major", "schemas/gone.schema.json", 1),
        ("info", "pyproject.toml", 6),
    ]
    doubled = [row["fingerprint"] for row in json.loads(printed(evil, "gitlab"))]
    assert len(set(doubled)) == len(doubled) == 4


# --- the command line's part


def test_a_report_into_a_file_is_named_by_its_format() -> None:
    assert parse("sarif=out/x=1.sarif") == ("sarif", Path("out/x=1.sarif"))
    for text in ("sarif", "sarif=", "pdf=x", "=x"):
        with pytest.raises(BadInput, match="FORMAT=FILE"):
            parse(text)
