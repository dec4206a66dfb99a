"""The fixtures of a corpus as they stand on disk, whoever made them: ours, SchemaStore's folders, a folder of logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import documents
from .corpus import WRITTEN, Fixture
from .errors import BadInput, Problem
from .evidence import Given
from .layout import CORPUS, Layout, relative
from .pointers import get
from .store import Row, fixture_of, manifest

LINES = (".jsonl", ".ndjson")
"""Files with an instance a line."""
_SUFFIXES = (".json", *documents.YAML_SUFFIXES, *LINES)


def read(layout: Layout) -> list[Given]:
    """Every fixture with the verdict that its folder stands for. Raises BadInput for what is no JSON or YAML."""
    return [Given(file, instance, positive, classes) for file, instance, positive, classes in _each(layout)]


def fixtures(layout: Layout) -> list[Fixture]:
    """The same as fixtures of a corpus; files without a row are a person's."""
    found = []
    for positive in (True, False):
        rows = _rows(layout, positive)
        for path, instance, row in _files(layout, positive, rows):
            plain = Fixture(path.stem, positive, instance, f"written/{path.stem}", origin=WRITTEN)
            found.append(plain if row is None else fixture_of(row, instance))
    return found


def _each(layout: Layout) -> Iterator[tuple[str, Any, bool, tuple[str, ...]]]:
    problems: list[Problem] = []
    for positive in (True, False):
        rows = _rows(layout, positive)
        for path in _paths(layout.folder(positive)):
            name = relative(path, layout.root)
            try:
                row = rows.get(path.name)
                values = row.values if row else {}
                classes = (str(values.get("class")), *(values.get("covers") or ())) if values else ()
                for place, instance in _instances(path, name, row):
                    yield place, instance, positive, classes
            except BadInput as bad:
                problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)


def _files(layout: Layout, positive: bool, rows: dict[str, Row]) -> Iterator[tuple[Path, Any, Row | None]]:
    for path in _paths(layout.folder(positive)):
        row = rows.get(path.name)
        for _, instance in _instances(path, relative(path, layout.root), row):
            yield path, instance, row


def _rows(layout: Layout, positive: bool) -> dict[str, Row]:
    folder = layout.folder(positive)
    found = manifest(folder, positive, relative(folder / CORPUS, layout.root))
    return {str(row.values["file"]): row for row in found.rows} if found else {}


def _paths(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    found = (p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES and p.name != CORPUS and p.is_file())
    return sorted(p for p in found if not any(part.startswith(".") for part in p.relative_to(folder).parts))


def _instances(path: Path, name: str, row: Row | None) -> Iterator[tuple[str, Any]]:
    if path.suffix.lower() in LINES:
        for number, line in enumerate(documents.read_text(path, name).splitlines(), 1):
            if line.strip():
                yield f"{name}:{number}", documents.parse(line, f"{name}:{number}")
        return
    instance = documents.read(path, name)
    pointer = row.values.get("instance") if row else None
    if isinstance(pointer, str) and pointer:
        try:
            instance = get(instance, pointer)
        except LookupError:
            raise BadInput(Problem(f"has no part at {json.dumps(pointer)}", name, pointer)) from None
    yield name, instance
