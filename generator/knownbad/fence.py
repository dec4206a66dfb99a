"""The fence around the algebra: a limit of time and memory that holds even inside a native library call.

The algebra may run for minutes and lets nothing else run meanwhile, so it works in a process of its own that can be
killed. There is one such process, started with the first question and again after it had to be killed. It never
outlives the process that asks. Results must not depend on how fast a machine is, so `within_reach` turns away by
structure what is too large; the clock is for what nobody foresaw.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from . import algebra
from .algebra import Answer, Difference, Empty, Unknown
from .dialects import Dialect
from .keywords.places import subschemas
from .pointers import get
from .results import Store, key_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS = 20.0
"""How long one question may take."""
MEBIBYTES = 300
"""How much memory the process may use, above what it starts with."""
SUBSCHEMAS = 4000
"""How many subschemas a schema within reach has. No real schema of 450 had more than 800, nor took over six seconds."""
CASES = 200
"""How many ways there are to satisfy a schema within reach at one place: the algebra multiplies them out. Measured: 200
take about a second, 256 up to three or all the memory."""
_MARGIN = 5
"""Seconds after which a process that nobody killed in time (its parent is gone) ends by itself."""

_FUNCTIONS: dict[str, Callable[..., Answer]] = {
    "difference": algebra.difference,
    "equivalent": algebra.equivalent,
    "unsatisfiable": algebra.unsatisfiable,
}


class Fence:
    """One process for questions to the algebra. Not for several threads at once."""

    def __init__(self, seconds: float = SECONDS, mebibytes: int = MEBIBYTES) -> None:
        self.seconds = seconds
        self.mebibytes = mebibytes
        self._owner = 0
        self._child: _Child | None = None

    def call(self, function: str, *args: Any) -> Answer:
        """The answer of the algebra's function of this name; Unknown when a limit was met."""
        if self._owner != os.getpid():
            self._child = None  # a fork of ours: the process is not our child
        if self._child is not None and not self._child.alive():
            self.close()
        if self._child is None:
            self._owner = os.getpid()
            self._child = _start(self.seconds, self.mebibytes)
        connection = self._child.connection
        try:
            connection.send((function, args))
            if not connection.poll(self.seconds):
                self.close()
                return Unknown(f"took longer than {self.seconds:g} s")
            answer: Answer = connection.recv()
        except (EOFError, OSError):
            self.close()
            return Unknown(f"the algebra crashed or needed more than {self.mebibytes} MiB")
        except BaseException:
            self.close()  # the answer would be taken for that to the next question
            raise
        return answer

    def close(self) -> None:
        """End the process; the next question starts another one."""
        child, self._child = self._child, None
        if child is not None and self._owner == os.getpid():
            child.end()


_FENCE = Fence()


def call(function: str, *args: Any) -> Answer:
    """The answer of `algebra.<function>(*args)` within the limits; Unknown beyond them.

    What is beyond reach by its structure is not tried.
    """
    key = None if _MEMORY.store is None else _key(function, args)
    if key is not None and _MEMORY.store is not None:
        known = _MEMORY.store.get(key)
        if known is not None:
            return _answer(known)
    if _MEMORY.silent:
        return Unknown("was not asked")
    dialect = next(arg for arg in args if isinstance(arg, Dialect))
    for schema in args:
        if isinstance(schema, dict):
            reason = within_reach(schema, dialect)
            if reason is not None:
                return Unknown(reason)
    answer = _FENCE.call(function, *args)
    if key is not None and _MEMORY.store is not None and not isinstance(answer, Unknown):
        _MEMORY.store.put(key, _plain(answer))
    return answer


class _Memory:
    """Answers of earlier runs, and whether nothing but these is wanted."""

    store: Store | None = None
    silent = False


_MEMORY = _Memory()


def remember(store: Store | None) -> None:
    """Keep answers in a store from now on, and take them from there."""
    _MEMORY.store = store


@contextmanager
def silent() -> Iterator[None]:
    """In the block, only answers that are in the store are given."""
    before, _MEMORY.silent = _MEMORY.silent, True
    try:
        yield
    finally:
        _MEMORY.silent = before


def _key(function: str, args: tuple[Any, ...]) -> bytes:
    return key_of("algebra", function, [arg.name if isinstance(arg, Dialect) else arg for arg in args])


def _plain(answer: Empty | Difference) -> list[Any]:
    return ["empty", answer.proof] if isinstance(answer, Empty) else ["difference", answer.schema, answer.certain]


def _answer(known: list[Any]) -> Answer:
    return Empty(known[1]) if known[0] == "empty" else Difference(known[1], known[2])


def close() -> None:
    """End the process that answers `call`, if there is one."""
    _FENCE.close()


atexit.register(close)


# -- what is within reach


def cases(schema: Any, dialect: Dialect) -> int:
    """In how many ways a schema can be satisfied at its busiest place: what a question about it costs, roughly."""
    known = _Cases(schema, dialect)
    pending = [schema]
    most = 1
    while pending:
        sub = pending.pop()
        most = max(most, known.of(sub))
        pending.extend(child for _, child in subschemas(sub, dialect))
    return most


def within_reach(schema: Any, dialect: Dialect) -> str | None:
    """Why the algebra should not try this schema, by its structure alone; None when it should."""
    cases = _Cases(schema, dialect)
    pending = [schema]
    count = 0
    while pending:
        sub = pending.pop()
        count += 1
        if count > SUBSCHEMAS:
            return f"more than {SUBSCHEMAS} subschemas"
        if cases.of(sub) > CASES:
            return f"more than {CASES} combinations of branches at one place"
        pending.extend(child for _, child in subschemas(sub, dialect))
    return None


class _Cases:
    """In how many ways a subschema can be satisfied, counting branches and conditions but not what is below it."""

    def __init__(self, root: Any, dialect: Dialect) -> None:
        self._root = root
        self._dialect = dialect
        self._known: dict[int, int] = {}

    def of(self, sub: Any) -> int:
        if not isinstance(sub, dict):
            return 1
        if id(sub) not in self._known:
            self._known[id(sub)] = 1  # a reference that leads back adds no case
            self._known[id(sub)] = self._count(sub)
        return self._known[id(sub)]

    def _count(self, sub: dict[str, Any]) -> int:
        total = 1
        reference = sub.get("$ref")
        if isinstance(reference, str):
            with suppress(LookupError):
                total = self.of(get(self._root, unquote(reference.removeprefix("#"))))
            if self._dialect.ref_hides_siblings:
                return total
        for branch in _branches(sub, "allOf"):
            total *= self.of(branch)
        for keyword in ("anyOf", "oneOf"):
            branches = _branches(sub, keyword)
            if branches:
                total *= sum(map(self.of, branches))
        if "if" in sub:
            total *= self.of(sub.get("then")) + self.of(sub.get("else"))
        for keyword in ("dependencies", "dependentSchemas", "dependentRequired"):
            dependents = sub.get(keyword)
            if isinstance(dependents, dict):
                for dependent in dependents.values():
                    total *= 1 + self.of(dependent)
        return min(total, CASES + 1)


def _branches(sub: dict[str, Any], keyword: str) -> list[Any]:
    branches = sub.get(keyword)
    return branches if isinstance(branches, list) else []


# -- the process


class _Child:
    """A running process and the way to it."""

    def __init__(self, connection: Connection, pid: int, process: Any = None) -> None:
        self.connection = connection
        self._pid = pid
        self._process = process

    def alive(self) -> bool:
        if self._process is not None:
            return bool(self._process.is_alive())
        try:
            return os.waitpid(self._pid, os.WNOHANG) == (0, 0)
        except ChildProcessError:
            return False

    def end(self) -> None:
        self.connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            return
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _start(seconds: float, mebibytes: int) -> _Child:
    import multiprocessing

    ours, theirs = multiprocessing.Pipe()
    if not hasattr(os, "fork"):
        process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return _Child(ours, process.pid or 0, process)
    with warnings.catch_warnings():
        # The child never touches what other threads may have held while it was forked.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        theirs.close()
        return _Child(ours, pid)
    try:
        _settle(theirs.fileno(), mebibytes)
        _serve(theirs, seconds + _MARGIN)
    finally:
        os._exit(0)  # nothing that the parent has buffered is written a second time


def _settle(connection: int, mebibytes: int) -> None:
    """Make a fresh fork a good citizen: it dies with its parent, is silent, and holds nothing but its connection."""
    import resource

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends us
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    sys.stdout = sys.stderr = os.fdopen(null, "w")
    for number in [int(path.name) for path in Path("/dev/fd").iterdir()]:  # locks and pipes of the parent
        if number > 2 and number not in (connection, null):
            with suppress(OSError):
                os.close(number)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        limit = pages * resource.getpagesize() + mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _serve(connection: Connection, seconds: float | None = None) -> None:
    """Answer questions until the other end is closed. An alarm that nobody handles ends a call that hangs."""
    while True:
        try:
            function, args = connection.recv()
        except (EOFError, OSError):
            return
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            answer = _FUNCTIONS[function](*args)
        except MemoryError:
            answer = Unknown("the algebra needed too much memory")
        except Exception as error:  # noqa: BLE001  the parent must hear of it, whatever it is
            answer = Unknown(f"the algebra failed: {type(error).__name__}: {error}")
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            connection.send(answer)
        except (MemoryError, OSError):
            return
