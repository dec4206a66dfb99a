"""Findings for GitHub Actions: annotations on the lines that they are about, and a summary of the step."""

from __future__ import annotations

import html
from collections.abc import Iterator

from ..errors import Exit, shorten
from ..finding import WORST_FIRST, Finding, Findings, Level
from . import shown
from .parts import SUMMARY_BYTES, capped, code, command, escaped, fenced, folded, marked, table
from .spots import Spots, has_witness, title, verdict, worth_a_row

_WITNESS = 30
"""Lines of a witness."""
_DETAIL = 12
"""Lines of detail of an annotation."""
_UNFOLDED = 4
"""Lines of detail that a summary shows; more are folded."""
_TITLE = 90
"""Characters of a document that stand on the line that unfolds it."""
_KINDS = {Level.ERROR: "error", Level.UNDECIDED: "warning", Level.WARNING: "warning", Level.NOTE: "notice"}
_HEADS = {Level.ERROR: "❌", Level.UNDECIDED: "❔", Level.WARNING: "⚠️", Level.NOTE: "ℹ️"}


def text(result: Findings) -> str:
    """Workflow commands, the worst first, since GitHub shows only ten of each kind a step."""
    return "".join(f"{line}\n" for line in _commands(result))


def _commands(result: Findings) -> Iterator[str]:
    spots = Spots(result)
    for level in WORST_FIRST:
        for _, findings in result.grouped():
            for finding in (f for f in findings if f.weight is level):
                line = spots.line(finding)
                path = spots.path(finding)
                place = {} if path is None else {"file": path}
                place |= {"line": str(line)} if line else {}
                yield command(_KINDS[level], _message(finding), **place, title=_title(finding))
    kind = {Exit.GOOD: "notice", Exit.UNDECIDED: "warning"}.get(result.exit, "error")
    yield command(kind, verdict(result), title=f"knownbad {result.command}")


def _title(finding: Finding) -> str:
    return title(finding) + (f" ({finding.contract})" if finding.contract else "")


def _message(finding: Finding) -> str:
    lines = [finding.message]
    if has_witness(finding):
        lines += shown.instance(finding.witness, _WITNESS)
    lines += finding.detail[:_DETAIL]
    if len(finding.detail) > _DETAIL:
        lines.append(f"and {len(finding.detail) - _DETAIL} more")
    if finding.fix:
        lines.append(f"fix: {finding.fix}")
    return "\n".join(lines)


def summary(result: Findings) -> str:
    """Markdown to append to the file that `$GITHUB_STEP_SUMMARY` names."""
    good = result.exit is Exit.GOOD
    parts = [f"## {'✅' if good else '❌'} knownbad {escaped(result.command)}\n\n{escaped(verdict(result))}\n\n"]
    rows = worth_a_row(result)
    columns = [n for n, level in enumerate(WORST_FIRST) if result.count(level)]
    if rows:
        head = ("contract", "is", *(WORST_FIRST[n].value for n in columns))
        cells = [[escaped(name), escaped(word), *(str(numbers[n]) for n in columns)] for name, word, numbers in rows]
        parts += [*table(head, cells, words=2), "\n"]
    parts += [f"- {marked(note)}\n" for note in result.notes]
    return capped(parts, _entries(result), SUMMARY_BYTES)


def _entries(result: Findings) -> Iterator[str]:
    spots = Spots(result)
    for contract, findings in result.grouped():
        if contract is not None:
            yield f"\n### {escaped(contract)}\n"
        small = [f for f in findings if f.weight is Level.NOTE]
        yield from (_entry(f, spots) for f in findings if f.weight is not Level.NOTE)
        if small:
            body = "".join(_entry(finding, spots) for finding in small)
            yield "\n" + folded(f"{len(small)} note{'' if len(small) == 1 else 's'}", body)


def _entry(finding: Finding, spots: Spots) -> str:
    where = f" {code(spots.where(finding))}" if finding.file else ""
    text = f"\n{_HEADS[finding.weight]} **{title(finding)}**{where}"
    text += f" {code(finding.location)}" if finding.location else ""
    text += f"\n\n{marked(finding.message)}\n"
    if has_witness(finding):
        title_ = html.escape(shown.one_line(shorten(finding.witness, _TITLE)), quote=False)
        text += "\n" + folded(f"<code>{title_}</code>", fenced("json", shown.instance(finding.witness, _WITNESS)))
    if finding.detail:
        listed = "".join(f"- {marked(line)}\n" for line in finding.detail)
        text += "\n" + (listed if len(finding.detail) <= _UNFOLDED else folded(f"{len(finding.detail)} lines", listed))
    if finding.fix:
        way, *lines = finding.fix.split("\n")
        text += f"\nFix: {marked(way)}\n" + (f"\n{fenced('toml', lines)}" if lines else "")
    return text
