"""The error fixtures of a project as they stand on disk, judged anew; nothing is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..catalogue.places import folders, known_folders, stems
from ..codes.error_contracts import FILES, UNKNOWN_CLASS
from ..finding import Finding
from ..layout import CORPUS, relative
from ..store import manifest
from .corpus import ErrorFile, on_disk
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
        one = _Tool(room, tool)
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


class _Tool:
    def __init__(self, room: Room, tool: str) -> None:
        self.room = room
        self.root = room.project.root
        self.folders = folders(room.settings, tool)
        self.cases = room.catalogue.cases(tool)
        names = stems(self.cases)
        by_stem = {names[case.name]: case for case in self.cases}
        self.disk = on_disk(self.folders, self.root, room.catalogue, by_stem)
        self.good = {True: 0, False: 0}

    def findings(self) -> Iterator[Finding]:
        for positive in (True, False):
            yield from self._header(positive)
        shown = {file.case.name for file in self.disk.of(True) if file.case and not file.flaw}
        for case in self.cases:
            if case.name not in shown:
                yield without_fixture(case, self.room.catalogue)
        for row in self.disk.missing:
            yield Finding(FILES, f"is missing, but has a row in {CORPUS}", relative(row.path, self.root))
        by_path = {file.path: file for file in self.disk.files}
        for file in self.disk.files:
            found = [*self._recorded(file), *self._judged(file, by_path)]
            self.good[file.positive] += not found
            yield from found

    def _header(self, positive: bool) -> Iterator[Finding]:
        path = self.folders.folder(positive) / CORPUS
        name = relative(path, self.root)
        found = manifest(path.parent, positive, name)
        if found is None:
            yield Finding(FILES, "is missing: run `knownbad generate`", name)
        elif found.header.get("digest") != self.room.digest:
            yield Finding(FILES, "the envelope's schema has changed since: run `knownbad generate`", name)

    def _recorded(self, file: ErrorFile) -> Iterator[Finding]:
        name = relative(file.path, self.root)
        if file.row is None:
            yield Finding(FILES, f"has no row in {CORPUS}: run `knownbad generate` to adopt it", name)
        elif file.row.get("sha256") != file.sha256:
            yield Finding(FILES, "was edited since its row was written (another sha256)", name)

    def _judged(self, file: ErrorFile, by_path: dict[object, ErrorFile]) -> Iterator[Finding]:
        judged = self.room.judge.judge(file.case, file.response) if file.case and not file.flaw else None
        base = (file.row or {}).get("base")
        made_from = by_path.get(self.root / relative(file.path.parent / base, self.root)) if base else None
        name = relative(file.path, self.root)
        yield from found_in(self.room, file, judged, name, file.fails, response_of(made_from))
