"""A change of the catalogue beside its fixtures: a row and its fixture change in one pull request, or it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..catalogue.model import Case, Catalogue, Envelope
from ..catalogue.places import readable
from ..catalogue.settings import Settings
from ..codes.error_contracts import UNCHANGED_FIXTURE
from ..errors import NO_VALUE, shorten
from ..finding import Finding
from ..layout import relative
from ..values import equal
from ..violations import value_at
from .corpus import ErrorFile
from .listing import listed
from .plan import without_fixture

Side = tuple[Settings, Catalogue]
"""A project's settings of errors and its catalogue."""


def changes(base: Side | None, head: Side) -> Iterator[Finding]:
    """What is wrong with the rows that were added or changed since the base. `base`: None where it had no catalogue."""
    catalogue = head[1]
    for tool in catalogue.tools:
        before = {case.name: case for case in base[1].cases(tool)} if base is not None else {}
        after = catalogue.cases(tool)
        touched = [case for case in after if _documents(before.get(case.name), base) != _documents(case, head)]
        if not touched:
            continue
        files = _by_case(head, tool)
        old = _bytes(base, tool) if base is not None else {}
        for case in touched:
            mine = files.get(case.name, [])
            if not mine:
                yield without_fixture(case, catalogue)
            elif case.name in before and base is not None:
                yield from _unchanged(before[case.name], base, case, head, mine, old)


def _unchanged(
    before: Case, base: Side, case: Case, head: Side, files: list[ErrorFile], old: Mapping[str, str]
) -> Iterator[Finding]:
    """A fixture that says still what the row said before."""
    then, now = _documents(before, base), _documents(case, head)
    changed = {key: now.get(key, NO_VALUE) for key in {*then, *now} if not _same(then.get(key), now.get(key))}
    for file in files:
        name = relative(file.path, head[0].root)
        if old.get(name) != file.sha256:
            continue
        behind = sorted(key for key, value in changed.items() if not _shows(file, key, value))
        if behind:
            place = behind[0]
            said = shorten(None if (was := _shown(file, place)) is NO_VALUE else was)
            message = (
                f"the row of {case.name} changed ({', '.join(behind)}), and its fixture did not:"
                f" {place} is still {said}"
            )
            fix = "run `knownbad generate`, or record it anew, in the same pull request"
            yield Finding(UNCHANGED_FIXTURE, message, name, place, subject=case.name, fix=fix)


def _documents(case: Case | None, side: Side | None) -> dict[str, Any]:
    """What a row says of a fixture, by the place in the fixture."""
    if case is None or side is None:
        return {}
    layout: Envelope = side[1].envelope
    message = case.message if case.message is not None else readable(case.class_)
    said = {
        layout.code: case.code,
        layout.hint: case.hint,
        layout.retryable: case.retryable,
        layout.message: message,
        layout.category: case.category,
        layout.retry_after: case.retry_after,
        layout.status: case.status,
    }
    found = {f"/response{place}": v for place, v in said.items() if place is not None and v is not None}
    return {**found, "/request": dict(case.request)}


def _shown(file: ErrorFile, place: str) -> Any:
    return value_at({"request": file.request, "response": file.response}, place)


def _shows(file: ErrorFile, place: str, value: Any) -> bool:
    """Whether a fixture says at a place what is documented now; a row without it asks for nothing there."""
    return value is NO_VALUE and _shown(file, place) is NO_VALUE or _same(_shown(file, place), value)


def _same(one: Any, other: Any) -> bool:
    if one is NO_VALUE or other is NO_VALUE or one is None or other is None:
        return one is other
    return type(one) is type(other) and equal(one, other)


def _by_case(side: Side, tool: str) -> dict[str, list[ErrorFile]]:
    found: dict[str, list[ErrorFile]] = {}
    for file in listed(side[0].root, side[0], side[1], tool).of(True):
        if file.case is not None and not file.flaw:
            found.setdefault(file.case.name, []).append(file)
    return found


def _bytes(side: Side, tool: str) -> dict[str, str]:
    """The digests of the fixtures of a tool by their paths in the project."""
    settings, catalogue = side
    return {
        relative(file.path, settings.root): file.sha256
        for file in listed(settings.root, settings, catalogue, tool).of(True)
    }
