"""What lint says of the schemas of the corpora holds when it is looked at in another way."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import Entry, project
from knownbad.contract import Contract
from knownbad.errors import BadInput
from knownbad.lint import lint
from knownbad.lint.job import run
from knownbad.load import LoadOptions, load
from knownbad.oracle import Oracle
from knownbad.produce import Options, single
from lint_claims import told_otherwise
from official_suite import DRAFTS, cases, files

pytestmark = pytest.mark.sweep

SECONDS = 10
"""Of one schema."""


def loaded(path: Path, **options: Any) -> Contract | None:
    try:
        return load(str(path), options=LoadOptions(unresolved="any", **options))
    except BadInput:
        return None


@pytest.fixture(scope="session")
def pool(corpora: Path) -> list[Any]:
    """Many instances of all kinds: the data of the official tests."""
    found: dict[str, Any] = {}
    folder = corpora / "json-schema-test-suite"
    for file in files(folder, "draft2020-12"):
        for case in cases(folder, "draft2020-12", file):
            for test in case.tests:
                found.setdefault(json.dumps(test["data"], sort_keys=True)[:400], test["data"])
    return list(found.values())


@pytest.mark.parametrize("draft", DRAFTS)
def test_claims_about_the_official_suite_hold_for_its_own_instances(
    corpora: Path, draft: str, pool: list[Any], tmp_path: Path
) -> None:
    folder = corpora / "json-schema-test-suite"
    wrong: list[str] = []
    linted = 0
    for file in files(folder, draft):
        for case in cases(folder, draft, file):
            path = tmp_path / "a.schema.json"
            path.write_text(json.dumps(case.schema))
            contract = loaded(path, dialect=DRAFTS[draft][0], formats=case.formats)
            if contract is None:
                continue
            linted += 1
            findings = lint(None, contract, Entry("a", "a.schema.json"))
            wrong += [f"{case.name}: {claim}" for claim in told_otherwise(contract, findings, pool)]
    assert wrong == []
    assert linted > 100


@pytest.mark.parametrize("part", range(8))
def test_real_schemas_are_linted_in_time_and_claims_about_them_hold(corpora: Path, part: int, pool: list[Any]) -> None:
    slow, wrong = [], []
    paths = [*sorted((corpora / "dev").glob("*.json")), *sorted((corpora / "schema-edits").glob("*/*.json"))]
    for path in paths[part::8]:
        contract = loaded(path)
        if contract is None:
            continue
        start = time.monotonic()
        findings = lint(None, contract, Entry("a", path.name, direction="output", strict=True))
        if time.monotonic() - start > SECONDS:
            slow.append(path.name)
        wrong += [f"{path.name}: {claim}" for claim in told_otherwise(contract, findings, pool[:200])]
    assert wrong == []
    assert slow == []


@pytest.mark.parametrize("part", range(8))
def test_repairs_that_keep_the_meaning_keep_every_verdict(
    corpora: Path, part: int, pool: list[Any], tmp_path: Path
) -> None:
    wrong: list[str] = []
    repaired = 0
    for path in sorted((corpora / "dev").glob("*.json"))[part::8]:
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        task = single(project(tmp_path, discover=False), Entry("a", str(copy)), None)
        notes = run(project(tmp_path, discover=False), [task], Options(unresolved="any"), fix=True).notes
        repaired += len(notes)
        before, after = loaded(path), loaded(copy)
        assert before is not None
        assert after is not None, path.name
        if not any("says something else" in note for note in notes):
            one, other = Oracle(before), Oracle(after)
            wrong += [f"{path.name}: {value!r}" for value in pool if one.fast(value) is not other.fast(value)]
    assert wrong == []
    assert repaired > 5
