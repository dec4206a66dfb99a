"""`knownbad record`: fixtures out of what a tool really answers."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import Exit
from .replay import _adapters, _live, _root


@click.command()
@_root
@_live
@click.option("--adapter", type=_adapters, help="The way to the tool; the first that is configured.")
@click.option("--environment", metavar="NAME", help="Where the tool runs, for fixtures that are split by it.")
@click.option("--tool", "tools", multiple=True, metavar="NAME", help="Only this tool; may be repeated.")
@click.option("--code", "codes", multiple=True, metavar="CODE", help="Only this error class; may be repeated.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a fixture would change.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the report.")
def record(
    root: Path | None,
    live: bool,
    adapter: str | None,
    environment: str | None,
    tools: tuple[str, ...],
    codes: tuple[str, ...],
    check: bool,
    format_: str,
) -> None:
    """Capture what a tool really answers as the fixtures of its error classes, without its credentials."""
    from ..config import project
    from ..replay import processes
    from ..replay.plan import plan
    from ..replay.recording import record as capture
    from ..replay.run import ReplayOptions
    from ..report import replays

    planned = plan(project((root or Path.cwd()).resolve()))
    adapters = (adapter,) if adapter else ()
    options = ReplayOptions(live, adapters, environment, tools, codes, repeat=1, documented=True)
    with processes.ended_by_signals(), processes.aside() as stream:
        result = capture(planned, options, write=not check)
        masking = planned.settings.masking
        if format_ == "json":
            stream.write(replays.recorded_json(result, masking))
        else:
            replays.recorded_text(result, masking, stream)
        stream.flush()
    sys.exit(Exit(result.exit))
