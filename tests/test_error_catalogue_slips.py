"""Slips in a catalogue and around it: each is told with its file and its place, all at once, and never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from error_projects import read, run
from knownbad.catalogue.places import readable

HEAD = 'tools = ["r"]\n'
ROW = '[[error]]\ncode = "A"\nretryable = false\n'


def refused(root: Path, text: str | None, name: str = "errors.toml") -> str:
    """What `generate` and `verify` say of a catalogue that they do not take."""
    (root / "schemas").mkdir(exist_ok=True)
    if text is not None:
        (root / "schemas" / name).write_text(text, encoding="utf-8")
    said = []
    for command in ("generate", "verify"):
        result = run(root, command)
        assert result.exit_code == 2, result.output
        said.append(result.stderr)
    assert said[0] == said[1]
    assert not (root / "fixtures").exists()
    return said[0]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "2026-01-31", "07:30:00", "2026-01-31T07:30:00Z"])
def test_a_value_of_toml_that_json_has_not_is_told_with_its_place(value: str, tmp_path: Path) -> None:
    said = refused(tmp_path, f"{HEAD}{ROW}trigger = {{ args = {{ x = [1, {value}] }} }}\n")
    assert "schemas/errors.toml: /error/0/trigger/args/x/1: " in said
    assert "no value of JSON" in said


def test_a_day_stands_where_a_row_says_since_when(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.toml").write_text(f"{HEAD}{ROW}since = 2026-01-31\n", encoding="utf-8")
    assert run(tmp_path, "generate").exit_code == 0


def test_a_catalogue_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    for deep in (300, 5000):
        said = refused(tmp_path, f"{HEAD}{ROW}trigger = {{ args = {{ x = {'[' * deep}{']' * deep} }} }}\n")
        assert "is nested deeper than" in said


# ---- tools


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('tools = ["refnd"]', "/error/0/tools/0"),
        ('trigger = { tool = "refnd" }', "/error/0/trigger/tool"),
    ],
)
def test_a_tool_that_the_catalogue_has_not_is_told_with_the_near_miss(line: str, place: str, tmp_path: Path) -> None:
    said = refused(tmp_path, f'tools = ["refund"]\n{ROW}{line}\n')
    assert f"{place}: is no tool of this catalogue" in said
    assert "`refund`?" in said


def test_the_arguments_of_a_trigger_are_a_table(tmp_path: Path) -> None:
    said = refused(tmp_path, f"{HEAD}{ROW}trigger = {{ args = 3 }}\n")
    assert "schemas/errors.toml: /error/0/trigger/args: " in said
    assert "not an object" in said


def test_the_trigger_says_the_tool_of_a_row_without_tools(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    text = f'tools = ["r", "s"]\n{ROW}trigger = {{ tool = "s" }}\n[[error]]\ncode = "B"\nretryable = true\n'
    (tmp_path / "schemas/errors.toml").write_text(text, encoding="utf-8")
    assert run(tmp_path, "generate").exit_code == 0
    assert not (tmp_path / "fixtures/errors/r/A.json").exists()
    assert (tmp_path / "fixtures/errors/s/A.json").is_file()


# ---- all at once


def test_what_the_schema_rejects_hides_nothing_else(tmp_path: Path) -> None:
    said = refused(
        tmp_path,
        """tools = ["r"]
[envelope]
contract = "nope"
code = "/error/code"
retryable = "/error/retryable"
[[error]]
code = "A"
retryable = false
details = { type = "strng" }
[[error]]
code = "A"
retryable = "maybe"
""",
    )
    assert "/envelope/contract: there is no such contract" in said
    assert "/error/0/details/type: " in said
    assert "/error/1/code: the class A of r is documented twice" in said
    assert "/error/1/retryable: " in said


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("errors.toml", 'tools = ["r"]\n\n[[error]]\ncode = "A"\nretryable = true\n\n[[error]]\ncode = "B"\n', 7),
        ("errors.yaml", "tools: [r]\nerror:\n- code: A\n  retryable: true\n- code: B\n", 5),
        ("errors.json", '{"tools": ["r"], "error": [\n{"code": "A", "retryable": true},\n{"code": "B"}]}\n', 3),
    ],
)
def test_a_problem_of_a_row_names_its_class_and_its_line(name: str, text: str, line: int, tmp_path: Path) -> None:
    assert f"has no 'retryable' (row: class B, line {line})" in refused(tmp_path, text, name)


# ---- a catalogue that cannot be read is not none


def test_a_folder_is_no_catalogue(tmp_path: Path) -> None:
    (tmp_path / "schemas/errors.toml").mkdir(parents=True)
    assert "schemas/errors.toml: is a folder" in refused(tmp_path, None)


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.toml").symlink_to("gone.toml")
    assert "schemas/errors.toml: is a link that leads nowhere" in refused(tmp_path, None)


@pytest.mark.parametrize("name", ["error.toml", "Errors.toml", "erors.toml"])
def test_a_misnamed_catalogue_is_told_with_the_right_name(name: str, tmp_path: Path) -> None:
    said = refused(tmp_path, HEAD + ROW, name)
    assert f"schemas/{name}: looks like a catalogue" in said
    assert "call it errors.toml" in said


@pytest.mark.parametrize("name", ["errors.toml", "errors.json", "errors.yaml"])
def test_an_empty_catalogue_is_told_how_a_row_looks(name: str, tmp_path: Path) -> None:
    said = refused(tmp_path, "\n", name)
    assert "is empty" in said
    assert "[[error]]" in said
    assert "a schema" not in said


# ---- what a service drops, shapes of one's own


def test_a_service_that_is_not_retryable_drops_the_time_to_wait(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    row = '[[error]]\ncode = "A"\nretryable = true\nretry_after = 7\nservices = { b = { retryable = false } }\n'
    (tmp_path / "schemas/errors.toml").write_text(HEAD + row, encoding="utf-8")
    assert run(tmp_path, "generate").exit_code == 0
    assert read(tmp_path / "fixtures/errors/r/A.json")["response"]["error"]["retry_after"] == 7
    assert "retry_after" not in read(tmp_path / "fixtures/errors/r/A.b.json")["response"]["error"]


def test_a_shape_of_ones_own_needs_a_schema(tmp_path: Path) -> None:
    own = '[envelope]\ncode = "/code"\nretryable = "/retriable"\nmessage = "/message"\n'
    said = refused(tmp_path, HEAD + own + ROW)
    assert "schemas/errors.toml: /envelope: your shape needs a schema" in said
    assert "write schemas/error-envelope.schema.json, or name a `contract`" in said
    assert "knownbad infer" in said


def test_places_of_the_envelope_of_knownbad_need_none(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    own = '[envelope]\ncode = "/error/code"\nretryable = "/error/retryable"\n'
    (tmp_path / "schemas/errors.toml").write_text(HEAD + own + ROW, encoding="utf-8")
    assert run(tmp_path, "generate").exit_code == 0


@pytest.mark.parametrize("code", ['"weather.no-city"', "404"])
def test_a_code_that_the_envelope_of_knownbad_has_not_says_what_to_write(code: str, tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.toml").write_text(f"{HEAD}[[error]]\ncode = {code}\nretryable = false\n", "utf-8")
    result = run(tmp_path, "generate")
    assert result.exit_code == 2
    said = result.stderr
    assert "the envelope's schema rejects the class" in said
    assert "write schemas/error-envelope.schema.json, or name a `contract`" in said


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("https://shop.example/errors/upstream-timeout", "Upstream timeout"),
        ("urn:example:declined", "Urn example declined"),
        ("https://shop.example/errors/gone/?v=1#x", "Gone"),
    ],
)
def test_a_uri_reads_as_its_last_step(code: str, words: str) -> None:
    assert readable(code) == words
