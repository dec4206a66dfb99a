"""Rules about objects: closures, what is required of them, and names that should not get out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ..codes.lint import INTERNAL_NAME, MISPLACED_CLOSURE, OPEN_OBJECT, REQUIRED_UNDECLARED
from ..compiled import ValidatorFailed
from ..contract import Subschema
from ..errors import NO_VALUE
from ..finding import Level
from ..keywords.shape import Ob
from ..reach import place, reach
from ..witness.regex import matches
from ..witness.strings import StringShape, unmatchable
from .look import Look, Repair, Spotted, said, shown, table
from .walks import Walks

_CLOSING = ("additionalProperties", "unevaluatedProperties")
_SPEAKS_OF_OBJECTS = (
    "properties", "patternProperties", "required", "minProperties", "maxProperties", "propertyNames",
    "dependentRequired", "dependentSchemas",
)  # fmt: skip


def misplaced_closure(look: Look) -> Iterator[Spotted]:
    """`additionalProperties: false` one level too deep: it forbids a property of that name and closes nothing."""
    for sub in look.objects:
        members = table(said(sub), "properties")
        for name in _CLOSING:
            if not isinstance(members.get(name), bool) or name == _CLOSING[1] and sub.dialect.year < 19:
                continue
            free = not any(closing in sub.value for closing in _CLOSING)
            only = len(members) == 1
            verb = "forbids" if members[name] is False else "allows"
            yield look.spotted(
                MISPLACED_CLOSURE,
                sub,
                f"{shown(name)} stands inside `properties`: it {verb} a property of that name and closes nothing",
                "properties",
                name,
                subject=name,
                fix="move it out of `properties`, beside it",
                repair=Repair(
                    "move", look.pointer(sub, "properties", name), name, target=look.pointer(sub), keeps=False
                )
                if free and not only and members[name] is False
                else None,
            )


def required_undeclared(look: Look) -> Iterator[Spotted]:
    """Names that a closed object requires and forbids at once."""
    for sub in look.objects:
        value = said(sub)
        if value.get("additionalProperties") is not False:
            continue
        required: Any = value.get("required")
        members = table(value, "properties")
        for index, name in enumerate(required if isinstance(required, list) else ()):
            if name in members or any(matches(p, name) is not False for p in table(value, "patternProperties")):
                continue
            near = _near(name, [n for n in members if n not in required])
            yield look.spotted(
                REQUIRED_UNDECLARED,
                sub,
                f"requires {shown(name)}, which `additionalProperties: false` forbids: no object is accepted",
                "required",
                index,
                subject=name,
                fix=f"declare {shown(name)} in `properties`" + (f", or did you mean {shown(near)}?" if near else ""),
            )


def _near(name: str, names: list[str]) -> str | None:
    from difflib import get_close_matches

    near = get_close_matches(name, names, 1, 0.75)
    return near[0] if near else None


# ---- open objects


def open_object(look: Look) -> Iterator[Spotted]:
    """In a strict contract, the objects that take members that nobody declared."""
    if not look.entry.strict:
        return
    known = reach(look.contract)
    walks = Walks(look)
    told: set[tuple[str, str]] = set()
    for sub in look.objects:
        entries = known.entries(sub)
        if not entries or sub not in entries:
            continue
        for culprit in _open(look, sub, ()):
            if place(culprit) in told:
                continue
            told.add(place(culprit))
            closing = (
                "unevaluatedProperties" if _spread(culprit) and culprit.dialect.year >= 19 else "additionalProperties"
            )
            yield look.spotted(
                OPEN_OBJECT,
                culprit,
                "takes any member beside those that it declares, in a contract that is marked strict",
                witness=_opened(walks, culprit),
                fix=f'add "{closing}": false',
            )


def _opened(walks: Walks, sub: Subschema) -> Any:
    """An accepted object with a member that nobody declared."""
    for value in walks.to([Ob(sub)], 6):
        if isinstance(value, dict):
            with suppress(ValidatorFailed, LookupError):
                more = {**value, "undeclared": True}
                if "undeclared" not in value and walks.local(sub, more):
                    return more
    return NO_VALUE


def _spread(sub: Subschema) -> bool:
    return any(k in sub.value for k in ("allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"))


def _open(look: Look, sub: Subschema, within: tuple[Subschema, ...]) -> list[Subschema]:
    """The schemas that leave an object open that `sub` is held against; none where it is closed."""
    if sub in within or not isinstance(sub.value, dict) or _closed(look, sub, ()):
        return []
    within = (*within, sub)
    if _describes(sub):
        return [sub]
    found: list[Subschema] = []
    for step in _in_place(look, sub):
        for child in step[1]:
            found.extend(_open(look, child, within))
    return found


def _describes(sub: Subschema) -> bool:
    value = said(sub)
    kinds = value.get("type")
    named = kinds == "object" or isinstance(kinds, list) and "object" in kinds
    elsewhere = any(k in value for k in ("allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "$recursiveRef"))
    return any(k in value for k in _SPEAKS_OF_OBJECTS) and (named or kinds is None) or named and not elsewhere


def _in_place(look: Look, sub: Subschema) -> list[tuple[str, list[Subschema]]]:
    contract, value = look.contract, said(sub)
    found: list[tuple[str, list[Subschema]]] = []
    if isinstance(value.get("$ref"), str):
        target = contract.target(sub, value["$ref"])
        if target is not None:
            found.append(("$ref", [target]))
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = value.get(keyword)
        if isinstance(branches, list):
            found.append((keyword, [contract.child(sub, keyword, i) for i in range(len(branches))]))
    if "if" in value:
        parts = [contract.child(sub, k) for k in ("then", "else") if k in value]
        found.append(("if", parts))
    return found


def _closed(look: Look, sub: Subschema, within: tuple[Subschema, ...]) -> bool:
    """Whether a subschema lets no object through with a member that nobody declared, or no object at all."""
    if not isinstance(sub.value, dict):
        return sub.value is False
    if sub in within:
        return True
    value, within = said(sub), (*within, sub)
    kinds = value.get("type")
    if isinstance(kinds, str) and kinds != "object" or isinstance(kinds, list) and "object" not in kinds:
        return True
    if "enum" in value or "const" in value and sub.dialect.year >= 6 or value.get("maxProperties") == 0:
        return True
    if any(k in value and value[k] not in (True, {}) for k in _CLOSING if k == _CLOSING[0] or sub.dialect.year >= 19):
        return True
    if "propertyNames" in value and sub.dialect.year >= 6 and value["propertyNames"] not in (True, {}):
        return True
    patterns = table(value, "patternProperties")
    if 0 < len(patterns) <= 8 and unmatchable(StringShape(not_patterns=tuple(patterns), dialect=sub.dialect)):
        return True
    for keyword, children in _in_place(look, sub):
        judged = [_closed(look, child, within) for child in children]
        if keyword in ("$ref", "allOf") and any(judged) or keyword in ("anyOf", "oneOf") and judged and all(judged):
            return True
        if keyword == "if" and len(judged) == 2 and all(judged):
            return True
    return False


# ---- names

_TRACES = frozenset(
    ("stack", "stack trace", "stacktrace", "backtrace", "back trace", "traceback", "trace back", "call stack",
     "stack frames", "sql", "sql query", "sql state", "sqlstate", "sql error", "raw sql", "exception class",
     "exception type", "inner exception", "debug info", "debug message", "internal message", "internal error")
)  # fmt: skip
"""What only a program's inside has a use for, whichever way it goes."""
_SECRETS = frozenset(
    ("password", "passwd", "pwd", "password hash", "passphrase", "secret", "secrets", "client secret", "secret key",
     "private key", "api key", "apikey", "credentials", "connection string", "dsn", "exception", "debug", "internal",
     "ssn", "source file", "query sql")
)  # fmt: skip
"""What may be sent in, but not out."""


def words(name: str) -> str:
    """A name in lower case with a space between its words, of `stackTrace` as of `STACK_TRACE`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    return " ".join(parts).lower()


def _never_shown(member: dict[str, Any]) -> bool:
    return member.get("writeOnly") is True or member.get("not") in ({}, True)


def internal_name(look: Look) -> Iterator[Spotted]:
    """Properties of an output contract that are named like what should stay inside.

    A contract of both directions takes a password with good reason, but seldom a stack trace.
    """
    if look.entry.direction == "input":
        return
    goes_out = look.entry.direction == "output"
    for sub in look.objects:
        for name, member in table(said(sub), "properties").items():
            if member is False or isinstance(member, dict) and _never_shown(member):
                continue
            if words(name) in _TRACES or goes_out and words(name) in _SECRETS:
                why = "and the contract describes what goes out"
                otherwise = "which matters if the contract describes what goes out"
                yield look.spotted(
                    INTERNAL_NAME,
                    sub,
                    f"{shown(name)} is named like an internal, {why if goes_out else otherwise}",
                    "properties",
                    name,
                    subject=name,
                    fix="leave it out" if goes_out else 'say `direction = "input"` or `"output"` of the contract',
                    level=None if goes_out else Level.NOTE,
                )
