"""Findings as SARIF 2.1.0, for code scanning: a rule a code, its page as help, a result a finding."""

from __future__ import annotations

import json
from typing import Any

from ..errors import Exit
from ..finding import Code, Finding, Findings, Level
from ..rule_pages import page
from . import parts, shown
from .spots import Spots, has_witness

_LEVELS = {Level.ERROR: "error", Level.UNDECIDED: "warning", Level.WARNING: "warning", Level.NOTE: "note"}


def text(result: Findings) -> str:
    """The log, with a newline at the end. Paths are URIs relative to the root."""
    return json.dumps(document(result), indent=2, ensure_ascii=False) + "\n"


def document(result: Findings) -> dict[str, Any]:
    """The log."""
    found = [finding for _, group in result.grouped() for finding in group]
    codes = sorted({finding.code.code: finding.code for finding in found}.items())
    numbers = {code: number for number, (code, _) in enumerate(codes)}
    spots = Spots(result)
    failed = result.exit not in (Exit.GOOD, Exit.FINDINGS, Exit.UNDECIDED)
    invocation: dict[str, Any] = {"executionSuccessful": not failed, "exitCode": int(result.exit)}
    results = [_result(finding, spots, numbers) for finding in found]
    return parts.sarif([_rule(code) for _, code in codes], invocation, results)


def _rule(code: Code) -> dict[str, Any]:
    told = page(code.code) or code.summary
    words = "".join(part.capitalize() for part in code.name.split("-"))
    return {
        "id": code.code,
        "name": words,
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": code.summary},
        "help": {"text": told, "markdown": told},
        "defaultConfiguration": {"level": _LEVELS.get(code.level, "none")},
    }


def _result(finding: Finding, spots: Spots, numbers: dict[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": finding.code.code,
        "ruleIndex": numbers[finding.code.code],
        "level": _LEVELS[finding.weight],
        "message": {"text": _message(finding)},
        "partialFingerprints": parts.fingerprints("knownbadFinding/v1", finding.fingerprint),
        "properties": {"contract": finding.contract, "level": finding.weight.value, "subject": finding.subject},
    }
    path = spots.path(finding)
    if path is not None:
        place: dict[str, Any] = {"physicalLocation": parts.physical(path, spots.place(finding))}
        if finding.location:
            place["logicalLocations"] = [{"fullyQualifiedName": finding.location, "kind": "property"}]
        found["locations"] = [place]
    return found


def _message(finding: Finding) -> str:
    lines = [finding.message]
    if has_witness(finding):
        lines += ["", *shown.instance(finding.witness)]
    lines += ["", *finding.detail] if finding.detail else []
    lines += ["", f"fix: {finding.fix}"] if finding.fix else []
    return parts.plain("\n".join(lines))
