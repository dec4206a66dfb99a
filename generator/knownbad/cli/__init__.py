"""The command line: arguments in, a report and an exit code out. Nothing is decided here."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import click

from .. import __version__
from ..errors import BadInput, Exit
from .compare import compare
from .errors import errors
from .explain import explain
from .gate import gate
from .infer import infer
from .lint import lint
from .mutate import mutate
from .options import contracts, dialect_named, whole, work_of
from .record import record
from .replay import can_deploy, replay
from .suite import suite

_REPORT = "this is a fault of knownbad itself: please report it with the command and the schema"
COLLECTED = (100_000, 20, 20)
"""When Python looks for cycles: a run is short and makes much that it keeps, so that looking often costs a tenth."""
_format = click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the report."
)
_root = click.option(
    "--root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where to look for the config; here."
)


class _Group(click.Group):
    """Turns what goes wrong into the documented exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as bad:
            for problem in bad.problems:
                click.echo(f"error: {problem}", err=True)
            ctx.exit(bad.exit)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted: nothing was half-written", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            # Whoever read the report has gone; writing to it at exit would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(Exit.GOOD)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"error: {where}{error.strerror or error}", err=True)
            ctx.exit(Exit.BAD_INPUT)
        except Exception as error:  # noqa: BLE001  whatever it is, it is ours
            if ctx.params.get("traceback") or os.environ.get("KNOWNBAD_DEBUG"):
                import traceback

                traceback.print_exc()
            click.echo(f"bug: {type(error).__name__}: {error}\n{_REPORT} (--traceback shows where)", err=True)
            ctx.exit(Exit.BUG)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knownbad")
@click.option("--traceback", is_flag=True, help="Show where a fault of knownbad itself happened.")
def main(traceback: bool) -> None:
    """From a JSON Schema: a small proven corpus of accepted and known-bad fixtures, and the tests that assert them."""
    gc.set_threshold(*COLLECTED)


@main.command()
@contracts
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the disk is not what would be written.")
@click.option("--faults", type=click.Choice(["core", "all"]), help="One fault a keyword and member, or every one.")
@click.option("--examples", type=click.IntRange(0), default=0, help="More varied instances a class.")
@click.option(
    "--max-size", type=click.IntRange(1), default=65536, help="Bytes of the largest fixture.", show_default=True
)
@click.option("--jobs", type=click.IntRange(1), default=1, help="Contracts made at the same time.", show_default=True)
@_format
def generate(
    check: bool, faults: str | None, examples: int, max_size: int, jobs: int, format_: str, **which: Any
) -> None:
    """Write the corpus and the tests of every contract, or of one schema."""
    from ..produce import Options, produce

    project, work = work_of(which)
    dialect, formats = dialect_named(which["dialect"]), which["formats"]
    options = Options(faults or project.faults, examples, max_size, which["unresolved"], dialect, formats)
    if format_ == "text" and sys.stderr.isatty():
        from ..report.terminal import Progress

        with Progress(sys.stderr) as told:
            result = produce(project, work, options, write=not check, jobs=jobs, told=told, errors=whole(which))
    else:
        result = produce(project, work, options, write=not check, jobs=jobs, errors=whole(which))
    _report("run", result, format_)


@main.command()
@contracts
@_format
def verify(format_: str, **which: Any) -> None:
    """Judge everything on disk anew; regenerate nothing."""
    from ..produce import Options, recorded_in, verify_all

    if which["out"] is not None:
        recorded = recorded_in(which["out"])
        which["schema"] = which["schema"] or recorded.schema
        which["dialect"] = which["dialect"] or recorded.dialect
        which["formats"] = recorded.formats if which["formats"] is None else which["formats"]
    project, work = work_of(which)
    dialect = dialect_named(which["dialect"])
    options = Options(unresolved=which["unresolved"], dialect=dialect, formats=which["formats"])
    _report("verified", verify_all(project, work, options, errors=whole(which)), format_)


main.add_command(mutate)
main.add_command(errors)
main.add_command(gate)
main.add_command(replay)
main.add_command(can_deploy)
main.add_command(record)
main.add_command(compare)
main.add_command(infer)
main.add_command(lint)
main.add_command(explain)
main.add_command(suite)


@main.command()
@_root
@click.option("--ci", type=click.Choice(["github", "gitlab"]), help="Write the job of the pull request, too.")
@_format
def init(root: Path | None, ci: str | None, format_: str) -> None:
    """Write a starting config and layout for the schemas found here."""
    from ..init import init as start

    _report("started", start((root or Path.cwd()).resolve(), ci), format_)


def _report(kind: str, result: Any, format_: str) -> None:
    """Print a result in the asked form, and leave with its exit code."""
    stream: TextIO = sys.stdout
    if format_ == "json":
        from ..report import machine

        stream.write(getattr(machine, kind)(result))
    else:
        from ..report import terminal

        getattr(terminal, kind)(result, stream)
    stream.flush()
    sys.exit(getattr(result, "exit", Exit.GOOD))
