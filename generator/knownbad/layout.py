"""Where the files of one contract stand: two folders of fixtures and one emitted test."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

RESERVED = ("errors", "eval-suites")
"""Folders beside those of the contracts that hold wrapped fixtures; no contract may be called so."""

CORPUS = "corpus.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z")


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one contract. Paths that are stored (`schema` in `corpus.json`) are relative to `root`."""

    root: Path
    fixtures: Path
    negative: Path
    test: Path

    @property
    def schema_stem(self) -> Path:
        """Copies of translated schemas stand here, `.schema.json` appended."""
        return self.test.with_suffix("")

    def folder(self, positive: bool) -> Path:
        """The folder of the positive or the negative fixtures."""
        return self.fixtures if positive else self.negative


def in_out(out: Path, name: str) -> Layout:
    """`--out`: one contract in a folder of its own, so there is no level for its name."""
    return Layout(out, out / "fixtures", out / "negative", out / f"test_{identifier(name)}.py")


def relative(path: Path, start: Path) -> str:
    """`path` seen from `start`, with forward slashes."""
    return Path(os.path.relpath(path, start)).as_posix()


def identifier(name: str) -> str:
    """`name` as part of a Python module's name."""
    return re.sub(r"\W+", "_", name, flags=re.ASCII).lower()


def slug(name: str) -> str:
    """`name` made safe as the name of a folder: ASCII letters, digits, dot, dash and underscore."""
    text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    text = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:80].rstrip("-._")
    return text or "contract"


def name_fault(name: str) -> str | None:
    """What is wrong with a contract's name; None when it is safe."""
    if name.lower() in RESERVED:
        return f"{name!r} is reserved for wrapped fixtures"
    if not _NAME.match(name) or name.endswith("."):
        return "a contract's name is at most 80 ASCII letters, digits, '.', '-' and '_', and becomes a folder"
    return None
