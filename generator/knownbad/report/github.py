"""A mutation check for GitHub Actions: annotations on the lines of the schema, and a summary of the step."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import Exit
from ..mutants import SURVIVED, UNDECIDED, Checked, Mutant, worst_first
from . import shown
from .edits import diff
from .sources import Sources, dead

_WITNESS = 30
"""Lines of a witness in an annotation."""
SUMMARY_BYTES = 900_000
"""GitHub drops a summary of more than 1 MiB a step, so entries that come after this much are only counted."""


def text(checked: Checked) -> str:
    """Workflow commands: an error for each survivor, a warning for what is undecided, a notice for dead keywords.

    The worst come first, since GitHub shows only ten of each kind a step.
    """
    return "".join(f"{line}\n" for line in _commands(checked))


def _commands(checked: Checked) -> Iterator[str]:
    for check in checked.checks:
        for name, reason in map(shown.wrong, check.wrong):
            message = f"{check.contract}: {name}: {reason}, so no score was computed"
            yield _command("error", message, file=name, title="wrong fixture")
    for state, kind in ((SURVIVED, "error"), (UNDECIDED, "warning"), (None, "notice")):
        for sources, mutant in _worst(checked):
            if mutant.state == state or state is None and dead(mutant):
                line = sources.line(mutant)
                place = {"file": sources.of(mutant).file, **({"line": str(line)} if line else {})}
                title = f"{mutant.operator} changes nothing" if state is None else f"{mutant.operator} {state}"
                yield _command(kind, _message(mutant), **place, title=title)
    kind = {Exit.GOOD: "notice", Exit.UNDECIDED: "warning"}.get(checked.exit, "error")
    yield _command(kind, shown.verdict(checked.exit, checked.score, checked.fail_under), title="knownbad mutate")


def _worst(checked: Checked) -> Iterator[tuple[Sources, Mutant]]:
    for check in checked.checks:
        sources = Sources(check, checked.root)
        for _, mutants in worst_first(check.mutants):
            yield from ((sources, mutant) for mutant in mutants)


def _message(mutant: Mutant) -> str:
    if dead(mutant):
        return f"{mutant.identity}\n{shown.finding(mutant)}"
    first = (
        f"missing: {shown.needed(mutant)}"
        if mutant.state == SURVIVED
        else f"undecided: {mutant.reason or 'no reason given'}"
    )
    lines = [mutant.identity, first, *diff(mutant.before, mutant.after)]
    if shown.has_witness(mutant):
        lines += [f"{shown.verdicts(mutant)}:", *shown.instance(mutant.witness, _WITNESS)]
    return "\n".join(lines)


def _said(mutant: Mutant) -> str:
    if mutant.state == SURVIVED:
        return f"missing: {shown.needed(mutant)}"
    return f"undecided: {mutant.reason or 'no reason given'}"


def _command(kind: str, message: str, **properties: str) -> str:
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {listed}::{_data(message)}"


def _data(value: str) -> str:
    return shown.printable(value).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def summary(checked: Checked) -> str:
    """Markdown to append to the file that `$GITHUB_STEP_SUMMARY` names."""
    head = f"## knownbad mutate\n\n{_escaped(shown.verdict(checked.exit, checked.score, checked.fail_under))}\n\n"
    parts = [head, *_table(checked)]
    for check in checked.checks:
        if check.wrong:
            listed = "".join(f"- {_code(name)}\n" for name in check.wrong)
            parts.append(f"\n**{_escaped(check.contract)}: another verdict than their folder says**\n\n{listed}")
    size = sum(len(part.encode()) for part in parts)
    left = 0
    for entry in _entries(checked):
        size += len(entry.encode("utf-8", "replace"))
        if size > SUMMARY_BYTES:
            left += 1
        else:
            parts.append(entry)
    if left:
        parts.append(f"\nAnd {left} more.\n")
    return "".join(parts)


def _table(checked: Checked) -> Iterator[str]:
    columns = ("mutants", *shown.COUNTED, *shown.ASIDE)
    yield f"| contract | score | {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) + 1)}\n"
    for check in checked.checks:
        numbers = shown.counts(check)
        cells = [_escaped(check.contract), shown.percent(check.score), *(str(numbers[name]) for name in columns)]
        yield f"| {' | '.join(cells)} |\n"
    if len(checked.checks) > 1:
        sums = [sum(shown.counts(check)[name] for check in checked.checks) for name in columns]
        yield f"| **total** | {shown.percent(checked.score)} | {' | '.join(map(str, sums))} |\n"


def _entries(checked: Checked) -> Iterator[str]:
    for state in (SURVIVED, UNDECIDED):
        found = [(sources, mutant) for sources, mutant in _worst(checked) if mutant.state == state]
        if found:
            yield f"\n### {len(found)} {state}\n"
        yield from (_entry(sources, mutant) for sources, mutant in found)
    found = [(sources, mutant) for sources, mutant in _worst(checked) if dead(mutant)]
    if found:
        yield f"\n### {len(found)} keyword{'s change' if len(found) > 1 else ' changes'} nothing\n\n"
    for sources, mutant in found:
        yield f"- {_code(sources.where(mutant))} {_code(mutant.operator)}: {_escaped(shown.finding(mutant))}\n"


def _entry(sources: Sources, mutant: Mutant) -> str:
    text = f"\n{_code(sources.where(mutant))} **{_escaped(mutant.operator)}** {_code(mutant.location)}: "
    text += f"{_escaped(_said(mutant))}\n\n{_fenced('diff', diff(mutant.before, mutant.after))}"
    if shown.has_witness(mutant):
        body = _fenced("json", shown.instance(mutant.witness, _WITNESS))
        text += f"\n<details><summary>{shown.verdicts(mutant)}</summary>\n\n{body}\n</details>\n"
    if mutant.written:
        text += f"\nWritten: {_code(mutant.written)}\n"
    return text


def _fenced(language: str, lines: list[str]) -> str:
    body = shown.printable("\n".join(lines))
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{body}\n{fence}\n"


def _code(value: str) -> str:
    text = shown.one_line(value).replace("|", "\\|") or " "
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _escaped(value: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", shown.one_line(value))
