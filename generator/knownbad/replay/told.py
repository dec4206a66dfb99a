"""What a person is told of one fixture: what is wrong with its reply, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..catalogue.model import Case
from ..codes import error_contracts
from ..codes.replay import (
    BASELINE_NOT_ASKED,
    CARRIER_DIFFERS,
    CONTRADICTS_ROW,
    DECLARED_CHANGE,
    DRIFT,
    ENVIRONMENT_DIFFERS,
    FIXTURE_AHEAD,
    REPLY_DIFFERS,
    STALE_FIXTURE,
    STATUS_DIFFERS,
)
from ..errors import NO_VALUE, shorten
from ..finding import Code, Finding, Level
from ..judged.assertions import Assertion, Judged, Verdict
from ..masking import MASK
from ..pointers import get, steps
from ..values import equal
from .answer import Carrier
from .carriers import Reply
from .differing import differences, without
from .plan import Kept, Plan
from .which import Cause, Seen

_CORRECT = "correct the tool, or the row where it is wrong"
SHOWN = 5
"""How many places at which two replies differ are named."""

_ASSERTED = {
    "shape": error_contracts.SHAPE,
    "hint": error_contracts.HINT,
    "retryable": error_contracts.RETRYABLE,
}
_SAME = {None: "", True: "; both gave the same answer", False: "; it gave another answer still"}
_CAUSES: dict[Cause, tuple[Code, str, str]] = {
    Cause.DRIFT: (
        DRIFT,
        "drift: {base} passes and this build does not, and the catalogue's row is the same",
        "take the change back, or declare it in the catalogue",
    ),
    Cause.DECLARED_CHANGE: (
        DECLARED_CHANGE,
        "a declared change: {base} passes, and the catalogue's row has changed since, but this build does not pass",
        "let the tool, the row and the fixture say the same in one pull request, and say why in the commit",
    ),
    Cause.STALE_FIXTURE: (
        STALE_FIXTURE,
        "a stale fixture: {base} fails it, too{same}, so it was wrong before this change",
        "record it anew, or correct the catalogue's row: this change did not break it",
    ),
    Cause.ENVIRONMENT_DIFFERS: (
        ENVIRONMENT_DIFFERS,
        "the environment differs: the same build passes in process and fails through {where}",
        "split the fixture rather than loosen the assertion: {split}, and the row's `environments`",
    ),
    Cause.FIXTURE_AHEAD: (
        FIXTURE_AHEAD,
        "the fixture is ahead: only {base} fails it, which has yet to get this change",
        "nothing, once this build is shipped",
    ),
}


def told(kept: Kept, reply: Reply, judged: Judged, plan: Plan) -> Iterator[Finding]:
    """Everything that is wrong with one reply, the assertions first."""
    case = kept.case
    finding = partial(Finding, file=kept.file, subject=case.name)
    for assertion in judged.assertions:
        if assertion.verdict is Verdict.FAIL and reply.copies:
            cost = f"; {judged.cost}" if assertion.name == "retryable" and judged.cost else ""
            message = f"{case.name}: {_said(assertion)}{cost}"
            yield finding(_ASSERTED[assertion.name], message, location=in_file(assertion.location))
        elif assertion.verdict is Verdict.UNDECIDED:
            message = f"{case.name}: {assertion.name} is undecided: {assertion.message}"
            yield finding(_ASSERTED[assertion.name], message, level=Level.UNDECIDED)
    for trouble in reply.troubles:
        yield finding(trouble.code, f"{case.name}: {trouble.message}", fix=trouble.fix)
    for other in judged.findings:
        yield replace(other, file=kept.file, location=in_file(other.location))
    if reply.copies:
        yield from _beside(kept, reply, judged, plan)


def without_fixture(kept: Kept) -> Iterator[Finding]:
    """The finding of a case that has no fixture."""
    if kept.digest is None:
        message = f"{kept.case.name}: the class has no fixture; the catalogue's request was replayed instead"
        fix = "write it: knownbad generate"
        yield Finding(error_contracts.WITHOUT_FIXTURE, message, kept.file, subject=kept.case.name, fix=fix)


def not_as_documented(kept: Kept) -> Iterator[Finding]:
    """The finding of a fixture that expects something else than the catalogue's row says."""
    said = [
        f"{name} {shorten(getattr(kept.expected, name))} instead of {shorten(getattr(kept.case, name))}"
        for name in ("code", "hint", "retryable")
        if getattr(kept.expected, name) != getattr(kept.case, name)
    ]
    if said:
        message = f"{kept.case.name}: the fixture expects {' and '.join(said)}, which the catalogue's row says"
        fix = "let row, tool and fixture say the same in one pull request"
        code = error_contracts.NOT_AS_DOCUMENTED
        yield Finding(code, message, kept.file, "/response", subject=kept.case.name, fix=fix)


def unknown_class(file: str, claims: str, catalogue: str) -> Finding:
    """The finding of a fixture that stands for no documented class."""
    message = f"no class of {catalogue} is called {claims}"
    return Finding(
        error_contracts.UNKNOWN_CLASS, message, file, subject=claims, fix="document the class, or remove the file"
    )


def in_file(location: str | None) -> str | None:
    """A place in the envelope as a place in the file of a fixture."""
    return None if location is None else "/response" + location


def _said(assertion: Assertion) -> str:
    return assertion.message or f"expected {shorten(assertion.expected)}, actual {shorten(assertion.actual)}"


def _beside(kept: Kept, reply: Reply, judged: Judged, plan: Plan) -> Iterator[Finding]:
    """What is not as documented or recorded beside the three assertions."""
    case = kept.case
    finding = partial(Finding, file=kept.file, subject=case.name)
    if reply.status is not None and case.status is not None and reply.carrier is Carrier.HTTP:
        if reply.status != case.status:
            message = f"{case.name}: HTTP status {reply.status}, the catalogue says {case.status}"
            yield finding(STATUS_DIFFERS, message, fix=_CORRECT)
    came = {Carrier.MCP_RESULT: "result", Carrier.MCP_PROTOCOL: "protocol"}.get(reply.carrier)
    if came is not None and came != case.carrier:
        message = f"{case.name}: the envelope came as a {came} of MCP, the catalogue says {case.carrier}"
        yield finding(CARRIER_DIFFERS, message, fix=_CORRECT)
    documented = dict(_documented(plan, case))
    for place, said in documented.items():
        now = _at(reply.envelope, place)
        if not equal(_json(now), said):
            message = f"{case.name}: {place} is {_word(now)}, the catalogue says {shorten(said)}"
            yield finding(CONTRADICTS_ROW, message, location=in_file(place), fix=_CORRECT)
    if kept.response is None or judged.failed:
        return
    volatile = (*plan.settings.volatile, *(_invented(plan, case) if kept.made else ()))
    recorded, actual = without(kept.response, volatile), without(reply.envelope, volatile)
    if list(differences(recorded, actual)):  # a fixture holds no credential, so none is compared
        actual = plan.settings.masking.mask(actual).value
    for place in list(differences(recorded, actual))[:SHOWN]:
        if place in documented and not equal(_json(_at(actual, place)), documented[place]):
            continue  # told above; what contradicts the row is not to be recorded
        before, now = _at(recorded, place), _at(actual, place)
        if isinstance(before, str) and MASK in before or any(_below(place, held) for held in volatile):
            continue
        message = f"{case.name}: {place} is {_word(now)}, the fixture has {_word(before)}"
        fix = "record it anew, or name it in `volatile` of [replay]"
        yield finding(REPLY_DIFFERS, message, location=in_file(place), fix=fix)


def _documented(plan: Plan, case: Case) -> Iterator[tuple[str, Any]]:
    """What the row documents beside the three assertions, by its place in the envelope."""
    envelope = plan.catalogue.envelope
    said = [
        (envelope.message, case.message),
        (envelope.category, case.category),
        (envelope.retry_after, case.retry_after),
        (envelope.status, case.status),
    ]
    yield from ((place, value) for place, value in said if place is not None and value is not None)


def _json(value: Any) -> Any:
    """A value, or one that equals none which a row can document."""
    return [] if value is NO_VALUE else value


def baseline_not_asked(base: str, kept: Kept, kind: str, reply: Reply) -> Finding:
    """The finding of a last release that gave no answer."""
    why_not = "; ".join(trouble.message for trouble in reply.troubles)
    said = f": {shorten(reply.aside[-400:], 400)}" if reply.aside else ""
    message = f"{base} could not be asked for {kept.case.name} through {kind}: {why_not}{said}"
    fix = "let it run there: `path` and [replay.baseline], or --baseline-run"
    return Finding(BASELINE_NOT_ASKED, message, kept.file, subject=f"{kept.case.name} {kind}", fix=fix)


def no_baseline(base: str, tool: str, kind: str) -> Finding:
    """The finding of a way to a tool on which there is no last release."""
    fix = f"say where it runs: [replay.baseline.{kind}], or --baseline-run"
    message = f"{base} could not be asked for {tool} through {kind}: nothing says where it runs"
    return Finding(BASELINE_NOT_ASKED, message, subject=f"{tool} {kind}", fix=fix, level=Level.WARNING)


def _invented(plan: Plan, case: Case) -> list[str]:
    """The places that a fixture fills although the catalogue says nothing of them: no tool has to say the same."""
    envelope = plan.catalogue.envelope
    said = [(envelope.message, case.message), (envelope.details, case.details), (envelope.category, case.category)]
    return [place for place, value in said if place is not None and value is None]


def _below(place: str, held: str) -> bool:
    return steps(held)[: len(steps(place))] == steps(place)


def parts(one: Reply, other: Reply, volatile: Sequence[str]) -> list[str]:
    """Where two replies differ beside what is volatile; the root where only one of them has an envelope."""
    if one.status != other.status:
        return [""]
    if one.raw == other.raw and one.succeeded == other.succeeded:
        return []
    if bool(one.copies) != bool(other.copies) or one.succeeded != other.succeeded:
        return [""]
    if not one.copies:
        return [] if one.succeeded else [""]
    return list(differences(without(one.envelope, volatile), without(other.envelope, volatile)))


def shown_at(reply: Reply, place: str) -> str:
    if not reply.copies:
        return shorten(reply.raw)
    return _word(_at(reply.envelope, place))


def _at(value: Any, place: str) -> Any:
    try:
        return get(value, place)
    except LookupError:
        return NO_VALUE


def _word(value: Any) -> str:
    return "absent" if value is NO_VALUE else shorten(value)


def why(kept: Kept, cause: Cause | None, seen: Seen, base: str, where: str) -> Iterator[Finding]:
    """The finding that names the cause. `base` is what the baseline is called, `where` the place of the replay."""
    about = _CAUSES.get(cause) if cause is not None else None
    if about is None:
        return
    code, said, fix = about
    if cause is Cause.FIXTURE_AHEAD and not seen.current:
        said = (
            "the fixture is ahead of the tool: the catalogue's row has changed since {base}, and neither answers so yet"
        )
        fix = "change the tool, too"
    text = said.format(base=base, where=where, same=_SAME[seen.same])
    way = fix.format(split=f"{kept.file.removesuffix('.json')}.{where}.json")
    yield Finding(code, f"{kept.case.name}: {text}", kept.file, subject=kept.case.name, fix=way)
