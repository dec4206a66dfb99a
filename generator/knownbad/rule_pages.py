"""The pages of the codes, `docs/rules/KBnnn.md`: in the wheel beside the code, in a checkout where they are written."""

from __future__ import annotations

from pathlib import Path

_PLACES = (Path(__file__).parent / "rule_pages", Path(__file__).parents[2] / "docs" / "rules")


def page(code: str) -> str | None:
    """The text of a code's page; None where there is none."""
    for folder in _PLACES:
        path = folder / f"{code}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None
