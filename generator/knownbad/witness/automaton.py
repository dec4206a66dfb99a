"""Patterns as automata: exactly which strings match these patterns, not those, within a length.

The product of the patterns' automata is determinised lazily, as far as a search needs it; the characters that no
pattern tells apart count as one letter, so a machine has few of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ..errors import OutOfSteps
from .chooser import Chooser
from .nfa import CHAR, MATCH, SPLIT, TOP, WORD, Nfa, Ranges, conjunction, explosive, nfa, normal

READABLE = (
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@+=,;!?#$%&*~^|()[]{}<>'`\"\\ éüñßøłžλβжд語\t\n"
)
"""The characters to choose first. A line feed comes late, but the other line terminators are where readings differ."""
_RANK = {ord(char): rank for rank, char in enumerate(READABLE)}


_SHORT = 12
"""Up to this length no matcher takes long."""
_IDLE = 40
"""Lengths without a string after which no further one is looked for, once there was one."""


class Budget:
    """Steps that a search may take: what is found does not depend on the machine's speed, nor on what is cached."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Raises OutOfSteps when there are not as many left."""
        self.left -= steps
        if self.left < 0:
            raise OutOfSteps("the patterns need too many steps")


# Contexts, before and after a position.
_EDGE, _IS_WORD, _NO_WORD = range(3)

_ACCEPTED: frozenset[int] = frozenset((-1,))
_Single = tuple[frozenset[int], int]
"""A state of one automaton: the nodes reached and the context before; `(_ACCEPTED, 0)` once a match was found."""


class _Runner:
    """One automaton, determinised lazily."""

    def __init__(self, automaton: Nfa) -> None:
        self.nfa = automaton
        self.members: list[list[bool]] = []
        self._closures: dict[tuple[frozenset[int], int, int], tuple[tuple[tuple[int, int], ...], bool]] = {}
        self.start: _Single = (frozenset((automaton.start,)), _EDGE)

    def closure(self, core: frozenset[int], before: int, after: int) -> tuple[tuple[tuple[int, int], ...], bool]:
        """The (class, next) pairs that can be taken between two contexts, and whether a match ends here."""
        known = self._closures.get((core, before, after))
        if known is not None:
            return known
        nodes, seen, stack = self.nfa.nodes, set(core), sorted(core)
        chars: list[tuple[int, int]] = []
        matched = False
        while stack:
            node = nodes[stack.pop()]
            kind = node[0]
            if kind == CHAR:
                chars.append((node[1], node[2]))
                continue
            if kind == MATCH:
                matched = True
                continue
            nexts = node[1] if kind == SPLIT else (node[2],) if _holds(node[1], before, after) else ()
            for then in nexts:
                if then not in seen:
                    seen.add(then)
                    stack.append(then)
        self._closures[core, before, after] = result = (tuple(chars), matched)
        return result

    def step(self, state: _Single, letter: int, after: int) -> _Single:
        core, before = state
        if core is _ACCEPTED:
            return state
        chars, matched = self.closure(core, before, after)
        if matched:
            return (_ACCEPTED, 0)
        members = self.members
        nexts = frozenset([then for index, then in chars if members[index][letter]])
        return (nexts, after if self.nfa.words else _NO_WORD)

    def ends(self, state: _Single) -> bool:
        """Whether the pattern has matched when the string ends here."""
        return state[0] is _ACCEPTED or self.closure(state[0], state[1], _EDGE)[1]


def _holds(which: str, before: int, after: int) -> bool:
    if which in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return before == _EDGE
    if which in ("AT_END", "AT_END_STRING"):
        return after == _EDGE
    return ((before == _IS_WORD) != (after == _IS_WORD)) == (which == "AT_BOUNDARY")


class Machine:
    """The strings that match all of some patterns and none of others.

    `exact` is False when it takes in more (wider lookarounds) or, with inexact negatives, less than it should.
    """

    def __init__(self, patterns: tuple[str, ...], not_patterns: tuple[str, ...]) -> None:
        positive: list[_Runner] = []
        groups: list[tuple[list[_Runner], list[_Runner]]] = []
        for pattern in patterns:
            trees, not_trees = conjunction(pattern)
            positive += [_Runner(nfa(tree)) for tree in trees]
            groups += [([_Runner(nfa(tree))], []) for tree in not_trees]
        for pattern in not_patterns:
            trees, not_trees = conjunction(pattern)
            groups.append(([_Runner(nfa(tree)) for tree in trees], [_Runner(nfa(tree)) for tree in not_trees]))
        self.must = len(positive)
        self.runners = positive + [runner for musts, nots in groups for runner in (*musts, *nots)]
        self.groups: list[tuple[range, range]] = []
        at = self.must
        for musts, nots in groups:
            middle, end = at + len(musts), at + len(musts) + len(nots)
            self.groups.append((range(at, middle), range(middle, end)))
            at = end
        self.exact = all(runner.nfa.exact for runner in self.runners)
        self.letters, self.contexts = self._alphabet()
        first = tuple(runner.start for runner in self.runners)
        self.states: list[tuple[_Single, ...]] = [first]
        self._ids = {first: 0}
        self._letters_of: dict[str, int] = {}
        # A matcher should see a mismatch in the first character where it would need ages to see it in the last.
        self.early = any(map(explosive, not_patterns))
        self._weights = [self._weight(first)]
        self._moves: list[list[tuple[int, int]] | None] = [None]
        self._final: list[bool | None] = [None]

    def _alphabet(self) -> tuple[list[Ranges], list[int]]:
        """Groups of characters that no pattern tells apart, the most readable first, and whether each is of words."""
        bounds = {0, 32, 127, 0xD800, 0xE000, TOP + 1}
        for ranges in [WORD, *(r for runner in self.runners for r in runner.nfa.classes)]:
            for low, high in ranges:
                bounds.update((low, high + 1))
        cuts = sorted(bounds)
        words = any(runner.nfa.words for runner in self.runners)
        tables = [WORD] if words else []
        tables += [r for runner in self.runners for r in runner.nfa.classes]
        found: dict[tuple[bool, ...], list[tuple[int, int]]] = {}
        starts = [[low for low, _ in ranges] for ranges in tables]
        for low, after in pairwise(cuts):
            if 0xD800 <= low < 0xE000:
                continue
            key = [32 <= low < 127]
            for ranges, lows in zip(tables, starts, strict=True):
                at = bisect_right(lows, low) - 1
                key.append(at >= 0 and ranges[at][1] >= low)
            found.setdefault(tuple(key), []).append((low, after - 1))
        rows = sorted(found.items(), key=lambda row: min(map(_rank, row[1])))
        offset = 1 + words
        for runner in self.runners:
            count = len(runner.nfa.classes)
            runner.members = [[key[offset + index] for key, _ in rows] for index in range(count)]
            offset += count
        contexts = [_IS_WORD if words and key[1] else _NO_WORD for key, _ in rows]
        self.plain = sum(key[0] for key, _ in rows)
        return [normal(ranges) for _, ranges in rows], contexts

    def _weight(self, singles: tuple[_Single, ...]) -> int:
        """What it costs to go on from a state, in steps: the same whether or not that was done before."""
        return len(self.letters) * len(singles) + sum([len(core) for core, _ in singles])

    def final(self, state: int) -> bool:
        """Whether a string may end in this state."""
        known = self._final[state]
        if known is None:
            done = [runner.ends(single) for runner, single in zip(self.runners, self.states[state], strict=True)]
            known = all(done[: self.must]) and not any(
                all(done[i] for i in musts) and not any(done[i] for i in nots) for musts, nots in self.groups
            )
            self._final[state] = known
        return known

    def moves(self, state: int) -> list[tuple[int, int]]:
        """The (letter group, next state) pairs that do not lead into a dead end at once."""
        known = self._moves[state]
        if known is not None:
            return known
        singles, made = self.states[state], []
        for letter, after in enumerate(self.contexts):
            nexts = tuple([r.step(s, letter, after) for r, s in zip(self.runners, singles, strict=True)])
            if any(not nexts[i][0] for i in range(self.must)):
                continue
            if any(all(nexts[i][0] is _ACCEPTED for i in musts) and not nots for musts, nots in self.groups):
                continue
            number = self._ids.get(nexts)
            if number is None:
                number = self._ids[nexts] = len(self.states)
                self.states.append(nexts)
                self._weights.append(self._weight(nexts))
                self._moves.append(None)
                self._final.append(None)
            made.append((letter, number))
        self._moves[state] = made
        return made

    def layers(self, low: int, high: int | None, plain: bool, budget: Budget) -> Iterator[tuple[int, list[list[int]]]]:
        """Each length from `low` to `high` that some string has, with the states after 0, 1, … characters.

        `plain`: only strings of printable ASCII. Ends early once no further length can have one. Raises OutOfSteps.
        """
        allowed = self.plain if plain else len(self.letters)
        layers = [[0]]
        seen: set[int] = set()
        idle: int | None = None
        length = 0
        while True:
            here = layers[-1]
            if length >= low:
                if any(map(self.final, here)):
                    idle = 0
                    yield length, layers
                elif idle is not None:
                    idle += 1
                if idle is None and seen.issuperset(here) or idle == _IDLE:
                    return
                seen.update(here)
            if length == high or not here:
                return
            budget.spend(sum([self._weights[state] for state in here]))
            layers.append(
                list(dict.fromkeys([then for state in here for at, then in self.moves(state) if at < allowed]))
            )
            length += 1

    def words(self, layers: list[list[int]], plain: bool, chooser: Chooser, budget: Budget) -> Iterator[str]:
        """The strings as long as `layers` is deep, the most readable letters first. Raises OutOfSteps."""
        allowed = self.plain if plain else len(self.letters)
        length = len(layers) - 1
        alive: list[set[int]] = [set() for _ in range(length)] + [{s for s in layers[length] if self.final(s)}]
        for at in range(length - 1, -1, -1):
            after = alive[at + 1]
            budget.spend(len(layers[at]))
            alive[at] = {s for s in layers[at] if any(t in after for a, t in self.moves(s) if a < allowed)}
        if 0 not in alive[0]:
            return
        if not length:
            yield ""
            return
        stack = [self._options(0, alive[1], allowed, chooser)]
        if self.early and length > _SHORT:
            first = sorted(self.moves(0), reverse=True)
            stack = [iter([(members(self.letters[a])[0], t) for a, t in first if t in alive[1] and a < allowed])]
        text: list[str] = []
        while stack:
            move = next(stack[-1], None)
            if move is None:
                stack.pop()
                del text[-1:]
                continue
            budget.spend(1)
            text.append(move[0])
            if len(text) == length:
                yield "".join(text)
                text.pop()
            else:
                stack.append(self._options(move[1], alive[len(text) + 1], allowed, chooser))

    def _options(self, state: int, alive: set[int], allowed: int, chooser: Chooser) -> Iterator[tuple[str, int]]:
        """The characters to go on with: one of each group, then the other members of the groups."""
        moves = [move for move in self.moves(state) if move[1] in alive and move[0] < allowed]
        if not chooser.minimal:
            for at in chooser.order(len(moves)):
                options = members(self.letters[moves[at][0]])
                yield options[chooser.integer(0, len(options) - 1)], moves[at][1]
            return
        for round_ in range(len(READABLE)):
            more = False
            for letter, then in moves:
                options = members(self.letters[letter])
                if round_ < len(options):
                    more = True
                    yield options[round_], then
            if not more:
                return

    def accepts(self, text: str) -> bool:
        """Whether the machine accepts a text: in time that grows with its length only."""
        state = 0
        for char in text:
            letter = self._letters_of.get(char)
            if letter is None:
                code = ord(char)
                groups = enumerate(self.letters)
                letter = next((at for at, spans in groups if any(low <= code <= high for low, high in spans)), -1)
                self._letters_of[char] = letter
            after = next((then for at, then in self.moves(state) if at == letter), None)
            if after is None:
                return False
            state = after
        return self.final(state)


def _rank(span: tuple[int, int]) -> int:
    """How readable the best character of a range is; smaller is better."""
    low, high = span
    best = [rank for code, rank in _RANK.items() if low <= code <= high]
    if best:
        return min(best)
    return 1000 + (low if low > 0xA0 else TOP + low)  # controls last


@lru_cache(maxsize=1024)
def members(ranges: Ranges) -> str:
    """Some characters of these ranges, the most readable first."""
    readable = [char for char in READABLE if any(low <= ord(char) <= high for low, high in ranges)]
    if readable:
        return "".join(readable)
    spans = sorted(ranges, key=_rank)
    return "".join([chr(code) for low, high in spans[:4] for code in range(low, min(high, low + 15) + 1)])


@lru_cache(maxsize=128)
def machine(patterns: tuple[str, ...], not_patterns: tuple[str, ...]) -> Machine:
    """The machine of these patterns. Raises Unsupported."""
    return Machine(patterns, not_patterns)
