"""The two contracts that are compared, each with its validators, and verdicts that hold on both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from .. import dialects
from ..compiled import ValidatorFailed
from ..contract import Contract, Document, Subschema
from ..errors import NO_VALUE
from ..oracle import Oracle
from ..uris import PROJECT
from ..values import compact
from ..witness.routes import Routes


class Side:
    """One of the two contracts."""

    def __init__(self, contract: Contract, name: str) -> None:
        self.contract = contract
        self.name = name
        self.oracle = Oracle(contract)

    @cached_property
    def routes(self) -> Routes:
        return Routes(self.contract)

    @property
    def root(self) -> Subschema:
        return self.contract.root


class Pair:
    """Base and head. `disagreements`: why instances count as no witness although the two sides differ on them."""

    def __init__(self, base: Contract, head: Contract) -> None:
        self.base = Side(base, "base")
        self.head = Side(_apart(head, base), "head")
        self.disagreements: list[str] = []

    def other(self, side: Side) -> Side:
        return self.head if side is self.base else self.base

    def confirmed(self, value: Any, accepting: Side) -> bool:
        """Whether both validators say that one side accepts an instance and the other rejects it."""
        rejecting = self.other(accepting)
        try:
            if rejecting.oracle.fast(value) or not accepting.oracle.fast(value):
                return False
        except ValidatorFailed as failed:
            self._note(str(failed))
            return False
        for side, wanted in ((accepting, True), (rejecting, False)):
            if side.oracle.accepts(value) is not wanted:
                self._note(f"{side.name}: {side.oracle.disagreements[-1]}" if side.oracle.disagreements else "")
                return False
        return True

    def _note(self, text: str) -> None:
        if text and text not in self.disagreements and len(self.disagreements) < 5:
            self.disagreements.append(text)


def smaller(one: Any, other: Any) -> bool:
    """Whether one instance is the smaller one to show."""
    if other is NO_VALUE:
        return True
    left, right = compact(one), compact(other)
    return (len(left), left) < (len(right), right)


def smaller_ones(value: Any) -> Iterator[Any]:
    """The value without one of its members or items, wherever it stands; the largest are left out first."""
    if isinstance(value, dict):
        for name in sorted(value, key=lambda n: (-len(compact(value[n])), n)):
            yield {n: v for n, v in value.items() if n != name}
        for name, member in value.items():
            yield from ({**value, name: less} for less in smaller_ones(member))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            yield from ([*value[:index], less, *value[index + 1 :]] for less in smaller_ones(item))


class Joint:
    """Both contracts as one for the walk: every subschema knows by its document which of the two it belongs to.

    Obligations of both meet at one instance location. Stands in for a `Contract`; what it does not have, no walk asks.
    """

    def __init__(self, pair: Pair, accepting: Side) -> None:
        self._owner: dict[int, Side] = {}
        self._kept: list[Document] = []
        for side in (pair.base, pair.head):
            for document in side.contract.documents.values():
                self._owner[id(document)] = side
        self._sides = (accepting, pair.other(accepting))
        self.root = accepting.root
        self.document = accepting.contract.document
        self.dialect = accepting.contract.dialect
        self.formats = accepting.contract.formats or pair.other(accepting).contract.formats
        self.has_dynamic = any(side.contract.has_dynamic for side in self._sides)

    def foreign(self, schema: Any) -> Subschema:
        """The root of one more schema, which belongs to neither side; it stands alone."""
        uri = f"urn:knownbad:left:{len(self._owner)}"
        declared = dialects.declared(schema) or self.dialect
        document = Document(uri, "what is left", schema, declared)
        contract = Contract("left", "what is left", {uri: document}, formats=self.formats)
        self._owner[id(document)] = side = Side(contract, "left")
        self._kept.append(document)
        return side.root

    def side(self, sub: Subschema) -> Side:
        """The side that a subschema belongs to."""
        return self._owner[id(sub.document)]

    def child(self, parent: Subschema, *steps: Any) -> Subschema:
        return self.side(parent).contract.child(parent, *steps)

    def members(self, parent: Subschema, keyword: str) -> dict[str, Subschema]:
        return self.side(parent).contract.members(parent, keyword)

    def children(self, parent: Subschema) -> Iterator[tuple[tuple[Any, ...], Subschema]]:
        return self.side(parent).contract.children(parent)

    def known(self, uri: str, location: str) -> Subschema | None:
        return self._sides[0].contract.known(uri, location)

    def target(self, source: Subschema, reference: str) -> Subschema | None:
        return self.side(source).contract.target(source, reference)

    def dynamic(self, source: Subschema, keyword: str) -> tuple[Subschema, str | None]:
        return self.side(source).contract.dynamic(source, keyword)

    def dynamic_anchors(self, place: tuple[str, str]) -> tuple[str, ...]:
        return self._sides[0].contract.dynamic_anchors(place) or self._sides[1].contract.dynamic_anchors(place)

    def anchored(self, place: tuple[str, str], anchor: str) -> Subschema | None:
        for side in self._sides:
            found = side.contract.anchored(place, anchor)
            if found is not None:
                return found
        return None

    def local(self, subschema: Subschema, instance: Any) -> bool:
        """Whether one subschema of either contract accepts a part of an instance."""
        return self.side(subschema).oracle.local(subschema, instance)


def _apart(head: Contract, base: Contract) -> Contract:
    """`head` with documents of its own; under URIs of its own, where the dynamic scope, which holds URIs, matters."""
    ours = {id(document) for document in base.documents.values()}
    dynamic = base.has_dynamic or head.has_dynamic
    if not dynamic and not any(id(document) in ours for document in head.documents.values()):
        return head
    named = _renamed if dynamic else str
    made = {id(d): replace(d, uri=named(d.uri)) for d in head.documents.values()}
    documents = {}
    for uri, document in head.documents.items():
        documents[named(uri)] = documents[uri] = made[id(document)]
    first = made[id(head.document)]
    ordered = {first.uri: first, **documents}
    return replace(head, documents=ordered, any_refs=head.any_refs | frozenset(map(named, head.any_refs)))


def _renamed(uri: str) -> str:
    if uri.startswith(PROJECT):
        return f"https://head.{PROJECT.removeprefix('https://')}{uri.removeprefix(PROJECT)}"
    return uri if "?head" in uri else f"{uri.partition('#')[0]}?head"
