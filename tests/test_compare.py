"""Two schemas are compared: what narrowed, what widened, and the instance that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad.contract import Contract, Document
from knownbad.dialects import DRAFT_2020_12, declared
from knownbad.differ import Comparison, compare

D4, D7 = "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#"
D19, D20 = "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"


def contract(schema: Any, name: str = "schema") -> Contract:
    """A contract of one document."""
    uri = f"https://knownbad.invalid/{name}.json"
    return Contract(name, name, {uri: Document(uri, f"{name}.json", schema, declared(schema) or DRAFT_2020_12)})


def compared(base: Any, head: Any, **options: Any) -> Comparison:
    """Head against base."""
    return compare(contract(base), contract(head), **options)


CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}

SAME = "equivalent"
PAIRS: list[tuple[str, Any, Any, str]] = [
    ("an object opened", CLOSED, OPEN, "widened"),
    (
        "a bound written otherwise",
        {"type": "integer", "minimum": 1},
        {"type": "integer", "exclusiveMinimum": 0},
        "equivalent",
    ),
    ("a const exchanged", {"const": 1}, {"const": 2}, "both"),
    ("a format added", {"type": "string"}, {"type": "string", "format": "date"}, "narrowed"),
]


@pytest.mark.parametrize("base, head, verdict", [pytest.param(*p[1:], id=p[0]) for p in PAIRS])
def test_a_change_has_its_verdict_and_the_reverse_change_the_reverse(base: Any, head: Any, verdict: str) -> None:
    """The verdicts of small pairs; mirrored, narrowing and widening change places."""
    mirrored = {"narrowed": "widened", "widened": "narrowed"}.get(verdict, verdict)
    assert compared(base, head).verdict == verdict
    assert compared(head, base).verdict == mirrored


def test_both_contracts_answer_as_one_for_all_that_a_walk_asks() -> None:
    """The joint contract has every public attribute of a contract that takes a subschema."""
    from inspect import signature

    from knownbad.differ.sides import Joint

    asked = {
        name
        for name, member in vars(Contract).items()
        if callable(member) and not name.startswith("_") and {"source", "parent"} & signature(member).parameters.keys()
    }
    assert "child" in asked
    assert asked <= set(dir(Joint))
