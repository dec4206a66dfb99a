"""What lint claims of a schema, held against instances: keywords that do nothing, schemas that nothing satisfies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knownbad.compiled import ValidatorFailed
from knownbad.contract import Contract, Subschema
from knownbad.edited import edited_contract
from knownbad.errors import OutOfSteps
from knownbad.finding import Finding
from knownbad.keywords.shape import Ob
from knownbad.oracle import Oracle
from knownbad.pointers import steps
from knownbad.witness.chooser import Seeded
from knownbad.witness.instance import Walk


def without(contract: Contract, finding: Finding) -> tuple[Subschema, Contract]:
    """The schema object of a finding, and the contract without the keyword that it is about."""
    holder, _, keyword = (finding.location or "").rpartition("/")
    document = next(d for d in contract.documents.values() if d.name == finding.file)
    sub = contract.known(document.uri, holder)
    assert sub is not None
    value = {k: v for k, v in sub.value.items() if k != steps(f"/{keyword}")[0]}
    return sub, edited_contract(contract, sub, value)


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
            sub, edited = without(contract, finding)
            loose = edited.known(sub.document.uri, sub.pointer)
            if loose is None:  # what held it is gone with it
                continue
            other = Oracle(edited)
            for value in [*pool, *walked(edited, loose)]:
                if oracle.local(sub, value) is not other.local(loose, value):
                    yield f"{finding.location}: {finding.message}: {value!r}"
