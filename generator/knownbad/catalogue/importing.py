"""Importers: rows of a catalogue out of what is there already. A flag that is not documented is never made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput, Problem
from ..openapi import version
from .reading import read

REGISTRY, AWS, OPENAPI = "registry", "aws", "openapi"


@dataclass(frozen=True, slots=True)
class Imported:
    """The rows that a document documents. `undocumented`: the codes of which it says nothing about the flag."""

    kind: str
    rows: tuple[dict[str, Any], ...]
    tools: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def undocumented(self) -> tuple[str, ...]:
        return tuple(str(row["code"]) for row in self.rows if "retryable" not in row)


CODE = ("code", "errorCode", "error_code", "error", "name", "id", "type")
STATUS = ("httpStatus", "http_status", "httpStatusCode", "statusCode", "status_code", "status", "http")
RETRYABLE = ("retriable", "retryable", "isRetryable", "is_retryable", "canRetry", "retry")
MESSAGE = ("message", "title", "summary", "description")


def imported(path: Path, name: str, tools: Sequence[str] = ()) -> Imported:
    """The rows of a document, by what kind it is. `tools`: what the rows belong to where it does not say.

    Raises BadInput where no importer knows it.
    """
    value = read(path, name)
    if version(value) is not None:
        from . import import_openapi

        found = import_openapi.rows(value, name)
    elif isinstance(value, dict) and isinstance(value.get("shapes"), dict) and "operations" in value:
        from . import import_aws

        found = import_aws.rows(value, name)
    else:
        found = registry(value, name)
    if not found.rows:
        fix = "a registry is a list of objects with `code`, or an object of such objects by code"
        told = [Problem(note, name) for note in found.notes]
        raise BadInput([Problem("documents no error class that is known how to read", name, fix=fix), *told])
    return Imported(found.kind, found.rows, tuple(tools) or found.tools, found.notes)


def registry(value: Any, name: str) -> Imported:
    """A list of error classes, at any one place of a document: objects with a code each, or by code."""
    entries = _entries(value)
    odd = max(_odd(value), key=lambda found: found[0], default=(0, []))
    if odd[0] >= max(1, len(entries)):
        raise BadInput([_no_entry(entry, name, place) for place, entry in odd[1]])
    rows: dict[str, dict[str, Any]] = {}
    problems = []
    for place, entry in entries:
        row = _row(entry)
        other = rows.setdefault(str(row["code"]), row)
        if other is not row and other != row:
            problems.append(Problem("this code is there twice, and the entries differ", name, place, row["code"]))
    if problems:
        raise BadInput(problems)
    return Imported(REGISTRY, tuple(rows.values()))


def _entries(value: Any, place: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The largest list or table of entries in a document."""
    from ..pointers import join

    best: list[tuple[str, dict[str, Any]]] = []
    if isinstance(value, list):
        found = [(join(place, n), entry) for n, entry in enumerate(value) if isinstance(entry, dict) and _code(entry)]
        best = found if len(found) == len(value) else []
    elif isinstance(value, dict):
        named = {n: e for n, e in value.items() if isinstance(e, dict) and _says(e)}
        if named and len(named) == len(value):
            best = [(join(place, n), e if _code(e) else {"code": n, **e}) for n, e in named.items()]
        else:
            inner = [_entries(member, join(place, n)) for n, member in value.items()]
            best = max(inner, key=len, default=[])
    return best


def _odd(value: Any, place: str = "") -> Iterator[tuple[int, list[tuple[str, Any]]]]:
    """Every list that holds entries and something else: how many entries, and what else with its place."""
    from ..pointers import join

    if isinstance(value, list):
        others = [(join(place, n), e) for n, e in enumerate(value) if not (isinstance(e, dict) and _code(e))]
        good = [e for e in value if isinstance(e, dict) and _code(e) and _says(e)]
        if good and others:
            yield len(value) - len(others), others
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _odd(member, join(place, name))


def _no_entry(entry: Any, name: str, place: str) -> Problem:
    from difflib import get_close_matches

    if not isinstance(entry, dict):
        return Problem("is no error class, as its neighbours are", name, place, entry, "an object with `code`")
    near = [key for key in entry if get_close_matches(key, CODE, 1, 0.7)]
    fix = f"`{get_close_matches(near[0], CODE, 1, 0.7)[0]}` for `{near[0]}`?" if near else "`code`, a text or a number"
    return Problem("has no code, as its neighbours have", name, place, entry, fix)


def _code(entry: Mapping[str, Any]) -> Any:
    found = first(entry, CODE)
    return found if isinstance(found, str) and found or isinstance(found, int) and not isinstance(found, bool) else None


def _says(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says something of an error class."""
    return any(isinstance(entry.get(key), bool) for key in RETRYABLE) or _status(entry) is not None


def _status(entry: Mapping[str, Any]) -> int | None:
    found = first(entry, STATUS)
    if isinstance(found, str) and found.isdigit():
        found = int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) and 100 <= found <= 599 else None


def _row(entry: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"code": _code(entry)}
    for key in RETRYABLE:
        if isinstance(entry.get(key), bool):
            row["retryable"] = entry[key]
            break
    status, message = _status(entry), first(entry, MESSAGE)
    if status is not None:
        row["status"] = status
    if isinstance(message, str) and message.strip():
        row["message"] = " ".join(message.split())
    for ours, theirs in (("retry_after", ("retryAfter", "retry_after")), ("hint", ("hint",))):
        found = first(entry, theirs)
        if isinstance(found, (int, float) if ours == "retry_after" else str) and not isinstance(found, bool):
            if found and not (ours == "retry_after" and row.get("retryable") is not True):
                row[ours] = found
    if entry.get("category") in ("transient", "terminal", "needs-clarification"):
        row["category"] = entry["category"]
    if isinstance(entry.get("deprecated"), bool) and entry["deprecated"]:
        row["deprecated"] = True
    return row


def first(entry: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value of the first of these keys that an entry has."""
    return next((entry[key] for key in keys if key in entry), None)


def sentence(text: Any) -> str | None:
    """The first sentence of a documentation, its markup taken out."""
    import html
    import re

    if not isinstance(text, str):
        return None
    inline = re.sub(r"</?(?:a|b|code|em|i|span|strong|tt)\b[^>]*>", "", text)
    plain = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", inline)).split())
    found = re.match(r".{1,200}?[.!?](?=\s|$)", plain)
    return (found[0] if found else plain[:200]) or None


def merged(rows: Iterator[tuple[str, dict[str, Any]]], notes: list[str]) -> list[dict[str, Any]]:
    """Rows with their tools, one row a class: where the tools of a class say different things, a row for each.

    What one tool says twice of a class, in different ways, is told in the notes; the first counts.
    """
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    said: dict[tuple[str, str], dict[str, Any]] = {}
    for tool, row in rows:
        other = said.setdefault((tool, str(row["code"])), row)
        if other is not row:
            differ = sorted(n for n in {*other, *row} - {"message"} if other.get(n) != row.get(n))
            if differ:
                notes.append(
                    f"{tool} documents {row['code']} twice with another {' and '.join(differ)}: the first counts"
                )
            continue
        key = tuple(sorted((name, repr(value)) for name, value in row.items() if name != "message"))
        known = found.setdefault(key, {**row, "tools": []})
        if tool not in known["tools"]:
            known["tools"].append(tool)
    return list(found.values())
