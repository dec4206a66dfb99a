"""Results as text for a person: plain aligned lines, or Rich's tables and colours where a terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..corpus import DOMINATED, TOO_LARGE, UNDECIDED, UNREACHABLE
from ..layout import relative
from . import error_fixtures

if TYPE_CHECKING:
    from ..init import Started
    from ..produce import Made, Run
    from ..store import Changes
    from ..verify import Verified

_HEAD = ("contract", "positive", "negative", "dominated", "unreachable", "undecided", "added", "changed", "removed")
_ALWAYS = ("contract", "positive", "negative", "undecided")
_SHOWN = 20
"""Entries of one list that are shown before the rest is only counted; JSON has them all."""
_NAME = 24
"""Characters of a contract's name that a line of the table has room for, however narrow the terminal is."""
_GAP = 2
"""Rich's blanks between two columns."""


def is_terminal(stream: TextIO) -> bool:
    """Whether colours and progress make sense there."""
    return stream.isatty()


def run(result: Run, stream: TextIO) -> None:
    """The table of a `generate` run, then what a person can act on."""
    rows = [_counts(made) for made in result.made]
    if len(rows) > 1:
        rows.append(("total", *(str(sum(int(row[i]) for row in rows)) for i in range(1, len(_HEAD)))))
    if rows or not result.errors:
        _table(_HEAD, rows, stream)
    several = len(result.made) > 1
    for made in result.made:
        prefix = f"{made.name}: " if several else ""
        _list(
            stream,
            f"{prefix}undecided",
            [f"{o.class_}: {o.reason}" for o in made.corpus.outcomes if o.state == UNDECIDED],
        )
        large = [f"{o.class_}: {o.reason}" for o in made.corpus.outcomes if o.state == TOO_LARGE]
        _list(stream, f"{prefix}too large to write (--max-size allows more)", large)
        _list(stream, f"{prefix}rejected for several reasons, so only the rejection is asserted", made.several_reasons)
        _list(stream, f"{prefix}note", made.notes)
        if result.checked:
            _differences(made.changes, prefix, result, stream)
    if result.errors:
        if rows:
            print(file=stream)
        _table(error_fixtures.HEAD, error_fixtures.rows(result.errors), stream)
        for planned in result.errors:
            error_fixtures.findings(planned.findings, stream)
            if result.checked:
                _differences(planned.changes, "", result, stream)
    _list(stream, "note", result.notes)
    if not result.made and not result.errors:
        print("no contracts: put schemas into the schema folder, or pass --schema", file=stream)
    elif result.checked and not (any(m.changes for m in result.made) or any(e.changes for e in result.errors)):
        print("what is on disk is what would be written", file=stream)


def _differences(changes: Changes, prefix: str, result: Run, stream: TextIO) -> None:
    """The files that are not what would be written."""
    for label, paths in (
        ("missing", changes.added),
        ("not what would be written", changes.changed),
        ("stale", changes.stale),
    ):
        _list(stream, f"{prefix}{label}", [relative(path, result.root) for path in paths])


def _counts(made: Made) -> tuple[str, ...]:
    states = [outcome.state for outcome in made.corpus.outcomes]
    difference = made.changes
    numbers = (
        len(made.corpus.positives),
        len(made.corpus.negatives),
        states.count(DOMINATED),
        states.count(UNREACHABLE),
        states.count(UNDECIDED),
        len(difference.added),
        len(difference.changed),
        len(difference.stale),
    )
    return (made.name, *map(str, numbers))


def verified(result: Verified, stream: TextIO) -> None:
    """What `verify` found, the findings first."""
    for finding in result.findings:
        where = relative(finding.file, result.root)
        print(f"{finding.kind}: {where}: {finding.message}", file=stream)
        if finding.location is not None:
            print(f"    keyword:  {finding.location}", file=stream)
    if result.errors is not None:
        error_fixtures.findings(result.errors.findings, stream)
    for note in result.notes:
        print(f"note: {note}", file=stream)
    good = result.positives + result.negatives
    text = f"{result.corpora} corpora: {result.positives} accepted and {result.negatives} rejected as recorded"
    if result.findings:
        text = f"{len(result.findings)} findings in {result.corpora} corpora; {good} fixtures are as recorded"
    if result.corpora or result.errors is None:
        print(text, file=stream)
    if (errors := result.errors) is not None:
        text = f"{errors.fixtures} error fixtures and {errors.twins} known-bad twins are as documented"
        print(f"{text}; {len(errors.findings)} findings" if errors.findings else text, file=stream)


def started(result: Started, stream: TextIO) -> None:
    """What `init` wrote, and what to do next."""
    for path in result.written:
        print(f"wrote    {relative(path, result.root)}", file=stream)
    for path in result.kept:
        print(f"kept     {relative(path, result.root)}", file=stream)
    for entry in result.contracts:
        print(f"contract {entry.name}: {entry.schema}", file=stream)
    for note in result.notes:
        print(f"note: {note}", file=stream)
    print(f"\nNext: {result.next_step}", file=stream)


def _list(stream: TextIO, title: str, entries: Sequence[str]) -> None:
    for entry in entries[:_SHOWN]:
        print(f"{title}: {entry}", file=stream)
    if len(entries) > _SHOWN:
        print(f"{title}: and {len(entries) - _SHOWN} more (--format json has all)", file=stream)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], stream: TextIO) -> None:
    if is_terminal(stream):
        from rich.console import Console, ConsoleDimensions
        from rich.table import Table

        # All columns together are wider than many a terminal; those that say nothing go.
        shown = [i for i, name in enumerate(head) if name in _ALWAYS or any(row[i] != "0" for row in rows)]
        width = {i: max(len(row[i]) for row in (head, *rows)) for i in shown}
        numbers = sum(_GAP + width[i] for i in shown[1:])
        # Nothing is cut: a long name is folded, and where even that has no room the line is as long as it has to be.
        name = min(width[0], _NAME)
        console = Console(file=stream)
        console.size = ConsoleDimensions(max(console.width, name + numbers), console.height)
        table = Table(box=None, header_style="bold", pad_edge=False)
        table.add_column(head[0], min_width=name, overflow="fold")
        for i in shown[1:]:
            table.add_column(head[i], justify="right", no_wrap=True)
        for row in rows:
            table.add_row(*(row[i] for i in shown))
        console.print(table)
        return
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip(), file=stream)


class Progress:
    """A progress bar on a terminal; nothing elsewhere. Use it as a context; call it as `produce.Told`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bars: dict[str, Any] = {}

    def __enter__(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=Console(file=self._stream), transient=True)
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, name: str, done: int, total: int) -> None:
        if name not in self._bars:
            for other in self._bars.values():
                self._progress.update(other, visible=False)
            self._bars[name] = self._progress.add_task(name, total=total)
        self._progress.update(self._bars[name], completed=done, total=total)
