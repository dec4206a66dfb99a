"""What people ran into, each as the smallest case that shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from knownbad.cli import main
from knownbad.patches import difference
from knownbad.values import equal

TEXT = {"type": "string"}
CAT = {"type": "object", "properties": {"lives": {"type": ["integer", "null"], "maximum": 9}}}


def knownbad(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def score(*arguments: str | Path) -> Any:
    return json.loads(knownbad("mutate", *arguments, "--format", "json").stdout)["score"]


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ([{"field": "a", "value": 0}, {"field": "b"}], [{"field": "b", "value": 0}, {"field": "a"}, {"field": "a"}]),
        ({"a": [{"f": "x"}], "e": "a"}, {"a": [{}, {"f": "x"}, {"f": "x", "v": None}], "r": "a"}),
        ([1, 2, 3], [3, 3, 1]),
    ],
)
def test_a_patch_that_does_not_apply_is_replaced_by_one_that_does(base: Any, target: Any) -> None:
    import jsonpatch

    assert equal(jsonpatch.JsonPatch(list(difference(base, target))).apply(base), target)


def test_a_patch_that_the_library_makes_wrong_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    import jsonpatch

    wrong = jsonpatch.JsonPatch([{"op": "replace", "path": "/a/0/field", "value": 1}])
    monkeypatch.setattr(jsonpatch, "make_patch", lambda base, target: wrong)
    assert difference({"a": []}, {"b": 1}) == ({"op": "replace", "path": "", "value": {"b": 1}},)


def test_a_component_of_an_openapi_document_is_guarded_as_any_schema_is(tmp_path: Path) -> None:
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}
    api = written(tmp_path / "o.json", {**document, "components": {"schemas": {"Cat": CAT}}})
    spec = f"{api}#/components/schemas/Cat"
    assert knownbad("generate", "--schema", spec, "--out", tmp_path / "out").exit_code == 0
    assert score("--schema", spec, "--out", tmp_path / "out") == 100
    rows = json.loads((tmp_path / "out" / "negative" / "corpus.json").read_text("utf-8"))["fixtures"]
    assert {row["instanceLocation"] for row in rows if row["class"].startswith("/components/schemas/Cat/p")} == {
        "/lives"
    }


def test_a_property_with_the_empty_name_is_guarded_as_any_other(tmp_path: Path) -> None:
    schema = written(tmp_path / "e.schema.json", {"properties": {"": {"type": "string", "minLength": 1}}})
    assert knownbad("generate", "--schema", schema, "--out", tmp_path / "out").exit_code == 0
    assert score("--schema", schema, "--out", tmp_path / "out") == 100


def test_a_fixture_in_the_wrong_folder_is_no_witness(tmp_path: Path) -> None:
    schema = written(tmp_path / "cat.schema.json", CAT)
    out = tmp_path / "out"
    knownbad("generate", "--schema", schema, "--out", out)
    before = {path.name for path in out.rglob("*.json")}
    written(out / "fixtures" / "bad.json", 17)
    result = knownbad("generate", "--schema", schema, "--out", out)
    assert "fixtures/bad.json (written) is in the wrong folder" in result.stdout
    assert {path.name for path in out.rglob("*.json")} == before | {"bad.json"}


def test_a_corpus_in_a_folder_of_its_own_is_judged_alike_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    draft = "http://json-schema.org/draft-07/schema#"
    schema = written(project / "schemas" / "a.schema.json", {"$schema": draft, "$ref": "b.schema.json"})
    written(project / "schemas" / "b.schema.json", {"$schema": draft, "type": "string"})
    (project / "knownbad.toml").touch()
    for place in (project, tmp_path):
        monkeypatch.chdir(place)
        assert knownbad("generate", "--schema", schema, "--out", tmp_path / "out").exit_code == 0
        assert knownbad("verify", "--out", tmp_path / "out").exit_code == 0
        assert knownbad("generate", "--schema", schema, "--out", tmp_path / "out", "--check").exit_code == 0


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('fixtures = "x"\nnegative = "x"', "must not hold the folder of `negative`"),
        ('fixtures = "schemas"', "must not hold the folder of `schemas`"),
        ('tests = "."', "must be a folder inside the project"),
        ('fixtures = "../elsewhere"', "must be a folder inside the project"),
        ('schemas = "schemsa"', "`schemas` names no folder"),
    ],
)
def test_folders_that_would_destroy_each_other_are_refused(tmp_path: Path, config: str, message: str) -> None:
    written(tmp_path / "schemas" / "cat.schema.json", CAT)
    (tmp_path / "knownbad.toml").write_text(config, encoding="utf-8")
    result = knownbad("generate", "--root", tmp_path)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "fixtures").exists()


def test_links_that_lead_to_themselves_and_odd_names_are_bad_input(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to(tmp_path / "y")
    (tmp_path / "y").symlink_to(tmp_path / "x")
    for name in (str(tmp_path / "x"), "bad\udcff.schema.json"):
        result = knownbad("generate", "--schema", name, "--out", tmp_path / "out")
        assert result.exit_code == 2
        assert "bug" not in result.output


def test_a_schema_that_rejects_nothing_says_so(tmp_path: Path) -> None:
    schema = written(tmp_path / "any.schema.json", {"title": "anything"})
    assert "rejects nothing" in knownbad("generate", "--schema", schema, "--out", tmp_path / "out").stdout


@pytest.mark.parametrize(
    ("class_", "properties", "patterns", "proved"),
    [
        ("properties.any[a]", {"a": TEXT}, {"": TEXT}, True),
        ("properties.any[a]", {"a": TEXT}, {"b": TEXT}, False),
        ("properties.any[a]", {"a": TEXT}, {"": {"type": "null"}}, False),
        ("properties.misspell", {"ab": TEXT}, {"": TEXT}, True),
        ("properties.rename[ab][ba]", {"ab": TEXT}, {"a": TEXT}, True),
        ("properties.rename[ab][ba]", {"ab": TEXT}, {"^a": TEXT}, False),
    ],
)
def test_patterns_beside_properties_that_say_the_same_make_edits_of_them_equivalent(
    class_: str, properties: dict[str, Any], patterns: dict[str, Any], proved: bool, tmp_path: Path
) -> None:
    from knownbad.distinguish import Engine
    from knownbad.load import load
    from knownbad.rules import said_by_patterns

    contract = load(str(written(tmp_path / "s.schema.json", {"properties": properties, "patternProperties": patterns})))
    mutation = next(m for m in Engine(contract).mutants() if m.class_ == class_)
    assert bool(said_by_patterns(contract, mutation)) is proved


def test_the_aim_of_an_array_is_served_past_what_contains_takes(tmp_path: Path) -> None:
    tags = {"type": "array", "contains": {"const": "main"}, "items": {"type": "string"}, "maxContains": 2}
    schema = written(tmp_path / "tags.schema.json", tags)
    result = knownbad("generate", "--schema", schema, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stdout


def test_what_is_too_large_together_is_written_apart(tmp_path: Path) -> None:
    names = {name * 8: {"type": "string"} for name in "abcdefgh"}
    schema = written(tmp_path / "names.schema.json", {"type": "object", "properties": names})
    result = knownbad("generate", "--schema", schema, "--out", tmp_path / "out", "--max-size", 40)
    assert "properties.close" not in result.stdout


def test_a_pattern_that_only_one_validator_can_read_does_not_make_the_corpus_wrong(tmp_path: Path) -> None:
    schema = written(tmp_path / "version.schema.json", {"type": "string", "pattern": "^(?<major>[0-9]+)$"})
    written(tmp_path / "fixtures" / "one.json", "1")
    written(tmp_path / "negative" / "text.json", "a")
    where = ("--fixtures", tmp_path / "fixtures", "--negative", tmp_path / "negative")
    report = json.loads(knownbad("mutate", "--schema", schema, *where, "--format", "json").stdout)
    assert report["score"] is not None
    assert "jsonschema-rs alone" in report["contracts"][0]["notes"][0]


def test_no_fixture_names_a_keyword_of_a_published_metaschema(tmp_path: Path) -> None:
    draft = "http://json-schema.org/draft-07/schema#"
    value = {"oneOf": [{"$ref": draft}, {"type": ["object", "string"], "required": ["x"]}]}
    schema = written(tmp_path / "meta.schema.json", {"$schema": draft, "properties": {"of": value}})
    knownbad("generate", "--schema", schema, "--out", tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "negative" / "corpus.json").read_text("utf-8"))["fixtures"]
    assert rows
    assert not [row["file"] for row in rows if "schema" in row]
