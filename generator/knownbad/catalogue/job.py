"""The job of `knownbad errors import`: a document in, a catalogue written."""

from __future__ import annotations

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


def written(project: Project, file: Path, tools: Sequence[str], out: Path | None, undocumented: str | None) -> Written:
    """Import a document. Raises BadInput where that cannot be, and where a catalogue is there already."""
    target = project.schemas / NAMES[0] if out is None else out.resolve()
    name = relative(target, project.root)
    taken = [target] if out is not None else [project.schemas / other for other in NAMES]
    for path in taken:
        if path.exists():
            there = relative(path, project.root)
            raise BadInput(Problem("there is a catalogue already", there, fix="write elsewhere: --out FILE"))
    if target.suffix not in (".toml", ".json"):
        raise BadInput(Problem("a catalogue is written as .toml or .json", name))
    found = imported(file, file.name, tools)
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
