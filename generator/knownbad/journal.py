"""Writing many files all or nothing, through a journal.

A kill at any moment leaves the old files or, after the next start of any command, the new ones. The protocol:

1. *Stage.* Each new text is written into `.knownbad-write/` in the root of what is written.
2. *Commit.* The plan (what moves where, what is removed, the digests before and after) is written beside them and then
   renamed to `commit.json`. Before that rename nothing has happened; after it, everything will.
3. *Apply.* Each staged file is renamed over its target, then what is stale is removed. Signals wait meanwhile.
4. *Clear.* The staging folder goes.

`recover` runs at the start of every command. Without `commit.json` it drops the staging folder; with it, it does
steps 3 and 4 again: a rename that was done is skipped. A target whose bytes are neither the old nor the new ones was
edited by a person since, and is left alone. A staged file that is not what the plan says (the machine lost its power
before it was on the disk) is not moved.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import BadInput, Problem
from .layout import relative

STAGING = ".knownbad-write"
_COMMIT = "commit.json"


def _nothing(step: str) -> None:
    """Called before each step; tests put something else here to die at that point."""


step: Callable[[str], None] = _nothing


def sha256(data: bytes) -> str:
    """The digest that rows and plans record."""
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def locked(root: Path) -> Iterator[None]:
    """Keep every other run out of `root` for as long as this lasts, and finish what a killed run had begun.

    The lock is on the folder itself, so that it leaves no file and a dead process holds none.
    """
    fresh = not root.exists()
    root.mkdir(parents=True, exist_ok=True)
    handle = os.open(root, os.O_RDONLY)
    try:
        if not _lock(handle):
            raise BadInput(Problem("another run of knownbad is writing here", str(root), fix="wait for it to end"))
        _recover(root)
        yield
    finally:
        os.close(handle)
        if fresh:  # a run that wrote nothing leaves no folder either
            with contextlib.suppress(OSError):
                root.rmdir()


def _lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # no lock of folders on this platform
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def recover(root: Path) -> None:
    """Finish or drop what a killed run left in `root`; nothing happens where there is nothing."""
    if (root / STAGING).exists():
        with locked(root):
            pass


def commit(root: Path, writes: Mapping[Path, bytes], removes: Iterable[Path]) -> None:
    """Write and remove all of these files, or none. Call it under `locked`."""
    gone = [path for path in removes if path.exists()]
    if not writes and not gone:
        return
    staging = root / STAGING
    try:
        _stage(root, staging, writes, gone)
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise BadInput(_unwritable(error)) from error
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    with _signals_wait():
        step("commit")
        os.replace(staging / "plan.json", staging / _COMMIT)
        _apply(root, staging)


def _unwritable(error: OSError) -> Problem:
    return Problem(f"cannot be written: {error.strerror or error}", str(error.filename or ""))


def _stage(root: Path, staging: Path, writes: Mapping[Path, bytes], gone: Iterable[Path]) -> None:
    step("stage")
    staging.mkdir()
    moves = []
    for number, (target, data) in enumerate(writes.items()):
        step("stage a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir() or not os.access(target.parent, os.W_OK):
            raise PermissionError(13, "a folder stands there, or the folder is read-only", str(target))
        (staging / str(number)).write_bytes(data)
        moves.append([str(number), relative(target, root), _digest_of(target), sha256(data)])
    step("plan")
    plan = {"moves": moves, "removes": [[relative(path, root), _digest_of(path)] for path in gone]}
    (staging / "plan.json").write_bytes(json.dumps(plan, indent=1).encode())


def _recover(root: Path) -> None:
    staging = root / STAGING
    if (staging / _COMMIT).exists():
        with _signals_wait():
            _apply(root, staging)
    elif staging.exists():
        shutil.rmtree(staging)


def _apply(root: Path, staging: Path) -> None:
    plan: dict[str, Any] = json.loads((staging / _COMMIT).read_bytes())
    for number, name, before, after in plan["moves"]:
        step("move")
        staged, target = staging / number, root / name
        if _digest_of(staged) == after and _digest_of(target) == before:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, target)
    for name, before in plan["removes"]:
        step("remove")
        if _digest_of(root / name) == before:
            (root / name).unlink(missing_ok=True)
    # The marker goes last: while it stands, whatever was left is done again.
    for entry in sorted(staging.iterdir()):
        step("clear")
        if entry.name != _COMMIT:
            entry.unlink()
    step("clear")
    (staging / _COMMIT).unlink()
    step("clear")
    staging.rmdir()


def _digest_of(path: Path) -> str | None:
    try:
        return sha256(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Hold back the signals that ask a process to end, for the moment that the moves take."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
