"""Patterns on which a matcher that backtracks can be kept busy for ages, each with the text that does it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from ..codes.lint import BACKTRACKING
from ..contract import Subschema
from ..errors import OutOfSteps
from ..finding import Level
from ..witness.budget import Budget
from ..witness.nfa import Unsupported
from .ambiguity import suspicions
from .backtrack import steps
from .look import Look, Spotted, is_number, said, table

MOST = 80_000
"""Steps of one trial."""
ALL = 500_000
"""Steps of all trials of one pattern."""
ALL_PATTERNS = 2_500_000
"""Steps of all trials of one contract."""
AGES = 1e9
"""Steps that count as ages: a minute and more."""
LONGEST = 50_000
"""The longest text that is thought of, where the schema sets no limit."""
FARTHEST = 250
"""Repeats of the last trial."""
_ENDS = ("!", "\n", "~", "a", "0", " ", "-", "\x00", "\nx\ny", "")


@dataclass(frozen=True, slots=True)
class Blowup:
    """How a pattern blows up: `pump` repeated between `prefix` and `end`. `degree`: 0 where it is exponential.

    `factor`: by how much each further pump multiplies the steps, of an exponential one. `seen`: repeats, with the steps
    that were counted.
    """

    prefix: str
    pump: str
    end: str
    degree: int
    factor: float
    seen: tuple[tuple[int, int], ...]

    def text(self, repeats: int) -> str:
        """The text with so many pumps."""
        return self.prefix + self.pump * repeats + self.end

    def reaches(self, wanted: float) -> int:
        """How many pumps take that many steps, by what was seen."""
        repeats, taken = self.seen[-1]
        if taken >= wanted:
            return repeats
        if self.degree:
            return math.ceil(repeats * math.exp(math.log(wanted / taken) / self.degree))
        return repeats + math.ceil(math.log(wanted / taken) / math.log(self.factor))


class _TooFastError(Exception):
    """The steps are used up before there was anything to compare; another way round the loop may be shorter."""


def blowup(pattern: str) -> Blowup | None:
    """How a pattern blows up, confirmed by counting the steps of a backtracking matcher; None where it does not."""
    return _tried(pattern)[0]


@lru_cache(maxsize=512)
def _tried(pattern: str) -> tuple[Blowup | None, int]:
    """The same with the steps that it took to find out."""
    budget = Budget(ALL)
    return _confirmed(pattern, budget), ALL - max(budget.left, 0)


def _confirmed(pattern: str, budget: Budget) -> Blowup | None:
    best: Blowup | None = None
    for suspicion in suspicions(pattern)[:4]:
        for end in _ENDS:
            try:
                found = _measured(pattern, suspicion.prefix, suspicion.pump, end, budget)
            except Unsupported:
                return None
            except OutOfSteps:
                return best
            except _TooFastError:
                break  # and so it is with every end
            if found is None:
                continue
            if not found.degree:
                return found
            if best is None or found.degree > best.degree:
                best = found
            break
    return best


def _measured(pattern: str, prefix: str, pump: str, end: str, budget: Budget) -> Blowup | None:
    """What more pumps do to the number of steps; None where the pattern is found, or the steps grow no faster."""
    seen: list[tuple[int, int]] = []
    repeats = 1
    while repeats <= FARTHEST:
        count, found = steps(pattern, prefix + pump * repeats + end, MOST)
        budget.spend(count)
        if found:
            return None
        if found is None:
            if len(seen) < 3:
                raise _TooFastError
            break
        seen.append((repeats, count))
        repeats += max(1, repeats // 4)
    if len(seen) < 3:
        return None
    growth = [(b / a) ** (1 / (n - m)) for (m, a), (n, b) in pairwise(seen)]
    if len(seen) < 5 and min(growth) < 3:
        return None
    if growth[-1] > 1.25 and growth[-1] >= 0.97 * growth[len(growth) // 2]:
        return Blowup(prefix, pump, end, 0, growth[-1], tuple(seen[-3:]))
    degree = round(_slope(seen[-3], seen[-1]) - 0.1)
    return Blowup(prefix, pump, end, degree, 0.0, tuple(seen[-3:])) if degree >= 2 and seen[-1][0] > 8 else None


def _slope(one: tuple[int, int], other: tuple[int, int]) -> float:
    """The power of the repeats with which the steps grow."""
    return math.log(other[1] / one[1]) / math.log(other[0] / one[0])


def backtracking_pattern(look: Look) -> Iterator[Spotted]:
    """Patterns, and those of names, on which a matcher that backtracks takes ages."""
    left = ALL_PATTERNS
    for sub in look.objects:
        value = said(sub)
        for place, pattern in _patterns(value):
            if left <= 0:
                return
            found, taken = _tried(pattern)
            left -= taken
            limit: Any = value.get("maxLength") if place == ("pattern",) else None
            if found is not None:
                yield from _told(look, sub, place, found, int(limit) if is_number(limit) else None)


def _patterns(value: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value.get("pattern"), str):
        yield ("pattern",), value["pattern"]
    for name in table(value, "patternProperties"):
        yield ("patternProperties", name), name


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _told(look: Look, sub: Subschema, place: tuple[str, ...], found: Blowup, limit: int | None) -> Iterator[Spotted]:
    repeats = found.reaches(AGES)
    length = len(found.text(1)) + len(found.pump) * (repeats - 1)
    if length > (LONGEST if limit is None else limit):
        return
    grows = f"each {_quoted(found.pump)} more multiplies the steps by {found.factor:.3g}"
    if found.degree:
        name = {2: "square", 3: "cube"}.get(found.degree, f"{found.degree}th power")
        grows = f"the steps grow with the {name} of the length"
    long = "very long" if found.degree else "ages"
    how = f"{_quoted(found.prefix)}, then {_quoted(found.pump)} again and again, then {_quoted(found.end)}"
    counted = ", ".join(f"{count} for {number}" for number, count in found.seen)
    yield look.spotted(
        BACKTRACKING,
        sub,
        f"a matcher that backtracks takes {long} on a text of {length} characters: {grows}",
        *place,
        witness=found.text(min(repeats, 200 if not found.degree else 30)),
        detail=(how, f"steps: {counted}"),
        fix="let only one of the repeats take each character",
        level=Level.WARNING if found.degree else None,
    )
