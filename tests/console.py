"""The examples in README and docs: files that a page shows, and commands with the output that it promises.

A fenced block with a title (```json title="a.json"```) is a file; a ```console``` block holds commands after `$ ` and
what they print. A page's blocks share one folder and run in order. `python tests/console.py PAGE ...` writes the real
output into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
RUNNABLE = ("knownbad", "python", "pytest", "ls", "cat")
LIMIT_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; `start` and `end` are where its body stands in the page."""

    language: str
    title: str | None
    body: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """A command and the output that the page shows."""

    command: str
    shown: str


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for match in FENCE.finditer(text):
        yield Block(match["language"], match["title"], match["body"], match.start("body"), match.end("body"))


def examples(body: str) -> Iterator[Example]:
    """The commands of a console block."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield Example(command, shown)


_ELSEWHERE = ("PYTEST_", "KNOWNBAD_", "COV_", "CI", "BUILD_NUMBER", "GITHUB_")
"""Variables of the place where the tests run: pytest prints whole messages where it sees that it is in CI."""


def run(command: str, folder: Path) -> str:
    """What a command prints, both streams, with an `exit N` line when N is not 0; times and versions are smoothed."""
    program, *arguments = shlex.split(command)
    if program not in RUNNABLE:
        raise ValueError(f"an example may call {', '.join(RUNNABLE)}: {command}")
    if program in ("knownbad", "pytest"):
        program, arguments = sys.executable, ["-m", program, *arguments]
    elif program == "python":
        program = sys.executable
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(_ELSEWHERE)},
        "COLUMNS": "120",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
    }
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    printed = re.sub(r" in \d+\.\d+s\b", " in 0.10s", done.stdout)
    if printed and not printed.endswith("\n"):
        printed += "\n"
    return printed + (f"exit {done.returncode}\n" if done.returncode else "")


def replay(text: str, folder: Path) -> Iterator[tuple[Block, list[tuple[Example, str]]]]:
    """Write a page's files, run its commands, and give each console block with what was really printed."""
    for block in blocks(text):
        if block.title:
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
        elif block.language == "console":
            yield block, [(example, run(example.command, folder)) for example in examples(block.body)]


def rewritten(text: str) -> str:
    """The page with the real output in its console blocks."""
    parts, at = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for block, results in replay(text, Path(folder)):
            parts += [text[at : block.start], *(f"$ {example.command}\n{printed}" for example, printed in results)]
            at = block.end
    return "".join([*parts, text[at:]])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
