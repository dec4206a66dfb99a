"""A contract: a schema with its dialect and everything its references reach, and the subschemas by location."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from . import dialects
from .dialects import Dialect
from .keywords.places import subschemas
from .pointers import Step, get, join
from .uris import join_uri, split

Location = tuple[str, str]
"""A document's URI and a JSON Pointer into it."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One JSON document that schemas are taken from.

    `uri` is what it is registered under, `name` what people call it (a path, relative to the project).
    `whole`: the document as a whole is a schema; otherwise schemas are only where pointers lead (OpenAPI documents).
    """

    uri: str
    name: str
    value: Any
    dialect: Dialect
    whole: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Subschema:
    """A subschema at one location of one document; there is one object a location, so `is` compares places.

    `base` is the base URI in force there, `pointer` the static keyword location (no `#`, no percent-encoding).
    """

    document: Document
    pointer: str
    value: Any
    base: str
    resource: str
    """Pointer of the root of the schema resource (`$id`) that this subschema belongs to."""
    dialect: Dialect

    def __repr__(self) -> str:
        return f"<{self.document.name}#{self.pointer}>"


@dataclass(frozen=True, slots=True)
class Contract:
    """A schema to make a corpus for. `documents` maps URIs to every document that it needs, its own first.

    A document that is reached under a second URI (by its `$id` and by its path) is in there under both.

    `root` is the pointer of the schema in the first document (`""`: all of it). `formats`: are formats asserted?
    `any_refs`: absolute URIs of references that are taken as "accepts anything" (`--unresolved any`).
    `translated`: the document is a translation (YAML, OpenAPI 3.0), so its text is not what stands in the file.
    """

    name: str
    schema: str
    documents: Mapping[str, Document]
    root_pointer: str = ""
    formats: bool = True
    any_refs: frozenset[str] = frozenset()
    translated: bool = False
    _index: _Index = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", _Index(self.documents))

    @property
    def document(self) -> Document:
        """The contract's own document."""
        return next(iter(self.documents.values()))

    @property
    def root(self) -> Subschema:
        """The contract's schema."""
        return self._index.at(self.document, self.root_pointer)

    @property
    def dialect(self) -> Dialect:
        """The dialect of the contract's own schema."""
        return self.root.dialect

    def child(self, parent: Subschema, *steps: Step) -> Subschema:
        """The subschema at these steps below `parent`. Raises LookupError."""
        return self._index.below(parent, steps)

    def members(self, parent: Subschema, keyword: str) -> dict[str, Subschema]:
        """The subschemas that `parent` holds by name in a keyword. Raises LookupError."""
        return self._index.members(parent, keyword)

    def known(self, uri: str, location: str) -> Subschema | None:
        """The subschema at a pointer of a document; None where no applicator or reference leads to."""
        return self._index.known(uri, location)

    def subschemas(self) -> Iterator[Subschema]:
        """Every subschema of every document that is known so far, document by document."""
        return self._index.all()

    def children(self, parent: Subschema) -> Iterator[tuple[tuple[Step, ...], Subschema]]:
        """The direct subschemas of `parent` with the steps to each."""
        for steps, _ in subschemas(parent.value, parent.dialect):
            yield steps, self.child(parent, *steps)

    def target(self, source: Subschema, reference: str) -> Subschema | None:
        """Where a `$ref` of `source` points; None where it was agreed that it accepts anything.

        Raises LookupError when it points at nothing.
        """
        if self.any_refs and _joined(source.base, reference) in self.any_refs:
            return None
        return self._index.resolve(source, reference)

    def resource(self, uri: str) -> tuple[str, str] | None:
        """The place (document URI, pointer) of the schema resource that an absolute URI names; None: unknown."""
        found = self._index.resource(self.root, uri)
        return None if found is None else (found[0].uri, found[1])

    def dynamic(self, source: Subschema, keyword: str) -> tuple[Subschema, str | None]:
        """The static target of a `$dynamicRef`/`$recursiveRef` and its dynamic anchor, if it has one.

        With an anchor, the outermost resource of the dynamic scope that has the same anchor wins (2020-12 core,
        8.2.3.2; 2019-09: `$recursiveAnchor`, here the anchor `""`).
        """
        reference = source.value[keyword]
        target = self._index.resolve(source, reference)
        if keyword == "$recursiveRef":
            anchored = isinstance(target.value, dict) and target.value.get("$recursiveAnchor") is True
            return target, "" if anchored else None
        fragment = unquote(reference.partition("#")[2])
        anchored = bool(fragment) and isinstance(target.value, dict) and target.value.get("$dynamicAnchor") == fragment
        return target, fragment if anchored else None

    @property
    def has_dynamic(self) -> bool:
        """Whether any dynamic anchor is declared, so that the dynamic scope matters."""
        return bool(self._index.dynamic_anchors)

    def dynamic_anchors(self, place: tuple[str, str]) -> tuple[str, ...]:
        """The dynamic anchors of the resource at `place` (document URI, pointer of its root)."""
        return self._index.anchors_at.get(place, ())

    def anchored(self, place: tuple[str, str], anchor: str) -> Subschema | None:
        """The subschema with this dynamic anchor in the resource at `place` (document URI, pointer of its root)."""
        return self._index.dynamic_anchors.get((*place, anchor))


class _Index:
    """Every subschema of some documents, by place, by URI and by anchor; it grows as documents are added."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._places: dict[tuple[str, str], Subschema] = {}
        self._members_known: dict[tuple[str, str, str], dict[str, Subschema]] = {}
        self._below_known: dict[tuple[str, str, tuple[Step, ...]], Subschema] = {}
        self._resources: dict[str, Subschema] = {}
        self._anchors: dict[tuple[str, str, str], Subschema] = {}
        self.dynamic_anchors: dict[tuple[str, str, str], Subschema] = {}
        self.anchors_at: dict[tuple[str, str], tuple[str, ...]] = {}
        for uri, document in documents.items():
            self.add(uri, document)

    def add(self, uri: str, document: Document) -> None:
        """Make a document known under `uri`; it may be added again under another one."""
        root = self._places.get((document.uri, ""))
        if root is None:
            root = Subschema(document, "", document.value, document.uri, "", document.dialect)
            if document.whole:
                self._walk(root)
                root = self._places[document.uri, ""]
        self._resources.setdefault(uri.rstrip("#"), root)
        self._resources.setdefault(document.uri, root)

    def _walk(self, top: Subschema) -> None:
        stack = [top]
        while stack:
            below = stack.pop()
            if (below.document.uri, below.pointer) in self._places:
                continue  # entered before, by a reference into an unknown keyword
            sub = self._enter(below)
            for steps, value in subschemas(sub.value, sub.dialect):
                stack.append(self._below(sub, join(sub.pointer, *steps), value))

    @staticmethod
    def _below(parent: Subschema, pointer: str, value: Any) -> Subschema:
        return Subschema(parent.document, pointer, value, parent.base, parent.resource, parent.dialect)

    def _enter(self, sub: Subschema) -> Subschema:
        """Register one subschema with the base and dialect that it declares for itself.

        Both validators follow a `$schema` in any subschema, beside an `$id` or not, down to everything below it.
        """
        value = sub.value
        if isinstance(value, dict):
            dialect = _declared(value) or sub.dialect
            base, anchor = sub.base, ""
            identifier = value.get(dialect.id_keyword)
            if isinstance(identifier, str) and not ("$ref" in value and dialect.ref_hides_siblings):
                base, anchor = _identified(sub.base, identifier, dialect)
            resource = sub.resource if base == sub.base else sub.pointer
            if base != sub.base or dialect is not sub.dialect:
                sub = Subschema(sub.document, sub.pointer, value, base, resource, dialect)
            if resource == sub.pointer:
                self._resources.setdefault(base, sub)
            self._enter_anchors(sub, anchor)
        self._places[sub.document.uri, sub.pointer] = sub
        return sub

    def _enter_anchors(self, sub: Subschema, anchor: str) -> None:
        value, place = sub.value, (sub.document.uri, sub.resource)
        if anchor:
            self._anchors[(*place, anchor)] = sub
        if sub.dialect.year < 19:
            return
        if isinstance(value.get("$anchor"), str):
            self._anchors[(*place, value["$anchor"])] = sub
        if sub.dialect.year == 19:
            if value.get("$recursiveAnchor") is True and sub.pointer == sub.resource:
                self._enter_dynamic(place, "", sub)
        elif isinstance(value.get("$dynamicAnchor"), str):
            self._anchors[(*place, value["$dynamicAnchor"])] = sub
            self._enter_dynamic(place, value["$dynamicAnchor"], sub)

    def _enter_dynamic(self, place: tuple[str, str], anchor: str, sub: Subschema) -> None:
        self.dynamic_anchors[(*place, anchor)] = sub
        self.anchors_at[place] = (*self.anchors_at.get(place, ()), anchor)

    def known(self, uri: str, location: str) -> Subschema | None:
        return self._places.get((uri, location))

    def all(self) -> Iterator[Subschema]:
        return iter([*self._places.values()])

    def at(self, document: Document, pointer: str) -> Subschema:
        """The subschema at a pointer. Raises LookupError."""
        found = self._places.get((document.uri, pointer))
        if found is None:  # a place that no applicator leads to: a reference into an unknown keyword
            value = get(document.value, pointer)
            if not isinstance(value, (dict, bool)) or not pointer:
                raise LookupError(f"{document.name}#{pointer} is no schema")
            self._walk(self._below(self._nearest(document, pointer), pointer, value))
            found = self._places[document.uri, pointer]
        return found

    def below(self, parent: Subschema, steps: tuple[Step, ...]) -> Subschema:
        """The subschema at these steps below another; asked so often that the answer is kept. Raises LookupError."""
        key = (parent.document.uri, parent.pointer, steps)
        known = self._below_known.get(key)
        if known is None:
            known = self._below_known[key] = self.at(parent.document, join(parent.pointer, *steps))
        return known

    def members(self, parent: Subschema, keyword: str) -> dict[str, Subschema]:
        """The subschemas of a keyword that holds them by name; asked so often that the answer is kept."""
        key = (parent.document.uri, parent.pointer, keyword)
        known = self._members_known.get(key)
        if known is None:
            found = {name: self.below(parent, (keyword, name)) for name in parent.value[keyword]}
            known = self._members_known[key] = found
        return known

    def _nearest(self, document: Document, pointer: str) -> Subschema:
        """The innermost known subschema around a pointer, whose base is in force there."""
        while pointer:
            pointer = pointer.rpartition("/")[0]
            found = self._places.get((document.uri, pointer))
            if found is not None:
                return found
        return self._resources[document.uri]

    def resource(self, source: Subschema, reference: str) -> tuple[Document, str] | None:
        """The document and the place of the schema resource that a reference of `source` names; None: unknown."""
        if not reference or reference.startswith("#"):
            return source.document, source.resource
        found = self._resources.get(split(_joined(source.base, reference))[0])
        return None if found is None else (found.document, found.pointer)

    def resolve(self, source: Subschema, reference: str) -> Subschema:
        """The subschema that a reference of `source` points at. Raises LookupError."""
        resource = self.resource(source, reference)
        if resource is None:
            raise LookupError(f"nothing is known under {split(_joined(source.base, reference))[0]}")
        fragment = unquote(reference.partition("#")[2])
        document, pointer = resource
        if not fragment or fragment.startswith("/"):
            return self.at(document, pointer + fragment)
        anchored = self._anchors.get((document.uri, pointer, fragment))
        if anchored is None:
            raise LookupError(f"there is no anchor {fragment!r} in {document.name}")
        return anchored


def _joined(base: str, reference: str) -> str:
    try:
        return join_uri(base, reference)
    except ValueError as error:
        raise LookupError(f"{reference!r} is no URI reference: {error}") from None


def _declared(schema: dict[str, Any]) -> Dialect | None:
    """The known dialect that a subschema declares (unknown ones are refused where contracts are loaded)."""
    try:
        return dialects.declared(schema) if "$schema" in schema else None
    except KeyError:
        return None


def _identified(base: str, identifier: str, dialect: Dialect) -> tuple[str, str]:
    """The base URI that an identifier sets, and the plain-name anchor in it (up to draft-07)."""
    try:
        uri, fragment = split(join_uri(base, identifier))
    except ValueError:
        return base, ""
    anchor = fragment if dialect.year <= 7 and not fragment.startswith("/") else ""
    return (base if identifier.startswith("#") else uri), anchor
