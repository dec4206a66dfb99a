"""`generate --examples`: more instances of a class, each for something new, the same every time."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from conftest import ROOT
from knownbad.corpus import FIXTURE, Corpus
from knownbad.distinguish import Engine
from knownbad.examples import Choices, features
from knownbad.generate import GenerateOptions, generate
from knownbad.load import load
from knownbad.varied import Varied, contract_of

ENVELOPE = str(ROOT / "schemas/error-envelope.schema.json")

TREE = {
    "type": "object",
    "required": ["value"],
    "additionalProperties": False,
    "properties": {"value": {"type": "number"}, "children": {"type": "array", "items": {"$ref": "#"}}},
}


def different(values: list[Any]) -> set[str]:
    return {json.dumps(value, sort_keys=True) for value in values}


def corpus_of(schema: Any, examples: int) -> Corpus:
    return generate(contract_of(schema), options=GenerateOptions(examples=examples))


@cache
def envelopes(examples: int) -> Corpus:
    return corpus_of(ENVELOPE, examples)


def test_examples_add_so_many_instances_a_class_and_change_nothing_else() -> None:
    plain, more = envelopes(0), envelopes(2)
    assert more.outcomes == plain.outcomes
    added = [f for f in more.fixtures if f not in plain.fixtures]
    assert len(added) == len(more.fixtures) - len(plain.fixtures)
    of_class: dict[str, int] = {}
    for fixture in added:
        assert fixture.slug.endswith(("-example-1", "-example-2"))
        of_class[fixture.class_] = of_class.get(fixture.class_, 0) + 1
    shown = {o.class_ for o in plain.outcomes if o.state == FIXTURE}
    short = sorted(class_ for class_ in shown if of_class.get(class_, 0) < 2)
    only_one = {"/$defs/error: type.add[null]", "required.remove[error]", "type.add[null]"}
    assert only_one <= set(short), "there is only one null, and only one object without members"
    assert len(short) <= len(only_one) + 1


def test_examples_are_witnesses_of_their_class_with_the_rows_of_others() -> None:
    contract = load(ENVELOPE)
    engine = Engine(contract)
    mutations = {m.class_: m for m in engine.mutations()}
    added = [f for f in envelopes(2).fixtures if "-example-" in f.slug]
    for fixture in added:
        mutation = mutations[fixture.class_]
        assert engine.refuted(mutation, fixture.instance) is None
        assert fixture.covers == (fixture.class_,)
        if not fixture.positive:
            assert (fixture.fault, fixture.keyword_location) == (mutation.name, mutation.location)
            assert fixture.base
            assert fixture.patch


def test_examples_differ_and_are_shrunk_to_one_new_thing() -> None:
    """Each shows something that no earlier one shows, and little else: a few operations turn the base into it."""
    corpus = envelopes(2)
    of_class: dict[str, list[Any]] = {}
    for fixture in corpus.fixtures:
        if not fixture.positive:
            of_class.setdefault(fixture.class_, []).append(fixture.instance)
    for instances in of_class.values():
        assert len(different(instances)) == len(instances)
    operations = sorted(len(f.patch or ()) for f in corpus.negatives if "-example-1" in f.slug)
    assert operations[len(operations) // 2] <= 2


def test_examples_of_a_class_do_not_depend_on_the_rest_of_the_schema() -> None:
    def example_of(schema: Any) -> list[Any]:
        found = [f.instance for f in corpus_of(schema, 2).negatives if f.class_ == "/properties/a: type.add[null]"]
        assert len(found) > 1
        return found

    base = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": ["string", "integer"]}, "b": {"type": "boolean"}},
    }
    changed = {
        **base,
        "properties": {**base["properties"], "b": {"type": "boolean", "title": "other"}},
        "minProperties": 1,
    }
    assert example_of(base) == example_of(changed)


def test_an_example_larger_than_a_fixture_may_be_is_not_written() -> None:
    options = GenerateOptions(examples=3, max_size=24)
    corpus = generate(contract_of({"type": "object", "required": ["a"], "properties": {"a": {}}}), options=options)
    assert all(len(json.dumps(f.instance, indent=2)) < 24 for f in corpus.fixtures)


def test_the_same_choices_give_the_same_instance() -> None:
    varied = Varied(contract_of(TREE))
    for number in range(20):
        choices = Choices((), Random(number))
        value = varied.accepted(choices)
        assert varied.accepted(Choices(choices.taken)) == value


def test_features_tell_what_is_to_be_seen_in_an_instance() -> None:
    found = set(features({"a": [1, -1], "b": "12", "c": {}, "d": "", "e": True, "f": 0}))
    assert found == {
        ("", "object"), ("/a", "array of 2"), ("/a/*", "integer"), ("/a/*", "negative integer"), ("/b", "digits"),
        ("/c", "no members"), ("/d", "blank"), ("/e", "true"), ("/f", "zero integer"),
    }  # fmt: skip
