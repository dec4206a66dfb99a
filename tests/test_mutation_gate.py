"""The project's own gate: no line of a schema of ours can be changed without a committed fixture noticing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from knownbad.config import project
from knownbad.mutants import KILLED, SURVIVED, UNDECIDED
from knownbad.mutate import MutateOptions, mutate
from knownbad.produce import tasks

SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))


def test_every_schema_of_ours_is_a_contract() -> None:
    found = {ROOT / entry.schema.partition("#")[0] for entry in project(ROOT).contracts}
    assert found >= set(SCHEMAS)
    assert SCHEMAS


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_the_corpus_of_a_schema_of_ours_has_score_100_and_nothing_is_undecided(path: Path) -> None:
    found = project(ROOT)
    (name,) = [entry.name for entry in found.contracts if entry.schema == path.relative_to(ROOT).as_posix()]
    checked = mutate(found, tasks(found, [name]), MutateOptions(faults="all"))
    (check,) = checked.checks
    assert check.wrong == ()
    assert [m.identity for m in check.mutants if m.state == SURVIVED] == []
    assert [f"{m.identity}: {m.reason}" for m in check.mutants if m.state == UNDECIDED] == []
    assert check.count(KILLED) > len(check.mutants) / 2
    assert checked.score == 100.0
    assert checked.exit == 0
