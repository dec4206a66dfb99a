"""The table of faults in `docs/faults.md`, made by running the cases of `test_faults` (`make docs` writes it)."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from test_faults import NEGATIVES, corpus

PAGE = Path(__file__).resolve().parent.parent / "docs" / "faults.md"
_MARKS = re.compile(r"(<!-- faults: begin -->\n).*?(<!-- faults: end -->)", re.DOTALL)


def cell(value: object) -> str:
    """A JSON value as code in a table."""
    return "`" + json.dumps(value, ensure_ascii=False).replace("|", "\\|") + "`"


def table() -> str:
    """One row a fault: the schema, the fault's name, the instance, and whether `core` has it."""
    lines = ["| schema | dialect | fault | instance | in |", "|---|---|---|---|---|"]
    for _, dialect, schema, class_, _ in NEGATIVES:
        keyword = class_.rpartition(": ")[2].partition(".")[0]
        core = {f.class_ for f in corpus(schema, dialect).negatives}
        for fixture in corpus(schema, dialect, "all").negatives:
            if (fixture.fault or "").partition(".")[0] == keyword:
                kind = "core" if fixture.class_ in core else "all"
                name = f"`{fixture.class_}`".replace("|", "\\|")
                lines.append(f"| {cell(schema)} | {dialect.name} | {name} | {cell(fixture.instance)} | {kind} |")
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The page with the table as it is now."""
    return _MARKS.sub(lambda m: f"{m[1]}{table()}{m[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
