"""JSON Lines, read one at a time: files of any length in little memory, and a place for everything that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import documents
from ..errors import BadInput, Problem

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

    @property
    def where(self) -> str:
        """The place, for a person."""
        return f"line {self.number}"


def lines(path: Path, holding: bytes = b"") -> Iterator[Line]:
    """Every line of a file that is not blank and holds these bytes. Raises BadInput where there is no such file."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise BadInput(Problem(f"cannot be read: {error.strerror or error}", str(path))) from None
    with stream:
        offset, number = 0, 0
        while True:
            raw = stream.readline(MAX_LINE)
            if not raw:
                return
            number += 1
            if raw.strip() and holding in raw:
                yield _line(raw, number, offset)
            offset += len(raw)


def objects(path: Path) -> Iterator[Line]:
    """The lines of a file, all of which must hold an object. Raises BadInput at the first that does not."""
    for line in lines(path):
        if line.value is None:
            raise BadInput(Problem(line.wrong, str(path), f"{line.number}:1", line.text or None))
        yield line


def _line(raw: bytes, number: int, offset: int) -> Line:
    ended = raw.endswith(b"\n")
    if len(raw) >= MAX_LINE and not ended:
        return Line(number, offset, None, f"is longer than {MAX_LINE} bytes", at=offset + len(raw))
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        at = offset + error.start
        return Line(number, offset, None, f"is not UTF-8 (byte {at})", cut=not ended, at=at)
    try:
        value = documents.parse(text, "line")
    except BadInput as bad:
        shown = text.strip()
        shown = shown if len(shown) < 60 else shown[:59] + "…"
        at = offset + len(raw.rstrip(b"\r\n"))
        return Line(number, offset, None, bad.problems[0].message, cut=not ended, at=at, text=shown)
    if not isinstance(value, dict):
        return Line(number, offset, None, "is no JSON object", at=offset, text=text.strip()[:60])
    return Line(number, offset, value, text=text)
