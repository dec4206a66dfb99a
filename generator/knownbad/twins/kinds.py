"""The kinds of known-bad twins: each is one slip of a tool's author, made in the envelope of a fixture.

A twin is a JSON Patch of its fixture's response. The table reads from top to bottom; a row is a kind, the assertion
that it is made for, and the patch. A kind that makes no sense of an envelope makes no twin of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..catalogue.model import Case, Envelope
from ..codes.error_contracts import LEAK, OTHER_CODE
from ..errors import NO_VALUE
from ..judged.assertions import HINT, RETRYABLE, SHAPE
from ..pointers import join, steps
from ..violations import value_at

Patch = tuple[dict[str, Any], ...]
"""Operations of RFC 6902 on the response of a fixture."""

EXTRA = "unexpected"
"""The member that nobody documented."""
_TRACE = """Traceback (most recent call last):
  File "/srv/app/payments/charge.py", line 42, in charge
    reply = provider.charge(card, amount)
KeyError: 'card'"""


@dataclass(frozen=True, slots=True)
class Base:
    """What a twin is made from: an envelope that is as its case documents. `other`: a case of another class."""

    case: Case
    body: Any
    envelope: Envelope
    other: Case | None = None

    def at(self, pointer: str | None) -> Any:
        """The value at a pointer of the envelope; `NO_VALUE` for none."""
        return NO_VALUE if pointer is None else value_at(self.body, pointer)


@dataclass(frozen=True, slots=True)
class Twin:
    """One twin to be: its name within the fixture's, the assertion it is made for, and what makes it.

    `must`: a schema that accepts it is too loose; otherwise a schema may be strict enough to reject it.
    """

    name: str
    fails: str
    patch: Patch
    must: bool


Made = Iterator[tuple[str, Patch]]
"""The name of a twin, where a kind makes several, after the name of the kind; and its patch."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table."""

    name: str
    fails: str
    make: Callable[[Base], Made]

    def twins(self, base: Base) -> Iterator[Twin]:
        """The twins of this kind; none that is what it was made from."""
        for suffix, patch in self.make(base):
            if applied(base.body, patch) != base.body or self.fails == SHAPE:
                yield Twin(self.name + suffix, self.fails, patch, self.fails == SHAPE)


def applied(body: Any, patch: Patch) -> Any:
    """The body after a patch."""
    for operation in patch:
        body = _one(body, steps(operation["path"]), operation)
    return body


def _one(body: Any, path: list[str], operation: dict[str, Any]) -> Any:
    if not path:
        return operation["value"]
    first, *rest = path
    if isinstance(body, list):
        index = int(first)
        return [*body[:index], _one(body[index], rest, operation), *body[index + 1 :]]
    if not rest and operation["op"] == "remove":
        return {name: value for name, value in body.items() if name != first}
    return {**body, first: _one(body.get(first), rest, operation)}


def _set(pointer: str, value: Any) -> Patch:
    return ({"op": "replace", "path": pointer, "value": value},)


def _hint(change: Callable[[str, Base], str | None]) -> Callable[[Base], Made]:
    def make(base: Base) -> Made:
        hint = base.at(base.envelope.hint)
        new = change(hint, base) if isinstance(hint, str) else None
        if new is not None and new != hint:
            yield "", _set(base.envelope.hint, new)

    return make


def _other_case(hint: str, _: Base) -> str:
    return hint.lower() if hint.lower() != hint else hint.upper()


def _prefixed(hint: str, _: Base) -> str:
    return ("err_" if hint == hint.lower() else "ERR_") + hint


def _part(hint: str, _: Base) -> str | None:
    """All but the last word, or all but the last letter."""
    cut = max(hint.rfind(mark) for mark in "_-./: ")
    return hint[:cut] if cut > 0 else hint[:-1] or None


def _longer(hint: str, _: Base) -> str:
    return hint + ("_by_provider" if hint == hint.lower() else "_BY_PROVIDER")


def _hint_as_text(base: Base) -> Made:
    hint = base.at(base.envelope.hint)
    if isinstance(hint, int):
        yield "", _set(base.envelope.hint, str(hint))


def _other_hint(base: Base) -> Made:
    if base.other is not None and base.other.hint != base.case.hint:
        yield "", _set(base.envelope.hint, base.other.hint)


def _other_code(base: Base) -> Made:
    if base.envelope.code != base.envelope.hint and base.at(base.envelope.code) is not NO_VALUE:
        code, other = base.case.code, base.other
        if other is not None and other.code != code:
            yield "", _set(base.envelope.code, other.code)
        elif isinstance(code, str):
            yield "", _set(base.envelope.code, _prefixed(code, base))


def _flipped(base: Base) -> Made:
    """As the wrong branch would answer: what is not retryable names no time to wait."""
    patch = _set(base.envelope.retryable, not base.case.retryable)
    wait = base.envelope.retry_after
    if base.case.retryable and wait is not None and base.at(wait) is not NO_VALUE:
        patch = (*patch, {"op": "remove", "path": wait})
    yield "", patch


def _flag(value: Callable[[bool], Any]) -> Callable[[Base], Made]:
    def make(base: Base) -> Made:
        yield "", _set(base.envelope.retryable, value(base.case.retryable))

    return make


def _no_flag(base: Base) -> Made:
    yield "", ({"op": "remove", "path": base.envelope.retryable},)


def _extra(base: Base) -> Made:
    for pointer in levels(base.body):
        suffix = "".join("-" + step for step in steps(pointer))
        yield suffix, ({"op": "add", "path": join(pointer, EXTRA), "value": True},)


def levels(body: Any, pointer: str = "") -> Iterator[str]:
    """Every object of an envelope, from the outermost on."""
    if isinstance(body, dict):
        yield pointer
    parts = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for step, part in parts:
        yield from levels(part, join(pointer, step))


def _message(text: str, keep: bool = True) -> Callable[[Base], Made]:
    def make(base: Base) -> Made:
        message = base.at(base.envelope.message)
        if base.envelope.message is not None and isinstance(message, str):
            yield "", _set(base.envelope.message, f"{message}: {text}" if keep else text)

    return make


def _whole(value: Callable[[Case], Any]) -> Callable[[Base], Made]:
    def make(base: Base) -> Made:
        yield "", _set("", value(base.case))

    return make


KINDS: tuple[Kind, ...] = (
    Kind("hint-case", HINT, _hint(_other_case)),
    Kind("hint-space", HINT, _hint(lambda hint, _: hint + " ")),
    Kind("hint-prefix", HINT, _hint(_prefixed)),
    Kind("hint-part", HINT, _hint(_part)),
    Kind("hint-longer", HINT, _hint(_longer)),
    Kind("hint-other", HINT, _other_hint),
    Kind("hint-text", HINT, _hint_as_text),
    Kind("code-other", OTHER_CODE.code, _other_code),
    Kind("retryable-flipped", RETRYABLE, _flipped),
    Kind("retryable-text", SHAPE, _flag(lambda flag: str(flag).lower())),
    Kind("retryable-number", SHAPE, _flag(int)),
    Kind("retryable-null", SHAPE, _flag(lambda _: None)),
    Kind("retryable-absent", SHAPE, _no_flag),
    Kind("extra", SHAPE, _extra),
    Kind("leak-stack", LEAK.code, _message('File "/srv/app/payments/charge.py", line 42, in charge')),
    Kind("leak-sql", LEAK.code, _message("SELECT * FROM cards WHERE number = '4000000000000002'")),
    Kind("leak-path", LEAK.code, _message("cannot read /etc/payments/provider.conf")),
    Kind("trace", LEAK.code, _message(_TRACE, keep=False)),
    Kind("success", SHAPE, _whole(lambda _: {"result": {"status": "ok"}})),
    Kind(
        "no-envelope",
        SHAPE,
        _whole(
            lambda case: {"isError": True, "content": [{"type": "text", "text": f"Error executing tool {case.tool}"}]}
        ),
    ),
)
NAMES = tuple(kind.name for kind in KINDS)


def twins(base: Base, without: tuple[str, ...] = ()) -> Iterator[Twin]:
    """Every twin of a fixture, of all kinds but those that a project does without."""
    for kind in KINDS:
        if kind.name not in without:
            yield from kind.twins(base)
