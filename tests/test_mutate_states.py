"""What becomes of a mutant: each state with what it says, and the direction that is observed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knownbad.errors import Exit
from mutating import D07, D20, mutants, report, write
from test_cli import run

# ---- states


def alone(tmp_path: Path, schema: dict[str, Any], *fixtures: Any, negative: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The report of one schema with these instances."""
    write(tmp_path / "s.json", schema)
    for side, instances in (("fixtures", fixtures), ("negative", negative)):
        (tmp_path / side).mkdir(exist_ok=True)
        for number, instance in enumerate(instances):
            write(tmp_path / side / f"{number}.json", json.dumps(instance))
    return report("--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures")


def test_a_dead_keyword_is_equivalent_with_its_proof_and_a_finding(tmp_path: Path) -> None:
    schema = {"$schema": D20, "type": "string", "minLength": 0, "maxLength": 3, "format": "made-up"}
    found = mutants(alone(tmp_path, schema))
    for name in ("minLength.drop", "format.drop"):
        if name in found:
            assert found[name]["state"] == "equivalent"
            assert found[name]["reason"]
    assert [m for m in found.values() if m["state"] == "equivalent"]
    printed = run("mutate", "--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures").output
    assert "changes nothing" in printed


def test_a_bound_beyond_another_is_equivalent(tmp_path: Path) -> None:
    found = mutants(alone(tmp_path, {"$schema": D20, "type": "integer", "minimum": 5, "exclusiveMinimum": 2}))
    assert found["exclusiveMinimum.drop"]["state"] == "equivalent"
    assert found["minimum.drop"]["state"] == "survived"


def test_what_no_instance_gets_to_is_unreachable(tmp_path: Path) -> None:
    dead = {"allOf": [{"type": "string"}, {"type": "null"}]}
    schema = {
        "$schema": D20,
        "properties": {"a": dead, "b": {"$ref": "#/$defs/u"}},
        "required": ["b"],
        "$defs": {"u": {"type": "integer"}, "unused": {"minLength": 2}},
    }
    found = mutants(alone(tmp_path, schema))
    unused = {m["state"] for name, m in found.items() if name.startswith("/$defs/unused: ")}
    assert unused == {"unreachable"}
    assert all(m["reason"] for m in found.values() if m["state"] == "unreachable")
    assert {m["state"] for name, m in found.items() if name.startswith("/$defs/u: ")} == {"survived"}


def test_a_mutant_that_is_no_schema_is_invalid(tmp_path: Path) -> None:
    """A reference that leads into what the edit takes away."""
    schema = {
        "$schema": D07,
        "properties": {"a": {"items": [{"type": "integer"}, {"minimum": 3}]}, "b": {"$ref": "#/properties/a/items/1"}},
    }
    found = alone(tmp_path, schema)
    invalid = {name: m for name, m in mutants(found).items() if m["state"] == "invalid"}
    assert invalid
    assert found["invalid"] == len(invalid)
    assert all(m["reason"] for m in invalid.values())
    counted = found["killed"] + found["survived"] + found["undecided"]
    assert counted + found["invalid"] + found["equivalent"] + found["unreachable"] == found["mutants"]


def test_an_undecided_mutant_counts_against_the_score_and_is_shown_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad import check
    from knownbad.distinguish import Undecided

    monkeypatch.setattr(check, "find", lambda *_: Undecided("it is too hard"))
    write(tmp_path / "s.json", {"$schema": D20, "type": "integer"})
    write(tmp_path / "fixtures/one.json", "1")
    for name in ("null", "text", "false", "list", "object", "number"):
        value = {"null": None, "text": "a", "false": False, "list": [], "object": {}, "number": 1.5}[name]
        write(tmp_path / f"negative/{name}.json", json.dumps(value))
    arguments = ("--schema", tmp_path / "s.json", "--fixtures", tmp_path / "fixtures")
    assert report(*arguments, exit_code=Exit.GOOD)["score"] == 100
    (tmp_path / "negative/null.json").unlink()
    found = report(*arguments, exit_code=Exit.UNDECIDED)
    assert found["undecided"] == 1
    assert found["score"] < 100
    assert mutants(found)["type.add[null]"]["reason"] == "it is too hard"
    found = report(*arguments, "--fail-under", 0, exit_code=Exit.UNDECIDED)
    assert "undecided: it is too hard" in run("mutate", *arguments).output


TURNED = {
    "not": ({"not": {"type": "string", "minLength": 2}}, "/not: minLength.drop", "a"),
    "if": (
        {"if": {"properties": {"k": {"const": 1}}, "required": ["k"]}, "then": {"required": ["a"]}},
        "/if: required.remove[k]",
        {},
    ),
    "oneOf": ({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]}, "/oneOf/1: minimum.exclude", 3),
    "contains with maxContains": (
        {"contains": {"minimum": 3}, "minContains": 0, "maxContains": 1},
        "/contains: minimum.drop",
        [1, 1],
    ),
    "unevaluatedProperties": (
        {"allOf": [{"properties": {"a": {"type": "integer"}}}], "unevaluatedProperties": False},
        "allOf.remove[0]",
        {"a": 1},
    ),
}


@pytest.mark.parametrize("where", TURNED)
def test_a_direction_is_what_is_observed(tmp_path: Path, where: str) -> None:
    schema, name, instance = TURNED[where]
    mutant = mutants(alone(tmp_path, {"$schema": D20, **schema}))[name]
    assert (mutant["expected"], mutant["observed"]) in (("weaker", "stronger"), ("stronger", "weaker"))
    assert mutant["state"] == "survived"
    accepted = mutant["observed"] == "stronger"
    assert mutant["accepted"] is accepted
    killed = alone(tmp_path, {"$schema": D20, **schema}, *[instance] * accepted, negative=(instance,) * (not accepted))
    assert mutants(killed)[name]["state"] == "killed"
    assert mutants(killed)[name]["observed"] == mutant["observed"]


def test_straight_edits_are_observed_as_expected(home: Path) -> None:
    found = mutants(report("--root", home))
    assert found["required.remove[paid]"]["observed"] == found["required.remove[paid]"]["expected"] == "weaker"
    stronger = found["/properties/note: minLength.raise"]
    assert stronger["observed"] == stronger["expected"] == "stronger"
