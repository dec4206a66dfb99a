"""The page of eval suites is true: every requirement is on it, and every check and test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import requirement_table
from conftest import ROOT
from knownbad.cli.suite import suite
from knownbad.codes import every
from knownbad.suites.requirements import REFUSED, REPLAYED, REQUIREMENTS
from suitekit import CONFORMANCE

PAGE = requirement_table.PAGE
TEXT = PAGE.read_text("utf-8")


def falsifiability() -> list[list[str]]:
    """The rows of the RFC's table as the page has them."""
    part = TEXT.partition("## The RFC's table of falsifiability")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    return rows[2:]


def there() -> set[str]:
    return {
        name
        for path in (ROOT / "tests").glob("test_suites_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }


def test_the_table_of_requirements_is_that_of_the_code() -> None:
    """`make docs` writes it."""
    assert requirement_table.written(TEXT) == TEXT


def test_the_names_of_requirements_are_the_rfc_s_own_where_it_gives_one() -> None:
    assert REPLAYED == "openwop.requirement.0245.fixture-error-replayed"
    assert REFUSED == "openwop.requirement.0245.unadvertised-refused"
    assert len({row.check for row in REQUIREMENTS}) == len(REQUIREMENTS)
    assert {row.identifier.rpartition(".0245.")[0] for row in REQUIREMENTS} == {
        "openwop.requirement",
        "knownbad.requirement",
    }


def test_the_table_of_falsifiability_has_the_six_rows_of_the_rfc_and_names_the_seam_gated_ones() -> None:
    rows = falsifiability()
    assert [row[0] for row in rows] == [
        "§B an `isError` entry is recorded as a tool error",
        "§B a served error is not a miss",
        "§B the agent receives it as a tool error",
        "§B never retried live",
        "§C refusal without `fixtureErrors`",
        "§A schema",
    ]
    assert ["seam-gated" in row[2] for row in rows] == [True, True, True, True, False, False]


def test_every_check_and_test_that_the_page_names_exists() -> None:
    checks, tests = {row.check for row in REQUIREMENTS}, there()
    for row in falsifiability():
        named = set(re.findall(r"`([^`]+)`", row[3]))
        assert named
        assert named <= checks
        proofs = set(re.findall(r"`(test_\w+)`", row[4]))
        assert proofs
        assert proofs <= tests


def test_every_rule_of_a_log_belongs_to_a_requirement() -> None:
    """What a judge can say fails some row."""
    ruled = {rule.code for row in REQUIREMENTS for rule in row.rules}
    elsewhere = {"KB602", "KB603", "KB604", "KB605", "KB630", "KB631", "KB641", "KB643"}
    assert {code for code in every() if code.startswith("KB6")} == ruled | elsewhere
    assert not ruled & elsewhere


@pytest.mark.parametrize("command", ["check", "serve", "conform", "promote"])
def test_the_page_lists_every_option(command: str) -> None:
    options = {option for param in suite.commands[command].params for option in param.opts if option.startswith("--")}
    tables = [line for line in TEXT.splitlines() if line.startswith("| `--")]
    named = {word for line in tables for word in re.findall(r"`(--[a-z-]+)`", line.split("|")[1])}
    assert options <= named


@pytest.mark.parametrize("code", [code for code in every() if code.startswith("KB6")])
def test_every_code_has_a_page_that_says_what_why_and_the_way_out(code: str) -> None:
    page = (ROOT / f"docs/rules/{code}.md").read_text("utf-8")
    assert page.startswith(f"# {code} {every()[code].name}\n")
    for part in ("## Why it matters", "## Example", "## The way out"):
        assert part in page


def test_the_fixture_is_where_the_rfc_wants_it() -> None:
    assert CONFORMANCE.relative_to(ROOT) == Path("fixtures/eval-suites/conformance-eval-fixture-error.json")
