"""Objects of a shape."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..keywords.mutation import Mutation
from ..keywords.shape import Forced, Ob, Shape
from ..values import key
from .names import names_for, near_names
from .regex import matches

if TYPE_CHECKING:
    from .instance import Built, Walk

OPTIONAL_DEPTH = 5
"""How deep optional members are drawn when a chooser varies them."""


def obligations_of(shape: Shape, name: str) -> list[Ob]:
    """What holds for the member `name`, by name, by pattern and as one of the rest."""
    obs = [*shape.properties.get(name, ())]
    if shape.pattern_properties:
        obs += [ob for pattern, ob in shape.pattern_properties if matches(pattern, name)]
    spoken = bool(obs)
    for extra in shape.extras:
        if extra.names is not None and name not in extra.names and not any(matches(p, name) for p in extra.patterns):
            obs.append(extra.ob)
            spoken = True
    if not spoken:
        obs += [extra.ob for extra in shape.extras if extra.names is None]
    return obs


def objects(walk: Walk, shape: Shape, depth: int, avoid: frozenset[Hashable], hint: Any) -> Iterator[Built]:
    """Objects of this shape, the smallest first; with values to avoid, some that differ in a member."""
    built = _object(walk, shape, depth, hint, ())
    if built is not None:
        yield built
    if built is None or not avoid and not shape.excluded:
        return
    spare = [n for n in shape.properties if n not in built.value and n not in shape.forbidden]
    for name in spare[:6]:
        other = _object(walk, shape, depth, hint, (name,))
        if other is not None:
            yield other
    for name in list(built.value)[:6]:
        tried = {key(built.value[name])}
        for _ in range(60):
            child = walk.solve(obligations_of(shape, name), depth + 1, frozenset(tried))
            if child is None:
                break
            tried.add(key(child.value))
            yield type(built)({**built.value, name: child.value}, built.covered)
    for name, _ in names_for(walk, shape, Forced(None), tuple(built.value)):
        child = walk.solve(obligations_of(shape, name), depth + 1)
        if child is None:
            return
        yield type(built)({**built.value, name: child.value}, built.covered)


def _object(walk: Walk, shape: Shape, depth: int, hint: Any, more: tuple[str, ...]) -> Built | None:
    from .instance import NO_HINT, Built

    kept = hint if isinstance(hint, dict) else {}
    optional = [n for n in kept if n not in shape.forbidden]
    needed = dict.fromkeys([*shape.required, *more])
    if not walk.chooser.minimal and depth < OPTIONAL_DEPTH:
        optional += _spare(walk, shape, needed)
    members: dict[str, Any] = {}
    covered: list[Mutation] = []

    def place(name: str, extra: tuple[Ob, ...] = (), like: str | None = None, checked: bool = False) -> bool:
        if shape.names and not checked and not all(walk.accepts(ob, name) for ob in shape.names):
            return False
        obs = [*obligations_of(shape, name), *extra]
        ending = [ob for ob in obs if ob.aims and ob.sub.value is False and any(not a.route for a in ob.aims)]
        opened = {ob.key: ob for ob in ending}
        real = [ob for ob in obs if ob.key not in opened] if opened else obs
        if like is not None and not real:
            near = walk.solve([Ob(ob.sub, ob.accept, (), ob.scope) for ob in shape.properties.get(like, ())], depth + 1)
            served = tuple(a.mutation for ob in opened.values() for a in ob.aims if not a.route)
            child = Built(near.value if near else "a", served)
        else:
            found = walk.solve(obs, depth + 1, hint=kept.get(name, NO_HINT))
            if found is None:
                return False
            child = found
        members[name] = child.value
        covered.extend(child.covered)
        return True

    for name in [*needed, *(n for n in optional if n not in needed)]:
        if not place(name) and name in needed:
            return None
    changed = True
    while changed:
        changed = False
        for name, followers in shape.dependents:
            for follower in followers if name in members else ():
                if follower not in members:
                    if follower in shape.forbidden or not place(follower):
                        return None
                    changed = True
    if not walk.chooser.minimal and depth < OPTIONAL_DEPTH:
        _more(walk, shape, members, place)
    for forced in shape.forced:
        if not _place_forced(walk, shape, forced, members, covered, place):
            return None
    if len(members) < shape.min_properties and not _fill(walk, shape, members, place):
        return None
    order = {name: index for index, name in enumerate(shape.properties)}
    names = sorted(members, key=lambda n: order.get(n, len(order)))
    return Built({name: members[name] for name in names}, tuple(covered))


def _spare(walk: Walk, shape: Shape, needed: Collection[str]) -> list[str]:
    """The optional members that the chooser wants, as far as there is room."""
    spare = [n for n in shape.properties if n not in needed and n not in shape.forbidden]
    chosen = [n for n in spare if walk.chooser.integer(0, 1)]
    return chosen if shape.max_properties is None else chosen[: max(0, shape.max_properties - len(needed))]


def _more(walk: Walk, shape: Shape, members: dict[str, Any], place: Any) -> None:
    """At most one member that no property speaks of, when the chooser wants one and the shape leaves it open."""
    room = shape.max_properties is None or len(members) + len(shape.forced) < shape.max_properties
    kinds = [Forced(patterns=(p,)) for p, ob in shape.pattern_properties if ob.sub.value is not False]
    if all(extra.ob.sub.value is not False for extra in shape.extras):
        kinds.insert(0, Forced(None))
    if not room or not kinds:
        return
    wanted = walk.chooser.integer(0, 3 * len(kinds))
    if not wanted or wanted > len(kinds):
        return
    named = islice(names_for(walk, shape, kinds[wanted - 1], tuple(members)), 1 + walk.chooser.integer(0, 7))
    for name in [name for name, _ in named][-1:]:
        place(name)


def _place_forced(
    walk: Walk, shape: Shape, forced: Forced, members: dict[str, Any], covered: list[Mutation], place: Any
) -> bool:
    for tries, (name, by_name) in enumerate(names_for(walk, shape, forced, tuple(members)), start=1):
        like = next((n for n in [*shape.required, *shape.properties] if name in near_names(n)), None)
        if place(name, forced.value_obs, like, checked=True):
            covered.extend(by_name)
            return True
        if tries >= 4:
            return False
    return False


def _fill(walk: Walk, shape: Shape, members: dict[str, Any], place: Any) -> bool:
    """Add members until there are as many as `minProperties` asks for."""
    for name in shape.properties:
        if len(members) >= shape.min_properties:
            return True
        if name not in members and name not in shape.forbidden:
            place(name)
    tries = 0
    while len(members) < shape.min_properties and tries < shape.min_properties + 8:
        tries += 1
        patterns = [(p,) for p, _ in shape.pattern_properties]
        for wanted in [(), *patterns]:
            named = names_for(walk, shape, Forced(patterns=wanted), tuple(members))
            if any(place(name) for name, _ in islice(named, 8)):
                break
    return len(members) >= shape.min_properties
