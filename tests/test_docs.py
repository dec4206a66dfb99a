"""The docs are true: their examples run, their links lead somewhere, their tables are those of the code."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import console
import fault_table
import rule_table
from conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(text: str) -> set[str]:
    """What the headings of a page can be linked by."""
    prose = console.FENCE.sub("", text)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


WITH_EXAMPLES = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=page_id)
def test_every_example_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """`make docs` writes the real output into the pages."""
    for block, results in console.replay(page.read_text(encoding="utf-8"), tmp_path):
        assert results, f"a console block without a command: {block.body!r}"
        for example, printed in results:
            assert printed == example.shown, example.command


def test_the_readme_shows_the_main_command_at_work() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [e.command for b in console.blocks(text) if b.language == "console" for e in console.examples(b.body)]
    assert any(command.startswith("knownbad generate --schema") for command in commands)
    assert any(command.startswith("pytest") for command in commands)
    assert any(command.startswith("knownbad mutate") for command in commands)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_relative_link_leads_to_a_file_and_heading(page: Path) -> None:
    prose = console.FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name) if name else page
        if not path.exists() or anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_json_and_toml_block_parses(page: Path) -> None:
    parsers: dict[str, Any] = {"json": json.loads, "toml": tomllib.loads}
    for block in console.blocks(page.read_text(encoding="utf-8")):
        if block.language in parsers:
            parsers[block.language](block.body)


def test_the_page_of_exit_codes_is_the_enum() -> None:
    tree = ast.parse((ROOT / "generator/knownbad/errors.py").read_text(encoding="utf-8"))
    enum = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Exit")
    rows = []
    for member, doc in zip(enum.body, enum.body[1:], strict=False):
        if isinstance(member, ast.Assign) and isinstance(doc, ast.Expr):
            name, value, meaning = member.targets[0], member.value, doc.value
            assert isinstance(name, ast.Name)
            assert isinstance(value, ast.Constant)
            assert isinstance(meaning, ast.Constant)
            rows.append((str(value.value), f"`{name.id}`", meaning.value))
    text = (ROOT / "docs/exit-codes.md").read_text(encoding="utf-8")
    shown = [
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.splitlines() if line[:1] == "|"
    ]
    assert len(rows) == 7
    assert shown[2:] == rows


def corpus_examples() -> list[Any]:
    text = (ROOT / "docs/corpus-format.md").read_text(encoding="utf-8")
    return [json.loads(block.body) for block in console.blocks(text) if block.title == "corpus.json"]


def test_the_corpus_that_the_docs_show_is_one() -> None:
    schema = json.loads((ROOT / "schemas/corpus.schema.json").read_text(encoding="utf-8"))
    (example,) = corpus_examples()
    errors = [e.message for e in Draft202012Validator(schema).iter_errors(example)]
    assert errors == []


@pytest.mark.parametrize("place", ["properties", "$defs/row/properties"])
def test_every_key_of_the_corpus_format_is_explained(place: str) -> None:
    keys: Any = json.loads((ROOT / "schemas/corpus.schema.json").read_text(encoding="utf-8"))
    for step in place.split("/"):
        keys = keys[step]
    text = (ROOT / "docs/corpus-format.md").read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    explained = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert set(keys) - explained == set()


def explained(page: str, pattern: str = r"`([^`]+)`") -> set[str]:
    """The words in backticks in the tables of a page."""
    lines = [line for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return {word for line in lines for word in re.findall(pattern, line)}


COMMANDS = ["generate", "verify", "mutate", "lint", "init", "can-deploy", "infer", "record", "gate"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_of_a_command_lists_its_options(command: str) -> None:
    from knownbad.cli import main

    named = {option for param in main.commands[command].params for option in (*param.opts, *param.secondary_opts)}
    options = {option for option in named if option.startswith("-")}
    assert explained(f"{command}.md", r"`(--?[a-z-]+)") == options


def test_the_page_of_replay_lists_its_options_and_every_key_of_its_config() -> None:
    from knownbad.cli import main
    from knownbad.replay import settings

    options = {option for param in main.commands["replay"].params for option in param.opts}
    assert {word for word in explained("replay.md") if word.startswith("--")} == options
    keys = {*settings._KEYS, *(key for keys in settings._ADAPTER_KEYS.values() for key in keys)}
    assert keys - explained("replay.md") == set()


def test_the_page_of_the_configuration_lists_every_key_and_no_other() -> None:
    from knownbad import config

    cells = explained("configuration.md", r"^\| `([^`]+)`")
    keys = {f"[[{name}]]" if kind is list else name for name, (kind, _) in config._KEYS.items()}
    assert cells == {*keys, *(f"contract.{name}" for name in config._CONTRACT_KEYS)}


def test_the_page_of_the_configuration_explains_every_key_of_an_ignore() -> None:
    from knownbad import config

    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert [name for name in config._IGNORE_KEYS if f"`{name}`" not in text] == []


def keys_of(value: Any) -> set[str]:
    """Every key of a JSON document, at any depth."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("command", ["generate", "verify", "init"])
def test_every_key_of_a_command_s_json_is_explained(command: str, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from knownbad.cli import main

    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/flag.schema.json").write_text('{"type": "boolean"}', encoding="utf-8")
    (tmp_path / "negative/flag").mkdir(parents=True)
    (tmp_path / "negative/flag/word.json").write_text('"true"', encoding="utf-8")
    arguments = ["--root", str(tmp_path), "--format", "json"]
    result = CliRunner().invoke(main, ["generate", *arguments])
    if command != "generate":
        (tmp_path / "negative/flag/no-row.json").write_text("true", encoding="utf-8")
        result = CliRunner().invoke(main, [command, *arguments])
    printed = json.loads(result.stdout)
    assert keys_of(printed) - explained(f"{command}.md") == set()
    assert printed["exit"] == result.exit_code


def test_the_table_of_rules_is_that_of_the_codes() -> None:
    """`make docs` writes the table."""
    text = rule_table.PAGE.read_text(encoding="utf-8")
    assert rule_table.written(text) == text


def test_the_table_of_faults_is_what_the_generator_makes() -> None:
    """`make docs` writes it."""
    text = fault_table.PAGE.read_text(encoding="utf-8")
    assert fault_table.written(text) == text
