"""Eval suites, told: who may run one, what became of each requirement, and what was promoted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from ..errors import NO_VALUE
from ..finding import Finding

if TYPE_CHECKING:
    from ..suites.admission import Refusal
    from ..suites.asked import Judged
    from ..suites.verdicts import Verdict

_WORDS = {"pass": "pass", "fail": "FAIL", "advice": "advice", "inapplicable": "inapplicable"}


def refused(found: Refusal, stream: TextIO) -> None:
    """The answer that the host must give, as a person reads it."""
    body = found.body
    stream.write(f"refused: {body['status']} {body['error']}: {body['message']}\n")
    findings(found.findings, stream)


def findings(found: Iterable[Finding], stream: TextIO) -> None:
    """One line a finding, and its details below it."""
    for finding in found:
        location = None if finding.message.startswith("line ") else finding.location  # it says so itself
        where = ": ".join(part for part in (finding.file, location) if part)
        code = f"{finding.code.code} {finding.code.name}"
        stream.write(f"{finding.weight.value}: {code}: {where}{': ' if where else ''}{finding.message}\n")
        for line in finding.detail:
            stream.write(f"    {line}\n")
        if finding.fix:
            stream.write(f"    fix: {finding.fix}\n")


def judged(result: Judged, stream: TextIO) -> None:
    """A line a requirement, then the findings."""
    width = max(len(v.requirement.check) for v in result.verdicts)
    for verdict in result.verdicts:
        row = verdict.requirement
        rule = f" [{verdict.rule.code}{_event(verdict)}]" if verdict.rule else ""
        stream.write(f"{_WORDS[verdict.verdict]:<12}  {row.section:<4}  {row.check:<{width}}  {verdict.reason}{rule}\n")
    findings(result.findings, stream)
    kept = len(result.findings)
    if (all_ := sum(result.counts.values())) > kept:
        stream.write(f"and {all_ - kept} more findings of the same kinds\n")
    counts = {word: sum(v.verdict == word for v in result.verdicts) for word in _WORDS}
    stream.write(", ".join(f"{count} {word}" for word, count in counts.items()) + "\n")


def judged_json(result: Judged) -> str:
    """The verdicts and findings, for a program."""
    rows = [
        {
            "requirement": v.requirement.identifier,
            "check": v.requirement.check,
            "section": v.requirement.section,
            "force": v.requirement.force,
            "verdict": v.verdict,
            "reason": v.reason,
            "rule": v.rule.code if v.rule else None,
            "event": None
            if v.event is None
            else {"line": v.event.line, "offset": v.event.offset, "callId": v.event.call},
        }
        for v in result.verdicts
    ]
    suite = result.asked.suite
    document = {
        "suite": {"suiteId": suite.suite_id, "version": suite.version},
        "verdicts": rows,
        "findings": [finding_json(f) for f in result.findings],
        "counts": dict(sorted(result.counts.items())),
        "exit": int(result.exit),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding, for a program."""
    shown = {} if finding.witness is NO_VALUE else {"found": finding.witness}
    return {
        "code": finding.code.code,
        "name": finding.code.name,
        "level": finding.weight.value,
        "message": finding.message,
        "file": finding.file,
        "location": finding.location,
        "detail": list(finding.detail),
        "fingerprint": finding.fingerprint,
        **shown,
    }


def _event(verdict: Verdict) -> str:
    return "" if verdict.event is None else f", line {verdict.event.line}"
