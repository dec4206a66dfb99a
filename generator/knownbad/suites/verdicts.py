"""The verdict of each requirement: pass, fail, advice, or inapplicable with the reason. Nothing undecided passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..codes import suites as codes
from ..finding import Code, Level
from . import requirements as rows
from .capabilities import Capabilities
from .findings import Said, Witnessed
from .requirements import REQUIREMENTS, SECTION_B, Requirement
from .suite import Suite

PASS, FAIL, ADVICE, INAPPLICABLE = "pass", "fail", "advice", "inapplicable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one requirement. `rule` and `event`: the first that failed it; `reason`: why, in words."""

    requirement: Requirement
    verdict: str
    reason: str
    rule: Code | None = None
    event: Witnessed | None = None


@dataclass
class Seen:
    """What a log showed that a requirement can be held against."""

    served_errors: int = 0
    """Recorded failures that were surely served."""
    served: int = 0
    """Recorded successes that were surely served."""
    calls: int = 0
    lines: int = 0
    summaries: int = 0
    counted: bool = False
    """A summary counted the misses of calls that were all explained."""
    unexplained: bool = False
    """Some calls are against what is recorded, so it cannot be told how many were missed."""
    given: int = 0
    """Recorded failures of which a transcript shows what the agent was given."""
    effects: int = 0
    """Recorded failures with an effect counter."""
    messages: int = 0
    """Messages that were compared with what was recorded."""
    unresolved: str = ""
    """Why it stays open which recorded calls were served."""
    answered: bool = False
    """An answer to the creation of the run was given."""
    reread: int | None = None
    """Tool events that are those of the log that this one is a replay of; None where no such log was given."""


def verdicts(suite: Suite, capabilities: Capabilities, said: Said, seen: Seen, require: bool) -> Iterator[Verdict]:
    """One verdict a requirement. `require`: what is not witnessed has failed."""
    found: dict[str, Verdict] = {}
    for row in REQUIREMENTS:
        verdict = (
            _advertised(row, capabilities, found)
            if row is rows.ADVERTISED
            else _verdict(row, suite, capabilities, said, seen)
        )
        found[row.check] = verdict
    proof = rows.RECORDED if capabilities.eval_suite and capabilities.fixture_errors else rows.UNADVERTISED
    if require and found[proof.check].verdict == INAPPLICABLE:
        reason = f"behaviour is required, and nothing witnessed it: {found[proof.check].reason}"
        said.add(codes.NOTHING_WITNESSED, None, reason, fix="run a suite with a recorded failure, to its end")
        found[proof.check] = Verdict(proof, FAIL, reason, codes.NOTHING_WITNESSED)
    yield from found.values()


def _verdict(row: Requirement, suite: Suite, capabilities: Capabilities, said: Said, seen: Seen) -> Verdict:
    for rule in said.broken(row.rules, Level.ERROR):
        return Verdict(row, FAIL, f"{rule.summary} ({said.count[rule.code]})", rule, said.first.get(rule.code))
    for rule in said.broken(row.rules, Level.WARNING):
        return Verdict(row, ADVICE, f"{rule.summary} ({said.count[rule.code]})", rule, said.first.get(rule.code))
    reason = _inapplicable(row, suite, capabilities, seen)
    return Verdict(row, INAPPLICABLE, reason) if reason else Verdict(row, PASS, _witness(row, suite, seen))


def _advertised(row: Requirement, capabilities: Capabilities, found: dict[str, Verdict]) -> Verdict:
    """A host that advertises what it does not do fails here, too, by the rule that shows it."""
    if not (capabilities.eval_suite and capabilities.fixture_errors):
        return Verdict(row, INAPPLICABLE, "the host does not advertise `fixtureErrors`")
    of_b = [found[b.check] for b in SECTION_B]
    for verdict in of_b:
        if verdict.verdict == FAIL:
            return Verdict(row, FAIL, f"`{verdict.requirement.check}` fails", verdict.rule, verdict.event)
    if found[rows.RECORDED.check].verdict != PASS:
        return Verdict(row, INAPPLICABLE, found[rows.RECORDED.check].reason)
    open_ = [v.requirement.check for v in of_b if v.verdict == INAPPLICABLE]
    return Verdict(row, PASS, "§B is witnessed" + (", but for " + ", ".join(open_) if open_ else ""))


def _inapplicable(row: Requirement, suite: Suite, capabilities: Capabilities, seen: Seen) -> str:
    """Why a requirement cannot be held against this log; empty where it can."""
    if row in (rows.UNTRUSTED, rows.UNALTERED):
        return f"seam-gated: nothing here shows {row.seam}"
    if row is rows.REPLAY:
        if seen.reread is None:
            return "no log was given that this one is a replay of (--replay-of)"
        return "" if seen.reread else "there was no tool event to read again"
    if row is rows.LOG:
        return "" if seen.lines else "the log is empty"
    if row is rows.SUMMARY:
        return "" if seen.summaries else "there is no summary, neither on the log nor beside it"
    if row in (rows.UNADVERTISED, rows.NOT_SILENTLY):
        return _unrefused(row, suite, capabilities, seen)
    if row is rows.SCHEMA:
        return "" if suite.errors else "the suite records no failure"
    if row is rows.CALLS:
        return "" if seen.calls else "the log shows no tool call"
    if listed := _unlisted(suite, capabilities):
        return listed
    if row is rows.SAME_AS_BEFORE:
        return "" if seen.served else seen.unresolved or "no recorded success was surely served"
    return _unwitnessed(row, suite, capabilities, seen)


def _unwitnessed(row: Requirement, suite: Suite, capabilities: Capabilities, seen: Seen) -> str:
    """Why the rows of §B, and of its events, are not witnessed."""
    if not capabilities.eval_suite:
        return "the host does not advertise `agents.evalSuite`"
    if not capabilities.fixture_errors:
        return "the host does not advertise `fixtureErrors`"
    if not suite.errors:
        return "the suite records no failure"
    if seen.unresolved:
        return seen.unresolved
    if not seen.served_errors:
        return "no recorded failure was surely served"
    if row is rows.NOT_A_MISS and not seen.counted:
        if seen.unexplained:
            return "some calls are against what is recorded, so their misses cannot be counted"
        return "there is no summary with a `fixtureMissCount`"
    if row is rows.RECEIVED and not seen.given:
        return f"seam-gated ({row.seam}): the log does not show what the agent was given; a transcript does (--calls)"
    if row is rows.NOT_RETRIED and not seen.effects:
        return f"seam-gated ({row.seam}): the log has no effect counter (`effectCount`)"
    if row is rows.FIXED_MESSAGE and not seen.messages:
        return "no message was there to compare"
    return ""


def _unrefused(row: Requirement, suite: Suite, capabilities: Capabilities, seen: Seen) -> str:
    if not capabilities.eval_suite:
        return "the host does not advertise `agents.evalSuite`"
    if capabilities.fixture_errors:
        return "the host advertises `fixtureErrors`"
    if not suite.errors:
        return "the suite records no failure"
    if listed := _unlisted(suite, capabilities):
        return listed
    if row is rows.NOT_SILENTLY and seen.served_errors:
        return ""
    return "" if seen.answered else "nothing was run, and the host's answer was not given (--answer)"


def _unlisted(suite: Suite, capabilities: Capabilities) -> str:
    """A conformance fixture that the host does not list cannot be asked of it."""
    if capabilities.fixtures is None or not suite.suite_id.startswith("conformance-"):
        return ""
    return "" if suite.suite_id in capabilities.fixtures else f"the host does not list the fixture {suite.suite_id}"


def _witness(row: Requirement, suite: Suite, seen: Seen) -> str:
    if row is rows.SCHEMA:
        return f"{len(suite.errors)} recorded failures, and the suite fits its contract"
    if row is rows.NOT_SILENTLY:
        return "no recorded failure was replayed as a success"
    if row is rows.UNADVERTISED:
        return "the host refused the suite and named every field"
    if row is rows.SAME_AS_BEFORE:
        return f"recorded successes served: {seen.served}"
    if row is rows.CALLS:
        return f"calls: {seen.calls}"
    if row is rows.LOG:
        return f"lines: {seen.lines}"
    if row is rows.SUMMARY:
        return f"summaries: {seen.summaries}"
    if row is rows.REPLAY:
        return f"tool events that are the recorded ones: {seen.reread}"
    return f"recorded failures served: {seen.served_errors}"
