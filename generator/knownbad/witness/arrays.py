"""Arrays of a shape."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from ..keywords.mutation import Mutation
from ..keywords.shape import Aim, Contains, Ob, Shape
from ..values import key

if TYPE_CHECKING:
    from .instance import Built, Walk

AIMED_ITEMS = 8
"""How many items an array is given so that each serves another aim."""
LONGEST = 20_000
"""Arrays that would need more items are not built."""


def obligations_at(shape: Shape, index: int) -> list[Ob]:
    """What holds by position for the item at `index`."""
    obs: list[Ob] = []
    spoken = False
    for entry in shape.tuples:
        if index < len(entry.prefix):
            ob = entry.prefix[index]
            if ob is not None:
                obs.append(ob)
            spoken = True
        elif entry.rest is not None:
            obs.append(entry.rest)
            spoken = True
    if not spoken:
        obs += shape.unevaluated_items
    return obs


def arrays(walk: Walk, shape: Shape, depth: int, avoid: frozenset[Hashable], hint: Any) -> Iterator[Built]:
    """Arrays of this shape, the shortest first; with values to avoid, some longer and different ones."""
    if shape.min_items > LONGEST:
        return
    for spread in (False, True) if len(shape.contains) > 1 else (False,):
        built = _array(walk, shape, depth, hint, spread, shape.min_items)
        if built is not None:
            yield built
            if avoid or shape.excluded:
                yield from _others(walk, shape, depth, built)
            return


def _others(walk: Walk, shape: Shape, depth: int, built: Built) -> Iterator[Built]:
    for length in range(len(built.value) + 1, len(built.value) + 4):
        longer = _array(walk, shape, depth, None, False, length)
        if longer is not None:
            yield longer
    if built.value:
        tried = {key(built.value[0])}
        for _ in range(60):
            child = walk.solve([_unaimed(ob) for ob in obligations_at(shape, 0)], depth + 1, frozenset(tried))
            if child is None:
                return
            tried.add(key(child.value))
            yield type(built)([child.value, *built.value[1:]], built.covered)


def _unaimed(ob: Ob) -> Ob:
    return Ob(ob.sub, ob.accept, (), ob.scope)


def _contained(contains: list[Contains], spread: bool) -> list[tuple[int, Contains]]:
    """Where the items of each `contains` begin: all at the front, or one after the other."""
    places = []
    start = 0
    for each in contains:
        places.append((start, each))
        start += each.low if spread else 0
    return places


def _array(walk: Walk, shape: Shape, depth: int, hint: Any, spread: bool, length: int) -> Built | None:
    from .instance import NO_HINT, Built

    kept = hint if isinstance(hint, list) else []
    places = _contained(shape.contains, spread)
    length = max(length, len(kept), *(start + c.low for start, c in places), 0)
    if shape.unevaluated_items and any(ob.aims or not ob.accept for ob in shape.unevaluated_items):
        spoken = [len(t.prefix) for t in shape.tuples]
        spoken += [start + c.low for start, c in places if c.ob.sub.dialect.year >= 20]
        length = max(length, 1 + max(spoken, default=0))
    enough = length
    if not walk.chooser.minimal and depth < AIMED_ITEMS:
        length += walk.chooser.integer(0, 3)
    if shape.max_items is not None:
        length = min(length, max(shape.max_items, shape.min_items))
    most = min(shape.max_items if shape.max_items is not None else AIMED_ITEMS + length, AIMED_ITEMS + length)
    items: list[Any] = []
    covered: list[Mutation] = []
    done: set[int] = set()
    seen: set[Hashable] = set()
    copy_at = _copy_place(shape) if shape.repeated else -1
    while len(items) < length or len(items) < most and _left(obligations_at(shape, len(items)), done):
        index = len(items)
        obs = [_less(ob, done) for ob in obligations_at(shape, index)]
        obs = _evaluated(shape, places, index, obs)
        obs += _contains_at(places, index, done)
        if index == copy_at and items:
            items.append(items[index - 1])
            continue
        avoid = frozenset(seen) if shape.unique else frozenset()
        child = walk.solve(obs, depth + 1, avoid, kept[index] if index < len(kept) else NO_HINT)
        taken = index < max((start + each.low for start, each in places), default=0)
        if child is None and taken and (spread or len(places) < 2) and any(ob.aims for ob in obs):
            child = walk.solve([_unaimed(ob) for ob in obs], depth + 1, avoid)  # a later item serves the aim
        if child is None and any(ob.aims for ob in obs) and index >= shape.min_items and items:
            break
        if child is None and index >= enough and not any(ob.aims for ob in obs):
            break
        if child is None:
            return None
        fresh = [m for m in child.covered if id(m) not in done]
        if index >= length and not fresh:
            break
        done.update(id(m) for m in fresh)
        covered.extend(child.covered)
        items.append(child.value)
        if shape.unique:
            seen.add(key(child.value))
    return Built(items, tuple(covered))


def _copy_place(shape: Shape) -> int:
    """The index of the item that repeats the one before it: past the tuple where there is room."""
    past = max((len(t.prefix) for t in shape.tuples), default=0)
    return past + 1 if shape.min_items >= past + 2 else shape.min_items - 1


def _less(ob: Ob, done: set[int]) -> Ob:
    """The obligation without the aims that an earlier item has served."""
    if not ob.aims or not done:
        return ob
    return Ob(ob.sub, ob.accept, tuple(a for a in ob.aims if id(a.mutation) not in done), ob.scope)


def _left(obs: list[Ob], done: set[int]) -> list[Aim]:
    return [aim for ob in obs for aim in ob.aims if id(aim.mutation) not in done]


def _evaluated(shape: Shape, places: list[tuple[int, Contains]], index: int, obs: list[Ob]) -> list[Ob]:
    """The obligations at an index when what a `contains` accepts counts as evaluated (from 2020-12 on)."""
    counting = [(start, each) for start, each in places if each.ob.accept and each.ob.sub.dialect.year >= 20]
    loose = {ob.key for ob in shape.unevaluated_items}
    if not counting or not any(ob.key in loose for ob in obs):
        return obs
    if any(start <= index < start + each.low for start, each in counting):
        return [ob for ob in obs if ob.key not in loose]
    return [*obs, *(Ob(each.ob.sub, False, (), each.ob.scope) for _, each in counting)]


def _contains_at(places: list[tuple[int, Contains]], index: int, done: set[int]) -> Iterator[Ob]:
    for start, each in places:
        if start <= index < start + each.low:
            yield _less(each.ob, done)
        elif each.high is not None:
            yield Ob(each.ob.sub, False, (), each.ob.scope)
