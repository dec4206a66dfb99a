"""The errors of an OpenAPI document: what the responses of 400 and above, and `default`, say by example and schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import NO_VALUE
from ..pointers import get, steps
from .importing import CODE, MESSAGE, OPENAPI, RETRYABLE, Imported, first, merged, sentence

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_IDEMPOTENT = ("get", "put", "delete", "options", "head", "trace", "query")
"""By RFC 9110, 9.2.2. What another method does twice is for the API to say."""
_DEEP = 12


def rows(document: Mapping[str, Any], name: str) -> Imported:
    """A class for each code that a response names. A response that names none is told in a note."""
    notes: list[str] = []
    found = merged(_of(document, notes), notes)
    tools = tuple(dict.fromkeys(tool for row in found for tool in row["tools"]))
    return Imported(OPENAPI, tuple(found), tools, tuple(notes))


def _of(document: Mapping[str, Any], notes: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        item = _resolved(document, item)
        for method in _METHODS:
            operation = item.get(method) if isinstance(item, dict) else None
            if not isinstance(operation, dict):
                continue
            tool = _tool(operation, method, path)
            for row in _operation(document, operation, f"{method.upper()} {path}", notes):
                if method in _IDEMPOTENT:
                    row["idempotent"] = True
                yield tool, row


def _operation(
    document: Mapping[str, Any], operation: Mapping[str, Any], called: str, notes: list[str]
) -> Iterator[dict[str, Any]]:
    """The classes of one operation. An example says which response a code belongs to; an enum that several responses
    share does not."""
    responses = operation.get("responses")
    found: list[tuple[dict[str, Any], bool]] = []
    for status, response in responses.items() if isinstance(responses, dict) else ():
        if not re.fullmatch(r"[45](\d\d|XX)|default", str(status)):
            continue
        mine = list(_rows(document, str(status), _resolved(document, response)))
        if not mine:
            mine = [(row, True) for row in _component(document, str(status), response)]
            named = f", so its own name stands for one: {mine[0][0]['code']}" if mine else ""
            notes.append(f"{called}: the response {status} names no code{named}")
        found.extend(mine)
    exact = {row["code"] for row, shown in found if shown}
    listed: dict[Any, list[dict[str, Any]]] = {}
    for row, shown in found:
        if shown:
            yield row
        elif row["code"] not in exact:
            listed.setdefault(row["code"], []).append(row)
    for code, rows in listed.items():
        common = {key: part for key, part in rows[0].items() if all(row.get(key) == part for row in rows)}
        left = sorted(rows[0].keys() - common.keys() - {"message"})
        if left:
            notes.append(
                f"{called}: several responses list {code}, and none by example: no {' and '.join(left)} is taken"
            )
        yield common


def _tool(operation: Mapping[str, Any], method: str, path: str) -> str:
    given = operation.get("operationId")
    text = given if isinstance(given, str) and given else f"{method}-{path.strip('/')}"
    return re.sub(r"[^A-Za-z0-9_.:/-]+", "-", text).strip("-./:") or method


def _component(document: Mapping[str, Any], status: str, response: Any) -> Iterator[dict[str, Any]]:
    """The class of a response that several operations share by its name."""
    reference = response.get("$ref") if isinstance(response, dict) else None
    if isinstance(reference, str) and reference.startswith("#/"):
        row: dict[str, Any] = {"code": steps(reference[1:])[-1]}
        if status.isdigit():
            row["status"] = int(status)
        shared = _resolved(document, response)
        flag = first(shared, ["x-" + key for key in RETRYABLE]) if isinstance(shared, dict) else None
        message = sentence(shared.get("description")) if isinstance(shared, dict) else None
        yield {
            **row,
            **({"retryable": flag} if isinstance(flag, bool) else {}),
            **({"message": message} if message else {}),
        }


def _rows(document: Mapping[str, Any], status: str, response: Any) -> Iterator[tuple[dict[str, Any], bool]]:
    """The classes of one response: by its examples first, then by what its schema names. With each: whether it is
    the response that names it, and not just a schema that others may share."""
    if not isinstance(response, dict):
        return
    about: dict[str, Any] = {"status": int(status)} if status.isdigit() else {}
    message = sentence(response.get("description"))
    flag = first(response, ["x-" + key for key in RETRYABLE])
    known: dict[Any, dict[str, Any]] = {}
    listed: set[Any] = set()
    named = first(response, ("x-error-code", "x-error-codes", "x-code"))
    for code in named if isinstance(named, list) else [named]:
        if isinstance(code, (str, int)) and not isinstance(code, bool) and code != "":
            known[code] = {"code": code, **about}
    for schema, examples in _bodies(document, response):
        for example in examples:
            code = _code(example)
            if code is not None and code not in known:
                known[code] = {"code": code, **_said(example), **about}
        for code, extra in _named(document, schema):
            if code not in known:
                known[code] = {"code": code, **extra, **about}
                listed.add(code)
    for row in known.values():
        if isinstance(flag, bool):
            row.setdefault("retryable", flag)
        if message:
            row.setdefault("message", message)
        yield row, row["code"] not in listed


def _bodies(document: Mapping[str, Any], response: Mapping[str, Any]) -> Iterator[tuple[Any, list[Any]]]:
    """The schema and the examples of each media type; Swagger 2.0 has one schema and examples by media type."""
    content = response.get("content")
    if isinstance(content, dict):
        for media in content.values():
            if isinstance(media, dict):
                schema = _resolved(document, media.get("schema"))
                yield schema, [*_examples(document, media), *_schema_examples(schema)]
        return
    schema = _resolved(document, response.get("schema"))
    examples = response.get("examples")
    yield schema, [*(examples.values() if isinstance(examples, dict) else ()), *_schema_examples(schema)]


def _examples(document: Mapping[str, Any], media: Mapping[str, Any]) -> Iterator[Any]:
    if "example" in media:
        yield media["example"]
    named = media.get("examples")
    for example in named.values() if isinstance(named, dict) else ():
        example = _resolved(document, example)
        if isinstance(example, dict) and "value" in example:
            yield example["value"]


def _schema_examples(schema: Any) -> Iterator[Any]:
    if isinstance(schema, dict):
        if "example" in schema:
            yield schema["example"]
        yield from schema["examples"] if isinstance(schema.get("examples"), list) else ()


def _holders(body: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of a body that may hold a code, the innermost of the usual wrappers first."""
    if isinstance(body, dict):
        for wrapper in ("error", "errors", "detail"):
            inner = body.get(wrapper)
            inner = inner[0] if isinstance(inner, list) and inner else inner
            if isinstance(inner, dict):
                yield inner
        yield body


def _code(body: Any) -> Any:
    for holder in _holders(body):
        code = first(holder, CODE)
        if isinstance(code, str) and code and code != "about:blank" or isinstance(code, int) and code is not True:
            return code
    return None


def _said(body: Any) -> dict[str, Any]:
    """The flag and the message of an example."""
    said: dict[str, Any] = {}
    for holder in _holders(body):
        flag, message = first(holder, RETRYABLE), first(holder, ("message", "detail", *MESSAGE))
        if isinstance(flag, bool):
            said.setdefault("retryable", flag)
        if isinstance(message, str) and message.strip():
            said.setdefault("message", " ".join(message.split()))
    return said


def _named(document: Mapping[str, Any], schema: Any, deep: int = 0) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The codes that a schema lists, with the flag that stands as a constant beside them."""
    schema = _resolved(document, schema)
    if not isinstance(schema, dict) or deep > _DEEP:
        return
    for key in ("oneOf", "anyOf", "allOf"):
        for branch in schema[key] if isinstance(schema.get(key), list) else ():
            yield from _named(document, branch, deep + 1)
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return
    for wrapper in ("error", "errors"):
        yield from _named(document, properties.get(wrapper), deep + 1)
    if "items" in schema:
        yield from _named(document, schema["items"], deep + 1)
    flags = _values(document, first(properties, RETRYABLE))
    flag = {"retryable": flags[0]} if len(flags) == 1 and isinstance(flags[0], bool) else {}
    for key in CODE:
        codes = [c for c in _values(document, properties.get(key)) if isinstance(c, (str, int)) and c not in ("", True)]
        if codes:
            for code in codes:
                yield code, dict(flag)
            return


def _values(document: Mapping[str, Any], schema: Any) -> list[Any]:
    schema = _resolved(document, schema)
    if not isinstance(schema, dict):
        return []
    if "const" in schema:
        return [schema["const"]]
    return list(schema["enum"]) if isinstance(schema.get("enum"), list) else []


def _resolved(document: Mapping[str, Any], value: Any) -> Any:
    """What a local reference leads to; a reference to another file is left alone."""
    for _ in range(_DEEP):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            return value
        try:
            value = get(document, value["$ref"].removeprefix("#")) if value["$ref"].startswith("#/") else NO_VALUE
        except LookupError:
            return None
        if value is NO_VALUE:
            return None
    return None
