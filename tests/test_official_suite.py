"""Whatever is generated for a schema of the official JSON-Schema-Test-Suite gets the claimed verdict.

The validators that judge are compiled from the suite's own files (see `official_suite`). What is known to be otherwise
stands in `official_suite_ledger.toml`, each with its reason: refused schemas, verdicts of a validator that are not the
suite's, classes that stay undecided. A stale entry fails as a missing one does.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from official_suite import DRAFTS, Case, Found, cases, examined, files

LEDGER: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("official_suite_ledger.toml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="session")
def suite(corpora: Path) -> Path:
    """The folder of the suite."""
    folder = corpora / "json-schema-test-suite"
    if not folder.is_dir():
        pytest.skip(f"no official test suite at {folder}")
    return folder


def listed(kind: str, draft: str) -> Iterator[dict[str, Any]]:
    """The entries of the ledger of one kind that are about a draft."""
    return (entry for entry in LEDGER[kind] if draft in entry["drafts"])


def unlike(case: Case, found: Found) -> Iterator[tuple[str, str, str]]:
    for test, validator in found.suite:
        yield validator, case.file, f"{case.description}: {test}"


@pytest.mark.sweep
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_schema_of_a_draft_gets_a_corpus_whose_claims_two_validators_confirm(suite: Path, draft: str) -> None:
    """Every positive accepted, every negative rejected and for its keyword alone; each skip with its reason."""
    wrong: list[str] = []
    refused: set[tuple[str, str]] = set()
    undecided: set[tuple[str, str]] = set()
    other: Counter[tuple[str, str, str]] = Counter()
    negatives = 0
    for file in files(suite, draft):
        for case in cases(suite, draft, file):
            found = examined(case)
            wrong += [f"{case.name}: {claim}" for claim in found.wrong]
            other.update(unlike(case, found))
            negatives += found.negatives
            if found.refused is not None:
                refused.add((file, case.description))
            if found.undecided:
                undecided.add((file, case.description))
    assert wrong == []
    assert negatives > 500
    assert refused == {(e["file"], e["schema"]) for e in listed("refused", draft)}
    assert undecided == {(e["file"], e["schema"]) for e in listed("undecided", draft)}
    assert set(other) == {(e["validator"], e["file"], test) for e in listed("unlike", draft) for test in e["tests"]}


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_first_schemas_of_each_keyword_get_a_corpus_whose_claims_two_validators_confirm(
    suite: Path, draft: str
) -> None:
    """The same for three schemas a keyword, quick enough for every run."""
    wrong = []
    looked_at = 0
    for file in files(suite, draft):
        for case in cases(suite, draft, file)[:3] if "/" not in file else ():
            wrong += [f"{case.name}: {claim}" for claim in examined(case).wrong]
            looked_at += 1
    assert wrong == []
    assert looked_at > 60


def test_a_wrong_claim_about_a_schema_of_the_suite_is_noticed(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The forced failure: when the judges are given another schema than the corpus was made for, they say so."""
    case = cases(suite, "draft2020-12", "type.json")[0]
    honest = examined(case)
    monkeypatch.setattr(
        "official_suite.judges", lambda *_: {"contrary": lambda instance: not isinstance(instance, int)}
    )
    assert honest.wrong == []
    assert any("contrary has another verdict" in claim for claim in examined(case).wrong)


@pytest.mark.parametrize(("kind", "keys"), [("refused", "schema"), ("unlike", "tests"), ("undecided", "schema")])
def test_every_entry_of_the_ledger_names_drafts_and_a_reason(kind: str, keys: str) -> None:
    """The ledger is complete in form."""
    for entry in LEDGER[kind]:
        assert entry["reason"]
        assert entry[keys]
        assert set(entry["drafts"]) <= DRAFTS.keys()
