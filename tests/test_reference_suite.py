"""Every reference of the official test suite leads where the `referencing` library says."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from knownbad.contract import Contract, Subschema
from knownbad.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.errors import BadInput
from knownbad.load import LoadOptions, load, registry
from knownbad.references import references


def everywhere(contract: Contract) -> Iterator[Subschema]:
    stack = [contract.root]
    while stack:
        sub = stack.pop()
        stack += [child for _, child in contract.children(sub)]
        yield sub


CORPORA = Path(os.environ.get("KNOWNBAD_CORPORA", Path(__file__).parents[2] / "shared/corpora"))
SUITE = CORPORA / "json-schema-test-suite"
DRAFTS = {
    "draft4": DRAFT_04,
    "draft6": DRAFT_06,
    "draft7": DRAFT_07,
    "draft2019-09": DRAFT_2019_09,
    "draft2020-12": DRAFT_2020_12,
}
CUSTOM_METASCHEMAS = {"vocabulary.json": 2, "format-assertion.json": 2}
"""Schemas of the suite with a dialect of their own, by file: refused by intention."""


@pytest.mark.sweep
@pytest.mark.skipif(not SUITE.is_dir(), reason="the official test suite is not at hand")
@pytest.mark.parametrize(("draft", "dialect"), DRAFTS.items(), ids=DRAFTS)
def test_every_schema_of_the_official_suite_loads_and_resolves_as_referencing_does(
    tmp_path: Path, draft: str, dialect: Dialect
) -> None:
    options = LoadOptions(root=tmp_path, dialect=dialect, resolve={"http://localhost:1234/": SUITE / "remotes"})
    refused: dict[str, list[str]] = {}
    compared = 0
    for file in sorted((SUITE / "tests" / draft).rglob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            (tmp_path / "a.json").write_text(json.dumps(case["schema"]), encoding="utf-8")
            try:
                contract = load("a.json", None, options)
            except BadInput as error:
                refused.setdefault(file.name, []).append(error.problems[0].message[:38])
                continue
            resolver = registry(contract)
            for sub in everywhere(contract):
                for keyword, reference in references(sub) if isinstance(sub.value, dict) else ():
                    target = contract.target(sub, reference) if keyword == "$ref" else contract.dynamic(sub, keyword)[0]
                    assert target is not None
                    assert resolver.resolver(sub.base).lookup(reference).contents == target.value
                    compared += 1
    assert compared > 40
    unknown = "unknown dialect http://localhost:1234/"
    assert all(told == [unknown] * CUSTOM_METASCHEMAS.get(name, 0) for name, told in refused.items())
