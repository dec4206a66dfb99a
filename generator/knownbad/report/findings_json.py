"""Findings as one JSON document; `schemas/findings-report.schema.json` says what it looks like."""

from __future__ import annotations

import json
from typing import Any

from .. import __version__
from ..finding import WORST_FIRST, Finding, Findings
from .spots import Spots, has_witness


def text(result: Findings) -> str:
    """The document, with a newline at the end."""
    return json.dumps(document(result), indent=2, ensure_ascii=False) + "\n"


def document(result: Findings) -> dict[str, Any]:
    """The counts, every contract that was looked at, and every finding, the worst first."""
    spots = Spots(result)
    names = [*result.contracts, *sorted({f.contract for f in result.findings if f.contract} - {*result.contracts})]
    return {
        "command": result.command,
        "version": __version__,
        "exit": int(result.exit),
        **{level.value: result.count(level) for level in WORST_FIRST},
        "notes": list(result.notes),
        "contracts": [
            {
                "contract": name,
                "state": result.contracts.get(name) or None,
                **{level.value: result.count(level, name) for level in WORST_FIRST},
            }
            for name in names
        ],
        "findings": [_finding(finding, spots) for _, group in result.grouped() for finding in group],
    }


def _finding(finding: Finding, spots: Spots) -> dict[str, Any]:
    place = spots.place(finding)
    found: dict[str, Any] = {
        "code": finding.code.code,
        "name": finding.code.name,
        "level": finding.weight.value,
        "message": finding.message,
        "contract": finding.contract,
        "file": finding.file,
        "line": place.line if place else None,
        "location": finding.location,
        "subject": finding.subject,
        "detail": list(finding.detail),
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }
    if has_witness(finding):
        found["witness"] = finding.witness
    return found
