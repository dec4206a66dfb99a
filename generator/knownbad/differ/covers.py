"""Does one contract accept everything that the other accepts? A proof, or the places where that is open."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from ..contract import Subschema
from .colors import Colors
from .forms import Edge, Forms, Node, Part
from .need import Kid, Link, Need
from .needs import Needs

PAIRS = 12_000
"""How many pairs of nodes are looked at; beyond, nothing more is proved."""
ROUNDS = 12
SPLITS = 3
"""How many combinators of a node it is taken apart by."""

Route = tuple[Edge, ...]
_Pair = tuple[int, int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Open:
    """A place where it is open whether the right node accepts everything that the left one accepts.

    `routes` lead from the root of the accepting contract to each part of the left node (None: to none). With `kid` the
    place is one step further, where the left node has no part that says so. `around` are the schema objects of the
    other contract that hold a combinator on the way, with the routes of the accepting one to where they judge.
    `trail`: the pairs of nodes on the way, the outermost first.
    """

    left: Node
    right: Node
    need: Need
    routes: tuple[Route | None, ...]
    kid: Kid | None
    around: tuple[tuple[Route, Part], ...]
    trail: tuple[tuple[Node, Node], ...]
    path: tuple[object, ...]
    """The way into the instance."""
    top: Subschema
    """The accepting contract's schema."""


class Cover:
    """Whether nodes of one contract accept all that nodes of the other accept; coinductive, so recursion is no matter.

    What is assumed while it is looked at is dropped again as soon as it fails, until nothing changes any more.
    """

    def __init__(self, forms: Forms, colors: Colors) -> None:
        self.forms = forms
        self.colors = colors
        self.needs = Needs(forms, colors, self.holds)
        self.proved: dict[_Pair, str] = {}
        """Pairs that hold for a reason from elsewhere."""
        self._failed: set[_Pair] = set()
        self._assumed: set[_Pair] = set()
        self._uses: dict[_Pair, set[_Pair]] = {}
        """Which pairs a pair was proved by that are about the very same instance."""
        self._stack: list[_Pair] = []
        self._top: Subschema
        self._changed = False
        self.exhausted = False
        self._count = 0

    def prove(self, left: Node, right: Node) -> bool:
        """Whether it is proved that the right node accepts everything that the left one accepts."""
        self._failed.clear()
        self._count = 0
        return self._settle(lambda: self.holds(left, right)) is True

    def _settle(self, ask: Callable[[], T]) -> T | None:
        """The answer to a question once nothing that it assumes fails any more; None when that takes too long."""
        for _ in range(ROUNDS):
            self._assumed.clear()
            self._uses.clear()
            self._changed = False
            try:
                answer = ask()
            except RecursionError:
                break
            circular = _circular(self._uses)
            self._failed |= circular
            if not self._changed and not circular:
                return answer
        self.exhausted = True
        return None

    def holds(self, left: Node, right: Node, *, below: bool = False) -> bool:
        """Whether a pair holds, as far as is known by now.

        `below`: it is about a part of the instance. Of the same instance nothing may be assumed for itself.
        """
        if not right.parts or left is right or not left.mask:
            return True
        pair = (id(left), id(right))
        if pair in self.proved:
            return True
        if pair in self._failed:
            return False
        if pair not in self._assumed:
            there = {self.colors.of(part) for part in left.parts}
            if all(self.colors.of(part) in there for part in right.parts):
                return True
            self._count += 1
            if self._count > PAIRS:
                self.exhausted = True
                return False
            self._assumed.add(pair)
            self._stack.append(pair)
            try:
                held = self._looked_at(left, right)
            finally:
                self._stack.pop()
            if not held:
                self._assumed.discard(pair)
                self._failed.add(pair)
                self._changed = True
                return False
        if not below and self._stack:
            self._uses.setdefault(self._stack[-1], set()).add(pair)
        return True

    def _looked_at(self, left: Node, right: Node) -> bool:
        """Whether all needs are met, of the node as it is or of each case of it."""
        if next(self.needs.of(left, right), None) is None:
            return True
        for cases in islice(self.needs.cases(left), SPLITS):
            if all(self.holds(case.node, right) for case in cases):
                return True
        return False

    # -- what is left open

    def open(self, left: Node, right: Node, top: Subschema) -> list[Open]:
        """Every place where the proof of a pair fails, the nearest to the root first. To be asked after `prove`.

        `top` is the schema of the contract that the left node is of.
        """
        self._top = top
        return self._settle(lambda: self._opened(left, right)) or []

    def _opened(self, left: Node, right: Node) -> list[Open]:
        found: list[Open] = []
        start: tuple[Route | None, ...] = tuple(() for _ in left.parts)
        queue: deque[_At] = deque([_At(left, right, start, (), (), ())])
        seen: set[tuple[int, int]] = {(id(left), id(right))}
        while queue:
            at = queue.popleft()
            for case in self._cases(at):
                if (id(case.left), id(case.right)) not in seen:
                    seen.add((id(case.left), id(case.right)))
                    queue.append(case)
            if at.split:
                continue
            for need in list(self.needs.of(at.left, at.right)):
                for open_, below in self._step(at, need):
                    if open_ is not None:
                        found.append(open_)
                    elif below is not None and (id(below.left), id(below.right)) not in seen:
                        seen.add((id(below.left), id(below.right)))
                        queue.append(below)
        return found

    def _cases(self, at: _At) -> Iterator[_At]:
        """The cases of a node that do not hold, where others do: then it is not the node as a whole that is open."""
        for cases in islice(self.needs.cases(at.left), SPLITS):
            failed = [case for case in cases if not self.holds(case.node, at.right)]
            if not failed or len(failed) == len(cases):
                continue
            at.split.append(True)
            for case in failed:
                routes = tuple(self._linked(at, _link_of(case.links, part)) for part in case.node.parts)
                yield _At(case.node, at.right, routes, at.around, at.trail, at.path)
            return

    def _step(self, at: _At, need: Need) -> Iterator[tuple[Open | None, _At | None]]:
        around = at.around
        if need.turned or need.keyword in ("anyOf", "oneOf", "not", "if"):
            around = (*around, (self._route(at), need.flat.part))
        trail = (*at.trail, (at.left, at.right))
        if need.case is not None and not need.kids:
            node, links = need.case
            routes = tuple(self._linked(at, link) for link in links)
            yield Open(node, at.right, need, routes, None, around, trail, at.path, self._top), None
            return
        if not need.kids:
            yield Open(at.left, at.right, need, at.routes, None, around, trail, at.path, self._top), None
        for kid in need.kids:
            routes = tuple(self._linked(at, _link_of(kid.links, part)) for part in kid.left.parts)
            if any(r is not None for r in routes) and (kid.exact or kid.step[0] == "named"):
                path = at.path if kid.step[0] == "here" else (*at.path, kid.step)
                yield None, _At(kid.left, kid.right, routes, around, trail, path)
            else:
                yield Open(at.left, at.right, need, at.routes, kid, around, trail, at.path, self._top), None

    def _linked(self, at: _At, link: Link | None) -> Route | None:
        if link is None:
            return None
        if link.flat is None:
            return at.routes[link.number]
        start = at.routes[link.flat.origin]
        return None if start is None else (*start, *link.flat.edges, link.edge)

    def _route(self, at: _At) -> Route:
        return next((route for route in at.routes if route is not None), ())


@dataclass(frozen=True, slots=True, eq=False)
class _At:
    left: Node
    right: Node
    routes: tuple[Route | None, ...]
    around: tuple[tuple[Route, Part], ...]
    trail: tuple[tuple[Node, Node], ...]
    path: tuple[object, ...]
    split: list[bool] = field(default_factory=list)


def _link_of(links: Sequence[Link], part: Part) -> Link | None:
    """The link to a part; None where it is one of the other contract, to which no way of an instance leads."""
    return next((link for link in links if link.part[0] is part[0] and link.part[1] == part[1]), None)


def _circular(uses: dict[_Pair, set[_Pair]]) -> set[_Pair]:
    """The pairs that are used for themselves, directly or not."""
    left = {pair: {u for u in used if u in uses} for pair, used in uses.items()}
    users: dict[_Pair, list[_Pair]] = {}
    for pair, used in left.items():
        for u in used:
            users.setdefault(u, []).append(pair)
    ready = [pair for pair, used in left.items() if not used]
    while ready:
        done = ready.pop()
        for user in users.get(done, ()):
            left[user].discard(done)
            if not left[user]:
                ready.append(user)
    return {pair for pair, used in left.items() if used}
