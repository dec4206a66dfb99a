"""A host's answer to the creation of a run that it must refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .admission import Reason, Refusal
from .lines import document

CODE = "validation_error"


def missing_in(path: Path, refusal: Refusal) -> list[str]:
    """What an answer lacks of being the refusal that the RFC asks for; nothing where it is one. Raises BadInput."""
    answer = document(path)
    if isinstance(answer, dict) and "refusal" in answer and "admitted" in answer:
        answer = answer["refusal"]  # as `suite check --format json` tells it
    found = []
    status = answer.get("status", answer.get("statusCode")) if isinstance(answer, dict) else None
    if status != 400:
        found.append("it has no status, and must have 400" if status is None else f"its status is {status!r}, not 400")
    words = list(_words(answer))
    if CODE not in words:
        found.append(f"it does not say `{CODE}`")
    statements = list(_statements(answer))
    times = Counter(reason.field for reason in refusal.reasons)
    for reason in refusal.reasons:
        if not any(_names(statement, reason, times[reason.field] > 1) for statement in statements):
            of_task = f" of the task `{reason.task}`" if reason.task and times[reason.field] > 1 else ""
            found.append(f"it does not name the field `{reason.field}`{of_task}")
    return found


def _names(statement: list[str], reason: Reason, shared: bool) -> bool:
    """Whether a statement names a field: in the suite, by a pointer, or in the task; `shared`: others are called so in
    other tasks, so the task must be named, too.
    """
    if any(name and name in word for name in (reason.place, reason.location) for word in statement):
        return True
    if not any(reason.field in word for word in statement):
        return False
    task = re.compile(rf"(?<![\w-]){re.escape(reason.task or '')}(?![\w-])")
    return not shared or any(task.search(word) for word in statement)


def _statements(value: Any) -> Iterator[list[str]]:
    """The texts that belong together: those of one object, and each that stands alone."""
    if isinstance(value, dict):
        yield list(_own(value))
        for member in value.values():
            yield from _statements(member)
    elif isinstance(value, list):
        for item in value:
            yield from _statements(item)
    elif isinstance(value, str):
        yield [value]


def _own(value: Any) -> Iterator[str]:
    for member in value.values() if isinstance(value, dict) else value:
        if isinstance(member, str):
            yield member
        elif isinstance(member, list):
            yield from _own([item for item in member if not isinstance(item, dict)])


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _words(member)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value
