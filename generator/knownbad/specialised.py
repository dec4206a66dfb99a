"""A subschema with its references put in place, cut down to what a few given values get to.

For these values it says what the subschema says; for others it may say more or less. A property that none of them has
is left out, and so on. So it is small however large the schema is, and quick to compile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .contract import Contract, Location, Subschema
from .keywords.places import CONTAINERS, IN_PLACE, UNAPPLIED, subschemas
from .pointers import Step, join, replace

MOST = 400
"""How many subschemas a specialised one may have."""
_DROPPED = frozenset(("$schema", "$id", "id", "$anchor", "$comment", "title", "description", "default", "examples"))
_DYNAMIC = ("$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor")


class TooMuch(Exception):
    """There is too much for it to be worth while, or it cannot be said without references."""


class Specialised:
    """Cuts subschemas of one contract down."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._edits: Mapping[Location, Any] = {}
        self._left = 0
        self._around: list[tuple[Location, tuple[int, ...]]] = []
        self._children: dict[int, dict[tuple[Step, ...], Subschema]] = {}

    def __call__(self, sub: Subschema, values: Sequence[Any], edits: Mapping[Location, Any]) -> Any:
        """`sub` for these values, after the schemas at the locations `edits` are put in. Raises TooMuch."""
        self._edits, self._left, self._around = edits, MOST, []
        return self._of(sub, list(values))

    def _of(self, sub: Subschema, values: list[Any]) -> Any:
        value = self._edits.get((sub.document.uri, sub.pointer), sub.value)
        return self._cut(sub, value, values)

    def _cut(self, sub: Subschema, value: Any, values: list[Any]) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TooMuch(f"more than {MOST} subschemas")
        if not isinstance(value, dict) or not values:
            return value if isinstance(value, bool) else {}
        if any(name in value for name in _DYNAMIC) and self._contract.has_dynamic:
            raise TooMuch("the dynamic scope matters")
        reference = value.get("$ref")
        if sub.dialect.ref_hides_siblings and isinstance(reference, str):
            return self._target(sub, reference, values)
        body = {k: v for k, v in value.items() if k not in _DROPPED and k not in UNAPPLIED}
        for keyword in CONTAINERS:
            if isinstance(body.get(keyword), dict):
                names = {name for v in values if isinstance(v, dict) for name in v}
                body[keyword] = {name: child for name, child in body[keyword].items() if name in names}
        known = self._known(sub) if value is sub.value else {}
        for path, child in [*subschemas(body, sub.dialect)]:
            below = known.get(path)
            edit = None
            if below is None or below.value is not child:
                # What an edit moved or brought in is no place of the contract; its references start from where it is.
                below = Subschema(sub.document, join(sub.pointer, *path), child, sub.base, sub.resource, sub.dialect)
            else:
                edit = self._edits.get(_place(below))
            body = replace(body, path, self._cut(below, child if edit is None else edit, _parts(path, values)))
        if isinstance(reference, str):
            del body["$ref"]
            body["allOf"] = [*body.get("allOf", ()), self._target(sub, reference, values)]
        return body

    def _known(self, sub: Subschema) -> dict[tuple[Step, ...], Subschema]:
        """The places of the contract directly below one of them."""
        found = self._children.get(id(sub))
        if found is None:
            uri = sub.document.uri
            below = (
                (path, self._contract.known(uri, join(sub.pointer, *path)))
                for path, _ in subschemas(sub.value, sub.dialect)
            )
            found = self._children[id(sub)] = {path: child for path, child in below if child is not None}
        return found

    def _target(self, sub: Subschema, reference: str, values: list[Any]) -> Any:
        try:
            target = self._contract.target(sub, reference)
        except LookupError as error:
            raise TooMuch(str(error)) from None
        if target is None:
            return {}
        if target.dialect is not sub.dialect:
            raise TooMuch("another dialect")
        here = (_place(target), tuple(map(id, values)))
        if here in self._around:
            raise TooMuch("a reference leads back to itself")
        self._around.append(here)
        body = self._of(target, values)
        self._around.pop()
        return body


def _place(sub: Subschema) -> Location:
    return sub.document.uri, sub.pointer


def _parts(path: Sequence[Step], values: list[Any]) -> list[Any]:
    """The parts of the values that the subschema at `path` may be held against; rather too many than too few."""
    keyword = path[0]
    if keyword in IN_PLACE:
        return values
    if keyword == "properties":
        return [v[path[1]] for v in values if isinstance(v, dict) and path[1] in v]
    if keyword == "propertyNames":
        return [name for v in values if isinstance(v, dict) for name in v]
    if keyword in ("patternProperties", "additionalProperties", "unevaluatedProperties"):
        return [member for v in values if isinstance(v, dict) for member in v.values()]
    return [item for v in values if isinstance(v, list) for item in v]
