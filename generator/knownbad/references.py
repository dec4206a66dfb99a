"""The closure of a contract: every schema its references reach, across documents; and references that never end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from . import metaschemas, schema_check, uris
from .contract import Document, Subschema, _Index
from .dialects import DIALECTS, declared
from .errors import BadInput, Problem
from .keywords.places import REFERENCES, subschemas
from .library import Library
from .pointers import join

_DEFINITIONS = ("definitions", "$defs")
_IN_PLACE_LISTS = frozenset(("allOf", "anyOf", "oneOf"))
_IN_PLACE = frozenset(("not", "if", "then", "else"))


@dataclass(slots=True)
class Closure:
    """What is reached from a contract's schema, and every problem on the way.

    `accept_any`: references that cannot be resolved are collected in `any_refs` instead of being problems.
    """

    library: Library
    own: Document
    accept_any: bool = False
    documents: dict[str, Document] = field(default_factory=dict)
    any_refs: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    index: _Index = field(default_factory=lambda: _Index({}))
    reached: dict[tuple[str, str], Subschema] = field(default_factory=dict)
    unresolved: int = 0
    _failed: set[str] = field(default_factory=set)
    _patterns: list[Subschema] = field(default_factory=list)

    def run(self, pointer: str) -> None:
        """Walk from the schema at a pointer of the contract's own document."""
        self.add(self.own.uri, self.own)
        try:
            root = self.index.at(self.own, pointer)
        except LookupError:
            self.problems.append(Problem("there is no schema at this place", self.own.name, pointer))
            return
        entries = [root]
        while entries:
            entry = entries.pop()
            if (entry.document.uri, entry.pointer) not in self.reached:
                entries += self._walk(entry, everything=entry.document is self.own and self.own.whole and not pointer)
        if not self.problems:
            self.problems += loops(self)

    def add(self, uri: str, document: Document) -> None:
        """Make a document known under a URI, and under its own."""
        self.documents.setdefault(document.uri, document)
        self.documents.setdefault(uri, document)
        self.index.add(uri, document)

    def _walk(self, entry: Subschema, everything: bool) -> list[Subschema]:
        """Everything below one schema; gives the schemas that its references point at.

        `everything`: also definitions that no reference reaches, as in the contract's own document.
        """
        targets: list[Subschema] = []
        published = metaschemas.is_published(entry.document.uri)
        roots = [entry]
        stack = [entry]
        while stack:
            sub = stack.pop()
            place = (sub.document.uri, sub.pointer)
            if place in self.reached:
                continue
            self.reached[place] = sub
            if not isinstance(sub.value, dict):
                continue
            if not published:
                self._check_names(sub)
            for keyword, reference in references(sub):
                target = self._target(sub, keyword, reference)
                if target is not None:
                    targets.append(target)
            below = []
            for steps, _ in subschemas(sub.value, sub.dialect):
                if everything or steps[0] not in _DEFINITIONS:
                    child = self.index.at(sub.document, join(sub.pointer, *steps))
                    below.append(child)
                    if child.dialect is not sub.dialect and child.resource == child.pointer:
                        roots.append(child)
            stack += reversed(below)
        if not published:
            self._check_patterns()
            self._check_metaschema(roots)
        targets.reverse()
        return targets

    def _check_metaschema(self, roots: list[Subschema]) -> None:
        """Each schema against its metaschema; one of another dialect inside is checked by its own."""
        for root in roots:
            value = root.value
            for other in roots:
                if other is not root and other.pointer.startswith(root.pointer + "/"):
                    value = _without(value, other.pointer[len(root.pointer) :])
            told = {problem.location for problem in self.problems if problem.file == root.document.name}
            for problem in schema_check.problems(value, root.dialect, root.document.name, root.pointer, bool(told)):
                if problem.location not in told:
                    self.problems.append(problem)

    def _check_names(self, sub: Subschema) -> None:
        """The dialect, identifier and regular expressions of one schema object."""
        value = sub.value
        if "$schema" in value:
            place = join(sub.pointer, "$schema")
            if not isinstance(value["$schema"], str):
                self.problems.append(Problem("$schema must be a string", sub.document.name, place, value["$schema"]))
            try:
                declared(value)
            except KeyError:
                self.problems.append(unknown_dialect(value["$schema"], sub.document.name, place))
        if "pattern" in value or "patternProperties" in value:
            self._patterns.append(sub)
        keyword = sub.dialect.id_keyword
        identifier = value.get(keyword)
        if isinstance(identifier, str) and not uris.is_reference(identifier):
            if "$ref" not in value or not sub.dialect.ref_hides_siblings:
                self._not_a_uri(sub, keyword, identifier)

    def _check_patterns(self) -> None:
        """The regular expressions of the schemas that were walked: all at once, and one by one only to find the bad."""
        found: dict[str, None] = {}
        for sub in self._patterns:
            hidden = "$ref" in sub.value and sub.dialect.ref_hides_siblings
            names = sub.value.get("patternProperties")
            found.update(dict.fromkeys(names if isinstance(names, dict) and not hidden else ()))
            if isinstance(sub.value.get("pattern"), str):
                found[sub.value["pattern"]] = None
        if found and not schema_check.compile_all(found):
            for sub in self._patterns:
                self.problems += schema_check.regexes(sub.value, sub.document.name, sub.pointer)
        self._patterns.clear()

    def _not_a_uri(self, sub: Subschema, keyword: str, text: str) -> None:
        fix = "percent-encode what is not allowed in a URI (a space is %20)"
        message = f"{keyword} is no URI reference"
        self.problems.append(Problem(message, sub.document.name, join(sub.pointer, keyword), text, fix))

    def _target(self, sub: Subschema, keyword: str, reference: Any) -> Subschema | None:
        """Where a reference points; None when that is a problem, or agreed to be anything."""
        if not isinstance(reference, str):
            place = join(sub.pointer, keyword)
            self.problems.append(Problem(f"{keyword} must be a string", sub.document.name, place, reference))
            return None
        if not uris.is_reference(reference):
            self._not_a_uri(sub, keyword, reference)
            return None
        try:
            uri = uris.join_uri(sub.base, reference)
        except ValueError:
            self._not_a_uri(sub, keyword, reference)
            return None
        try:
            if self.index.resource(sub, reference) is None:
                self._fetch(uri, reference, sub)
            return self.index.resolve(sub, reference)
        except LookupError as error:
            self.unresolved += 1
            if self.accept_any and keyword == "$ref":
                self.any_refs.add(uri)
            elif uris.split(uri)[0] not in self._failed:
                self.problems.append(_unresolved(sub, keyword, reference, uri, error))
        return None

    def _fetch(self, uri: str, reference: str, sub: Subschema) -> None:
        uri = uris.split(uri)[0]
        if uri in self._failed:
            return
        try:
            document = self.library.fetch(uri, reference, sub.document, sub.base)
        except BadInput as error:
            self._failed.add(uri)
            self.problems += [p for p in error.problems if p not in self.problems]
            return
        if document is not None:
            self.add(uri, document)


def references(sub: Subschema) -> Iterator[tuple[str, Any]]:
    """The reference keywords of a schema object in its dialect, with their values."""
    value, year = sub.value, sub.dialect.year
    if "$ref" in value:
        yield "$ref", value["$ref"]
    if year == 19 and "$recursiveRef" in value:
        yield "$recursiveRef", value["$recursiveRef"]
    if year >= 20 and "$dynamicRef" in value:
        yield "$dynamicRef", value["$dynamicRef"]


def unknown_dialect(uri: str, name: str, place: str) -> Problem:
    """The problem of a `$schema` that is none of the five dialects."""
    bare = [uri.rpartition("://")[2].rstrip("#/") for uri in (uri, *(d.uri for d in DIALECTS))]
    near = [d for d, other in zip(DIALECTS, bare[1:], strict=True) if other == bare[0]]
    fix = f"did you mean {near[0].uri}?" if near else "declare one of " + ", ".join(d.uri for d in DIALECTS)
    known = ", ".join(d.name for d in DIALECTS)
    return Problem(f"unknown dialect {uri}; the known ones are {known}", name, place, uri, fix)


def _unresolved(sub: Subschema, keyword: str, reference: str, uri: str, error: LookupError) -> Problem:
    resource = uris.split(uri)[0]
    name = uris.file_name(uri)
    if reference.startswith("#") or name is None and not str(error).startswith("nothing is known"):
        why, fix = f"points at nothing: {reference}", "correct the reference, or take it as anything: --unresolved any"
    elif name is not None:
        why = f"points at nothing: {reference} ({name})" if name != reference else f"points at nothing: {reference}"
        fix = "correct the path, or take it as anything: --unresolved any"
    else:
        why = f"cannot be resolved: {resource}"
        folder = resource.rpartition("/")[0] + "/"
        fix = f'map it in [tool.knownbad]: resolve = {{"{folder}" = "a/folder"}}, or accept anything: --unresolved any'
    return Problem(f"{keyword} {why}", sub.document.name, join(sub.pointer, keyword), reference, fix)


def _without(value: Any, pointer: str) -> Any:
    """The value with the schema at a pointer replaced by one that says nothing."""
    from .pointers import replace, steps

    try:
        return replace(value, steps(pointer), {})
    except LookupError:
        return value  # it stood in another one that is gone already


def loops(closure: Closure) -> Iterator[Problem]:
    """The references that come back to where they started without going into the instance: they never end."""
    done: set[tuple[str, str]] = set()
    for start in closure.reached.values():
        if (start.document.uri, start.pointer) in done:
            continue
        path: list[tuple[Subschema, str]] = [(start, "")]
        open_at = {(start.document.uri, start.pointer): 0}
        stack = [in_place(closure, start)]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                sub, _ = path.pop()
                place = (sub.document.uri, sub.pointer)
                del open_at[place]
                done.add(place)
                continue
            keyword, sub = step
            place = (sub.document.uri, sub.pointer)
            if place in open_at:
                yield _loop([*path[open_at[place] :], (sub, keyword)])
            elif place not in done:
                open_at[place] = len(path)
                path.append((sub, keyword))
                stack.append(in_place(closure, sub))


def in_place(closure: Closure, sub: Subschema) -> Iterator[tuple[str, Subschema]]:
    """The schemas that are applied to the same instance as this one, each with the keyword that applies it."""
    value, year = sub.value, sub.dialect.year
    if not isinstance(value, dict):
        return
    for keyword, _ in references(sub):
        target = _static_target(closure, sub, keyword)
        if target is not None:
            yield keyword, target
    for steps, _ in subschemas(value, sub.dialect):
        keyword = str(steps[0])
        if (
            (keyword in _IN_PLACE_LISTS and len(steps) == 2)
            or (keyword in _IN_PLACE and (keyword in ("not", "if") or "if" in value))
            or keyword == "dependentSchemas"
            or (keyword == "dependencies" and year <= 7)
        ):
            yield keyword, closure.index.at(sub.document, join(sub.pointer, *steps))


def _static_target(closure: Closure, sub: Subschema, keyword: str) -> Subschema | None:
    """The one schema that a reference leads to, None where that depends on the dynamic scope."""
    reference = sub.value[keyword]
    try:
        target = closure.index.resolve(sub, reference)
    except LookupError:
        return None  # taken as anything
    if keyword == "$ref" or not isinstance(target.value, dict):
        return target
    if keyword == "$recursiveRef":
        anchor = "" if target.value.get("$recursiveAnchor") is True else None
    else:
        found = target.value.get("$dynamicAnchor")
        anchor = found if isinstance(found, str) and reference.endswith("#" + found) else None
    same = sum(1 for key in closure.index.dynamic_anchors if key[2] == anchor)
    return target if anchor is None or same == 1 else None


def _loop(cycle: list[tuple[Subschema, str]]) -> Problem:
    """The problem of a cycle; its last schema is its first, and each comes with the keyword that led to it."""
    own = cycle[0][0].document
    told = [
        (sub.document.name if sub.document is not own else "") + "#" + sub.pointer
        for (sub, _), (_, keyword) in zip(cycle, [*cycle[1:], ("", "$ref")], strict=True)
        if keyword in REFERENCES
    ]
    source, keyword = next((before, keyword) for (before, _), (_, keyword) in pairwise(cycle) if keyword in REFERENCES)
    message = "a reference that never ends, without a step into the instance: " + " -> ".join(told)
    fix = "let one of them describe something, or refer from below properties or items"
    place = join(source.pointer, keyword)
    return Problem(message, source.document.name, place, source.value[keyword], fix)
