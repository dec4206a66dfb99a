"""A mutation check as SARIF 2.1.0, for code scanning: what survived, what is undecided, which keywords are dead."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from ..mutants import SURVIVED, UNDECIDED, Check, Checked, Mutant, worst_first
from . import parts, shown
from .edits import diff
from .sources import Sources, dead, family

_HELP = (
    "The corpus does not notice this edit of the schema. Add a fixture on which the schema and the edited schema "
    "disagree; `knownbad mutate --write` adds the one that is shown. A keyword whose removal changes nothing is a "
    "mistake in the schema: take it away, or write what was meant."
)


def text(checked: Checked) -> str:
    """The log, with a newline at the end. Paths are URIs relative to the root."""
    return json.dumps(document(checked), indent=2, ensure_ascii=False) + "\n"


def document(checked: Checked) -> dict[str, Any]:
    """The log: one rule an operator family, one result a survivor, undecided mutant or dead keyword."""
    found = [(check, sources, mutant) for check, sources, mutant in _mutants(checked) if _level(mutant)]
    rules = {name: number for number, name in enumerate(sorted({family(m.operator) for _, _, m in found}))}
    results = [_result(*entry, rules) for entry in found]
    return parts.sarif([_rule(name) for name in rules], _invocation(checked), results)


def _mutants(checked: Checked) -> Iterator[tuple[Check, Sources, Mutant]]:
    for check in checked.checks:
        sources = Sources(check, checked.root)
        for _, mutants in worst_first(check.mutants):
            yield from ((check, sources, mutant) for mutant in mutants)


def _level(mutant: Mutant) -> str | None:
    """`error`, `warning`, `note`; None: nothing to report."""
    if mutant.state == SURVIVED:
        return "error"
    if mutant.state == UNDECIDED:
        return "warning"
    return "note" if dead(mutant) else None


def _rule(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "shortDescription": {"text": f"The edit {name} of a schema"},
        "fullDescription": {"text": f"A mutant of a schema made by {name}, that the corpus of fixtures does not kill"},
        "help": {"text": _HELP},
        "defaultConfiguration": {"level": "error"},
    }


def _invocation(checked: Checked) -> dict[str, Any]:
    wrong = [(check, *shown.wrong(entry)) for check in checked.checks for entry in check.wrong]
    found: dict[str, Any] = {"executionSuccessful": not wrong, "exitCode": int(checked.exit)}
    if wrong:
        found["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": f"{check.contract}: {name}: {reason}"},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": parts.uri(name)}}}],
            }
            for check, name, reason in wrong
        ]
    return found


def _result(check: Check, sources: Sources, mutant: Mutant, rules: dict[str, int]) -> dict[str, Any]:
    name = family(mutant.operator)
    physical = parts.physical(sources.of(mutant).file, sources.place(mutant))
    digest = hashlib.sha256(f"{check.contract}: {mutant.identity}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return {
        "ruleId": name,
        "ruleIndex": rules[name],
        "level": _level(mutant),
        "message": {"text": _message(check, mutant)},
        "locations": [
            {
                "physicalLocation": physical,
                "logicalLocations": [{"fullyQualifiedName": mutant.location, "kind": "property"}],
            }
        ],
        "partialFingerprints": parts.fingerprints("knownbadMutant/v1", digest),
        "properties": {
            "contract": check.contract,
            "state": mutant.state,
            "operator": mutant.operator,
            "code": code.code if (code := shown.code(mutant)) else None,
        },
    }


def _message(check: Check, mutant: Mutant) -> str:
    if dead(mutant):
        return parts.plain(f"{mutant.operator} at {mutant.location}: {shown.finding(mutant)}")
    said = f"missing: {shown.needed(mutant)}" if mutant.state == SURVIVED else f"{mutant.reason or 'no reason given'}"
    lines = [f"{mutant.operator} {mutant.state} in the corpus of {check.contract}; {said}"]
    lines += ["", *diff(mutant.before, mutant.after)]
    if shown.has_witness(mutant):
        lines += ["", f"{shown.verdicts(mutant)}:", *shown.instance(mutant.witness)]
    return parts.plain("\n".join(lines))
