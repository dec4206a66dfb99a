"""Laws of comparing: over arbitrary schemas, the labelled pairs, the official suite and real edits."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import edits_table
from arbitrary import VALUES, schemas
from knownbad.dialects import DIALECTS
from knownbad.differ import Comparison, compare
from knownbad.differ.results import NO, UNKNOWN
from knownbad.distinguish import Engine
from knownbad.edited import edited_contract
from knownbad.errors import OutOfSteps
from knownbad.keywords.shape import Ob
from knownbad.oracle import Oracle
from knownbad.reach import reach
from knownbad.witness.chooser import Seeded
from knownbad.witness.instance import Walk
from test_compare import MIRRORED, contract, judged, shifts

CASES = Path(os.environ.get("KNOWNBAD_CASES", edits_table.EDITS.parents[1] / "cases")) / "compare.json"
"""Pairs with the verdict that people gave them."""
PAIRS_A_FILE = 40
"""How many pairs of schemas of one file of the official suite are compared."""
SEEDS = 4

few = settings(max_examples=40, deadline=None, suppress_health_check=[*HealthCheck])


def instances(schema: Any) -> list[Any]:
    """Some that a schema accepts and some that it rejects."""
    made = contract(schema)
    oracle = Oracle(made)
    found = []
    for seed in range(SEEDS):
        for accept in (True, False):
            walk = Walk(made, oracle, Seeded(seed))
            walk.renew(400)
            try:
                built = walk.solve([Ob(made.root, accept)])
            except (OutOfSteps, RecursionError):
                continue
            found += [] if built is None else [built.value]
    return found


def contradictions(found: Comparison, base: Oracle, head: Oracle, values: list[Any]) -> list[Any]:
    """Instances that show what was said to be proved not to be."""
    wrong = []
    for value in values:
        pair = base.accepts(value), head.accepts(value)
        if (
            pair == (True, False)
            and found.narrowing.state == NO
            or pair == (False, True)
            and found.widening.state == NO
        ):
            wrong.append(value)
    return wrong


@few
@given(schemas(), schemas())
def test_no_instance_contradicts_a_proof(base: Any, head: Any) -> None:
    """Whatever two schemas say: what is proved not to be is not seen, and what is shown is judged so."""
    found = compare(contract(base), contract(head))
    values = [*VALUES, *instances(base), *instances(head)]
    assert contradictions(found, Oracle(contract(base)), Oracle(contract(head)), values) == []
    for way, shift in shifts(found):
        if shift.shown:
            accepting, rejecting = (base, head) if way == "narrowing" else (head, base)
            assert judged(accepting, shift.witness) == (True, True)
            assert judged(rejecting, shift.witness) == (False, False)


@few
@given(schemas())
def test_a_schema_is_equivalent_to_its_refactorings(schema: Any) -> None:
    """Split, renamed, annotated, keywords in the reverse order: nothing changes, and that is proved."""
    text = json.dumps(schema).replace('"node"', '"other"').replace("/node", "/other")
    renamed = json.loads(text)
    turned = dict(reversed(schema.items()))
    container = "$defs" if "$defs" in schema else "definitions"
    kept = {k: v for k, v in schema.items() if k in ("$schema", container)}
    split = {**kept, "allOf": [{k: v for k, v in schema.items() if k not in kept}]}
    for other in (schema, renamed, turned, {**schema, "title": "T", "default": 1}, split):
        assert compare(contract(schema), contract(other)).verdict == "equivalent"


@few
@given(schemas(), schemas())
def test_mirrored_a_comparison_is_the_comparison_of_the_reverse(base: Any, head: Any) -> None:
    there, back = compare(contract(base), contract(head)), compare(contract(head), contract(base))
    assert back.verdict == MIRRORED.get(there.verdict, there.verdict)
    assert (there.narrowing.state, there.widening.state) == (back.widening.state, back.narrowing.state)


@few
@given(schemas())
def test_what_a_mutation_shows_is_seen_by_the_comparison(schema: Any) -> None:
    """A mutant is a head with one edit: nothing that shows it contradicts what is said of base and head."""
    made = contract(schema)
    for mutation in Engine(made).mutants()[:3]:
        edited = edited_contract(made, mutation.site, mutation.value)
        found = compare(made, edited)
        values = [*VALUES, *instances(schema), *instances(edited.document.value)]
        assert contradictions(found, Oracle(made), Oracle(edited), values) == []


@pytest.mark.skipif(not CASES.is_file(), reason="no labelled pairs; set KNOWNBAD_CASES")
def test_the_labelled_pairs_have_their_verdicts() -> None:
    """Whoever labelled them; no verdict rests on an instance that the validators do not confirm."""
    wrong = []
    for case in json.loads(CASES.read_text("utf-8"))["pairs"]:
        found = compare(contract(case["base"]), contract(case["head"]))
        if found.verdict != case["expect"]:
            wrong.append(f"{case['name']}: {found.verdict}, not {case['expect']}")
        for way, shift in (("narrowing", found.narrowing), ("widening", found.widening)):
            if shift.shown:
                sides = (case["base"], case["head"]) if way == "narrowing" else (case["head"], case["base"])
                assert judged(sides[0], shift.witness) == (True, True)
                assert judged(sides[1], shift.witness) == (False, False)
    assert wrong == []


@pytest.mark.sweep
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_the_data_of_the_official_suite_contradicts_no_proof(corpora: Path, dialect: Any) -> None:
    """Pairs of schemas of one file, judged on all data of that file."""
    name = {4: "draft4", 6: "draft6", 7: "draft7", 19: "draft2019-09", 20: "draft2020-12"}[dialect.year]
    counts = {"pairs": 0, "undecided": 0}
    for file in sorted((corpora / "json-schema-test-suite/tests" / name).glob("*.json")):
        groups = json.loads(file.read_text("utf-8"))
        data = [test["data"] for group in groups for test in group["tests"]]
        usable = []
        for group in groups:
            schema = group["schema"]
            schema = {"$schema": dialect.uri, **schema} if isinstance(schema, dict) else schema
            with suppress(LookupError):  # it refers to other documents, or is of a dialect of its own
                made = contract(schema)
                reach(made)
                usable += [made] if Oracle(made).broken is None else []
        pairs = [*permutations(usable, 2)]
        Random(0).shuffle(pairs)
        for base, head in pairs[:PAIRS_A_FILE]:
            found = compare(base, head)
            counts["pairs"] += 1
            counts["undecided"] += UNKNOWN in (found.narrowing.state, found.widening.state)
            assert contradictions(found, Oracle(base), Oracle(head), data) == [], (file.name, base, head)
    assert counts["undecided"] <= counts["pairs"] / 10


@pytest.mark.sweep
def test_nine_of_ten_real_edits_are_decided(corpora: Path, tmp_path: Path) -> None:
    """With every witness confirmed without anything of ours, each in ten seconds, half of them in a third of one."""
    environment = edits_table.environment(str(tmp_path))
    edits = sorted(path.parent for path in (corpora / "schema-edits").glob("*/head.json"))
    edits_table.report(edits[0], environment)
    decided, times = 0, []
    for edit in edits:
        found, seconds = edits_table.report(edit, environment)
        decided += found["verdict"] in edits_table.DECIDED
        times.append(seconds)
        assert edits_table.wrong(edit, found) == []
    assert decided >= 0.9 * len(edits)
    assert max(times) < 10
    assert sorted(times)[len(times) // 2] < 0.35
