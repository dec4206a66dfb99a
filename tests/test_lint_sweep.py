"""What lint says of the schemas of the corpora holds when it is looked at in another way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knownbad.codes.lint import SILENT
from knownbad.compiled import ValidatorFailed
from knownbad.config import Entry, project
from knownbad.contract import Contract, Subschema
from knownbad.either import edited_contract
from knownbad.errors import BadInput, OutOfSteps
from knownbad.finding import Finding
from knownbad.keywords.mutation import Mutation
from knownbad.keywords.shape import Ob
from knownbad.lint import lint
from knownbad.lint.job import run
from knownbad.load import LoadOptions, load
from knownbad.oracle import Oracle
from knownbad.pointers import steps
from knownbad.produce import Options, single
from knownbad.witness.chooser import Seeded
from knownbad.witness.instance import Walk
from official_suite import DRAFTS, cases, files

pytestmark = pytest.mark.sweep

SECONDS = 10
"""Of one schema."""


def loaded(path: Path, **options: Any) -> Contract | None:
    try:
        return load(str(path), options=LoadOptions(unresolved="any", **options))
    except BadInput:
        return None


def without(contract: Contract, finding: Finding) -> tuple[Subschema, Contract] | None:
    """The schema object of a finding, and the contract without the keyword that it is about."""
    holder, _, keyword = (finding.location or "").rpartition("/")
    document = next((d for d in contract.documents.values() if d.name == finding.file), None)
    sub = contract.known(document.uri, holder) if document else None
    if sub is None or not isinstance(sub.value, dict):
        return None
    value = {k: v for k, v in sub.value.items() if k != steps(f"/{keyword}")[0]}
    return sub, edited_contract(contract, Mutation("", sub, (), value, True, lambda: ()))


def walked(contract: Contract, sub: Subschema) -> Iterator[Any]:
    """Instances of one subschema, from seeded walks."""
    oracle = Oracle(contract)
    for seed in range(12):
        walk = Walk(contract, oracle, Seeded(seed), steps=1500)
        try:
            built = walk.solve([Ob(sub)])
        except (OutOfSteps, RecursionError, ValidatorFailed, LookupError):
            continue
        if built is not None:
            yield built.value


def told_otherwise(contract: Contract, findings: list[Finding], pool: list[Any]) -> Iterator[str]:
    """What is wrong with claims that a keyword does nothing, or that nothing satisfies a schema."""
    oracle = Oracle(contract)
    for finding in findings:
        if finding.code.code == "KB106" and not finding.message.startswith("no "):
            document = next(d for d in contract.documents.values() if d.name == finding.file)
            sub = contract.known(document.uri, finding.location or "")
            assert sub is not None
            for value in [*pool, *walked(contract, sub)]:
                if oracle.local(sub, value):
                    yield f"{finding.location}: {finding.message}: {value!r}"
        elif finding.code.code == "KB107" and "/enum/" not in (finding.location or ""):
            found = without(contract, finding)
            if found is None:
                continue
            sub, edited = found
            loose = edited.known(sub.document.uri, sub.pointer)
            if loose is None:  # what held it is gone with it
                continue
            other = Oracle(edited)
            for value in [*pool, *walked(edited, loose)]:
                if oracle.local(sub, value) is not other.local(loose, value):
                    yield f"{finding.location}: {finding.message}: {value!r}"


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


def test_the_edited_contract_is_without_the_keyword(tmp_path: Path) -> None:
    """The check itself sees a claim that is wrong."""
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"type": "object", "minProperties": 1}))
    contract = load(str(path))
    claim = Finding(SILENT, "does nothing", "a.schema.json", "/minProperties", "a")
    assert set(told_otherwise(contract, [claim], [{}, {"a": 1}])) == {"/minProperties: does nothing: {}"}
