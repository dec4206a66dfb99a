"""Candidates for one pattern from a walk over its parse tree, for what no automaton stands for: back-references.

A candidate need not match (lookarounds are passed over): whoever asks checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .automaton import members
from .chooser import Chooser
from .nfa import Unsupported, char_class
from .regex import parsed

_CANDIDATES = 24
_LONGEST = 20_000


def candidates(pattern: str, min_length: int, chooser: Chooser) -> Iterator[str]:
    """Different strings that the pattern probably matches, simplest first. Raises re.error."""
    tree = parsed(pattern)
    seen: set[str] = set()
    for turn in range(_CANDIDATES):
        walk = _Walk(chooser, turn, min_length if turn % 2 else 0)
        try:
            text = walk.sequence(list(tree), int(tree.state.flags))
        except Unsupported:
            return
        if text not in seen and len(text) <= _LONGEST:
            seen.add(text)
            yield text


class _Walk:
    """One walk; `turn` shifts every choice, so that each walk takes another way."""

    def __init__(self, chooser: Chooser, turn: int, min_length: int) -> None:
        self.chooser = chooser
        self.turn = turn
        self.wanted = min_length
        self.length = 0
        self.groups: dict[int, str] = {}

    def pick(self, count: int) -> int:
        return self.turn % count if self.chooser.minimal else self.chooser.integer(0, count - 1)

    def sequence(self, items: Any, flags: int) -> str:
        return "".join([self.item(str(op), argument, flags) for op, argument in items])

    def item(self, op: str, argument: Any, flags: int) -> str:
        if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            options = members(char_class(op, argument, flags))
            self.length += 1
            return options[self.pick(len(options))] if options else ""
        if op == "BRANCH":
            return self.sequence(argument[1][self.pick(len(argument[1]))], flags)
        if op in ("SUBPATTERN", "ATOMIC_GROUP"):
            group, on, off, items = argument if op == "SUBPATTERN" else (None, 0, 0, argument)
            text = self.sequence(items, (flags | on) & ~off)
            if group is not None:
                self.groups[group] = text
            return text
        if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self.repeat(int(argument[0]), int(argument[1]), argument[2], flags)
        if op == "GROUPREF":
            text = self.groups.get(argument, "")
            self.length += len(text)
            return text
        if op == "GROUPREF_EXISTS":
            return self.sequence(argument[1 if argument[0] in self.groups else 2] or [], flags)
        return ""

    def repeat(self, low: int, high: int, items: Any, flags: int) -> str:
        count = min(low + self.turn % 3, high)
        parts: list[str] = []
        while len(parts) < count or self.length < self.wanted and len(parts) < high:
            before = self.length
            parts.append(self.sequence(items, flags))
            if self.length == before and len(parts) >= low or self.length > _LONGEST:
                break
        return "".join(parts)
