"""The emitted tests: they pass on a good corpus, fail on a bad one saying where, and need nothing of ours."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from knownbad.corpus import Corpus, Fixture
from knownbad.dialects import named
from knownbad.errors import BadInput
from knownbad.journal import commit, locked
from knownbad.layout import Layout, in_out
from knownbad.load import LoadOptions, load
from knownbad.render.emit import check_templates, emit, literal
from knownbad.store import Stored, plan, read

ARRAY_OF_TWO = {"contains": {"type": "string"}, "minContains": 2, "maxContains": 3}

# name: (dialect, schema, accepted instances, rejected ones with the keyword location and member of each)
CASES: dict[str, tuple[str, Any, list[Any], list[tuple[Any, str, str | None]]]] = {
    "flag": (
        "2020-12",
        {
            "type": "object",
            "properties": {"isError": {"type": "boolean"}, "a/b~c": {"$ref": "#/$defs/t"}, "properties": False},
            "required": ["isError"],
            "additionalProperties": False,
            "$defs": {"t": {"type": "string", "format": "date"}},
        },
        [{"isError": True}, {"isError": False, "a/b~c": "2024-02-29"}],
        [
            ({"isError": "true"}, "/properties/isError/type", None),
            ({}, "/required", "isError"),
            ({"isError": True, "x": 1}, "/additionalProperties", None),
            ({"isError": True, "properties": 1}, "/properties/properties", None),
            ({"isError": True, "a/b~c": 1}, "/$defs/t/type", None),
            ({"isError": True, "a/b~c": "2024-02-30"}, "/$defs/t/format", None),
        ],
    ),
    "branches": (
        "2020-12",
        {
            "properties": {
                "one": {"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]},
                "any": {"anyOf": [{"const": 1}, {"const": 2}]},
                "not": {"not": {"type": "null"}},
                "never": {"contains": False},
                "all": {"allOf": [{"minLength": 2}, False]},
            },
            "dependentRequired": {"any": ["one", "not"]},
        },
        [{}, {"one": 1.5, "any": 2, "not": 0}],
        [
            ({"one": 1}, "/properties/one/oneOf", None),
            ({"one": None}, "/properties/one/oneOf", None),
            ({"any": 3, "one": "", "not": 0}, "/properties/any/anyOf", None),
            ({"not": None}, "/properties/not/not", None),
            ({"never": [1]}, "/properties/never/contains", None),
            ({"any": 1, "one": ""}, "/dependentRequired/any", "not"),
            ({"all": "ab"}, "/properties/all/allOf/1", None),
        ],
    ),
    "counts": (
        "2019-09",
        {"properties": {"c": ARRAY_OF_TWO, "t": {"items": [{"type": "null"}], "additionalItems": False}}},
        [{"c": ["", ""], "t": [None]}],
        [
            ({"c": []}, "/properties/c/contains", None),
            ({"c": [""]}, "/properties/c/minContains", None),
            ({"c": ["", "", "", ""]}, "/properties/c/maxContains", None),
            ({"t": [None, 1]}, "/properties/t/additionalItems", None),
            ({"t": [1]}, "/properties/t/items/0/type", None),
        ],
    ),
    "old-bounds": (
        "draft-04",
        {"properties": {"n": {"minimum": 1, "exclusiveMinimum": True}}, "dependencies": {"n": ["m"]}},
        [{"n": 2, "m": 0}],
        [
            ({"n": 0, "m": 0}, "/properties/n/minimum", None),
            ({"n": 1, "m": 0}, "/properties/n/exclusiveMinimum", None),
            ({"n": 2}, "/dependencies/n", "m"),
        ],
    ),
    "old-ref": (
        "draft-07",
        {"properties": {"r": {"$ref": "#/definitions/d", "type": "null"}}, "definitions": {"d": {"minLength": 2}}},
        [{"r": 1}, {"r": "ab"}],
        [({"r": "a"}, "/properties/r/$ref", None), ({"r": "a"}, "/definitions/d/minLength", None)],
    ),
    "old-id": (
        "draft-06",
        {
            "$id": "https://example.org/old.json",
            "items": {"$ref": "old.json#/definitions/x"},
            "definitions": {"x": {"const": 1}},
        },
        [[1]],
        [([2], "/definitions/x/const", None)],
    ),
    "never": ("2020-12", False, [], [(0, "", None)]),
    "always": ("draft-07", True, [0], []),
}


def make(
    out: Path,
    spec: Path | str,
    name: str,
    accepted: list[Any],
    rejected: list[tuple[Any, ...]],
    options: Mapping[str, Any] | None = None,
) -> Layout:
    """Write a corpus made by hand, with its emitted test."""
    root = out.parent
    contract = load(str(spec), name, LoadOptions(root=root, **(options or {})))
    layout = in_out(out, name)
    fixtures = [Fixture(f"good-{i}", True, x, f"good/{i}", covers=(f"more/{i}",)) for i, x in enumerate(accepted)]
    for i, (instance, location, member, *schema) in enumerate(rejected):
        other = schema[0] if schema else None
        fixtures.append(
            Fixture(f"bad-{i}", False, instance, f"{location}:{i}", "f", location, other, member, instance_location="")
        )
    planned = plan(layout, {"contract": name}, Corpus(tuple(fixtures)), Stored())
    planned.update(emit(contract, layout, root))
    with locked(out):
        commit(out, planned, [])
    return layout


def made(folder: Path, name: str) -> Layout:
    dialect, schema, accepted, rejected = CASES[name]
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(schema, dict):
        schema = {"$schema": named(dialect).uri, **schema}
    (folder / f"{name}.schema.json").write_text(json.dumps(schema))
    return make(folder / "out", f"{name}.schema.json", name, accepted, rejected, {"dialect": named(dialect)})


def run(*targets: Path, more: tuple[str, ...] = ()) -> tuple[int, str]:
    """pytest in a process of its own, from another folder, without anything of ours in reach."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:knownbad",
        "--import-mode=importlib",
        "-W",
        "error",
    ]
    blocked = targets[0] / "blocked"
    (blocked / "knownbad").mkdir(parents=True, exist_ok=True)
    (blocked / "knownbad" / "__init__.py").write_text("raise ImportError('the tests must outlive the tool')")
    done = subprocess.run(
        [*command, *more, *map(str, targets)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(blocked), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpora of all cases, and one each of a pointer into OpenAPI, two documents and an open reference."""
    root = tmp_path_factory.mktemp("good")
    for name in CASES:
        made(root / name, name)
    api = root / "api"
    api.mkdir()
    schemas = (
        "{Error: {type: object, properties: {code: {$ref: '#/components/schemas/Code'}}, required: [code]}, "
        "Code: {type: string, nullable: true}}"
    )
    (api / "openapi.yaml").write_text(f"openapi: 3.0.0\ninfo: {{}}\ncomponents: {{schemas: {schemas}}}\n")
    where = "/components/schemas"
    rejected = [({"code": 1}, f"{where}/Code/type", None), ({}, f"{where}/Error/required", "code")]
    make(api / "out", f"openapi.yaml#{where}/Error", "api", [{"code": None}], rejected)
    two = root / "two"
    (two / "parts").mkdir(parents=True)
    (two / "whole.schema.json").write_text('{"items": {"$ref": "parts/part.json"}, "maxItems": 1}')
    (two / "parts/part.json").write_text('{"type": "string"}')
    make(
        two / "out",
        "whole.schema.json",
        "two",
        [["a"]],
        [([1], "/type", None, "parts/part.json"), (["", ""], "/maxItems", None)],
    )
    unknown = root / "unknown"
    unknown.mkdir()
    (unknown / "u.schema.json").write_text('{"properties": {"a": {"$ref": "gone.json#/x"}}, "required": ["a"]}')
    make(unknown / "out", "u.schema.json", "u", [{"a": 1}], [({}, "/required", "a")], {"unresolved": "any"})
    meta = root / "meta"
    meta.mkdir()
    (meta / "m.schema.json").write_text('{"items": {"$ref": "http://json-schema.org/draft-07/schema#"}, "minItems": 1}')
    make(meta / "out", "m.schema.json", "m", [[{"type": "null"}]], [([], "/minItems", None)])
    return root


def test_a_good_corpus_passes_in_every_dialect(good: Path) -> None:
    code, output = run(good)
    assert code == 0, output
    counts = [2 * len(case[2]) + len(case[3]) + 3 for case in CASES.values()]
    assert f"{sum(counts) + 7 + 7 + 6 + 6} passed" in output


def test_it_passes_in_several_processes_at_once(good: Path) -> None:
    code, output = run(good / "flag", good / "api", more=("-n", "2"))
    assert code == 0, output


@pytest.mark.parametrize("width", ["88", "120"])
def test_it_is_formatted(good: Path, width: str) -> None:
    files = sorted(map(str, good.rglob("test_*.py")))
    assert len(files) == len(CASES) + 4
    command = ["format", "--check", "--isolated", "--no-cache", "--line-length", width]
    done = subprocess.run([sys.executable, "-m", "ruff", *command, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_imports_nothing_of_ours_and_names_no_path_of_this_machine(good: Path) -> None:
    for path in good.rglob("test_*.py"):
        text = path.read_text()
        nodes = list(ast.walk(ast.parse(text)))
        imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not any(name.startswith("knownbad") for name in imported)
        assert str(good) not in text


def spoil(layout: Layout, how: str) -> None:
    """One thing that goes wrong after a corpus was committed."""
    schema = layout.root.parent / "flag.schema.json"
    value = json.loads(schema.read_text())
    if how == "schema weakened":
        del value["properties"]["isError"]["type"]
    elif how == "schema tightened":
        value["$defs"]["t"]["maxLength"] = 3
    elif how == "dialect changed":
        value["$schema"] = named("2019-09").uri
    elif how == "schema broken":
        value["required"] = "isError"
    elif how == "fixture edited":
        (layout.fixtures / "good-0.json").write_text('{"isError": "no"}')
    elif how == "fixture reformatted":
        (layout.fixtures / "good-0.json").write_text('{"isError": true}')
    elif how == "file without a row":
        (layout.negative / "mine.json").write_text("{}")
    elif how == "row without a file":
        (layout.negative / "bad-1.json").unlink()
    elif how == "second reason":
        (layout.negative / "bad-0.json").write_text('{"isError": "true", "x": 1}')
    schema.write_text(json.dumps(value))


SPOILED = [
    ("schema weakened", "test_rejected_for_its_reason[/properties/isError/type:0/bad-0]", "violated: nothing"),
    (
        "schema tightened",
        "test_accepted[good/1/good-1]",
        "violated: /$defs/t/maxLength at instance location '/a~1b~0c'",
    ),
    ("dialect changed", "test_the_schema_passes_its_metaschema", "the schema declares another dialect"),
    ("schema broken", "test_the_schema_passes_its_metaschema", "is not of type 'array'"),
    (
        "fixture edited",
        "test_accepted[good/0/good-0]",
        "violated: /properties/isError/type at instance location '/isError'",
    ),
    ("fixture edited", "test_accepted[good/0/good-0]", '"isError": "no"'),
    ("fixture reformatted", "test_files_are_as_their_rows_say[fixtures]", "files and rows of corpus.json differ"),
    ("file without a row", "test_files_are_as_their_rows_say[negative]", "mine.json"),
    ("row without a file", "test_files_are_as_their_rows_say[negative]", "bad-1.json"),
    ("second reason", "test_rejected_for_its_reason[/properties/isError/type:0/bad-0]", "for that reason alone"),
    (
        "second reason",
        "test_rejected_for_its_reason[/properties/isError/type:0/bad-0]",
        "violated: /additionalProperties",
    ),
    (
        "second reason",
        "test_rejected_for_its_reason[/properties/isError/type:0/bad-0]",
        "recorded: /properties/isError/type",
    ),
]


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """What each failing test of a spoiled corpus prints, by what was spoiled and the test's name."""
    root = tmp_path_factory.mktemp("spoiled")
    for how in sorted({how for how, _, _ in SPOILED}):
        spoil(made(root / how.replace(" ", "-"), "flag"), how)
    code, output = run(root, more=(f"--junitxml={root / 'report.xml'}",))
    assert code == 1, output
    found = {}
    for case in ET.parse(root / "report.xml").iter("testcase"):
        how = next(h for h, _, _ in SPOILED if h.replace(" ", "-") in case.attrib["classname"])
        for failure in case.findall("failure"):
            found[how, case.attrib["name"]] = failure.attrib["message"] + (failure.text or "")
    return found


@pytest.mark.parametrize(("how", "failed", "printed"), SPOILED)
def test_what_goes_wrong_fails_and_says_where(
    failures: dict[tuple[str, str], str], how: str, failed: str, printed: str
) -> None:
    assert (how, failed) in failures
    assert printed in failures[how, failed]


def test_of_a_written_negative_with_several_reasons_only_the_rejection_is_asserted(tmp_path: Path) -> None:
    (tmp_path / "n.schema.json").write_text('{"type": "string", "const": 1}')
    contract = load("n.schema.json", "n", LoadOptions(root=tmp_path))
    layout = in_out(tmp_path / "out", "n")
    (layout.negative).mkdir(parents=True)
    (layout.negative / "hand.json").write_text("null")
    stored = read(layout)
    planned = plan(layout, {}, Corpus(stored.adopted), stored)
    assert stored.adopted[0].keyword_location is None
    with locked(layout.root):
        commit(layout.root, {**planned, **emit(contract, layout, tmp_path)}, [])
    code, output = run(layout.root)
    assert code == 0, output


def test_a_translated_schema_is_copied_beside_the_test(good: Path) -> None:
    copy = json.loads((good / "api/out/test_api.schema.json").read_text())
    assert copy["components"]["schemas"]["Code"]["type"] == ["string", "null"]
    assert not list((good / "flag").rglob("*.schema.json.*"))
    assert [p.name for p in (good / "flag/out").glob("*.schema.json")] == []


def test_five_hundred_fixtures_take_a_few_seconds(tmp_path: Path) -> None:
    """The count is asserted, not the time: every fixture is a test of its own, and the run ends."""
    names = [f"p{i}" for i in range(250)]
    schema = {"properties": {name: {"type": "string"} for name in names}}
    (tmp_path / "wide.schema.json").write_text(json.dumps(schema))
    accepted = [{name: ""} for name in names]
    rejected = [({name: 1}, f"/properties/{name}/type", None) for name in names]
    layout = make(tmp_path / "out", "wide.schema.json", "wide", accepted, rejected)
    code, output = run(layout.root)
    assert code == 0
    assert "753 passed" in output


def test_a_project_may_replace_the_template(tmp_path: Path) -> None:
    (tmp_path / "n.schema.json").write_text("{}")
    contract = load("n.schema.json", "n", LoadOptions(root=tmp_path))
    layout = in_out(tmp_path / "out", "n")
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "test_contract.py.j2").write_text("# {{ name }} by {{ validator }}\n")
    check_templates(templates)
    assert emit(contract, layout, tmp_path, templates) == {layout.test: b"# n by Draft202012Validator\n"}
    (templates / "test_contract.py.j2").write_text("{{ nothing }}")
    with pytest.raises(BadInput, match="the template fails"):
        emit(contract, layout, tmp_path, templates)
    (templates / "test_contracts.py.j2").write_text("")
    with pytest.raises(BadInput, match="no template is called so"):
        check_templates(templates)


@pytest.mark.parametrize("text", ["", "a", 'say "x"', "it's", "\"'", "\\d", "\n\t\x7f", "é日\U0001f600", True, None])
def test_a_literal_evaluates_to_its_value(text: Any) -> None:
    assert ast.literal_eval(literal(text)) == text
