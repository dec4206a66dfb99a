"""What an approval covers: the edit that was approved, and none that says more."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import project
from knownbad.finding import Level
from knownbad.gate.moved import moved
from knownbad.gate.sides import Pair, here
from knownbad.produce import Options
from repository import Repository

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ITEM = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}, "additionalProperties": False}
TAG = {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "integer", "minimum": 0}]}
BASE = {"$schema": DIALECT, "type": "object", "properties": {"item": ITEM, "tag": TAG}, "required": ["item"]}


class Sides:
    """Two folders with the schemas of before and of now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def marks(self, before: dict[str, Any], now: dict[str, Any]) -> set[str]:
        """The fingerprints of the breaks; files by name, the contract is `env`."""
        return {f.fingerprint for f in self.breaks(before, now)}

    def breaks(self, before: dict[str, Any], now: dict[str, Any]) -> list[Any]:
        sides = []
        for name, files in (("before", before), ("now", now)):
            root = self.folder / name
            root.mkdir(exist_ok=True)
            one = Repository(root)
            one.put("knownbad.toml", '[[contract]]\nschema = "schemas/env.schema.json"\n')
            for file, value in files.items():
                one.put(f"schemas/{file}", value)
            sides.append(here(project(root), Options()).contracts["env"])
        found = moved(Pair("env", *sides), []).findings
        return [f for f in found if f.weight in (Level.ERROR, Level.UNDECIDED)]


@pytest.fixture
def sides(tmp_path: Path) -> Sides:
    return Sides(tmp_path)


def env(**properties: Any) -> dict[str, Any]:
    value = copy.deepcopy(BASE)
    value["properties"].update(properties)
    return {"env.schema.json": value}


def without(schema: dict[str, Any], *keywords: str) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k not in keywords}


@pytest.mark.parametrize("wider", [{}, True, without(ITEM, "type", "required"), without(ITEM, "type", "properties")])
def test_the_approval_of_a_dropped_type_covers_no_wider_edit(sides: Sides, wider: Any) -> None:
    approved = sides.marks(env(), env(item=without(ITEM, "type")))
    assert approved
    later = sides.marks(env(), env(item=wider))
    assert later - approved


def test_two_edits_that_take_the_same_keyword_away_are_two(sides: Sides) -> None:
    one = sides.marks(env(), env(tag={"type": ["string", "integer", "null"]}))
    other = sides.marks(env(), env(tag={}))
    assert one
    assert other - one


def test_a_replaced_reference_is_approved_with_what_it_leads_to(sides: Sides) -> None:
    def files(reference: str, long: dict[str, Any]) -> dict[str, Any]:
        shared = {"$schema": DIALECT, "$defs": {"short": {"type": "string", "maxLength": 3}, "long": long}}
        return {**env(tag={"$ref": reference}), "shared.json": shared}

    short, long = "shared.json#/$defs/short", "shared.json#/$defs/long"
    before = files(short, {"type": "string", "maxLength": 4})
    approved = sides.marks(before, files(long, {"type": "string", "maxLength": 4}))
    assert approved
    assert sides.marks(before, files(long, {})) - approved
    assert sides.marks(before, files(long, {"type": "string", "maxLength": 99})) - approved


def test_an_edit_of_many_places_is_approved_as_it_is_and_says_what_fell_away(sides: Sides) -> None:
    names = [f"p{n}" for n in range(12)]
    before = env(**{name: {"type": "string", "maxLength": 3} for name in names})
    (one,) = sides.breaks(before, env(**{name: {"type": "string"} for name in names}))
    assert "12 places" in one.message
    assert "what fell away: `maxLength` (12 times)" in one.detail
    (other,) = sides.breaks(before, env(**{name: {} for name in names}))
    assert other.fingerprint != one.fingerprint


def test_an_approval_stays_with_other_edits_and_on_another_base(sides: Sides) -> None:
    approved = sides.marks(env(), env(item=without(ITEM, "type")))
    elsewhere = {"type": "string", "maxLength": 9, "title": "T"}
    later = sides.marks(env(other=elsewhere), env(other=elsewhere, item={**without(ITEM, "type"), "title": "Item"}))
    assert approved == later
    assert approved < sides.marks(env(), env(item=without(ITEM, "type"), tag={}))


def test_what_a_dropped_schema_said_is_told(sides: Sides) -> None:
    (told,) = (f for f in sides.breaks(env(), env(item={})) if "item" in (f.location or ""))
    assert any("`required`" in line and "`properties`" in line for line in told.detail)
