"""Matching: which recorded call answers a call. Entries are tried in order, and each is served once.

How arguments are compared is ours, where the RFC builds on another: `exact` is equality of JSON values, `subset` asks
every given member to be equal, member by member in objects, and `any` asks nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from ..values import equal, key
from .suite import ANY, EXACT, ToolResponse


def matches(response: ToolResponse, args: Mapping[str, Any]) -> bool:
    """Whether a recorded call answers a call of its tool with these arguments."""
    if response.match == ANY:
        return True
    if response.match == EXACT:
        return equal(response.args, args)
    return _within(response.args, args)


def condition(response: ToolResponse) -> Hashable:
    """What a recorded call asks of the arguments; None where it takes any."""
    if response.match == ANY or response.match != EXACT and not response.args:
        return None
    return (response.match, key(response.args))


class Unserved:
    """The recorded calls of one tool that are still to be served. They are looked up, not searched."""

    def __init__(self, responses: Iterable[ToolResponse]) -> None:
        self._exact: dict[Hashable, deque[ToolResponse]] = {}
        self._loose: dict[Hashable, list[ToolResponse]] = {}
        """By one member that a call must have, to have any chance: the rarest of those that an entry asks for."""
        loose = []
        for response in responses:
            if response.match == EXACT:
                self._exact.setdefault(key(response.args), deque()).append(response)
            else:
                loose.append(response)
        counts = Counter(pair for r in loose for pair in _pairs(r))
        for response in loose:
            rarest = min(_pairs(response), key=lambda pair: counts[pair], default=None)
            self._loose.setdefault(rarest, []).append(response)
        for bucket in self._loose.values():
            bucket.reverse()  # what is served first stands last, where it can be taken off

    def take(self, args: Mapping[str, Any]) -> ToolResponse | None:
        """The first recorded call that answers these arguments, which is then served; None where there is none."""
        same = self._exact.get(key(args)) if self._exact else None
        best = same[0] if same else None
        bucket: list[ToolResponse] = []
        for pair in (None, *_members(args)) if self._loose else ():
            for response in reversed(self._loose.get(pair, ())):
                if best is not None and response.index > best.index:
                    break
                if matches(response, args):
                    best, bucket = response, self._loose[pair]
                    break
        if best is None:
            return None
        if bucket:
            bucket.remove(best) if bucket[-1] is not best else bucket.pop()
        elif same:
            same.popleft()
        return best


class Consumption:
    """What of a task's recorded calls is still to be served, tool by tool."""

    def __init__(self, responses: Iterable[ToolResponse]) -> None:
        by_tool: dict[str, list[ToolResponse]] = {}
        for response in responses:
            by_tool.setdefault(response.tool, []).append(response)
        self._tools = {tool: Unserved(entries) for tool, entries in by_tool.items()}

    def take(self, tool: str, args: Mapping[str, Any]) -> ToolResponse | None:
        """The recorded call that answers this one, which is then served; None for a miss."""
        unserved = self._tools.get(tool)
        return None if unserved is None else unserved.take(args)


def _within(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(given, dict) and all(n in given and _within(v, given[n]) for n, v in wanted.items())
    return equal(wanted, given)


def _members(args: Mapping[str, Any]) -> list[Hashable]:
    """The members with a plain value: name and value."""
    return [(name, key(value)) for name, value in args.items() if not isinstance(value, dict | list)]


def _pairs(response: ToolResponse) -> list[Hashable]:
    return [] if response.match == ANY else _members(response.args)
