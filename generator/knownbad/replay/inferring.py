"""The files around `infer`: replies read, the schema written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import documents, journal
from ..errors import BadInput, Exit, Problem
from ..load import contract_name
from ..pointers import get
from ..values import dump
from .infer import Inferred, infer, unlike


def infer_files(specs: Sequence[str], title: str | None, out: Path | None, *, force: bool = False) -> Inferred:
    """Infer a schema from files, each with `#/pointer` where the reply is a part, and write it. Raises BadInput."""
    problems: list[Problem] = []
    replies: list[Any] = []
    for spec in specs:
        try:
            replies.append(_reply(spec))
        except BadInput as bad:
            problems.extend(bad.problems)
    if out is not None and out.exists() and not force:
        problems.append(Problem("is there already", str(out), fix="name another file, or pass --force"))
    if problems:
        raise BadInput(problems)
    inferred = infer(replies, title or contract_name(specs[0].partition("#")[0]))
    if wrong := unlike(inferred.schema, replies):
        files = ", ".join(specs[number] for number in wrong)
        raise BadInput(Problem(f"the inferred schema does not accept {files}: please report it"), Exit.BUG)
    if out is not None:
        _write(out, dump(inferred.schema).encode())
    return inferred


def _reply(spec: str) -> Any:
    """A reply: the file's value, the part that is named, or the `response` of a fixture."""
    file, hash_, pointer = spec.partition("#")
    value = documents.read(Path(file), file)
    if hash_:
        try:
            return get(value, pointer)
        except LookupError:
            raise BadInput(Problem("there is nothing at this pointer", file, pointer or "/")) from None
    if isinstance(value, dict) and {"fixture", "request", "response"} == set(value):
        return value["response"]
    return value


def _write(out: Path, data: bytes) -> None:
    folder = Path(os.path.normpath(out.parent))
    with journal.locked(folder):
        journal.commit(folder, {out: data}, ())
