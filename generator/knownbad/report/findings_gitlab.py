"""Findings as a Code Quality report of GitLab: shown beside the lines of a merge request."""

from __future__ import annotations

import json
from typing import Any

from ..finding import Finding, Findings, Level
from . import shown
from .spots import Spots, has_witness, title

_SEVERITIES = {Level.ERROR: "critical", Level.UNDECIDED: "major", Level.WARNING: "minor", Level.NOTE: "info"}


def text(result: Findings) -> str:
    """The report, with a newline at the end."""
    return json.dumps(document(result), indent=2, ensure_ascii=False) + "\n"


def document(result: Findings) -> list[dict[str, Any]]:
    """One entry a finding. GitLab needs a file and a line of each, and a fingerprint that no other has."""
    spots = Spots(result)
    seen: dict[str, int] = {}
    entries = []
    for _, group in result.grouped():
        for finding in group:
            times = seen[finding.fingerprint] = seen.get(finding.fingerprint, 0) + 1
            entries.append(
                {
                    "description": _description(finding),
                    "check_name": title(finding),
                    "fingerprint": finding.fingerprint + (f"-{times}" if times > 1 else ""),
                    "severity": _SEVERITIES[finding.weight],
                    "location": {"path": spots.path(finding) or ".", "lines": {"begin": spots.line(finding) or 1}},
                }
            )
    return entries


def _description(finding: Finding) -> str:
    about = f"{finding.contract}: " if finding.contract else ""
    told = f" {' '.join(line.strip() for line in shown.instance(finding.witness, 8))}" if has_witness(finding) else ""
    return shown.printable(f"{about}{finding.message}{told}")
