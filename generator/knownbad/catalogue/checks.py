"""What a catalogue says that its schema cannot hold against it: the same class twice, a wait for what is final."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from ..errors import Problem
from ..pointers import join
from .model import Case, Catalogue, Row

_MAPS = ("services", "environments")


def problems_of(catalogue: Catalogue, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a catalogue that passes its schema."""
    file = catalogue.file
    yield from _twice(catalogue)
    yield from _tools(catalogue, value)
    for row in catalogue.rows:
        yield from _waits(row.values, row.values, file, row.location)
        for key in _MAPS:
            overrides = row.values.get(key)
            for name, table in overrides.items() if isinstance(overrides, dict) else ():
                yield from _waits(table, {**row.values, **table}, file, join(row.location, key, name))
        yield from _triggers(row, file)
        yield from _details(row, file)
    yield from _services(catalogue, value)
    yield from _pointers(catalogue, value)


def _tools(catalogue: Catalogue, value: Mapping[str, Any]) -> Iterator[Problem]:
    """A row of a tool that is not among those of the catalogue is a slip of the pen."""
    if "tools" not in value:
        return
    known = list(value["tools"])
    for row in catalogue.rows:
        named = [(tool, join(row.location, "tools", n)) for n, tool in enumerate(row.values.get("tools", ()))]
        trigger = row.values.get("trigger", {}).get("tool")
        if "tools" not in row.values and trigger is not None:
            named = [(trigger, join(row.location, "trigger", "tool"))]
        for tool, place in named:
            if tool not in known:
                near = get_close_matches(tool, known, 1)
                fix = f"`{near[0]}`?" if near else f"one of {', '.join(known)}; or add it to `tools` of the catalogue"
                yield Problem("is no tool of this catalogue", catalogue.file, place, tool, fix)


def _twice(catalogue: Catalogue) -> Iterator[Problem]:
    seen: dict[tuple[str, str], Row] = {}
    for row in catalogue.rows:
        told = False
        for tool in row.tools:
            other = seen.setdefault((tool, row.class_), row)
            if other is not row and not told:
                told = True
                message = f"the class {row.class_} of {tool} is documented twice"
                fix = f"keep one of this row and {other.location}"
                yield Problem(message, catalogue.file, join(row.location, "code"), row.values["code"], fix)
    yield from _alike(catalogue)


def _alike(catalogue: Catalogue) -> Iterator[Problem]:
    """A class `a` behind a service `b` has the name of a class `a.b`."""
    seen: dict[tuple[str, str], Case] = {}
    for case in catalogue.cases():
        other = seen.setdefault((case.tool, case.name), case)
        if other.class_ != case.class_:
            message = f"{case.name} is the name of two cases: of the classes {other.class_} and {case.class_}"
            fix = "give the service or the environment another name"
            yield Problem(message, catalogue.file, case.location, case.class_, fix)


def _waits(said: Mapping[str, Any], whole: Mapping[str, Any], file: str, location: str) -> Iterator[Problem]:
    if said is not whole and said.get("retryable") is False and "retry_after" not in said:
        return  # the time to wait of the row is dropped there
    if whole["retryable"] is False and "retry_after" in whole and ("retry_after" in said or "retryable" in said):
        key = "retry_after" if "retry_after" in said else "retryable"
        fix = "drop `retry_after`, or document that the call may be sent again"
        yield Problem("there is a time to wait for what is not retryable", file, join(location, key), said[key], fix)


def _triggers(row: Row, file: str) -> Iterator[Problem]:
    places = [(row.values, row.location)]
    for key in _MAPS:
        overrides = row.values.get(key)
        if isinstance(overrides, dict):
            places += [(table, join(row.location, key, name)) for name, table in overrides.items()]
    for table, location in places:
        tool = table.get("trigger", {}).get("tool")
        if tool is not None and tool not in row.tools:
            message = "the trigger calls a tool that the class does not belong to"
            yield Problem(message, file, join(location, "trigger", "tool"), tool, f"tools: {', '.join(row.tools)}")


def _details(row: Row, file: str) -> Iterator[Problem]:
    """The problems of a schema of details, at its place in the catalogue."""
    from ..errors import BadInput
    from ..varied import contract_of

    schema = row.values.get("details")
    if schema is None:
        return
    try:
        contract_of(schema, "details")
    except BadInput as bad:
        for problem in bad.problems:
            place = join(row.location, "details") + (problem.location or "")
            yield Problem(problem.message, file, place, problem.value, problem.fix)


def _services(catalogue: Catalogue, value: Mapping[str, Any]) -> Iterator[Problem]:
    """A service with a policy that no class knows is a slip of the pen."""
    known = {name for row in catalogue.rows for name in row.values.get("services", ())}
    for name in value.get("policy", {}).get("services", {}):
        if name not in known:
            fix = f"services: {', '.join(sorted(known)) or 'none'}"
            yield Problem(
                "no class names this service", catalogue.file, join("", "policy", "services", name), name, fix
            )


def _pointers(catalogue: Catalogue, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Two things cannot stand at one place, but for code and hint, which may be one."""
    seen: dict[str, str] = {}
    for key, place in value.get("envelope", {}).items():
        if key == "contract":
            continue
        if place == "":
            yield Problem("must be a place in the envelope", catalogue.file, join("", "envelope", key), place)
        other = seen.setdefault(place, key)
        if other != key and {other, key} != {"code", "hint"}:
            message = f"`{key}` and `{other}` stand at one place"
            yield Problem(message, catalogue.file, join("", "envelope", key), place)
    if catalogue.idempotency_key == "":
        yield Problem("must be a place in the request", catalogue.file, "/policy/idempotency_key", "")
