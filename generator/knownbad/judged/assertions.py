"""The three assertions of one envelope against one documented case: shape, hint identity, retryability.

They are separate, and each is evaluated where it can be: a wrong shape does not hide a wrong flag. How an envelope
travelled is not looked at here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ..catalogue.model import Case, Envelope
from ..codes.error_contracts import LEAK, OTHER_CODE
from ..errors import NO_VALUE, shorten
from ..finding import Finding
from ..leaks import leaks, texts
from ..values import compact
from ..violations import kind_of, told, value_at, violations

if TYPE_CHECKING:
    from ..contract import Contract
    from ..oracle import Oracle

SHAPE, HINT, RETRYABLE = "shape", "hint", "retryable"
ASSERTIONS = (SHAPE, HINT, RETRYABLE)
"""In the order in which they are told."""


class Verdict(StrEnum):
    """What became of one assertion. Only `PASS` is good."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    UNREACHED = "unreached"
    """There is no envelope to hold it against."""
    UNDECIDED = "undecided"
    """The validators disagree."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion. `location` is the place in the envelope, `keyword` the keyword that is violated there.

    `expected` and `actual` are `NO_VALUE` where there is nothing to show.
    """

    name: str
    verdict: Verdict
    expected: Any = NO_VALUE
    actual: Any = NO_VALUE
    location: str | None = None
    keyword: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What one envelope came to. `cost`: what the wrong flag costs. `findings`: what is wrong beside the assertions."""

    case: Case
    shape: Assertion
    hint: Assertion
    retryable: Assertion
    findings: tuple[Finding, ...] = ()
    cost: str | None = None
    body: Any = NO_VALUE

    @property
    def assertions(self) -> tuple[Assertion, Assertion, Assertion]:
        return (self.shape, self.hint, self.retryable)

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the assertions that do not pass."""
        return tuple(a.name for a in self.assertions if a.verdict is not Verdict.PASS)

    @property
    def good(self) -> bool:
        """Whether all three pass and nothing else is wrong."""
        return not self.failed and not self.findings


class Judge:
    """Judges envelopes of one contract. It is made once: the validators are compiled when first asked."""

    def __init__(self, contract: Contract, envelope: Envelope) -> None:
        from ..oracle import Oracle

        self.envelope = envelope
        self.oracle: Oracle = Oracle(contract)
        self._details: dict[str, Oracle] = {}

    def judge(self, case: Case, body: Any) -> Judged:
        """All three assertions of the envelope `body`, a JSON value."""
        hint = self._hint(case, body)
        retryable = self._retryable(case, body)
        wrong = retryable.verdict is Verdict.FAIL
        return Judged(
            case,
            self._shape(case, body),
            hint,
            retryable,
            tuple(self._findings(case, body)),
            cost_of(case, retryable.actual) if wrong else None,
            body,
        )

    # ---- shape

    def _shape(self, case: Case, body: Any) -> Assertion:
        verdict = self.oracle.accepts(body)
        if verdict is None:
            reasons = self.oracle.disagreements
            message = reasons[-1] if reasons else "the validators disagree"
            return Assertion(SHAPE, Verdict.UNDECIDED, message=message)
        if verdict is False:
            return self._violated(self.oracle, body, "")
        return self._detailed(case, body) or Assertion(SHAPE, Verdict.PASS)

    def _detailed(self, case: Case, body: Any) -> Assertion | None:
        """The details against the schema that the class documents for them; None where nothing is wrong."""
        place = self.envelope.details
        if case.details is None or place is None:
            return None
        part = value_at(body, place)
        if part is NO_VALUE:
            return None
        oracle = self.details(case.details)
        verdict = oracle.accepts(part)
        if verdict is None:
            return Assertion(SHAPE, Verdict.UNDECIDED, message="the validators disagree", location=place)
        return None if verdict else self._violated(oracle, part, place)

    def details(self, schema: Any) -> Oracle:
        """The validators of a class's details."""
        from ..oracle import Oracle
        from ..varied import contract_of

        key = compact(schema)
        if key not in self._details:
            self._details[key] = Oracle(contract_of(schema, "details"))
        return self._details[key]

    @staticmethod
    def _violated(oracle: Oracle, body: Any, above: str) -> Assertion:
        """The first violation, and how many more there are."""
        found = violations(oracle, body)
        if not found:
            return Assertion(SHAPE, Verdict.FAIL, actual=body, location=above, message="is rejected")
        first = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        message = told(oracle, first, body, above) + more
        keyword = f"{first.keyword_location} of the details' schema" if above else first.keyword_location
        actual = value_at(body, first.instance_location)
        return Assertion(SHAPE, Verdict.FAIL, NO_VALUE, actual, above + first.instance_location, keyword, message)

    # ---- hint and flag

    def _hint(self, case: Case, body: Any) -> Assertion:
        place = self.envelope.hint
        actual = value_at(body, place)
        if type(actual) is type(case.hint) and actual == case.hint:
            return Assertion(HINT, Verdict.PASS, case.hint, actual, place)
        message = f"hint is not exactly {case.hint}: " + _difference(case.hint, actual)
        return Assertion(HINT, Verdict.FAIL, case.hint, actual, place, message=message)

    def _retryable(self, case: Case, body: Any) -> Assertion:
        place = self.envelope.retryable
        actual = value_at(body, place)
        if actual is case.retryable:
            return Assertion(RETRYABLE, Verdict.PASS, case.retryable, actual, place)
        message = f"retryable is not {shorten(case.retryable)}: it is {kind_of(actual)}"
        return Assertion(RETRYABLE, Verdict.FAIL, case.retryable, actual, place, message=message)

    # ---- beside the assertions

    def _findings(self, case: Case, body: Any) -> list[Finding]:
        found = []
        code = value_at(body, self.envelope.code)
        if self.envelope.code != self.envelope.hint and code is not NO_VALUE and isinstance(code, (str, int)):
            if type(code) is not type(case.code) or code != case.code:
                message = f"{case.name}: {self.envelope.code} is {shorten(code)}, not {shorten(case.code)}"
                found.append(Finding(OTHER_CODE, message, location=self.envelope.code, subject=case.name, witness=code))
        for leak in leaks(body, [*texts(case.request), *([case.message] if case.message else [])]):
            member = leak.location.rpartition("/")[2] or "reply"
            message = f"{case.name}: the {member} looks like an internal: {leak.kind}"
            subject = f"{case.name} {leak.location}"
            found.append(Finding(LEAK, message, location=leak.location, subject=subject, witness=leak.text))
        return found


def unreached(case: Case, shape: Assertion | str | None = None, body: Any = NO_VALUE) -> Judged:
    """What becomes of a reply without an envelope: the shape fails, the others are unreached.

    `shape` says why. None: it was a success, so that even the shape is unreached.
    """
    if shape is None:
        shape = Assertion(SHAPE, Verdict.UNREACHED)
    elif isinstance(shape, str):
        shape = Assertion(SHAPE, Verdict.FAIL, actual=body, message=shape)
    hint = Assertion(HINT, Verdict.UNREACHED, case.hint)
    return Judged(case, shape, hint, Assertion(RETRYABLE, Verdict.UNREACHED, case.retryable), body=body)


def worst(judged: Judged, other: Judged) -> Judged:
    """Two envelopes of one reply taken together: each assertion by the worse of its two verdicts."""
    rank = {Verdict.PASS: 0, Verdict.UNREACHED: 1, Verdict.UNDECIDED: 2, Verdict.FAIL: 3}
    one, two, three = (
        max(pair, key=lambda a: rank[a.verdict]) for pair in zip(judged.assertions, other.assertions, strict=True)
    )
    findings = {f.fingerprint: f for f in (*judged.findings, *other.findings)}
    return Judged(judged.case, one, two, three, tuple(findings.values()), judged.cost or other.cost, judged.body)


def cost_of(case: Case, actual: Any) -> str | None:
    """What a loop does that believes the flag `actual`; None where that is what it should do.

    Most loops test whether the flag is true in their language's sense, so the word "false" is a yes.
    """
    believed = actual is not NO_VALUE and bool(actual)
    wait = case.retry_after
    now, right = case.policy.cost(believed, wait), case.policy.cost(case.retryable, wait)
    if believed == case.retryable or now == right:
        return None
    if not believed:
        return f"one recoverable failure becomes a failed run: {now} instead of up to {right}"
    text = f"{now} instead of {right.dispatches} and {right.seconds:g}"
    if case.idempotent is True:
        return text
    effect, repeats = case.effect or case.tool, now.dispatches - 1
    why = (
        "the operation is not idempotent"
        if case.idempotent is False
        else "nothing says that the operation is idempotent"
    )
    each = "the second one" if repeats == 1 else f"each of the {repeats} further ones"
    return f"{text}; {each} may be a duplicate {effect}, as {why}"


def _difference(expected: Any, actual: Any) -> str:
    """How a hint that is not the documented one differs from it."""
    if not isinstance(actual, str) or not isinstance(expected, str):
        return f"it is {kind_of(actual)}"
    if actual.strip() == expected:
        return f"it is {shorten(actual)}, with white space around it"
    if actual.casefold() == expected.casefold():
        return f"it is {shorten(actual)}, in other case"
    if expected in actual:
        return f"it is {shorten(actual)}, which only contains it"
    if actual and actual in expected:
        return f"it is {shorten(actual)}, which is only a part of it"
    return f"it is {shorten(actual)}"
