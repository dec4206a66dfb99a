"""Admission: may a host run a suite, and what it must answer if not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..codes.suites import EVAL_SUITE_UNADVERTISED, FIXTURE_ERRORS_UNADVERTISED, SUITE_BEYOND_HOST
from ..finding import Code, Finding
from .capabilities import Capabilities
from .suite import Suite


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a run must not begin. `field`: of the task, where there is one, of the suite otherwise."""

    code: Code
    field: str
    message: str
    location: str
    task: str | None = None
    place: str | None = None
    """The field in the suite, with the number of the task."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Every reason why a host must not run a suite."""

    suite: Suite
    reasons: tuple[Reason, ...]

    @property
    def body(self) -> dict[str, Any]:
        """The `400 validation_error` that the creation of the run must be answered with."""
        details = []
        for reason in self.reasons:
            task = {} if reason.task is None else {"task": reason.task}
            details.append({"field": reason.field, **task, "message": reason.message})
        count = len(details)
        message = f"the suite {self.suite.suite_id} cannot be run here: {count} reason{'s' * (count != 1)}"
        return {"status": 400, "error": "validation_error", "message": message, "details": details}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One finding a reason."""
        return tuple(
            Finding(
                r.code,
                f"{r.place or r.field}: {r.message}" + (f" (task {r.task})" if r.task else ""),
                self.suite.file,
                r.location,
                subject=r.task or "",
                fix=_FIXES[r.code.code],
            )
            for r in self.reasons
        )


_FIXES = {
    EVAL_SUITE_UNADVERTISED.code: "run it on a host that advertises `agents.evalSuite`",
    FIXTURE_ERRORS_UNADVERTISED.code: "run it on a host that advertises `agents.evalSuite.fixtureErrors`",
    SUITE_BEYOND_HOST.code: "run it on another host, or ask for less",
}


def refusal(suite: Suite, capabilities: Capabilities) -> Refusal | None:
    """Why the host must not run the suite, with every reason; None where it may."""
    reasons = tuple(_reasons(suite, capabilities))
    return Refusal(suite, reasons) if reasons else None


def _reasons(suite: Suite, capabilities: Capabilities) -> Iterator[Reason]:
    if not capabilities.eval_suite:
        message = "the host does not advertise `agents.evalSuite`, so it runs no eval suite"
        yield Reason(EVAL_SUITE_UNADVERTISED, "agents.evalSuite", message, "")
        return
    if not capabilities.fixture_errors:
        for task, response in suite.errors:
            yield Reason(
                FIXTURE_ERRORS_UNADVERTISED,
                f"{response.field}.isError",
                "the host does not advertise `agents.evalSuite.fixtureErrors`, so it cannot replay a failed call",
                task.pointer(response, "isError"),
                task.task_id,
                f"{task.place(response)}.isError",
            )
    if capabilities.modes and not set(suite.modes) & set(capabilities.modes):
        message = "the host grades in none of these modes; it knows " + ", ".join(capabilities.modes)
        yield Reason(SUITE_BEYOND_HOST, "modes", message, "/modes")
    if capabilities.max_tasks is not None and len(suite.tasks) > capabilities.max_tasks:
        message = f"{len(suite.tasks)} tasks, and the host runs at most {capabilities.max_tasks}"
        yield Reason(SUITE_BEYOND_HOST, "tasks", message, "/tasks")
