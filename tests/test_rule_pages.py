"""Each code of a finding has its page, each page its code, and the examples of lint's pages show what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import console
from conftest import ROOT
from knownbad import codes
from knownbad.config import Entry
from knownbad.errors import BadInput
from knownbad.lint import lint
from knownbad.load import load

FOLDER = ROOT / "docs/rules"
HEADINGS = ["Why it matters", "Example", "The way out"]
SHOWN = [code for code in codes.every() if code.startswith("KB1") and code < "KB190"]


def page(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted(codes.every())


@pytest.mark.parametrize("code", codes.every())
def test_a_page_has_its_title_and_its_three_parts(code: str) -> None:
    text = page(code)
    assert text.splitlines()[0] == f"# {code} {codes.every()[code].name}"
    prose = console.FENCE.sub("", text)
    assert re.findall(r"^## (.+)$", prose, re.MULTILINE) == HEADINGS
    assert all(part.strip() for part in re.split(r"^#.*$", text, flags=re.MULTILINE)[1:])


@pytest.mark.parametrize("code", codes.every())
def test_a_page_links_to_files_that_are_there(code: str) -> None:
    prose = console.FENCE.sub("", page(code))
    links = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", prose)]
    assert [link for link in links if not re.match("[a-z]+:", link) and not (FOLDER / link).exists()] == []


def examples(code: str) -> list[str]:
    return [block.body for block in console.blocks(page(code)) if block.language == "json"]


def found(text: str, tmp_path: Path, **entry: Any) -> set[str]:
    """The codes that lint finds in a schema."""
    path = tmp_path / "a.schema.json"
    path.write_text(text)
    try:
        contract = load(str(path))
    except BadInput:
        return {"KB100"}
    return {finding.code.code for finding in lint(None, contract, Entry("a", "a.schema.json", **entry))}


@pytest.mark.parametrize("code", SHOWN)
def test_the_example_of_a_page_shows_the_finding_and_the_way_out_is_clean(code: str, tmp_path: Path) -> None:
    wrong, right = examples(code)
    entry = {"strict": code == "KB102", "direction": "output"}
    assert found(wrong, tmp_path, **entry) == {code}
    assert found(right, tmp_path, **entry) == set()
    assert json.loads(wrong) != json.loads(right)


def test_names_are_words_and_summaries_begin_like_sentences() -> None:
    for code in codes.every().values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name), code.name
        assert re.fullmatch(r"[A-Z].+", code.summary), code.summary
