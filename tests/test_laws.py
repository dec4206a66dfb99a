"""The laws that hold for every schema, over arbitrary small ones of all dialects."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import knownbad
from arbitrary import UGLY, schemas
from knownbad.contract import Contract
from knownbad.corpus import Corpus
from knownbad.dialects import DIALECTS, Dialect, declared
from knownbad.errors import BadInput
from knownbad.generate import GenerateOptions, generate
from knownbad.keywords.aside import asides
from knownbad.keywords.places import subschemas
from knownbad.oracle import Oracle
from knownbad.pointers import replace
from knownbad.varied import contract_of


def law(examples: int) -> Callable[[Any], Any]:
    """So many schemas, the same ones every time."""
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck]
    )


def ugly(test: Any) -> Any:
    """Every hand-written hard schema as an explicit example."""
    for schema in UGLY.values():
        test = example(schema)(test)
    return test


def loaded(schema: Any) -> Contract:
    """The contract; schemas that are refused (a reference that never ends) are none of a law's business."""
    try:
        return contract_of(schema)
    except BadInput:
        assume(False)
        raise


def verdicts(schema: Any, instance: Any) -> tuple[bool, bool]:
    """What the two validators say, asked directly: nothing of ours is between."""
    cls = jsonschema.validators.validator_for(schema)
    slow = cls(schema, format_checker=cls.FORMAT_CHECKER).is_valid(instance)
    return slow, jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(instance)


@law(100)
@given(st.data())
def test_what_accepted_draws_is_accepted_by_both_validators(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    loaded(schema)
    try:
        strategy = knownbad.accepted(schema)
    except BadInput:
        return
    for _ in range(4):
        instance = data.draw(strategy)
        assert verdicts(schema, instance) == (True, True)


@law(100)
@given(st.data())
def test_what_rejected_draws_is_rejected_by_both_validators(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    loaded(schema)
    try:
        strategy = knownbad.rejected(schema)
    except BadInput:
        return
    for _ in range(4):
        instance = data.draw(strategy)
        assert verdicts(schema, instance) == (False, False)


@pytest.mark.parametrize("name", UGLY)
def test_the_strategies_of_hard_schemas_keep_their_word(name: str) -> None:
    schema = UGLY[name]

    def drawn_by(make: Callable[[Any], Any], verdict: bool) -> None:
        try:
            strategy = make(schema)
        except BadInput:
            return

        @law(15)
        @given(strategy)
        def holds(instance: Any) -> None:
            assert verdicts(schema, instance) == (verdict, verdict)

        holds()

    drawn_by(knownbad.accepted, True)
    drawn_by(knownbad.rejected, False)


@law(60)
@ugly
@given(schemas())
def test_positives_are_accepted_and_negatives_rejected_for_one_reason(schema: Any) -> None:
    contract = loaded(schema)
    corpus = generate(contract, options=GenerateOptions(faults="all"))
    oracle = Oracle(contract)
    for fixture in corpus.fixtures:
        assert verdicts(schema, fixture.instance) == (fixture.positive, fixture.positive), fixture
        if not fixture.positive:
            ways = asides(contract, contract.document.uri, fixture.keyword_location or "", fixture.member)
            assert any(oracle.mutant(edits).accepts(fixture.instance) for edits in ways), fixture
    slugs = [(fixture.positive, fixture.slug.lower()) for fixture in corpus.fixtures]
    assert len(set(slugs)) == len(slugs)


@law(40)
@ugly
@given(schemas())
def test_the_same_schema_gives_the_same_corpus(schema: Any) -> None:
    assert generate(loaded(schema)) == generate(loaded(schema))


def test_the_corpus_does_not_depend_on_the_hash_seed() -> None:
    printed = {_corpora(seed) for seed in ("0", "1", "4242")}
    assert len(printed) == 1, "the corpora differ between hash seeds"


def _corpora(hash_seed: str) -> str:
    """A digest of the corpora (with examples) of the hard schemas, made in a process of its own."""
    code = (
        "import hashlib; from arbitrary import UGLY; from knownbad.varied import contract_of\n"
        "from knownbad.generate import GenerateOptions, generate\n"
        "for name, schema in UGLY.items():\n"
        "    corpus = generate(contract_of(schema), options=GenerateOptions('all', examples=1))\n"
        "    print(name, hashlib.sha256(repr(corpus).encode()).hexdigest())\n"
    )
    paths = [str(Path(knownbad.__file__).parents[1]), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(paths)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return run.stdout


# -- annotations


@law(60)
@ugly
@given(schemas())
def test_a_title_or_description_changes_no_fixture(schema: Any) -> None:
    dialect = declared(schema)
    assume(dialect is not None)
    before, after = generate(loaded(schema)), generate(loaded(annotated(schema, dialect)))
    assert before.fixtures == after.fixtures
    assert before.outcomes == after.outcomes


def annotated(schema: Any, dialect: Dialect) -> Any:
    """The schema with a title and a description wherever they mean nothing, first and last in turn."""
    for path, child in [*subschemas(schema, dialect)]:
        schema = replace(schema, path, annotated(child, dialect))
    if not isinstance(schema, dict):
        return schema
    return {"title": "A title", **schema, "description": "A description"}


# -- names

WORDS = ("alpha", "beta", "delta")


@law(60)
@given(schemas(names=WORDS))
@example({"properties": {"beta": {"type": "boolean"}}, "required": ["beta"], "additionalProperties": False})
def test_the_corpus_of_a_renamed_property_is_the_renamed_corpus(schema: Any) -> None:
    """`beta` becomes `bolt`: as long, in the same place in the alphabet, and misspelt in the same ways."""
    text = json.dumps(schema)
    assume("patternProperties" not in text and "propertyNames" not in text and '"beta"' in text)
    before, after = generate(loaded(schema)), generate(loaded(json.loads(text.replace("beta", "bolt"))))
    assert renamed(told(before)) == told(after)


def renamed(text: str) -> str:
    return text.replace("beta", "bolt").replace("Beta", "Bolt")


def told(corpus: Corpus) -> str:
    """All of a corpus, without the digests that tell twins among slugs apart."""
    rows = [repr(row) for row in (*corpus.fixtures, *corpus.outcomes)]
    return re.sub(r"-[0-9a-f]{8}\b", "-twin", "\n".join(rows))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_the_arbitrary_schemas_are_worth_something(dialect: Dialect) -> None:
    """Most schemas of the strategy have positives and negatives: laws over empty corpora would say nothing."""
    found: list[tuple[int, int]] = []

    @law(30)
    @given(schemas(dialects=(dialect,)))
    def count(schema: Any) -> None:
        corpus = generate(loaded(schema))
        found.append((len(corpus.positives), len(corpus.negatives)))

    count()
    assert sum(positives > 0 for positives, _ in found) > len(found) / 2
    assert sum(negatives > 0 for _, negatives in found) > len(found) / 2
