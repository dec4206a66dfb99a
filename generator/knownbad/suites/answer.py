"""A host's answer to the creation of a run that it must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import documents
from .admission import Refusal

CODE = "validation_error"


def missing_in(path: Path, refusal: Refusal) -> list[str]:
    """What an answer lacks of being the refusal that the RFC asks for; nothing where it is one. Raises BadInput."""
    answer = documents.read(path, str(path))
    found = []
    status = answer.get("status", answer.get("statusCode")) if isinstance(answer, dict) else None
    if status != 400:
        found.append(f"its status is {status!r}, not 400")
    words = list(_words(answer))
    if CODE not in words:
        found.append(f"it does not say `{CODE}`")
    if not any(name in word for reason in refusal.reasons for name in _names(reason) for word in words):
        found.append(f"it does not name the field `{refusal.reasons[0].field}`")
    return found


def _names(reason: Any) -> tuple[str, ...]:
    """How a field may be named: in the task, in the suite, or by a pointer."""
    return tuple(filter(None, (reason.field, reason.place, reason.location)))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _words(member)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value
