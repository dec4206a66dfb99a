"""`--fix`: the repairs that are certain, each tried in memory first; all files are written, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..contract import Contract
from ..documents import parse, read_text
from ..errors import BadInput
from ..finding import Finding, Level
from ..journal import commit, locked
from ..produce import Task, names_root
from ..schema_check import problems
from ..values import equal
from .edit import CannotEditError, edited
from .look import Look, Repair, Spotted
from .rules import spotted

ROUNDS = 12
"""How often it is looked again after repairs: one repair may uncover the next."""


@dataclass(slots=True)
class _Change:
    """One file: its text as it is on the disk, and as it will be."""

    path: Path
    text: str
    bom: bool
    done: list[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contract with what is spotted in it and may be repaired."""

    task: Task
    contract: Contract
    spots: tuple[Spotted, ...]
    all_spots: tuple[Spotted, ...]


def repair(candidates: Iterable[Candidate], root: Path) -> list[str]:
    """Repair what is certain and write it; what was done, in words."""
    changes: dict[str, _Change] = {}
    for candidate in candidates:
        for spot in _one_an_object(candidate.spots):
            _try(candidate, spot, changes)
    done = {change.path: change for change in changes.values() if change.done}
    if done:
        with locked(root):
            commit(root, {path: _bytes(change) for path, change in done.items()}, [])
    return [line for _, change in sorted(done.items()) for line in change.done]


def _bytes(change: _Change) -> bytes:
    return change.text.encode("utf-8-sig" if change.bom else "utf-8")


def _one_an_object(spots: Sequence[Spotted]) -> list[Spotted]:
    """One repair for each schema object, since two keywords may each do nothing for the other's sake.

    What is further down or back comes first, so that the pointers of the rest stay true.
    """
    chosen: dict[tuple[str, str], Spotted] = {}
    for spot in spots:
        if spot.repair is not None:
            holder = spot.repair.pointer.rpartition("/")[0] if spot.repair.kind != "add" else "+"
            if spot.repair.kind == "drop" and holder.endswith("/enum"):
                holder = spot.repair.pointer  # the members of an enum do not depend on each other
            chosen.setdefault((spot.finding.file or "", holder), spot)
    return sorted(chosen.values(), key=lambda s: _depth(s.repair), reverse=True)


def _depth(repair: Repair | None) -> tuple[int, list[tuple[int, str]]]:
    assert repair is not None
    parts = repair.pointer.split("/")
    return len(parts), [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _try(candidate: Candidate, spot: Spotted, changes: dict[str, _Change]) -> None:
    finding, wanted = spot.finding, spot.repair
    assert wanted is not None
    file = finding.file or ""
    try:
        change = changes.get(file) or _opened(names_root(candidate.task) / file, file)
        if not _is_written_so(candidate.contract, file, change):
            return
        text = edited(change.text, file, wanted)
        if not _is_good(candidate, spot, file, parse(text, file)):
            return
    except (CannotEditError, BadInput, LookupError, OSError):
        return
    change.text = text
    change.done.append(_in_words(finding, wanted))
    changes[file] = change


def _opened(path: Path, file: str) -> _Change:
    return _Change(path.resolve(), read_text(path, file), path.read_bytes().startswith(b"\xef\xbb\xbf"), [])


def _is_written_so(contract: Contract, file: str, change: _Change) -> bool:
    """Whether the document is what stands in the file, and no translation of it."""
    document = next((d for d in contract.documents.values() if d.name == file), None)
    return document is not None and (bool(change.done) or equal(parse(change.text, file), document.value))


def _is_good(candidate: Candidate, spot: Spotted, file: str, value: Any) -> bool:
    """Whether the finding is gone with the new document, the schema is one, and nothing worse has come."""
    contract = _with(candidate.contract, file, value)
    document = next(d for d in contract.documents.values() if d.name == file)
    if any(True for _ in problems(value, document.dialect, file, "")):
        return False
    known = {_key(s.finding) for s in candidate.all_spots}
    found = [s.finding for s in spotted(Look(contract, candidate.task.entry))]
    if _key(spot.finding) in {_key(f) for f in found}:
        return False
    return not any(f.weight is Level.ERROR and _key(f) not in known for f in found)


def _with(contract: Contract, file: str, value: Any) -> Contract:
    made: dict[int, Any] = {}
    for document in contract.documents.values():
        changed = replace(document, value=value) if document.name == file else document
        made.setdefault(id(document), changed)
    return replace(contract, documents={uri: made[id(d)] for uri, d in contract.documents.items()})


def _key(finding: Finding) -> tuple[str, str, str, str]:
    return finding.code.code, finding.file or "", finding.location or "", finding.subject


def _in_words(finding: Finding, repair: Repair) -> str:
    last = repair.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    verb = {
        "add": f"added `{repair.name}`",
        "drop": f"removed `{finding.subject or last}`",
        "rename": f"renamed `{last}` to `{repair.name}`",
        "move": f"moved `{last}` out of `properties`",
    }[repair.kind]
    meaning = "" if repair.keeps else " (the schema says something else now)"
    return f"{finding.file}: {finding.location or '(root)'}: {finding.code.code} {verb}{meaning}"
