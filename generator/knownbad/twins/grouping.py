"""Findings that have one cause told as one: a changed or removed row is told once, and not again by each twin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..codes.error_contracts import NOT_AS_DOCUMENTED, OTHER_ASSERTION, TOO_LOOSE, UNKNOWN_CLASS
from ..finding import Finding, Level
from .corpus import ErrorFile

Found = tuple[ErrorFile, Finding]
_REMOVES = "run `knownbad generate`, which removes them, or document the class"
_REMAKES = "run `knownbad generate`, which makes them anew"


def together(found: Iterable[Found]) -> Iterator[Finding]:
    """The findings of files, those of fixtures first; what `generate` made for one class or by one slip is one."""
    ordered = sorted(found, key=lambda one: not one[0].positive)
    changed = {file.case.name for file, finding in ordered if file.case and _tells(file, finding)}
    groups: dict[tuple[str, str], list[Found]] = {}
    for number, (file, finding) in enumerate(ordered):
        groups.setdefault(_key(file, finding, changed) or ("", str(number)), []).append((file, finding))
    for (kind, _), group in groups.items():
        yield _one(kind, group)


def _tells(file: ErrorFile, finding: Finding) -> bool:
    return file.positive and finding.code is NOT_AS_DOCUMENTED and finding.weight is Level.ERROR


def _key(file: ErrorFile, finding: Finding, changed: set[str]) -> tuple[str, str] | None:
    if file.case is not None and _tells(file, finding) and finding.location == "/response":
        return "row", f"{file.case.name} {'' if file.generated else file.path.name}"
    if not file.generated or finding.weight is not Level.ERROR:
        return None
    if finding.code is UNKNOWN_CLASS:
        return "class", file.claims
    if finding.code is TOO_LOOSE:
        return "slip", str((file.row or {}).get("fault"))
    if finding.code is OTHER_ASSERTION and file.case is not None:
        return ("row" if f"{file.case.name}" in changed else "twins"), f"{file.case.name} "
    return None


def _one(kind: str, group: Sequence[Found]) -> Finding:
    first, more = group[0][1], len(group) - 1
    if kind == "class":
        files = "1 generated file" if not more else f"{more + 1} generated files"
        fix = _REMOVES if more else _REMOVES.replace("them", "it")
        return replace(first, message=f"{first.message}, of which there {'are' if more else 'is'} {files}", fix=fix)
    if not more:
        return first
    if kind == "row":
        was = "known-bad twin was" if more == 1 else "known-bad twins were"
        return replace(first, message=f"{first.message}; {more} {was} made for the row as it was")
    if kind == "twins":
        return replace(
            first, message=f"{first.message} (and {more} twins of the class more)", fix=first.fix or _REMAKES
        )
    if kind == "slip":
        return replace(first, message=f"{first.message} (and {more} classes more)")
    return first
