"""`knownbad compare`: what does a change of a schema accept and reject that it did not before?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput, Exit, Problem
from .options import dialect_named

if TYPE_CHECKING:
    from ..differ.results import Comparison

_FORMATS = ("text", "json", "junit", "github", "sarif", "gitlab")


@click.command()
@click.argument("base")
@click.argument("head")
@click.option(
    "--direction",
    type=click.Choice(["input", "output", "both"]),
    help="What breaks: an input by narrowing, an output by widening. As in the config, else both.",
)
@click.option(
    "--fixture",
    "fixtures",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="An instance to try first, or a folder of them; may be repeated.",
)
@click.option(
    "--unresolved", type=click.Choice(["error", "any"]), default="error", help="References that lead nowhere."
)
@click.option("--dialect", help="Of a schema that declares none.")
@click.option("--formats/--no-formats", default=None, help="Whether `format` is asserted.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="Of the report.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="One more report, into a file; may be repeated."
)
def compare(
    base: str,
    head: str,
    direction: str | None,
    fixtures: tuple[Path, ...],
    unresolved: str,
    dialect: str | None,
    formats: bool | None,
    format_: str,
    reports: tuple[str, ...],
) -> None:
    """Compare two schemas: HEAD against BASE, each FILE[#/POINTER] or REVISION:PATH[#/POINTER] as in git."""
    from ..differ import specs
    from ..differ.job import compare as compared

    reading = specs.Reading(unresolved, dialect_named(dialect), formats)
    here = Path.cwd()
    sides = []
    problems: list[Problem] = []
    for spec in (base, head):
        try:
            sides.append(specs.read(spec, reading, here))
        except BadInput as bad:
            problems.extend(problem for problem in bad.problems if problem not in problems)
    if problems:
        raise BadInput(problems)
    one, other = sides
    direction = direction or specs.direction_of(other)
    result = compared(one.contract, other.contract, candidates=_instances(fixtures))
    code = exit_of(result, direction)
    _tell(result, direction, code, format_, reports, other.root, other.contract.name)


def exit_of(result: Comparison, direction: str) -> Exit:
    """FINDINGS where the direction is shown to break, UNDECIDED where that is not known."""
    if result.breaks(direction):
        return Exit.FINDINGS
    return Exit.UNDECIDED if result.open(direction) else Exit.GOOD


def _instances(paths: tuple[Path, ...]) -> list[Any]:
    from .. import documents

    files = []
    for path in paths:
        inside = sorted(p for p in path.rglob("*.json") if p.name != "corpus.json") if path.is_dir() else [path]
        files.extend(inside)
    found = []
    problems: list[Problem] = []
    for file in files:
        try:
            found.append(documents.read(file, str(file)))
        except BadInput as bad:
            problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    return found


def _tell(
    result: Comparison, direction: str, code: Exit, format_: str, reports: tuple[str, ...], root: Path, name: str
) -> None:
    import io

    extra = [_parsed(text) for text in reports]
    stream = sys.stdout

    def write(kind: str, to: Any) -> None:
        if kind == "json":
            from ..report import comparison_json

            to.write(comparison_json.text(result, direction, code))
        elif kind == "text":
            from ..report import comparison_text

            comparison_text.write(result, direction, to)
        else:
            from ..report import findings

            findings.tell(_findings(result, direction, code, root, name), kind, (), to)

    for kind, file in extra:
        text = io.StringIO()
        write(kind, text)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.getvalue(), encoding="utf-8", newline="\n")
    write(format_, stream)
    stream.flush()
    sys.exit(code)


def _parsed(text: str) -> tuple[str, Path]:
    from ..report import findings

    return findings.parse(text)


def _findings(result: Comparison, direction: str, code: Exit, root: Path, name: str) -> Any:
    from ..differ.findings import findings as found
    from ..finding import Findings

    return Findings("compare", root, tuple(found(result, direction, name)), {name: result.verdict}, (), code)
