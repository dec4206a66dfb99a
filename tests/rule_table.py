"""The table of rules in `docs/lint.md`, made of the codes (`make docs` writes it)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from knownbad import codes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lint.md"
_MARKS = re.compile(r"(<!-- rules: begin -->\n).*?(<!-- rules: end -->)", re.DOTALL)


def table() -> str:
    """One row a code of lint."""
    lines = ["| code | name | finds | level |", "|---|---|---|---|"]
    for code in codes.every().values():
        if code.code.startswith("KB1"):
            lines.append(f"| [{code.code}](rules/{code.code}.md) | `{code.name}` | {code.summary} | {code.level} |")
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The page with the table as it is now."""
    return _MARKS.sub(lambda m: f"{m[1]}{table()}{m[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
