"""The rules that one event of a log breaks by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..codes import suites as codes
from ..finding import Code
from .contracts import RETURNED, misfits, place


def broken(event: Mapping[str, Any], contract: str, *, hooks: bool) -> Iterator[tuple[Code, str]]:
    """Each rule that an event breaks, and how; `hooks`: the host promises `toolHooks.prePostEvents`."""
    for misfit in misfits(contract, event):
        if misfit.keyword_location.startswith("/dependentSchemas/outcome/") and "error" in event:
            continue  # the outcome is what is too much
        rule = _rule(misfit.keyword_location, misfit.location)
        message = misfit.message if rule is not codes.NEITHER else "has neither `error` nor `outcome`"
        where = place(misfit.location, event)
        yield rule, f"{where}: {message}" if where else message
    if contract != RETURNED or "error" not in event:
        return
    error = event["error"]
    for member, rule in (("code", codes.EMPTY_CODE), ("message", codes.EMPTY_MESSAGE)):
        text = error.get(member) if isinstance(error, dict) else None
        if isinstance(text, str) and text and not text.strip():
            yield rule, f"error.{member}: holds nothing but blanks"
    if hooks and "status" not in event:
        yield codes.STATUS, "the call failed, and the event has no `status`, on a host with `toolHooks.prePostEvents`"


def _rule(keyword: str, at: str) -> Code:
    """The rule that a keyword of an event's contract stands for."""
    if keyword == "/dependentSchemas/error/properties/outcome":
        return codes.ERROR_AND_OUTCOME
    if keyword == "/anyOf":
        return codes.NEITHER
    if at.startswith("/error/code"):
        return codes.EMPTY_CODE
    if at.startswith("/error/message"):
        return codes.EMPTY_MESSAGE
    if at == "/status":
        return codes.STATUS
    return codes.EVENT_MALFORMED
