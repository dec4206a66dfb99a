"""What a catalogue documents beside the three assertions, held against a fixture: values, the request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..catalogue.model import Case, Catalogue
from ..errors import NO_VALUE
from ..masking import MASK
from ..pointers import join, steps
from ..values import equal
from ..violations import value_at
from .corpus import ErrorFile


class Differs(NamedTuple):
    """One thing that a fixture says otherwise: its name, its place in the file, what is documented, what is there."""

    name: str
    location: str
    expected: Any
    actual: Any


def differs(file: ErrorFile, case: Case, catalogue: Catalogue, volatile: Sequence[str] = ()) -> Iterator[Differs]:
    """Every documented value that a fixture contradicts. `volatile`: places in the envelope where any value will do.

    What a row says nothing of is free. An envelope may do without what is documented, unless the catalogue says that it
    stands there.
    """
    layout = catalogue.envelope
    for name, place, value in (
        ("message", layout.message, case.message),
        ("category", layout.category, case.category),
        ("retry_after", layout.retry_after, case.retry_after),
        ("status", layout.status, case.status),
    ):
        if place is None or value is None or any(_within(place, held) for held in volatile):
            continue
        actual = value_at(file.response, place)
        if actual is NO_VALUE and not catalogue.own_layout or _masked(actual):
            continue
        if actual is NO_VALUE or not equal(actual, value):
            yield Differs(name, "/response" + place, value, actual)
    yield from _request(file, case, catalogue)


def _request(file: ErrorFile, case: Case, catalogue: Catalogue) -> Iterator[Differs]:
    """The request that a row names as its trigger, member by member; what a recorder adds beside it is free."""
    if not case.triggered:
        return
    key = steps(catalogue.idempotency_key) if case.with_key is True else None
    actual = file.request
    for name, value in case.request.items():
        there = value_at(actual, join("", name)) if isinstance(actual, dict) else NO_VALUE
        if not _alike(value, there, key[1:] if key and key[0] == name else None):
            yield Differs("trigger", join("/request", name), value, there)


def _alike(value: Any, there: Any, key: Sequence[str] | None) -> bool:
    """Equal, but for what was masked, and for the idempotency key, which is another one each time."""
    if key is not None and not key or _masked(there):
        return there is not NO_VALUE
    if isinstance(value, Mapping) and isinstance(there, Mapping):
        if value.keys() != there.keys():
            return False
        return all(_alike(value[n], there[n], key[1:] if key and key[0] == n else None) for n in value)
    if isinstance(value, list) and isinstance(there, list) and len(value) == len(there):
        return all(_alike(one, other, None) for one, other in zip(value, there, strict=True))
    return there is not NO_VALUE and equal(value, there)


def _masked(value: Any) -> bool:
    return isinstance(value, str) and MASK in value


def _within(place: str, held: str) -> bool:
    return place == held or place.startswith(held + "/")
