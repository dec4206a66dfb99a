"""Each operator makes the mutant that its row says, and whatever the schema, every mutant is a schema of its own."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from arbitrary import UGLY, schemas
from knownbad import formats
from knownbad.contract import Contract, Document
from knownbad.dialects import DIALECTS, DRAFT_04, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, declared
from knownbad.distinguish import Engine, Undecided, Witness
from knownbad.either import compare
from knownbad.keywords import strings
from knownbad.keywords.table import mutations, variants
from knownbad.keywords.unlike import difference
from knownbad.keywords.widening import widened
from knownbad.schema_check import compile_all, problems
from operator_table import EITHER, OPERATORS, PAGE, direction, every, found, kind, written
from test_faults import contract

EVERY = 8
"""One in so many schemas of the corpora is looked at."""
LARGE = 20_000
"""Characters up to which a mutant is held against its metaschema."""


@pytest.mark.parametrize(
    ("dialect", "schema", "class_", "value", "expected"), OPERATORS, ids=[f"{o[2]} {o[0].name}" for o in OPERATORS]
)
def test_an_operator_makes_its_mutant(dialect: Any, schema: Any, class_: str, value: Any, expected: str) -> None:
    mutation, _ = found(schema, dialect, class_)
    assert (mutation.value, direction(mutation)) == (value, expected)


@pytest.mark.parametrize(
    ("dialect", "schema", "class_", "value", "expected"), OPERATORS, ids=[f"{o[2]} {o[0].name}" for o in OPERATORS]
)
def test_a_mutant_is_told_apart_as_expected_or_proved_the_same(
    dialect: Any, schema: Any, class_: str, value: Any, expected: str
) -> None:
    engine = Engine(contract(schema, dialect))
    mutation = next(m for m, _ in every(engine.contract) if m.class_ == class_)
    walked = not mutation.either and any(mutation.plan())
    answer = engine.distinguish(mutation) if walked else compare(engine, mutation)
    assert not isinstance(answer, Undecided), answer
    if isinstance(answer, Witness) and expected != EITHER:
        assert not answer.turned


def test_every_operator_that_a_schema_of_the_table_has_is_in_the_table() -> None:
    listed = {kind(class_.rpartition(": ")[2]) for _, _, class_, _, _ in OPERATORS}
    made = {kind(m.name) for dialect, schema, *_ in OPERATORS for m, _ in every(contract(schema, dialect))}
    assert made - listed == set()


def test_the_table_of_operators_is_that_of_the_page() -> None:
    """`make docs` writes it."""
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text


def told_apart(held: Contract) -> Counter[str]:
    """How many mutants of each kind there are, once every place is seen to have no two of one name or one result."""
    kinds: Counter[str] = Counter()
    for sub in list(held.subschemas()):
        if sub.document is not held.document:
            continue
        made = [*mutations(held, sub), *variants(held, sub)]
        names = Counter(m.name for m in made)
        assert [name for name, count in names.items() if count > 1] == [], sub
        results = Counter(difference(sub.value, m.value) for m in made)
        assert None not in results, sub
        assert [result for result, count in results.items() if count > 1] == [], sub
        for mutation in made:
            kinds[kind(mutation.name)] += 1
            if not isinstance(mutation.value, bool) and len(json.dumps(mutation.value)) < LARGE:
                found = problems(mutation.value, sub.dialect, "mutant", "")
                assert [p.message for p in found] == [], f"{sub} {mutation.name}: {mutation.value}"
    return kinds


@given(schemas())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_mutants_of_arbitrary_schemas_are_schemas_and_unlike_each_other(schema: Any) -> None:
    dialect = declared(schema)
    assert dialect is not None
    told_apart(contract(schema, dialect))


@pytest.mark.parametrize("schema", UGLY.values(), ids=UGLY)
def test_mutants_of_ugly_schemas_are_schemas_and_unlike_each_other(schema: Any) -> None:
    dialect = declared(schema)
    assert dialect is not None
    told_apart(contract(schema, dialect))


def patterns_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["pattern"]} if isinstance(value.get("pattern"), str) else set()
        return own.union(*map(patterns_in, value.values()))
    return set().union(*map(patterns_in, value)) if isinstance(value, list) else set()


@pytest.mark.sweep
def test_mutants_of_real_schemas_are_schemas_and_unlike_each_other(corpora: Path) -> None:
    kinds: Counter[str] = Counter()
    for path in sorted((corpora / "dev").glob("*.json"))[::EVERY]:
        schema = json.loads(path.read_text(encoding="utf-8"))
        try:
            dialect = declared(schema) or DRAFT_2020_12
            kinds += told_apart(
                Contract(path.stem, path.name, {"urn:x": Document("urn:x", path.name, schema, dialect)})
            )
        except LookupError:  # an unknown dialect, or a reference into a document that is not here
            continue
        for pattern in patterns_in(schema):
            if compile_all([pattern]):
                assert compile_all(wider.pattern for wider in widened(pattern)), pattern
    assert sum(kinds.values()) > 1_000


WIDER = [
    (
        r"^[a-z]+\.\d{3}$",
        {
            "class[0]": r"^[A-Za-z]+\.\d{3}$", "class[1]": r"^[a-z]+\.\w{3}$", "dot[0]": r"^[a-z]+.\d{3}$",
            "fewer[0]": r"^[a-z]*\.\d{3}$", "fewer[1]": r"^[a-z]+\.\d{2,3}$", "more[0]": r"^[a-z]+\.\d{3,4}$",
        },
    ),
    ("[-a]?", {"class[0]": r"[_\-a]?", "more[0]": "[-a]*"}),
    ("(?<n>[^x])", {"class[0]": r"(?<n>[\s\S])"}),
    (r"\u{61}{2,}", {"fewer[0]": r"\u{61}{1,}"}),
    ("a*b{0}", {"more[0]": "a*b{0,1}"}),
    ("[a&&b]a{2000}", {}),
    ("[]a]+", {}),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "wider"), WIDER)
def test_parts_of_a_pattern_are_widened_one_at_a_time(pattern: str, wider: dict[str, str]) -> None:
    assert {w.name: w.pattern for w in widened(pattern)} == wider


def test_formats_are_exchanged_only_for_those_that_both_validators_assert() -> None:
    names = {*strings._WIDER, *strings._NEIGHBOURS, *(n for wider in strings._WIDER.values() for n in wider)}
    for dialect in DIALECTS:
        for name in names:
            for mutation, _ in every(contract({"format": name}, dialect)):
                if re.match(r"format\.(widen|narrow|to)", mutation.name):
                    assert formats.asserted(name, dialect)
                    assert formats.asserted(mutation.value["format"], dialect)


def test_a_reference_is_not_led_to_where_it_would_never_end() -> None:
    definitions = {
        "a": {"type": "string"},
        "b": {"$ref": "#/definitions/a"},
        "c": {"anyOf": [{"$ref": "#/definitions/b"}]},
    }
    held = {m.class_ for m, _ in every(contract({"definitions": definitions}, DRAFT_07))}
    assert "/definitions/c/anyOf/0: $ref.to[a]" in held  # not to c, which holds it
    assert not {name for name in held if name.startswith("/definitions/b: $ref.to")}  # b is itself, and c comes back


def test_siblings_of_a_reference_have_no_mutants_where_they_are_ignored() -> None:
    beside = {"$ref": "#/definitions/a", "minLength": 5, "definitions": {"a": {}}}
    old, new = (
        {m.name for m, _ in every(contract(beside, dialect)) if not m.site.pointer}
        for dialect in (DRAFT_07, DRAFT_2019_09)
    )
    assert {kind(name).partition(".")[0] for name in old} == {"$ref"}
    assert "minLength.lower" in new


def test_what_can_still_be_referred_to_stays() -> None:
    held = {"properties": {"a": {"type": "string", "definitions": {"b": {}}}}}
    mutation, _ = found(held, DRAFT_04, "properties.any[a]")
    assert mutation.value == {"properties": {"a": {"definitions": {"b": {}}}}}


def test_what_accepts_everything_as_it_stands_is_not_opened() -> None:
    held = contract({"properties": {"a": {"description": "anything"}}, "items": {}})
    assert not {m.name for m, _ in every(held) if kind(m.name) in ("properties.any", "items.open")}
