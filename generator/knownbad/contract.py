"""A contract: a schema with its dialect and everything its references reach, and the subschemas by location."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from . import dialects
from .dialects import Dialect
from .keywords.places import subschemas
from .pointers import Step, get, join


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One JSON document that schemas are taken from.

    `uri` is what it is registered under, `name` what people call it (a path, relative to the project).
    """

    uri: str
    name: str
    value: Any
    dialect: Dialect


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

    `root` is the pointer of the schema in the first document (`""`: all of it). `formats`: are formats asserted?
    `any_refs`: URIs of references that are taken as "accepts anything" (`--unresolved any`).
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
        return self._index.at(parent.document, join(parent.pointer, *steps))

    def children(self, parent: Subschema) -> Iterator[tuple[tuple[Step, ...], Subschema]]:
        """The direct subschemas of `parent` with the steps to each."""
        for steps, _ in subschemas(parent.value, parent.dialect):
            yield steps, self.child(parent, *steps)

    def target(self, source: Subschema, reference: str) -> Subschema | None:
        """Where a `$ref` of `source` points; None where it was agreed that it accepts anything.

        Raises LookupError when it points at nothing.
        """
        if urljoin(source.base, reference) in self.any_refs or reference in self.any_refs:
            return None
        return self._index.resolve(source, reference)

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
        fragment = urldefrag(reference).fragment
        anchored = bool(fragment) and isinstance(target.value, dict) and target.value.get("$dynamicAnchor") == fragment
        return target, fragment if anchored else None

    def anchored(self, scope: Subschema, anchor: str) -> Subschema | None:
        """The subschema with this dynamic anchor in the resource that `scope` belongs to."""
        return self._index.dynamic_anchors.get((scope.document.uri, scope.resource, anchor))


class _Index:
    """Every subschema of some documents, by place, by URI and by anchor."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._places: dict[tuple[str, str], Subschema] = {}
        self._resources: dict[str, Subschema] = {}
        self._anchors: dict[tuple[str, str], Subschema] = {}
        self.dynamic_anchors: dict[tuple[str, str, str], Subschema] = {}
        for uri, document in documents.items():
            root = Subschema(document, "", document.value, uri, "", document.dialect)
            self._resources.setdefault(uri.rstrip("#"), root)
            self._walk(root)

    def _walk(self, top: Subschema) -> None:
        stack = [top]
        while stack:
            sub = self._enter(stack.pop())
            for steps, value in subschemas(sub.value, sub.dialect):
                stack.append(self._below(sub, join(sub.pointer, *steps), value))

    @staticmethod
    def _below(parent: Subschema, pointer: str, value: Any) -> Subschema:
        return Subschema(parent.document, pointer, value, parent.base, parent.resource, parent.dialect)

    def _enter(self, sub: Subschema) -> Subschema:
        """Register one subschema; gives it back with the base and dialect that it declares for itself."""
        value = sub.value
        if isinstance(value, dict):
            hidden = "$ref" in value and sub.dialect.ref_hides_siblings
            identifier = value.get(sub.dialect.id_keyword)
            if isinstance(identifier, str) and not hidden and not identifier.startswith("#"):
                try:
                    declared = dialects.declared(value)
                except KeyError:
                    declared = None
                base = urldefrag(urljoin(sub.base, identifier)).url
                sub = Subschema(sub.document, sub.pointer, value, base, sub.pointer, declared or sub.dialect)
                self._resources.setdefault(base, sub)
            elif isinstance(identifier, str) and not hidden:
                self._anchors[sub.base, identifier[1:]] = sub
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(value.get(keyword), str) and sub.dialect.year >= 19:
                    self._anchors[sub.base, value[keyword]] = sub
            if isinstance(value.get("$dynamicAnchor"), str):
                self.dynamic_anchors[sub.document.uri, sub.resource, value["$dynamicAnchor"]] = sub
            if value.get("$recursiveAnchor") is True and sub.pointer == sub.resource:
                self.dynamic_anchors[sub.document.uri, sub.resource, ""] = sub
        self._places[sub.document.uri, sub.pointer] = sub
        return sub

    def at(self, document: Document, pointer: str) -> Subschema:
        found = self._places.get((document.uri, pointer))
        if found is None:  # a place that no applicator leads to: a reference into an unknown keyword
            value = get(document.value, pointer)
            if not isinstance(value, (dict, bool)):
                raise LookupError(f"{document.name}#{pointer} is no schema")
            parent = self._places[document.uri, ""]
            self._walk(self._below(parent, pointer, value))
            found = self._places[document.uri, pointer]
        return found

    def resolve(self, source: Subschema, reference: str) -> Subschema:
        uri, fragment = urldefrag(urljoin(source.base, reference))
        fragment = unquote(fragment)
        resource = self._resources.get(uri)
        if resource is None and reference.startswith("#"):
            resource = self.at(source.document, source.resource)
        if resource is None:
            raise LookupError(f"nothing is known under {uri}")
        if not fragment:
            return resource
        if fragment.startswith("/"):
            return self.at(resource.document, resource.pointer + fragment)
        anchored = self._anchors.get((resource.base, fragment))
        if anchored is None:
            raise LookupError(f"no anchor {fragment!r} in {uri}")
        return anchored
