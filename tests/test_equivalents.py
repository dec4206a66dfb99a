"""No mutant that is called equivalent or unreachable has a witness: they are hunted here, by drawing instances.

What is drawn: what the schema and the mutant accept and reject, and those instances with a part replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import knownbad
from arbitrary import UGLY, VALUES
from conftest import ROOT
from knownbad.check import Checker
from knownbad.compiled import ValidatorFailed
from knownbad.contract import Contract
from knownbad.errors import BadInput
from knownbad.evidence import Given
from knownbad.generate import GenerateOptions, generate
from knownbad.keywords.mutation import Mutation
from knownbad.load import LoadOptions, load
from knownbad.mutants import EQUIVALENT, UNREACHABLE
from knownbad.varied import contract_of
from test_kill import D04, D06, D07, D19, D20, ODD, of

DRAWS = 30
"""Instances of each kind for a schema, and a few for each mutant."""
DRAWS_A_MUTANT = 8
MUTANTS = 40
"""How many mutants of one schema get drawings of their own."""
EVERY = 20
"""Of the dev set, every so many schemas are tried in a sweep."""

DEAD: dict[str, dict[str, Any]] = {
    "bounds beyond others": of(
        D20, type="object", minProperties=0, properties={
            "s": {"type": "string", "minLength": 0, "maxLength": 3, "pattern": "^a?$"},
            "n": {"type": "integer", "minimum": 3, "exclusiveMinimum": 2, "maximum": 9, "exclusiveMaximum": 20}},
    ),
    "an enum that says it all": of(D07, type=["string", "null"], enum=["a", "b", None], maxLength=4),
    "branches that cannot be": of(
        D20, type="object", properties={"k": {"const": "a"}}, required=["k"],
        anyOf=[{"properties": {"k": {"const": "b"}}, "minProperties": 2}, {"properties": {"k": {"const": "a"}}}],
    ),
    "formats that nobody asserts": of(D19, properties={"a": {"format": "made-up"}, "b": {"format": "ipv6"}}),
    "what patterns say again": of(
        D20, properties={"a": {"format": "date", "minLength": 1}}, patternProperties={"^a$": {"format": "date"}},
        additionalProperties={"type": "null"},
    ),
    "a name that cannot be, referred to from one that can": of(
        D20, propertyNames={"enum": ["c"]}, properties={"a": {"type": "string"}, "c": {"$ref": "#/properties/a"}},
    ),
    "the same deeper": of(
        D20, properties={"x": {"propertyNames": {"enum": ["q"]}, "properties": {"a": {"type": "string"}}},
                         "c": {"$ref": "#/properties/x/properties/a"}},
    ),
    "a part of allOf that says nothing, referred to": of(
        D07, properties={"x": {"allOf": [{}, {"type": "string"}]}, "c": {"$ref": "#/properties/x/allOf/0"}},
    ),
    "a condition that always holds": of(
        D07, type="object", **{"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"required": ["b"]}},
    ),
    "what is evaluated anyway": of(
        D20, allOf=[{"properties": {"a": {"type": "integer"}}}], properties={"a": {}}, unevaluatedProperties=False,
    ),
    "draft-04 with bounds that are dead": of(
        D04, minimum=1, exclusiveMinimum=False, maximum=5, enum=[1, 2, 3], dependencies={"a": {}},
    ),
    "tuples longer than lists may be": of(
        D06, type="array", items=[{"type": "null"}, {"type": "string"}], maxItems=1, additionalItems=False,
    ),
    "contains that counts nothing": of(D19, contains={"type": "null"}, minContains=0, maxItems=2, uniqueItems=True),
}  # fmt: skip
"""Schemas with mutants that change nothing."""

NEARLY: dict[str, dict[str, Any]] = {
    "a format that few strings have": of(D20, format="ipv6", maxLength=3),
    "a recursion that ends at once": of(
        D20, type="object", properties={"next": {"$ref": "#"}, "n": {"minimum": 1}}, maxProperties=1,
    ),
    "contains that need not be, but not often": of(D20, contains={"minimum": 3}, minContains=0, maxContains=1),
    "contains beside what is not evaluated": of(D20, contains={"minimum": 3}, minContains=0, unevaluatedItems=False),
    "minContains where it means nothing": of(D07, contains={"minimum": 3}, minContains=0),
    "a list in dependencies that another follows": of(D07, dependencies={"a": ["b"], "b": ["c"], "c": ["a"]}),
}  # fmt: skip
"""Schemas with mutants that seem to change nothing."""


def proved(contract: Contract, fixtures: list[Given]) -> Iterator[tuple[Mutation, str]]:
    """The mutants that are called equivalent or unreachable, each with its proof."""
    checker = Checker(contract, fixtures)
    for number, mutation in enumerate(checker.mutations):
        found = checker.found(number)
        if found.state in (EQUIVALENT, UNREACHABLE):
            yield mutation, str(found.reason)


def drawn(schema: Any, count: int) -> list[Any]:
    """Instances that a schema accepts and rejects, the same ones every time."""
    found: list[Any] = []
    for kind in (knownbad.accepted, knownbad.rejected):
        try:
            strategy = kind(schema)
        except (BadInput, LookupError):
            continue

        @settings(
            max_examples=count, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        )  # fmt: skip
        @given(strategy, st.data())
        def draw(instance: Any, data: st.DataObject) -> None:
            found.append(instance)
            found.append(replaced(instance, data))

        draw()
    return found


def replaced(instance: Any, data: st.DataObject) -> Any:
    """The instance with one part exchanged for another value, or taken away."""
    if isinstance(instance, dict) and instance and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(instance)))
        rest = {k: v for k, v in instance.items() if k != name}
        return rest if data.draw(st.booleans()) else {**rest, name: replaced(instance[name], data)}
    if isinstance(instance, list) and instance and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(instance) - 1))
        rest = [*instance[:at], *instance[at + 1 :]]
        return rest if data.draw(st.booleans()) else [*instance[:at], replaced(instance[at], data), *instance[at + 1 :]]
    return data.draw(st.sampled_from(VALUES))


def hunt(contract: Contract, fixtures: list[Given]) -> int:
    """Look for an instance on which the contract and a mutant called equivalent disagree; how many mutants are."""
    oracle = Checker(contract, ()).engine.oracle
    instances = [*drawn(contract, DRAWS), *ODD, *(f.instance for f in fixtures)]
    count = 0
    for mutation, proof in proved(contract, fixtures):
        mutant = oracle.mutant(mutation.edits())
        own: list[Any] = []
        if count < MUTANTS and set(contract.documents) == {contract.document.uri}:
            own = drawn(mutant.documents[contract.document.uri], DRAWS_A_MUTANT)
        count += 1
        for instance in (*instances, *own):
            try:
                same = mutant.fast(instance) is oracle.fast(instance)
            except ValidatorFailed:
                continue
            assert same, f"{mutation.class_} is called equivalent ({proof}), but {instance!r} tells"
    return count


@pytest.mark.parametrize("name", DEAD)
def test_what_is_called_equivalent_has_no_witness(name: str) -> None:
    contract = contract_of(DEAD[name])
    assert hunt(contract, []) > 0, "the schema was to have equivalent mutants"


@pytest.mark.parametrize("name", NEARLY)
def test_what_is_nearly_equivalent_is_not_called_so(name: str) -> None:
    hunt(contract_of(NEARLY[name]), [])


@pytest.mark.parametrize("name", UGLY)
def test_what_is_called_equivalent_in_hard_schemas_has_no_witness(name: str) -> None:
    hunt(contract_of(UGLY[name]), [])


@cache
def committed(name: str) -> tuple[Contract, list[Given]]:
    """A contract of the project with its corpus."""
    from knownbad import given as reading
    from knownbad.config import project
    from knownbad.mutate import MutateOptions
    from knownbad.produce import load_contract, tasks

    found = project(ROOT)
    (task,) = tasks(found, [name])
    return load_contract(found, task, MutateOptions().loading), reading.read(task.layout)


@pytest.mark.parametrize("path", sorted((ROOT / "schemas").glob("*.schema.json")), ids=lambda path: path.name)
def test_what_is_called_equivalent_in_our_own_schemas_has_no_witness(path: Path) -> None:
    hunt(*committed(path.name.removesuffix(".schema.json")))


def test_the_hunt_finds_what_there_is_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that is wrongly called equivalent is caught."""
    contract = contract_of(of(D20, type="object", properties={"n": {"type": "integer", "minimum": 1}}))
    liar = [(m, "a lie") for m in Checker(contract, ()).mutations if m.name == "minimum.lower"]
    assert liar
    monkeypatch.setitem(globals(), "proved", lambda *_: iter(liar))
    with pytest.raises(AssertionError, match="a lie"):
        hunt(contract, [])


@pytest.mark.sweep
def test_what_is_called_equivalent_in_real_schemas_has_no_witness(corpora: Path) -> None:
    hunted = 0
    for path in sorted((corpora / "dev").glob("*.json"))[::EVERY]:
        try:
            contract = load(str(path), None, LoadOptions(root=path.parent, unresolved="any"))
        except BadInput:
            continue
        made = generate(contract, options=GenerateOptions())
        hunted += hunt(contract, [Given(f.slug, f.instance, f.positive, f.covers) for f in made.fixtures])
    assert hunted > 50
