"""The errors of an AWS service model (`service-2.json`): a class each exception shape, the operations as tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .importing import AWS, Imported, merged, sentence


def rows(model: Mapping[str, Any], name: str) -> Imported:
    """The classes of all operations. The trait `retryable` is a yes; a model without it says nothing about the flag."""
    shapes: Mapping[str, Any] = model["shapes"]
    operations: Mapping[str, Any] = model["operations"] if isinstance(model["operations"], dict) else {}
    notes: list[str] = []
    found = merged(_of(operations, shapes), notes)
    used = {error for operation in operations.values() for error in _names(operation)}
    left = [n for n, shape in shapes.items() if isinstance(shape, dict) and shape.get("exception") and n not in used]
    if left:
        notes.append(f"no operation has these exceptions, so they are left out: {', '.join(sorted(left))}")
    tools = tuple(dict.fromkeys(tool for row in found for tool in row["tools"]))
    return Imported(AWS, tuple(found), tools, tuple(notes))


def _names(operation: Any) -> Iterator[str]:
    errors = operation.get("errors") if isinstance(operation, dict) else None
    for error in errors if isinstance(errors, list) else ():
        if isinstance(error, dict) and isinstance(error.get("shape"), str):
            yield error["shape"]


def _of(operations: Mapping[str, Any], shapes: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool, operation in operations.items():
        for error in _names(operation):
            row = _row(error, shapes.get(error))
            if isinstance(operation.get("idempotent"), bool):
                row["idempotent"] = operation["idempotent"]
            yield tool, row


def _row(error: str, shape: Any) -> dict[str, Any]:
    shape = shape if isinstance(shape, dict) else {}
    about = shape.get("error") if isinstance(shape.get("error"), dict) else {}
    row: dict[str, Any] = {"code": about.get("code") or error}
    if "retryable" in shape and shape["retryable"] is not False:
        row["retryable"] = True
    elif shape.get("retryable") is False:
        row["retryable"] = False
    status = about.get("httpStatusCode")
    if isinstance(status, int) and 100 <= status <= 599:
        row["status"] = status
    message = sentence(shape.get("documentation"))
    if message:
        row["message"] = message
    return row
