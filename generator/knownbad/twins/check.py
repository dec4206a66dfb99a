"""The error fixtures of a project as they stand on disk, judged anew; nothing is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..catalogue.model import Case
from ..catalogue.places import folders, known_folders
from ..codes.error_contracts import FILES, UNKNOWN_CLASS
from ..compiled import upgrade, validators
from ..finding import Finding, Level
from ..layout import CORPUS, relative
from ..store import manifest
from .corpus import ErrorFile
from .grouping import together
from .listing import listed
from .plan import Room, found_in, response_of, without_fixture


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in the folders of all tools; the counts are of files that are as their rows say."""

    tools: int
    fixtures: int
    twins: int
    findings: tuple[Finding, ...]


def check(room: Room) -> Checked:
    """Judge every error fixture and every twin. Raises BadInput for a broken `corpus.json`."""
    findings: list[Finding] = []
    good = {True: 0, False: 0}
    for tool in room.catalogue.tools:
        one = ToolCheck(room, tool)
        findings.extend(one.findings())
        for positive in (True, False):
            good[positive] += one.good[positive]
    live = {folders(room.settings, tool).folder(p) for tool in room.catalogue.tools for p in (True, False)}
    for positive, folder in known_folders(room.settings):
        found = manifest(folder, positive)
        if folder not in live and found is not None and "tool" in found.header:
            tool = str(found.header["tool"])
            message = f"{room.catalogue.file} has no tool called {tool}"
            findings.append(Finding(UNKNOWN_CLASS, message, relative(folder, room.project.root), subject=tool))
    return Checked(len(room.catalogue.tools), good[True], good[False], tuple(findings))


class ToolCheck:
    """The checks of one tool's files."""

    def __init__(self, room: Room, tool: str) -> None:
        self.room = room
        self.root = room.project.root
        self.folders = folders(room.settings, tool)
        self.cases = room.catalogue.cases(tool)
        self.disk = listed(self.root, room.settings, room.catalogue, tool)
        self.good = {True: 0, False: 0}
        self._by_path: dict[Path, ErrorFile] = {file.path: file for file in self.disk.files}

    def findings(self) -> Iterator[Finding]:
        yield from self.headers()
        for _, finding in self.without_fixture():
            yield finding
        yield from self.missing()
        found: list[tuple[ErrorFile, Finding]] = []
        for file in self.disk.files:
            mine = [*self.recorded(file), *self.judged(file)]
            self.good[file.positive] += not mine
            found.extend((file, finding) for finding in mine)
        yield from together(found)

    def without_fixture(self) -> Iterator[tuple[Case, Finding]]:
        """The documented cases that nothing shows."""
        shown = {file.case.name for file in self.disk.of(True) if file.case and not file.flaw}
        broken = {f.case.name: relative(f.path, self.root) for f in self.disk.of(True) if f.case and f.flaw}
        for case in self.cases:
            if case.name not in shown:
                yield case, without_fixture(case, self.room.catalogue, broken.get(case.name))

    def missing(self) -> Iterator[Finding]:
        """The rows without a file."""
        for row in self.disk.missing:
            yield Finding(FILES, f"is missing, but has a row in {CORPUS}", relative(row.path, self.root))

    def headers(self) -> Iterator[Finding]:
        """What is wrong with the `corpus.json` of both folders."""
        for positive in (True, False):
            yield from self._header(positive)

    def _header(self, positive: bool) -> Iterator[Finding]:
        path = self.folders.folder(positive) / CORPUS
        name = relative(path, self.root)
        found = manifest(path.parent, positive, name)
        if found is None:
            yield Finding(FILES, "is missing: run `knownbad generate`", name)
        elif found.header.get("digest") != self.room.digest:
            yield Finding(FILES, "the envelope's schema has changed since: run `knownbad generate`", name)
        changed = upgrade(found.header.get("validators"), validators(self.room.contract)) if found else ""
        if changed:
            message = f"other validators judged these files: {changed}"
            fix = "where a verdict flips, this is why; `knownbad generate` records the new ones"
            yield Finding(FILES, message, name, subject="validators", fix=fix, level=Level.NOTE)

    def recorded(self, file: ErrorFile) -> Iterator[Finding]:
        """What is wrong with the row of a file."""
        name = relative(file.path, self.root)
        if file.row is None:
            yield Finding(FILES, f"has no row in {CORPUS}: run `knownbad generate` to adopt it", name)
        elif file.row.get("sha256") != file.sha256:
            yield Finding(FILES, "was edited since its row was written (another sha256)", name)

    def judged(self, file: ErrorFile) -> Iterator[Finding]:
        """What is wrong with a file by itself."""
        judged = self.room.judge.judge(file.case, file.response) if file.case and not file.flaw else None
        base = (file.row or {}).get("base")
        made_from = self._by_path.get(self.root / relative(file.path.parent / base, self.root)) if base else None
        name = relative(file.path, self.root)
        yield from found_in(self.room, file, judged, name, file.fails, response_of(made_from))
