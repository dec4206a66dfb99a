"""What is doubtful in a catalogue by itself: flags that clients may not share, retries without a key, open details."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..codes.error_contracts import (
    CATEGORY,
    LEAKING_MESSAGE,
    NO_ERROR_STATUS,
    OPEN_DETAILS,
    TABLES_DISAGREE,
    WITHOUT_KEY,
)
from ..finding import Finding
from ..pointers import join
from .model import Catalogue, Row

TABLES: tuple[tuple[str, frozenset[int]], ...] = (
    ("botocore's legacy mode", frozenset((429, 500, 502, 503, 504, 509))),
    ("botocore's standard mode", frozenset((500, 502, 503, 504))),
    ("google-api-core", frozenset((429, 500, 503))),
    ("Azure Core", frozenset((408, 429, 500, 502, 503, 504))),
    ("urllib3 with Retry-After", frozenset((413, 429, 503))),
    ("the Python client of OpenAI", frozenset((408, 409, 429, *range(500, 600)))),
)
"""Client tables of statuses that are sent again, whatever the body says. They decide nothing: they are compared."""


def disagreement(status: int) -> tuple[list[str], list[str]]:
    """The tables that send a status again, and those that do not; both are empty where all say the same."""
    again = [name for name, statuses in TABLES if status in statuses]
    if len(again) in (0, len(TABLES)):
        return [], []
    return again, [name for name, _ in TABLES if name not in again]


def lints(catalogue: Catalogue) -> Iterator[Finding]:
    """Everything doubtful, row by row."""
    for row in catalogue.rows:
        for location, said, whole in _outcomes(row):
            name = row.class_ if location == row.location else f"{row.class_} ({location.rpartition('/')[2]})"
            yield from _status(catalogue, name, location, said, whole)
            yield from _key(catalogue, name, location, said, whole)
            yield from _details(catalogue, name, location, said)
            yield from _category(catalogue, name, location, said, whole)
            yield from _success(catalogue, name, location, said)
            yield from _leak(catalogue, name, location, said)


def _outcomes(row: Row) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """The row and its overrides: where it stands, what is said there, and what holds there."""
    yield row.location, row.values, row.values
    for key in ("services", "environments"):
        overrides = row.values.get(key)
        for name, said in overrides.items() if isinstance(overrides, dict) else ():
            yield join(row.location, key, name), said, {**row.values, **said}


def _status(
    catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any], whole: Mapping[str, Any]
) -> Iterator[Finding]:
    status = whole.get("status")
    if status is None or not {"status", "retryable"} & said.keys():
        return
    again, not_again = disagreement(status)
    if again:
        message = (
            f"{name}: published client tables disagree about {status}: {_list(again)} would send the call again,"
            f" {_list(not_again)} would not; the catalogue says {_flag(whole['retryable'])}"
        )
        place = join(location, "status" if "status" in said else "retryable")
        fix = "see to it that your clients read the flag and not the status"
        yield Finding(TABLES_DISAGREE, message, catalogue.file, place, subject=name, witness=status, fix=fix)


def _key(
    catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any], whole: Mapping[str, Any]
) -> Iterator[Finding]:
    """A failure of the server may come after the effect; sent again without a key, the effect may come twice."""
    status = whole.get("status")
    if whole["retryable"] is not True or whole.get("idempotent") is True or status is None or status < 500:
        return
    if not {"status", "retryable", "idempotent"} & said.keys():
        return
    idempotent = "is not idempotent" if whole.get("idempotent") is False else "is not known to be idempotent"
    message = f"{name}: {status} is retryable without an idempotency key, and the operation {idempotent}"
    fix = 'retryable = "with-idempotency-key", or idempotent = true where that is so'
    place = join(location, "retryable" if "retryable" in said else "status" if "status" in said else "idempotent")
    yield Finding(WITHOUT_KEY, message, catalogue.file, place, subject=name, fix=fix)


def _details(catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    from ..distinguish import Engine
    from ..oracle import Oracle
    from ..varied import contract_of
    from ..witness.instance import NO_HINT

    if "details" not in said:
        return
    contract = contract_of(said["details"], "details")
    smallest = Engine(contract).smallest()
    if smallest is NO_HINT or not isinstance(smallest, dict):
        return
    oracle = Oracle(contract)
    for place in _levels(smallest):
        wider = _with_member(smallest, place)
        if oracle.accepts(wider):
            message = f"{name}: the details accept members that nobody documented at {place or 'their root'}"
            fix = "`additionalProperties = false` in each object of the schema"
            yield Finding(
                OPEN_DETAILS, message, catalogue.file, join(location, "details"), subject=name, witness=wider, fix=fix
            )
            return


def _category(
    catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any], whole: Mapping[str, Any]
) -> Iterator[Finding]:
    """What is final, or needs another call, is not cured by the same one."""
    category = whole.get("category")
    if whole["retryable"] is True and category in ("terminal", "needs-clarification"):
        if {"category", "retryable"} & said.keys():
            message = f"{name}: is {category}, and the very same call may be sent again"
            place = join(location, "category" if "category" in said else "retryable")
            fix = 'retryable = false, or category = "transient"'
            yield Finding(CATEGORY, message, catalogue.file, place, subject=name, witness=category, fix=fix)


def _success(catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    status = said.get("status")
    if status is not None and status < 400:
        message = f"{name}: {status} is no status of an error: clients take the reply for a success"
        fix = "a status from 400 on; none where the tool does not speak HTTP"
        place = join(location, "status")
        yield Finding(NO_ERROR_STATUS, message, catalogue.file, place, subject=name, witness=status, fix=fix)


def _leak(catalogue: Catalogue, name: str, location: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    """A message that is documented passes everywhere, so what it shows is told here."""
    from ..leaks import leaks

    for key in ("message", "hint"):
        for leak in leaks(said.get(key), (), join(location, key)):
            message = f"{name}: the documented {key} looks like an internal: {leak.kind}"
            fix = "say what went wrong and what would be right, not how the tool is built"
            place = leak.location
            yield Finding(LEAKING_MESSAGE, message, catalogue.file, place, subject=name, witness=leak.text, fix=fix)


def _levels(value: Any, place: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        yield place
        for name, member in value.items():
            yield from _levels(member, join(place, name))


def _with_member(value: Any, place: str) -> Any:
    from ..pointers import get, replace, steps

    return replace(value, steps(place), {**get(value, place), "unexpected": True})


def _flag(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
