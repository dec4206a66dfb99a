"""A subschema with its references put in place, cut down to what a few given values get to.

For these values it says what the subschema says; for others it may say more or less. A property that none of them has
is left out, and so on. So it is small however large the schema is, and quick to compile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .contract import Contract, Location, Subschema
from .keywords.places import CONTAINERS, IN_PLACE, UNAPPLIED, subschemas
from .pointers import Step, join, replace

MOST = 400
"""How many subschemas a specialised one may have."""
_DROPPED = frozenset(("$schema", "$id", "id", "$anchor", "$comment", "title", "description", "default", "examples"))
_DYNAMIC = ("$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor")


class TooMuch(Exception):
    """There is too much for it to be worth while, or it cannot be said without references."""


class _Anatomy(NamedTuple):
    """A schema object by what its keywords hold: nothing to be cut, subschemas by name, by number, or one."""

    plain: dict[str, Any]
    maps: tuple[tuple[str, dict[str, Any]], ...]
    lists: tuple[tuple[str, list[Any]], ...]
    singles: tuple[tuple[str, Subschema], ...]
    reference: str | None
    only_reference: bool
    dynamic: bool


class Specialised:
    """Cuts subschemas of one contract down."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._edits: Mapping[Location, Any] = {}
        self._left = 0
        self._around: list[tuple[Location, tuple[int, ...]]] = []
        self._anatomies: dict[int, _Anatomy] = {}

    def __call__(self, sub: Subschema, values: Sequence[Any], edits: Mapping[Location, Any]) -> Any:
        """`sub` for these values, after the schemas at the locations `edits` are put in. Raises TooMuch."""
        self._edits, self._left, self._around = edits, MOST, []
        return self._of(sub, list(values))

    def body(self, sub: Subschema, body: Any, values: Sequence[Any], edits: Mapping[Location, Any]) -> Any:
        """The same of what stands in the place of `sub`."""
        self._edits, self._left, self._around = edits, MOST, []
        return self._cut(sub, body, list(values))

    def _of(self, sub: Subschema, values: list[Any]) -> Any:
        edit = self._edits.get((sub.document.uri, sub.pointer))
        return self._place(sub, values) if edit is None else self._cut(sub, edit, values)

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooMuch(f"more than {MOST} subschemas")

    def _place(self, sub: Subschema, values: list[Any]) -> Any:
        """A place of the contract as it is: what is worth knowing of it is kept."""
        self._spend()
        if not isinstance(sub.value, dict) or not values:
            return sub.value if isinstance(sub.value, bool) else {}
        anatomy = self._anatomies.get(id(sub))
        if anatomy is None:
            anatomy = self._anatomies[id(sub)] = self._anatomy(sub)
        if anatomy.dynamic:
            raise TooMuch("the dynamic scope matters")
        if anatomy.only_reference:
            return self._target(sub, str(anatomy.reference), values)
        body = dict(anatomy.plain)
        for keyword, members in anatomy.maps:
            body[keyword] = self._members(keyword, members, values)
        for keyword, children in anatomy.lists:
            body[keyword] = [
                self._of(child, _parts((keyword, at), values)) if isinstance(child, Subschema) else child
                for at, child in enumerate(children)
            ]
        for keyword, child in anatomy.singles:
            body[keyword] = self._of(child, _parts((keyword,), values))
        if anatomy.reference is not None:
            body["allOf"] = [*body.get("allOf", ()), self._target(sub, anatomy.reference, values)]
        return body

    def _members(self, keyword: str, members: dict[str, Any], values: list[Any]) -> dict[str, Any]:
        if keyword not in CONTAINERS:
            return {
                name: self._of(child, _parts((keyword, name), values)) if isinstance(child, Subschema) else child
                for name, child in members.items()
            }
        found: dict[str, Any] = {}
        for name in dict.fromkeys(name for value in values if isinstance(value, dict) for name in value):
            child = members.get(name)
            if isinstance(child, Subschema):
                found[name] = self._of(child, _parts((keyword, name), values))
            elif child is not None:
                found[name] = child
        return found

    def _anatomy(self, sub: Subschema) -> _Anatomy:
        value = sub.value
        reference = value.get("$ref") if isinstance(value.get("$ref"), str) else None
        dynamic = any(name in value for name in _DYNAMIC) and self._contract.has_dynamic
        if reference is not None and sub.dialect.ref_hides_siblings:
            return _Anatomy({}, (), (), (), reference, True, dynamic)
        plain = {k: v for k, v in value.items() if k not in _DROPPED and k not in UNAPPLIED and k != "$ref"}
        maps: dict[str, dict[str, Any]] = {}
        lists: dict[str, list[Any]] = {}
        singles: dict[str, Subschema] = {}
        for path, child in self._contract.children(sub):
            keyword = path[0]
            if keyword in UNAPPLIED:
                continue
            if len(path) == 1:
                singles[str(keyword)] = child
            elif isinstance(path[1], int):
                lists.setdefault(str(keyword), [*value[keyword]])[path[1]] = child
            else:
                maps.setdefault(str(keyword), {**value[keyword]})[path[1]] = child
        for keyword in (*maps, *lists, *singles):
            plain.pop(str(keyword))
        ordered = (tuple(maps.items()), tuple(lists.items()), tuple(singles.items()))
        return _Anatomy(plain, *ordered, reference, False, dynamic)

    def _cut(self, sub: Subschema, value: Any, values: list[Any]) -> Any:
        """What stands, or would stand, in the place of `sub`."""
        self._spend()
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
        for path, child in [*subschemas(body, sub.dialect)]:
            uri, pointer = sub.document.uri, join(sub.pointer, *path)
            below = self._contract.known(uri, pointer)
            parts = _parts(path, values)
            if below is None or below.value is not child:
                # What an edit moved or brought in is no place of the contract; its references start from where it is.
                below = Subschema(sub.document, pointer, child, sub.base, sub.resource, sub.dialect)
                made = self._cut(below, child, parts)
            else:
                made = self._of(below, parts)
            body = replace(body, path, made)
        if isinstance(reference, str):
            del body["$ref"]
            body["allOf"] = [*body.get("allOf", ()), self._target(sub, reference, values)]
        return body

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
