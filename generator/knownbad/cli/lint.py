"""`knownbad lint`: what is wrong with the schemas by themselves."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..errors import Exit
from .options import contracts, dialect_named, work_of


@click.command()
@contracts
@click.option("--fix", is_flag=True, help="Repair in the files what is certain.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the report.")
def lint(fix: bool, format_: str, **which: Any) -> None:
    """Look at the schemas alone, without any fixture: what is in them that cannot be meant?"""
    from ..lint.job import run
    from ..produce import Options

    project, work = work_of(which)
    if not work:
        click.echo("no contracts: put schemas into the schema folder, or pass --schema", err=True)
    options = Options(unresolved=which["unresolved"], dialect=dialect_named(which["dialect"]), formats=which["formats"])
    result = run(project, work, options, fix=fix)
    for line in result.fixed:
        click.echo(f"fixed: {line}")
    for finding in result.findings:
        click.echo(f"{finding.file}: {finding.location}: {finding.weight}: {finding.code.code} {finding.message}")
    sys.stdout.flush()
    sys.exit(Exit(result.exit))
