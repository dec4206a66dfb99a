"""A mutation check as one HTML page: the schema's text, each line coloured by what guards it.

The page needs nothing from anywhere else and can be read without JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import __version__
from ..mutants import (
    EQUIVALENT,
    IGNORED,
    INVALID,
    KILLED,
    STATES,
    SURVIVED,
    UNDECIDED,
    UNREACHABLE,
    Check,
    Checked,
    Mutant,
)
from . import shown
from .edits import diff
from .sources import Source, Sources, dead

TEMPLATE = "page.html.j2"
MARKS = {
    SURVIVED: "✗",
    UNDECIDED: "?",
    KILLED: "✓",
    EQUIVALENT: "=",
    UNREACHABLE: "∅",
    IGNORED: "–",
    INVALID: "!",
}
"""The sign of each state, worst first: that of a line is the worst of its mutants."""
_DIFF = 40
_WITNESS = 200
_FIXTURE = 400
"""Lines that are shown of an edit, a witness and a fixture."""
_WIDTH = {" ": 100, "@": 100, "-": 2000, "+": 2000}
"""Characters of a line of an edit, by what it begins with."""

Read = Callable[[str], str | None]


@dataclass(frozen=True)
class Shown:
    """A mutant as the page shows it."""

    mutant: Mutant
    id: str
    diff: list[str]
    reason: str
    witness: str
    verdicts: str
    needed: str
    dead: bool
    fixtures: list[tuple[str, str | None]]
    """The file of each fixture that kills it, with the anchor of its content (None: it cannot be read)."""


@dataclass(frozen=True)
class Line:
    """A line of a schema, with the mutants that are made there. Number 0: those of no line that is known."""

    number: int
    text: str
    state: str
    mutants: list[Shown]

    @property
    def mark(self) -> str:
        """The sign of the worst state of its mutants."""
        return MARKS.get(self.state, "")

    @property
    def told(self) -> str:
        """How many mutants of the line are in which state, in words."""
        states = [entry.mutant.state for entry in self.mutants]
        return ", ".join(f"{states.count(state)} {state}" for state in MARKS if state in states)


@dataclass(frozen=True)
class Document:
    """A schema file of a contract."""

    id: str
    check: Check
    file: str
    lines: list[Line]
    counts: dict[str, int]

    @property
    def open(self) -> list[tuple[Line, Shown]]:
        """The mutants that a person can do something about, in the order of the text."""
        return [(line, e) for line in self.lines for e in line.mutants if e.mutant.state in (SURVIVED, UNDECIDED)]

    @property
    def dead(self) -> list[tuple[Line, Shown]]:
        """The keywords that say nothing."""
        return [(line, entry) for line in self.lines for entry in line.mutants if entry.dead]


class _Fixtures:
    """The fixtures that kill something, each with an anchor and its content, shown once however much it kills."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self.anchors: dict[str, str | None] = {}
        self.shown: list[tuple[str, str, str]] = []

    def anchor(self, path: str) -> str | None:
        if path not in self.anchors:
            content = self._read(path)
            self.anchors[path] = None if content is None else f"f{len(self.shown)}"
            if content is not None:
                self.shown.append((f"f{len(self.shown)}", shown.one_line(path), _cut(content, _FIXTURE)))
        return self.anchors[path]


def text(checked: Checked, read: Read) -> str:
    """The page. `read` gives the text of a fixture by its path relative to the root, None where there is none."""
    import jinja2

    fixtures = _Fixtures(read)
    documents = [
        _document(f"d{number}", *entry, checked, fixtures)
        for number, entry in enumerate(
            (check, sources, name, source)
            for check in checked.checks
            for sources in [Sources(check, checked.root)]
            for name, source in sources
            if name is None or any(mutant.schema == name for mutant in check.mutants)
        )
    ]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["clean"] = shown.printable
    environment.filters["line"] = shown.one_line
    return environment.get_template(TEMPLATE).render(
        documents=documents,
        checks=[(check, shown.counts(check), shown.percent(check.score)) for check in checked.checks],
        fixtures=fixtures.shown,
        states=STATES,
        marks=MARKS,
        version=__version__,
        verdict=shown.verdict(checked.exit, checked.score, checked.fail_under),
        good=checked.exit == 0,
        notes=[*checked.notes, *(f"{check.contract}: {note}" for check in checked.checks for note in check.notes)],
        shard=checked.shard,
        total=_total(checked),
    )


def _total(checked: Checked) -> dict[str, Any]:
    states = [mutant.state for mutant in checked.mutants]
    counts = {"mutants": len(states), **{state: states.count(state) for state in STATES}}
    return {"score": shown.percent(checked.score), "counts": counts}


def _document(
    id_: str, check: Check, sources: Sources, name: str | None, source: Source, checked: Checked, fixtures: _Fixtures
) -> Document:
    lines = source.lines if source.text else []
    by_line: dict[int, list[Shown]] = {}
    mutants = [mutant for mutant in check.mutants if mutant.schema == name]
    for number, mutant in enumerate(mutants):
        by_line.setdefault(sources.line(mutant) or 0, []).append(_shown(f"{id_}m{number}", mutant, fixtures))
    order = list(MARKS)
    for entries in by_line.values():
        entries.sort(key=lambda entry: order.index(entry.mutant.state))
    numbered = [(0, "")] * (0 in by_line) + list(enumerate(lines, 1))
    return Document(
        id_,
        check,
        source.file,
        [
            Line(number, line, found[0].mutant.state if (found := by_line.get(number, [])) else "", found)
            for number, line in numbered
        ],
        {state: sum(mutant.state == state for mutant in mutants) for state in MARKS},
    )


def _shown(id_: str, mutant: Mutant, fixtures: _Fixtures) -> Shown:
    has = shown.has_witness(mutant)
    is_dead = dead(mutant)
    return Shown(
        mutant=mutant,
        id=id_,
        diff=[shown.cut(shown.one_line(line), _WIDTH[line[0]]) for line in diff(mutant.before, mutant.after, _DIFF)],
        reason=shown.finding(mutant) if is_dead else mutant.reason or "",
        witness="\n".join(shown.instance(mutant.witness, _WITNESS, 64, 2000)) if has else "",
        verdicts=shown.verdicts(mutant),
        needed=shown.needed(mutant),
        dead=is_dead,
        fixtures=[(shown.one_line(path), fixtures.anchor(path)) for path in mutant.killed_by],
    )


def _cut(content: str, most: int) -> str:
    lines = shown.printable(content.removesuffix("\n")).split("\n")
    if len(lines) > most:
        lines[most:] = [f"… {len(lines) - most} more lines"]
    return "\n".join(shown.cut(line, 2000) for line in lines)
