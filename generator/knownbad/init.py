"""A starting layout and config for the schemas that are found below a folder; nothing is overwritten."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .ci import jobs
from .config import OWN_FILE, SCHEMA_ENDINGS, Entry, declares_dialect, default_name, find
from .errors import BadInput, Problem
from .layout import identifier, name_fault, relative, slug
from .pointers import join

_SKIPPED = frozenset(
    ("node_modules", "__pycache__", "site-packages", "dist", "build", "venv", "env", "fixtures", "negative")
)
_LARGEST = 20_000_000
_TOML_SAFE = str.maketrans({"\\": "\\\\", '"': '\\"'})


@dataclass(frozen=True, slots=True)
class Started:
    """What was found and written. `kept` are files that were there before."""

    root: Path
    written: tuple[Path, ...]
    kept: tuple[Path, ...]
    contracts: tuple[Entry, ...]
    notes: tuple[str, ...]
    next_step: str


def init(root: Path, ci: str | None = None) -> Started:
    """Write a config that names every schema found below `root`, and the job of a CI system.

    Raises BadInput where there is a config already, unless it is only the job that is asked for.
    """
    existing = find(root)
    if existing is not None and existing[0].parent == root:
        if ci is not None:
            return _with_jobs(Started(root, (), (existing[0],), (), (), "commit the job"), ci)
        raise BadInput(Problem("knownbad is configured here already", str(existing[0]), existing[2] or None))
    entries, notes = _entries(root)
    in_folder = [entry for entry in entries if _is_default(entry)]
    named = [entry for entry in entries if entry not in in_folder]
    pyproject = root / "pyproject.toml"
    target = pyproject if pyproject.is_file() else root / OWN_FILE
    text = _config(named, "tool.knownbad" if target == pyproject else "")
    if target == pyproject:
        before = pyproject.read_text("utf-8")
        text = before.rstrip("\n") + "\n\n" + text
        tomllib.loads(text)  # an inline `tool = {...}` cannot be appended to: better fail before anything is written
    written: list[Path] = [target]
    kept: list[Path] = []
    target.write_text(text, "utf-8", newline="\n")
    schemas = root / "schemas"
    (kept if schemas.is_dir() else written).append(schemas)
    schemas.mkdir(exist_ok=True)
    step = "knownbad generate" if entries else "put a schema into schemas/, then run: knownbad generate"
    started = Started(root, tuple(written), tuple(kept), tuple(entries), tuple(notes), step)
    return started if ci is None else _with_jobs(started, ci)


def _with_jobs(started: Started, ci: str) -> Started:
    """The same, with the jobs of a CI system written where there are none."""
    for one in jobs(started.root, ci):
        if one.path.exists():
            started = replace(started, kept=(*started.kept, one.path))
            continue
        one.path.parent.mkdir(parents=True, exist_ok=True)
        one.path.write_text(one.text, "utf-8", newline="\n")
        notes = (*started.notes, *([one.note] if one.note else []))
        started = replace(started, written=(*started.written, one.path), notes=notes)
    return started


def _is_default(entry: Entry) -> bool:
    """Whether the entry is what the schema folder gives without being named."""
    return entry.schema.startswith("schemas/") and "#" not in entry.schema and entry.name == default_name(entry.schema)


def _config(named: list[Entry], prefix: str) -> str:
    table = f"[{prefix}]\n" if prefix else ""
    lines = [
        table + "# Contracts are the schemas of this folder and the entries below.",
        'schemas = "schemas"',
        'fixtures = "fixtures"',
        'negative = "negative"',
        'tests = "tests/contracts"',
        'dialect = "2020-12"  # of schemas that declare none',
        "formats = true",
        'faults = "core"  # or "all"',
    ]
    for entry in named:
        heading = f"{prefix}.contract" if prefix else "contract"
        schema = entry.schema.translate(_TOML_SAFE)
        lines.extend(("", f"[[{heading}]]", f'name = "{entry.name}"', f'schema = "{schema}"'))
    return "\n".join(lines) + "\n"


def _entries(root: Path) -> tuple[list[Entry], list[str]]:
    """Every schema below `root` with a name that no other has."""
    entries: list[Entry] = []
    notes: list[str] = []
    taken: set[str] = set()
    for spec in sorted(_specs(root, notes)):
        name = default_name(spec)
        if name_fault(name) is None and identifier(name) not in taken:
            pass
        else:
            parent = Path(spec.partition("#")[0]).with_suffix("").as_posix().replace(".schema", "")
            name = slug(f"{parent}-{name}")
        stem, number = name, 2
        while identifier(name) in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(identifier(name))
        entries.append(Entry(name, spec))
    return entries, notes


def _specs(root: Path, notes: list[str]) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in _SKIPPED and not (Path(folder) / f / "pyvenv.cfg").exists()
        )
        for name in sorted(names):
            path = Path(folder) / name
            if path.suffix not in (".json", ".yaml", ".yml") or name.startswith(".") or path.stat().st_size > _LARGEST:
                continue
            spec = relative(path, root)
            if name.endswith(SCHEMA_ENDINGS) or path.suffix == ".json" and declares_dialect(path):
                yield spec
            else:
                yield from _parts(path, spec, notes)


def _parts(path: Path, spec: str, notes: list[str]) -> Iterator[str]:
    """The schemas inside an OpenAPI document or a list of MCP tools."""
    from . import documents

    text = path.read_text("utf-8-sig", errors="replace")
    if not any(word in text for word in ("openapi", "swagger", "inputSchema")):
        return
    try:
        value: Any = json.loads(text) if path.suffix == ".json" else documents.parse(text, spec)
    except (BadInput, ValueError, RecursionError):
        notes.append(f"{spec} is skipped: it cannot be read")
        return
    if not isinstance(value, dict):
        return
    components, definitions, tools = value.get("components"), value.get("definitions"), value.get("tools")
    if "openapi" in value and isinstance(components, dict) and isinstance(components.get("schemas"), dict):
        yield from (f"{spec}#{join('/components/schemas', name)}" for name in components["schemas"])
    elif "swagger" in value and isinstance(definitions, dict):
        yield from (f"{spec}#{join('/definitions', name)}" for name in definitions)
    elif isinstance(tools, list):
        for number, tool in enumerate(tools):
            for key in ("inputSchema", "outputSchema"):
                if isinstance(tool, dict) and isinstance(tool.get(key), dict):
                    yield f"{spec}#/tools/{number}/{key}"
