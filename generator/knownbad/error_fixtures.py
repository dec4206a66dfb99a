"""The job of the error fixtures of a project: their files with the emitted tests, and their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .config import Project
from .errors import BadInput, Problem
from .finding import Finding
from .layout import CORPUS, relative

if TYPE_CHECKING:
    from .twins.check import Checked
    from .twins.plan import Planned

MARK = b"knownbad"
"""What an emitted test says of itself."""
_SHOWN = 5
"""Files that a finding about many names beside its own."""


def configured(project: Project) -> bool:
    """Whether the project has a catalogue of errors, or means to have one. Cheap: a catalogue is not read."""
    if "errors" in project.sections:
        return True
    from .catalogue.settings import catalogues, misnamed

    return bool(catalogues(project)) or misnamed(project) is not None


def planned(project: Project) -> list[Planned]:
    """What the error fixtures of every tool should be on disk, their emitted tests included. Raises BadInput."""
    if not configured(project):
        return []
    from .catalogue.places import emitted
    from .render.error_tests import render
    from .store import Stored, changes
    from .twins.plan import plan, room

    found = room(project)
    if found is None:
        return []
    made = []
    for one in plan(found):
        test = emitted(project.tests, one.tool)
        if one.files:
            added = changes({test: render(found, one)}, Stored())
            files = {**one.files, test: render(found, one)}
        else:
            stale = [test] if test.is_file() and MARK in test.read_bytes() else []
            added, files = changes({}, Stored(), stale), dict(one.files)
        both = replace(
            one.changes,
            added=(*one.changes.added, *added.added),
            changed=(*one.changes.changed, *added.changed),
            stale=(*one.changes.stale, *added.stale),
            unchanged=(*one.changes.unchanged, *added.unchanged),
        )
        made.append(replace(one, files=files, changes=both))
    return made


def refuse_foreign(planned: Sequence[Planned], root: Path) -> None:
    """Raises BadInput where a file that knownbad did not write is in the way of one to write."""
    problems = []
    for one in planned:
        for path in one.changes.changed:
            if path.suffix == ".py" and MARK not in path.read_bytes():
                message = "this file is in the way of the emitted test, and knownbad did not write it"
                problems.append(Problem(message, relative(path, root), fix="move it"))
    if problems:
        raise BadInput(problems)


def doubtful(project: Project) -> list[Finding]:
    """What is doubtful in the catalogue by itself; empty where the project has none. Raises BadInput."""
    if not configured(project):
        return []
    from .catalogue.lints import lints
    from .catalogue.reading import catalogue_of

    catalogue = catalogue_of(project)
    return [] if catalogue is None else list(lints(catalogue))


def gated(base: Project, head: Project) -> list[Finding]:
    """Everything that is to be said of the errors of a change: what is wrong at head, and rows that changed alone.

    Raises BadInput for a catalogue of head that cannot be read. One of the base that cannot be read counts as none.
    """
    if not configured(head):
        return []
    from .catalogue.reading import read_catalogue
    from .catalogue.settings import settings
    from .codes.error_contracts import FILES
    from .twins.changes import Side, changes

    now = checked(head)
    found_settings = settings(head)
    if now is None or found_settings is None:
        return []
    before: Side | None = None
    try:
        base_settings = settings(base) if configured(base) else None
        before = None if base_settings is None else (base_settings, read_catalogue(base_settings))
    except BadInput:
        before = None
    found = [*changes(before, (found_settings, read_catalogue(found_settings))), *now.findings]
    told = {finding.file for finding in found}
    for one in planned(head):
        differing = [*one.changes.added, *one.changes.changed, *one.changes.stale]
        names = sorted({relative(path, head.root) for path in differing} - told, key=lambda n: (n.endswith(CORPUS), n))
        if names:
            more = f", nor are {len(names) - 1} more files of {one.tool}" if len(names) > 1 else ""
            message = f"is not what `knownbad generate` would write{more}"
            shown = tuple(f"  {name}" for name in names[1 : 1 + _SHOWN])
            found.append(Finding(FILES, message, names[0], subject="differs", detail=shown, fix="run it, and commit"))
    return list({finding.fingerprint: finding for finding in found}.values())


def checked(project: Project) -> Checked | None:
    """The verdicts of all error fixtures on disk; None where the project has no catalogue. Raises BadInput."""
    if not configured(project):
        return None
    from .twins.check import check
    from .twins.plan import room

    found = room(project)
    return None if found is None else check(found)
