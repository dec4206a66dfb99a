"""The project: its folders, its options and its contracts, from `[tool.knownbad]` or `knownbad.toml`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from . import dialects
from .dialects import DRAFT_2020_12, Dialect
from .errors import NO_VALUE, BadInput, Problem
from .keys import check_keys
from .layout import Layout, identifier, name_fault, relative, slug
from .load import contract_name
from .pointers import join

OWN_FILE = "knownbad.toml"
FAULTS = ("core", "all")
DIRECTIONS = ("input", "output", "both")
SCHEMA_ENDINGS = (".schema.json", ".schema.yaml", ".schema.yml")
_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Ignore:
    """Mutants that a mutation check leaves alone. `mutant`: an identity, in which `*` and `?` stand for anything.

    `expires`: the last day on which it counts.
    """

    mutant: str
    reason: str
    expires: date | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One contract of a project. `schema`: a path relative to the root, with `#/pointer` where it is a part."""

    name: str
    schema: str
    ignore: tuple[Ignore, ...] = ()
    direction: str = "both"
    """`input` breaks by narrowing, `output` by widening, `both` by either."""
    strict: bool = False
    """Whether every object in it is meant to be closed."""


@dataclass(frozen=True, slots=True)
class Project:
    """What a config says, with every default filled in. `source` is the config's file, None where there is none."""

    root: Path
    schemas: Path
    fixtures: Path
    negative: Path
    tests: Path
    dialect: Dialect = DRAFT_2020_12
    formats: bool = True
    resolve: Mapping[str, Path] = field(default_factory=dict)
    faults: str = "core"
    templates: Path | None = None
    contracts: tuple[Entry, ...] = ()
    source: Path | None = None
    sections: Mapping[str, Any] = field(default_factory=dict)
    """The tables that a room of its own reads, as they stand in the config."""
    pointer: str = ""
    """Of the config's table in `source`."""

    def layout(self, name: str) -> Layout:
        """The places of the contract called `name`."""
        test = self.tests / f"test_{identifier(name)}.py"
        return Layout(self.root, self.fixtures / name, self.negative / name, test)


_KEYS: dict[str, tuple[type, str]] = {
    "schemas": (str, "a folder"),
    "fixtures": (str, "a folder"),
    "negative": (str, "a folder"),
    "tests": (str, "a folder"),
    "dialect": (str, "one of " + ", ".join(d.name for d in dialects.DIALECTS)),
    "formats": (bool, "true or false"),
    "resolve": (dict, "a table of URIs to folders"),
    "faults": (str, "'core' or 'all'"),
    "templates": (str, "a folder"),
    "contract": (list, "an array of tables: [[contract]]"),
    "lint": (dict, "a table: [lint]"),
    "accept": (list, "an array of tables: [[accept]]"),
    "errors": (dict, "a table: [errors]"),
    "replay": (dict, "a table: [replay]"),
    "suites": (dict, "a table: [suites]"),
}
_SECTIONS = ("lint", "accept", "errors", "replay", "suites")
"""Each is checked by the room that reads it."""
_CONTRACT_KEYS: dict[str, tuple[type, str]] = {
    "name": (str, "a text"),
    "schema": (str, "a path, with #/pointer where the schema is a part of the file"),
    "ignore": (list, "an array of tables: [[contract.ignore]]"),
    "direction": (str, "'input', 'output' or 'both'"),
    "strict": (bool, "true or false"),
}
_IGNORE_KEYS: dict[str, tuple[type, str]] = {
    "mutant": (str, "the identity of a mutant, as reports show it; * and ? stand for anything"),
    "reason": (str, "a text"),
    "expires": (date, "a date, as in 2026-12-31"),
}
_FOLDERS = {"schemas": "schemas", "fixtures": "fixtures", "negative": "negative", "tests": "tests/contracts"}


def find(start: Path) -> tuple[Path, Mapping[str, Any], str] | None:
    """The config's file at or above `start`, its table, and the pointer of the table; None where there is none."""
    for folder in (start, *start.parents):
        own, shared = folder / OWN_FILE, folder / "pyproject.toml"
        table = _toml(shared).get("tool", {}).get("knownbad") if _mentions_us(shared) else None
        if own.is_file():
            if table is not None:
                message = f"both this file and {OWN_FILE} beside it configure knownbad"
                raise BadInput(Problem(message, str(shared), "/tool/knownbad", fix="keep one of them"))
            return own, _toml(own), ""
        if table is not None:
            if not isinstance(table, dict):
                raise BadInput(Problem("must be a table", str(shared), "/tool/knownbad", table))
            return shared, table, "/tool/knownbad"
    return None


def project(start: Path, *, discover: bool = True) -> Project:
    """The project that `start` is in; one of defaults, rooted at `start`, where no config is found.

    With `discover`, the schema files that no `[[contract]]` names become contracts too.

    Raises BadInput with every problem.
    """
    found = find(start)
    if found is None:
        return _filled(start, {}, "", None, discover)
    file, table, pointer = found
    problems = list(check_keys(table, _KEYS, str(file), pointer))
    if isinstance(contracts := table.get("contract"), list):
        for number, entry in enumerate(contracts):
            where = join(pointer, "contract", number)
            if not isinstance(entry, dict):
                problems.append(Problem("must be a table", str(file), where, entry))
                continue
            problems.extend(check_keys(entry, _CONTRACT_KEYS, str(file), where))
            if "schema" not in entry:
                problems.append(Problem("has no `schema`", str(file), where))
            direction = entry.get("direction")
            if isinstance(direction, str) and direction not in DIRECTIONS:
                message = f"`direction` must be {_CONTRACT_KEYS['direction'][1]}"
                problems.append(Problem(message, str(file), join(where, "direction"), direction))
            problems.extend(_check_ignores(entry.get("ignore"), str(file), where))
    problems.extend(_check_values(table, str(file), pointer, file.parent))
    if problems:
        raise BadInput(problems)
    return _filled(file.parent, table, pointer, file, discover)


def _mentions_us(path: Path) -> bool:
    """Whether it is worth reading: a file of another project may even be broken."""
    return path.is_file() and b"knownbad" in path.read_bytes()


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(Problem(f"is not TOML: {error}", str(path))) from error
    except UnicodeDecodeError as error:
        raise BadInput(Problem(f"is not UTF-8 (byte {error.start})", str(path))) from error


def _check_ignores(ignores: Any, file: str, pointer: str) -> Iterator[Problem]:
    for number, ignore in enumerate(ignores if isinstance(ignores, list) else ()):
        where = join(pointer, "ignore", number)
        if not isinstance(ignore, dict):
            yield Problem("must be a table", file, where, ignore)
            continue
        yield from check_keys(ignore, _IGNORE_KEYS, file, where)
        for key in ("mutant", "reason"):
            if not ignore.get(key):
                yield Problem(
                    f"has no `{key}`", file, where, fix="say why it may be ignored" if key == "reason" else None
                )


def _check_values(table: Mapping[str, Any], file: str, pointer: str, root: Path) -> Iterator[Problem]:
    dialect, faults, resolve = table.get("dialect"), table.get("faults"), table.get("resolve")
    if isinstance(dialect, str) and _dialect(dialect) is None:
        yield Problem(f"`dialect` must be {_KEYS['dialect'][1]}", file, join(pointer, "dialect"), dialect)
    if isinstance(faults, str) and faults not in FAULTS:
        yield Problem(f"`faults` must be {_KEYS['faults'][1]}", file, join(pointer, "faults"), faults)
    for uri, folder in (resolve if isinstance(resolve, dict) else {}).items():
        where = join(pointer, "resolve", uri)
        if not isinstance(folder, str):
            yield Problem("must be a folder", file, where, folder)
        elif not (root / folder).is_dir():
            yield Problem("names no folder", file, where, folder)
    for key in ("schemas", "templates"):
        named = table.get(key)
        if isinstance(named, str) and not (root / named).is_dir():
            yield Problem(f"`{key}` names no folder", file, join(pointer, key), named)
    yield from _check_folders(table, file, pointer, root)


def _check_folders(table: Mapping[str, Any], file: str, pointer: str, root: Path) -> Iterator[Problem]:
    """What is written goes into three folders of the project, none of which holds another or the schemas."""
    places = {key: Path(os.path.normpath(root / str(table.get(key, default)))) for key, default in _FOLDERS.items()}
    for key in ("fixtures", "negative", "tests"):
        place, where = places[key], join(pointer, key)
        if not place.is_relative_to(root) or place == root:
            yield Problem(f"`{key}` must be a folder inside the project", file, where, table.get(key))
        for other in _FOLDERS:
            if other != key and places[other].is_relative_to(place):
                yield Problem(f"`{key}` must not hold the folder of `{other}`", file, where, table.get(key))


def _dialect(name: str) -> Dialect | None:
    try:
        return dialects.named(name)
    except KeyError:
        return None


def _filled(root: Path, table: Mapping[str, Any], pointer: str, source: Path | None, discover: bool) -> Project:
    folders = {key: root / str(table.get(key, default)) for key, default in _FOLDERS.items()}
    templates = table.get("templates")
    entries = list(_named(root, table, pointer, source))
    if discover:
        entries.extend(_discovered(root, folders["schemas"], [entry for _, entry in entries], source))
    _check_names(entries)
    return Project(
        root=root,
        **folders,
        dialect=_dialect(str(table.get("dialect", ""))) or DRAFT_2020_12,
        formats=bool(table.get("formats", True)),
        resolve={uri: root / folder for uri, folder in table.get("resolve", {}).items()},
        faults=str(table.get("faults", "core")),
        templates=None if templates is None else root / templates,
        contracts=tuple(sorted((entry for _, entry in entries), key=lambda entry: entry.name)),
        source=source,
        sections={key: table[key] for key in _SECTIONS if key in table},
        pointer=pointer,
    )


def _named(root: Path, table: Mapping[str, Any], pointer: str, source: Path | None) -> Iterator[tuple[Problem, Entry]]:
    """The `[[contract]]` entries, each with the problem to raise where its name is at fault."""
    for number, entry in enumerate(table.get("contract", [])):
        name = str(entry.get("name") or default_name(entry["schema"]))
        schema = relative(root / entry["schema"].partition("#")[0], root) + _fragment(entry["schema"])
        where = join(pointer, "contract", number, *(["name"] if "name" in entry else ["schema"]))
        ignore = tuple(Ignore(i["mutant"], i["reason"], i.get("expires")) for i in entry.get("ignore", ()))
        direction, strict = entry.get("direction", "both"), entry.get("strict", False)
        yield Problem("", str(source), where, name), Entry(name, schema, ignore, direction, strict)


def _fragment(spec: str) -> str:
    _, hash_, fragment = spec.partition("#")
    return hash_ + fragment if fragment else ""


def _discovered(root: Path, folder: Path, named: list[Entry], source: Path | None) -> Iterator[tuple[Problem, Entry]]:
    taken = {entry.schema.partition("#")[0] for entry in named}
    for path in schema_files(folder):
        schema = relative(path, root)
        if schema not in taken:
            yield (
                Problem("", schema, None, NO_VALUE, f"name it in {OWN_FILE}: [[contract]]"),
                Entry(default_name(schema), schema),
            )


def schema_files(folder: Path) -> list[Path]:
    """The schema files below a folder, sorted.

    `*.schema.json` (or yaml) count by their name, other JSON files by the dialect that they declare.
    """
    found = []
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if any(part.startswith(".") for part in path.relative_to(folder).parts) or not path.is_file():
            continue
        if path.name.endswith(SCHEMA_ENDINGS) or path.suffix == ".json" and declares_dialect(path):
            found.append(path)
    return found


def declares_dialect(path: Path) -> bool:
    """Whether a JSON file declares one of the five dialects."""
    try:
        text = path.read_text("utf-8-sig")
        value = json.loads(text) if '"$schema"' in text else None
        return dialects.declared(value) is not None
    except (OSError, ValueError, KeyError, RecursionError):
        return False


def default_name(spec: str) -> str:
    """The name of a contract that is given none, safe as a folder's."""
    return slug(contract_name(spec))


def _check_names(entries: list[tuple[Problem, Entry]]) -> None:
    """Raises BadInput for names that are unsafe, or the same when case or punctuation is ignored."""
    problems = []
    seen: dict[str, Entry] = {}
    for where, entry in entries:
        fault = name_fault(entry.name)
        key = identifier(entry.name)
        if fault is None and key in seen:
            other = seen[key]
            fault = f"{entry.name!r} ({entry.schema}) and {other.name!r} ({other.schema}) would write the same files"
        seen.setdefault(key, entry)
        if fault:
            problems.append(Problem(fault, where.file, where.location, where.value, where.fix or "give it a `name`"))
    if problems:
        raise BadInput(problems)
