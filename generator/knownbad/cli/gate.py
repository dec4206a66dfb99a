"""`knownbad gate`: is this change one that may be merged?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ..errors import Exit

_FORMATS = ("text", "json", "junit", "github", "sarif", "gitlab")
_TARGETS = ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
"""Where CI systems name the branch that a pull request is for."""


@click.command()
@click.option("--against", metavar="REVISION", help="The branch that the change is for, as in origin/main.")
@click.option(
    "--root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where to look for the config; here."
)
@click.option(
    "--unresolved", type=click.Choice(["error", "any"]), default="error", help="References that lead nowhere."
)
@click.option("--write", is_flag=True, help="Regenerate what changed, and make fixtures of approved breaks.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Contracts made at once.")
@click.option("--cache/--no-cache", default=True, help="Whether to keep what was found out about mutants.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="Of the report.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="One more report, into a file; may be repeated."
)
def gate(
    against: str | None,
    root: Path | None,
    unresolved: str,
    write: bool,
    jobs: int,
    cache: bool,
    format_: str,
    reports: tuple[str, ...],
) -> None:
    """Judge a pull request: what its schemas accept or reject that the target branch did not, and all its fixtures."""
    from ..config import project
    from ..gate import GateOptions
    from ..gate import gate as judge
    from ..produce import Options
    from ..report.findings import parse, tell

    extra = [parse(text) for text in reports]
    if against is None:
        named = next((os.environ[name] for name in _TARGETS if os.environ.get(name)), None)
        if named is None:
            raise click.UsageError("--against needs the branch that the change is for, as in --against origin/main")
        against = f"origin/{named}"
    found = project((root or Path.cwd()).resolve())
    options = GateOptions(against, Options(found.faults, unresolved=unresolved), write=write, jobs=jobs, cache=cache)
    if format_ == "text" and sys.stderr.isatty():
        from ..report.terminal import Progress

        with Progress(sys.stderr) as told:
            result = judge(found, options, told)
    else:
        result = judge(found, options)
    from ..error_fixtures import configured

    if not result.contracts and not configured(found):
        from .options import nothing_found

        raise nothing_found((root or Path.cwd()).resolve())
    tell(result, format_, extra, sys.stdout)
    sys.exit(Exit(result.exit))
