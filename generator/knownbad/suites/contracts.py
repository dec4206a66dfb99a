"""Our own contracts, held against documents: where one does not fit, and why, in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import shorten
from ..pointers import get, join, steps

if TYPE_CHECKING:
    from ..oracle import Oracle

SUITE, CAPABILITIES = "eval-suite", "host-capabilities"
CALLED, RETURNED = "agent-tool-called", "agent-tool-returned"
SUMMARY, REFUSAL, RECORDED = "eval-summary", "validation-error", "recorded-call"


class Misfit(NamedTuple):
    """One keyword of a contract that rejects a document. `location`: of what is at fault, a missing member included."""

    keyword_location: str
    location: str
    message: str
    value: Any


@cache
def oracle(name: str) -> Oracle:
    """What judges documents of the contract `name`."""
    from ..bundled import bundled
    from ..oracle import Oracle

    return Oracle(bundled(name))


def members(name: str) -> tuple[str, ...]:
    """The members that a contract knows at its root."""
    return tuple(get(oracle(name).contract.root.value, "/properties"))


def misfits(name: str, document: Any) -> list[Misfit]:
    """Everything in which a document does not fit a contract, each place and keyword once."""
    judge = oracle(name)
    if judge.fast(document):
        return []
    found: list[Misfit] = []
    for failure in judge.errors(document):
        found.extend(_told(judge.contract.root.value, failure, document))
    return found or [Misfit("", "", "does not fit its contract", document)]


def place(location: str, document: Any) -> str:
    """A JSON Pointer as people write places: `tasks[2].fixtures.toolResponses[0].isError`."""
    text = ""
    for step in steps(location):
        if isinstance(document, list):
            text += f"[{step}]"
            document = document[int(step)] if step.isdigit() and int(step) < len(document) else None
        else:
            text += f".{step}" if step.isidentifier() else f"[{step!r}]"
            document = document.get(step) if isinstance(document, dict) else None
    return text.removeprefix(".")


def _told(schema: Any, failure: Any, document: Any) -> list[Misfit]:
    location, where = failure.keyword_location, failure.instance_location
    keyword = steps(location)[-1] if location else ""
    part, asked = get(document, where), get(schema, location)
    if keyword == "required" and failure.member is not None:
        return [Misfit(location, join(where, failure.member), "is missing", part)]
    if keyword == "additionalProperties" and isinstance(part, dict):
        known = get(schema, location.rpartition("/")[0]).get("properties", {})
        return [
            Misfit(location, join(where, name), _unknown(name, known), value)
            for name, value in part.items()
            if name not in known
        ]
    like = get(schema, location.rpartition("/")[0]).get("examples") if keyword == "pattern" else None
    said = f"must look like {shorten(like[0])}" if like else _said(keyword, asked)
    return [Misfit(location, where, said, part)]


def _unknown(name: str, known: Any) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return f"is not known here; `{near[0]}`?" if near else "is not known here; known: " + ", ".join(known)


def _said(keyword: str, asked: Any) -> str:
    if asked is False:
        return "must not be there"
    if keyword == "type":
        kinds = [asked] if isinstance(asked, str) else asked
        return "must be of type " + " or ".join(kinds)
    if keyword == "enum":
        return "must be one of " + ", ".join(map(shorten, asked))
    if keyword == "not" and isinstance(asked, dict) and "enum" in asked:
        return "must not be one of " + ", ".join(map(shorten, asked["enum"]))
    if keyword == "const":
        return f"must be {shorten(asked)}"
    if keyword in ("minLength", "minItems", "minProperties") and asked == 1:
        return "must not be empty"
    if keyword == "uniqueItems":
        return "holds something twice"
    if keyword == "anyOf":
        return "fits none of: " + ", ".join(shorten(branch) for branch in asked)
    return f"fails `{keyword}`: {shorten(asked)}"
