"""The config: defaults, where it is found, every mistake at once, and the contracts of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from knownbad.config import Entry, default_name, project
from knownbad.errors import BadInput

SCHEMA = '{"$schema": "https://json-schema.org/draft/2020-12/schema"}'


def put(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_without_a_config_the_defaults_hold(tmp_path: Path) -> None:
    found = project(tmp_path)
    assert found.source is None
    folders = (found.schemas, found.fixtures, found.negative, found.tests)
    assert [p.relative_to(tmp_path).as_posix() for p in folders] == [
        "schemas",
        "fixtures",
        "negative",
        "tests/contracts",
    ]
    assert (found.dialect.name, found.formats, found.faults, found.contracts) == ("2020-12", True, "core", ())


@pytest.mark.parametrize(
    ("name", "prefix"), [("knownbad.toml", ""), ("pyproject.toml", "tool.knownbad")], ids=["own file", "pyproject"]
)
def test_the_same_keys_hold_in_both_files_and_are_found_from_below(tmp_path: Path, name: str, prefix: str) -> None:
    (tmp_path / "specs").mkdir()
    table = f"[{prefix}]\n" if prefix else ""
    dot = f"{prefix}." if prefix else ""
    (tmp_path / name).write_text(
        f'{table}schemas = "specs"\ntests = "t"\ndialect = "draft-07"\nformats = false\nfaults = "all"\n'
        f'resolve = {{"https://example.org/" = "specs"}}\n[[{dot}contract]]\nname = "order"\nschema = "a/./o.json#/x"\n'
    )
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    found = project(below)
    assert found.root == tmp_path
    assert found.schemas == tmp_path / "specs"
    assert found.tests == tmp_path / "t"
    assert (found.dialect.name, found.formats, found.faults) == ("draft-07", False, "all")
    assert found.resolve == {"https://example.org/": tmp_path / "specs"}
    assert found.contracts == (Entry("order", "a/o.json#/x"),)


def test_a_pyproject_without_our_table_is_no_config(tmp_path: Path) -> None:
    put(tmp_path, **{"pyproject.toml": "[tool.ruff]\n", "knownbad.toml": 'faults = "all"\n'})
    assert project(tmp_path).faults == "all"


def test_every_mistake_is_told_at_once_with_its_place_and_the_likely_key(tmp_path: Path) -> None:
    put(
        tmp_path,
        **{
            "knownbad.toml": 'fauls = "all"\nformats = "yes"\ndialect = "draft-05"\ntemplates = "nowhere"\n'
            '[resolve]\n"https://example.org/" = "gone"\n'
            '[[contract]]\nnam = "x"\n[[contract]]\nname = 1\nschema = "a"\n'
        },
    )
    with pytest.raises(BadInput) as caught:
        project(tmp_path)
    told = {problem.location: problem for problem in caught.value.problems}
    assert sorted(map(str, told)) == [
        "/contract/0",
        "/contract/0/nam",
        "/contract/1/name",
        "/dialect",
        "/fauls",
        "/formats",
        "/resolve/https:~1~1example.org~1",
        "/templates",
    ]
    assert told["/fauls"].fix == "`faults`?"
    assert told["/contract/0/nam"].fix == "`name`?"
    assert all(problem.file == str(tmp_path / "knownbad.toml") for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"knownbad.toml": "a ="}, "is not TOML"),
        ({"knownbad.toml": "", "pyproject.toml": "[tool.knownbad]\n"}, "keep one of them"),
        ({"pyproject.toml": "[tool]\nknownbad = 1\n"}, "must be a table"),
        ({"knownbad.toml": '[[contract]]\nname = "errors"\nschema = "a.json"\n'}, "reserved"),
        ({"knownbad.toml": '[[contract]]\nname = "../x"\nschema = "a.json"\n'}, "becomes a folder"),
        ({"schemas__a.json": SCHEMA, "schemas__x__A.schema.json": "{}"}, "would write the same files"),
        ({"schemas__a-b.json": SCHEMA, "schemas__a_b.json": SCHEMA}, "would write the same files"),
    ],
)
def test_a_config_that_cannot_be_followed_is_refused(tmp_path: Path, files: dict[str, str], says: str) -> None:
    put(tmp_path, **files)
    with pytest.raises(BadInput) as caught:
        project(tmp_path)
    assert says in str(caught.value)


def test_schema_files_become_contracts_by_name_or_by_the_dialect_they_declare(tmp_path: Path) -> None:
    put(
        tmp_path,
        **{
            "schemas__order.schema.json": "{}",
            "schemas__deep__declared.json": SCHEMA,
            "schemas__data.json": '{"a": 1}',
            "schemas__other.json": '{"$schema": "https://json.schemastore.org/package"}',
            "schemas__.hidden__x.schema.json": "{}",
            "schemas__renamed.schema.json": "{}",
            "schemas__point.schema.yaml": "type: object\n",
            "knownbad.toml": '[[contract]]\nname = "other-name"\nschema = "schemas/renamed.schema.json"\n',
        },
    )
    assert project(tmp_path).contracts == (
        Entry("declared", "schemas/deep/declared.json"),
        Entry("order", "schemas/order.schema.json"),
        Entry("other-name", "schemas/renamed.schema.json"),
        Entry("point", "schemas/point.schema.yaml"),
    )


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("schemas/order.schema.json", "order"),
        ("a/b.json", "b"),
        ("Bestellung für Ärzte.json", "Bestellung-fur-Arzte"),
        ("日本.json", "contract"),
    ],
)
def test_a_contract_is_called_as_its_file(spec: str, name: str) -> None:
    assert default_name(spec) == name
