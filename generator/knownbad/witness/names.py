"""Names for members that must be there under a name yet to be made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ..keywords.mutation import Mutation
from ..keywords.shape import Forced, Shape
from .regex import matches
from .strings import StringShape, strings

if TYPE_CHECKING:
    from .instance import Walk


def near_names(name: str) -> Iterator[str]:
    """Names that are easily taken for `name`, the likeliest slip first."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    camel = re.sub(r"[_-]+([a-z])", lambda m: m.group(1).upper(), name)
    for near in (snake, camel, name.lower(), name.capitalize(), name + "s", name + "x"):
        if near != name and near:
            yield near


Named = tuple[str, tuple[Mutation, ...]]
"""A name, and the mutations that the name itself witnesses."""


def names_for(walk: Walk, shape: Shape, forced: Forced, taken: Sequence[str]) -> Iterator[Named]:
    """Names that a forced member may have, the most telling first."""
    for name, covered in _candidates(walk, shape, forced, taken):
        walk.budget.spend()
        if name in taken or name in shape.forbidden or forced.outside is not None and name in forced.outside:
            continue
        if not all(matches(p, name) for p in forced.patterns) or any(matches(p, name) for p in forced.not_patterns):
            continue
        if name in shape.properties and forced.outside is None:
            continue
        if forced.outside is None and any(matches(p, name) for p, _ in shape.pattern_properties):
            continue
        if forced.name_obs or all(walk.accepts(ob, name) for ob in shape.names):
            yield name, covered


def _candidates(walk: Walk, shape: Shape, forced: Forced, taken: Sequence[str]) -> Iterator[Named]:
    if forced.name_obs:
        for built in walk.candidates([*forced.name_obs, *shape.names]):
            if isinstance(built.value, str):
                yield built.value, built.covered
        return
    yield from ((name, ()) for name in _plain(walk, shape, forced, taken))


def _plain(walk: Walk, shape: Shape, forced: Forced, taken: Sequence[str]) -> Iterator[str]:
    dialect = walk.contract.dialect
    if forced.patterns:
        wanted = StringShape(patterns=forced.patterns, not_patterns=forced.not_patterns, dialect=dialect)
        # a name that no other rule speaks of is the clearest; any that matches will do
        others = tuple(p for p, _ in shape.pattern_properties if p not in forced.patterns)
        clear = StringShape(patterns=forced.patterns, not_patterns=(*forced.not_patterns, *others), dialect=dialect)
        known = set(shape.properties)
        for each in (clear, wanted):
            first = None
            for name in strings(each, walk.chooser):
                first = name
                if name not in known:
                    yield name
            for number in range(1, 9):
                if first is not None:
                    yield f"{first}{number}"
        yield from shape.properties
        return
    closed = any(extra.ob.sub.value is False for extra in shape.extras)
    if closed and forced.outside is not None and not any(ob.aims for ob in forced.value_obs):
        yield from shape.properties  # only what is declared has a place
        for pattern, _ in shape.pattern_properties:
            spoken = StringShape(patterns=(pattern,), not_patterns=forced.not_patterns, dialect=dialect)
            yield from islice(strings(spoken, walk.chooser), 2)
    if shape.names:
        avoid = frozenset((*taken, *shape.properties))
        for built in walk.candidates(shape.names, 0, avoid):
            if isinstance(built.value, str):
                yield built.value
    for name in [*shape.required, *shape.properties][:6]:
        for near in near_names(name):
            if near not in shape.properties:
                yield near
    yield from ("extra", "extra1", "extra2", "extra3", "x-extra", "a", "A", "0", "_", "additional")
    patterns = tuple(p for p, _ in shape.pattern_properties)
    if patterns:
        yield from strings(StringShape(min_length=1, not_patterns=patterns, dialect=dialect), walk.chooser)
    yield from (f"extra{number}" for number in range(4, 400))
