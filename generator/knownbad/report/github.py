"""A mutation check for GitHub Actions: annotations on the lines of the schema, and a summary of the step."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Exit
from ..mutants import SURVIVED, UNDECIDED, Checked, Mutant, worst_first
from . import shown
from .edits import diff
from .parts import SUMMARY_BYTES, capped, code, command, escaped, fenced, folded, table
from .sources import Sources, dead

_WITNESS = 30
"""Lines of a witness in an annotation."""


def text(checked: Checked) -> str:
    """Workflow commands: an error for each survivor, a warning for what is undecided, a notice for dead keywords.

    The worst come first, since GitHub shows only ten of each kind a step.
    """
    return "".join(f"{line}\n" for line in _commands(checked))


def _commands(checked: Checked) -> Iterator[str]:
    for check in checked.checks:
        for name, reason in map(shown.wrong, check.wrong):
            message = f"{check.contract}: {name}: {reason}, so no score was computed"
            yield command("error", message, file=name, title="wrong fixture")
    for state, kind in ((SURVIVED, "error"), (UNDECIDED, "warning"), (None, "notice")):
        for sources, mutant in _worst(checked):
            if mutant.state == state or state is None and dead(mutant):
                line = sources.line(mutant)
                place = {"file": sources.of(mutant).file, **({"line": str(line)} if line else {})}
                code = shown.code(mutant)
                said = f"{mutant.operator} changes nothing" if state is None else f"{mutant.operator} {state}"
                title = f"{code.code} {said}" if code else said
                yield command(kind, _message(mutant), **place, title=title)
    kind = {Exit.GOOD: "notice", Exit.UNDECIDED: "warning"}.get(checked.exit, "error")
    yield command(kind, shown.verdict(checked.exit, checked.score, checked.fail_under), title="knownbad mutate")


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


def summary(checked: Checked) -> str:
    """Markdown to append to the file that `$GITHUB_STEP_SUMMARY` names."""
    head = f"## knownbad mutate\n\n{escaped(shown.verdict(checked.exit, checked.score, checked.fail_under))}\n\n"
    parts = [head, *_table(checked)]
    for check in checked.checks:
        if check.wrong:
            listed = "".join(f"- {code(name)}\n" for name in check.wrong)
            parts.append(f"\n**{escaped(check.contract)}: another verdict than their folder says**\n\n{listed}")
    return capped(parts, _entries(checked), SUMMARY_BYTES)


def _table(checked: Checked) -> Iterator[str]:
    columns = ("mutants", *shown.COUNTED, *shown.ASIDE)
    rows = []
    for check in checked.checks:
        numbers = shown.counts(check)
        rows.append([escaped(check.contract), shown.percent(check.score), *(str(numbers[name]) for name in columns)])
    if len(checked.checks) > 1:
        sums = [sum(shown.counts(check)[name] for check in checked.checks) for name in columns]
        rows.append(["**total**", shown.percent(checked.score), *map(str, sums)])
    yield from table(("contract", "score", *columns), rows)


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
        yield f"- {code(sources.where(mutant))} {code(mutant.operator)}: {escaped(shown.finding(mutant))}\n"


def _entry(sources: Sources, mutant: Mutant) -> str:
    text = f"\n{code(sources.where(mutant))} **{escaped(mutant.operator)}** {code(mutant.location)}: "
    text += f"{escaped(_said(mutant))}\n\n{fenced('diff', diff(mutant.before, mutant.after))}"
    if shown.has_witness(mutant):
        body = fenced("json", shown.instance(mutant.witness, _WITNESS))
        text += "\n" + folded(shown.verdicts(mutant), body)
    if mutant.written:
        text += f"\nWritten: {code(mutant.written)}\n"
    return text
