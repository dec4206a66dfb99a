"""Servers of the reference tool, started for tests and ended with everything they started."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knownbad.replay import processes

TESTS = Path(__file__).resolve().parent
TOOL = {"PYTHONPATH": str(TESTS)}
DECLINED: dict[str, Any] = {"tool": "charge_card", "args": {"amount": 42, "currency": "USD"}}


def command(module: str, *arguments: str) -> tuple[str, ...]:
    """The command line of a module of the reference tool."""
    return (sys.executable, "-m", f"example_tool.{module}", *arguments)


@contextmanager
def served(module: str, *arguments: str, **variables: str) -> Iterator[str]:
    """A server of the reference tool; its address."""
    process = subprocess.Popen(
        command(module, *arguments),
        stdout=subprocess.PIPE,
        env={**os.environ, **TOOL, **variables},
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
    finally:
        processes.end(process)


def left(pids: Path) -> list[int]:
    """The processes named in a file that still run a moment later: an ended one takes a little to be gone."""
    named = [int(pid) for pid in pids.read_text(encoding="utf-8").split()] if pids.exists() else []
    for _ in range(50):
        named = [pid for pid in named if _alive(pid)]
        if named:
            time.sleep(0.02)
    return named


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
