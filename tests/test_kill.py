"""The killer finds a fixture exactly where holding every fixture against the compiled mutant finds one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from arbitrary import UGLY, VALUES, schemas
from knownbad.compiled import ValidatorFailed
from knownbad.contract import Contract
from knownbad.dialects import DIALECTS
from knownbad.distinguish import Engine
from knownbad.errors import BadInput
from knownbad.evidence import Evidence, Given
from knownbad.generate import GenerateOptions, generate
from knownbad.keywords.mutation import Mutation
from knownbad.kill import Killer
from knownbad.load import LoadOptions, load
from knownbad.varied import contract_of

D04, D06, D07, D19, D20 = (dialect.uri for dialect in DIALECTS)
EVERY = 16
"""Of the dev set, every so many schemas are tried in a sweep."""
MOST = 250
"""Mutants of one of them that are compiled."""


def of(uri: str, **keywords: Any) -> dict[str, Any]:
    return {"$schema": uri, **keywords}


SCHEMAS: dict[str, dict[str, Any]] = {
    "20: names and items of one definition": of(  # jsonschema-rs tells no evaluation path into names
        D20,
        properties={
            "s": {"type": "object", "propertyNames": {"$ref": "#/$defs/n"}, "additionalProperties": {"type": "object"}},
            "r": {"type": "array", "items": {"$ref": "#/$defs/n"}},
        },
        **{"$defs": {"n": {"type": "string", "pattern": "^[A-Z]+$"}}},
    ),
    # draft-04
    "04: exclusive bounds and dependencies": of(
        D04, type="object", properties={"n": {"minimum": 0, "exclusiveMinimum": True, "multipleOf": 0.5}},
        dependencies={"n": ["m"], "m": {"properties": {"n": {"maximum": 9}}}}, maxProperties=3,
    ),
    "04: a tuple and what is beyond": of(
        D04, type="array", items=[{"type": "string", "pattern": "^a"}, {"enum": [1, 2]}],
        additionalItems={"type": "boolean"}, minItems=1, maxItems=4,
    ),
    "04: an embedded id": of(
        D04, id="http://example.org/root.json",
        properties={"a": {"$ref": "item.json"}, "b": {"$ref": "#/definitions/i"}},
        definitions={"i": {"id": "item.json", "type": "integer", "minimum": 2}}, required=["a"],
    ),
    "04: a reference hides its siblings": of(
        D04, properties={"a": {"$ref": "#/definitions/s", "minLength": 5}}, definitions={"s": {"type": "string"}},
        additionalProperties=False,
    ),
    "04: not, anyOf and oneOf in one another": of(
        D04, oneOf=[{"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]},
                    {"not": {"oneOf": [{"type": "string"}, {"minimum": 3}]}}],
    ),
    # draft-06
    "06: contains, const and names": of(
        D06, properties={"list": {"contains": {"const": 1}, "uniqueItems": True}}, propertyNames={"maxLength": 4},
        patternProperties={"^x": {"exclusiveMinimum": 1}}, required=["list"],
    ),
    "06: boolean schemas": of(
        D06, properties={"no": False, "yes": True, "deep": {"properties": {"no": False}}}, additionalProperties=False,
        anyOf=[False, {"required": ["yes"]}], allOf=[True, {"maxProperties": 2}],
    ),
    "06: a chain of references": of(
        D06, allOf=[{"$ref": "#/definitions/a"}], definitions={
            "a": {"$ref": "#/definitions/b"}, "b": {"properties": {"v": {"$ref": "#/definitions/c"}}},
            "c": {"type": "string", "minLength": 1}},
    ),
    "06: no items at all": of(D06, properties={"none": {"items": False}, "t": {"items": [True, False]}}),
    # draft-07
    "07: if, then, else": of(
        D07, type="object", properties={"kind": {"enum": ["a", "b"]}, "n": {"type": "integer"}},
        **{"if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "then": {"required": ["n"]},
           "else": {"properties": {"n": {"maximum": 3}}}},
    ),
    "07: a tree": of(
        D07, type="object", required=["v"], additionalProperties=False,
        properties={"v": {"type": "integer", "minimum": 0}, "kids": {"type": "array", "items": {"$ref": "#"}}},
    ),
    "07: recursion through anyOf": of(
        D07, properties={"next": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}, "n": {"minLength": 1}},
        required=["next"],
    ),
    "07: one definition under a conjunction and under not": of(
        D07, properties={"a": {"$ref": "#/definitions/s"}, "b": {"not": {"$ref": "#/definitions/s"}}},
        definitions={"s": {"type": "string", "minLength": 2}}, required=["a", "b"],
    ),
    "07: a list or a tuple under contains": of(
        D07, contains={"type": "array", "items": [{"type": "null"}], "additionalItems": False}, minItems=1,
    ),
    "07: formats": of(D07, properties={"d": {"format": "date"}, "u": {"format": "uuid"}, "x": {"format": "made-up"}}),
    # 2019-09
    "19: unevaluatedProperties over anyOf": of(
        D19, anyOf=[{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"b": True}}],
        unevaluatedProperties=False, minProperties=1,
    ),
    "19: unevaluatedItems over a tuple": of(
        D19, allOf=[{"items": [{"type": "integer"}]}], unevaluatedItems={"type": "string"}, maxItems=3,
    ),
    "19: contains between two bounds": of(
        D19, contains={"minimum": 3}, minContains=1, maxContains=2, items={"type": "integer"},
    ),
    "19: a recursive reference": of(
        D19, **{"$id": "http://example.org/tree", "$recursiveAnchor": True}, type="object", required=["n"],
        properties={"n": {"type": "integer"}, "left": {"$recursiveRef": "#"}},
    ),
    "19: dependents": of(
        D19, dependentRequired={"a": ["b", "c"]}, dependentSchemas={"b": {"properties": {"c": {"type": "null"}}}},
        type="object",
    ),
    # 2020-12
    "20: prefixItems and unevaluatedItems beside contains": of(
        D20, prefixItems=[{"type": "string"}, {"const": 1}], contains={"type": "null"}, unevaluatedItems=False,
    ),
    "20: unevaluatedProperties over then and a reference": of(
        D20, **{"$ref": "#/$defs/base", "if": {"required": ["k"]}, "then": {"properties": {"m": {"type": "integer"}}}},
        unevaluatedProperties=False, **{"$defs": {"base": {"properties": {"k": {"type": "string", "minLength": 1}}}}},
    ),
    "20: a dynamic reference": of(
        D20, **{"$id": "http://example.org/strict", "$ref": "tree", "$dynamicAnchor": "node"},
        properties={"n": {"minimum": 1}}, **{"$defs": {"tree": {
            "$id": "tree", "$dynamicAnchor": "node", "type": "object", "required": ["n"],
            "properties": {"n": {"type": "integer"}, "kids": {"items": {"$dynamicRef": "#node"}}}}}},
    ),
    "20: an embedded id and an anchor": of(
        D20, **{"$id": "http://example.org/a"}, properties={"p": {"$ref": "b#low"}, "q": {"$ref": "b"}},
        **{"$defs": {"b": {"$id": "b", "type": "object", "maxProperties": 1, "$defs": {
            "low": {"$anchor": "low", "type": "integer", "maximum": 3}}}}}, required=["p"],
    ),
    "20: oneOf with branches that overlap": of(
        D20, oneOf=[{"required": ["a"], "properties": {"a": {"type": "integer"}}},
                    {"required": ["b"], "properties": {"b": {"minLength": 1}}}, {"maxProperties": 0}],
        properties={"a": {"minimum": 0}},
    ),
    "20: names, patterns and the rest": of(
        D20, propertyNames={"pattern": "^[a-z]+$"}, patternProperties={"^x": {"type": "integer"}},
        additionalProperties={"type": ["string", "null"]}, properties={"a": {"items": {"minimum": 1}}},
    ),
    "20: references to the place of an edit": of(
        D20, properties={"a": {"type": "string", "maxLength": 3}, "b": {"$ref": "#/properties/a"},
                         "c": {"not": {"$ref": "#/properties/a"}}}, minProperties=1,
    ),
    "20: a reference into what is edited around it": of(
        D20, properties={"x": {"properties": {"a": {"type": "string"}, "l": {"items": {"minimum": 1}}}},
                         "c": {"$ref": "#/properties/x/properties/a"},
                         "d": {"not": {"$ref": "#/properties/x/properties/l/items"}}}, additionalProperties=False,
    ),
    "20: names by a reference, far from where they are": of(
        D20, properties={"a": {"items": {"$ref": "#/$defs/map"}}, "b": {"$ref": "#/$defs/map"}},
        **{"$defs": {"map": {"propertyNames": {"$ref": "#/$defs/name"}, "additionalProperties": {"type": "integer"}},
                     "name": {"pattern": "^[a-z]+$", "maxLength": 3}}},
    ),
    "20: a format for its neighbour in a list": of(D20, items={"format": "date"}),
    "07: an empty name": of(
        D07, properties={"": {"type": "object", "properties": {"": {"minimum": 1}}, "required": ["n"]}, "n": {}},
        additionalProperties=False,
    ),
    "20: dependentSchemas under not": of(
        D20, type="object", **{"not": {"dependentSchemas": {"a": {"required": ["b"]}}, "required": ["c"]}},
    ),
}  # fmt: skip

ODD: tuple[Any, ...] = (
    *VALUES, [None], ["a"], ["ab", 1], ["a", 1, True], [1, 3, 5], [3, 4, 5], ["b", 1, None, 0], [[None]], [[], 1],
    {"a": "x", "b": 1}, {"a": -1}, {"a": 3, "b": "x"}, {"b": "x"}, {"c": 1}, {"n": 1}, {"n": 1.5, "m": 2}, {"n": -1},
    {"v": 1, "kids": [{"v": 1}, {"v": -1}]}, {"v": 1, "kids": [{"v": 2, "kids": []}]}, {"next": {"next": None}},
    {"kind": "a"}, {"kind": "b", "n": 9}, {"k": "x", "m": 1}, {"k": "x", "m": "1"}, {"n": 2, "kids": [{"n": 0}]},
    {"list": [1]}, {"list": [2], "x": 0}, {"x1": 1}, {"p": 3, "q": {}}, {"p": 4}, {"no": 1}, {"deep": {"no": 1}},
    ["2020-01-01", "2020-01-01T00:00:00Z"], {"a": [{"A": 1}, {"B": 1}]}, {"a": [{"A": 1}], "b": {"abcd": 1}},
)  # fmt: skip
"""Instances whose verdict the schema decides: many reasons at once, and parts that few fixtures have."""


def generated(contract: Contract) -> list[Given]:
    corpus = generate(contract, options=GenerateOptions(faults="all"))
    sides = ("negative", "fixtures")
    return [Given(f"{sides[f.positive]}/{f.slug}", f.instance, f.positive, f.covers) for f in corpus.fixtures]


def odd(engine: Engine) -> list[Given]:
    found = []
    for number, instance in enumerate(ODD):
        verdict = engine.oracle.accepts(instance)
        if verdict is not None:
            found.append(Given(f"odd-{number}", instance, verdict))
    return found


def corpora_of(engine: Engine) -> dict[str, list[Given]]:
    """The corpus as generated, parts of it that leave gaps, and odd instances."""
    made = generated(engine.contract)
    return {
        "whole": made,
        "every third": made[::3],
        "positives": [f for f in made if f.accepted],
        "negatives, nothing said of them": [Given(f.file, f.instance, False) for f in made if not f.accepted],
        "odd": odd(engine),
    }


def brute(engine: Engine, mutation: Mutation, fixtures: Iterable[Given]) -> tuple[set[str], bool]:
    """The fixtures that get another verdict from the whole mutant, and whether it is no schema."""
    mutant = engine.oracle.mutant(mutation.edits())
    if mutant.broken:
        return set(), True
    found = set()
    for fixture in fixtures:
        try:
            if mutant.fast(fixture.instance) is not fixture.accepted:
                found.add(fixture.file)
        except ValidatorFailed:
            continue
    return found, False


def agrees(engine: Engine, mutations: Sequence[Mutation], corpora: dict[str, list[Given]]) -> int:
    """Hold the killer against brute force; how many mutants were killed in all."""
    killers = {name: Killer(Evidence(engine.oracle, fixtures)) for name, fixtures in corpora.items()}
    everything = {f"{name}/{f.file}": f for name, fixtures in corpora.items() for f in fixtures}
    named = [Given(name, f.instance, f.accepted) for name, f in everything.items()]
    count = 0
    for mutation in mutations:
        kills, broken = brute(engine, mutation, named)
        for name, killer in killers.items():
            told = killer.killed_by(mutation)
            wanted = {file.partition("/")[2] for file in kills if file.startswith(name + "/")}
            what = f"{mutation.class_} with the corpus {name!r}"
            if told is None:
                assert not wanted, f"{what} is killed by {wanted}"
                assert bool(killer.broken) is broken, what
            else:
                assert told.file in wanted, f"{what} is not killed by {told}"
                count += 1
    return count


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_killer_agrees_with_brute_force(name: str) -> None:
    engine = Engine(contract_of(SCHEMAS[name]))
    assert agrees(engine, engine.mutants(), corpora_of(engine)) > 0


@pytest.mark.parametrize("name", UGLY)
def test_the_killer_agrees_with_brute_force_on_hard_schemas(name: str) -> None:
    engine = Engine(contract_of(UGLY[name]))
    agrees(engine, engine.mutants(), corpora_of(engine))


@settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck])
@given(schemas())
def test_the_killer_agrees_with_brute_force_on_any_schema(schema: Any) -> None:
    try:
        engine = Engine(contract_of(schema))
    except BadInput:
        assume(False)
        return
    agrees(engine, engine.mutants(), corpora_of(engine))


def test_no_fixture_kills_where_nothing_leads() -> None:
    """What the check calls unreachable without asking is what brute force finds nothing for."""
    unused = {"a": {"type": "string"}, "b": {"$ref": "#/definitions/c"}, "c": {"minLength": 1}}
    engine = Engine(contract_of(of(D07, type="object", definitions=unused)))
    loose = [m for m in engine.mutants() if m.site.pointer.startswith("/definitions")]
    assert {m.site.pointer for m in loose} == {"/definitions/a", "/definitions/b", "/definitions/c"}
    fixtures = [*generated(engine.contract), *odd(engine)]
    assert [m.class_ for m in loose if brute(engine, m, fixtures)[0]] == []


def test_every_keyword_and_dialect_is_among_the_schemas() -> None:
    """The list above covers every applicator."""
    text = {uri: json.dumps([s for s in SCHEMAS.values() if s["$schema"] == uri]) for uri in (D04, D06, D07, D19, D20)}
    assert all(len(found) > 10 for found in text.values())
    everything = "".join(text.values())
    wanted = (
        "allOf anyOf oneOf not if then else properties patternProperties additionalProperties propertyNames items "
        "prefixItems additionalItems contains minContains maxContains unevaluatedItems unevaluatedProperties "
        "dependencies dependentRequired dependentSchemas $ref $dynamicRef $recursiveRef $anchor $id id"
    )
    assert [name for name in wanted.split() if f'"{name}"' not in everything] == []


@pytest.mark.sweep
def test_the_killer_agrees_with_brute_force_on_real_schemas(corpora: Path) -> None:
    killed = 0
    for path in sorted((corpora / "dev").glob("*.json"))[::EVERY]:
        try:
            contract = load(str(path), None, LoadOptions(root=path.parent, unresolved="any"))
        except BadInput:
            continue
        engine = Engine(contract)
        made = generated(contract)
        mutants = engine.mutants()
        step = max(1, len(mutants) // MOST)
        killed += agrees(engine, mutants[::step], {"whole": made, "every third": made[::3]})
    assert killed > 1_000
