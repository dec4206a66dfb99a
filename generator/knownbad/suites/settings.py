"""`[suites]` of the config: what the commands take where an option is left out."""

from __future__ import annotations

from pathlib import Path

from ..config import Project
from ..errors import BadInput, Problem
from ..keys import Keys, check_keys
from ..pointers import join

KEYS: Keys = {"capabilities": (str, "a file: what the host says of itself")}


def capabilities_file(project: Project) -> Path | None:
    """The capabilities of the project's host; None where the config names none. Raises BadInput."""
    table = project.sections.get("suites", {})
    where, source = join(project.pointer, "suites"), str(project.source)
    problems = list(check_keys(table, KEYS, source, where))
    if not problems and "capabilities" in table and not (project.root / table["capabilities"]).is_file():
        problems.append(Problem("there is no such file", source, join(where, "capabilities"), table["capabilities"]))
    if problems:
        raise BadInput(problems)
    return project.root / table["capabilities"] if "capabilities" in table else None
