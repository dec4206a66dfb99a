"""The last release: a revision of git in a temporary worktree, asked in the same way as the current build."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput, Problem
from ..git import Repository
from .adapters import adapter
from .answer import Adapter
from .settings import IN_PROCESS, Settings
from .worker import Elsewhere


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline. `tree` is the project's root in the worktree of the revision, None where a command stands for it."""

    name: str
    tree: Path | None = None
    command: tuple[str, ...] = ()


@contextmanager
def worktree(root: Path, revision: str) -> Iterator[Baseline]:
    """The tree of a revision, for as long as this lasts. Raises BadInput where git does not have it."""
    repository = Repository.around(root)
    commit = repository.commit(revision)
    with tempfile.TemporaryDirectory(prefix="knownbad-") as folder:
        place = Path(folder) / "tree"
        git(repository, "worktree", "add", "--quiet", "--detach", str(place), commit)
        try:
            yield Baseline(revision, place / repository.inside(root))
        finally:
            with suppress(BadInput):
                git(repository, "worktree", "remove", "--force", str(place))


def git(repository: Repository, *arguments: str) -> str:
    """What git says. Raises BadInput where it refuses."""
    done = repository.ask(*arguments)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
        raise BadInput(Problem(f"git {arguments[0]}: {said}", str(repository.top)))
    return done.stdout.decode("utf-8", "replace").strip()


def _there(folder: Path, root: Path, tree: Path) -> Path:
    """A folder of the project in another tree of it; one that is elsewhere is the same for both."""
    return tree / folder.relative_to(root) if folder.is_relative_to(root) else folder


def adapter_of(
    settings: Settings, kind: str, tool: str, baseline: Baseline, environment: str | None = None
) -> Adapter | None:
    """The way to the baseline; None where there is none, such as an address that only the current build has."""
    if baseline.command:
        from .commands import Command

        return Command(baseline.command, settings.root, {}, settings.timeout, settings.largest)
    own = settings.adapter(kind, tool, environment=environment, baseline=True)
    overlaid = bool(settings.table.get("baseline", {}).get(kind))
    if kind == IN_PROCESS and baseline.tree is not None and "function" in own:
        function, envelope = own["function"].replace("{tool}", tool), own.get("envelope")
        folders = tuple(_there(folder, settings.root, baseline.tree) for folder in settings.path)
        return Elsewhere(
            function,
            None if envelope is None else envelope.replace("{tool}", tool),
            (baseline.tree, *folders),
            baseline.tree,
            float(own.get("timeout", settings.timeout)),
        )
    if not overlaid and (kind == "http" or "run" not in own):
        return None
    return adapter(settings, kind, tool, environment=environment, baseline=True, root=baseline.tree)
