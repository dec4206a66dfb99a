"""Routes: through which applicators a walk from the root reaches each subschema."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from ..contract import Contract, Subschema
from ..keywords.applicators import dynamic_target, entering
from ..keywords.places import STAYING
from ..keywords.shape import Ob, Scope
from ..pointers import Step

Edge = tuple[Step, ...]
Route = tuple[Edge, ...]

# What a step through an applicator costs: a plain member is the likeliest place, a branch needs the others kept out.
_COSTS = {
    "$ref": 1, "allOf": 1, "properties": 2, "items": 2, "prefixItems": 2, "additionalProperties": 3,
    "patternProperties": 3, "additionalItems": 3, "anyOf": 3, "oneOf": 3, "then": 3, "else": 4, "contains": 3,
    "dependentSchemas": 4, "dependencies": 4, "propertyNames": 4, "unevaluatedProperties": 4, "unevaluatedItems": 4,
    "$dynamicRef": 1, "$recursiveRef": 1,
}  # fmt: skip
ALTERNATIVES = 6
"""How many routes to one subschema are tried."""

_Place = tuple[int, Scope]


class Routes:
    """The subschemas that an instance can reach, with the cheapest routes to each."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self._best: dict[int, tuple[int, Route]] = {}
        self._ends: dict[Route, int] = {}
        """The subschema that a cheapest route ends at."""
        self._into: dict[int, list[tuple[int, Route, Edge]]] = {}
        self._routes: dict[int, list[Route]] = {}
        self._followed: dict[_Place, dict[Edge, tuple[Subschema, Scope]]] = {}
        self.reached: dict[int, Subschema] = {}
        self._search()

    def _search(self) -> None:
        root = self.contract.root
        scope = entering((), root, self.contract)
        heap: list[tuple[int, int, Subschema, Scope, Route]] = [(0, 0, root, scope, ())]
        count = 0
        settled: set[_Place] = set()
        while heap:
            cost, _, sub, scope, route = heappop(heap)
            if (id(sub), scope) in settled:
                continue
            settled.add((id(sub), scope))
            if id(sub) not in self._best:
                self._best[id(sub)] = (cost, route)
                self._ends.setdefault(route, id(sub))
                self.reached[id(sub)] = sub
            for edge, below, inner in self._edges(sub, scope):
                count += 1
                price = cost + _COSTS[str(edge[0])]
                into = self._into.setdefault(id(below), [])
                if len(into) < 4 * ALTERNATIVES:
                    into.append((price, route, edge))
                heappush(heap, (price, count, below, inner, (*route, edge)))

    def _edges(self, sub: Subschema, scope: Scope) -> Iterator[tuple[Edge, Subschema, Scope]]:
        if not isinstance(sub.value, dict):
            return
        contract = self.contract
        reference = sub.value.get("$ref")
        if isinstance(reference, str):
            target = contract.target(sub, reference)
            if target is not None:
                yield ("$ref",), target, entering(scope, target, contract)
            if sub.dialect.ref_hides_siblings:
                return
        for keyword, year in (("$dynamicRef", 20), ("$recursiveRef", 19)):
            if keyword in sub.value and sub.dialect.year == year:
                target = dynamic_target(keyword, Ob(sub, scope=scope), contract)
                yield (keyword,), target, entering(scope, target, contract)
        for edge, child in contract.children(sub):
            if edge[0] in _COSTS and not (edge[0] == "contains" and _counts_nothing(sub)):
                yield edge, child, entering(scope, child, contract)

    def to(self, sub: Subschema) -> list[Route]:
        """A few routes to a subschema, the cheapest first; none when nothing reaches it."""
        known = self._routes.get(id(sub))
        if known is None:
            known = self._routes[id(sub)] = self._cheapest(sub) if id(sub) in self._best else []
        return known

    def _cheapest(self, sub: Subschema) -> list[Route]:
        found: dict[Route, int] = {self._best[id(sub)][1]: self._best[id(sub)][0]}
        for price, route, edge in self._into.get(id(sub), ()):
            found.setdefault((*route, edge), price)
        if len(found) < ALTERNATIVES:  # one step further back: other ways into the schema that holds this one
            for _, route, edge in list(self._into.get(id(sub), ())):
                parent = self._parent(route)
                for price, other, into in self._into.get(parent, ()) if parent is not None else ():
                    found.setdefault((*other, into, edge), price + 1)
        if len(found) < ALTERNATIVES:  # further back still: other uses of the definitions on the way
            best = self._best[id(sub)][1]
            for at, holder in reversed([*enumerate(self.passed(best))][1:-2]):
                rest = sum(_COSTS[str(edge[0])] for edge in best[at:])
                for price, other, into in self._into.get(id(holder), ()):
                    found.setdefault((*other, into, *best[at:]), price + rest)
        ordered = sorted(found, key=lambda r: found[r])
        return ordered[:ALTERNATIVES]

    def cycles(self) -> list[tuple[Subschema, Route, Route]]:
        """Where the schema comes back to itself: the subschema, the cheapest route to it, and the way round from it."""
        found: dict[int, tuple[Subschema, Route, Route]] = {}
        for sub in self.reached.values():
            route = self._best[id(sub)][1]
            passed = self.passed(route)
            for edge, below, _ in self._edges(sub, ()) if not self.contract.has_dynamic else ():
                if edge == ("$ref",) and id(below) not in found and below in passed:
                    start = passed.index(below)
                    around = (*route[start:], edge)
                    if any(step[0] not in STAYING for step in around):
                        found[id(below)] = (below, route[:start], around)
        return [*found.values()]

    def sites(self, route: Route) -> frozenset[int]:
        """The identities of the subschemas that a route passes through, the root and the last one included."""
        return frozenset(map(id, self.passed(route)))

    def passed(self, route: Route) -> list[Subschema]:
        """The subschemas that a route passes through, the root first."""
        passed = [self.contract.root]
        scope = entering((), self.contract.root, self.contract)
        for edge in route:
            found = self._follow(passed[-1], scope).get(edge)
            if found is not None:
                passed.append(found[0])
                scope = found[1]
        return passed

    def _follow(self, sub: Subschema, scope: Scope) -> dict[Edge, tuple[Subschema, Scope]]:
        """Where each edge of a subschema leads."""
        known = self._followed.get((id(sub), scope))
        if known is None:
            known = {}
            for edge, below, inner in self._edges(sub, scope):
                known.setdefault(edge, (below, inner))
            self._followed[id(sub), scope] = known
        return known

    def _parent(self, route: Route) -> int | None:
        return self._ends.get(route)


def _counts_nothing(sub: Subschema) -> bool:
    """Whether as many items as one likes may match `contains`, or none."""
    return sub.dialect.year >= 19 and sub.value.get("minContains") == 0 and "maxContains" not in sub.value
