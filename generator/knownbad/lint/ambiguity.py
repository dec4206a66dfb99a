r"""In how many ways a pattern can match one and the same text: what makes a backtracking matcher slow.

Weber and Seidl, 1991: an automaton has exponentially many ways where a state comes back to itself by one word on two
paths, and polynomially many where two states come back to themselves by one word that also leads from the first to the
second. Counted repeats are cut short or taken as endless, so this is a suspicion only; `backtrack` confirms it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import OutOfSteps
from ..witness.budget import Budget
from ..witness.nfa import AT, CHAR, SPLIT, Nfa, Ranges, Tree, Unsupported, nfa
from ..witness.regex import parsed

STEPS = 400_000
"""Budget of the analysis of one pattern."""
_MANY = 8
"""Repeats of more than so many count as endless."""
_FEW = 3
_ENDLESS = 4_294_967_295
_CLOSED = ("AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING")
_ANY_WAY = ("AT_BOUNDARY", "AT_NON_BOUNDARY")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`prefix` leads to the loop, `pump` goes round it in two ways. `exponential`: else the ways grow as a power."""

    prefix: str
    pump: str
    exponential: bool


@lru_cache(maxsize=512)
def suspicions(pattern: str) -> tuple[Suspicion, ...]:
    """Where the pattern is ambiguous, the worst first; empty where it is not, or where that is not known."""
    try:
        tree = parsed(apart(pattern))
        flags = int(tree.state.flags)
        found: list[Suspicion] = []
        for prefix, items in _parts(list(tree), flags):
            found.extend(_of(Tree(tuple(_cut(items)), flags), prefix))
    except (Unsupported, OutOfSteps, RecursionError):
        return ()
    except Exception:  # noqa: BLE001  a pattern that does not compile is told of elsewhere
        return ()
    return tuple(sorted(dict.fromkeys(found), key=lambda s: (not s.exponential, len(s.prefix) + len(s.pump))))


def apart(pattern: str) -> str:
    """The pattern with alternatives of single letters kept as alternatives, which Python would make one class of."""
    out, at, inside_class = [], 0, False
    while at < len(pattern):
        letter = pattern[at]
        if letter == "\\":
            out.append(pattern[at : at + 2])
            at += 2
            continue
        if letter == "[" and not inside_class:
            inside_class = True
        elif letter == "]" and inside_class:
            inside_class = False
        elif letter == "|" and not inside_class:
            out.append("()")
        out.append(letter)
        at += 1
    return "".join(out)


def _parts(items: Sequence[Any], flags: int) -> Iterator[tuple[str, Sequence[Any]]]:
    """The pattern itself, and what its lookarounds look for."""
    if any(str(op) in ("GROUPREF", "GROUPREF_EXISTS") for op, _ in _below(items)):
        return
    yield "", items
    for op, argument in _below(items):
        if str(op) in ("ASSERT", "ASSERT_NOT"):
            yield "", list(argument[1])


def _below(items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Every item of a parse tree."""
    for op, argument in items:
        yield op, argument
        for inner in inside(str(op), argument):
            yield from _below(list(inner))


def inside(op: str, argument: Any) -> list[Any]:
    """The sequences that an item of a parse tree holds."""
    if op == "SUBPATTERN":
        return [argument[3]]
    if op == "BRANCH":
        return list(argument[1])
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [argument[2]]
    if op in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    return [argument] if op == "ATOMIC_GROUP" else []


def _cut(items: Sequence[Any]) -> list[Any]:
    """The items with small numbers in their repeats, and without what does not backtrack."""
    found = []
    for op, argument in items:
        name = str(op)
        if name in ("ASSERT", "ASSERT_NOT"):
            continue
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, inner = int(argument[0]), int(argument[1]), argument[2]
            argument = (min(low, _FEW), _ENDLESS if high >= _MANY else min(high, _FEW), _cut(list(inner)))
        elif name == "SUBPATTERN":
            argument = (*argument[:3], _cut(list(argument[3])))
        elif name == "BRANCH":
            argument = (argument[0], [_cut(list(branch)) for branch in argument[1]])
        elif name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
            raise Unsupported(name)
        found.append((op, argument))
    return found


# ---- the automaton without empty moves


class _Machine:
    """States are the nodes that read a letter; a move has the number of ways (1, or 2 for several) that it is made."""

    def __init__(self, automaton: Nfa, budget: Budget) -> None:
        self.budget = budget
        self.nodes = automaton.nodes
        letters = _alphabet(list(automaton.classes))
        masks = [mask for mask, _ in letters[0]]
        self.samples = letters[1]
        self.mask: dict[int, int] = {}
        self.moves: dict[int, dict[int, int]] = {}
        pending = list(self._closure(automaton.start, first=True))
        self.starts = list(pending)
        while pending:
            state = pending.pop()
            if state in self.moves:
                continue
            node = self.nodes[state]
            self.mask[state] = masks[node[1]]
            self.moves[state] = self._closure(node[2], first=False)
            pending.extend(self.moves[state])

    def _closure(self, start: int, *, first: bool) -> dict[int, int]:
        """The states that empty moves lead to, with the number of ways; no edge is taken twice on one way."""
        found: dict[int, int] = {}
        stack: list[tuple[int, frozenset[tuple[int, int]]]] = [(start, frozenset())]
        while stack:
            self.budget.spend()
            node, used = stack.pop()
            kind = self.nodes[node]
            if kind[0] == CHAR:
                found[node] = min(2, found.get(node, 0) + 1)
            elif kind[0] == SPLIT:
                for index, then in enumerate(kind[1]):
                    if (node, index) not in used:
                        stack.append((then, used | {(node, index)}))
            elif kind[0] == AT and (kind[1] in _ANY_WAY or first and kind[1].startswith("AT_BEGINNING")):
                stack.append((kind[2], used))
        return found

    def letter(self, mask: int) -> str:
        """A letter of a set of letters, a plain one if there is one."""
        return min((self.samples[n] for n in range(len(self.samples)) if mask >> n & 1), key=_plainness)


def _plainness(letter: str) -> tuple[int, str]:
    plain = letter.isascii()
    ranks = (plain and letter.isalpha(), plain and letter.isalnum(), plain and letter.isprintable(), True)
    return ranks.index(True), letter


def _alphabet(classes: list[Ranges]) -> tuple[list[tuple[int, Ranges]], list[str]]:
    """Each class as a set of letters that no class tells apart, and one letter for each of these."""
    cuts = sorted({0, *(low for ranges in classes for low, _ in ranges), *(high + 1 for r in classes for _, high in r)})
    cuts = [cut for cut in cuts if cut <= 0x10FFFF]
    groups: dict[int, str] = {}
    for number, cut in enumerate(cuts):
        end = (cuts[number + 1] if number + 1 < len(cuts) else 0x110000) - 1
        held = sum(1 << n for n, ranges in enumerate(classes) if any(low <= cut <= high for low, high in ranges))
        sample = next((chr(c) for c in (97, 48, 65, 32, 45, 33) if cut <= c <= end), chr(cut))
        if held not in groups or _plainness(sample) < _plainness(groups[held]):
            groups[held] = sample
    names = list(groups)
    masks = [sum(1 << n for n, held in enumerate(names) if held >> number & 1) for number in range(len(classes))]
    return list(zip(masks, classes, strict=True)), [groups[name] for name in names]


def _of(tree: Tree, before: str) -> Iterator[Suspicion]:
    machine = _Machine(_anchored(tree), Budget(STEPS))
    component = _components(machine)
    for members in component:
        if len(members) > 1 or members[0] in machine.moves[members[0]]:
            pump = _two_ways(machine, set(members))
            if pump is not None:
                yield Suspicion(before + _way(machine, pump[0]), pump[1], True)
    loops = [set(m) for m in component if len(m) > 1 or m[0] in machine.moves[m[0]]]
    for one in loops:
        for other in loops:
            if one is not other:
                found = _from_loop_to_loop(machine, one, other)
                if found is not None:
                    yield Suspicion(before + _way(machine, found[0]), found[1], False)


def _anchored(tree: Tree) -> Nfa:
    """The automaton of a match from the start: to look everywhere is another matter."""
    made = nfa(tree)
    if made.start < len(made.nodes) and made.nodes[made.start][0] == SPLIT and len(made.nodes[made.start][1]) == 2:
        inner, again = made.nodes[made.start][1]
        node = made.nodes[again]
        if node[0] == CHAR and node[2] == made.start:
            return Nfa(made.exact, made.nodes, made.classes, made.words, inner)
    return made


def _components(machine: _Machine) -> list[list[int]]:
    """The strongly connected components (Tarjan), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    held: list[int] = []
    inside_: set[int] = set()
    found: list[list[int]] = []
    for root in machine.moves:
        if root in index:
            continue
        work = [(root, iter(machine.moves[root]))]
        index[root] = low[root] = len(index)
        held.append(root)
        inside_.add(root)
        while work:
            state, rest = work[-1]
            machine.budget.spend()
            for then in rest:
                if then not in index:
                    index[then] = low[then] = len(index)
                    held.append(then)
                    inside_.add(then)
                    work.append((then, iter(machine.moves[then])))
                    break
                if then in inside_:
                    low[state] = min(low[state], index[then])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    members: list[int] = []
                    while not members or members[-1] != state:
                        members.append(held.pop())
                        inside_.discard(members[-1])
                    found.append(members)
    return found


def _two_ways(machine: _Machine, members: set[int]) -> tuple[int, str] | None:
    """A state of a loop and a word that leads it back to itself on two ways; None where there is none."""
    for state in sorted(members):
        for then, ways in machine.moves[state].items():
            if ways > 1 and then in members:
                back = _word(machine, (then,), (state,), (members,))
                if back is not None:
                    return state, machine.letter(machine.mask[state]) + back
    for state in sorted(members):
        for one in machine.moves[state]:
            for other in machine.moves[state]:
                machine.budget.spend()
                if one < other and one in members and other in members and machine.mask[one] & machine.mask[other]:
                    back = _word(machine, (one, other), (state, state), (members, members))
                    if back is not None:
                        return state, machine.letter(machine.mask[state]) + back
    return None


def _from_loop_to_loop(machine: _Machine, one: set[int], other: set[int]) -> tuple[int, str] | None:
    """A state of a loop and a word that goes round it, round another loop, and from the one to the other."""
    everywhere = set(machine.moves)
    for start in sorted(one)[:6]:
        for end in sorted(other)[:6]:
            if machine.mask[start] & machine.mask[end]:
                word = _word(machine, (start, start, end), (start, end, end), (one, everywhere, other))
                if word:
                    return start, word
    return None


def _word(machine: _Machine, start: tuple[int, ...], end: tuple[int, ...], within: tuple[set[int], ...]) -> str | None:
    """The shortest word by which several states at once come to other ones, each within its own states."""
    if start == end:
        return ""
    before: dict[tuple[int, ...], tuple[tuple[int, ...], str] | None] = {start: None}
    pending = deque([start])
    while pending:
        here = pending.popleft()
        mask = machine.mask[here[0]]
        for state in here[1:]:
            mask &= machine.mask[state]
        if not mask:
            continue
        for then in _steps(machine, here, within):
            machine.budget.spend()
            if then not in before:
                before[then] = (here, machine.letter(mask))
                if then == end:
                    return _traced(before, then)
                pending.append(then)
    return None


def _steps(machine: _Machine, here: tuple[int, ...], within: tuple[set[int], ...]) -> Iterator[tuple[int, ...]]:
    options = [[then for then in machine.moves[s] if then in w] for s, w in zip(here, within, strict=True)]
    found: list[tuple[int, ...]] = [()]
    for option in options:
        found = [(*done, then) for done in found for then in option]
    return iter(found)


def _traced(before: dict[tuple[int, ...], tuple[tuple[int, ...], str] | None], at: tuple[int, ...]) -> str:
    letters = []
    step = before[at]
    while step is not None:
        letters.append(step[1])
        step = before[step[0]]
    return "".join(reversed(letters))


def _way(machine: _Machine, state: int) -> str:
    """The shortest text that leads from the start to a state."""
    words = (_word(machine, (start,), (state,), (set(machine.moves),)) for start in machine.starts)
    found = [word for word in words if word is not None]
    return min(found, key=len) if found else ""
