"""JSON Lines, read one at a time: files of any length in little memory, and a place for everything that is wrong."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import documents
from ..errors import NO_VALUE, BadInput, Problem

MAX_LINE = 16 * 1024 * 1024
"""The longest line that is read, in bytes: without an end, a line would take all memory."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, the byte that it begins at, and the object in it; or what is wrong with it.

    `cut`: it is the last one, has no end, and cannot be read, as when the writer was stopped. `at`: the byte at which
    reading failed.
    """

    number: int
    offset: int
    value: dict[str, Any] | None
    wrong: str = ""
    cut: bool = False
    at: int = 0
    text: str = ""
    spare: Mapping[str, Any] = field(default_factory=dict)
    """What can be told of a line that cannot be read: of which call it is, say."""

    @property
    def where(self) -> str:
        """The place, for a person."""
        return f"line {self.number}"


def document(path: Path) -> Any:
    """The value in a file of one JSON document. Raises BadInput."""
    try:
        return documents.read(path, str(path))
    except BadInput as bad:
        if bad.problems[0].message != "is empty":
            raise
        raise BadInput(Problem("is empty", str(path))) from None


@contextlib.contextmanager
def rereadable(path: Path) -> Iterator[Path]:
    """A file that can be read more than once: the file itself, or a copy of what a pipe gives. Raises BadInput."""
    if path.is_file() or not path.exists() or path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="knownbad-") as folder:
        copy = Path(folder) / "log.jsonl"
        try:
            with path.open("rb") as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target)
        except OSError as error:
            raise BadInput(Problem(f"cannot be read: {error.strerror or error}", str(path))) from None
        yield copy


def lines(path: Path, holding: bytes = b"", named: str | None = None) -> Iterator[Line]:
    """Every line of a file that is not blank and holds these bytes. Raises BadInput where there is no such file."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise BadInput(Problem("there is no such file", named or str(path))) from None
    except OSError as error:
        raise BadInput(Problem(f"cannot be read: {error.strerror or error}", named or str(path))) from None
    with stream:
        offset, number = 0, 0
        while True:
            raw = stream.readline(MAX_LINE)
            if not raw:
                return
            number += 1
            if raw.strip() and (holding in raw or _too_long(raw)):
                yield _line(raw, number, offset)
            offset += len(raw)
            rest = raw
            while _too_long(rest):  # up to the end of the line, which is one however long it is
                rest = stream.readline(MAX_LINE)
                offset += len(rest)


def objects(path: Path, named: str | None = None) -> Iterator[Line]:
    """The lines of a file, all of which must hold an object. Raises BadInput at the first that does not."""
    for line in lines(path, named=named):
        if line.value is None:
            found = line.text or NO_VALUE
            message = f"the file ends in the middle of a line, at byte {line.at}" if line.cut else line.wrong
            raise BadInput(Problem(message, named or str(path), f"{line.number}:1", found))
        yield line


def _too_long(raw: bytes) -> bool:
    return len(raw) >= MAX_LINE and not raw.endswith(b"\n")


def _spared(text: str) -> dict[str, Any]:
    """The object in a line that is not quite JSON, or else the names of its call as far as they can be found."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return dict(_NAMED.findall(text))
    return value if isinstance(value, dict) else {}


_NAMED = re.compile(r'"(type|callId|runId|taskId|tool)"\s*:\s*"([^"\\]*)"')


def _line(raw: bytes, number: int, offset: int) -> Line:
    ended = raw.endswith(b"\n")
    if _too_long(raw):
        return Line(number, offset, None, f"is longer than {MAX_LINE} bytes", at=offset + len(raw))
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        at = offset + error.start
        return Line(number, offset, None, "is not UTF-8", cut=not ended, at=at)
    try:
        value = documents.parse(text, "line")
    except BadInput as bad:
        shown = text.strip()
        shown = shown if len(shown) < 60 else shown[:59] + "…"
        at = offset + len(raw.rstrip(b"\r\n"))
        return Line(
            number, offset, None, bad.problems[0].message, cut=not ended, at=at, text=shown, spare=_spared(text)
        )
    if not isinstance(value, dict):
        return Line(number, offset, None, "is no JSON object", at=offset, text=text.strip()[:60])
    return Line(number, offset, value, text=text)
