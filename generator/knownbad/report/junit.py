"""A mutation check as JUnit XML: a test suite a contract, a test case a mutant."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ..mutants import KILLED, SURVIVED, UNDECIDED, Check, Checked, Mutant
from . import shown
from .edits import diff
from .parts import clean, junit, outcome
from .sources import Sources, dead

_MOST = 200
"""Lines of a witness; JUnit viewers show all that they get."""


def text(checked: Checked) -> str:
    """The document. A survivor is a failure, what is undecided an error, what the score leaves out is skipped."""
    root = ET.Element("testsuites", name="knownbad mutate")
    for check in checked.checks:
        root.append(_suite(check, Sources(check, checked.root)))
    return junit(root)


def _suite(check: Check, sources: Sources) -> ET.Element:
    suite = ET.Element("testsuite", name=clean(check.contract))
    states = [mutant.state for mutant in check.mutants]
    suite.set("tests", str(len(states) + len(check.wrong)))
    suite.set("failures", str(states.count(SURVIVED)))
    suite.set("errors", str(states.count(UNDECIDED) + len(check.wrong)))
    suite.set("skipped", str(sum(states.count(state) for state in shown.ASIDE)))
    for name, reason in map(shown.wrong, check.wrong):
        case = ET.SubElement(suite, "testcase", classname=clean(check.contract), name=clean(name))
        outcome(case, "error", "wrong", f"{reason}, so no mutant was checked", "")
    suite.extend(_case(check, mutant, sources) for mutant in check.mutants)
    return suite


def _case(check: Check, mutant: Mutant, sources: Sources) -> ET.Element:
    case = ET.Element("testcase", classname=clean(check.contract), name=clean(mutant.identity))
    case.set("file", clean(sources.of(mutant).file))
    line = sources.line(mutant)
    if line is not None:
        case.set("line", str(line))
    if mutant.state == SURVIVED:
        outcome(case, "failure", SURVIVED, f"{_code(mutant)}missing: {shown.needed(mutant)}", _body(mutant, sources))
    elif mutant.state == UNDECIDED:
        reason = f"{_code(mutant)}{mutant.reason or 'no reason given'}"
        outcome(case, "error", UNDECIDED, reason, _body(mutant, sources))
    elif mutant.state != KILLED:
        why = _code(mutant) + shown.finding(mutant) if dead(mutant) else mutant.reason
        ET.SubElement(case, "skipped", message=clean(f"{mutant.state}: {why or 'no reason given'}"))
    return case


def _code(mutant: Mutant) -> str:
    code = shown.code(mutant)
    return f"{code.code}: " if code else ""


def _body(mutant: Mutant, sources: Sources) -> str:
    lines = [sources.where(mutant), "", *diff(mutant.before, mutant.after)]
    if shown.has_witness(mutant):
        lines += ["", f"{shown.verdicts(mutant)}:", *shown.instance(mutant.witness, _MOST, longest=1000)]
    if mutant.written:
        lines += ["", f"written: {mutant.written}"]
    return "\n".join(lines)
