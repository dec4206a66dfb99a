r"""One pattern as a nondeterministic automaton, made from its parse tree.

Exact for `^`, `$`, `\b` and for lookarounds at a fixed distance from an end of the pattern (`conjunction`); what else
is not regular makes the automaton wider than the pattern, and then it is marked inexact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .regex import parsed

Ranges = tuple[tuple[int, int], ...]
"""Sorted, disjoint ranges of code points, both ends included."""

TOP = 0x10FFFF
_ANY: Ranges = ((0, TOP),)
WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_WITHOUT_END = 4_294_967_295
"""How `re` writes the upper bound of `*` and `+`."""
_MAX_NODES = 20_000
"""A counted repeat is unrolled; a pattern that passes this many nodes is not worth an automaton."""


class Unsupported(Exception):
    """A pattern that no automaton of reasonable size stands for."""


def normal(ranges: list[tuple[int, int]]) -> Ranges:
    """The same characters as sorted, disjoint, non-adjacent ranges."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def complement(ranges: Ranges) -> Ranges:
    out, start = [], 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    return (*out, (start, TOP)) if start <= TOP else tuple(out)


def folded(ranges: Ranges) -> Ranges:
    """With the other case of every ASCII letter."""
    other = [
        (max(low, first) + shift, min(high, last) + shift)
        for low, high in ranges
        for first, last, shift in ((65, 90, 32), (97, 122, -32))
        if max(low, first) <= min(high, last)
    ]
    return normal([*ranges, *other])


# Kinds of nodes. CHAR: (ranges index, next); SPLIT: (nexts); AT: (which, next).
CHAR, SPLIT, AT, MATCH = range(4)
_IGNORECASE, _MULTILINE, _DOTALL = 2, 8, 16


@dataclass(slots=True)
class Nfa:
    """The automaton of one pattern's unanchored search."""

    exact: bool = True
    nodes: list[tuple[Any, ...]] = field(default_factory=list)
    classes: dict[Ranges, int] = field(default_factory=dict)
    words: bool = False
    """Whether word boundaries matter."""
    start: int = 0

    def add(self, *node: Any) -> int:
        if len(self.nodes) >= _MAX_NODES:
            raise Unsupported("pattern too large")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def char(self, ranges: Ranges, then: int) -> int:
        return self.add(CHAR, self.classes.setdefault(ranges, len(self.classes)), then)

    def loop(self) -> int:
        """A node to be aimed later, for cycles."""
        return self.add(SPLIT, ())


@lru_cache(maxsize=512)
def nfa(tree: Tree) -> Nfa:
    """The automaton of a parse tree."""
    made = Nfa()
    end = made.add(MATCH)
    start = _sequence(made, tree.items, tree.flags, end)
    first = tree.items[0] if tree.items else None
    if first is None or not _anchors(first, tree.flags):
        again = made.loop()
        made.nodes[again] = (SPLIT, (start, made.char(_ANY, again)))
        start = again
    made.start = start
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A sequence of parse-tree items; identity is its hash, so trees are made in one cached place only."""

    items: tuple[Any, ...]
    flags: int


def _anchors(item: Any, flags: int) -> bool:
    """Whether an item ties what follows to the beginning of the string."""
    which = str(item[1]) if str(item[0]) == "AT" else ""
    return which == "AT_BEGINNING_STRING" or which == "AT_BEGINNING" and not flags & _MULTILINE


def _sequence(made: Nfa, items: Any, flags: int, then: int) -> int:
    for op, argument in reversed(list(items)):
        then = _item(made, str(op), argument, flags, then)
    return then


def _item(made: Nfa, op: str, argument: Any, flags: int, then: int) -> int:
    if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        return made.char(char_class(op, argument, flags), then)
    if op == "BRANCH":
        return made.add(SPLIT, tuple([_sequence(made, branch, flags, then) for branch in argument[1]]))
    if op == "SUBPATTERN":
        _, on, off, items = argument
        return _sequence(made, items, (flags | on) & ~off, then)
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        if op == "POSSESSIVE_REPEAT":
            made.exact = False
        return _repeat(made, argument, flags, then)
    if op == "ATOMIC_GROUP":
        made.exact = False
        return _sequence(made, argument, flags, then)
    if op == "AT":
        return _at(made, str(argument), flags, then)
    if op == "FAILURE" or op == "ASSERT_NOT" and not argument[1]:
        return made.add(SPLIT, ())
    if op in ("ASSERT", "ASSERT_NOT"):
        made.exact = False
        return then
    if op in ("GROUPREF", "GROUPREF_EXISTS"):  # wider: any text
        made.exact = False
        again = made.loop()
        made.nodes[again] = (SPLIT, (then, made.char(_ANY, again)))
        return again
    raise Unsupported(op)


def _repeat(made: Nfa, argument: Any, flags: int, then: int) -> int:
    low, high, items = int(argument[0]), int(argument[1]), argument[2]
    if high > _MAX_NODES:  # without end, or as good as
        made.exact = made.exact and high == _WITHOUT_END
        again = made.loop()
        made.nodes[again] = (SPLIT, (_sequence(made, items, flags, again), then))
        entry = again
    else:
        entry = then
        for _ in range(high - low):
            entry = made.add(SPLIT, (_sequence(made, items, flags, entry), then))
    for _ in range(low):
        entry = _sequence(made, items, flags, entry)
    return entry


def _at(made: Nfa, which: str, flags: int, then: int) -> int:
    if flags & _MULTILINE and which in ("AT_BEGINNING", "AT_END"):
        made.exact = False
        return then
    if which in ("AT_BOUNDARY", "AT_NON_BOUNDARY"):
        made.words = True
    return made.add(AT, which, then)


def char_class(op: str, argument: Any, flags: int) -> Ranges:
    """The characters of one item of a parse tree."""
    if op == "ANY":
        return _ANY if flags & _DOTALL else complement(((10, 10),))
    negated = op == "NOT_LITERAL"
    ranges: list[tuple[int, int]] = []
    for kind, value in argument if op == "IN" else [("LITERAL", argument)]:
        name = str(kind)
        if name == "NEGATE":
            negated = True
        elif name == "RANGE":
            ranges.append((int(value[0]), int(value[1])))
        elif name == "LITERAL":
            ranges.append((int(value), int(value)))
        else:
            raise Unsupported(name)
    found = folded(normal(ranges)) if flags & _IGNORECASE else normal(ranges)
    return complement(found) if negated else found


@lru_cache(maxsize=1024)
def conjunction(pattern: str) -> tuple[tuple[Tree, ...], tuple[Tree, ...]]:
    """A pattern as parse trees that must match and trees that must not.

    `^ab(?!c)d` is `^abd` and not `^abc`, since what precedes the lookahead has one length; and so on.
    """
    tree = parsed(pattern)
    items, flags = tuple(tree), int(tree.state.flags)
    positive: list[Tree] = []
    negative: list[Tree] = []
    items = _unwrapped(items)
    kept: list[Any] = []
    fixed = bool(items) and _anchors(items[0], flags)
    for item in items:
        op = str(item[0])
        if fixed and op in ("ASSERT", "ASSERT_NOT") and item[1][0] == 1 and len(item[1][1]):
            ahead = Tree((*kept, *item[1][1]), flags)
            (positive if op == "ASSERT" else negative).append(ahead)
            continue
        kept.append(item)
        fixed = fixed and _width(item) is not None
    ends = len(kept) > 1 and str(kept[-1][0]) == "AT" and str(kept[-1][1]) == "AT_END_STRING"
    if ends and str(kept[-2][0]) in ("ASSERT", "ASSERT_NOT") and kept[-2][1][0] == -1:
        op, (_, inner) = kept.pop(-2)
        behind = Tree((*inner, kept[-1]), flags)
        (positive if str(op) == "ASSERT" else negative).append(behind)
    return (Tree(tuple(kept), flags), *positive), tuple(negative)


@lru_cache(maxsize=1024)
def explosive(pattern: str) -> bool:
    """Whether a backtracking matcher may take very long to see that a text does not match: repeats inside repeats."""
    return _nested(parsed(pattern), False)


def _nested(items: Any, repeated: bool) -> bool:
    for op, argument in items:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            varies = argument[1] - argument[0] > 8
            if repeated and varies or _nested(argument[2], repeated or varies):
                return True
        inner = [argument[3]] if name == "SUBPATTERN" else argument[1] if name == "BRANCH" else []
        if any(_nested(part, repeated) for part in inner):
            return True
    return False


def _unwrapped(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """`(^…$)` without its group."""
    while len(items) == 1 and str(items[0][0]) == "SUBPATTERN" and items[0][1][1] == items[0][1][2] == 0:
        items = tuple(items[0][1][3])
    return items


def _width(item: Any) -> int | None:
    """The one length of what an item matches, None when there are several."""
    op, argument = str(item[0]), item[1]
    if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        return 1
    if op in ("AT", "ASSERT", "ASSERT_NOT"):
        return 0
    if op == "SUBPATTERN":
        return _total(argument[3])
    if op == "BRANCH":
        widths = {_total(branch) for branch in argument[1]}
        return widths.pop() if len(widths) == 1 else None
    if op in ("MAX_REPEAT", "MIN_REPEAT") and argument[0] == argument[1]:
        each = _total(argument[2])
        return None if each is None else each * int(argument[0])
    return None


def _total(items: Any) -> int | None:
    total = 0
    for item in items:
        width = _width(item)
        if width is None:
            return None
        total += width
    return total
