"""A comparison as one JSON document; `schemas/compare-report.schema.json` says what it looks like."""

from __future__ import annotations

import json
from typing import Any

from .. import __version__
from ..differ.results import Change, Comparison, Place, Shift
from ..errors import NO_VALUE, Exit


def text(comparison: Comparison, direction: str, exit_: Exit) -> str:
    """The document, with a newline at the end."""
    return json.dumps(document(comparison, direction, exit_), indent=2, ensure_ascii=False) + "\n"


def document(comparison: Comparison, direction: str, exit_: Exit) -> dict[str, Any]:
    """The verdict of the whole, then of every changed location."""
    return {
        "verdict": comparison.verdict,
        "direction": direction,
        "breaks": comparison.breaks(direction),
        "exit": int(exit_),
        "proof": comparison.proof or None,
        "base": comparison.base,
        "head": comparison.head,
        "narrowing": _shift(comparison.narrowing),
        "widening": _shift(comparison.widening),
        "changes": [_change(change) for change in comparison.changes],
        "version": __version__,
    }


def _shift(shift: Shift) -> dict[str, Any]:
    found: dict[str, Any] = {"state": shift.state}
    if shift.witness is not NO_VALUE:
        found["witness"] = shift.witness
    return {**found, "reason": shift.reason or None, "location": shift.location, "schema": shift.schema}


def _change(change: Change) -> dict[str, Any]:
    place = change.place
    return {
        "verdict": change.verdict,
        "schema": place.schema,
        "location": place.location,
        "what": change.what,
        "decides": change.decides,
        "base": _side(change.base, change.before),
        "head": _side(change.head, change.after),
        "narrowing": _shift(change.narrowing),
        "widening": _shift(change.widening),
    }


def _side(place: Place, value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"schema": place.schema, "location": place.location}
    return found if value is NO_VALUE else {**found, "value": value}
