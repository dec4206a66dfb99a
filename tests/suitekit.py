"""What the tests of eval suites share: suites, hosts, a run of calls, and logs written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from conftest import ROOT
from knownbad.suites.asked import Asked, Judged
from knownbad.suites.capabilities import Capabilities, capabilities_of
from knownbad.suites.conform import conform
from knownbad.suites.events import JsonLines
from knownbad.suites.run import Run
from knownbad.suites.suite import Suite, suite_of

FIXTURES = ROOT / "fixtures/eval-suites"
CONFORMANCE = FIXTURES / "conformance-eval-fixture-error.json"
HOST = FIXTURES / "host.json"
TOOL = "billing:lookup"
DOWN = {"content": [{"type": "text", "text": '{"error":"upstream_down"}'}]}
FOUND = {"content": [{"type": "text", "text": '{"id":"c-1","balance":12.5}'}]}
ARGS = {"id": "c-1"}


def entry(response: Any = FOUND, tool: str = TOOL, **members: Any) -> dict[str, Any]:
    """A recorded call."""
    return {"tool": tool, **members, "response": response}


def failing(response: Any = DOWN, tool: str = TOOL, **members: Any) -> dict[str, Any]:
    """A recorded call that failed."""
    return entry(response, tool, isError=True, **members)


def document(*entries: dict[str, Any], **fixtures: Any) -> dict[str, Any]:
    """A suite of one task."""
    task = {"taskId": "refund-1", "input": "refund it", "fixtures": {"toolResponses": list(entries), **fixtures}}
    return {"suiteId": "billing.refunds", "version": "1.0.0", "modes": ["golden"], "tasks": [task]}


def suite(*entries: dict[str, Any], **fixtures: Any) -> Suite:
    """A suite of one task, read."""
    return suite_of(document(*entries, **fixtures), "suite.json")


def host(*, errors: bool | None = True, hooks: bool = False, **members: Any) -> Capabilities:
    """A host that runs eval suites; `errors` None leaves the promise out."""
    promise = {} if errors is None else {"fixtureErrors": errors}
    value = {"agents": {"evalSuite": {"supported": True, **promise}}, "toolHooks": {"prePostEvents": hooks}, **members}
    return capabilities_of(value)


def conformance() -> Suite:
    """The fixture of the RFC."""
    return suite_of(json.loads(CONFORMANCE.read_text("utf-8")), CONFORMANCE.name)


def ran(found: Suite, folder: Path, calls: Iterable[tuple[str, dict[str, Any]]], task: str | None = None) -> Path:
    """The log of a run of ours in which these calls were made; the transcript is beside it."""
    log = folder / "events.jsonl"
    with JsonLines(log) as events, JsonLines(folder / "calls.jsonl") as transcript:
        run = Run(found, found.task(task), events, transcript)
        for tool, args in calls:
            call = run.begin(tool, args)
            if call.response is None:
                run.missed(call)
            else:
                run.served(call)
        run.finish()
    return log


def written(folder: Path, events: Iterable[dict[str, Any]]) -> Path:
    """A log with these events."""
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return path


def events_of(log: Path) -> list[dict[str, Any]]:
    """The events of a log."""
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def edited(log: Path, edit: Callable[[list[dict[str, Any]]], Any]) -> Path:
    """Another log beside this one, with an edit."""
    events = events_of(log)
    edit(events)
    return written(log.parent, events)


def called(number: int = 1, **members: Any) -> dict[str, Any]:
    """A call on a log."""
    return {"type": "agent.tool-called", "callId": f"call-{number}", "tool": TOOL, **members}


def returned(number: int = 1, **members: Any) -> dict[str, Any]:
    """The return of a call on a log: a success, unless told otherwise."""
    how = members if members.keys() & {"error", "outcome"} else {"outcome": "ok", **members}
    return {"type": "agent.tool-returned", "callId": f"call-{number}", **how}


def failed(number: int = 1, message: str = "The tool call failed.", **members: Any) -> dict[str, Any]:
    """The return of a call that failed."""
    return returned(number, error={"code": "tool_failed", "message": message}, **members)


def summary(misses: int = 0, **members: Any) -> dict[str, Any]:
    """The end of a run."""
    return {"type": "eval.completed", "summary": {"fixtureMissCount": misses}, **members}


def judged(found: Suite, log: Path, capabilities: Capabilities | None = None, **given: Any) -> Judged:
    """A host by its log."""
    return conform(Asked(found, host() if capabilities is None else capabilities, log, **given))


def rules(result: Judged) -> set[str]:
    """The rules that were broken."""
    return set(result.counts)


def verdict(result: Judged, check: str) -> str:
    """What became of one requirement."""
    (found,) = [v.verdict for v in result.verdicts if v.requirement.check == check]
    return found


def reason(result: Judged, check: str) -> str:
    """Why a requirement has its verdict."""
    (found,) = [v.reason for v in result.verdicts if v.requirement.check == check]
    return found
