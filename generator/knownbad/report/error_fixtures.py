"""Error fixtures in the reports of `generate` and `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ..errors import NO_VALUE
from ..finding import Finding
from ..layout import relative

if TYPE_CHECKING:
    from ..twins.check import Checked
    from ..twins.plan import Planned

HEAD = ("tool", "fixtures", "twins", "added", "changed", "removed")


def rows(planned: Sequence[Planned]) -> list[tuple[str, ...]]:
    """The table: a row a tool."""
    found: list[tuple[str, ...]] = []
    for one in planned:
        counts = (one.fixtures, one.twins, *map(len, (one.changes.added, one.changes.changed, one.changes.stale)))
        found.append((one.tool, *map(str, counts)))
    return found


def findings(found: Sequence[Finding], stream: TextIO) -> None:
    """What is wrong, each with the lines that show it and the likely way out."""
    for finding in found:
        print(f"{finding.weight.value}: {text(finding)}", file=stream)


def text(finding: Finding) -> str:
    """A finding as text: its code, where, what, the lines that show it, and the likely way out."""
    where = ": ".join(part for part in (finding.file, finding.location) if part)
    lines = [f"{finding.code.code} {where}: {finding.message}", *finding.detail]
    if finding.fix:
        lines.append(f"  fix: {finding.fix}")
    return "\n".join(lines)


def of_run(planned: Sequence[Planned], root: Path) -> list[dict[str, Any]]:
    """The error fixtures of a `generate` run for machines."""

    def paths(found: tuple[Path, ...]) -> list[str]:
        return [relative(path, root) for path in found]

    return [
        {
            "tool": one.tool,
            "fixtures": one.fixtures,
            "twins": one.twins,
            "files": {
                "added": paths(one.changes.added),
                "changed": paths(one.changes.changed),
                "removed": paths(one.changes.stale),
                "unchanged": paths(one.changes.unchanged),
            },
            "findings": [entry(finding) for finding in one.findings],
        }
        for one in planned
    ]


def of_verified(checked: Checked | None) -> dict[str, Any] | None:
    """The error fixtures of a `verify` run for machines; None where the project has none."""
    if checked is None:
        return None
    return {
        "tools": checked.tools,
        "fixtures": checked.fixtures,
        "twins": checked.twins,
        "findings": [entry(finding) for finding in checked.findings],
    }


def entry(finding: Finding) -> dict[str, Any]:
    """One finding for machines."""
    return {
        "code": finding.code.code,
        "name": finding.code.name,
        "level": finding.weight.value,
        "message": finding.message,
        "file": finding.file,
        "location": finding.location,
        "witness": None if finding.witness is NO_VALUE else finding.witness,
        "detail": list(finding.detail),
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }
