"""A mutation check in the format of the Stryker tools, for their report viewers and dashboard (schema version 2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import floor
from typing import Any

from .. import __version__
from ..mutants import EQUIVALENT, IGNORED, INVALID, KILLED, SURVIVED, UNDECIDED, UNREACHABLE, Check, Checked, Mutant
from ..pointers import join
from ..positions import Position
from . import shown
from .edits import ends, same
from .sources import Source, Sources, dead, family

STATUS = {
    KILLED: "Killed",
    SURVIVED: "Survived",
    EQUIVALENT: "Ignored",
    UNREACHABLE: "Ignored",
    IGNORED: "Ignored",
    INVALID: "CompileError",
    UNDECIDED: "NoCoverage",
}
"""Stryker's word for each state.

Its `Timeout` counts as detected and its `Pending` does not count; `NoCoverage` alone leaves both scores the same.
"""
_MOST = 4000
"""Characters of a replacement."""

Read = Callable[[str], str | None]


def text(checked: Checked, read: Read) -> str:
    """The report, with a newline at the end. `read` gives the text of a fixture, None where there is none."""
    return json.dumps(document(checked, read), indent=2, ensure_ascii=False) + "\n"


def document(checked: Checked, read: Read) -> dict[str, Any]:
    """`files` are the schemas, `testFiles` the fixtures, each of which is one test that is called like its file."""
    files: dict[str, Any] = {}
    tests: set[str] = set()
    taken: set[str] = set()
    for check in checked.checks:
        sources = Sources(check, checked.root)
        tests.update(check.corpus)
        for name, source in sources:
            if name is None or any(mutant.schema == name for mutant in check.mutants):
                files.setdefault(source.file, {"language": source.language, "source": source.text, "mutants": []})
        for mutant in check.mutants:
            source = sources.of(mutant)
            file = files.setdefault(source.file, {"language": source.language, "source": source.text, "mutants": []})
            file["mutants"].append(_mutant(check, mutant, source, taken))
            tests.update(mutant.killed_by)
    low = min(100, max(0, floor(checked.fail_under)))
    return {
        "schemaVersion": "2",
        "thresholds": {"high": 100, "low": low},
        "framework": {"name": "knownbad", "version": __version__},
        "files": files,
        "testFiles": {path: _test(path, read) for path in sorted(tests)},
    }


def _test(path: str, read: Read) -> dict[str, Any]:
    content = read(path)
    source = {} if content is None else {"source": content}
    return {"tests": [{"id": path, "name": path.rpartition("/")[2]}], **source}


def _mutant(check: Check, mutant: Mutant, source: Source, taken: set[str]) -> dict[str, Any]:
    identity = f"{check.contract}: {mutant.identity}"
    number = 1
    while identity in taken:
        number += 1
        identity = f"{check.contract}: {mutant.identity} ({number})"
    taken.add(identity)
    start, end, replacement = _change(mutant, source)
    found = {
        "id": identity,
        "mutatorName": family(mutant.operator),
        "description": f"{mutant.operator} at {mutant.location or 'the root'}",
        "location": {
            "start": {"line": start[0], "column": start[1]},
            "end": {"line": end[0], "column": end[1]},
        },
        "replacement": replacement,
        "status": STATUS[mutant.state],
        "statusReason": _reason(mutant),
    }
    if mutant.killed_by:
        found["killedBy"] = list(mutant.killed_by)
    return found


def _reason(mutant: Mutant) -> str:
    if mutant.state == KILLED:
        return f"another verdict on {', '.join(mutant.killed_by)}" if mutant.killed_by else KILLED
    if mutant.state == SURVIVED:
        lines = [f"missing: {shown.needed(mutant)}"]
        if shown.has_witness(mutant):
            lines += [f"{shown.verdicts(mutant)}:", *shown.instance(mutant.witness)]
        return "\n".join(lines)
    return f"{mutant.state}: {shown.finding(mutant) if dead(mutant) else mutant.reason or 'no reason given'}"


Place = tuple[int, int]


def _change(mutant: Mutant, source: Source) -> tuple[Place, Place, str]:
    """Where the text of the schema changes (the end is exclusive), and to what."""
    site = source.nearest(mutant.site)
    if site is None:
        return (1, 1), (1, 1), _json(mutant.after)
    before, after = mutant.before, mutant.after
    if isinstance(before, dict) and isinstance(after, dict):
        names = [n for n in {**before, **after} if n not in before or n not in after or not same(before[n], after[n])]
        if len(names) == 1:
            (name,) = names
            pointer = source.inside + join(mutant.site, name)
            place = source.positions.get(pointer)
            if place is None and name not in before:
                return _inserted(site, f"{_json(name)}: {_json(after[name])}", source, bool(before))
            if place is not None:
                item = _item(before.get(name), after.get(name), pointer, source)
                value = f"{_json(name)}: {_json(after[name])}" if name in after else ""
                return item or ((place.line, place.column), (place.end_line, place.end_column), value)
    return (site.value_line, site.value_column), (site.end_line, site.end_column), _json(after)


def _item(before: Any, after: Any, pointer: str, source: Source) -> tuple[Place, Place, str] | None:
    """Of two arrays: the one item that goes, or that comes behind another."""
    if not (isinstance(before, list) and isinstance(after, list)):
        return None
    head, tail = ends(before, after)
    old, new = len(before) - head - tail, len(after) - head - tail
    if old == 1 and new <= 1:
        place = source.positions.get(f"{pointer}/{head}")
        if place is not None:
            text = _json(after[head]) if new else ""
            return (place.line, place.column), (place.end_line, place.end_column), text
    if old == 0 and new == 1 and head:
        place, listed = source.positions.get(f"{pointer}/{head - 1}"), source.positions[pointer]
        if place is not None:
            at = (place.end_line, place.end_column)
            flow = source.lines[listed.value_line - 1][listed.value_column - 1 :][:1] == "["
            lead = ", " if flow else f"\n{' ' * (listed.value_column - 1)}- "
            return at, at, f"{lead}{_json(after[head])}"
    return None


def _inserted(site: Position, member: str, source: Source, more: bool) -> tuple[Place, Place, str]:
    """A member more at the beginning of an object."""
    line = source.lines[site.value_line - 1]
    if line[site.value_column - 1 : site.value_column] == "{":
        at = (site.value_line, site.value_column + 1)
        return at, at, f" {member}{',' if more else ' '}"
    at = (site.value_line, site.value_column)
    return at, at, f"{member}\n{' ' * (site.value_column - 1)}"


def _json(value: Any) -> str:
    return shown.cut(json.dumps(value, ensure_ascii=False), _MOST)
