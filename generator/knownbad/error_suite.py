"""What emitted tests of error contracts call: each check passes, or raises an AssertionError with the one message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import BadInput, Problem
from .finding import Finding, Level
from .report.error_fixtures import text

if TYPE_CHECKING:
    from .replay.outcome import Run
    from .twins.check import ToolCheck
    from .twins.plan import Room


class ErrorSuite:
    """The error fixtures of one tool of the project at `root`. Files are called by their names."""

    def __init__(self, root: Path, tool: str) -> None:
        from .config import project
        from .twins.check import ToolCheck
        from .twins.plan import room

        self.tool = tool
        found = room(project(root.resolve()))
        if found is None:
            raise BadInput(Problem("there is no catalogue of errors", str(root)))
        self.room: Room = found
        self._check: ToolCheck = ToolCheck(found, tool)
        self._fixtures = {file.path.name: file for file in self._check.disk.of(True)}
        self._runs: dict[bool, Run | str] = {}
        self._twins = {file.path.name: file for file in self._check.disk.of(False)}

    @property
    def cases(self) -> list[str]:
        """The documented cases by name: a class, a service, an environment."""
        return [case.name for case in self._check.cases]

    @property
    def fixtures(self) -> list[str]:
        """The files of the fixtures."""
        return list(self._fixtures)

    @property
    def twins(self) -> list[str]:
        """The files of the known-bad twins."""
        return list(self._twins)

    def check_files(self) -> None:
        """The files are those that `corpus.json` has rows for, and nobody edited them since."""
        __tracebackhide__ = True
        files = (finding for file in self._check.disk.files for finding in self._check.recorded(file))
        _none([*self._check.headers(), *self._check.missing(), *files])

    def check_case(self, name: str) -> None:
        """A documented case has a fixture."""
        __tracebackhide__ = True
        _none(self._without.get(name, ()))

    @cached_property
    def _without(self) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for case, finding in self._check.without_fixture():
            found.setdefault(case.name, []).append(finding)
        return found

    def check_fixture(self, file: str) -> None:
        """A fixture belongs to a documented class, and all three assertions hold."""
        __tracebackhide__ = True
        _none(self._check.judged(self._fixtures[file]))

    def check_twin(self, file: str) -> None:
        """A known-bad twin fails the assertion that its row names, and no other."""
        __tracebackhide__ = True
        _none(self._check.judged(self._twins[file]))

    def check_reply(self, name: str, *, live: bool = False) -> None:
        """The tool answers the fixture's request as documented: in process, or as it runs.

        Skips where the config names no way to the tool, and where leaving the process was not allowed.
        """
        __tracebackhide__ = True
        import pytest

        run = self._run(live)
        if isinstance(run, str):
            pytest.skip(run)
        mine = tuple(one for one in run.replayed if one.kept.case.name == name)
        if not mine:
            pytest.skip("the class does not belong to this environment")
        wrong = tuple(one for one in mine if one.held.outcome != "passed")
        if wrong:
            raise AssertionError(self._message(replace(run, replayed=wrong)))

    def _message(self, run: Run) -> str:
        from io import StringIO

        from .replay.plan import plan
        from .report.replays import text as message

        stream = StringIO()
        message(run, plan(self.room.project).settings.masking, stream)
        return stream.getvalue().rstrip()

    def _run(self, live: bool) -> Run | str:
        """One replay of all fixtures of the tool, or why there is none."""
        if live not in self._runs:
            self._runs[live] = self._replayed(live)
        return self._runs[live]

    def _replayed(self, live: bool) -> Run | str:
        import os

        from .replay.plan import plan
        from .replay.run import ReplayOptions, replay

        project = self.room.project
        if live and os.environ.get("KNOWNBAD_LIVE", "") in ("", "0"):
            return "leaves this process: set KNOWNBAD_LIVE=1"
        if "replay" not in project.sections:
            return "no way to the tool is configured: [replay]"
        wanted = plan(project)
        kinds = wanted.settings.kinds(self.tool, wanted.settings.environment)
        if not [kind for kind in kinds if (kind != "callable") is live]:
            return "no way of this kind to the tool is configured: [replay]"
        return replay(wanted, ReplayOptions(live=live, tools=(self.tool,)))


def _none(findings: Iterable[Finding]) -> None:
    """Raises AssertionError for findings that count."""
    __tracebackhide__ = True
    counted = [f for f in findings if f.weight in (Level.ERROR, Level.UNDECIDED)]
    if counted:
        raise AssertionError("\n".join(map(text, counted)))
