"""Is a schema one? Against the metaschema of its dialect, and each regular expression on its own.

jsonschema-rs decides (it is quick, and it must be able to compile the schema later); jsonschema says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from .dialects import Dialect
from .errors import NO_VALUE, Problem
from .pointers import join, pointer


def problems(value: Any, dialect: Dialect, name: str, place: str, known: bool = False) -> Iterator[Problem]:
    """What the metaschema says against the schema `value`, which stands at the pointer `place` of a document.

    `known`: problems are known already that may be all that the metaschema's formats have against it.
    """
    import jsonschema_rs

    schema = value
    if isinstance(value, dict) and value.get("$schema") != dialect.uri:
        schema = {**value, "$schema": dialect.uri}
    if isinstance(schema, dict):
        if jsonschema_rs.meta.is_valid(schema):
            return
    elif dialect.year > 4:
        return
    else:
        yield Problem("draft-04 knows no boolean schemas here", name, place, value, "write {} or {'not': {}}")
        return
    try:
        found = list(_explained(schema, dialect, name, place))
    except RecursionError:  # jsonschema takes many Python frames a level
        found = []
    yield from found or ([] if known else [_by_jsonschema_rs(schema, name, place)])


def _explained(schema: Any, dialect: Dialect, name: str, place: str) -> Iterator[Problem]:
    import jsonschema

    classes: dict[int, Any] = {
        4: jsonschema.Draft4Validator,
        6: jsonschema.Draft6Validator,
        7: jsonschema.Draft7Validator,
        19: jsonschema.Draft201909Validator,
        20: jsonschema.Draft202012Validator,
    }
    validator = classes[dialect.year](classes[dialect.year].META_SCHEMA)
    seen = set()
    for error in sorted(validator.iter_errors(schema), key=lambda e: (pointer(e.absolute_path), e.message)):
        error = _telling(error)
        location = place + pointer(error.absolute_path)
        message = "fails its metaschema: " + _message(error)
        if (location, message) not in seen:
            seen.add((location, message))
            yield Problem(message, name, location, error.instance, _fix(error))


def _telling(error: Any) -> Any:
    """The error inside an `anyOf` that is nearest to what was meant: one that is not about the type."""
    while error.context:
        branches = [e for e in error.context if e.validator != "type" or e.relative_path] or error.context
        error = branches[0]
    return error


def _message(error: Any) -> str:
    text: dict[str, str] = {
        "enum": "is none of the values that are allowed",
        "type": f"should be of type {_or(error.validator_value)}",
        "uniqueItems": "has an item twice",
        "minItems": f"needs at least {error.validator_value} item",
        "pattern": f"does not match {error.validator_value}",
        "format": f"is no {error.validator_value}",
        "minimum": f"is less than {error.validator_value}",
        "exclusiveMinimum": f"is not greater than {error.validator_value}",
    }
    return text.get(error.validator, error.message if len(error.message) < 200 else f"breaks {error.validator}")


def _or(names: Any) -> str:
    return " or ".join(names) if isinstance(names, list) else str(names)


def _fix(error: Any) -> str | None:
    if error.validator != "enum" or not isinstance(error.instance, str):
        return None
    from difflib import get_close_matches

    near = get_close_matches(error.instance, [v for v in error.validator_value if isinstance(v, str)], 1)
    return f"did you mean {near[0]!r}?" if near else "one of " + ", ".join(map(str, error.validator_value))


def _by_jsonschema_rs(schema: Any, name: str, place: str) -> Problem:
    """The problem in the words of jsonschema-rs, where jsonschema finds none (formats, deep places)."""
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        location = place + pointer(error.instance_path)
        return Problem(f"fails its metaschema: {error.message}", name, location)
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        return Problem(f"fails its metaschema: {error}", name, place)
    return Problem("fails its metaschema", name, place)


def regexes(schema: dict[str, Any], name: str, place: str) -> Iterator[Problem]:
    """The regular expressions of one schema object that do not compile."""
    found = schema.get("pattern")
    if isinstance(found, str):
        yield from _regex(found, name, join(place, "pattern"))
    names = schema.get("patternProperties")
    for found in names if isinstance(names, dict) else ():
        yield from _regex(found, name, join(place, "patternProperties", found))


def compile_all(patterns: Iterable[str]) -> bool:
    """Whether jsonschema-rs takes all of these regular expressions."""
    import jsonschema_rs

    wanted = dict.fromkeys(patterns, True)
    try:
        jsonschema_rs.Draft202012Validator({"patternProperties": wanted})
    except (jsonschema_rs.ValidationError, ValueError):
        return False
    return True


def _regex(pattern: str, name: str, place: str) -> Iterator[Problem]:
    if compile_all([pattern]):
        return
    reason = ""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        reason = f": {error}"
    fix = None if reason else "use the syntax of ECMA-262 (`$` for Python's `\\Z`, no inline flags)"
    yield Problem(f"is no regular expression{reason}", name, place, pattern if pattern else NO_VALUE, fix)
