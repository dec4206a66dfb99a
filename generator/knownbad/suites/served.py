"""The calls of one run as a log tells them: which are open, what was served, how many were missed."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .explain import Counted, Ordered, explained, sums
from .findings import Witnessed
from .matching import Consumption
from .suite import Task, ToolResponse
from .transcript import Recorded

CLOSED = 1000
"""Calls that have returned and are remembered."""


@dataclass(slots=True, eq=False)
class Open:
    """A call that began. `known`: its arguments are, so `response` is what answers it (None: nothing)."""

    at: Witnessed
    call_id: str
    tool: str
    served: Served | None
    number: Any = None
    """Its `sequence`."""
    stray: bool = False
    """Its tool is in no task, so that it is a miss in any."""
    known: bool = False
    response: ToolResponse | None = None
    recorded: Recorded | None = None
    event: Mapping[str, Any] | None = None
    returned: Witnessed | None = None


class Served:
    """One task of one run (and trial), as far as its recorded calls were served."""

    def __init__(self, task: Task, strict: bool) -> None:
        self.task = task
        self.misses = 0
        """Of the calls whose arguments are known."""
        self.lost: set[str] = set()
        """Tools of which some call has no known arguments, where others had: nothing more is said of them."""
        self.unknown: dict[str, Ordered | Counted] = {}
        self.waiting: dict[str, deque[Open]] = {}
        """Calls without known arguments, in the order of their begin."""
        self._strict = strict
        self._unserved: Consumption | None = None
        self._known: set[str] = set()

    def begin(self, call: Open, args: Mapping[str, Any] | None) -> None:
        """A call of this task began."""
        tool = call.tool
        if args is not None and tool not in self.unknown and tool not in self.lost:
            self._known.add(tool)
            self._unserved = self._unserved or Consumption(self.task.responses)
            call.known = True
            call.response = self._unserved.take(tool, args)
            self.misses += call.response is None
        elif tool in self._known:
            self.lost.add(tool)
        else:
            if tool not in self.unknown:
                entries = [entry for entry in self.task.responses if entry.tool == tool]
                self.unknown[tool] = explained(entries, self.task.on_miss, self._strict)
            self.waiting.setdefault(tool, deque()).append(call)

    def next(self, tool: str) -> Open | None:
        """The next call of a tool without known arguments, once it has returned."""
        waiting = self.waiting.get(tool)
        return waiting.popleft() if waiting and waiting[0].event is not None else None

    @property
    def possible_misses(self) -> int:
        """Every number of misses that explains the log; bit `n` stands for `n`."""
        found = 1 << self.misses
        for tool in self.unknown.values():
            found = sums(found, tool.misses)
        return found

    def unresolved(self, misses: int | None) -> str:
        """Why it stays open what was served, given how many misses there were in all; empty where it does not."""
        for tool in sorted(self.lost):
            return f"the arguments of some calls of {tool} are not known"
        for name, calls in self.unknown.items():
            if calls.unresolved(misses):
                return f"the log holds no arguments, so it does not tell which recorded calls of {name} were served"
        return ""


@dataclass(slots=True, eq=False)
class OneRun:
    """One run on a log."""

    run_id: str | None
    tasks: dict[tuple[str, Any], Served] = field(default_factory=dict)
    open: dict[str, Open] = field(default_factory=dict)
    early: dict[str, tuple[Witnessed, Mapping[str, Any]]] = field(default_factory=dict)
    """Returns without a call before them."""
    sequence: int | None = None
    count: int | None = None
    """`fixtureMissCount` of its summary."""
    counted_at: Witnessed | None = None
    contradicted: bool = False
    """Some call cannot be explained, so the number of misses cannot be, either."""
    strays: int = 0
    """Calls of tools that are in no task."""
    closed: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    """The latest calls that have returned, with their `sequence`, to tell a line that stands there twice."""
    blind: set[Any] = field(default_factory=set)
    """Tools of which a call is missing for good; None: of any."""

    def close(self, call: Open) -> None:
        """A call has returned."""
        self.closed[call.call_id] = call.number
        if len(self.closed) > CLOSED:
            self.closed.popitem(last=False)

    def doubled(self, event: Mapping[str, Any], call_id: str, tool: str) -> bool:
        """Whether the line of a call is one that was read before."""
        number = event.get("sequence")
        if number is not None and call_id in self.closed:
            return bool(self.closed[call_id] == number)
        before = self.open.get(call_id)
        return before is not None and before.tool == tool and before.number == number

    def missing(self, tool: str) -> bool:
        """Whether the line of a call of this tool is missing so far: what was served after it cannot be told."""
        if self.blind and not self.blind.isdisjoint((tool, None)):
            return True
        return any(event.get("tool", tool) == tool for _, event in self.early.values())
