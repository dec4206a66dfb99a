"""The two sides of a change: the project as it stands on disk, and as a commit has it, contract beside contract."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import config
from ..config import Entry, Project
from ..contract import Contract
from ..digest import digest
from ..errors import BadInput, Problem
from ..git import DATA, Tree
from ..layout import CORPUS, Layout
from ..produce import Options, Task, load_contract, tasks

if TYPE_CHECKING:
    from ..oracle import Oracle


@dataclass(frozen=True)
class One:
    """A contract on one side; `contract` is None where it cannot be read, for the `problems`."""

    task: Task
    contract: Contract | None
    problems: tuple[Problem, ...] = ()

    @property
    def entry(self) -> Entry:
        """What the config says of it."""
        return self.task.entry

    @cached_property
    def digest(self) -> str:
        """Of everything that its verdicts depend on."""
        assert self.contract is not None
        return digest(self.contract)

    @cached_property
    def values(self) -> dict[str, Any]:
        """Its documents by their names."""
        assert self.contract is not None
        return {document.name: document.value for document in self.contract.documents.values()}

    @cached_property
    def oracle(self) -> Oracle:
        """What the validators say."""
        from ..oracle import Oracle

        assert self.contract is not None
        return Oracle(self.contract)


@dataclass(frozen=True)
class Pair:
    """A contract of the base and what became of it; at least one of the two is there."""

    name: str
    base: One | None
    head: One | None

    @property
    def file(self) -> str:
        """Its schema's file, today or else before."""
        one = self.head or self.base
        assert one is not None
        return one.entry.schema.partition("#")[0]

    @property
    def changed(self) -> bool:
        """Whether verdicts may differ, or nothing is known of one side."""
        if self.base is None or self.head is None or self.base.contract is None or self.head.contract is None:
            return True
        return self.base.digest != self.head.digest

    @property
    def edited(self) -> bool:
        """Whether anything was written otherwise, be it only an annotation or a keyword that nobody knows."""
        if self.base is None or self.head is None or self.base.contract is None or self.head.contract is None:
            return True
        base, head = (
            {d.name: d.value for d in one.documents.values()} for one in (self.base.contract, self.head.contract)
        )
        return base != head

    @property
    def bare(self) -> bool:
        """Whether it has no corpus on either side."""
        layouts = [one.task.layout for one in (self.base, self.head) if one is not None]
        folders = [layout.folder(positive) for layout in layouts for positive in (True, False)]
        return not any((folder / CORPUS).exists() for folder in folders)

    @property
    def corpus_edited(self) -> bool:
        """Whether a file of its corpus, or its emitted test, is another than it was."""
        if self.base is None or self.head is None:
            return True
        return _files(self.base.task.layout) != _files(self.head.task.layout)

    @property
    def direction(self) -> str:
        """Which way it breaks: as the base promised it, so that a change cannot also change what it is judged by."""
        one = self.base or self.head
        assert one is not None
        return one.entry.direction


def _files(layout: Layout) -> dict[str, bytes]:
    """The files of a corpus, told apart by the folder that they are in; and the emitted test."""
    found = {
        f"{positive}/{path.relative_to(layout.folder(positive)).as_posix()}": path.read_bytes()
        for positive in (True, False)
        for path in (layout.folder(positive).rglob("*") if layout.folder(positive).is_dir() else ())
        if path.suffix.lower() in DATA and path.is_file()
    }
    if layout.test.is_file():
        found["test"] = layout.test.read_bytes()
    return found


@dataclass(frozen=True)
class Side:
    """A project and its contracts by name."""

    project: Project
    contracts: Mapping[str, One]
    notes: tuple[str, ...] = ()


def here(project: Project, options: Options) -> Side:
    """The project as it stands on disk. Raises BadInput with the problems of all its contracts."""
    found = _loaded(project, options)
    problems = [problem for one in found.values() for problem in one.problems]
    if problems:
        raise BadInput(list({str(problem): problem for problem in problems}.values()))
    return Side(project, found)


@contextlib.contextmanager
def there(head: Side, tree: Tree, options: Options) -> Iterator[Side]:
    """The same project as a commit has it, for as long as this lasts.

    Only the project's folder is written down, unless something in it leads out of it.
    """
    project = head.project
    own = tree.repository.inside(project.root)
    outside = [path for path in project.resolve.values() if not path.is_relative_to(project.root)]
    top = tree.repository.top
    below = [own, *(tree.repository.inside(p) for p in outside if Path(os.path.normpath(p)).is_relative_to(top))]
    named = {name.partition("#")[0] for one in head.contracts.values() for name in (one.entry.schema, *one.values)}
    known = {tree.repository.inside(project.root / name) for name in named if not name.startswith("..")}
    known |= {tree.repository.inside(one.task.layout.test) for one in head.contracts.values()}

    def wanted(path: str) -> bool:
        return path.lower().endswith(DATA) or "schema" in path.lower() or path in known

    with tree.written(below, wanted) as folder:
        side = _side(project, folder, own, options)
        if own and any(one.problems for one in side.contracts.values()):
            tree.write(folder, wanted=wanted)
            side = _side(project, folder, own, options)
        yield side


def _side(project: Project, folder: Path, own: str, options: Options) -> Side:
    root = folder / own
    root.mkdir(parents=True, exist_ok=True)
    earlier, notes = _configured(project, folder, root)
    return Side(earlier, _loaded(earlier, options), notes)


def _configured(project: Project, folder: Path, root: Path) -> tuple[Project, tuple[str, ...]]:
    """The project as the base's own config has it; by head's config where the base has none that can be read."""
    try:
        found = config.find(root)
        if found is not None and found[0].is_relative_to(folder):
            return config.project(root), ()
        return _moved(project, root), ()
    except BadInput as bad:
        note = (
            f"the config of the base cannot be read, so the contracts are those of today's: {bad.problems[0].message}"
        )
        return _moved(project, root), (note,)


def _moved(project: Project, root: Path) -> Project:
    """Head's project on the files of the base."""

    def moved(path: Path) -> Path:
        return Path(os.path.normpath(root / os.path.relpath(path, project.root)))

    there = tuple(e for e in project.contracts if (root / e.schema.partition("#")[0]).is_file())
    return replace(
        project,
        root=root,
        schemas=moved(project.schemas),
        fixtures=moved(project.fixtures),
        negative=moved(project.negative),
        tests=moved(project.tests),
        resolve={uri: moved(path) for uri, path in project.resolve.items()},
        contracts=there,
    )


def _loaded(project: Project, options: Options) -> dict[str, One]:
    found = {}
    for task in tasks(project):
        try:
            found[task.entry.name] = One(task, load_contract(project, task, options))
        except BadInput as bad:
            found[task.entry.name] = One(task, None, bad.problems)
    return found


def pairs(base: Side, head: Side) -> list[Pair]:
    """Each contract of either side with its partner: of the same name, or else of the same schema or meaning."""
    left = {name: one for name, one in base.contracts.items() if name not in head.contracts}
    found = []
    for name, one in head.contracts.items():
        partner = base.contracts.get(name)
        if partner is None and left:
            other = next((n for n, earlier in left.items() if _renamed(earlier, one)), None)
            partner = left.pop(other) if other is not None else None
        found.append(Pair(name, partner, one))
    found.extend(Pair(name, one, None) for name, one in left.items())
    return sorted(found, key=lambda pair: pair.name)


def _renamed(base: One, head: One) -> bool:
    """Whether one contract is the other under another name, of the contract or of its file."""
    if base.entry.schema == head.entry.schema:
        return True
    return base.contract is not None and head.contract is not None and base.digest == head.digest
