"""What no verdict depends on: subschemas beside a branch of `anyOf` that accepts everything."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from .contract import Contract, Location, Subschema
from .keywords.vacuous import accepts_all
from .reach import place, reach

_KNOWN: WeakKeyDictionary[object, Idle] = WeakKeyDictionary()


def idle(contract: Contract) -> Idle:
    """What is idle in a contract; what is found out is kept."""
    known = _KNOWN.get(contract._index)
    if known is None:
        known = _KNOWN[contract._index] = Idle(contract)
    return known


class Idle:
    """Says which subschemas are idle. For contracts without `unevaluated...`: there an idle branch is still read."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._open: dict[int, Subschema | None] = {}

    def why(self, site: Subschema) -> str:
        """Why no edit of `site` changes a verdict; empty where that is not known."""
        known = reach(self._contract)
        if not known.complete or not known.applies(site):
            return ""
        blocking: dict[Location, Subschema] = {}
        pending, seen = [site], {place(site)}
        while pending:
            sub = pending.pop()
            if sub is self._contract.root:
                return ""
            for parent in known.holders(sub):
                branch = self._anything(parent) if _is_branch(parent, sub) else None
                if branch is not None:
                    blocking[place(branch)] = branch
                elif place(parent) not in seen:
                    seen.add(place(parent))
                    pending.append(parent)
        if not blocking or any(place(site) in self._below(branch) for branch in blocking.values()):
            return ""
        return f"{min(branch.pointer for branch in blocking.values())} beside it accepts everything"

    def _anything(self, sub: Subschema) -> Subschema | None:
        """The first branch of an `anyOf` that accepts everything."""
        if id(sub) not in self._open:
            branches = (self._contract.child(sub, "anyOf", n) for n in range(len(sub.value["anyOf"])))
            self._open[id(sub)] = next((b for b in branches if accepts_all(self._contract, b)), None)
        return self._open[id(sub)]

    def _below(self, sub: Subschema) -> set[Location]:
        """The places that a subschema leads to, its own among them."""
        known = reach(self._contract)
        found, pending = {place(sub)}, [sub]
        while pending:
            for below in known.held(pending.pop()):
                if place(below) not in found:
                    found.add(place(below))
                    pending.append(below)
        return found


def _is_branch(parent: Subschema, sub: Subschema) -> bool:
    """Whether `sub` is a branch of the `anyOf` of `parent`, and nothing that it refers to."""
    return parent.document is sub.document and sub.pointer.rpartition("/")[0] == f"{parent.pointer}/anyOf"
