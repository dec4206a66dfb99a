"""Conformance: did a host obey? The log is read once, line by line, in memory that does not grow with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..codes import suites as codes
from ..errors import BadInput, Problem
from .admission import Refusal, refusal
from .answer import missing_in
from .args_hash import ByHash
from .asked import Asked, Judged
from .contracts import CALLED, RETURNED
from .events import TOOL_CALLED, TOOL_RETURNED, flat, summary_in
from .explain import sums
from .findings import Said, Witnessed
from .lines import Line, document, lines, rereadable
from .malformed import broken
from .misses import Unmissed, foreign, grown, miss_count
from .rereading import reread
from .returned import Returned
from .served import OneRun, Open, Served
from .suite import PASSTHROUGH, Task
from .transcript import Transcript, contradicted
from .verdicts import Seen, verdicts

OPEN_RUNS = 256
"""Runs that a log may hold side by side. Beyond that, the one that was quiet longest is taken for ended."""
EARLY = 1000
"""Returns without a call that are remembered, to tell a wrong order from a call that never was."""


def conform(asked: Asked) -> Judged:
    """Judge a host by its log. Raises BadInput."""
    with rereadable(asked.log) as log:
        judge = _Judge(asked, log)
        judge.read()
    found = tuple(verdicts(asked.suite, asked.capabilities, judge.said, judge.seen, asked.require))
    return Judged(asked, found, tuple(judge.said.findings), dict(judge.said.count))


class _Judge:
    """One reading of a log."""

    def __init__(self, asked: Asked, log: Path) -> None:
        self.asked = asked
        self._log = log
        """The log as it can be read more than once."""
        self.said = Said(str(asked.log))
        self.seen = Seen()
        self._transcript = None if asked.calls is None else Transcript(asked.calls)
        self._tasks = {task.task_id: task for task in asked.suite.tasks}
        self._by_hash = {task.task_id: ByHash(task) for task in asked.suite.tasks}
        self._runs: OrderedDict[str | None, OneRun] = OrderedDict()
        self._refusal = self._refused()
        self._calls = Returned(self.said, self.seen, refused=self._refusal is not None)
        self._summary: Any = None if asked.summary is None else document(asked.summary)
        self._beside = miss_count(self._summary)
        self._unmissed = Unmissed(log, self._beside, asked.suite, str(asked.log))
        self._misses = 1
        """Every number of misses that explains the runs so far; bit `n` stands for `n`."""
        self._doubtful = False
        self._spoilt = 0
        """Lines that nothing can be told of: each may be the event that another one lacks."""

    def _refused(self) -> Refusal | None:
        """Why the host had to refuse the suite, for the reasons of this RFC."""
        found = refusal(self.asked.suite, self.asked.capabilities) if self.asked.suite.errors else None
        promised = self.asked.capabilities.eval_suite and self.asked.capabilities.fixture_errors
        return None if promised else found

    def read(self) -> None:
        """Everything: the log, and what was given with it."""
        cut = False
        for line in lines(self._log, named=str(self.asked.log)):
            self.seen.lines += 1
            if line.value is None:
                cut = line.cut
                self._unreadable(line)
            else:
                self._event(line, flat(line.value))
        for run in self._runs.values():
            self._ended(run, cut)
        self._summary_beside()
        self._answered()
        if self.asked.replay_of is not None:
            self.seen.reread, other = reread(self.asked.replay_of, self._log)
            if other is not None:
                self.said.add(codes.REPLAY_DIFFERS, *other)

    def _unreadable(self, line: Line) -> None:
        if line.cut:
            message = f"the log ends in the middle of a line, at byte {line.at}; what came before was judged"
            self.said.add(codes.LOG_CUT, line, message, witness=line.text)
        else:
            self.said.add(codes.LINE_UNREADABLE, line, f"{line.wrong} (byte {line.at})", witness=line.text)
            event = flat(line.spare)
            if event.get("type") in (TOOL_CALLED, TOOL_RETURNED) and isinstance(event.get("callId"), str):
                self._event(line, event, readable=False)
            else:
                self._spoilt += 1

    def _event(self, line: Line, event: Mapping[str, Any], *, readable: bool = True) -> None:
        kind = event.get("type")
        if kind in (TOOL_CALLED, TOOL_RETURNED):
            if self._refusal is not None and not self.said.count[codes.RAN_UNADMITTED.code]:
                message = f"the host had to refuse this suite: {self._refusal.reasons[0].message}"
                self.said.add(codes.RAN_UNADMITTED, line, message, detail=_named(self._refusal))
            if readable:
                self._malformed(line, event, CALLED if kind == TOOL_CALLED else RETURNED)
            call_id = event.get("callId")
            if not isinstance(call_id, str) or not call_id:
                return
            run = self._run(event)
            if not self._again(line, event, run, call_id):
                self._in_sequence(line, event, run, call_id)
                (self._called if kind == TOOL_CALLED else self._returned)(line, event, run, call_id)
        elif isinstance(kind, str) and kind.startswith("eval."):
            self._grown(line, event)
            if (summary := summary_in(event)) is not None:
                self._summarised(line, event, summary)

    def _malformed(self, line: Line, event: Mapping[str, Any], contract: str) -> None:
        """The rules that an event breaks by itself."""
        call = event.get("callId")
        for rule, message in broken(event, contract, hooks=self.asked.capabilities.pre_post_events):
            self.said.add(rule, line, message, call if isinstance(call, str) and call else None)

    def _run(self, event: Mapping[str, Any]) -> OneRun:
        found = event.get("runId")
        run_id = found if isinstance(found, str) and found else None
        run = self._runs.get(run_id)
        if run is None:
            if len(self._runs) >= OPEN_RUNS:
                self._ended(self._runs.popitem(last=False)[1], False)
            run = self._runs[run_id] = OneRun(run_id)
        self._runs.move_to_end(run_id)
        return run

    def _again(self, line: Line, event: Mapping[str, Any], run: OneRun, call_id: str) -> bool:
        """Whether an event stands on the log a second time, which is told as that and nothing else."""
        if event["type"] == TOOL_CALLED:
            doubled = run.doubled(event, call_id, event.get("tool", ""))
            if doubled:
                self.said.add(codes.NO_RETURN, line, "was called before, and does not return twice", call_id)
            return doubled
        doubled = call_id in run.closed and call_id not in run.open
        if doubled:
            self.said.add(codes.NO_CALL, line, "returned before, and was not called again", call_id)
        return doubled

    def _in_sequence(self, line: Line, event: Mapping[str, Any], run: OneRun, call: str) -> None:
        number = event.get("sequence")
        if not isinstance(number, int) or isinstance(number, bool):
            return
        if run.sequence is not None and number <= run.sequence:
            message = f"sequence {number} comes after {run.sequence}"
            self.said.add(codes.OUT_OF_ORDER, line, message, call)
        run.sequence = max(number, run.sequence if run.sequence is not None else number)

    def _called(self, line: Line, event: Mapping[str, Any], run: OneRun, call_id: str) -> None:
        tool = event.get("tool")
        if not isinstance(tool, str):
            return
        self.seen.calls += 1
        at = Witnessed(line.number, line.offset, call_id)
        if (before := run.open.pop(call_id, None)) is not None:
            self._never_returned(run, before)
        call = Open(at, call_id, tool, self._served(line, event, run, call_id, tool), event.get("sequence"))
        call.stray = call.served is None and event.get("taskId") is None and not self._fitting(tool)
        run.strays += call.stray
        call.recorded = None if self._transcript is None else self._transcript.call(run.run_id, call_id)
        told = call.recorded
        if told is not None and (other := contradicted(event, told)):
            self.said.add(codes.CALL_CONTRADICTS, line, f"{other} ({self.asked.calls})", call_id)
            call.recorded = None  # what it says was given is not of this call
        if call.served is not None:
            args = event.get("args")
            if not isinstance(args, dict):
                args = None if told is None else told.args
            if args is None:
                args = self._by_hash[call.served.task.task_id].args(tool, event.get("argsHash"))
            call.served.begin(call, args)
        if (early := run.early.pop(call_id, None)) is not None:
            self.said.add(codes.OUT_OF_ORDER, early[0], f"returned before it was called, on line {at.line}", call_id)
            self._pair(run, call, *early)
        else:
            run.open[call_id] = call

    def _served(self, line: Line, event: Mapping[str, Any], run: OneRun, call: str, tool: str) -> Served | None:
        """The task that a call belongs to; None where nobody can tell."""
        task = self._task(event, tool)
        if task is None:
            named = event.get("taskId")
            if named is None and not self._fitting(tool):
                return None
            run.contradicted = True
            if named is None:
                self._unresolved("the log does not name tasks, and the suite has several with these tools")
            else:
                self.said.add(codes.EVENT_MALFORMED, line, f"the suite has no task {named!r}", call)
            return None
        trial = event.get("trial")
        key = (task.task_id, trial if isinstance(trial, int) else None)
        if key not in run.tasks:
            run.tasks[key] = Served(task, self._unmissed.holds(run.run_id))
        return run.tasks[key]

    def _task(self, event: Mapping[str, Any], tool: str) -> Task | None:
        named = event.get("taskId")
        if isinstance(named, str):
            return self._tasks.get(named)
        fitting = self._fitting(tool)
        return fitting[0] if len(fitting) == 1 else None

    def _fitting(self, tool: str) -> list[Task]:
        """The tasks that a call of this tool may belong to."""
        tasks = self.asked.suite.tasks
        return [task for task in tasks if len(tasks) == 1 or tool in task.tools]

    def _returned(self, line: Line, event: Mapping[str, Any], run: OneRun, call_id: str) -> None:
        at = Witnessed(line.number, line.offset, call_id)
        call = run.open.pop(call_id, None)
        if call is not None:
            self._pair(run, call, at, event)
            return
        if len(run.early) >= EARLY:
            lost, event_before = run.early.popitem()
            run.blind.add(event_before[1].get("tool"))
            self._never_called(lost, event_before)
        if call_id in run.early:
            self._never_called(call_id, run.early[call_id])
        run.early[call_id] = (at, event)

    def _pair(self, run: OneRun, call: Open, at: Witnessed, event: Mapping[str, Any]) -> None:
        """A call and its return are both there."""
        if isinstance(event.get("tool"), str) and event["tool"] != call.tool:
            message = f"is of {event['tool']}, and the call was of {call.tool}"
            self.said.add(codes.EVENT_MALFORMED, at, message, call.call_id)
        run.close(call)
        served = call.served
        call.event, call.returned = event, at
        if call.stray and not any(task.on_miss == PASSTHROUGH for task in self.asked.suite.tasks):
            self._calls.stray(call)
        if served is None:
            return
        if not call.known:
            self._explained(run, served, call.tool)
        elif not run.missing(call.tool):
            self._calls.known(call, served.task)

    def _explained(self, run: OneRun, served: Served, tool: str) -> None:
        """Judge the calls of a tool without known arguments, unless one of them is missing so far."""
        if not run.missing(tool):
            if tool in served.waiting:
                self._calls.explained(run, served, tool)
        elif len(served.waiting.get(tool, ())) > EARLY:
            run.blind.add(tool)
            served.waiting[tool].clear()

    def _summarised(self, line: Line, event: Mapping[str, Any], summary: Mapping[str, Any]) -> None:
        if other := foreign(summary, self.asked.suite):
            self.said.add(codes.EVENT_MALFORMED, line, f"summary: {other}")
            return
        self.seen.summaries += 1
        count = miss_count(summary)
        if count is None:
            message = "`fixtureMissCount` must be an integer from 0 on"
            self.said.add(codes.EVENT_MALFORMED, line, message, witness=summary.get("fixtureMissCount"))
            return
        named = event.get("runId", summary.get("runId"))
        if named not in self._runs and len(self._runs) == 1:
            run = next(iter(self._runs.values()))
        else:
            run = self._run({"runId": named})
        run.count, run.counted_at = count, Witnessed(line.number, line.offset)

    def _grown(self, line: Line | None, summary: Mapping[str, Any]) -> None:
        where = "the summary" if line is None else "the event"
        for name in grown(summary):
            self.said.add(codes.SUMMARY_GREW, line, f"{where} has a member `{name}`")

    def _ended(self, run: OneRun, cut: bool) -> None:
        """A run is over: what is open stays open, and the misses can be counted."""
        for call_id, early in run.early.items():
            self._never_called(call_id, early)
        for call in run.open.values():
            if not cut:
                self._never_returned(run, call)
        lost = bool(run.early or run.blind)
        run.contradicted |= lost
        possible = 1 << run.strays
        for served in run.tasks.values():
            for tool in served.waiting:
                self._explained(run, served, tool)
            possible = sums(possible, served.possible_misses)
        self._misses = sums(self._misses, possible)
        self._doubtful |= run.contradicted or cut
        for served in run.tasks.values():
            count = run.count if run.count is not None else self._beside
            self._resolved(served, count, run.contradicted, lost)
        if run.count is None or self._refusal is not None:
            return
        self.seen.unexplained |= run.contradicted
        if not run.contradicted:
            self.seen.counted = True
            self._miscounted(run.counted_at, run.count, possible)

    def _resolved(self, served: Served, count: int | None, contradicted: bool, lost: bool) -> None:
        """What can be said of calls without known arguments now that the misses are counted."""
        for tool in served.unknown.values():
            if not contradicted and self.seen.served_errors == 0 and tool.witnessed(count):
                self.seen.served_errors += 1
        reason = served.unresolved(count)
        if reason and not lost and served.task.index in {task.index for task, _ in self.asked.suite.errors}:
            self._unresolved(reason, "give the transcript of the calls: --calls FILE")

    def _unresolved(self, reason: str, fix: str | None = None) -> None:
        """It stays open which recorded calls were served. Told once."""
        if not self.seen.unresolved:
            self.seen.unresolved = reason
            self.said.add(codes.CALLS_UNRESOLVED, None, reason, fix=fix)

    def _miscounted(self, at: Witnessed | None, count: int, possible: int) -> None:
        if possible >> count & 1:
            return
        least = (possible & -possible).bit_length() - 1
        if count > least:
            message = f"the summary counts {count} misses, and there were {least}: what was served is no miss"
        else:
            message = f"the summary counts {count} misses, and there were {least}"
        self.said.add(codes.MISS_COUNT, at, message)

    def _summary_beside(self) -> None:
        """The summary in a file of its own is of everything on the log."""
        if self.asked.summary is None:
            return
        if self._beside is None:
            problem = Problem("has no `fixtureMissCount` that is an integer from 0 on", str(self.asked.summary))
            raise BadInput(problem)
        if other := foreign(self._summary, self.asked.suite):
            raise BadInput(Problem(other, str(self.asked.summary)))
        self.seen.summaries += 1
        self._grown(None, self._summary)
        if self._refusal is None:
            self.seen.unexplained |= self._doubtful
            self.seen.counted |= not self._doubtful
            if not self._doubtful and not self.said.count[codes.MISS_COUNT.code]:
                self._miscounted(None, self._beside, self._misses)

    def _answered(self) -> None:
        if self.asked.answer is None:
            return
        if self._refusal is not None:
            self.seen.answered = True
            for message in missing_in(self.asked.answer, self._refusal):
                self.said.add(codes.REFUSAL_INCOMPLETE, None, f"{self.asked.answer}: {message}")

    def _never_returned(self, run: OneRun, call: Open) -> None:
        if not self._excused():
            self.said.add(codes.NO_RETURN, call.at, "the call never returned", call.call_id)
        if call.served is not None and call.tool in call.served.waiting:
            call.event = {}
            self._explained(run, call.served, call.tool)

    def _never_called(self, call_id: str, early: tuple[Witnessed, Mapping[str, Any]]) -> None:
        if not self._excused():
            self.said.add(codes.NO_CALL, early[0], "returned, and was never called", call_id)

    def _excused(self) -> bool:
        """Whether what is missing may have stood on a line that cannot be read."""
        excused = self._spoilt > 0
        self._spoilt -= excused
        return excused


def _named(refused: Refusal) -> tuple[str, ...]:
    return tuple(f"{reason.place or reason.field} ({reason.location})" for reason in refused.reasons[:3])
