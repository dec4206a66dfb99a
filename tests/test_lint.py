"""`knownbad lint` and `knownbad explain`: the command, the config, and what the gate calls."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import ROOT
from knownbad.cli import main
from knownbad.config import Entry, project
from knownbad.dialects import named
from knownbad.errors import BadInput
from knownbad.finding import Finding, Level
from knownbad.lint import lint
from knownbad.lint.settings import settings
from knownbad.load import LoadOptions, load

IN_2020 = "https://json-schema.org/draft/2020-12/schema"
PATTERN = {"$schema": IN_2020, "type": "string", "pattern": "[0-9]{4}"}
MISSPELLED = {"$schema": IN_2020, "type": "object", "additionnalProperties": False}


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def report(*args: object) -> dict[str, Any]:
    """What the JSON report says."""
    found: dict[str, Any] = json.loads(run("lint", "--format", "json", *args).stdout)
    return found


def codes_of(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding["code"], finding["level"]) for finding in found["findings"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of two contracts, each with one finding."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/year.schema.json").write_text(json.dumps(PATTERN))
    (tmp_path / "schemas/order.schema.json").write_text(json.dumps(MISSPELLED))
    (tmp_path / "knownbad.toml").write_text("")
    return tmp_path


def config(folder: Path, text: str) -> None:
    (folder / "knownbad.toml").write_text(text)


def test_errors_exit_1_and_warnings_alone_exit_0(folder: Path) -> None:
    both = run("lint", "--root", folder)
    assert both.exit_code == 1
    assert "KB103 unknown-keyword" in both.stdout
    assert "KB109 unanchored-pattern" in both.stdout
    assert run("lint", "--root", folder, "--contract", "year").exit_code == 0


def test_every_format_of_findings_is_known(folder: Path, tmp_path: Path) -> None:
    for name in ("text", "json", "junit", "github", "sarif", "gitlab"):
        done = run("lint", "--root", folder, "--format", name, "--report", f"{name}={tmp_path / name}")
        assert done.exit_code == 1, done.output
        assert "KB103" in done.stdout
        assert "KB103" in (tmp_path / name).read_text()


def test_a_contract_that_cannot_be_read_is_told_and_the_others_are_linted(folder: Path) -> None:
    broken = {"$schema": IN_2020, "minLength": -1}
    (folder / "schemas/broken.schema.json").write_text(json.dumps(broken))
    found = report("--root", folder)
    assert {code for code, _ in codes_of(found)} == {"KB100", "KB103", "KB109"}
    assert found["exit"] == 2


SHAPES = [
    ("2020-12", {"items": [{"type": "string"}]}, "/items"),
    ("draft-07", {"minimum": 1, "exclusiveMinimum": True}, "/exclusiveMinimum"),
    ("draft-04", {"maximum": 3, "exclusiveMaximum": 3}, "/exclusiveMaximum"),
    ("draft-04", {"properties": {"a": {"required": True}}}, "/properties/a/required"),
    ("draft-07", {"type": "any"}, "/type"),
]


def test_a_misplaced_closure_is_told_as_that_where_draft_04_has_no_boolean_schemas(tmp_path: Path) -> None:
    path = tmp_path / "a.schema.json"
    schema = {"properties": {"a": {"type": "string"}, "additionalProperties": False}}
    path.write_text(json.dumps({"$schema": named("draft-04").uri, **schema}))
    (found,) = report("--schema", path)["findings"]
    assert (found["code"], found["location"]) == ("KB115", "/properties/additionalProperties")


def test_a_schema_that_accepts_nothing_at_all_says_so_beside_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.schema.json"
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": [1]}}}
    path.write_text(json.dumps({"$schema": IN_2020, **schema}))
    found = report("--schema", path)["findings"]
    assert [(f["code"], f["location"]) for f in found] == [("KB106", ""), ("KB106", "/properties/a")]
    assert found[1]["detail"] == ['type: "string"', "enum: [1]"]


@pytest.mark.parametrize("dialect, schema, location", SHAPES)
def test_what_only_another_draft_allows_is_told_as_that(
    dialect: str, schema: dict[str, Any], location: str, tmp_path: Path
) -> None:
    """The metaschema refuses it, so that the contract is bad input all the same."""
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"$schema": named(dialect).uri, **schema}))
    found = report("--schema", path)
    assert {(f["code"], f["location"]) for f in found["findings"]} == {("KB104", location)}
    assert found["exit"] == 2


def test_what_contracts_share_is_told_once_and_by_its_owner(folder: Path) -> None:
    (folder / "schemas/list.schema.json").write_text(
        json.dumps({"$schema": IN_2020, "items": {"$ref": "order.schema.json"}})
    )
    found = [f for f in report("--root", folder)["findings"] if f["code"] == "KB103"]
    assert [(f["contract"], f["file"]) for f in found] == [("order", "schemas/order.schema.json")]


def test_notes_about_one_thing_are_told_once_with_their_number(folder: Path) -> None:
    schema = {"$schema": IN_2020, "properties": {name: {"foreignKey": 1} for name in "abc"}}
    (folder / "schemas/order.schema.json").write_text(json.dumps(schema))
    (found,) = report("--root", folder, "--contract", "order")["findings"]
    assert (found["code"], found["level"], found["location"]) == ("KB103", "note", "/properties/a/foreignKey")
    assert found["detail"] == ["and 2 more places in this file"]


def test_the_gate_gets_the_findings_of_one_loaded_contract(folder: Path) -> None:
    contract = load("schemas/order.schema.json", "order", LoadOptions(root=folder))
    found = lint(project(folder), contract, Entry("order", "schemas/order.schema.json"))
    assert [(f.code.code, f.contract, f.file, f.location, f.weight) for f in found] == [
        ("KB103", "order", "schemas/order.schema.json", "/additionnalProperties", Level.ERROR)
    ]


def test_a_strict_contract_has_no_open_object_and_an_output_no_internal_name(folder: Path) -> None:
    schema = {
        "$schema": IN_2020,
        "type": "object",
        "properties": {"stack": {"type": "string"}, "inner": {"type": "object", "additionalProperties": False}},
    }
    (folder / "schemas/error.schema.json").write_text(json.dumps(schema))
    entry = '[[contract]]\nname = "error"\nschema = "schemas/error.schema.json"\n'
    config(folder, entry + 'strict = true\ndirection = "output"\n')
    found = report("--root", folder, "--contract", "error")["findings"]
    assert [(f["code"], f["level"], f["location"]) for f in found] == [
        ("KB102", "error", ""),
        ("KB111", "error", "/properties/stack"),
    ]
    config(folder, entry + 'direction = "input"\n')
    assert report("--root", folder, "--contract", "error")["findings"] == []
    config(folder, entry)
    assert codes_of(report("--root", folder, "--contract", "error")) == [("KB111", "note")]


CLOSED: list[dict[str, Any]] = [
    {"type": "object", "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "object", "unevaluatedProperties": False, "allOf": [{"properties": {"a": {"type": "string"}}}]},
    {"$ref": "#/$defs/closed", "$defs": {"closed": {"type": "object", "additionalProperties": False}}},
    {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": False}]},
    {"type": "object", "propertyNames": {"enum": ["a"]}},
    {"type": "object", "patternProperties": {"^[a-z]": {"type": "string"}, "^[^a-z]|^$": {"type": "null"}}},
    {"enum": [{"a": 1}]},
    {},
]
OPEN: list[tuple[dict[str, Any], list[str]]] = [
    ({"type": "object"}, [""]),
    ({"type": "object", "patternProperties": {"^x-": {"type": "string"}}}, [""]),
    ({"properties": {"a": {"type": "object"}}, "additionalProperties": False}, ["/properties/a"]),
    ({"oneOf": [{"type": "object", "required": ["a"]}, {"enum": [1]}]}, ["/oneOf/0"]),
    ({"$ref": "#/$defs/open", "$defs": {"open": {"type": "object"}}}, ["/$defs/open"]),
    ({"type": "array", "items": {"type": ["object", "null"], "additionalProperties": True}}, ["/items"]),
]  # fmt: skip


@pytest.mark.parametrize("schema", CLOSED, ids=json.dumps)
def test_an_object_counts_as_closed_wherever_the_closure_stands(schema: dict[str, Any], tmp_path: Path) -> None:
    assert _open(schema, tmp_path) == []


@pytest.mark.parametrize("schema, places", OPEN)
def test_an_open_object_is_told_where_it_is_written(schema: dict[str, Any], places: list[str], tmp_path: Path) -> None:
    assert _open(schema, tmp_path) == places


def _open(schema: dict[str, Any], tmp_path: Path) -> list[str | None]:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"$schema": IN_2020, **schema}))
    found = [f for f in lint(None, load(str(path)), Entry("a", "a.json", strict=True)) if f.code.code == "KB102"]
    assert all("undeclared" in finding.witness for finding in found)
    return [finding.location for finding in found]


# ---- the config


def test_levels_are_set_by_code_or_name(folder: Path) -> None:
    config(folder, '[lint.levels]\nKB109 = "error"\nunknown-keyword = "off"\n')
    assert codes_of(report("--root", folder)) == [("KB109", "error")]


def test_an_ignore_takes_its_findings_away(folder: Path) -> None:
    config(folder, '[[lint.ignore]]\nrule = "KB103"\ncontract = "ord*"\nreason = "sent by old clients"\n')
    assert codes_of(report("--root", folder)) == [("KB109", "warning")]


@pytest.mark.parametrize(
    "line", ['contract = "year"', 'location = "/type"', 'file = "schemas/year.schema.json"', 'contract = "Order"']
)
def test_an_ignore_that_matches_nothing_is_told(line: str, folder: Path) -> None:
    config(folder, f'[[lint.ignore]]\nrule = "unknown-keyword"\n{line}\nreason = "a"\n')
    found = report("--root", folder)
    assert ("KB190", "warning") in codes_of(found)
    assert ("KB103", "error") in codes_of(found)
    (told,) = [f for f in found["findings"] if f["code"] == "KB190"]
    assert (told["file"], told["location"], told["line"]) == ("knownbad.toml", "/lint/ignore/0", 1)


def test_an_ignore_is_not_called_useless_when_its_contract_was_not_linted(folder: Path) -> None:
    config(folder, '[[lint.ignore]]\nrule = "KB103"\nreason = "a"\n')
    assert codes_of(report("--root", folder, "--contract", "year")) == [("KB109", "warning")]


def test_an_expired_ignore_counts_no_longer(folder: Path) -> None:
    config(folder, '[[lint.ignore]]\nrule = "KB103"\nreason = "until the move"\nexpires = 2026-01-31\n')
    chosen = settings(project(folder))
    finding = Finding(_code("KB103"), "a", "a.json", "/a", "order")
    assert chosen.applied([finding], whole=True, today=date(2026, 1, 31)) == []
    after = chosen.applied([finding], whole=True, today=date(2026, 2, 1))
    assert [f.code.code for f in after] == ["KB103", "KB191"]


def _code(name: str) -> Any:
    from knownbad import codes

    return codes.every()[name]


WRONG_CONFIGS = [
    ('[lint]\nlevel = "a"\n', "unknown key `level`"),
    ('[lint.levels]\nKB999 = "off"\n', "there is no such rule"),
    ('[lint.levels]\nKB103 = "loud"\n', "must be one of error, warning, note, off"),
    ('[[lint.ignore]]\nrule = "KB103"\n', "has no `reason`"),
    ('[[lint.ignore]]\nrule = "KB103"\nreason = " "\n', "has no `reason`"),
    ('[[lint.ignore]]\nreason = "a"\n', "has no `rule`"),
    ('[[lint.ignore]]\nrule = "unanchored"\nreason = "a"\n', "unanchored-pattern?"),
    ('[[lint.ignore]]\nrule = "KB103"\nreason = "a"\nexpires = "soon"\n', "must be a date"),
]


@pytest.mark.parametrize("text, message", WRONG_CONFIGS)
def test_a_wrong_config_is_told_before_anything_is_linted(text: str, message: str, folder: Path) -> None:
    config(folder, text)
    done = run("lint", "--root", folder)
    assert done.exit_code == 2
    assert message in done.output
    with pytest.raises(BadInput):
        settings(project(folder))


# ---- explain


def test_explain_prints_the_page_of_a_code_by_number_or_name() -> None:
    page = (ROOT / "docs/rules/KB109.md").read_text(encoding="utf-8")
    assert run("explain", "KB109").stdout == page
    assert run("explain", "kb109").stdout == page
    assert run("explain", "unanchored-pattern").stdout == page


@pytest.mark.parametrize(
    "typed, near", [("KB1O4", "KB104"), ("unanchord-pattern", "KB109"), ("misplaced-closures", "KB115")]
)
def test_explain_offers_the_nearest_code(typed: str, near: str) -> None:
    done = run("explain", typed)
    assert done.exit_code == 2
    assert near in done.output


def test_explain_alone_lists_every_code() -> None:
    from knownbad import codes

    lines = run("explain").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(codes.every())


# ---- our own


def test_our_own_schemas_are_clean() -> None:
    found = report("--root", ROOT)
    assert found["findings"] == []
    assert len(found["contracts"]) >= 5
