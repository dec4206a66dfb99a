"""The job of `knownbad errors import`: a document in, a catalogue written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..config import Project
from ..errors import BadInput, Problem
from ..journal import commit, locked
from ..layout import relative
from .importing import AWS, OPENAPI, REGISTRY, imported
from .model import WITH_KEY
from .settings import NAMES
from .writing import as_json, toml

_KINDS = {REGISTRY: "a registry of codes", AWS: "an AWS service model", OPENAPI: "an OpenAPI document"}
_DECIDED = {"true": True, "false": False, WITH_KEY: WITH_KEY}
API = "api"
"""The tool of classes that belong to none in particular."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written where. `undocumented`: the codes whose flag nobody documented."""

    file: str
    kind: str
    classes: int
    tools: int
    undocumented: tuple[str, ...]
    notes: tuple[str, ...]


def written(
    project: Project,
    file: Path,
    tools: Sequence[str],
    out: Path | None,
    undocumented: str | None,
    *,
    then: bool = False,
) -> Written:
    """Import a document. Raises BadInput where that cannot be, and where a catalogue is there already.

    `then`: the catalogue has to be the one that the project takes.
    """
    found = imported(file, file.name, tools)
    named = project.sections.get("errors", {}).get("catalogue")
    own = project.root / named if isinstance(named, str) else None
    target = (own or project.schemas / NAMES[0]) if out is None else out.resolve()
    taken_by_project = [own] if own else [project.schemas / other for other in NAMES]
    if then and target.resolve() not in [path.resolve() for path in taken_by_project]:
        fix = "leave out --out, or name the file as `catalogue` in [errors]"
        message = "--generate works on the catalogue of the project, which this file would not be"
        raise BadInput(Problem(message, relative(target, project.root), fix=fix))
    name = relative(target, project.root)
    taken = [target] if out is not None and not then or own else [project.schemas / other for other in NAMES]
    for path in taken:
        if os.path.lexists(path):
            there = relative(path, project.root)
            raise BadInput(Problem("there is a catalogue already", there, fix="write elsewhere: --out FILE"))
    if target.suffix not in (".toml", ".json"):
        raise BadInput(Problem("a catalogue is written as .toml or .json", name))
    rows = [dict(row) for row in found.rows]
    if undocumented is not None:
        for row in rows:
            row.setdefault("retryable", _DECIDED[undocumented])
    if tools:
        for row in rows:
            row.pop("tools", None)
    names = found.tools or (API,)
    about = f"From {file.name}, {_KINDS[found.kind]}."
    text = toml(names, rows, about) if target.suffix == ".toml" else as_json(names, rows)
    root = project.root if target.is_relative_to(project.root) else target.parent
    with locked(root):
        commit(root, {target: text.encode()}, ())
    missing = tuple(str(row["code"]) for row in rows if "retryable" not in row)
    return Written(name, _KINDS[found.kind], len(rows), len(names), missing, found.notes)
