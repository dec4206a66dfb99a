"""What lint says of arbitrary small schemas of every dialect holds for instances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from arbitrary import VALUES, schemas
from knownbad.codes.lint import SILENT
from knownbad.config import Entry
from knownbad.errors import BadInput
from knownbad.finding import Finding
from knownbad.lint import lint
from knownbad.load import load
from knownbad.oracle import Oracle
from knownbad.varied import contract_of
from lint_claims import told_otherwise

MORE = ("abcd", "b", 3, 7, [1, 2], ["a", "a"], [[]], {"a": "b"}, {"b": 1, "a": 2}, {"isError": True, "x-1": 0})


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[*HealthCheck])
@given(schemas())
def test_no_instance_contradicts_what_is_claimed(schema: Any) -> None:
    """A keyword that does nothing, a schema that nothing satisfies, two branches that accept one instance."""
    try:
        contract = contract_of(schema)
    except BadInput:
        return
    findings = lint(None, contract, Entry("a", "a", strict=True, direction="output"))
    assert list(told_otherwise(contract, findings, [*VALUES, *MORE])) == []
    oracle = Oracle(contract)
    for finding in findings:
        if finding.code.code == "KB114":
            holder = contract.known(contract.document.uri, (finding.location or "").rpartition("/")[0])
            assert holder is not None
            assert not oracle.local(holder, finding.witness)


def test_a_wrong_claim_would_be_seen(tmp_path: Path) -> None:
    """The check itself works."""
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"type": "object", "minProperties": 1}))
    contract = load(str(path))
    claim = Finding(SILENT, "does nothing", "a.schema.json", "/minProperties", "a")
    assert set(told_otherwise(contract, [claim], [{}, {"a": 1}])) == {"/minProperties: does nothing: {}"}
