"""The reports of a mutation check by the name of their format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from ..errors import BadInput, Problem
from ..mutants import Checked

FORMATS = ("text", "json", "junit", "github", "sarif", "stryker", "html")
"""The names of the formats; `docs/mutation-reports.md` describes each."""

Read = Callable[[str], str | None]


def write(
    checked: Checked, format_: str, stream: TextIO, *, read: Read | None = None, summary: Path | None = None
) -> None:
    """Write one report.

    `read` gives the text of a fixture by its path relative to the root, None where there is none; the files are read
    unless given. `summary`: the file that `$GITHUB_STEP_SUMMARY` names; the format `github` appends its summary there.
    """
    if format_ == "text":
        from . import mutants_text

        mutants_text.write(checked, stream)
    elif format_ == "github":
        from . import github
        from .parts import append

        stream.write(github.text(checked))
        if summary is not None:
            append(summary, github.summary(checked))
    else:
        stream.write(_text(checked, format_, read or _reader(checked.root)))


def _text(checked: Checked, format_: str, read: Read) -> str:
    if format_ == "json":
        from . import mutants_json

        return mutants_json.text(checked)
    if format_ == "junit":
        from . import junit

        return junit.text(checked)
    if format_ == "sarif":
        from . import sarif

        return sarif.text(checked)
    if format_ == "stryker":
        from . import stryker

        return stryker.text(checked, read)
    if format_ == "html":
        from . import page

        return page.text(checked, read)
    raise BadInput(Problem("is no format of a report", value=format_, fix=f"one of {', '.join(FORMATS)}"))


def _reader(root: Path) -> Read:
    def read(path: str) -> str | None:
        try:
            return (root / path).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None

    return read
