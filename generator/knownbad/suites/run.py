"""A run of one task: calls in, recorded answers out, and what happened on the log. It knows nothing of transports.

Matching and the event that says so happen in one go, without a point at which another call could come between, so
concurrent calls are served in the order in which they are logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .args_hash import args_hash
from .events import EVAL_COMPLETED, FAILED, MISSED, TOOL_CALLED, TOOL_RETURNED, JsonLines
from .matching import Consumption
from .suite import FAIL, PASSTHROUGH, Suite, Task, ToolResponse

NO_MATCH = "No recorded call of this task matches."
"""What an agent is told of a call that matches nothing."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that began. `response`: the recorded call that answers it, None for a miss."""

    call_id: str
    tool: str
    args: Mapping[str, Any]
    response: ToolResponse | None


@dataclass
class Run:
    """One run of a task on a host of ours."""

    suite: Suite
    task: Task
    log: JsonLines
    calls: JsonLines
    run_id: str = "run-1"
    misses: int = 0
    failed: bool = False
    """A call matched nothing and `onMiss` is `fail`: the run is over."""
    _unserved: Consumption = field(init=False)
    _events: int = 0
    _begun: int = 0

    def __post_init__(self) -> None:
        self._unserved = Consumption(self.task.responses)

    def begin(self, tool: str, args: Mapping[str, Any]) -> Call:
        """Log a call and take the recorded answer, if there is one."""
        self._begun += 1
        call = Call(f"call-{self._begun}", tool, args, self._unserved.take(tool, args))
        self._event(TOOL_CALLED, callId=call.call_id, tool=tool, argsHash=args_hash(dict(args)))
        if call.response is None:
            self.misses += 1
            self.failed |= self.task.on_miss == FAIL
        return call

    def served(self, call: Call) -> None:
        """Log that a call was answered with its recorded answer."""
        assert call.response is not None
        self.ended(call, call.response.response, FAILED if call.response.is_error else None)

    def missed(self, call: Call) -> None:
        """Log that a call was answered with the error of a miss."""
        self.ended(call, {"content": [{"type": "text", "text": NO_MATCH}]}, MISSED)

    def ended(self, call: Call, response: Any, error: Mapping[str, str] | None) -> None:
        """Log how a call ended. What it was answered goes to the transcript only."""
        how: dict[str, Any] = {"outcome": "ok", "status": "ok"}
        if error is not None:
            how = {"error": dict(error), "status": "error"}
        self._event(TOOL_RETURNED, callId=call.call_id, tool=call.tool, **how)
        failed = {} if error is None else {"isError": True}
        line = {"callId": call.call_id, "tool": call.tool, "args": dict(call.args), **failed, "response": response}
        self.calls.write(line)

    @property
    def live(self) -> bool:
        """Whether a miss goes to the live tool."""
        return self.task.on_miss == PASSTHROUGH

    @property
    def summary(self) -> dict[str, Any]:
        """What is left of the run: names and numbers."""
        return {
            "suiteId": self.suite.suite_id,
            "version": self.suite.version,
            "runId": self.run_id,
            "tasks": 1,
            "fixtureMissCount": self.misses,
        }

    def finish(self) -> dict[str, Any]:
        """Log that the run is over, with its summary."""
        event = {"type": EVAL_COMPLETED, "runId": self.run_id, "summary": self.summary}
        self.log.write({"sequence": self._events, **event})
        self._events += 1
        return self.summary

    def _event(self, kind: str, **members: Any) -> None:
        head = {"sequence": self._events, "type": kind, "runId": self.run_id, "taskId": self.task.task_id}
        self.log.write({**head, **members})
        self._events += 1
