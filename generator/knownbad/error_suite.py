"""What emitted tests of error contracts call: each check passes, or raises an AssertionError with the one message."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import BadInput, Problem
from .finding import Finding, Level
from .report.error_fixtures import text

if TYPE_CHECKING:
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


def _none(findings: Iterable[Finding]) -> None:
    """Raises AssertionError for findings that count."""
    __tracebackhide__ = True
    counted = [f for f in findings if f.weight in (Level.ERROR, Level.UNDECIDED)]
    if counted:
        raise AssertionError("\n".join(map(text, counted)))
