"""A first strict schema out of one or two real replies, with every guess marked for review.

`genson` says of which types the replies are. What is added here: objects are closed, formats and identifiers found,
and a `$comment` says at each place what was guessed and from how much.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from ..dialects import DRAFT_2020_12
from ..errors import BadInput, Problem
from ..masking import MASK
from ..values import TYPES, type_of

GUESS = "guess, for review: "
"""Every `$comment` of a guess begins with it."""

_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"


def _is(kind: Callable[[str], object]) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        try:
            kind(text)
        except ValueError:
            return False
        return True

    return test


def _matches(pattern: str) -> Callable[[str], bool]:
    return re.compile(pattern, re.ASCII).fullmatch  # type: ignore[return-value]


_FORMATS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("uuid", _matches(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")),
    ("date-time", _matches(f"{_DATE}[tT]{_TIME}")),
    ("date", _matches(_DATE)),
    ("time", _matches(_TIME)),
    (
        "email",
        _matches(
            r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
        ),
    ),
    ("uri", _matches(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]+")),
    ("ipv4", _is(IPv4Address)),
    ("ipv6", lambda text: ":" in text and _is(IPv6Address)(text)),
)
_SHAPES: tuple[tuple[str, str], ...] = (
    ("words in capitals", "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"),
    ("hexadecimal digits", "^[0-9a-f]{8,128}$"),
)
_PREFIXED = re.compile(r"([A-Za-z]{2,10}[_-])[A-Za-z0-9]*[0-9][A-Za-z0-9]*")
_NAMES = (_matches(r"[0-9]+"), _FORMATS[0][1], _FORMATS[2][1])
"""Names of members that are data: numbers, identifiers, days."""


@dataclass(slots=True)
class _Guesses:
    """How many guesses there are, and of how many replies."""

    replies: int
    told: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Inferred:
    """A schema, and each guess in it: its place and what was guessed."""

    schema: dict[str, Any]
    guesses: tuple[tuple[str, str], ...]


def infer(replies: Sequence[Any], title: str = "Inferred") -> Inferred:
    """A schema that accepts all of these replies. Raises BadInput where genson is not installed."""
    try:
        from genson import SchemaBuilder
    except ImportError:
        raise BadInput(Problem("genson is not installed", fix="pip install 'knownbad[infer]'")) from None
    builder = SchemaBuilder(schema_uri=None)
    for reply in replies:
        builder.add_object(reply)
    guesses = _Guesses(len(replies))
    body = _strict(builder.to_schema(), list(replies), "", guesses)
    head = {"$schema": DRAFT_2020_12.uri, "title": title}
    amount = "one reply" if len(replies) == 1 else f"{len(replies)} replies"
    comment = f"Inferred from {amount}; each comment below marks a guess, to be reviewed and then removed."
    own = body.pop("$comment", None)
    return Inferred({**head, "$comment": f"{comment} {own}" if own else comment, **body}, tuple(guesses.told))


def _strict(schema: dict[str, Any], values: Sequence[Any], at: str, guesses: _Guesses) -> dict[str, Any]:
    """The schema of genson for these values, closed and with what is found out of them."""
    if "anyOf" in schema:
        # One branch a kind of value, so that no two accept the same.
        branches = [
            _strict(branch, _of(values, branch.get("type")), f"{at}/anyOf/{number}", guesses)
            for number, branch in enumerate(schema["anyOf"])
        ]
        return _told({"anyOf": branches}, "values of several kinds were seen here", at, guesses)
    kinds = schema.get("type")
    if kinds == "object":
        return _object(schema, [value for value in values if isinstance(value, dict)], at, guesses)
    if kinds == "array":
        return _array(schema, [value for value in values if isinstance(value, list)], at, guesses)
    if kinds is None:
        return _told({"type": list(TYPES)}, "no value was seen here, so any is taken", at, guesses)
    found: dict[str, Any] = {"type": kinds}
    if isinstance(kinds, list):
        found = _told(found, "values of several kinds were seen here", at, guesses)
    if kinds == "integer":
        return _told(found, "only whole numbers were seen here", at, guesses)
    if kinds == "null":
        return _told(found, "only null was seen here", at, guesses)
    if "string" in (kinds if isinstance(kinds, list) else [kinds]):
        return _string(found, [value for value in values if isinstance(value, str)], at, guesses)
    return found


def _of(values: Sequence[Any], kinds: Any) -> list[Any]:
    named = kinds if isinstance(kinds, list) else [kinds]
    return [v for v in values if type_of(v) in named or type_of(v) == "integer" and "number" in named]


def _object(schema: dict[str, Any], values: Sequence[dict[str, Any]], at: str, guesses: _Guesses) -> dict[str, Any]:
    members: dict[str, dict[str, Any]] = schema.get("properties", {})
    if members and all(any(name_of(name) for name_of in _NAMES) for name in members):
        return _map(members, values, at, guesses)
    required = [name for name in members if all(name in value for value in values)]
    found: dict[str, Any] = {"type": "object"}
    if required:
        found["required"] = required
    if members:
        found["properties"] = {
            name: _strict(inner, [v[name] for v in values if name in v], _join(at, "properties", name), guesses)
            for name, inner in members.items()
        }
    found["additionalProperties"] = False
    optional = [name for name in members if name not in required]
    seen = f"the {len(values)} objects seen" if len(values) > 1 else "the only object seen"
    said = [f"closed, as {seen} had no other members" if members else f"closed and empty, as {seen} was"]
    if required:
        said.append("required is what each of them had" if len(values) > 1 else "required is all that it had")
    if optional:
        said.append("optional is what one of them lacked: " + ", ".join(optional))
    return _told(found, "; ".join(said), at, guesses)


def _map(members: dict[str, Any], values: Sequence[dict[str, Any]], at: str, guesses: _Guesses) -> dict[str, Any]:
    """An object whose names are data: one schema for all that it holds."""
    from genson import SchemaBuilder

    builder = SchemaBuilder(schema_uri=None)
    held = [item for value in values for item in value.values()]
    for item in held:
        builder.add_object(item)
    inner = _strict(builder.to_schema(), held, f"{at}/additionalProperties", guesses)
    if all(_NAMES[0](name) for name in members):
        names: dict[str, Any] = {"pattern": "^[0-9]+$"}
    else:
        names = {"format": "uuid"} if all(_NAMES[1](name) for name in members) else {"minLength": 1}
    found = {"type": "object", "propertyNames": names, "additionalProperties": inner}
    return _told(found, "the names of the members look like data, not like properties", at, guesses)


def _array(schema: dict[str, Any], values: Sequence[list[Any]], at: str, guesses: _Guesses) -> dict[str, Any]:
    items = [item for value in values for item in value]
    if not items:
        return _told({"type": "array", "maxItems": 0}, "only an empty array was seen here", at, guesses)
    inner = _strict(schema.get("items", {}), items, f"{at}/items", guesses)
    return {"type": "array", "items": inner}


def _string(found: dict[str, Any], values: Sequence[str], at: str, guesses: _Guesses) -> dict[str, Any]:
    texts = [value for value in values if value != MASK]
    if len(texts) < len(values) or not texts:
        return found
    many = f"each of the {len(set(texts))} texts seen" if len(set(texts)) > 1 else "the only text seen"
    for name, test in _FORMATS:
        if all(map(test, texts)):
            return _told({**found, "format": name}, f"{many} is of this format", at, guesses)
    for what, pattern in _SHAPES:
        if all(re.search(pattern, text) and len(text) > 3 for text in texts):
            return _told({**found, "pattern": pattern}, f"{many} is an identifier: {what}", at, guesses)
    prefixed = [_PREFIXED.fullmatch(text) for text in texts]
    prefixes = {match[1] if match else None for match in prefixed}
    if None not in prefixes and len(prefixes) == 1:
        pattern = f"^{prefixes.pop()}[A-Za-z0-9]+$"
        return _told({**found, "pattern": pattern}, f"{many} is an identifier with this prefix", at, guesses)
    if all(texts):
        return _told({**found, "minLength": 1}, "no text seen was empty", at, guesses)
    return found


def _told(schema: dict[str, Any], guess: str, at: str, guesses: _Guesses) -> dict[str, Any]:
    guesses.told.append((at, guess))
    before = schema.pop("$comment", None)
    comment = f"{before}; {guess}" if before else GUESS + guess
    return {"$comment": comment, **schema}


def _join(at: str, *steps: str) -> str:
    from ..pointers import join

    return join(at, *steps)


def unlike(schema: Any, replies: Iterable[Any]) -> list[int]:
    """The numbers of the replies that the schema does not accept: none, unless something is wrong here."""
    from ..oracle import Oracle
    from ..varied import contract_of

    oracle = Oracle(contract_of(schema))
    return [number for number, reply in enumerate(replies) if oracle.accepts(reply) is not True]
