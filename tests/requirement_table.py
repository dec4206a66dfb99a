"""The table of requirements in docs/eval-suites.md, from the code. `make docs` writes it."""

from __future__ import annotations

from collections.abc import Iterator

from conftest import ROOT
from knownbad.suites.requirements import REQUIREMENTS, Requirement

PAGE = ROOT / "docs/eval-suites.md"
BEGIN, END = "<!-- requirements -->\n", "<!-- /requirements -->"
ELSEWHERE = {
    "schema": "`knownbad suite check`, `schemas/eval-suite.schema.json`",
    "unadvertised-refused": "`knownbad suite check`; with `--answer` in `conform`",
    "agent-receives-error": "`knownbad suite serve`; with `--calls` in `conform`",
    "never-retried-live": "`knownbad suite serve`; `conform` by an effect counter",
    "replay-rereads": "`serve --replay`; with `--replay-of` in `conform`",
    "live-flag-unaltered": "`serve --upstream`; in `conform` inapplicable, and said so",
    "untrusted-output": "nowhere: inapplicable, and said so",
}
"""Where a row is done beside the judge of a log."""


def lines() -> Iterator[str]:
    """The lines of the table."""
    yield "| check | requirement | section | asks | observable | done in | codes |"
    yield "|---|---|---|---|---|---|---|"
    for row in REQUIREMENTS:
        yield "| " + " | ".join(_cells(row)) + " |"


def _cells(row: Requirement) -> Iterator[str]:
    yield f"`{row.check}`"
    yield f"`{row.identifier}`"
    yield row.section
    yield f"**{row.force}**: {row.asks}"
    yield row.observable + (f" (seam-gated: {row.seam})" if row.seam else "")
    yield ELSEWHERE.get(row.check, "`conform`")
    yield ", ".join(f"[{rule.code}](rules/{rule.code}.md)" for rule in row.rules) or "none of its own"


def written(text: str) -> str:
    """The page with the table in its place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + "\n".join(lines()) + "\n\n" + END + after


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), encoding="utf-8", newline="\n")
