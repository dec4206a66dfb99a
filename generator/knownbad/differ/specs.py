"""The two schemas of a comparison by what a person typed: a file, a place in one, or `REVISION:path` as in git."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..config import Project, project
from ..contract import Contract
from ..dialects import Dialect
from ..errors import BadInput, Problem
from ..load import LoadOptions, load


@dataclass(frozen=True, slots=True)
class Reading:
    """How both sides are read, where that differs from what their configs say."""

    unresolved: str = "error"
    dialect: Dialect | None = None
    formats: bool | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A contract, the project that it belongs to as of then, and the folder that its documents are named from."""

    contract: Contract
    project: Project
    root: Path


def read(spec: str, reading: Reading, here: Path) -> Read:
    """What stands at a spec. Raises BadInput.

    `REVISION:path` is from the top of the repository that `here` is in, `REVISION:./path` from `here`; its references
    are resolved among the files of that revision.
    """
    with _placed(spec, here) as (folder, file):
        found = project(folder, discover=False)
        path, hash_, fragment = file.partition("#")
        place = (folder / path).resolve()
        if folder != here and not place.exists():  # `load` would look for it among the files of today
            raise BadInput(_absent(spec, folder))
        root = found.root if found.source is not None and place.is_relative_to(found.root) else place.parent
        settings = LoadOptions(
            dialect=reading.dialect or found.dialect,
            formats=found.formats if reading.formats is None else reading.formats,
            resolve=dict(found.resolve),
            folders=(found.schemas,) if found.schemas.is_dir() else (),
            unresolved=reading.unresolved,
            root=root,
        )
        try:
            return Read(load(os.path.relpath(place, root) + hash_ + fragment, None, settings), found, root)
        except BadInput as bad:
            if folder == here:
                raise
            raise BadInput([_told(problem, spec) for problem in bad.problems]) from None


@contextlib.contextmanager
def _placed(spec: str, here: Path) -> Iterator[tuple[Path, str]]:
    """The folder to stand in, and the file from there."""
    revision, colon, path = spec.partition(":")
    if not colon or not revision or (here / spec.partition("#")[0]).exists():
        yield here, spec
        return
    from ..git import Repository

    repository = Repository.around(here)
    with repository.tree(revision).written() as top:
        inside = repository.inside(here)
        start = top / inside
        start.mkdir(parents=True, exist_ok=True)
        from_top = not path.startswith(("./", "../"))
        yield start, os.path.relpath(top / path, start) if from_top else path


def _absent(spec: str, folder: Path) -> Problem:
    """The problem of a file that a revision does not have, named as it was asked for."""
    revision, _, path = spec.partition("#")[0].partition(":")
    fix = f"did you mean {revision}:./{path}?" if (folder / path).is_file() else None
    return Problem(f"{revision} has no {path}", spec, fix=fix)


def _told(problem: Problem, spec: str) -> Problem:
    """The problem of a file of a revision, named as it was asked for."""
    revision = spec.partition(":")[0]
    file = f"{revision}:{problem.file}" if problem.file else spec
    return Problem(problem.message, file, problem.location, problem.value, problem.fix)


def direction_of(read: Read) -> str:
    """The direction that the project gives to the contract with this schema; `both` where it has none."""
    entries = read.project.contracts if read.root == read.project.root else ()
    return next((entry.direction for entry in entries if entry.schema == read.contract.schema), "both")
