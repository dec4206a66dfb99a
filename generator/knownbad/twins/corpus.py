"""The error fixtures of one tool as they stand on disk: whose each file is, and which case it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import documents
from ..catalogue.model import Case, Catalogue
from ..catalogue.places import Folders
from ..corpus import GENERATED, WRITTEN
from ..errors import NO_VALUE, BadInput
from ..journal import sha256
from ..layout import CORPUS, relative
from ..store import Row, files, manifest
from ..violations import value_at

RESPONSE = "/response"
"""The part of a fixture that is the envelope."""


@dataclass(frozen=True, slots=True)
class ErrorFile:
    """One file among the fixtures or the twins of a tool.

    `case`: what it stands for, None for no documented one; `claims`: the class that it names. `row`: as committed, None
    without one. `generated`: its bytes are those that `generate` wrote. `flaw`: why it is no fixture at all.
    """

    path: Path
    positive: bool
    sha256: str
    claims: str
    case: Case | None = None
    row: Mapping[str, Any] | None = None
    generated: bool = False
    request: Any = NO_VALUE
    response: Any = NO_VALUE
    flaw: str = ""

    @property
    def origin(self) -> str:
        """Whose file it is."""
        if self.generated:
            return GENERATED
        origin = (self.row or {}).get("origin", WRITTEN)
        return WRITTEN if origin == GENERATED else str(origin)

    @property
    def edited(self) -> bool:
        """Whether `generate` wrote it and somebody changed it since."""
        return not self.generated and (self.row or {}).get("origin") == GENERATED

    @property
    def fails(self) -> str | None:
        """The assertion that the row of a twin names."""
        fails = (self.row or {}).get("fails")
        return fails if isinstance(fails, str) else None


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What stands in the folders of a tool. `rows` without a file are in `missing`."""

    files: tuple[ErrorFile, ...] = ()
    missing: tuple[Row, ...] = ()

    def of(self, positive: bool) -> Iterator[ErrorFile]:
        return (file for file in self.files if file.positive is positive)


def on_disk(folders: Folders, root: Path, catalogue: Catalogue, cases: Mapping[str, Case]) -> OnDisk:
    """Read the folders of a tool. `cases`: by the name of their files. Raises BadInput for a broken `corpus.json`."""
    reader = _Reader(catalogue, root, cases)
    found: list[ErrorFile] = []
    missing: list[Row] = []
    for positive in (True, False):
        folder = folders.folder(positive)
        corpus = manifest(folder, positive, relative(folder / CORPUS, root))
        rows = {str(row.values["file"]): row for row in corpus.rows} if corpus else {}
        there = files(folder)
        for path in there:
            row = rows.get(path.name)
            found.append(reader.file(path, positive, None if row is None else row.values))
        names = {path.name for path in there}
        missing.extend(row for name, row in rows.items() if name not in names)
    return OnDisk(tuple(found), tuple(missing))


class _Reader:
    def __init__(self, catalogue: Catalogue, root: Path, cases: Mapping[str, Case]) -> None:
        self.envelope = catalogue.envelope
        self.root = root
        self.by_stem = {stem.lower(): case for stem, case in cases.items()}
        self.by_name = {case.name: case for case in cases.values()}

    def file(self, path: Path, positive: bool, row: Mapping[str, Any] | None) -> ErrorFile:
        data = path.read_bytes()
        digest = sha256(data)
        generated = row is not None and row.get("origin") == GENERATED and row.get("sha256") == digest
        request, response, flaw = self._parts(path)
        case = self._case(path, positive, row, response)
        claims = case.class_ if case else self._claimed(path, row, response)
        return ErrorFile(path, positive, digest, claims, case, row, generated, request, response, flaw)

    def _parts(self, path: Path) -> tuple[Any, Any, str]:
        try:
            value = documents.read(path, relative(path, self.root))
        except BadInput as bad:
            first = bad.problems[0]
            at = f" (at {first.location})" if first.location and first.location not in first.message else ""
            return NO_VALUE, NO_VALUE, first.message + at
        if not isinstance(value, dict) or "request" not in value or "response" not in value:
            return NO_VALUE, NO_VALUE, "is no fixture of an error: an object with `request` and `response`"
        return value["request"], value["response"], ""

    def _case(self, path: Path, positive: bool, row: Mapping[str, Any] | None, response: Any) -> Case | None:
        """By its row, by its name, and last by the code in its envelope."""
        named = self.by_name.get(str((row or {}).get("class")))
        if named is not None:
            return named
        if row is not None and row.get("origin") == GENERATED:
            return None  # its class was documented once and is not any more
        stem = path.stem.lower()
        for name in (stem, *([] if positive else _shorter(stem))):
            if name in self.by_stem:
                return self.by_stem[name]
        code = value_at(response, self.envelope.code)
        alike = [c for c in self.by_name.values() if type(c.code) is type(code) and c.code == code]
        flag = value_at(response, self.envelope.retryable)
        return next((c for c in alike if c.retryable is flag), alike[0] if alike else None)

    def _claimed(self, path: Path, row: Mapping[str, Any] | None, response: Any) -> str:
        if row is not None and row.get("class"):
            return str(row["class"])
        code = value_at(response, self.envelope.code)
        return str(code) if isinstance(code, (str, int)) and not isinstance(code, bool) else path.stem


def _shorter(stem: str) -> Iterable[str]:
    """The names that a twin's name may begin with, the longest first."""
    while "." in stem:
        stem = stem.rpartition(".")[0]
        yield stem
