"""More varied witnesses of one class, for `generate --examples`: drawn with a fixed seed, shrunk to what matters.

An example is worth its file for something that no instance of its class has had before: a member, a type, a length. It
is the same walk as the strategies', driven by a recorded list of choices; shrinking lowers the choices as long as the
novelty is still there. Seeds depend on the class alone, so a change elsewhere in the schema changes none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from .distinguish import Engine
from .keywords.mutation import Mutation
from .pointers import join
from .values import compact, type_of
from .varied import Varied
from .witness.instance import NO_HINT

CHOICES = 200
"""Choices of one example; what is left to choose after them is minimal."""
SPAN = 12
"""How far from its simplest value a number or a length is drawn."""
DRAWN = 8
"""How many instances are drawn for each example that is wanted."""
SHRINKS = 80
"""How many simpler lists of choices are tried for one example."""

Feature = tuple[str, str]


class Choices:
    """A chooser that follows a list of choices (0: the simplest), then draws at random, or takes the simplest."""

    def __init__(self, given: Sequence[int], random: Random | None = None) -> None:
        self._given = given
        self._random = random
        self._taken: list[int] = []

    @property
    def minimal(self) -> bool:
        return len(self._taken) >= CHOICES

    @property
    def taken(self) -> tuple[int, ...]:
        """The choices that were made, without the simplest ones at the end."""
        last = max((at for at, choice in enumerate(self._taken) if choice), default=-1)
        return tuple(self._taken[: last + 1])

    def order(self, count: int) -> Sequence[int]:
        first = self.integer(0, count - 1) if count > 1 else 0
        return [first, *range(first), *range(first + 1, count)] if first else range(count)

    def integer(self, low: int, high: int) -> int:
        if self.minimal or low >= high:
            return low
        at = len(self._taken)
        if at < len(self._given):
            choice = min(self._given[at], high - low)
        else:
            choice = self._random.randint(0, min(high - low, SPAN)) if self._random else 0
        self._taken.append(choice)
        return low + choice


def features(value: Any, place: str = "") -> Iterator[Feature]:
    """What is to be seen in an instance: which members and items there are, of which types and kinds."""
    kind = type_of(value)
    if isinstance(value, dict):
        for name, member in value.items():
            yield from features(member, join(place, name))
        kind = kind if value else "no members"
    elif isinstance(value, list):
        for item in value:
            yield from features(item, join(place, "*"))
        kind = f"array of {min(len(value), 3)}"
    elif isinstance(value, str):
        kind = "digits" if value.isdecimal() else "blank" if not value.strip() else kind
    elif isinstance(value, bool):
        kind = compact(value)
    elif isinstance(value, (int, float)):
        kind = f"{'negative ' if value < 0 else '' if value else 'zero '}{kind}"
    yield place, kind


class Examples:
    """Finds examples for the classes of one contract."""

    def __init__(self, engine: Engine) -> None:
        self._varied = Varied(engine.contract, engine)

    def of(self, mutation: Mutation, count: int, known: Sequence[Any]) -> list[Any]:
        """At most `count` different witnesses beside the `known` instances; fewer where no more were found."""
        texts = {compact(value) for value in known}
        seen = {feature for value in known for feature in features(value)}
        found: list[Any] = []
        spare: list[tuple[int, ...]] = []
        for number in range(DRAWN * count):
            if len(found) >= count:
                return found
            drawn = Choices((), Random(f"{mutation.class_}#{number}"))  # noqa: S311  a seed, no secret
            value = self._varied.walked(mutation, drawn)
            if value is NO_HINT or compact(value) in texts:
                continue
            novel = frozenset(features(value)) - seen
            if not novel:
                spare.append(drawn.taken)
                continue
            value = self._shrunk(mutation, drawn.taken, value, _showing(novel))
            texts.add(compact(value))
            seen.update(features(value))
            found.append(value)
        for choices in spare:  # nothing new to be seen: other values will do
            if len(found) >= count:
                break
            value = self._varied.walked(mutation, Choices(choices))
            value = self._shrunk(mutation, choices, value, lambda v: compact(v) not in texts)
            if compact(value) not in texts:
                texts.add(compact(value))
                found.append(value)
        return found

    def _shrunk(self, mutation: Mutation, choices: tuple[int, ...], value: Any, good: Callable[[Any], bool]) -> Any:
        """The witness of the simplest choices that is still good, as far as a few tries find it."""
        best = [choices]
        tried = {choices}
        for candidate in _simpler(lambda: best[-1]):
            if len(tried) > SHRINKS:
                break
            if candidate in tried:
                continue
            tried.add(candidate)
            chooser = Choices(candidate)
            simpler = self._varied.walked(mutation, chooser)
            taken = chooser.taken
            if simpler is not NO_HINT and good(simpler) and (len(taken), taken) < (len(best[-1]), best[-1]):
                best.append(taken)
                value = simpler
        return value


def _showing(novel: frozenset[Feature]) -> Callable[[Any], bool]:
    return lambda value: not novel.isdisjoint(features(value))


def _simpler(current: Callable[[], tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Simpler lists of choices than the current one, the boldest cuts first; it may change between two of them."""
    size = len(current())
    while size:
        at = len(current()) - size
        while at >= 0:
            best = current()
            yield best[:at] + best[at + size :]
            best = current()
            yield best[:at] + (0,) * len(best[at : at + size]) + best[at + size :]
            at -= size
        size //= 2
    for at in reversed(range(len(current()))):
        for part in (4, 2):
            best = current()
            if at < len(best) and best[at] > 1:
                yield (*best[:at], best[at] // part, *best[at + 1 :])
