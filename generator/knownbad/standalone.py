"""A subschema of a contract as a schema that stands alone: one document, one map of definitions, no identifiers.

What it says is unchanged; annotations and what nothing refers to are left out. Its cost grows with what the subschema
reaches, not with the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contract import Contract, Location, Subschema
from .keywords.places import IN_PLACE, subschemas
from .pointers import Step, get, join, replace, steps
from .reach import reach

SMALL = 400
"""Characters up to which a definition that refers to nothing is put in the place of a reference to it."""
INLINED = 200
"""How many subschemas an unfolded schema may put in place."""

# fmt: off
_SILENT = frozenset([
    "$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment",
    "$defs", "definitions", "contentSchema",
    "title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly",
])
# fmt: on
"""Keywords that assert nothing."""
_REFERENCES = {"$ref": (4, 20), "$recursiveRef": (19, 19), "$dynamicRef": (20, 20)}
"""The keywords that refer, with the first and last dialect year of each."""
_BOOLEAN_IN_04 = ("additionalProperties", "additionalItems")


class CannotStandAlone(Exception):
    """The subschema means something that one plain document cannot say."""


def standalone(contract: Contract, subschema: Subschema, replaced: Mapping[Location, Any] | None = None) -> Any:
    """`subschema` as a self-contained schema in its dialect, after the schemas at the locations `replaced` are put in.

    A definition's name depends on its place alone, so that the schemas for two mutants share the names of what they
    share; what reaches a replaced location has a name of its own. No reference leads to `#`. Raises CannotStandAlone.
    """
    try:
        return _Flat(contract, subschema, replaced or {}).schema()
    except LookupError as error:
        raise CannotStandAlone(f"a reference leads nowhere: {error}") from None


def unfolded(contract: Contract, entry: Subschema, replaced: Mapping[Location, Any] | None = None) -> Any:
    """`entry` as a self-contained schema in which all that it applies in place stands in place, without references.

    The replacements count there alone: what is said of members and items is said by the contract as it is. Small
    definitions of members and items are put in place, too. Raises CannotStandAlone.
    """
    try:
        return _Flat(contract, entry, {}).unfolded(replaced or {})
    except LookupError as error:
        raise CannotStandAlone(f"a reference leads nowhere: {error}") from None


class _Flat:
    """One flattening: the definitions met so far, what they refer to, and the references still to be named."""

    def __init__(self, contract: Contract, top: Subschema, replaced: Mapping[Location, Any]) -> None:
        self._contract = contract
        self._top = top
        self._dialect = top.dialect
        self._replaced = replaced
        self._bodies: dict[Location, Any] = {}
        self._links: dict[Location, list[Location]] = {}
        self._touched: set[Location] = set()
        self._pending: list[Subschema] = [top]
        self._unnamed: list[tuple[dict[str, Any], Location]] = []
        self._numbers = {document.uri: n for n, document in enumerate(contract.documents.values())}
        self._around: list[Location] = []
        self._inlined = 0

    def unfolded(self, edits: Mapping[Location, Any]) -> Any:
        self._pending = []
        links: list[Location] = []
        body = self._in_place(self._top, "", links, edits)
        while self._pending:
            self._define(self._pending.pop())
        for holder, target in self._unnamed:
            if not self._links[target] and len(str(self._bodies[target])) <= SMALL:
                del holder["$ref"]
                holder["allOf"] = [*holder.get("allOf", ()), self._bodies[target]]
        reached = self._reached(links)
        names = self._names(reached)
        container = self._container()
        for holder, target in self._unnamed:
            if "$ref" in holder:
                holder["$ref"] = f"#/{container}/{names.get(target, '')}"
        if not isinstance(body, dict) or not reached:
            return body
        return {**body, container: {names[location]: self._bodies[location] for location in reached}}

    def _in_place(self, sub: Subschema, keyword: str, links: list[Location], edits: Mapping[Location, Any]) -> Any:
        """The body of a subschema whose in-place parts are unfolded, after the edits."""
        here = _location(sub)
        self._inlined += 1
        if here in self._around or self._inlined > INLINED:
            raise CannotStandAlone(f"{sub.pointer} does not unfold")
        self._around.append(here)
        body = self._body(_with(sub, edits.get(here, sub.value)), keyword, links, edits)
        self._around.pop()
        return body

    def _container(self) -> str:
        return "$defs" if self._dialect.year >= 19 else "definitions"

    def schema(self) -> Any:
        while self._pending:
            self._define(self._pending.pop())
        here = self._unfolded(_location(self._top))
        reached = self._reached(self._links[here])
        names = self._names(reached)
        container = self._container()
        for holder, target in self._unnamed:
            holder["$ref"] = f"#/{container}/{names.get(target, '')}"
        body = self._bodies[here]
        if not isinstance(body, dict) or not reached:
            return body
        return {**body, container: {names[location]: self._bodies[location] for location in reached}}

    def _unfolded(self, here: Location) -> Location:
        """Where the schema stands that `here` merely refers to: the algebra does not look through a reference."""
        seen = {here}
        while list(self._bodies[here]) == ["$ref"] if isinstance(self._bodies[here], dict) else False:
            here = self._links[here][0]
            if here in seen:
                raise CannotStandAlone("a reference leads back to itself")
            seen.add(here)
        return here

    def _reached(self, links: list[Location]) -> list[Location]:
        """What these links lead to, directly or not, in the order of the documents."""
        found: set[Location] = set()
        pending = [*links]
        while pending:
            target = pending.pop()
            if target not in found:
                found.add(target)
                pending.extend(self._links[target])
        return sorted(found, key=lambda location: (self._numbers[location[0]], location[1]))

    def _names(self, reached: list[Location]) -> dict[Location, str]:
        edited = {location for location in reached if location in self._touched}
        referring: dict[Location, list[Location]] = {}
        for location in reached:
            for target in self._links[location]:
                referring.setdefault(target, []).append(location)
        pending = list(edited)
        while pending:
            for location in referring.get(pending.pop(), ()):
                if location not in edited:
                    edited.add(location)
                    pending.append(location)
        return {
            (uri, place): name_of(self._numbers[uri], place, edited="m" if (uri, place) in edited else "d")
            for uri, place in reached
        }

    def _define(self, sub: Subschema) -> None:
        here = _location(sub)
        if here in self._bodies:
            return
        self._bodies[here] = None
        value, touched = self._edited(sub)
        if touched:
            self._touched.add(here)
        links: list[Location] = []
        self._links[here] = links
        self._bodies[here] = self._body(_with(sub, value), "", links)

    def _edited(self, sub: Subschema) -> tuple[Any, bool]:
        """The value at a place after the replacements, and whether one of them touches it."""
        value, touched = sub.value, False
        for (uri, place), new in self._replaced.items():
            if uri != sub.document.uri:
                continue
            if sub.pointer == place or sub.pointer.startswith(place + "/"):
                there = get(new, sub.pointer[len(place) :])
                value, touched = there, touched or there is not value
            elif place.startswith(sub.pointer + "/"):
                value, touched = replace(value, steps(place[len(sub.pointer) :]), new), True
        return value, touched

    def _body(
        self, sub: Subschema, keyword: str, links: list[Location], edits: Mapping[Location, Any] | None = None
    ) -> Any:
        """A fresh schema for `sub`, found under `keyword`; what it refers to is appended to `links`.

        With `edits`, what it applies in place is unfolded.
        """
        value = sub.value
        if isinstance(value, bool):
            if self._dialect.year == 4 and keyword not in _BOOLEAN_IN_04:
                return {} if value else {"not": {}}
            return value
        if not isinstance(value, dict):
            raise CannotStandAlone(f"no schema at {sub.pointer}")
        if sub.dialect != self._dialect:
            raise CannotStandAlone(f"{sub.pointer} is written in {sub.dialect.name}, not {self._dialect.name}")
        hidden = "$ref" in value and self._dialect.ref_hides_siblings
        kept = {} if hidden else {k: v for k, v in value.items() if k not in _SILENT and k not in _REFERENCES}
        if self._dialect.year == 4 and isinstance(kept.get("id"), str):
            del kept["id"]
        for path, child in subschemas(value, self._dialect):
            first = path[0]
            if first not in kept:
                continue
            below = self._below(sub, path, child)
            if edits is not None and first in IN_PLACE:
                body = self._in_place(below, str(first), links, edits)
            else:
                body = self._body(below, str(first), links)
            if len(path) == 1:
                kept[str(first)] = body
            else:
                if kept[first] is value[first]:
                    kept[str(first)] = value[first].copy()
                kept[first][path[1]] = body
        if edits is not None:
            unfolded = [self._in_place(target, "", links, edits) for target in self._targets(sub)]
            if unfolded and not kept:
                kept = unfolded[0] if len(unfolded) == 1 else {"allOf": unfolded}
            elif unfolded:
                kept["allOf"] = [*kept.get("allOf", ()), *unfolded]
            return kept
        references = [self._reference(target) for target in self._targets(sub)]
        links.extend(target for _, target in references)
        if len(references) == 1:
            kept["$ref"] = references[0][0]["$ref"]
            self._unnamed.append((kept, references[0][1]))
        elif references:
            kept["allOf"] = [*kept.get("allOf", ()), *(holder for holder, _ in references)]
            self._unnamed.extend(references)
        return kept

    def _below(self, parent: Subschema, path: tuple[Step, ...], value: Any) -> Subschema:
        """The subschema `value` at `path`; a replacement keeps the base and the dialect of its place."""
        try:
            return _with(self._contract.child(parent, *path), value)
        except LookupError:
            place = join(parent.pointer, *path)
            return Subschema(parent.document, place, value, parent.base, parent.resource, parent.dialect)

    def _targets(self, sub: Subschema) -> list[Subschema]:
        found = []
        for keyword, (first, last) in _REFERENCES.items():
            reference = sub.value.get(keyword)
            if not isinstance(reference, str) or not first <= self._dialect.year <= last:
                continue
            target = self._contract.target(sub, reference) if keyword == "$ref" else self._dynamic(sub, keyword)
            if target is not None:
                found.append(target)
        return found

    def _dynamic(self, sub: Subschema, keyword: str) -> Subschema:
        """Where a dynamic reference leads, when that is the same for every way that leads to it."""
        target, anchor = self._contract.dynamic(sub, keyword)
        if anchor is None:
            return target
        root = self._contract.root
        outermost = self._contract.anchored((root.document.uri, root.resource), anchor)
        if outermost is not None and (self._top.document, self._top.resource) == (root.document, root.resource):
            return outermost
        if sum(holder[2] == anchor for holder in self._contract._index.dynamic_anchors) == 1:
            return target
        known = reach(self._contract)
        targets = known.targets.get((_location(sub), keyword), {}) if known.complete else {}
        if len(targets) == 1:
            return next(iter(targets.values()))
        raise CannotStandAlone(f"{keyword} at {sub.pointer} has several targets")

    def _reference(self, target: Subschema) -> tuple[dict[str, Any], Location]:
        location = _location(target)
        if location not in self._bodies:
            self._pending.append(target)
        return {"$ref": ""}, location


def _location(sub: Subschema) -> Location:
    return sub.document.uri, sub.pointer


def _with(sub: Subschema, value: Any) -> Subschema:
    return Subschema(sub.document, sub.pointer, value, sub.base, sub.resource, sub.dialect)


def name_of(number: int, place: str, edited: str = "d") -> str:
    """What the definition at a pointer of the document with this number is called; `m` first where it was edited."""
    return f"{edited}{number}{_plain(place)}"


def _plain(place: str) -> str:
    """A pointer as a name that needs no escaping; two pointers never share one."""
    return "".join(
        c if c.isascii() and c.isalnum() or c == "-" else "." if c == "/" else f"_{ord(c):x}_" for c in place
    )
