"""A matcher that backtracks as those of Python and ECMAScript do, and counts its steps instead of the time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..witness.nfa import Ranges, Unsupported, char_class
from ..witness.regex import parsed
from .ambiguity import apart

MOST_NODES = 4_000
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_READ, _FORK, _MARK, _LOOP, _AT, _LOOK, _DONE = range(7)
_MULTILINE = 8


@dataclass(slots=True)
class _Program:
    nodes: list[tuple[Any, ...]] = field(default_factory=list)
    marks: int = 0

    def add(self, *node: Any) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise Unsupported("pattern too large")
        self.nodes.append(node)
        return len(self.nodes) - 1


@lru_cache(maxsize=128)
def _program(pattern: str) -> tuple[_Program, int]:
    tree = parsed(apart(pattern))
    program = _Program()
    return program, _sequence(program, list(tree), int(tree.state.flags), program.add(_DONE))


def _sequence(made: _Program, items: Any, flags: int, then: int) -> int:
    for op, argument in reversed(list(items)):
        then = _item(made, str(op), argument, flags, then)
    return then


def _item(made: _Program, op: str, argument: Any, flags: int, then: int) -> int:
    if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        return made.add(_READ, char_class(op, argument, flags), then)
    if op == "BRANCH":
        return made.add(_FORK, tuple(_sequence(made, branch, flags, then) for branch in argument[1]))
    if op == "SUBPATTERN":
        _, on, off, items = argument
        return _sequence(made, items, (flags | on) & ~off, then)
    if op in ("MAX_REPEAT", "MIN_REPEAT"):
        return _repeat(made, argument, flags, then, lazy=op == "MIN_REPEAT")
    if op == "AT":
        return made.add(_AT, str(argument), bool(flags & _MULTILINE), then)
    if op in ("ASSERT", "ASSERT_NOT"):
        direction, items = argument
        width = 0
        if direction < 0:
            low, high = items.getwidth()
            if low != high:
                raise Unsupported("a look behind of several lengths")
            width = low
        inner = _sequence(made, items, flags, made.add(_DONE))
        return made.add(_LOOK, inner, width, op == "ASSERT", then)
    if op == "FAILURE":
        return made.add(_FORK, ())
    raise Unsupported(op)


def _repeat(made: _Program, argument: Any, flags: int, then: int, *, lazy: bool) -> int:
    low, high, items = int(argument[0]), int(argument[1]), argument[2]
    if high > MOST_NODES:
        mark = made.marks
        made.marks += 1
        again = made.add(_LOOP, mark, (), lazy)
        body = _sequence(made, items, flags, again)
        made.nodes[again] = (_LOOP, mark, (body, then), lazy)
        entry = made.add(_MARK, mark, again)
    else:
        entry = then
        for _ in range(high - low):
            body = _sequence(made, items, flags, entry)
            entry = made.add(_FORK, (then, body) if lazy else (body, then))
    for _ in range(low):
        entry = _sequence(made, items, flags, entry)
    return entry


@dataclass(slots=True)
class _Count:
    steps: int = 0


def steps(pattern: str, text: str, most: int) -> tuple[int, bool | None]:
    """How many steps a search takes, and whether it finds the pattern; None where it takes more than `most`.

    Raises Unsupported for what this matcher does not know.
    """
    program, start = _program(pattern)
    count = _Count()
    for at in range(len(text) + 1):
        found = _run(program, start, text, at, most, count)
        if found is None or found:
            return count.steps, found
    return count.steps, False


def _run(program: _Program, start: int, text: str, at: int, most: int, count: _Count) -> bool | None:
    nodes, size = program.nodes, len(text)
    stack: list[tuple[int, int, tuple[int, ...]]] = [(start, at, (-1,) * program.marks)]
    while stack:
        node, here, marks = stack.pop()
        while True:
            count.steps += 1
            if count.steps > most:
                return None
            kind = nodes[node]
            if kind[0] == _READ:
                if here >= size or not _holds(kind[1], ord(text[here])):
                    break
                node, here = kind[2], here + 1
            elif kind[0] == _FORK:
                options = kind[1]
                if not options:
                    break
                stack.extend((other, here, marks) for other in reversed(options[1:]))
                node = options[0]
            elif kind[0] == _MARK:
                marks = (*marks[: kind[1]], -1, *marks[kind[1] + 1 :])
                node = kind[2]
            elif kind[0] == _LOOP:
                body, then = kind[2]
                if marks[kind[1]] == here:  # the last round read nothing
                    node = then
                    continue
                inside = (*marks[: kind[1]], here, *marks[kind[1] + 1 :])
                if kind[3]:
                    stack.append((body, here, inside))
                    node = then
                else:
                    stack.append((then, here, marks))
                    node, marks = body, inside
            elif kind[0] == _AT:
                if not _stands(kind[1], kind[2], text, here):
                    break
                node = kind[3]
            elif kind[0] == _LOOK:
                seen = here >= kind[2] and _run(program, kind[1], text, here - kind[2], most, count)
                if seen is None:
                    return None
                if seen is not kind[3]:
                    break
                node = kind[4]
            else:
                return True
    return False


@lru_cache(maxsize=4096)
def _holds(ranges: Ranges, letter: int) -> bool:
    return any(low <= letter <= high for low, high in ranges)


def _stands(which: str, multiline: bool, text: str, here: int) -> bool:
    if which == "AT_BEGINNING":
        return here == 0 or multiline and text[here - 1] == "\n"
    if which == "AT_BEGINNING_STRING":
        return here == 0
    if which == "AT_END":
        return here == len(text) or multiline and text[here] == "\n"
    if which == "AT_END_STRING":
        return here == len(text)
    before = here > 0 and text[here - 1] in _WORD
    after = here < len(text) and text[here] in _WORD
    return (before != after) == (which == "AT_BOUNDARY")
