"""What git knows: the repository around a folder, its revisions, and the files of one. Nothing is changed."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from .errors import BadInput, Problem

DATA = (".json", ".yaml", ".yml", ".toml", ".jsonl", ".ndjson")
"""The endings of files that we read."""
_LINK, _MODULE = "120000", "160000"
_LINKS = 8
"""How many symbolic links are followed, one after the other."""
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_STEPS = re.compile(r"[~^]|@\{")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a tree: its `path` from the top of the repository, its mode, and the name of its blob."""

    path: str
    mode: str
    blob: str


@dataclass(frozen=True)
class Repository:
    """A repository with a work tree. `top`: the work tree's folder; `settings`: the variables that git is given."""

    top: Path
    settings: Mapping[str, str] = field(repr=False)

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """The repository that a folder is in. Raises BadInput when there is none, or no git.

        As for git itself, `GIT_DIR` and its like win, but only where their work tree holds the folder: a hook exports
        them, and what it starts may look elsewhere.
        """
        folder = folder.resolve()
        failed = b""
        for settings in _settings():
            done = _run(["-C", str(folder), "rev-parse", "--show-toplevel"], settings)
            if done.returncode:
                failed = failed or done.stderr
                continue
            top = Path(os.fsdecode(done.stdout.removesuffix(b"\n"))).resolve()
            if folder.is_relative_to(top):
                return cls(top, settings)
        raise BadInput(_no_repository(folder, os.fsdecode(failed)))

    def ask(self, *arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        """What one git command answers."""
        return _run(["-C", str(self.top), *arguments], self.settings, given)

    @cached_property
    def shallow(self) -> bool:
        """Whether its history is cut off somewhere."""
        return self.ask("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    @cached_property
    def remotes(self) -> tuple[str, ...]:
        """The names of its remotes, `origin` first."""
        names = os.fsdecode(self.ask("remote").stdout).split()
        return tuple(sorted(names, key=lambda name: (name != "origin", name)))

    def commit(self, revision: str) -> str:
        """The name of the commit that a revision stands for. Raises BadInput with the `git fetch` that brings it."""
        if revision and not revision.startswith("-"):
            done = self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
            if not done.returncode:
                return done.stdout.decode().strip()
        raise BadInput(Problem(f"git knows no revision {revision!r}", str(self.top), fix=self._missing(revision)))

    def merge_base(self, revision: str, head: str = "HEAD") -> str:
        """Where the histories of two revisions part. Raises BadInput with the `git fetch` that helps."""
        one, other = self.commit(revision), self.commit(head)
        done = self.ask("merge-base", one, other)
        if not done.returncode:
            return done.stdout.decode().split()[0]
        message = f"git sees no commit that {revision} and {head} have in common"
        if self.shallow:
            message += ", since this clone is shallow"
            raise BadInput(Problem(message, str(self.top), fix=f"run: {self._deepen(revision)}"))
        raise BadInput(Problem(message, str(self.top), fix="name a revision that this branch was made from"))

    def inside(self, path: Path) -> str:
        """A path as git writes it: from the top, with forward slashes; empty for the top. Raises ValueError outside."""
        plain = Path(os.path.normpath(Path.cwd() / path))
        found = plain if plain.is_relative_to(self.top) else plain.parent.resolve() / plain.name
        text = found.relative_to(self.top).as_posix()
        return "" if text == "." else text

    def tree(self, revision: str) -> Tree:
        """The files of a revision. Raises BadInput when there is no such."""
        return Tree(self, self.commit(revision))

    def _remote(self, revision: str) -> tuple[str, str] | None:
        """The remote and the branch that a name such as `origin/main` or `main` speaks of."""
        name = re.sub(r"^(refs/)?(remotes/|heads/)?", "", _STEPS.split(revision)[0])
        for remote in sorted(self.remotes, key=len, reverse=True):
            if name.startswith(f"{remote}/") and len(name) > len(remote) + 1:
                return remote, name[len(remote) + 1 :]
        return None

    def _missing(self, revision: str) -> str:
        """What to run for a revision that is not there."""
        start = _STEPS.split(revision)[0]
        if not self.remotes:
            known = self._known()
            near = difflib.get_close_matches(start, known, 1)
            hint = f"{near[0]!r}?" if near else f"known: {', '.join(known[:8]) or 'nothing at all'}"
            return f"{hint} (there is no remote to fetch from)"
        more = " --unshallow" if self.shallow else ""
        if start in ("", "HEAD", "@") or start != revision and self._has(start):
            return f"run: git fetch --no-tags{more} {self.remotes[0]}"
        named = self._remote(revision)
        if named is not None:
            remote, branch = named
            return f"run: git fetch --no-tags{more} {remote} +refs/heads/{branch}:refs/remotes/{remote}/{branch}"
        if _SHA.fullmatch(start):
            return f"run: git fetch --no-tags{more} {self.remotes[0]} {start}"
        if start.startswith("refs/tags/"):
            return f"run: git fetch{more} {self.remotes[0]} +{start}:{start}"
        branch = start.removeprefix("refs/heads/")
        fetch = (
            f"git fetch --no-tags{more} {self.remotes[0]} +refs/heads/{branch}:refs/remotes/{self.remotes[0]}/{branch}"
        )
        return f"name {self.remotes[0]}/{branch}, after: {fetch}"

    def _deepen(self, revision: str) -> str:
        named = self._remote(revision)
        remote = named[0] if named else self.remotes[0] if self.remotes else "origin"
        refs = f" +refs/heads/{named[1]}:refs/remotes/{remote}/{named[1]}" if named else ""
        return f"git fetch --no-tags --unshallow {remote}{refs}"

    def _has(self, revision: str) -> bool:
        return not self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").returncode

    def _known(self) -> list[str]:
        done = self.ask("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
        return os.fsdecode(done.stdout).split("\n")[:-1]


@dataclass(frozen=True)
class Tree:
    """The files of one commit; the name of the commit is whole."""

    repository: Repository
    commit: str

    def entries(self, below: str = "") -> list[Entry]:
        """The files at or below a path of the tree (from the top), sorted; a submodule is one entry."""
        done = self.repository.ask("ls-tree", "-r", "-z", "--full-tree", self.commit, *(["--", below] if below else []))
        if done.returncode:
            raise BadInput(Problem("git cannot list the files of a revision", self.commit, value=_said(done)))
        found = []
        for line in done.stdout.split(b"\0")[:-1]:
            head, _, path = line.partition(b"\t")
            mode, _, blob = head.decode().split(" ")
            found.append(Entry(os.fsdecode(path), mode, blob))
        return found

    def read(self, path: str) -> bytes | None:
        """The bytes of a file by its path from the top; None where the revision has none."""
        for _ in range(_LINKS):
            if path.startswith(("../", "/")) or path == "..":
                return None
            found = [entry for entry in self.entries(path) if entry.path == path and entry.mode != _MODULE]
            if not found:
                return self._in_module(path)
            text = self._bytes(found)[found[0].blob]
            if found[0].mode != _LINK:
                return text
            path = os.path.normpath(PurePosixPath(path).parent / os.fsdecode(text)).replace(os.sep, "/")
        return None

    def write(self, into: Path, below: Iterable[str] = ("",), wanted: Callable[[str], bool] | None = None) -> None:
        """Write files of the tree into an empty folder, laid out as from the top: by default those that hold data."""
        wanted = wanted or _is_data
        entries = {entry.path: entry for start in below for entry in self.entries(start)}
        modules = [entry for entry in entries.values() if entry.mode == _MODULE]
        links = [entry for entry in entries.values() if entry.mode == _LINK]
        files = [e for e in entries.values() if e.mode not in (_MODULE, _LINK) and wanted(e.path)]
        texts = self._bytes([*files, *links])
        for folder in {(into / entry.path).parent for entry in entries.values()}:
            folder.mkdir(parents=True, exist_ok=True)  # a config may name a folder that holds nothing for us
        for entry in files:
            (into / entry.path).write_bytes(texts[entry.blob])
        for entry in links:
            _link(into, entry.path, os.fsdecode(texts[entry.blob]))
        for entry in modules:
            tree = self._module(entry)
            if tree is not None:
                tree.write(into / entry.path, wanted=wanted)

    @contextlib.contextmanager
    def written(self, below: Iterable[str] = ("",), wanted: Callable[[str], bool] | None = None) -> Iterator[Path]:
        """A temporary folder that holds what `write` writes."""
        with tempfile.TemporaryDirectory(prefix="knownbad-") as folder:
            root = Path(folder).resolve()
            self.write(root, below, wanted)
            yield root

    def _bytes(self, entries: list[Entry]) -> dict[str, bytes]:
        """The contents of blobs by their names, asked for all at once."""
        names = list(dict.fromkeys(entry.blob for entry in entries))
        if not names:
            return {}
        done = self.repository.ask("cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
        found: dict[str, bytes] = {}
        at, data = 0, done.stdout
        for name in names:
            end = data.find(b"\n", at)
            head = data[at:end].split(b" ") if end >= 0 else []
            if len(head) != 3:
                fix = f"run: git fetch --refetch {self.repository.remotes[0]}" if self.repository.remotes else None
                raise BadInput(
                    Problem("git has not the contents of a file of the revision", self.commit, name, fix=fix)
                )
            size = int(head[2])
            found[name] = data[end + 1 : end + 1 + size]
            at = end + 2 + size
        return found

    def _module(self, entry: Entry) -> Tree | None:
        """The tree of a submodule as this commit has it; None where the submodule is not checked out."""
        folder = self.repository.top / entry.path
        if not (folder / ".git").exists():
            return None
        module = Repository.around(folder)
        if module.top != folder.resolve():
            return None
        if not module._has(entry.blob):
            fix = f"run: git -C {entry.path} fetch {' '.join((*module.remotes[:1], entry.blob))}"
            raise BadInput(Problem(f"the submodule has no commit {entry.blob}", entry.path, fix=fix))
        return Tree(module, entry.blob)

    def _around(self, path: str) -> tuple[Entry, Tree] | None:
        """The submodule that a path is in, and its tree."""
        for parent in PurePosixPath(path).parents:
            if str(parent) == ".":
                return None
            done = self.repository.ask("ls-tree", "-z", "--full-tree", self.commit, "--", str(parent))
            head, _, name = done.stdout.removesuffix(b"\0").partition(b"\t")
            if head.startswith(_MODULE.encode()):
                entry = Entry(os.fsdecode(name), _MODULE, head.decode().split(" ")[2])
                tree = self._module(entry)
                return None if tree is None else (entry, tree)
            if head:
                return None
        return None

    def _in_module(self, path: str) -> bytes | None:
        found = self._around(path)
        return None if found is None else found[1].read(path[len(found[0].path) + 1 :])


def _is_data(path: str) -> bool:
    return path.lower().endswith(DATA)


def _link(into: Path, name: str, target: str) -> None:
    """Make a symbolic link of the tree, unless it leads out of it."""
    place = into / name
    aim = Path(os.path.normpath(place.parent / target))
    if Path(target).is_absolute() or not aim.is_relative_to(into) or aim == place:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # where links are not allowed, the file is as missing
        place.symlink_to(target)


def _settings() -> Iterator[dict[str, str]]:
    """The variables that git is given: first with those of a caller's repository, then without."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _HARMLESS}
    plain |= {"LC_ALL": "C.UTF-8", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1"}
    here = Path.cwd()
    own = {name: str(here / os.environ[name]) for name in ("GIT_DIR", "GIT_WORK_TREE") if os.environ.get(name)}
    if own:
        # Without a work tree of its own, a named repository has the folder that git is started in.
        own.setdefault("GIT_WORK_TREE", str(here))
        for name in ("GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE"):
            if os.environ.get(name):
                own[name] = os.environ[name]
        yield plain | own
    yield plain


_HARMLESS = frozenset(
    ("GIT_EXEC_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
     "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")
)  # fmt: skip


def _run(
    arguments: list[str], settings: Mapping[str, str], given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    command, environment = ["git", *arguments], dict(settings)
    try:
        if given is None:
            return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=environment)
        return subprocess.run(command, input=given, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise BadInput(Problem("this needs git, which is not installed")) from None


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode("utf-8", "replace").strip()


def _no_repository(folder: Path, said: str) -> Problem:
    if "dubious ownership" in said:
        fix = f"run: git config --global --add safe.directory {folder}"
        return Problem("git does not trust this repository: another user owns it", str(folder), fix=fix)
    return Problem("this needs a git repository", str(folder), fix="run it in a clone with history")
