"""Which assertion a known-bad envelope fails, and whether it is the one that it was made for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..catalogue.model import Case, Envelope
from ..codes.error_contracts import OTHER_ASSERTION, TOO_LOOSE
from ..errors import shorten
from ..finding import Finding, Level
from ..judged.assertions import HINT, RETRYABLE, SHAPE, Judged, Verdict
from ..values import equal
from ..violations import value_at


class Reason(NamedTuple):
    """The one keyword that rejects an envelope, as a row names it; None where there is none, or more than one."""

    keyword_location: str | None
    member: str | None
    instance_location: str | None
    schema: str | None = None


NO_REASON = Reason(None, None, None)


def first_failed(judged: Judged) -> str | None:
    """What a known-bad envelope fails: the first assertion, else the first finding; None where it is good."""
    if judged.failed:
        return judged.failed[0]
    return judged.findings[0].code.code if judged.findings else None


def undecided(judged: Judged) -> bool:
    """Whether the validators give no common verdict on it."""
    return judged.shape.verdict is Verdict.UNDECIDED


def faults(judged: Judged, fails: str, base: Any, envelope: Envelope, file: str, name: str) -> Iterator[Finding]:
    """What is wrong with a twin of which the row says that it `fails` this. `base`: the envelope it was made from.

    A shape twin may fail an assertion about a value that it changes, too: `"false"` is neither a boolean nor `False`.
    """
    if undecided(judged):
        message = f"{name}: no verdict: {judged.shape.message}"
        yield Finding(OTHER_ASSERTION, message, file, subject=name, level=Level.UNDECIDED)
        return
    failed = set(judged.failed)
    codes = [finding.code.code for finding in judged.findings]
    if fails == SHAPE and SHAPE not in failed:
        yield loose(judged, file, name)
        return
    if fails not in (*failed, *codes):
        was = first_failed(judged)
        says = f"it fails {was}" if was else "it is as documented: nothing fails"
        yield Finding(OTHER_ASSERTION, f"{name} was made to fail {fails}, but {says}", file, subject=name)
        return
    allowed = {fails, *(_touched(judged.body, base, envelope, judged.case) if fails == SHAPE else ())}
    others = [*sorted(failed - allowed), *([] if fails == SHAPE else [c for c in codes if c != fails])]
    if others:
        message = f"{name} was made to fail {fails}, but it fails {' and '.join(others)} as well"
        yield Finding(OTHER_ASSERTION, message, file, subject=name)


def loose(judged: Judged, file: str | None, name: str) -> Finding:
    """The finding of a known-bad envelope that the schema accepts."""
    message = f"{name}: the envelope's schema accepts a known-bad envelope: {shorten(judged.body, 200)}"
    fix = "tighten the schema: close its objects, require what is documented, give each member its type"
    return Finding(TOO_LOOSE, message, file, subject=name, witness=judged.body, fix=fix)


def _touched(body: Any, base: Any, envelope: Envelope, case: Case) -> Iterable[str]:
    """The assertions whose value is another one than in the base, or than the case documents where there is no base."""
    for name, place, documented in (
        (HINT, envelope.hint, case.hint),
        (RETRYABLE, envelope.retryable, case.retryable),
    ):
        value = value_at(body, place)
        before = documented if base is None else value_at(base, place)
        if type(value) is not type(before) or not equal(value, before):
            yield name
