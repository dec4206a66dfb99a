"""`knownbad replay` and `knownbad can-deploy`: do the tools still fail as documented, and may a build go out?"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from ..errors import Exit

_root = click.option(
    "--root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where to look for the config; here."
)
_format = click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the report."
)
_live = click.option(
    "--live",
    is_flag=True,
    envvar="KNOWNBAD_LIVE",
    help="Leave this process: call the running tool. Or KNOWNBAD_LIVE=1.",
)
_FORMATS = ("text", "json", "junit", "github", "sarif", "gitlab")
_adapters = click.Choice(["callable", "command", "http", "mcp"])


@click.command()
@_root
@_live
@click.option("--adapter", "adapters", multiple=True, type=_adapters, help="Only through this; may be repeated.")
@click.option("--environment", metavar="NAME", help="Where the tool runs, for fixtures that are split by it.")
@click.option("--tool", "tools", multiple=True, metavar="NAME", help="Only this tool; may be repeated.")
@click.option("--code", "codes", multiple=True, metavar="CODE", help="Only this error class; may be repeated.")
@click.option("--baseline", metavar="REVISION", help="Ask this revision of git, too: drift, or a stale fixture?")
@click.option("--baseline-run", metavar="COMMAND", help="The command that stands for the last release.")
@click.option("--repeat", type=click.IntRange(1), help="How often each request is sent; 2 unless configured.")
@click.option("--record", is_flag=True, help="Write which build passed which fixtures into verifications/.")
@click.option("--build", metavar="NAME", help="What --record calls the build; the commit.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="Of the report.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="One more report, into a file; may be repeated."
)
def replay(
    root: Path | None,
    live: bool,
    adapters: tuple[str, ...],
    environment: str | None,
    tools: tuple[str, ...],
    codes: tuple[str, ...],
    baseline: str | None,
    baseline_run: str | None,
    repeat: int | None,
    record: bool,
    build: str | None,
    format_: str,
    reports: tuple[str, ...],
) -> None:
    """Send every error fixture through the tool: does it still fail as documented?"""
    from ..config import project
    from ..replay import processes
    from ..replay.job import recorded
    from ..replay.plan import plan
    from ..replay.run import ReplayOptions
    from ..replay.run import replay as run
    from ..report import replays
    from ..report.findings import parse

    extra = [parse(text) for text in reports]
    if build is not None and not record:
        raise click.UsageError("--build goes with --record")
    planned = plan(project((root or Path.cwd()).resolve()))
    command = tuple(shlex.split(baseline_run)) if baseline_run else ()
    options = ReplayOptions(live, adapters, environment, tools, codes, baseline, command, repeat)
    with processes.ended_by_signals(), processes.aside() as stream:
        result = run(planned, options)
        if record:
            result = recorded(planned, result, build)
        replays.tell(result, planned.settings.masking, format_, extra, stream)
    sys.exit(Exit(result.exit))


@click.command("can-deploy")
@_root
@click.option("--to", "environment", required=True, metavar="ENVIRONMENT", help="Where the build is to go.")
@click.option("--build", metavar="NAME", help="What the records call the build; the commit.")
@click.option(
    "--retry-while-unknown", "retries", type=click.IntRange(0), default=0, show_default=True, metavar="N",
    help="Look again so many times while the answer is unknown.",
)  # fmt: skip
@click.option(
    "--retry-interval", "interval", type=click.FloatRange(0), default=10.0, show_default=True, metavar="S",
    help="Seconds between two looks.",
)  # fmt: skip
@_format
def can_deploy(
    root: Path | None, environment: str, build: str | None, retries: int, interval: float, format_: str
) -> None:
    """Ask the records whether this build passed every fixture that holds there."""
    from ..config import project
    from ..replay.environments import known_environment
    from ..replay.job import needed_in
    from ..replay.plan import plan
    from ..replay.verification import build_of
    from ..replay.verification import can_deploy as answer
    from ..report import replays

    planned = plan(project((root or Path.cwd()).resolve()))
    known_environment(planned, environment)
    name = build or build_of(planned.project.root, planned.settings.verifications)
    found = answer(
        planned.settings, lambda: needed_in(planned, environment), name, environment, retries=retries, interval=interval
    )
    if format_ == "json":
        sys.stdout.write(replays.deployable_json(found, planned.settings.masking))
    else:
        replays.deployable_text(found, sys.stdout)
    sys.stdout.flush()
    sys.exit(Exit(found.exit))
