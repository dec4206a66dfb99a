"""Reading one JSON or YAML document strictly: one clear problem for everything that is not plain JSON data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from .errors import NO_VALUE, BadInput, Problem
from .pointers import join

MAX_DEPTH = 200
"""The deepest nesting that is read. jsonschema-rs takes no value that is nested 255 deep, and walks need some room."""

YAML_SUFFIXES = (".yaml", ".yml")

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')
_BRACKET = re.compile(r"[\[\]{}]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
# Only such a literal can overflow: a large exponent, or more digits than the largest float has.
_HUGE_NUMBER = re.compile(r"[eE]\+?\d{3}|\d{300}")


def is_yaml(name: str) -> bool:
    """Whether a file of this name is read as YAML."""
    return name.lower().endswith(YAML_SUFFIXES)


def read(path: Path, name: str) -> Any:
    """The value in a file; `name` is what messages call it. Raises BadInput."""
    return parse(read_text(path, name), name)


def read_text(path: Path, name: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises BadInput."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(Problem("there is no such file", name)) from None
    except IsADirectoryError:
        raise BadInput(Problem("is a folder, not a file", name, fix="name one file in it")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(Problem(f"cannot be read: {reason}", name)) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        location = line_column(data[: error.start].decode("latin-1"))
        fix = "save the file as UTF-8"
        raise BadInput(Problem("is not UTF-8", name, location, f"byte 0x{data[error.start]:02x}", fix)) from None


def parse(text: str, name: str) -> Any:
    """The value of a document, YAML or JSON by the suffix of `name`. Raises BadInput with every problem found."""
    if not text.strip():
        raise BadInput(Problem("is empty", name, fix="a schema that accepts everything is written `true`"))
    if is_yaml(name):
        from .yaml_text import parse_yaml

        return parse_yaml(text, name, MAX_DEPTH)
    return _parse_json(text, name)


def line_column(before: str) -> str:
    """The place (`line:column`, from 1) right after the text `before`."""
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def too_deep(name: str, location: str) -> Problem:
    """The problem of a document that is nested too deeply."""
    return Problem(f"is nested deeper than {MAX_DEPTH} levels", name, location)


class _Repeated(dict[str, Any]):
    """An object whose text repeats member names; `pairs` are all its members as written."""

    pairs: list[tuple[str, Any]]


def _parse_json(text: str, name: str) -> Any:
    _check_depth(text, name)
    suspect = False

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal suspect
        members = dict(pairs)
        if len(members) == len(pairs):
            return members
        suspect = True
        repeated = _Repeated(members)
        repeated.pairs = pairs
        return repeated

    def constant(literal: str) -> float:
        nonlocal suspect
        suspect = True
        return float(literal)

    try:
        value = json.loads(text, object_pairs_hook=build, parse_constant=constant)
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 30].split("\n", maxsplit=1)[0] or NO_VALUE
        raise BadInput(
            Problem(f"is not JSON: {_lower_first(error.msg)}", name, f"{error.lineno}:{error.colno}", found)
        ) from None
    except ValueError:  # Python refuses integers of more than 4300 digits
        raise BadInput(Problem("holds an integer of thousands of digits", name)) from None
    if suspect or _HUGE_NUMBER.search(text) or _SURROGATE_ESCAPE.search(text):
        problems = tuple(_flaws(value, "", name))
        if problems:
            raise BadInput(problems)
    return value


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _check_depth(text: str, name: str) -> None:
    """Refuse deep nesting on the text, since the parser itself would run out of stack."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    blanked = _STRING.sub(lambda match: " " * len(match[0]), text)
    for match in _BRACKET.finditer(blanked):
        depth += 1 if match[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise BadInput(too_deep(name, line_column(text[: match.start()])))


def _flaws(value: Any, pointer: str, name: str) -> Iterator[Problem]:
    """What JSON text can hold but no JSON value should: repeated names, numbers that are none, half characters."""
    if isinstance(value, dict):
        pairs = value.pairs if isinstance(value, _Repeated) else list(value.items())
        seen: set[str] = set()
        told: set[str] = set()
        for member, item in pairs:
            place = join(pointer, member)
            if member in seen and member not in told:
                told.add(member)
                fix = "keep one of them: parsers differ in which one wins"
                yield Problem("duplicate key", name, place.encode("utf-8", "replace").decode(), member, fix)
            seen.add(member)
            if _half(member):
                yield Problem("the name holds half of a surrogate pair", name, pointer, value=_shown(member))
            yield from _flaws(item, place, name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _flaws(item, join(pointer, index), name)
    elif isinstance(value, float) and not isfinite(value):
        yield Problem("is no JSON number: NaN, an infinity, or too large for a double", name, pointer, value)
    elif isinstance(value, str) and _half(value):
        yield Problem("holds half of a surrogate pair, which is no character", name, pointer, _shown(value))


def _half(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
