"""An eval suite: its tasks and the recorded calls of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..codes.suites import SUITE_INVALID
from ..errors import NO_VALUE, BadInput, Problem
from ..finding import Finding
from ..pointers import join
from .contracts import SUITE, misfits, place
from .lines import document

EXACT, SUBSET, ANY = "exact", "subset", "any"
ERROR, FAIL, PASSTHROUGH = "error", "fail", "passthrough"


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """One recorded call. `index`: its place among the task's; `response` is opaque."""

    index: int
    tool: str
    args: Mapping[str, Any]
    match: str
    is_error: bool
    response: Any

    @property
    def field(self) -> str:
        """Where it stands in its task, as people write it."""
        return f"fixtures.toolResponses[{self.index}]"


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `index`: its place in the suite."""

    index: int
    task_id: str
    input: Any
    responses: tuple[ToolResponse, ...]
    on_miss: str

    @property
    def tools(self) -> tuple[str, ...]:
        """The recorded tools, each once, in the order in which they first appear."""
        return tuple(dict.fromkeys(response.tool for response in self.responses))

    def pointer(self, response: ToolResponse, *more: str) -> str:
        """The JSON Pointer of a recorded call, or of a member of it, in the suite."""
        return join("", "tasks", self.index, "fixtures", "toolResponses", response.index, *more)

    def place(self, response: ToolResponse) -> str:
        """Where a recorded call stands in the suite, as people write it."""
        return f"tasks[{self.index}].{response.field}"


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite that fits its contract."""

    suite_id: str
    version: str
    modes: tuple[str, ...]
    tasks: tuple[Task, ...]
    file: str

    @property
    def errors(self) -> tuple[tuple[Task, ToolResponse], ...]:
        """Every recorded failure, with its task."""
        return tuple((t, r) for t in self.tasks for r in t.responses if r.is_error)

    def task(self, task_id: str | None) -> Task:
        """A task by its name, or the only one. Raises BadInput."""
        names = [task.task_id for task in self.tasks]
        if task_id is None and len(names) == 1:
            return self.tasks[0]
        if task_id in names:
            return self.tasks[names.index(task_id)]
        fix = "one of " + ", ".join(names)
        if task_id is None:
            raise BadInput(Problem("has more than one task, and none was named", self.file, fix=fix))
        raise BadInput(Problem("has no such task", self.file, value=task_id, fix=fix))


def read_suite(path: Path) -> Suite:
    """The suite in a file. Raises BadInput with everything that is wrong with it."""
    value = document(path)
    return suite_of(value, str(path))


def suite_of(value: Any, file: str) -> Suite:
    """The suite that a document holds; `file` is what messages call it. Raises BadInput."""
    found = list(suite_findings(value, file))
    if found:
        raise BadInput([Problem(f.message, file, f.location, f.witness) for f in found])
    tasks = tuple(_task(index, task) for index, task in enumerate(value["tasks"]))
    return Suite(value["suiteId"], value["version"], tuple(value["modes"]), tasks, file)


def suite_findings(value: Any, file: str) -> Iterator[Finding]:
    """Everything in which a document is no suite, named by task and entry as well as by pointer."""
    for misfit in misfits(SUITE, value):
        named = place(misfit.location, value)
        message = f"{named}: {misfit.message}" if named else misfit.message
        yield Finding(
            SUITE_INVALID, message, file, misfit.location, subject=misfit.keyword_location, witness=misfit.value
        )
    seen: dict[Any, int] = {}
    tasks = value.get("tasks") if isinstance(value, dict) else None
    for index, task in enumerate(tasks if isinstance(tasks, list) else ()):
        name = task.get("taskId") if isinstance(task, dict) else None
        if not isinstance(name, str):
            continue
        if name in seen:
            message = f"tasks[{index}].taskId: tasks[{seen[name]}] has the same name"
            yield Finding(SUITE_INVALID, message, file, join("", "tasks", index, "taskId"), subject=name, witness=name)
        seen.setdefault(name, index)


def _task(index: int, task: Mapping[str, Any]) -> Task:
    fixtures = task.get("fixtures", {})
    responses = tuple(_response(n, entry) for n, entry in enumerate(fixtures.get("toolResponses", ())))
    return Task(index, task["taskId"], task["input"], responses, fixtures.get("onMiss", ERROR))


def _response(index: int, entry: Mapping[str, Any]) -> ToolResponse:
    args = entry.get("args", NO_VALUE)
    match = entry.get("argsMatch", ANY if args is NO_VALUE else EXACT)
    return ToolResponse(
        index,
        entry["tool"],
        {} if args is NO_VALUE else args,
        match,
        entry.get("isError", False),
        entry["response"],
    )
