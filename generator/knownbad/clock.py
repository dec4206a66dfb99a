"""The last fence of a walk: a limit of wall-clock time that holds even inside a regular expression.

Budgets of steps are what decides; this is for what nobody foresaw. The alarm is a signal, which Python's `re` and its
bytecode look at. It works in the main thread of a POSIX process; elsewhere the limit is not set, and `armed` says so.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 30.0
"""How long the search for one fixture may take."""


class OutOfTime(BaseException):
    """The wall-clock limit was met. Not an `Exception`: what guards against crashes must not swallow it."""


def armed() -> bool:
    """Whether a limit can be set here."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def limit(seconds: float = SECONDS) -> Iterator[None]:
    """Raise OutOfTime in the block once it has run for so many seconds."""
    if not armed() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
