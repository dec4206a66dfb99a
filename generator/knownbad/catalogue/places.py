"""Where the fixtures of error classes stand: folders by tool, names by case. The same case has the same name always."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..layout import CORPUS, identifier, slug
from .model import Case
from .settings import Settings

KEYS = {True: "with-idempotency-key", False: "without-idempotency-key"}
_LONGEST = 56
"""Characters of a class in a file's name; the name of a twin has to find room, too."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The two folders of one tool."""

    tool: str
    fixtures: Path
    negative: Path

    def folder(self, positive: bool) -> Path:
        return self.fixtures if positive else self.negative


def folders(settings: Settings, tool: str) -> Folders:
    """The folders of a tool."""
    return Folders(tool, _folder(settings, settings.fixtures, tool), _folder(settings, settings.negative, tool))


def _folder(settings: Settings, pattern: str, tool: str) -> Path:
    return settings.root / pattern.rpartition("/")[0].replace("{tool}", safe(tool))


def emitted(tests: Path, tool: str) -> Path:
    """The emitted test of a tool."""
    return tests / f"test_errors_{identifier(safe(tool))}.py"


def known_folders(settings: Settings) -> Iterator[tuple[bool, Path]]:
    """Every folder on disk that the patterns stand for and that has a `corpus.json`, of known tools and of others."""
    for positive, pattern in ((True, settings.fixtures), (False, settings.negative)):
        for path in sorted(settings.root.glob(pattern.rpartition("/")[0].replace("{tool}", "*"))):
            if (path / CORPUS).is_file():
                yield positive, path


def stems(cases: Iterable[Case]) -> dict[str, str]:
    """By the name of each case, that of its file without `.json`. No two are the same, even where case counts not."""
    found: dict[str, str] = {}
    taken: dict[str, str] = {Path(CORPUS).stem: ""}
    for case in cases:
        key = None if case.with_key is None else KEYS[case.with_key]
        stem = ".".join(p for p in (safe(case.class_), case.service, case.environment, key) if p is not None)
        if taken.setdefault(stem.lower(), case.name) != case.name:
            stem += "-" + _tag(case.name)
            taken[stem.lower()] = case.name
        found[case.name] = stem
    return found


def safe(name: str) -> str:
    """A name as part of a path; one that had to be changed gets a tag that tells it from its likes."""
    text = slug(name)
    if text == name and len(name) <= _LONGEST:
        return name
    return f"{text[:_LONGEST].rstrip('-._')}-{_tag(name)}"


def _tag(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def readable(name: str) -> str:
    """A class as a sentence: `PAYMENT_DECLINED` says "Payment declined"; a URI by its last step."""
    if "://" in name:
        name = re.split(r"[?#]", name.partition("://")[2])[0].rstrip("/").rpartition("/")[2] or name
    words = re.sub(r"[\s_./:-]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip().lower()
    return words[:1].upper() + words[1:] or name
