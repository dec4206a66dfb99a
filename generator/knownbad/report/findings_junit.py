"""Findings as JUnit XML: a test suite a contract, a test case a finding; a contract without any is a passing case."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ..finding import Finding, Findings, Level
from . import shown
from .parts import clean, junit, outcome
from .spots import Spots, has_witness, title

_MOST = 200
"""Lines of a witness; JUnit viewers show all that they get."""


def text(result: Findings) -> str:
    """The document. An error is a failure, what is undecided an error, a warning or note is skipped with its text."""
    root = ET.Element("testsuites", name=f"knownbad {result.command}")
    spots = Spots(result)
    groups = dict(result.grouped())
    for name in (*(n for n in groups if n is None), *result.contracts, *(n for n in groups if n is not None)):
        if clean(name or "") not in {suite.get("name") for suite in root}:
            root.append(_suite(name or "", groups.get(name, []), spots, result.contracts.get(name or "", "")))
    if not len(root):
        root.append(_suite(f"knownbad {result.command}", [], spots, ""))
    return junit(root)


def _suite(name: str, findings: list[Finding], spots: Spots, word: str) -> ET.Element:
    suite = ET.Element("testsuite", name=clean(name))
    weights = [finding.weight for finding in findings]
    suite.set("tests", str(len(findings) or 1))
    suite.set("failures", str(weights.count(Level.ERROR)))
    suite.set("errors", str(weights.count(Level.UNDECIDED)))
    suite.set("skipped", str(weights.count(Level.WARNING) + weights.count(Level.NOTE)))
    if not findings:
        ET.SubElement(suite, "testcase", classname=clean(name), name=clean(word or "nothing to report"))
    suite.extend(_case(name, finding, spots) for finding in findings)
    return suite


def _case(name: str, finding: Finding, spots: Spots) -> ET.Element:
    about = " ".join(part for part in (title(finding), finding.location, finding.subject) if part)
    case = ET.Element("testcase", classname=clean(name), name=clean(shown.one_line(about)))
    path = spots.path(finding)
    if path is not None:
        case.set("file", clean(path))
    line = spots.line(finding)
    if line is not None:
        case.set("line", str(line))
    if finding.weight is Level.ERROR:
        outcome(case, "failure", finding.code.code, finding.message, _body(finding, spots))
    elif finding.weight is Level.UNDECIDED:
        outcome(case, "error", finding.code.code, finding.message, _body(finding, spots))
    else:
        ET.SubElement(case, "skipped", message=clean(f"{finding.weight}: {finding.message}"))
    return case


def _body(finding: Finding, spots: Spots) -> str:
    lines = [spots.where(finding), finding.message]
    if has_witness(finding):
        lines += ["", *shown.instance(finding.witness, _MOST, longest=1000)]
    lines += ["", *finding.detail] if finding.detail else []
    lines += ["", f"fix: {finding.fix}"] if finding.fix else []
    return "\n".join([*lines, "", f"finding {finding.fingerprint}"])
