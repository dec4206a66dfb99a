"""The reports of findings by the name of their format; every command that has findings uses them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from ..errors import BadInput, Problem
from ..finding import Findings

FORMATS = ("text", "json", "junit", "github", "sarif", "gitlab")
"""The names of the formats; `docs/finding-reports.md` describes each."""


def write(result: Findings, format_: str, stream: TextIO, *, summary: Path | None = None) -> None:
    """Write one report. `github` appends its summary to `summary`, the file that `$GITHUB_STEP_SUMMARY` names."""
    if format_ == "text":
        from . import findings_text

        findings_text.write(result, stream)
        return
    stream.write(_text(result, format_))
    if format_ == "github" and summary is not None:
        from . import findings_github
        from .parts import append

        append(summary, findings_github.summary(result))


def _text(result: Findings, format_: str) -> str:
    if format_ == "json":
        from . import findings_json

        return findings_json.text(result)
    if format_ == "github":
        from . import findings_github

        return findings_github.text(result)
    if format_ == "junit":
        from . import findings_junit

        return findings_junit.text(result)
    if format_ == "sarif":
        from . import findings_sarif

        return findings_sarif.text(result)
    if format_ == "gitlab":
        from . import findings_gitlab

        return findings_gitlab.text(result)
    raise BadInput(Problem("is no format of a report", value=format_, fix=f"one of {', '.join(FORMATS)}"))


def parse(text: str) -> tuple[str, Path]:
    """`sarif=out.sarif` as a format and a file. Raises BadInput."""
    name, _, file = text.partition("=")
    if name not in FORMATS or not file:
        fix = f"FORMAT=FILE with one of {', '.join(FORMATS)}"
        raise BadInput(Problem("names no report", value=text, fix=fix))
    return name, Path(file)


def tell(result: Findings, format_: str, extra: Sequence[tuple[str, Path]], stream: TextIO) -> None:
    """Write a report to `stream` and more of them to files; the summary of a step is written once at most."""
    import io

    result = replace(result, prefix=result.prefix or _prefix(result.root))
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    summary = Path(named) if named else None
    for name, file in extra:
        text = io.StringIO()
        write(result, name, text, summary=None if format_ == "github" else summary)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.getvalue(), encoding="utf-8", newline="\n")
        summary = None if name == "github" else summary
    write(result, format_, stream, summary=summary)
    stream.flush()


def _prefix(root: Path) -> str:
    """Where the root stands in what a CI system has checked out; empty elsewhere."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        top = Path(os.environ.get(name) or root).resolve()
        if root != top and root.resolve().is_relative_to(top) and top != Path(top.anchor):
            inside = root.resolve().relative_to(top).as_posix()
            return "" if inside == "." else f"{inside}/"
    return ""
