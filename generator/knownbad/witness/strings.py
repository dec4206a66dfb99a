"""Strings of a shape: lengths, patterns that must and must not match, formats that must and must not hold.

What is cheap comes first: hints, examples of formats, then the machine of all patterns. A string counts when the
readings of ECMA 262 and of Python agree on it, so that both validators give it the verdict that it was made for.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from .. import formats as known
from ..dialects import DRAFT_2020_12, Dialect
from ..errors import OutOfSteps
from .chooser import Chooser

if TYPE_CHECKING:
    from .automaton import Budget, Machine

MAX_LENGTH = 1_000_000
"""Longer strings are not made."""
STEPS = 150_000
"""Steps of one search in a machine."""
STEPS_A_CHARACTER = 40
"""What a search gets on top for each character that the shape demands."""
_LONE = re.compile("[\ud800-\udfff]")
_BARE_DOT = re.compile(r"(?<=(?<!\\)[a-z0-9])\.(?=[a-z])")
"""In `example.org` the dot stands for any character, but a dot is what was meant."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_VARIETY = _LETTERS + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ -_./"
_SPREAD = 12
"""How much longer than necessary a varied string may be."""
_CONTROL = r"[\x00-\x1f\x7f-\x9f\u2028\u2029]"
_TERMINATED = r"[\n\r\u2028\u2029]$"
_TRIES_A_LENGTH = 12
_TRIES = 200
"""How many strings of the machine are tried, of one length and in all (more where more are asked for)."""
_LONG = 24
"""Length from which on a backtracking match may take too long."""


@dataclass(frozen=True, slots=True)
class StringShape:
    """Which strings are wanted. Lengths count code points; patterns are ECMA 262 and unanchored."""

    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[str, ...] = ()
    not_patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    dialect: Dialect = DRAFT_2020_12

    @property
    def plain(self) -> bool:
        """Whether only the length matters."""
        return not (self.patterns or self.not_patterns or self.formats or self.not_formats)


def satisfies(shape: StringShape, text: str) -> bool:
    """Whether a string has this shape for sure: False also where the validators would disagree."""
    if len(text) < shape.min_length or shape.max_length is not None and len(text) > shape.max_length:
        return False
    return shape.plain or _satisfies(shape, text)


def _satisfies(shape: StringShape, text: str) -> bool:
    return (
        all(_is_valid(name, shape.dialect, text) is True for name in shape.formats)
        and all(_is_valid(name, shape.dialect, text) is False for name in shape.not_formats)
        and all(_matches(pattern, text) is True for pattern in shape.patterns)
        and all(_matches(pattern, text) is False for pattern in shape.not_patterns)
    )


def _matches(pattern: str, text: str) -> bool | None:
    """As `regex.matches`, but never in exponential time where an automaton can tell."""
    from . import regex

    if len(text) > _LONG and regex.compiles(pattern) is None:
        from .automaton import machine
        from .nfa import Unsupported, explosive

        try:
            if explosive(pattern) and (made := machine((pattern,), ())).exact:
                return made.accepts(text)
        except (Unsupported, RecursionError):
            pass
    return regex.matches(pattern, text)


def _is_valid(name: str, dialect: Dialect, text: str) -> bool | None:
    """Whether a string conforms to a format; None where that is not known or the validators disagree."""
    from .regex import matches

    stand = known.standing(name, dialect)
    if stand == "none":
        return True
    row = known.FORMATS[name]
    if text in row.valid or (row.longest is None or len(text) <= row.longest) and matches(row.inner, text):
        return True
    # What one validator does not assert, that one never rejects.
    return False if stand == "both" and (text in row.invalid or matches(row.outer, text) is False) else None


def strings(shape: StringShape, chooser: Chooser, hints: Iterable[str] = (), limit: int = 6) -> Iterator[str]:
    """At most `limit` different strings of this shape, simplest first; nothing when there is none or none was found."""
    if shape.formats:
        shape = _asserting(shape)
    sources: list[Iterable[str]]
    if chooser.minimal:
        sources = [hints, _lengths(shape)] if shape.plain else [hints, _examples(shape), _search(shape, chooser, limit)]
    elif shape.plain:
        sources = [*_reordered([_varied(shape, chooser), _shuffled(hints, chooser)], chooser), _lengths(shape)]
    else:
        searched = _search(shape, chooser, limit)
        sources = _reordered([searched, _shuffled(_examples(shape), chooser), _shuffled(hints, chooser)], chooser)
    seen: set[str] = set()
    for source in sources:
        for text in source:
            if text not in seen and satisfies(shape, text) and (text.isascii() or not _LONE.search(text)):
                seen.add(text)
                yield text
                if len(seen) >= limit:
                    return


@lru_cache(maxsize=1024)
def _asserting(shape: StringShape) -> StringShape:
    """The same without the formats that no validator asserts."""
    return replace(shape, formats=tuple(n for n in shape.formats if known.standing(n, shape.dialect) != "none"))


def _lengths(shape: StringShape) -> Iterator[str]:
    """Strings of letters in the order of the alphabet, the shortest that is not empty first."""
    low, high = shape.min_length, shape.max_length
    for length in (max(low, 1), 0, low + 1, low + 2, low + 3, low + 4):
        if low <= length <= MAX_LENGTH and (high is None or length <= high):
            yield _cycle(_LETTERS, length)
    for start in range(1, 6):  # others of the same length
        if 0 < low <= MAX_LENGTH:
            yield _cycle(_LETTERS[start:] + _LETTERS[:start], low)


def _cycle(letters: str, length: int) -> str:
    return (letters * (length // len(letters) + 1))[:length]


def _reordered(sources: list[Iterator[str]], chooser: Chooser) -> list[Iterable[str]]:
    return [sources[at] for at in chooser.order(len(sources))]


def _shuffled(texts: Iterable[str], chooser: Chooser) -> Iterator[str]:
    options = list(texts)
    if options:
        for at in chooser.order(len(options)):
            yield options[at]


def _varied(shape: StringShape, chooser: Chooser) -> Iterator[str]:
    low = shape.min_length
    high = low + _SPREAD if shape.max_length is None else min(shape.max_length, low + _SPREAD)
    if low > min(high, MAX_LENGTH):
        return
    length = chooser.integer(low, high)
    free = min(length, 64)  # more choices than that teach nothing
    text = "".join([_VARIETY[chooser.integer(0, len(_VARIETY) - 1)] for _ in range(free)])
    yield _cycle(text, length) if text else ""


def _examples(shape: StringShape) -> Iterator[str]:
    """Known strings of the formats (and known faults of those that must not hold), then longer ones."""
    for name in shape.formats:
        if row := known.FORMATS.get(name):
            yield from row.valid
    for name in shape.not_formats:
        if row := known.FORMATS.get(name):
            yield from row.invalid
    for name in shape.formats:
        row = known.FORMATS.get(name)
        if row and row.grow:
            head, fill, tail = row.grow
            for length in dict.fromkeys((shape.min_length, shape.max_length or 0)):
                room = length - len(head) - len(tail)
                if 0 < room <= MAX_LENGTH:
                    yield head + _cycle(fill, room) + tail


def _window(shape: StringShape) -> tuple[int, int | None]:
    """The lengths to look at: what lies past a format's longest example is not known to be valid."""
    longest = [row.longest for name in shape.formats if (row := known.FORMATS.get(name)) and row.longest is not None]
    highs = [high for high in (shape.max_length, *longest) if high is not None]
    return shape.min_length, min(highs) if highs else None


def _with_formats(shape: StringShape) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """All patterns with those of the formats; None when a format that must not hold cannot be broken for both."""
    patterns, not_patterns = shape.patterns, shape.not_patterns
    for name in shape.formats:
        if known.standing(name, shape.dialect) != "none":
            patterns += (known.FORMATS[name].inner,)
    for name in shape.not_formats:
        if known.standing(name, shape.dialect) != "both":
            return None
        not_patterns += (known.FORMATS[name].outer,)
    return patterns, not_patterns


def _search(shape: StringShape, chooser: Chooser, limit: int) -> Iterator[str]:
    """What the machine of all patterns accepts; where that is no help, what the parse tree suggests."""
    from .nfa import Unsupported

    both = _with_formats(shape)
    if both is None:
        return
    patterns, not_patterns = both
    dotted = tuple([_BARE_DOT.sub(r"\.", pattern) for pattern in patterns])
    try:
        if dotted != patterns:
            yield from _machine_strings(dotted, not_patterns, *_window(shape), chooser, 1)
        if (yield from _machine_strings(patterns, not_patterns, *_window(shape), chooser, limit)):
            return
    except (Unsupported, RecursionError):
        pass
    except re.error:
        return
    from .walk import candidates

    for pattern in shape.patterns:
        try:
            yield from candidates(pattern, shape.min_length, chooser)
        except RecursionError:
            continue


def _machine_strings(
    patterns: tuple[str, ...], not_patterns: tuple[str, ...], low: int, high: int | None, chooser: Chooser, limit: int
) -> Generator[str, None, bool]:
    """Strings that the machine accepts; gives back whether there is nothing else to find."""
    from .automaton import Budget, machine

    starts = [max(low, 1), low] if high is None or high >= 1 else [low]
    if not chooser.minimal:
        top = low + _SPREAD if high is None else min(high, low + _SPREAD)
        starts.insert(0, chooser.integer(low, top) if top >= low else low)
    complete = True
    # Printable ASCII wherever that will do; a line terminator at the end is the last resort (`$` is read in two ways).
    for plain, barred in ((True, ()), (False, (_CONTROL,)), (False, (_TERMINATED,)), (False, ())):
        made = machine(patterns, not_patterns + barred)
        complete = complete and made.exact
        tries = 0
        for start in dict.fromkeys(starts):
            budget = Budget((STEPS if plain else STEPS // 4) + STEPS_A_CHARACTER * low)
            try:
                for text in _by_length(made, start, high, plain, chooser, budget, limit):
                    tries += 1
                    yield text
                    if tries > max(_TRIES if plain else _TRIES // 4, 4 * limit):
                        complete = False
                        break
            except OutOfSteps:
                complete = False
    return complete


def _by_length(
    made: Machine, low: int, high: int | None, plain: bool, chooser: Chooser, budget: Budget, limit: int
) -> Iterator[str]:
    """A few strings of each length, the shortest first. Raises OutOfSteps."""
    for _, layers in made.layers(low, high, plain, budget):
        yield from islice(made.words(layers, plain, chooser, budget), max(_TRIES_A_LENGTH, 2 * limit))


@lru_cache(maxsize=4096)
def unmatchable(shape: StringShape) -> bool:
    """Whether it is proved that no string has this shape (as ECMA 262 reads the patterns)."""
    if shape.max_length is not None and shape.min_length > shape.max_length:
        return True
    if any(known.standing(name, shape.dialect) == "none" for name in shape.not_formats):
        return True  # an annotation never fails
    if shape.plain:
        return False
    from .automaton import Budget, machine
    from .nfa import Unsupported

    def rows(names: tuple[str, ...], stand: str) -> list[known.Format]:
        return [known.FORMATS[name] for name in names if known.standing(name, shape.dialect) == stand]

    patterns = shape.patterns + tuple(row.outer for row in rows(shape.formats, "both"))
    unlimited = [row for row in rows(shape.not_formats, "both") if row.longest is None]
    not_patterns = shape.not_patterns + tuple(row.inner for row in unlimited)
    if any("\\p" in p or "\\P" in p for p in (*patterns, *not_patterns)):  # only the basic plane is modelled
        return False
    try:
        made = machine(patterns, not_patterns)
        if not made.exact:
            return False
        budget = Budget(STEPS + STEPS_A_CHARACTER * shape.min_length)
        return next(made.layers(shape.min_length, shape.max_length, False, budget), None) is None
    except (Unsupported, OutOfSteps, RecursionError, re.error):
        return False
