"""`knownbad mutate`: does the corpus guard every line of the schema?"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import Exit
from .options import contracts, dialect_named, work_of

if TYPE_CHECKING:
    from ..mutants import Checked

_FORMATS = ("text", "json", "junit", "github", "sarif", "stryker", "html")
_folder = click.Path(file_okay=False, path_type=Path)


@click.command()
@contracts
@click.option("--fixtures", type=_folder, help="With --schema: a folder of instances that it accepts.")
@click.option("--negative", type=_folder, help="With --schema: a folder of instances that it rejects.")
@click.option("--faults", type=click.Choice(["core", "all"]), help="Of which faults the mutants are, as in `generate`.")
@click.option("--write", is_flag=True, help="Add the killing fixture for each survivor.")
@click.option("--against", metavar="REVISION", help="Only mutants of what changed since this revision of git.")
@click.option("--shard", metavar="N/OF", help="Only this part of the mutants, as in 2/8.")
@click.option("--list", "list_", is_flag=True, help="Only list the mutants.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    default=100.0,
    show_default=True,
    help="The least score that is good.",
)
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes that work.")
@click.option(
    "--backend",
    type=click.Choice(["loky", "dask", "ray"]),
    default="loky",
    show_default=True,
    help="What spreads them.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The cluster's, as in tcp://127.0.0.1:8786.")
@click.option("--cache/--no-cache", default=True, help="Whether to keep what was found out, in a project.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="Of the report.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="One more report, into a file; may be repeated."
)
def mutate(
    fixtures: Path | None,
    negative: Path | None,
    faults: str | None,
    write: bool,
    against: str | None,
    shard: str | None,
    list_: bool,
    fail_under: float,
    jobs: int,
    backend: str,
    scheduler: str | None,
    cache: bool,
    format_: str,
    reports: tuple[str, ...],
    **which: Any,
) -> None:
    """Check the corpus against every mutant of the schema: could someone weaken it without a fixture noticing?"""
    from ..mutate import MutateOptions, cache_of, listed, mutate, parse_shard
    from ..produce import Options, recorded_in
    from ..spread import Spread

    extra = [_report(text) for text in reports]
    if fail_under != fail_under:  # not a number
        raise click.BadParameter("must be a number", param_hint="--fail-under")
    if which["out"] is not None:
        recorded_in(which["out"])  # there must be a corpus
    project, work = work_of(which, fixtures=fixtures, negative=negative)
    if not work:
        click.echo("no contracts: put schemas into the schema folder, or pass --schema", err=True)
    loading = Options(unresolved=which["unresolved"], dialect=dialect_named(which["dialect"]), formats=which["formats"])
    options = MutateOptions(
        loading=loading,
        faults=faults or project.faults,
        against=against,
        shard=parse_shard(shard) if shard else None,
        fail_under=fail_under,
        write=write,
        where=Spread(jobs, backend, scheduler),
        cache=cache_of(project) if cache else None,
    )
    if list_:
        _list(listed(project, work, options), format_)
        return
    if format_ == "text" and sys.stderr.isatty():
        from ..report.terminal import Progress

        with Progress(sys.stderr) as told:
            result = mutate(project, work, options, told)
    else:
        result = mutate(project, work, options)
    _tell(result, format_, extra)


def _report(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if name not in _FORMATS or not file:
        raise click.BadParameter(
            f"{text!r} is not FORMAT=FILE with one of {', '.join(_FORMATS)}", param_hint="--report"
        )
    return name, Path(file)


def _list(found: Any, format_: str) -> None:
    if format_ == "json":
        rows = [
            {
                "contract": name,
                "class": m.identity,
                "operator": m.operator,
                "keywordLocation": m.location,
                "expected": m.expected,
            }
            for name, m in found
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for name, mutant in found:
        click.echo(f"{name}: {mutant.identity}")


def _tell(result: Checked, format_: str, extra: list[tuple[str, Path]]) -> None:
    """Write every report, and leave with the exit code."""
    import io

    from ..report import mutants

    named = os.environ.get("GITHUB_STEP_SUMMARY")
    summary = Path(named) if named else None
    for name, file in extra:
        text = io.StringIO()
        mutants.write(result, name, text, summary=None if format_ == "github" else summary)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.getvalue(), encoding="utf-8", newline="\n")
        summary = None if name == "github" else summary  # once is enough
    mutants.write(result, format_, sys.stdout, summary=summary)
    sys.stdout.flush()
    sys.exit(Exit(result.exit))
