"""The table `[errors]` of the config: where the catalogue stands, and where its fixtures go."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..config import Project
from ..errors import BadInput, Problem
from ..keys import Keys, check_keys
from ..layout import relative
from ..pointers import join

NAMES = ("errors.toml", "errors.json", "errors.yaml", "errors.yml")
"""What a catalogue in the folder of schemas is called."""
ENVELOPE = "error-envelope"
"""The contract that is the envelope, unless said otherwise; the one that comes with knownbad where there is none."""
KEYS: Keys = {
    "catalogue": (str, "a file"),
    "envelope": (str, "the name of a contract"),
    "fixtures": (str, "a pattern of paths with {tool} and {code}"),
    "negative": (str, "a pattern of paths with {tool} and {code}"),
    "without-twins": (list, "a list of kinds of twins"),
}
_ROWS = {
    ".toml": re.compile(r"^\s*\[\[\s*error\s*\]\]", re.MULTILINE),
    ".json": re.compile(r"\"error\"\s*:\s*\[\s*\{[^{}\[\]]*\"retryable\"\s*:"),
    ".yaml": re.compile(r"^error:\s*$[\s\S]*^\s*(?:- )?retryable:", re.MULTILINE),
    ".yml": re.compile(r"^error:\s*$[\s\S]*^\s*(?:- )?retryable:", re.MULTILINE),
}
"""How the rows of a catalogue look."""
_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Settings:
    """`[errors]`, checked. The patterns are paths relative to the root, with `{tool}` and `{code}` in them."""

    root: Path
    catalogue: Path
    envelope: str
    fixtures: str
    negative: str
    without_twins: tuple[str, ...] = ()
    named_envelope: bool = False
    contracts: tuple[str, ...] = ()
    """The names of the project's contracts."""

    @property
    def file(self) -> str:
        """The catalogue as messages call it."""
        return relative(self.catalogue, self.root)


def catalogues(project: Project) -> list[Path]:
    """What is called as a catalogue is, be it a file that can be read or not."""
    return [project.schemas / name for name in NAMES if os.path.lexists(project.schemas / name)]


def misnamed(project: Project) -> Path | None:
    """A file that holds rows of error classes under a name that is nearly that of a catalogue."""
    for path in sorted(project.schemas.glob("[Ee][Rr]*.*")):
        rows = _ROWS.get(path.suffix)
        if rows is None or path.name in NAMES or not get_close_matches(path.stem.lower(), ["errors"], 1, 0.75):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        if rows.search(text):
            return path
    return None


def settings(project: Project, known_twins: tuple[str, ...] = ()) -> Settings | None:
    """The settings of a project; None where it has no catalogue. Raises BadInput with every problem."""
    table = project.sections.get("errors", {})
    file, pointer = str(project.source), join(project.pointer, "errors")
    problems = [*check_keys(table, KEYS, file, pointer), *_check(table, file, pointer, project, known_twins)]
    if problems:
        raise BadInput(problems)
    named = table.get("catalogue")
    found = catalogues(project)
    if named is None and len(found) > 1:
        files = ", ".join(relative(path, project.root) for path in found)
        fix = f"keep one, or name it: catalogue in {pointer or '[errors]'}"
        where = file if project.source else None
        raise BadInput(Problem(f"more than one catalogue of errors: {files}", where, fix=fix))
    if named is None and not found and (other := misnamed(project)) is not None:
        fix = f"call it {NAMES[0] if other.suffix == '.toml' else 'errors' + other.suffix}, or name it: `catalogue`"
        raise BadInput(
            Problem("looks like a catalogue of errors, and is not called so", relative(other, project.root), fix=fix)
        )
    if named is None and not found:
        if table:
            places = " or ".join(NAMES[:2])
            fix = f"write {relative(project.schemas, project.root)}/{places}, or name one: `catalogue`"
            raise BadInput(Problem("there is no catalogue of errors", file, pointer, fix=fix))
        return None
    fixtures, negative = relative(project.fixtures, project.root), relative(project.negative, project.root)
    pattern = table.get("fixtures")
    return Settings(
        root=project.root,
        catalogue=project.root / named if named is not None else found[0],
        envelope=table.get("envelope", ENVELOPE),
        fixtures=pattern or f"{fixtures}/errors/{{tool}}/{{code}}.json",
        negative=table.get("negative") or _beside(pattern) or f"{negative}/errors/{{tool}}/{{code}}.json",
        without_twins=tuple(table.get("without-twins", ())),
        named_envelope="envelope" in table,
        contracts=tuple(entry.name for entry in project.contracts),
    )


def _beside(pattern: str | None) -> str | None:
    """Where the twins of a tool's own package go: into `negative/` beside the folder of the fixtures."""
    if pattern is None:
        return None
    folder, _, name = pattern.rpartition("/")
    return f"{folder}/negative/{name}"


def _check(
    table: Mapping[str, Any], file: str, pointer: str, project: Project, known_twins: tuple[str, ...]
) -> Iterator[Problem]:
    named = table.get("catalogue")
    if isinstance(named, str) and not (project.root / named).is_file():
        yield Problem("`catalogue` names no file", file, join(pointer, "catalogue"), named)
    contract = table.get("envelope")
    names = [entry.name for entry in project.contracts]
    if isinstance(contract, str) and contract not in names and contract != ENVELOPE:
        fix = "contracts: " + (", ".join(names) or "none")
        yield Problem("`envelope` names no contract", file, join(pointer, "envelope"), contract, fix)
    for key in ("fixtures", "negative"):
        if isinstance(table.get(key), str):
            yield from _check_pattern(table[key], file, join(pointer, key), project.root)
    twins = table.get("without-twins")
    for number, kind in enumerate(twins if isinstance(twins, list) else ()):
        if not isinstance(kind, str) or known_twins and kind not in known_twins:
            fix = "kinds: " + ", ".join(known_twins)
            yield Problem("there is no such kind of twin", file, join(pointer, "without-twins", number), kind, fix)


def _check_pattern(pattern: str, file: str, pointer: str, root: Path) -> Iterator[Problem]:
    folder, _, name = pattern.rpartition("/")
    unknown = [place for place in _PLACE.findall(pattern) if place not in ("tool", "code")]
    if unknown:
        yield Problem(f"`{{{unknown[0]}}}` stands for nothing", file, pointer, pattern, "use {tool} and {code}")
    elif "{code}" not in name or "{code}" in folder or not name.endswith(".json"):
        fix = "as in tools/{tool}/fixtures/errors/{code}.json"
        yield Problem("the file's name must hold {code} and end in .json", file, pointer, pattern, fix)
    elif name != "{code}.json":
        yield Problem("the file's name must be {code}.json", file, pointer, pattern)
    elif not folder or Path(folder).is_absolute() or ".." in folder.split("/"):
        yield Problem("must be a path in a folder inside the project", file, pointer, pattern)
