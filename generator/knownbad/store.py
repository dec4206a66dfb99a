"""The corpus of one contract on disk: fixtures with a `corpus.json` beside them, read back and planned anew.

A file that a person wrote or changed is theirs: it is adopted, never rewritten and never removed. A generated file is
known by its row and by the digest in it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import documents
from .corpus import GENERATED, WRITTEN, Corpus, Fixture
from .errors import BadInput, Problem
from .journal import sha256
from .layout import CORPUS, Layout, relative
from .pointers import get
from .values import dump

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=,@-]*\Z")
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Held:
    """A file that is not ours to change. `pointer` is the part of it that is validated, when not all."""

    fixture: Fixture
    sha256: str
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What was found on disk.

    `held` are the adopted files, `edited` those of them that `generate` had written and a person changed since, `owned`
    the generated ones that are as their rows say, `kept` those of them that `mutate --write` made.
    """

    held: tuple[Held, ...] = ()
    edited: tuple[Path, ...] = ()
    owned: tuple[Path, ...] = ()
    kept: tuple[Fixture, ...] = ()

    @property
    def adopted(self) -> tuple[Fixture, ...]:
        """The fixtures that the generator must keep."""
        return tuple(held.fixture for held in self.held)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a `corpus.json`, as it was read; `values` has every key of the format."""

    folder: Path
    positive: bool
    values: Mapping[str, Any]

    @property
    def path(self) -> Path:
        """The fixture's file."""
        return self.folder / str(self.values["file"])


@dataclass(frozen=True, slots=True)
class Manifest:
    """One `corpus.json`, as it was read."""

    path: Path
    header: Mapping[str, Any]
    rows: tuple[Row, ...]


def files(folder: Path) -> list[Path]:
    """The fixtures' files in a folder, sorted by name."""
    if not folder.is_dir():
        return []
    found = [p for p in folder.iterdir() if p.suffix == ".json" and p.name != CORPUS and not p.name.startswith(".")]
    return sorted(p for p in found if p.is_file())


def manifest(folder: Path, positive: bool, name: str | None = None) -> Manifest | None:
    """The `corpus.json` of a folder, called `name` in messages; None when there is none. Raises BadInput."""
    path = folder / CORPUS
    if not path.is_file():
        return None
    value = documents.read(path, name or str(path))
    rows = value.get("fixtures") if isinstance(value, dict) else None
    if not isinstance(rows, list) or not all(isinstance(r, dict) and isinstance(r.get("file"), str) for r in rows):
        fix = "restore the committed file; without it every fixture counts as written by a person"
        raise BadInput(Problem("no corpus: `fixtures` must be a list of rows with `file`", name or str(path), fix=fix))
    header = {name: member for name, member in value.items() if name != "fixtures"}
    return Manifest(path, header, tuple(Row(folder, positive, row) for row in rows))


def read(layout: Layout) -> Stored:
    """What stands on disk for a contract. Raises BadInput for a fixture that is no JSON."""
    held: list[Held] = []
    edited: list[Path] = []
    owned: list[Path] = []
    kept: list[Fixture] = []
    problems: list[Problem] = []
    for positive in (True, False):
        folder = layout.folder(positive)
        found = manifest(folder, positive, relative(folder / CORPUS, layout.root))
        rows = {row.values["file"]: row for row in found.rows} if found else {}
        for path in files(folder):
            digest = sha256(path.read_bytes())
            row = rows.get(path.name)
            if row and row.values.get("origin") == GENERATED:
                if row.values.get("sha256") == digest:
                    owned.append(path)
                    if row.values.get("kept") is True:
                        kept.append(fixture_of(row, documents.read(path, relative(path, layout.root))))
                    continue
                edited.append(path)
                row = None  # what the row says of the old text need not hold of the new one
            try:
                held.append(_held(path, relative(path, layout.root), positive, row, digest))
            except BadInput as bad:
                problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    return Stored(tuple(held), tuple(edited), tuple(owned), tuple(kept))


def _held(path: Path, name: str, positive: bool, row: Row | None, digest: str) -> Held:
    instance = documents.read(path, name)
    values = row.values if row else {}
    pointer = values.get("instance")
    if isinstance(pointer, str) and pointer:
        try:
            instance = get(instance, pointer)
        except LookupError as error:
            message = f"has no part at {pointer!r}, which its row in {CORPUS} names"
            raise BadInput(Problem(message, name, pointer)) from error
    same = values.get("sha256") == digest
    base, patch = (values.get("base"), values.get("patch")) if same else (None, None)
    # Why a negative is rejected depends on today's schema: it is worked out anew, never taken from the old row.
    known = values if positive else {}
    fixture = Fixture(
        slug=path.stem,
        positive=positive,
        instance=instance,
        class_=values.get("class") or f"written/{path.stem}",
        fault=values.get("fault"),
        keyword_location=known.get("keywordLocation"),
        schema=known.get("schema"),
        member=known.get("member"),
        instance_location=known.get("instanceLocation"),
        base=Path(base).stem if isinstance(base, str) else None,
        patch=tuple(patch) if isinstance(patch, list) else None,
        origin=values.get("origin") or WRITTEN,
        covers=tuple(values.get("covers") or ()),
    )
    return Held(fixture, digest, pointer)


def fixture_of(row: Row, instance: Any) -> Fixture:
    """The fixture that a row of a `corpus.json` describes; `instance` is what its file holds."""
    values = row.values
    base, patch = values.get("base"), values.get("patch")
    return Fixture(
        slug=row.path.stem,
        positive=row.positive,
        instance=instance,
        class_=str(values.get("class")),
        fault=values.get("fault"),
        keyword_location=values.get("keywordLocation"),
        schema=values.get("schema"),
        member=values.get("member"),
        instance_location=values.get("instanceLocation"),
        base=Path(base).stem if isinstance(base, str) else None,
        patch=tuple(patch) if isinstance(patch, list) else None,
        origin=values.get("origin") or WRITTEN,
        covers=tuple(values.get("covers") or ()),
        kept=values.get("kept") is True,
    )


def plan(layout: Layout, header: Mapping[str, Any], corpus: Corpus, stored: Stored) -> dict[Path, bytes]:
    """The files that a corpus should be on disk: its generated fixtures and both `corpus.json`, each with its bytes."""
    held = {(h.fixture.positive, h.fixture.slug): h for h in stored.held}
    planned: dict[Path, bytes] = {}
    for positive in (True, False):
        folder = layout.folder(positive)
        fixtures = sorted((f for f in corpus.fixtures if f.positive == positive), key=lambda f: f.slug + ".json")
        _assert_names(fixtures, held)
        rows = []
        for fixture in fixtures:
            owner = held.get((positive, fixture.slug))
            if owner is None:
                data = dump(fixture.instance).encode()
                planned[folder / f"{fixture.slug}.json"] = data
                rows.append(_row(layout, fixture, sha256(data), None))
            else:
                rows.append(_row(layout, fixture, owner.sha256, owner.pointer))
        planned[folder / CORPUS] = serialise(header, rows).encode()
    return planned


def _assert_names(fixtures: Iterable[Fixture], held: Mapping[tuple[bool, str], Held]) -> None:
    seen: set[str] = set()
    for fixture in fixtures:
        name = f"{fixture.slug}.json"
        if name.lower() in seen:
            raise AssertionError(f"two fixtures are called {name} (case apart)")
        seen.add(name.lower())
        if (fixture.positive, fixture.slug) in held:
            continue
        if fixture.origin != GENERATED or not _FILE_NAME.match(name) or len(name) > _LONGEST or name == CORPUS:
            raise AssertionError(f"no name for a generated file: {name!r} ({fixture.origin})")


def _row(layout: Layout, fixture: Fixture, digest: str, pointer: str | None) -> dict[str, Any]:
    base = fixture.base
    row: dict[str, Any] = {
        "file": f"{fixture.slug}.json",
        "sha256": digest,
        "class": fixture.class_,
        "fault": fixture.fault,
        "keywordLocation": fixture.keyword_location,
        "member": fixture.member,
        "instanceLocation": fixture.instance_location,
        "base": None if base is None else relative(layout.fixtures / f"{base}.json", layout.folder(fixture.positive)),
        "patch": None if fixture.patch is None else list(fixture.patch),
        "origin": fixture.origin,
    }
    if fixture.schema is not None:
        row["schema"] = fixture.schema
    if pointer:
        row["instance"] = pointer
    covers = [name for name in dict.fromkeys(fixture.covers) if name != fixture.class_]
    if covers:
        row["covers"] = covers
    if fixture.kept:
        row["kept"] = True
    return row


def extended(layout: Layout, header: Mapping[str, Any], stored: Stored, more: Sequence[Fixture]) -> dict[Path, bytes]:
    """The files that change when these generated fixtures join what is on disk; no row of another file changes."""
    planned: dict[Path, bytes] = {}
    for positive in dict.fromkeys(f.positive for f in more):
        folder = layout.folder(positive)
        found = manifest(folder, positive)
        rows = [dict(row.values) for row in found.rows] if found else []
        known = {row["file"] for row in rows}
        for held in stored.held:
            if held.fixture.positive == positive and f"{held.fixture.slug}.json" not in known:
                rows.append(_row(layout, held.fixture, held.sha256, held.pointer))
        for fixture in (f for f in more if f.positive == positive):
            data = dump(fixture.instance).encode()
            planned[folder / f"{fixture.slug}.json"] = data
            rows.append(_row(layout, fixture, sha256(data), None))
        rows.sort(key=lambda row: str(row["file"]))
        planned[folder / CORPUS] = serialise(found.header if found else header, rows).encode()
    return planned


def serialise(header: Mapping[str, Any], rows: list[dict[str, Any]]) -> str:
    """The text of a `corpus.json`: a line for each key of a row, so that a diff shows what changed of which file."""
    lines = [f"  {_inline(name)}: {_inline(value)}," for name, value in header.items()]
    body = ",\n".join("    {\n" + ",\n".join(_member(k, v) for k, v in row.items()) + "\n    }" for row in rows)
    table = f"[\n{body}\n  ]" if rows else "[]"
    return "{\n" + "\n".join(lines) + f'\n  "fixtures": {table}\n}}\n'


def _member(name: str, value: Any) -> str:
    if name in ("patch", "covers") and isinstance(value, list) and len(value) > 1:
        spread = ",\n".join(f"        {_inline(entry)}" for entry in value)
        return f"      {_inline(name)}: [\n{spread}\n      ]"
    return f"      {_inline(name)}: {_inline(value)}"


def _inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Changes:
    """What separates a plan from the disk. `stale` are generated files whose class is gone."""

    added: tuple[Path, ...] = ()
    changed: tuple[Path, ...] = ()
    stale: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.stale)


def changes(planned: Mapping[Path, bytes], stored: Stored, extra_stale: Iterable[Path] = ()) -> Changes:
    """Compare a plan with the disk, byte by byte."""
    added, changed, unchanged = [], [], []
    for path, data in planned.items():
        if not os.path.lexists(path):
            added.append(path)
        elif path.is_file() and path.read_bytes() == data:
            unchanged.append(path)
        else:
            changed.append(path)
    stale = sorted({*(p for p in stored.owned if p not in planned), *extra_stale})
    return Changes(tuple(added), tuple(changed), tuple(stale), tuple(unchanged))
