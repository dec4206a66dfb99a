"""`docs/error-contracts.md` names, for each sentence of the text that it follows, tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from conftest import ROOT

PAGE = ROOT / "docs/error-contracts.md"
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith('| "')]
DIRECTIVE = re.compile(r"\b(?:re-)?(?:(?:assert|treat|run|print|keep|split)|fail(?:s|ing)?\b)", re.IGNORECASE)


def named_tests(row: str) -> list[str]:
    return re.findall(r"`(tests/\w+\.py::test_\w+)`", row)


def quoted(row: str) -> list[str]:
    """The sentences in the first cell, which may hold quotation marks themselves."""
    cell = row.split(" | ", maxsplit=1)[0].removeprefix("| ")
    return re.split(r'(?<=[.a-z])" "(?=[A-Z]|the )', cell[1:-1])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[3:40])
def test_each_named_test_exists(row: str) -> None:
    named = named_tests(row)
    assert named
    for test in named:
        file, _, name = test.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def test_each_sentence_that_says_what_to_do_is_there(corpora: Path) -> None:
    """Against the text itself, where it is at hand."""
    text = (corpora.parent / "seeds/schema-tests-for-tools.txt").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"^\{\n.*?^\}\n", "", text.partition("\n")[2], flags=re.DOTALL | re.MULTILINE).split())
    quotes = [quote for row in ROWS for quote in quoted(row)]
    assert [quote for quote in quotes if quote not in text] == []
    said = [s for s in re.split(r"(?<=[.:]) (?=[A-Z])", text) if DIRECTIVE.search(s)]
    assert len(said) > 15
    assert [s for s in said if not any(quote in s or s in quote for quote in quotes)] == []
