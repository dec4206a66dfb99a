"""Does one contract accept everything that the other accepts? A proof, or the places where that is open."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from .colors import Colors
from .forms import Edge, Flat, Forms, Node, Part
from .need import Kid, Link, Need
from .needs import Needs

PAIRS = 40_000
"""How many pairs of nodes are looked at; beyond, nothing more is proved."""
ROUNDS = 12

Route = tuple[Edge, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Open:
    """A place where it is open whether the right node accepts everything that the left one accepts.

    `routes` lead from the root of the accepting contract to each part of the left node; with `kid` the place is one
    step further, where the left node has no part that says so. `around` are the schema objects of the other contract
    that hold a combinator on the way, with the routes of the accepting one to where they judge.
    `trail`: the pairs of nodes on the way, the outermost first.
    """

    left: Node
    right: Node
    need: Need
    routes: tuple[Route, ...]
    kid: Kid | None
    around: tuple[tuple[Route, Part], ...]
    trail: tuple[tuple[Node, Node], ...]
    path: tuple[object, ...] = ()
    """The way into the instance."""


class Cover:
    """Whether nodes of one contract accept all that nodes of the other accept; coinductive, so recursion is no matter.

    What is assumed while it is looked at is dropped again as soon as it fails, until nothing changes any more.
    """

    def __init__(self, forms: Forms, colors: Colors) -> None:
        self.forms = forms
        self.colors = colors
        self.needs = Needs(forms, colors, self.holds)
        self.proved: dict[tuple[int, int], str] = {}
        """Pairs that hold for a reason from elsewhere."""
        self._failed: set[tuple[int, int]] = set()
        self._assumed: set[tuple[int, int]] = set()
        self._changed = False
        self.exhausted = False
        self._count = 0

    def prove(self, left: Node, right: Node) -> bool:
        """Whether it is proved that the right node accepts everything that the left one accepts."""
        self._failed.clear()
        self._count = 0
        for _ in range(ROUNDS):
            self._assumed.clear()
            self._changed = False
            held = self.holds(left, right)
            if not self._changed:  # nothing that was assumed has failed since
                return held
        self.exhausted = True
        return False

    def holds(self, left: Node, right: Node) -> bool:
        """Whether a pair holds, as far as is known by now."""
        if not right.parts or left is right or not left.mask:
            return True
        pair = (id(left), id(right))
        if pair in self.proved or pair in self._assumed:
            return True
        if pair in self._failed:
            return False
        there = {self.colors.of(part) for part in left.parts}
        if all(self.colors.of(part) in there for part in right.parts):
            return True
        self._count += 1
        if self._count > PAIRS:
            self.exhausted = True
            return False
        self._assumed.add(pair)
        if next(self.needs.of(left, right), None) is None:
            return True
        self._assumed.discard(pair)
        self._failed.add(pair)
        self._changed = True
        return False

    # -- what is left open

    def open(self, left: Node, right: Node) -> list[Open]:
        """Every place where the proof of a pair fails, the nearest to the root first. To be asked after `prove`."""
        for _ in range(ROUNDS):
            self._changed = False
            found = self._opened(left, right)
            if not self._changed:
                break
        return found

    def _opened(self, left: Node, right: Node) -> list[Open]:
        found: list[Open] = []
        start: tuple[Route, ...] = tuple(() for _ in left.parts)
        queue: deque[_At] = deque([_At(left, right, start, (), (), ())])
        seen: set[tuple[int, int]] = {(id(left), id(right))}
        while queue:
            at = queue.popleft()
            for need in list(self.needs.of(at.left, at.right)):
                for open_, below in self._step(at, need):
                    if open_ is not None:
                        found.append(open_)
                    elif below is not None and (id(below.left), id(below.right)) not in seen:
                        seen.add((id(below.left), id(below.right)))
                        queue.append(below)
        return found

    def _step(self, at: _At, need: Need) -> Iterator[tuple[Open | None, _At | None]]:
        around = at.around
        if need.turned or need.keyword in ("anyOf", "oneOf", "not", "if"):
            around = (*around, (self._route(at), need.flat.part))
        trail = (*at.trail, (at.left, at.right))
        if need.case is not None and not need.kids:
            node, links = need.case
            routes = tuple(self._linked(at, link) for link in links)
            yield Open(node, at.right, need, routes, None, around, trail, at.path), None
            return
        if not need.kids:
            yield Open(at.left, at.right, need, at.routes, None, around, trail, at.path), None
        for kid in need.kids:
            if kid.links and kid.exact:
                routes = tuple(self._linked(at, self._link_of(kid, part)) for part in kid.left.parts)
                path = at.path if kid.step[0] == "here" else (*at.path, kid.step)
                yield None, _At(kid.left, kid.right, routes, around, trail, path)
            else:
                yield Open(at.left, at.right, need, at.routes, kid, around, trail, at.path), None

    def _link_of(self, kid: Kid, part: Part) -> Link:
        return next(link for link in kid.links if link.part[0] is part[0] and link.part[1] == part[1])

    def _linked(self, at: _At, link: Link) -> Route:
        if link.flat is None:
            return at.routes[link.number]
        return (*self._to(at, link.flat), link.edge)

    def _to(self, at: _At, flat: Flat) -> Route:
        return (*at.routes[flat.origin], *flat.edges)

    def _route(self, at: _At) -> Route:
        return at.routes[0] if at.routes else ()


@dataclass(frozen=True, slots=True, eq=False)
class _At:
    left: Node
    right: Node
    routes: tuple[Route, ...]
    around: tuple[tuple[Route, Part], ...]
    trail: tuple[tuple[Node, Node], ...]
    path: tuple[object, ...]
