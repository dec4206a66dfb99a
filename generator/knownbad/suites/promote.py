"""Promotion: the tool boundary of a recorded run becomes the recorded calls of a task, failures as failures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..codes import suites as codes
from ..errors import BadInput, Problem
from ..finding import Code, Finding
from ..masking import Masking
from ..pointers import join, steps
from .args_hash import contradicts
from .events import MISSED, TOOL_CALLED, TOOL_RETURNED, UNREACHED, flat
from .lines import objects
from .secrets import Secrets
from .suite import ANY, EXACT, SUBSET, suite_of
from .transcript import Recorded, Transcript


@dataclass(frozen=True, slots=True)
class Named:
    """What a promoted suite is called, and what its tasks ask: a log does not say."""

    suite_id: str = "recorded"
    version: str = "1.0.0"
    run_id: str | None = None
    task_id: str | None = None
    input: Any = None


@dataclass
class Promoted:
    """The suite that came of a log, None where something is missing; what was found, and where was masked."""

    suite: dict[str, Any] | None
    findings: list[Finding] = field(default_factory=list)
    masked: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Calls that no tool answered."""


@dataclass
class _Called:
    call_id: str
    run_id: str | None
    task_id: str | None
    tool: str
    line: int
    args_hash: Any = None
    failed: bool | None = None
    """None: it never returned."""
    error: str | None = None
    """The code of its error."""


_OURS = {
    MISSED["code"]: "a miss: no recorded call matched, so no tool answered",
    UNREACHED["code"]: "the live tool could not be asked, so no tool answered",
}
"""Errors of the harness: no tool gave them, so they are not recorded as answers of one."""


def promote(log: Path, calls: Path, masking: Masking, named: Named) -> Promoted:
    """The suite of a recorded run. Nothing is left out: what cannot be promoted is named, and nothing is given.

    Raises BadInput.
    """
    result = Promoted(None)
    told = _told(log, Transcript(calls), named, result)
    secrets = Secrets(masking, [named.input, *(value for _, call in told for value in (call.args, call.response))])
    tasks: dict[str, list[dict[str, Any]]] = {}
    for call, recorded in told:
        tasks.setdefault(call.task_id or named.task_id or "task-1", []).append(_entry(recorded, secrets, result))
    result.findings = [
        replace(f, message=secrets.text(f.message), subject=secrets.text(f.subject)) for f in result.findings
    ]
    result.left = [secrets.text(text) for text in result.left]
    if result.findings:
        return result
    if not tasks:
        raise BadInput(Problem("holds no tool call of this run that a tool answered", str(log)))
    suite = _suite(tasks, named)
    suite_of(suite, "what was promoted")
    for name in _names(suite):
        if secrets.name(name):
            message = f"the name {secrets.text(name)} holds a credential, and names are not masked"
            result.findings.append(
                Finding(codes.SECRET_SUSPECTED, message, str(log), fix="rename it in what was recorded")
            )
    if result.findings:
        return result
    for number, task in enumerate(suite["tasks"]):
        where = join("", "tasks", number)
        task["input"] = _masked(task["input"], f"{where}/input", secrets, result)
        for place, entry in enumerate(task["fixtures"]["toolResponses"]):
            at = join(f"{where}/fixtures/toolResponses", place, "response")
            entry["response"] = _masked(entry["response"], at, secrets, result)
    _suspected(result, suite, secrets, log)
    if not result.findings:
        result.suite = suite
    return result


def _told(log: Path, transcript: Transcript, named: Named, result: Promoted) -> list[tuple[_Called, Recorded]]:
    """The calls with their payloads, as far as a tool answered them. What is missing is said."""
    found = []
    for call in _of_one_task(_of_one_run(_called(log, result), log, named), log, named):
        told = transcript.call(call.run_id, call.call_id)
        if call.error in _OURS:
            result.left.append(f"line {call.line}: call {call.call_id}: {_OURS[call.error]}")
        elif told is None:
            message = f"{transcript.path} does not hold it, and an event log holds no payloads"
            _add(result, codes.CALL_WITHOUT_PAYLOAD, log, call, message, "record the calls along with the log")
        elif (problem := _contradiction(call, told)) is not None:
            _add(result, problem[0], log, call, problem[1])
        else:
            found.append((call, told))
    return found


def _masked(value: Any, at: str, secrets: Secrets, result: Promoted) -> Any:
    masked = secrets.mask(value)
    result.masked += [at + secrets.place(suspect.location) for suspect in masked.masked]
    return masked.value


def _names(suite: Mapping[str, Any]) -> dict[str, None]:
    """The names in a suite: what they say is matched, so a mask would break them."""
    tools = [entry["tool"] for task in suite["tasks"] for entry in task["fixtures"]["toolResponses"]]
    return dict.fromkeys([suite["suiteId"], suite["version"], *(task["taskId"] for task in suite["tasks"]), *tools])


def _called(log: Path, result: Promoted) -> list[_Called]:
    """The calls of a log in the order of their begin."""
    found: dict[tuple[str | None, str], _Called] = {}
    order: list[_Called] = []
    for line in objects(log):
        event = flat(line.value or {})
        kind, call_id = event.get("type"), event.get("callId")
        if kind not in (TOOL_CALLED, TOOL_RETURNED) or not isinstance(call_id, str):
            continue
        key = (_text(event, "runId"), call_id)
        if kind == TOOL_CALLED:
            call = _Called(call_id, key[0], _text(event, "taskId"), _text(event, "tool") or "", line.number)
            call.args_hash = event.get("argsHash")
            found[key] = call
            order.append(call)
        elif key in found:
            error = event.get("error")
            found[key].failed = "error" in event
            found[key].error = _text(error, "code") if isinstance(error, dict) else None
        else:
            lost = _Called(call_id, key[0], None, "", line.number)
            _add(result, codes.NO_CALL, log, lost, "returned, and was never called")
    return order


def _of_one_run(calls: list[_Called], log: Path, named: Named) -> list[_Called]:
    runs = list(dict.fromkeys(call.run_id for call in calls))
    if named.run_id is not None:
        return [call for call in calls if call.run_id == named.run_id]
    if len(runs) > 1:
        shown = ", ".join(str(run) for run in runs[:8])
        raise BadInput(Problem("holds more than one run, and none was named", str(log), fix=f"--run, one of {shown}"))
    return calls


def _of_one_task(calls: list[_Called], log: Path, named: Named) -> list[_Called]:
    """The calls of the task that was named, where the log names tasks; all of them otherwise."""
    tasks = list(dict.fromkeys(call.task_id for call in calls if call.task_id is not None))
    if named.task_id is None or not tasks:
        return calls
    if named.task_id not in tasks:
        fix = f"--task, one of {', '.join(tasks[:8])}; or leave it out"
        raise BadInput(Problem("holds no call of this task", str(log), value=named.task_id, fix=fix))
    return [call for call in calls if call.task_id == named.task_id]


def _contradiction(call: _Called, told: Recorded) -> tuple[Code, str] | None:
    if call.failed is None:
        return codes.NO_RETURN, "the call never returned, so nobody knows how it ended"
    if told.tool != call.tool:
        return codes.CALL_CONTRADICTS, f"the log says that {call.tool} was called, the transcript {told.tool}"
    if contradicts(call.args_hash, told.args):
        return codes.CALL_CONTRADICTS, "the hash of the arguments on the log is not that of those in the transcript"
    if told.is_error is not call.failed:
        how = ("ended well", "failed")
        return (
            codes.CALL_CONTRADICTS,
            f"the log says that it {how[call.failed]}, the transcript that it {how[told.is_error]}",
        )
    return None


def _entry(told: Recorded, secrets: Secrets, result: Promoted) -> dict[str, Any]:
    """The recorded call: its arguments are matched without what is masked in them, since no agent sends that."""
    masked = secrets.mask(dict(told.args))
    args, match = told.args, EXACT
    for suspect in masked.masked:
        args, match = _without(args, steps(suspect.location)), SUBSET
        where = secrets.place(suspect.location)
        result.masked.append(f"call {secrets.text(told.call_id)}: the argument {where}, which is not asked for")
    matching: dict[str, Any] = (
        {"args": dict(args), "argsMatch": match} if args or match == EXACT else {"argsMatch": ANY}
    )
    failed = {"isError": True} if told.is_error else {}
    return {"tool": told.tool, **matching, **failed, "response": told.response}


def _without(args: Mapping[str, Any], path: list[str]) -> dict[str, Any]:
    """The arguments without the innermost member on a path that only objects lead to."""
    rest = dict(args)
    if not path or path[0] not in rest:
        return rest
    inner = rest[path[0]]
    if len(path) > 1 and isinstance(inner, dict) and path[1] in inner:
        rest[path[0]] = _without(inner, path[1:])
    else:
        del rest[path[0]]
    return rest


def _suite(tasks: Mapping[str, list[dict[str, Any]]], named: Named) -> dict[str, Any]:
    return {
        "suiteId": named.suite_id,
        "version": named.version,
        "modes": ["golden"],
        "tasks": [
            {"taskId": name, "input": named.input, "fixtures": {"toolResponses": entries, "onMiss": "error"}}
            for name, entries in tasks.items()
        ],
    }


def _suspected(result: Promoted, suite: Any, secrets: Secrets, log: Path) -> None:
    """What still looks like a credential."""
    for suspect in secrets.masking.suspects(suite):
        where = secrets.place(suspect.location)
        message = f"{where} still looks like a credential ({suspect.why})"
        fix = "mask it: `names` or `patterns` of [replay.mask]; or name it under `keep` where it is none"
        result.findings.append(Finding(codes.SECRET_SUSPECTED, message, str(log), subject=where, fix=fix))


def _add(result: Promoted, code: Code, log: Path, call: _Called, message: str, fix: str | None = None) -> None:
    named = f"line {call.line}: call {call.call_id}: {message}"
    result.findings.append(Finding(code, named, str(log), subject=call.call_id, fix=fix))


def _text(event: Mapping[str, Any], name: str) -> str | None:
    found = event.get(name)
    return found if isinstance(found, str) else None
