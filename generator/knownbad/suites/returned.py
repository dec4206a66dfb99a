"""What a call that has returned proves, and which rule it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..codes import suites as codes
from ..finding import Code
from .echo import echoes
from .explain import EITHER, FAILURE, SUCCESS, Step
from .findings import Said
from .served import OneRun, Open, Served
from .shaping import same_answer
from .suite import PASSTHROUGH, Task, ToolResponse
from .verdicts import Seen

_COMPARED = 16
"""Recorded failures that a message is compared with, where it is not known which of them was served."""


class Returned:
    """Judges calls that have returned."""

    def __init__(self, said: Said, seen: Seen, *, refused: bool) -> None:
        self.said = said
        self.seen = seen
        self._refused = refused
        """The host had to refuse the suite: of its calls nothing is asked but that no failure becomes a success."""

    def known(self, call: Open, task: Task) -> None:
        """A call whose arguments are known: there is one recorded call that answers it, or none."""
        entry, ended = call.response, _ended(call.event)
        if entry is None:
            if ended == SUCCESS and task.on_miss != PASSTHROUGH:
                self._break(codes.MISS_AS_SUCCESS, call, "matches nothing recorded, and ended well")
            elif call.recorded is not None and not call.recorded.is_error and task.on_miss != PASSTHROUGH:
                self._break(codes.MISS_AS_SUCCESS, call, "matches nothing recorded, and the agent was given a success")
        elif ended == SUCCESS and entry.is_error:
            self._break(codes.ERROR_AS_SUCCESS, call, "the recorded failure was replayed as a success", task, (entry,))
        elif ended == FAILURE and not entry.is_error:
            self._break(codes.SUCCESS_AS_ERROR, call, "the recorded success was replayed as a failure", task, (entry,))
        else:
            self._proved(call, task, Step((entry,), certain=True), ended)

    def stray(self, call: Open) -> None:
        """A call of a tool that is in no task, none of which goes to a live tool: a miss."""
        if _ended(call.event) == SUCCESS:
            self._break(codes.MISS_AS_SUCCESS, call, "its tool is in no task, and it ended well")

    def explained(self, run: OneRun, served: Served, tool: str) -> None:
        """Calls whose arguments are not known, in the order of their begin, as far as they have returned."""
        while (call := served.next(tool)) is not None:
            ended = _ended(call.event)
            step = served.unknown[tool].step(ended)
            if not step.contradicts:
                self._proved(call, served.task, step, ended)
                continue
            run.contradicted = True
            entries = step.candidates
            if ended == FAILURE:
                message = "a recorded success was replayed as a failure"
                self._break(codes.SUCCESS_AS_ERROR, call, message, served.task, entries)
            elif any(entry.is_error for entry in entries):
                entries = tuple(entry for entry in entries if entry.is_error)
                message = "a recorded failure was replayed as a success"
                self._break(codes.ERROR_AS_SUCCESS, call, message, served.task, entries)
            else:
                self._break(codes.MISS_AS_SUCCESS, call, "nothing recorded is left, and it ended well")

    def _break(
        self, rule: Code, call: Open, message: str, task: Task | None = None, entries: tuple[ToolResponse, ...] = ()
    ) -> None:
        if self._refused:
            if rule is not codes.ERROR_AS_SUCCESS:
                return
            rule = codes.SERVED_SILENTLY
        detail: tuple[str, ...] = ()
        if task is not None and entries:
            detail = tuple(f"{task.place(e)} ({task.pointer(e)})" for e in entries[:3])
        self.said.add(rule, call.returned or call.at, message, call.call_id, detail)

    def _proved(self, call: Open, task: Task, step: Step, ended: str) -> None:
        """A call ended as recorded: what it proves, and what else its event shows."""
        failures = tuple(entry for entry in step.candidates if entry.is_error)
        if ended == SUCCESS:
            self.seen.served += bool(step.candidates) and (step.certain or task.on_miss != PASSTHROUGH)
            successes = tuple(entry for entry in step.candidates if not entry.is_error)
            if step.certain and successes and call.recorded is not None:
                given = call.recorded
                if given.is_error or not any(same_answer(e.response, given.response) for e in successes):
                    what = "a failure" if given.is_error else "another payload"
                    message = f"the agent was given {what}, and a success is recorded"
                    self._break(codes.SUCCESS_ALTERED, call, message, task, successes[:1])
            return
        if not failures:
            return
        certain = step.certain and len(failures) == len(step.candidates)
        self.seen.served_errors += certain and ended == FAILURE
        event = call.event or {}
        if certain and event.get("status", "error") in ("forbidden", "rate_limited"):
            message = f"says `status: {event['status']}`, and a recorded failure was served: `error`"
            self._break(codes.STATUS, call, message, task, failures)
        self._echoed(call, task, event, failures)
        effects = event.get("effectCount")
        if certain and isinstance(effects, int) and not isinstance(effects, bool):
            self.seen.effects += 1
            if effects > 0:
                often = "once" if effects == 1 else f"{effects} times"
                message = f"the live tool ran {often} for a call with a recorded failure"
                self._break(codes.RETRIED_LIVE, call, message, task, failures)
        if certain and call.recorded is not None:
            self.seen.given += 1
            given = call.recorded
            if not given.is_error or not any(same_answer(e.response, given.response) for e in failures):
                what = "another payload" if given.is_error else "a success"
                message = f"the agent was given {what}, and a failure is recorded"
                self._break(codes.AGENT_SAW_OTHER, call, message, task, failures[:1])

    def _echoed(self, call: Open, task: Task, event: Mapping[str, Any], failures: tuple[ToolResponse, ...]) -> None:
        error = event.get("error")
        message = error.get("message") if isinstance(error, dict) else None
        if not isinstance(message, str) or not message:
            return
        self.seen.messages += 1
        for entry in failures[:_COMPARED]:
            if echoes(message, entry.response) is not None:
                text = "`error.message` repeats what the tool answered; a short, fixed text is enough"
                self._break(codes.PAYLOAD_ECHOED, call, text, task, (entry,))
                return


def _ended(event: Mapping[str, Any] | None) -> str:
    """How a call ended. What has both counts as a failure: the outcome that is too much is another rule."""
    if not event or "error" not in event and "outcome" not in event:
        return EITHER
    return FAILURE if "error" in event else SUCCESS
