"""`knownbad infer`: a first schema out of what a tool really answers."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("replies", nargs=-1, required=True, metavar="FILE[#/POINTER]...")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The schema's file; standard output.")
@click.option("--title", help="Of the schema; the name of the first file.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def infer(replies: tuple[str, ...], out: Path | None, title: str | None, force: bool) -> None:
    """Make a first strict schema out of one or two real replies; every guess is marked for review."""
    from ..replay.inferring import infer_files

    inferred = infer_files(replies, title, out, force=force)
    if out is None:
        click.echo(json.dumps(inferred.schema, indent=2, ensure_ascii=False))
    count = len({place for place, _ in inferred.guesses})
    where = f"{out}: " if out is not None else ""
    click.echo(f"{where}{count} places to review, each with a `$comment`", err=True)
