"""Which subschemas of a contract a conjunction applies, so that they judge for the whole."""

from __future__ import annotations

from functools import cached_property

from .contract import Contract, Location, Subschema
from .keywords.places import CONJUNCTIVE, UNAPPLIED
from .reach import place


class Conjunctive:
    """Which subschemas are *clean*: wherever one is applied, its rejection is the rejection of the whole instance.

    That is so where only `properties`, `allOf`, references and the like lead to it. Under `anyOf`, `not`, `if` and so
    on a rejection may be wanted, and under `unevaluated...` what was evaluated matters, so what is there is judged by
    its *top*: the nearest subschema around it that is clean.
    """

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self._unclean: set[Location] = set()
        self._parents: dict[Location, list[tuple[Subschema, bool]]] = {}
        self._tops: dict[int, list[Subschema]] = {}
        self._dynamic = contract.has_dynamic
        if not self._dynamic:
            self._search()

    def _search(self) -> None:
        root = self.contract.root
        pending, seen = [(root, True)], set()
        while pending:
            sub, clean = pending.pop()
            here = place(sub)
            if not clean:
                self._unclean.add(here)
            if (here, clean) in seen or (here, False) in seen:
                continue
            seen.add((here, clean))
            for below, conjunctive, contained in self._edges(sub):
                self._parents.setdefault(place(below), []).append((sub, contained))
                pending.append((below, clean and conjunctive))

    def _edges(self, sub: Subschema) -> list[tuple[Subschema, bool, bool]]:
        value = sub.value
        if not isinstance(value, dict):
            return []
        found: list[tuple[Subschema, bool, bool]] = []
        watching = "unevaluatedProperties" in value or "unevaluatedItems" in value
        reference = value.get("$ref")
        if isinstance(reference, str):
            target = self.contract.target(sub, reference)
            if target is not None:
                found.append((target, not watching, False))
            if sub.dialect.ref_hides_siblings:
                return found
        for keyword, year in (("$dynamicRef", 20), ("$recursiveRef", 19)):
            if keyword in value and sub.dialect.year == year:  # with no dynamic anchor anywhere, it is a plain `$ref`
                found.append((self.contract.dynamic(sub, keyword)[0], not watching, False))
        for steps, child in self.contract.children(sub):
            if steps[0] not in UNAPPLIED:
                found.append((child, steps[0] in CONJUNCTIVE and not watching, True))
        return found

    @property
    def known(self) -> bool:
        """Whether anything can be said: with dynamic references it depends on the way."""
        return not self._dynamic

    @cached_property
    def acyclic(self) -> bool:
        """Whether no subschema leads back to itself."""
        return not self._dynamic and all(state == "left" for state in self._visit().values())

    def _visit(self) -> dict[Location, str]:
        """Depth first from the root; a place that stays `entered` leads back to itself."""
        states: dict[Location, str] = {}
        pending: list[tuple[Subschema, bool]] = [(self.contract.root, False)]
        while pending:
            sub, done = pending.pop()
            here = place(sub)
            if done:
                states[here] = "left" if states[here] == "entered" else states[here]
                continue
            if here in states:
                if states[here] == "entered":
                    states[here] = "cycle"
                continue
            states[here] = "entered"
            pending.append((sub, True))
            pending.extend((below, False) for below, _, _ in self._edges(sub))
        return states

    def clean(self, sub: Subschema) -> bool:
        """Whether nothing but a conjunction stands between the root and each place where `sub` is applied."""
        here = place(sub)
        return not self._dynamic and here not in self._unclean and (here in self._parents or sub is self.contract.root)

    def tops(self, sub: Subschema) -> list[Subschema]:
        """The nearest clean subschemas through which alone `sub` is reached, the root among them where need be."""
        known = self._tops.get(id(sub))
        if known is None:
            known = self._tops[id(sub)] = self._found_tops(sub)
        return known

    def _found_tops(self, sub: Subschema) -> list[Subschema]:
        found: dict[Location, Subschema] = {}
        pending, seen = [sub], {place(sub)}
        while pending:
            here = pending.pop()
            if self.clean(here) or here is self.contract.root:
                found[place(here)] = here
                continue
            for parent, _ in self._parents.get(place(here), ()):
                if place(parent) not in seen:
                    seen.add(place(parent))
                    pending.append(parent)
        return [found[location] for location in sorted(found)]

    def top(self, sub: Subschema) -> Subschema | None:
        """The nearest clean subschema that holds `sub`, when nothing else leads to it; None: there is none."""
        here: Subschema | None = sub
        while here is not None and not self.clean(here):
            parents = {place(parent): (parent, contained) for parent, contained in self._parents.get(place(here), ())}
            if len(parents) != 1:
                return None
            ((parent, contained),) = parents.values()
            here = parent if contained else None
        return here
