"""`gate --write`: the corpora of what changed anew, those of errors, and a fixture for each break that none shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..codes.compare import NARROWED
from ..config import Project
from ..error_fixtures import configured
from ..finding import Finding
from ..journal import commit, locked
from ..produce import Options, produce, tasks
from ..values import dump


def write(
    project: Project, changed: Sequence[str], unshown: Sequence[tuple[Finding, Finding]], options: Options
) -> bool:
    """Write what is missing, and say whether anything was. The fixtures count as a person's: no run takes them away."""
    files: dict[Path, bytes] = {}
    for _, broken in unshown:
        assert broken.contract is not None
        layout = project.layout(broken.contract)
        positive = broken.code is not NARROWED
        files[layout.folder(positive) / f"approved-{broken.fingerprint}.json"] = dump(broken.witness).encode()
    if files:
        with locked(project.root):
            commit(project.root, files, [])
    names = sorted({*changed, *(broken.contract for _, broken in unshown if broken.contract)})
    if not names and not configured(project):
        return False
    run = produce(project, tasks(project, names) if names else [], options, errors=True)
    return bool(files) or any(made.changes for made in run.made) or any(tool.changes for tool in run.errors)
