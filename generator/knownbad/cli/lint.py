"""`knownbad lint`: what is wrong with the schemas by themselves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ..error_fixtures import configured
from ..errors import Exit
from .options import dialect_named, nothing_found, schemas, whole, work_of

_FORMATS = ("text", "json", "junit", "github", "sarif", "gitlab")


@click.command()
@schemas
@click.option("--fix", is_flag=True, help="Repair in the files what is certain.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="Of the report.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="One more report, into a file; may be repeated."
)
def lint(fix: bool, format_: str, reports: tuple[str, ...], **which: Any) -> None:
    """Look at the schemas alone, without any fixture: what is in them that cannot be meant?"""
    from ..lint.job import run
    from ..produce import Options
    from ..report import findings

    extra = [findings.parse(text) for text in reports]
    project, work = work_of(which)
    if not work and not configured(project):
        raise nothing_found((which["root"] or Path.cwd()).resolve())
    options = Options(unresolved=which["unresolved"], dialect=dialect_named(which["dialect"]), formats=which["formats"])
    result = run(project, work, options, fix=fix, errors=whole(which))
    findings.tell(result, format_, extra, sys.stdout)
    sys.exit(Exit(result.exit))
