"""The public strategies: what they draw, what they refuse, where they shrink to."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import knownbad
from conftest import ROOT
from knownbad.dialects import DIALECTS, DRAFT_04, Dialect
from knownbad.errors import BadInput
from knownbad.generate import generate
from knownbad.load import load
from knownbad.oracle import Oracle
from knownbad.strategies import Drawing
from knownbad.varied import Varied, contract_of
from knownbad.witness.instance import NO_HINT

ENVELOPE = "schemas/error-envelope.schema.json"

TREE = {
    "type": "object",
    "required": ["value"],
    "additionalProperties": False,
    "properties": {"value": {"type": "number"}, "children": {"type": "array", "items": {"$ref": "#"}}},
}
PETS = {
    "oneOf": [
        {"type": "object", "required": ["meows"], "properties": {"meows": {"type": "boolean"}}},
        {"type": "object", "required": ["barks"], "properties": {"barks": {"enum": ["loud", "low"]}}},
        {"type": "null"},
    ]
}


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def drawn(strategy: st.SearchStrategy[Any], count: int = 200) -> list[Any]:
    """What a strategy draws, the same every time."""
    found: list[Any] = []

    @settings(max_examples=count, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(value: Any) -> None:
        found.append(value)

    draw()
    return found


def different(values: list[Any]) -> set[str]:
    return {json.dumps(value, sort_keys=True) for value in values}


def smallest(strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool] = lambda value: True) -> Any:
    return find(strategy, condition, settings=settings(derandomize=True, database=None, max_examples=2000))


# -- accepted


def test_accepted_draws_varied_instances() -> None:
    """Optional members there and not there, every enum member, numbers over their range, strings of several lengths."""
    values = drawn(knownbad.accepted(ENVELOPE))
    errors = [value["error"] for value in values]
    assert len(different(values)) > 100
    assert {error.get("category") for error in errors} == {None, "transient", "terminal", "needs-clarification"}
    assert {error["retryable"] for error in errors} == {True, False}
    assert {"retry_after" in error for error in errors} == {True, False}
    assert len({error["retry_after"] for error in errors if "retry_after" in error}) > 10
    assert len({len(error["code"]) for error in errors}) > 5
    assert any(error.get("details") for error in errors), "no object that is open ever has a member"


def test_accepted_reaches_every_branch() -> None:
    values = drawn(knownbad.accepted(PETS))
    assert {"meows" in value if value else None for value in values} == {True, False, None}
    assert {value["barks"] for value in values if value and "barks" in value and "meows" not in value} == {
        "loud",
        "low",
    }


def test_accepted_goes_round_a_recursion() -> None:
    def depth(tree: dict[str, Any]) -> int:
        return 1 + max(map(depth, tree.get("children", [])), default=0)

    assert {depth(tree) for tree in drawn(knownbad.accepted(TREE))} >= {1, 2, 3}


@pytest.mark.parametrize(
    "schema, seen",
    [
        ({"type": "integer"}, {"negative": lambda v: v < 0, "zero": lambda v: v == 0, "large": lambda v: v > 100}),
        ({"type": "number", "minimum": 0, "maximum": 1}, {"within": lambda v: 0 < v < 1, "bound": lambda v: v == 0}),
        ({"type": "array", "items": {"type": "boolean"}}, {"empty": lambda v: not v, "three": lambda v: len(v) == 3}),
        ({"type": "object"}, {"empty": lambda v: not v, "a member": lambda v: len(v) > 0}),
        ({"type": "object", "patternProperties": {"^x-": {}}}, {"x-": lambda v: any(n.startswith("x-") for n in v)}),
        ({}, {"text": lambda v: isinstance(v, str), "null": lambda v: v is None, "[]": lambda v: isinstance(v, list)}),
        ({"type": "string", "format": "date"}, {"a date": lambda v: len(v) == 10}),
        ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2]}}, {"both": lambda v: len(v) == 2}),
        ({"type": "object", "maxProperties": 1, "properties": {"a": {}, "b": {}}}, {"b": lambda v: "b" in v}),
        ({"type": "string", "examples": ["PAYMENT_DECLINED"]}, {"the example": lambda v: v == "PAYMENT_DECLINED"}),
    ],
)  # fmt: skip
def test_what_a_schema_leaves_open_varies(schema: Any, seen: dict[str, Callable[[Any], bool]]) -> None:
    values = drawn(knownbad.accepted(schema))
    missing = [what for what, holds in seen.items() if not any(map(holds, values))]
    assert not missing, different(values)


def test_accepted_shrinks_to_the_smallest_fixture() -> None:
    contract = load(ENVELOPE)
    minimal = next(f.instance for f in generate(contract).positives if f.slug == "minimal")
    assert smallest(knownbad.accepted(contract)) == minimal


def test_shrinking_leaves_only_what_matters() -> None:
    tree = smallest(knownbad.accepted(TREE), lambda value: len(value.get("children", [])) >= 2)
    assert tree == {"value": 0, "children": [{"value": 0}, {"value": 0}]}


# -- rejected


def test_rejected_draws_many_faults_and_many_instances_of_each() -> None:
    contract = load(ENVELOPE)
    varied = Varied(contract)
    faults = varied.faults()
    values = drawn(knownbad.rejected(contract))
    shown = {m.class_ for m in faults if any(varied.is_witness(m, value) for value in values)}
    witnessed = {m.class_ for m in faults if varied.minimal(m) is not NO_HINT}
    assert len(different(values)) > 100
    assert len(shown) > len(witnessed) / 2


@pytest.mark.parametrize(
    "fault, holds",
    [
        ("required.remove[code]", lambda error: "code" not in error),
        ("/$defs/error: required.remove[code]", lambda error: "code" not in error),
        ("/$defs/error/properties/retryable: type.add[string]", lambda error: isinstance(error["retryable"], str)),
        ("enum", lambda error: error["category"] not in ("transient", "terminal", "needs-clarification")),
        ("maxLength", lambda error: max(len(error["code"]), len(error["hint"])) > 64),
        ("dependentSchemas", None),
        (": type.add[null]", None),
    ],
)
def test_a_fault_can_be_named(fault: str, holds: Callable[[Any], bool] | None) -> None:
    """By its class, its name or its keyword; `: name` is the fault of that name at the root."""
    if fault == "dependentSchemas":
        with pytest.raises(LookupError):
            knownbad.rejected(ENVELOPE, fault)
        return
    values = drawn(knownbad.rejected(ENVELOPE, fault), 50)
    if holds is None:
        assert values == [None] * len(values)
    else:
        assert all(holds(value["error"]) for value in values)
        assert len(different(values)) > 10


def test_every_rejected_instance_has_one_reason() -> None:
    varied = Varied(contract_of(PETS))
    for value in drawn(knownbad.rejected(PETS), 100):
        assert any(varied.is_witness(mutation, value) for mutation in varied.faults())


def test_rejected_shrinks_to_the_fixture_of_its_class() -> None:
    fault = "/$defs/error: required.remove[hint]"
    fixture = next(f for f in generate(load(ENVELOPE)).negatives if f.class_ == fault)
    assert smallest(knownbad.rejected(ENVELOPE, fault)) == fixture.instance


@pytest.mark.parametrize(
    "fault, told",
    [
        ("requird", "near it: 'required'"),
        ("required.remove[cod]", "'required.remove[code]'"),
        ("nothing-like-it", "it has faults of: type, required"),
        ("", "the schema has no fault ''"),
    ],
)
def test_an_unknown_fault_is_told_with_those_near_it(fault: str, told: str) -> None:
    with pytest.raises(LookupError) as caught:
        knownbad.rejected(ENVELOPE, fault)
    assert told in str(caught.value)


def test_a_fault_that_no_instance_shows_is_told_with_the_reason() -> None:
    with pytest.raises(LookupError, match=r"no instance fails for 'type\.add\[null\]' alone: .*`enum` beside it"):
        knownbad.rejected({"type": "string", "enum": ["a"]}, "type.add[null]")


# -- what a schema may be


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_schema_is_of_the_dialect_that_it_declares(dialect: Dialect) -> None:
    """A boolean `exclusiveMinimum` is draft-04's, a number that of the others."""
    bound: dict[str, Any] = {"minimum": 3, "exclusiveMinimum": True} if dialect is DRAFT_04 else {"exclusiveMinimum": 3}
    values = drawn(knownbad.accepted({"$schema": dialect.uri, "type": "integer", **bound}), 50)
    assert min(values) == 4


def test_without_a_declaration_a_schema_is_of_2020_12() -> None:
    values = drawn(knownbad.accepted({"type": "array", "prefixItems": [{"const": 1}], "minItems": 1}), 30)
    assert {value[0] for value in values} == {1}


@pytest.mark.parametrize("given_as", [str, Path, load, lambda path: json.loads(Path(path).read_text())])
def test_a_schema_may_be_a_path_a_contract_or_a_value(given_as: Callable[[str], Any]) -> None:
    oracle = Oracle(load(ENVELOPE))
    assert all(oracle.accepts(value) for value in drawn(knownbad.accepted(given_as(ENVELOPE)), 10))


def test_true_accepts_anything_and_false_nothing() -> None:
    assert len(different(drawn(knownbad.accepted(True), 100))) > 30
    with pytest.raises(BadInput, match="nothing satisfies the schema"):
        knownbad.accepted(False)
    assert drawn(knownbad.rejected(False), 10)
    with pytest.raises(BadInput, match="no instance that it rejects"):
        knownbad.rejected(True)


@pytest.mark.parametrize(
    "schema, told",
    [
        ({"type": "strnig"}, "schema: /type"),
        ({"$ref": "#/$defs/none"}, "/$ref"),
        ({"$ref": "#"}, "schema"),
        ({"pattern": "("}, "/pattern"),
        ({"minimum": float("nan")}, "no JSON number"),
        ({"enum": [{1, 2}]}, "is not made of JSON values"),
        (["not", "a", "schema"], "a schema is a dict, True or False"),
        (None, "a schema is a dict, True or False"),
        ("no-such-file.json", "there is no such file"),
    ],
)
def test_a_bad_schema_is_told_when_the_strategy_is_made(schema: Any, told: str) -> None:
    for make in (knownbad.accepted, knownbad.rejected):
        with pytest.raises(BadInput) as caught:
            make(schema)
        assert told in str(caught.value)


def test_a_schema_is_not_changed_by_later_edits() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    strategy = knownbad.accepted(schema)
    schema["type"] = "string"
    assert all(isinstance(value, int) for value in drawn(strategy, 10))


def test_importing_the_package_leaves_hypothesis_alone() -> None:
    code = "import sys, knownbad; print('hypothesis' in sys.modules, callable(knownbad.accepted))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "True"]


# -- drawing stays cheap


WIDE = {"type": "object", "properties": {f"p{n}": {"type": "array", "items": {"type": "string"}} for n in range(120)}}
DEEP = {"anyOf": [{"type": "array", "items": {"$ref": "#"}, "minItems": 2}, {"type": "null"}]}


@pytest.mark.parametrize("schema", [WIDE, DEEP], ids=["wide", "deep"])
def test_health_checks_are_kept_on_large_schemas(schema: Any) -> None:
    """No health check is suppressed here: too many choices, or too slow ones, would fail."""
    assert drawn(knownbad.accepted(schema), 25)
    assert drawn(knownbad.rejected(schema), 25)


def test_an_instance_takes_no_more_choices_than_its_share() -> None:
    taken = 0

    def draw(strategy: st.SearchStrategy[int]) -> int:
        nonlocal taken
        taken += 1
        return 1

    chooser = Drawing(draw)  # type: ignore[arg-type]
    for _ in range(1000):
        chooser.integer(0, 3)
    assert taken == 256
    assert chooser.minimal
    assert list(chooser.order(3)) == [0, 1, 2]


# -- the page


BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/strategies.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_python_of_the_page_runs(number: int) -> None:
    """Each block stands for itself; the property tests that it defines are called."""
    names: dict[str, Any] = {}
    exec(compile(BLOCKS[number], f"docs/strategies.md, block {number + 1}", "exec"), names)
    for name, value in list(names.items()):
        if name.startswith("test_"):
            settings(deadline=None, derandomize=True, database=None, max_examples=50)(value)()
