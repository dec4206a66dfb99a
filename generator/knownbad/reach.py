"""What the evaluation of a contract's schema can reach: each subschema, by what, and where dynamic references lead.

An *entry* is a subschema that is held against an instance location of its own: the root, or one below `properties`,
`items` and the like. What is applied in place below an entry judges the same location. Two schemas whose entries judge
alike, when what they say of members and items is taken as before, are equivalent: every instance is finite.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from .contract import Contract, Location, Subschema
from .keywords.applicators import dynamic_target, entering
from .keywords.places import CONTAINERS, STAYING, UNAPPLIED, holds_subschemas
from .keywords.shape import Ob, Scope
from .pointers import Step, join

STATES = 20_000
"""How many pairs of a subschema and a dynamic scope are looked at; beyond, the reach is not known."""
_DYNAMIC = (("$dynamicRef", 20), ("$recursiveRef", 19))
_GONE: Any = object()
_KNOWN: WeakKeyDictionary[object, Reach] = WeakKeyDictionary()


def reach(contract: Contract) -> Reach:
    """The reach of a contract, worked out once."""
    known = _KNOWN.get(contract._index)
    if known is None:
        known = _KNOWN[contract._index] = Reach(contract)
    return known


class Reach:
    """`complete` is False when there was too much to look at, and nothing may be concluded."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.complete = True
        self.targets: dict[tuple[Location, str], dict[Location, Subschema]] = {}
        """Where each dynamic reference leads, in one dynamic scope or another."""
        self.referred: set[Location] = set()
        """What a reference leads to."""
        self._parents: dict[Location, dict[tuple[Location, str], None]] = {}
        self._places: dict[Location, Subschema] = {}
        self._inside: dict[int, bool] = {}
        self._search()

    def _search(self) -> None:
        root = self._contract.root
        pending: list[tuple[Subschema, Scope]] = [(root, entering((), root, self._contract))]
        seen: set[tuple[Location, Scope]] = set()
        while pending:
            sub, scope = pending.pop()
            here = place(sub)
            if (here, scope) in seen:
                continue
            seen.add((here, scope))
            if len(seen) > STATES:
                self.complete = False
                return
            self._places[here] = sub
            for below, keyword in self._edges(sub, scope):
                self._parents.setdefault(place(below), {})[here, keyword] = None
                pending.append((below, entering(scope, below, self._contract)))

    def _edges(self, sub: Subschema, scope: Scope) -> Iterator[tuple[Subschema, str]]:
        if not isinstance(sub.value, dict):
            return
        contract = self._contract
        reference = sub.value.get("$ref")
        if isinstance(reference, str):
            target = contract.target(sub, reference)
            if target is not None:
                self.referred.add(place(target))
                yield target, "$ref"
            if sub.dialect.ref_hides_siblings:
                return
        for keyword, year in _DYNAMIC:
            if keyword in sub.value and sub.dialect.year == year:
                target = dynamic_target(keyword, Ob(sub, scope=scope), contract)
                self.targets.setdefault((place(sub), keyword), {})[place(target)] = target
                self.referred.add(place(target))
                yield target, keyword
        for steps, child in contract.children(sub):
            if steps[0] not in UNAPPLIED:
                yield child, str(steps[0])

    def entries(self, site: Subschema) -> list[Subschema] | None:
        """Every entry below which `site` is applied in place; None when that is not known."""
        if not self.complete or place(site) not in self._places:
            return None
        root = place(self._contract.root)
        found: dict[Location, None] = {}
        pending, seen = [place(site)], {place(site)}
        while pending:
            here = pending.pop()
            if here == root:
                found[here] = None
            for parent, keyword in self._parents.get(here, ()):
                if keyword not in STAYING:
                    found[here] = None
                elif parent not in seen:
                    seen.add(parent)
                    pending.append(parent)
        return [self._places[location] for location in sorted(found)]

    def appliers(self, sub: Subschema) -> list[tuple[Subschema, str]] | None:
        """What applies a subschema, each with the keyword that does; None when that is not known."""
        if not self.complete or place(sub) not in self._places:
            return None
        return [(self._places[location], keyword) for location, keyword in self._parents.get(place(sub), ())]

    def holders(self, sub: Subschema) -> list[Subschema]:
        """The subschemas that apply `sub` directly, or refer to it."""
        return [self._places[parent] for parent, _ in self._parents.get(place(sub), ())]

    def held(self, sub: Subschema) -> list[Subschema]:
        """The subschemas that `sub` applies directly, or refers to."""
        return [self._places[below] for below in self._children.get(place(sub), ())]

    @cached_property
    def _children(self) -> dict[Location, list[Location]]:
        found: dict[Location, list[Location]] = {}
        for below, parents in self._parents.items():
            for parent in dict.fromkeys(parent for parent, _ in parents):
                found.setdefault(parent, []).append(below)
        return found

    def applies(self, sub: Subschema) -> bool:
        """Whether anything may lead to a subschema; False only where that is known."""
        return not self.complete or place(sub) in self._places

    def shared(self, site: Subschema, value: Any) -> bool:
        """Whether a reference leads below `site`, to what an edit of it to `value` changes; then `site` is not all.

        True also when that is not known.
        """
        if not self.complete:
            return True
        inside = self._inside.get(id(site))
        if inside is None:
            inside = self._inside[id(site)] = self._leads_to(site.document.uri, site.pointer, ())
        if not inside:
            return False
        return any(self._leads_to(site.document.uri, site.pointer, path) for path in changed(site.value, value))

    def _leads_to(self, uri: str, holder: str, path: tuple[Step, ...]) -> bool:
        where = join(holder, *path)
        if path and (uri, where) in self.referred:
            return True
        at = bisect_left(self._ordered, (uri, where + "/"))
        return at < len(self._ordered) and self._ordered[at][0] == uri and self._ordered[at][1].startswith(where + "/")

    @cached_property
    def _ordered(self) -> list[Location]:
        return sorted(self.referred)


def changed(before: Any, after: Any) -> Iterator[tuple[Step, ...]]:
    """Where two schemas differ: keywords, or their members and items."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield ()
        return
    for keyword in {**before, **after}:
        one, other = before.get(keyword, _GONE), after.get(keyword, _GONE)
        if one is other:
            continue
        if keyword in CONTAINERS and isinstance(one, dict) and isinstance(other, dict):
            yield from ((keyword, name) for name in one if one[name] is not other.get(name, _GONE))
        elif holds_subschemas(keyword) and isinstance(one, list) and isinstance(other, list):
            rest = [*other, *[_GONE] * len(one)]
            yield from ((keyword, n) for n, item in enumerate(one) if item is not rest[n])
        else:
            yield (keyword,)


def place(sub: Subschema) -> Location:
    """The location of a subschema, which is the same for its edited copies."""
    return sub.document.uri, sub.pointer
