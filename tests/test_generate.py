"""A corpus as a whole: what it keeps, what changes with the schema, what it says of what it could not do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from knownbad.corpus import FIXTURE, RECORDED, TOO_LARGE, UNDECIDED, WRITTEN, Corpus, Fixture
from knownbad.generate import GenerateOptions, generate
from knownbad.values import compact, equal
from test_faults import contract, corpus

ENVELOPE: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"enum": ["DECLINED", "TIMEOUT"]},
                "retryable": {"type": "boolean"},
                "after": {"type": "integer", "minimum": 1},
                "trace": {"type": "array", "items": {"$ref": "#/$defs/frame"}},
            },
            "required": ["code", "retryable"],
            "additionalProperties": False,
        }
    },
    "required": ["error"],
    "additionalProperties": False,
    "$defs": {
        "frame": {
            "type": "object",
            "properties": {"at": {"type": "string", "minLength": 1}, "cause": {"$ref": "#/$defs/frame"}},
            "required": ["at"],
        }
    },
}
REAL = {"error": {"code": "TIMEOUT", "retryable": True, "after": 30, "trace": [{"at": "gateway"}]}}


def edited(path: list[str], value: Any) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(json.dumps(ENVELOPE))
    place = schema
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return schema


def files(made: Corpus) -> dict[tuple[bool, str], str]:
    return {(f.positive, f.slug): compact(f.instance) for f in made.fixtures}


def test_a_negative_is_its_base_with_its_patch_applied() -> None:
    made = corpus(ENVELOPE)
    positives = {f.slug: f.instance for f in made.positives}
    for fixture in made.negatives:
        assert fixture.base is not None
        assert fixture.patch is not None
        patched = jsonpatch.apply_patch(positives[fixture.base], list(fixture.patch))
        assert equal(patched, fixture.instance), fixture.slug


def test_most_negatives_are_one_operation_away_from_an_accepted_document() -> None:
    made = corpus(ENVELOPE)
    single = [f for f in made.negatives if f.patch is not None and len(f.patch) == 1]
    assert len(single) == len(made.negatives)


def test_a_recorded_instance_is_preferred_as_the_base_and_kept_as_it_is() -> None:
    recorded = Fixture("recorded", True, REAL, "recorded", origin=RECORDED)
    made = generate(contract(ENVELOPE), [recorded])
    assert recorded.slug in [f.slug for f in made.positives]
    assert next(f for f in made.positives if f.slug == "recorded").instance == REAL
    based = [f for f in made.negatives if f.base == "recorded"]
    assert len(based) >= 0.8 * len(made.negatives)
    (flag,) = [f for f in based if f.fault == "type.add[string]"]
    assert flag.instance == {"error": {**REAL["error"], "retryable": "true"}}
    assert flag.patch == ({"op": "replace", "path": "/error/retryable", "value": "true"},)


def test_a_written_negative_with_one_reason_is_given_it() -> None:
    written = Fixture("mine", False, {"error": {"code": "DECLINED", "retryable": "no"}}, "written/mine", origin=WRITTEN)
    made = generate(contract(ENVELOPE), [written])
    (kept,) = [f for f in made.negatives if f.slug == "mine"]
    assert (kept.keyword_location, kept.instance_location) == (
        "/properties/error/properties/retryable/type",
        "/error/retryable",
    )


def test_a_written_negative_with_several_reasons_names_none() -> None:
    written = Fixture("mine", False, {"error": {"code": 1, "retryable": "no"}}, "written/mine", origin=WRITTEN)
    made = generate(contract(ENVELOPE), [written])
    (kept,) = [f for f in made.negatives if f.slug == "mine"]
    assert kept.keyword_location is None


CHANGES = [
    # what changes in the schema, and words that the names of all files it touches have one of
    ("a bound moves", ["properties", "error", "properties", "after", "minimum"], 5, {"after", "with", "minimal-"}),
    ("a member of an enum is added", ["properties", "error", "properties", "code", "enum"],
     ["DECLINED", "TIMEOUT", "GONE"], {"enum"}),
    ("a definition gets stricter", ["$defs", "frame", "properties", "at", "minLength"], 3,
     {"trace", "with", "recursion"}),
    ("an optional property is added", ["$defs", "frame", "properties", "line"], {"type": "integer"},
     {"trace", "with", "recursion", "line"}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "path", "value", "words"), CHANGES, ids=[c[0] for c in CHANGES])
def test_only_what_depends_on_a_changed_place_changes(what: str, path: list[str], value: Any, words: set[str]) -> None:
    before, after = files(corpus(ENVELOPE)), files(corpus(edited(path, value)))
    changed = sorted({name for name in {*before, *after} if before.get(name) != after.get(name)})
    assert changed
    assert [name for _, name in changed if not any(word in name for word in words)] == []


def test_a_new_member_of_a_large_object_leaves_most_positives_as_they_are() -> None:
    def large(names: list[str]) -> Any:
        groups = {n: {"type": "object", "properties": {m: {"enum": ["a", "b"]} for m in "uvwxyz"}} for n in names}
        return {"type": "object", "properties": groups}

    names = [f"group{i:02}" for i in range(30)]
    before = files(corpus(large(names)))
    after = files(corpus(large([*names[:9], "newcomer", *names[9:]])))
    kept = [name for name in before if after.get(name) == before[name]]
    assert len(kept) >= 0.6 * len(before)


def test_recursion_is_shown_at_depth_zero_one_and_two() -> None:
    tree = {"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": False}
    instances = [f.instance for f in corpus(tree).positives]
    for depth in ({}, {"child": {}}, {"child": {"child": {}}}):
        assert depth in instances


def test_a_fixture_beyond_the_size_limit_is_named_and_not_made() -> None:
    made = generate(contract({"type": "string", "maxLength": 500}), (), GenerateOptions(max_size=300))
    large = {o.class_ for o in made.outcomes if o.state == TOO_LARGE}
    assert large == {"maxLength.lower", "maxLength.raise", "maxLength.drop"}
    assert all(len(f.instance or "") < 300 for f in made.fixtures)


def test_examples_and_defaults_are_used_as_values() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "examples": ["Ann"]}, "b": {"type": "integer", "default": 7}},
        "required": ["a", "b"],
    }
    assert {"a": "Ann", "b": 7} in [f.instance for f in corpus(schema).positives]


def test_an_example_that_the_schema_rejects_is_not_used() -> None:
    made = corpus({"type": "integer", "examples": ["none"], "default": 0.5, "minimum": 3})
    assert all(isinstance(f.instance, int) for f in made.positives)


def test_every_class_has_one_outcome() -> None:
    made = corpus(ENVELOPE, faults="all")
    names = [(o.class_, o.positive) for o in made.outcomes]
    assert len(names) == len(set(names))
    assert not [o for o in made.outcomes if o.state == UNDECIDED]
    slugs = {(f.positive, f.slug) for f in made.fixtures}
    assert {(o.positive, o.slug) for o in made.outcomes if o.state == FIXTURE} <= slugs | {(not p, s) for p, s in slugs}


def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    schema = tmp_path / "envelope.schema.json"
    schema.write_text(json.dumps(ENVELOPE))
    seen = []
    for seed in ("0", "1"):
        out = tmp_path / seed
        command = [sys.executable, "-m", "knownbad", "generate", "--schema", str(schema), "--out", str(out)]
        subprocess.run(
            command, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}, capture_output=True
        )
        seen.append({p.relative_to(out): p.read_bytes() for p in sorted(out.rglob("*.json"))})
    assert seen[0] == seen[1]
    assert len(seen[0]) > 20
