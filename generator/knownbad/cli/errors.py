"""`knownbad errors`: a catalogue of error classes out of what is documented already."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import Exit


@click.group()
def errors() -> None:
    """The catalogue of error classes."""


@errors.command(name="import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--tool", "tools", multiple=True, metavar="NAME", help="What the classes belong to; may be repeated.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The catalogue; schemas/errors.toml.")
@click.option(
    "--undocumented",
    type=click.Choice(["true", "false", "with-idempotency-key"]),
    help="Your decision for the classes of which the document does not say whether they are retryable.",
)
@click.option(
    "--root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where to look for the config; here."
)
@click.option("--generate", "then", is_flag=True, help="Write the fixtures, the twins and the tests as well.")
def import_(
    file: Path, tools: tuple[str, ...], out: Path | None, undocumented: str | None, root: Path | None, then: bool
) -> None:
    """Write a catalogue from a registry of codes, an AWS service model or an OpenAPI document."""
    from ..catalogue.job import written
    from ..config import project

    folder = (root or Path.cwd()).resolve()
    done = written(project(folder), file, tools, out, undocumented, then=then)
    for note in done.notes:
        click.echo(f"note: {note}")
    click.echo(f"{done.file}: {done.classes} error classes of {done.tools} tools, from {done.kind}")
    for code in done.undocumented:
        click.echo(f"undecided: {code}: the document does not say whether it is retryable")
    if done.undocumented:
        click.echo("fix: write `retryable` into these rows, or decide for all of them: --undocumented")
        sys.exit(Exit.UNDECIDED)
    if then:
        sys.exit(_generated(folder))


def _generated(folder: Path) -> Exit:
    """Generate the whole project, as `knownbad generate` does."""
    from ..config import project
    from ..produce import Options, produce, tasks
    from ..report import terminal

    found = project(folder)
    result = produce(found, tasks(found), Options(found.faults), errors=True)
    terminal.run(result, sys.stdout)
    return result.exit
