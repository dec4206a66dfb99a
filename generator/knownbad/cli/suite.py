"""`knownbad suite`: eval suites that replay recorded tool calls, failures as failures."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..errors import BadInput, Exit, Problem
from ..finding import Finding, Findings, Level


class _File(click.Path):
    """A file that is read; `-` is standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == "-":
            value = "/dev/stdin"
        return super().convert(value, param, ctx)


class _Output(click.Path):
    """A file that is written. Standard output is none: it belongs to the report, or to the client."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == "-":
            self.fail("`-` is no file to write to", param, ctx)
        return super().convert(value, param, ctx)


_file = _File(dir_okay=False, path_type=Path)
_output = _Output(dir_okay=False, path_type=Path)
_format = click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the report."
)
_reports = click.option(
    "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="The findings in a file, too; may be repeated."
)


@click.group()
def suite() -> None:
    """Eval suites with recorded tool calls: may a host run one, replay one, judge a host, make one."""


@suite.command()
@click.argument("suite", type=_file)
@click.option("--capabilities", type=_file, help="What the host says of itself: a JSON document.")
@_format
@_reports
def check(suite: Path, capabilities: Path | None, format_: str, reports: tuple[str, ...]) -> None:
    """Is this a suite, and may this host run it? If not: the 400 that the host must answer."""
    from ..report import suites as report
    from ..suites.admission import refusal
    from ..suites.capabilities import capabilities_of, capability_findings
    from ..suites.lines import document
    from ..suites.suite import suite_findings, suite_of

    capabilities = capabilities or _configured()
    _guard([("the suite", suite), ("the capabilities", capabilities)], [], reports)
    value = document(suite)
    found = list(suite_findings(value, str(suite)))
    host = None if capabilities is None else document(capabilities)
    if capabilities is not None:
        found += capability_findings(host, str(capabilities))
    refused = None
    wrong = any(finding.weight is Level.ERROR for finding in found)
    if not wrong and capabilities is not None:
        refused = refusal(suite_of(value, str(suite)), capabilities_of(host, str(capabilities)))
    findings = (*found, *(refused.findings if refused else ()))
    code = Exit.FINDINGS if wrong or refused else Exit.GOOD
    _reported("suite check", findings, reports)
    if format_ == "json":
        shown = {
            "admitted": None if wrong or capabilities is None else refused is None,
            "refusal": refused.body if refused else None,
            "findings": [report.finding_json(finding) for finding in findings],
            "exit": int(code),
        }
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))
    else:
        report.findings(found, sys.stdout)
        if refused:
            report.refused(refused, sys.stdout)
        elif not wrong:
            click.echo("admitted: the host may run the suite" if capabilities else "the suite fits its contract")
    sys.exit(code)


@suite.command()
@click.argument("suite", type=_file, required=False)
@click.option("--task", "task_id", metavar="ID", help="The task to serve; the only one, where there is one.")
@click.option("--log", type=_output, help="Where to write the event log: JSON Lines.")
@click.option("--summary", type=_output, help="Where to write the summary of the run.")
@click.option("--calls", type=_output, help="Where to write the transcript: the calls with their payloads.")
@click.option("--run", "run_id", metavar="ID", default="run-1", show_default=True, help="What the log calls the run.")
@click.option("--upstream", metavar="COMMAND|URL", help="The live MCP server, for calls that match nothing.")
@click.option("--http", "port", type=click.IntRange(0, 65535), metavar="PORT", help="Streamable HTTP; 0: a free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen at.")
@click.option("--replay", "recorded", type=_file, help="A log to read again instead: nothing is served or judged.")
def serve(suite: Path | None, task_id: str | None, recorded: Path | None, **how: Any) -> None:
    """An MCP server that replays the recorded calls of a task, over stdio or streamable HTTP."""
    from ..suites.serve import Serving, replay
    from ..suites.serve import serve as start

    serving = Serving(**how)
    outputs = [("--log", serving.log), ("--summary", serving.summary), ("--calls", serving.calls)]
    _guard([("the suite", suite), ("--replay", recorded)], outputs)
    if recorded is not None:
        _unused(("suite", "task_id", "calls", "run_id", "upstream", "port", "host"), "serves nothing (--replay)")
        if serving.log is None and serving.summary is None:
            raise click.UsageError("a replay writes the events that it reads: name --log FILE")
        replay(recorded, serving)
        return
    if suite is None:
        raise click.UsageError("name a suite")
    if serving.port is None:
        _unused(("host",), "listens nowhere without --http")
    from ..suites.suite import read_suite

    found = read_suite(suite)
    sys.exit(start(found, found.task(task_id), serving, lambda text: click.echo(text, err=True)))


@suite.command()
@click.option("--suite", "suite_file", type=_file, required=True, help="The suite that was run.")
@click.option("--log", type=_file, required=True, help="The host's event log: JSON Lines.")
@click.option("--capabilities", type=_file, help="What the host says of itself; `[suites]` of the config may name it.")
@click.option("--summary", type=_file, help="The summary of the run, where the log does not hold it.")
@click.option("--calls", type=_file, help="The transcript of the calls: what was asked, and what the agent was given.")
@click.option("--answer", type=_file, help="The host's answer to the creation of the run, where it refused.")
@click.option("--replay-of", type=_file, help="The log that this one is a replay or fork of.")
@click.option(
    "--require-behavior",
    "require",
    is_flag=True,
    envvar="OPENWOP_REQUIRE_BEHAVIOR",
    help="What is not witnessed has failed; OPENWOP_REQUIRE_BEHAVIOR=true says the same.",
)
@click.option(
    "--write-bad", "bad", type=click.Path(file_okay=False, path_type=Path), help="Write known-bad logs into a folder."
)
@_format
@_reports
def conform(
    suite_file: Path, capabilities: Path | None, bad: Path | None, format_: str, reports: tuple[str, ...], **given: Any
) -> None:
    """Did a host obey? A verdict for every requirement, by its event log."""
    from ..report import suites as report
    from ..suites.asked import Asked
    from ..suites.capabilities import read_capabilities
    from ..suites.conform import conform as judge
    from ..suites.suite import read_suite

    capabilities = capabilities or _configured()
    if capabilities is None:
        raise click.UsageError("name what the host says of itself: --capabilities FILE")
    files: list[tuple[str, Path | None]] = [("--suite", suite_file), ("--capabilities", capabilities)]
    files += [(f"--{name.replace('_', '-')}", file) for name, file in given.items() if isinstance(file, Path)]
    _guard(files, _bad_logs(bad), reports)
    if bad is not None and given["log"].exists() and not given["log"].is_file():
        raise click.UsageError("--write-bad reads the log again and again, so --log must be a file")
    asked = Asked(read_suite(suite_file), read_capabilities(capabilities), **given)
    result = judge(asked)
    _reported("suite conform", result.findings, reports)
    if format_ == "json":
        click.echo(report.judged_json(result), nl=False)
    else:
        report.judged(result, sys.stdout)
    if bad is not None and result.exit == Exit.GOOD:
        _write_bad(asked, bad)
    sys.exit(result.exit)


def _guard(
    read: list[tuple[str, Path | None]], write: list[tuple[str, Path | None]], reports: tuple[str, ...] = ()
) -> None:
    """No output is an input or another output. Raises BadInput."""
    from ..report.findings import parse
    from ..suites.outputs import guard

    guard(read, [*write, *((f"--report {form}", file) for form, file in map(parse, reports))])


def _unused(names: tuple[str, ...], why: str) -> None:
    """What was given and would not be looked at is refused."""
    ctx = click.get_current_context()
    for param in ctx.command.params:
        if param.name in names and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE:
            named = param.opts[0] if param.opts[0].startswith("-") else f"the {param.opts[0]}"
            raise click.UsageError(f"{named} has no effect here: the command {why}")


def _bad_logs(folder: Path | None) -> list[tuple[str, Path | None]]:
    """The files that `--write-bad` may write."""
    from ..suites.faults import FAULTS

    return [] if folder is None else [("--write-bad", folder / f"{fault}.jsonl") for fault, _, _ in FAULTS]


def _configured() -> Path | None:
    """The capabilities that the config names."""
    from ..config import project
    from ..suites.settings import capabilities_file

    found = capabilities_file(project(Path.cwd(), discover=False))
    return None if found is None else Path(os.path.relpath(found))


def _reported(command: str, found: tuple[Finding, ...], reports: tuple[str, ...]) -> None:
    """The findings in the forms that all commands share."""
    from ..report.findings import parse, write

    for form, file in map(parse, reports):
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("w", encoding="utf-8", newline="\n") as stream:
                write(Findings(command, Path.cwd(), found), form, stream)
        except OSError as error:
            raise BadInput(Problem(f"cannot be written: {error.strerror or error}", str(file))) from None


def _write_bad(asked: Any, folder: Path) -> None:
    """One known-bad log a fault, each proven to be caught by exactly its own rule."""
    from ..suites.faults import known_bad

    found, without = known_bad(asked)
    folder.mkdir(parents=True, exist_ok=True)
    for log in found:
        (folder / f"{log.fault}.jsonl").write_text(log.text, encoding="utf-8", newline="\n")
        click.echo(f"{log.rule.code}  {log.fault}.jsonl", err=True)
    for fault in without:
        click.echo(f"none   {fault}: this log gives no opportunity", err=True)


@suite.command()
@click.argument("log", type=_file)
@click.option("--calls", type=_file, required=True, help="The transcript of the calls: the log holds no payloads.")
@click.option("--out", type=_output, help="Where to write the suite; on standard output without it.")
@click.option("--suite-id", default="recorded", show_default=True, help="What the suite is called.")
@click.option("--suite-version", "version", default="1.0.0", show_default=True, help="The suite's version.")
@click.option("--run", "run_id", metavar="ID", help="The run, where the log holds several.")
@click.option(
    "--task",
    "task_id",
    metavar="ID",
    help="The task of the log; its name, where the log names none.",
)
@click.option("--input", "input_", metavar="JSON|TEXT", help="What the agent was asked: the log does not say.")
def promote(log: Path, calls: Path, out: Path | None, input_: str | None, **named: Any) -> None:
    """From a recorded run to a suite task: its calls, failures as failures, credentials masked."""
    from ..config import project
    from ..masking import configured
    from ..report import suites as report
    from ..suites.outputs import written
    from ..suites.promote import Named
    from ..suites.promote import promote as make

    _guard([("the log", log), ("--calls", calls)], [("--out", out)])
    found = project(Path.cwd(), discover=False)
    masking = configured(found.sections, str(found.source), found.pointer)
    result = make(log, calls, masking, Named(input=_input(input_), **named))
    report.findings(result.findings, sys.stderr)
    for call in result.left:
        click.echo(f"left out: {call}", err=True)
    for place in result.masked:
        click.echo(f"masked: {place}", err=True)
    if result.suite is None:
        raise BadInput(Problem("nothing was promoted: see what is missing above", str(log)), Exit.FINDINGS)
    if out is not None:
        written(out, result.suite)
        return
    from ..values import dump

    click.echo(dump(result.suite), nl=False)


def _input(text: str | None) -> Any:
    """JSON where it is that, a text otherwise."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
