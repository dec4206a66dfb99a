"""The oracle: what both validators say of an instance, for a contract and for its mutants.

The only importer of `jsonschema` and `jsonschema_rs` for validation. A verdict counts when both agree; a validator that
crashes has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .compiled import (
    CLASSES,
    ValidatorFailed,
    compile_rust,
    compiled,
    guarded,
    reason,
    reference_to,
    retriever,
    taken_out,
)
from .contract import Contract, Document, Location, Subschema
from .dialects import Dialect
from .errors import shorten
from .pointers import get, join, pointer, replace, steps
from .unresolved import any_edits, placed, without_any
from .uris import split

if TYPE_CHECKING:
    import jsonschema_rs

_KEPT_DISAGREEMENTS = 50


class Failure(NamedTuple):
    """One keyword that rejects an instance.

    `keyword_location` is the static pointer in the document `document` (a URI). `member` is the missing property of
    `required` and of the lists of `dependentRequired` and `dependencies`.
    """

    keyword_location: str
    instance_location: str
    member: str | None
    document: str


class Rejection(NamedTuple):
    """One keyword that rejects an instance: the way of the evaluation to it, its location, and the part it rejects."""

    path: str
    location: Location
    instance_location: str


class Verdicts:
    """Both validators over one state of a contract's documents; each is compiled when first asked."""

    def __init__(self, contract: Contract, documents: Mapping[str, Any], origin: Verdicts | None = None) -> None:
        self.contract = contract
        self.documents = documents
        self._origin = origin
        self._resources: dict[str, Location | None] = {}
        self._statics: dict[str, Location | None] = {}
        self._declared: dict[str, Any] = {}
        """The documents as jsonschema is given them."""
        self.disagreements: list[str] = []
        """Why `accepts` gave no verdict, newest last (the first few are kept)."""

    def fast(self, instance: Any) -> bool:
        """The verdict of jsonschema-rs alone. Raises ValidatorFailed."""
        return guarded(self._rust.is_valid, instance)

    def first_other(self, instances: Iterable[tuple[Any, bool]]) -> int | None:
        """The place of the first of these instances on which jsonschema-rs says the reverse of the verdict beside it.

        One that it crashes on is passed over. Raises ValidatorFailed when the schema cannot be compiled.
        """
        check = self._rust.is_valid
        rest = enumerate(instances)
        while True:
            try:  # around the loop: what is tried is tried very often
                for number, (instance, accepted) in rest:
                    if check(instance) is not accepted:
                        return number
                return None
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # noqa: BLE001, S112  a Rust panic is no Exception
                continue

    def slow(self, instance: Any) -> bool:
        """The verdict of jsonschema alone. Raises ValidatorFailed."""
        try:
            return bool(self._python.is_valid(instance))
        except Exception as error:  # noqa: BLE001  whatever it is, it is no verdict
            raise ValidatorFailed(f"jsonschema: {reason(error)}") from None

    def accepts(self, instance: Any) -> bool | None:
        """The verdict that both validators agree on, None when there is none (`disagreements` says why)."""
        try:
            fast = self.fast(instance)
            slow = self.slow(instance)
        except ValidatorFailed as failed:
            self._disagree(str(failed))
            return None
        if fast == slow:
            return fast
        verb = ("rejects", "accepts")
        self._disagree(f"jsonschema {verb[slow]}, jsonschema-rs {verb[fast]} {shorten(instance)}")
        return None

    @property
    def broken(self) -> str | None:
        """Why jsonschema-rs cannot compile the schema, None when it can."""
        try:
            _ = self._rust
        except ValidatorFailed as failed:
            return str(failed)
        return None

    def applied(self, instance: Any) -> dict[Location, list[tuple[str, str]]]:
        """Which parts of an instance each subschema and keyword was held against: instance locations, evaluation paths.

        What is below a branch that an accepted part did not take is not in there. Raises ValidatorFailed.
        """
        rust = self._rust
        found: dict[Location, list[tuple[str, str]]] = {}
        statics = self._statics
        for unit in guarded(lambda: rust.evaluate(instance).list()["details"]):
            absolute = unit["schemaLocation"]
            where = statics[absolute] if absolute in statics else self._static(absolute)
            if where in found:
                found[where].append((unit["instanceLocation"], unit["evaluationPath"]))
            elif where is not None:
                found[where] = [(unit["instanceLocation"], unit["evaluationPath"])]
        return found

    def rejections(self, instance: Any) -> list[Rejection]:
        """The keywords that reject an instance, as jsonschema-rs tells them. Raises ValidatorFailed.

        None are told where one is below a member with the empty name: the paths of errors leave that out.
        """
        rust = self._rust
        found = [
            Rejection(
                pointer(error.evaluation_path),
                self._static(error.absolute_keyword_location or "") or ("", ""),
                pointer(error.instance_path),
            )
            for error in guarded(lambda: list(rust.iter_errors(instance)))
        ]
        return [] if any("" in steps(rejection.location[1]) for rejection in found) else found

    def failing(self, instance: Any, document: str, location: str) -> list[str]:
        """The instance locations at which the schema or keyword at `location` of a document rejects."""
        compiled = self._rust
        try:
            units = guarded(lambda: compiled.evaluate(instance).list()["details"])
        except ValidatorFailed:
            return []
        wanted = (document, location)
        return [u["instanceLocation"] for u in units if not u["valid"] and self._static(u["schemaLocation"]) == wanted]

    def rejected_by(self, instance: Any, subschema: Subschema, keyword: str) -> list[Any] | None:
        """The parts of an instance that jsonschema rejects, where one keyword of one subschema alone does so.

        None where another one rejects too, or where that cannot be told. Raises ValidatorFailed.
        """
        here = subschema.value if subschema.pointer else self._declared.get(subschema.document.uri)
        try:
            errors = list(self._python.iter_errors(instance))
        except Exception as error:  # noqa: BLE001  whatever it is, it is no verdict
            raise ValidatorFailed(f"jsonschema: {reason(error)}") from None
        alone = all(error.schema is here and error.validator == keyword for error in errors)
        return [error.instance for error in errors] if alone else None

    def slow_keywords(self, dialect: Dialect, schema: Any) -> Callable[[Any], bool]:
        """What jsonschema says of parts of instances by a schema without references. That raises ValidatorFailed."""
        import jsonschema

        cls = getattr(jsonschema, CLASSES[dialect.year])
        checker = cls.FORMAT_CHECKER if self.contract.formats else None

        def check(part: Any) -> bool:
            try:
                return bool(cls(schema, format_checker=checker).is_valid(part))
            except Exception as error:  # noqa: BLE001  whatever it is, it is no verdict
                raise ValidatorFailed(f"jsonschema: {reason(error)}") from None

        return check

    def errors(self, instance: Any) -> list[Failure]:
        """The keywords that reject the instance, each once, in one normal form.

        What fails inside `anyOf`, `oneOf`, `not` or `contains` counts as a failure of that keyword; what fails inside
        `allOf`, `then`, a reference or the like is named itself. Raises ValidatorFailed.
        """
        found: dict[Failure, None] = {}
        compiled = self._rust
        for error in guarded(lambda: list(compiled.iter_errors(instance))):
            where = self._static(error.absolute_keyword_location or "")
            if where is None:
                continue
            instance_location = pointer(error.instance_path)
            for location, member in self._normal(where, error, instance, instance_location):
                found[Failure(location, instance_location, member, where[0])] = None
        return list(found)

    def _normal(self, where: Location, error: Any, instance: Any, place: str) -> list[tuple[str, str | None]]:
        """The keyword location (and member) of one error of jsonschema-rs, as the corpus names it."""
        document, location = where
        kind = error.kind.name
        keyword = error.schema_path[-1] if error.schema_path else ""
        if kind == "required":
            missing = error.kind.property
            if keyword == "required":
                return [(location, missing)]
            lists_at = location
            while lists_at and steps(lists_at)[-1] not in ("dependentRequired", "dependencies"):
                lists_at = lists_at.rpartition("/")[0]
            part = get(instance, place)
            lists = get(self.documents[document], lists_at)
            named = [
                name for name, needs in lists.items() if name in part and isinstance(needs, list) and missing in needs
            ]
            return [(join(lists_at, name), missing) for name in named] or [(location, missing)]
        if kind in ("exclusiveMinimum", "exclusiveMaximum"):
            parent = location.rpartition("/")[0]
            holder = get(self.documents[document], parent)
            bound = kind.removeprefix("exclusive").lower()
            if isinstance(holder.get(kind), bool):  # draft-04: only the bound itself is failed by its partner
                return [(join(parent, kind if get(instance, place) == holder.get(bound) else bound), None)]
        return [(location, None)]

    def _static(self, absolute: str) -> Location | None:
        """Document and pointer of an absolute keyword location; None where it is none of the contract's."""
        if absolute not in self._statics:
            uri, fragment = split(absolute)
            if uri not in self._resources:
                try:
                    self._resources[uri] = self.contract.resource(uri) if uri else None
                except LookupError:
                    self._resources[uri] = None
            found = self._resources[uri]
            self._statics[absolute] = None if found is None else (found[0], found[1] + fragment)
        return self._statics[absolute]

    @cached_property
    def identified(self) -> bool:
        """Whether any schema resource has an identifier or an anchor of its own."""
        named = ("$anchor", "$dynamicAnchor", "$recursiveAnchor")
        return any(
            sub.base != sub.document.uri
            or isinstance(sub.value, dict)
            and (any(name in sub.value for name in named) or _plain_name(sub.value.get(sub.dialect.id_keyword)))
            for sub in self.contract.subschemas()
        )

    @cached_property
    def _rust(self) -> jsonschema_rs.Validator:
        return compile_rust(self.contract, self._rust_registry, self.contract.root)

    @cached_property
    def _rust_registry(self) -> jsonschema_rs.Registry:
        import jsonschema_rs

        resources = [(uri, _declaring(document, self.documents[document.uri])) for uri, document in self._registered()]
        # `draft` overrides what a document declares; without it, no other metaschema than the newest is at hand.
        draft: int | None = self.contract.dialect.year
        if any(document.dialect.year != draft for document in self.contract.documents.values()):
            draft = None
        return guarded(lambda: jsonschema_rs.Registry(resources, draft=draft, retriever=retriever(self.contract)))

    @cached_property
    def _python(self) -> Any:
        return self._python_of(self.contract.root)

    def _python_of(self, subschema: Subschema) -> Any:
        import jsonschema

        cls = getattr(jsonschema, CLASSES[subschema.dialect.year])
        checker = cls.FORMAT_CHECKER if self.contract.formats else None
        wrapper = {"$ref": reference_to(subschema)}
        return cls(wrapper, registry=self._python_registry, format_checker=checker)

    @cached_property
    def _python_registry(self) -> Any:
        import jsonschema_specifications  # type: ignore[import-untyped]
        import referencing

        registry, known = jsonschema_specifications.REGISTRY, None
        if self._origin is not None:
            registry, known = self._origin._python_registry, self._origin.documents
        resources = []
        for uri, document in self._registered():
            value = self.documents[document.uri]
            if known is None or value is not known[document.uri]:
                specification = referencing.jsonschema.specification_with(document.dialect.uri)
                declared = self._declared[document.uri] = _declaring(document, value)
                resource = referencing.Resource.from_contents(declared, specification)
                resources.append((uri, resource))
        registry = registry.with_resources(resources)
        if self._origin is not None and not self._origin.identified:
            return registry  # only what a crawl finds by identifier or anchor would be out of date
        try:
            return registry.crawl()
        except Exception:  # noqa: BLE001  it stumbles over `dependencies` that mix lists and schemas
            return registry  # which is enough as long as no reference goes by an embedded identifier

    def _registered(self) -> list[tuple[str, Document]]:
        """Every document with each URI that it is known under."""
        return [(split(uri)[0], document) for uri, document in self.contract.documents.items()]

    def _disagree(self, text: str) -> None:
        if len(self.disagreements) < _KEPT_DISAGREEMENTS and text not in self.disagreements:
            self.disagreements.append(text)


class MutantOracle(Verdicts):
    """Both validators over a contract with the values at some schema locations replaced."""


class Oracle(Verdicts):
    """Both validators over a contract as it is; and its mutants and subschemas."""

    def __init__(self, contract: Contract) -> None:
        documents = {document.uri: document.value for document in contract.documents.values()}
        if contract.any_refs:
            for (uri, location), value in any_edits(contract).items():
                documents[uri] = replace(documents[uri], steps(location), value)
        super().__init__(contract, documents)
        self._locals: dict[Location, jsonschema_rs.Validator] = {}

    def mutant(self, edits: Mapping[Location, Any]) -> MutantOracle:
        """The contract with the values at these locations replaced, in the order given; the rest is shared."""
        documents = dict(self.documents)
        for (uri, location), value in edits.items():
            if self.contract.any_refs:
                value = without_any(self.contract, placed(self.contract, uri, location, value))
            documents[uri] = replace(documents[uri], steps(location), value)
        return MutantOracle(self.contract, documents, self)

    def alone(self, subschema: Subschema, value: Any) -> Callable[[Any], bool]:
        """What jsonschema-rs says of parts of instances, were `value` in the place of the subschema just there.

        What a reference leads to is taken from the contract as it is. Raises ValidatorFailed, also for what cannot be
        taken out of its place.
        """
        body = taken_out(subschema, value)
        check = compiled(self.contract, self._rust_registry, subschema.dialect, body).is_valid
        return lambda instance: guarded(check, instance)

    def local(self, subschema: Subschema, instance: Any) -> bool:
        """Whether one subschema of the contract accepts `instance`, a part of an instance (jsonschema-rs alone).

        A `$dynamicRef` or `$recursiveRef` sees only the dynamic scope that starts at the subschema's own resource.
        Raises ValidatorFailed.
        """
        if isinstance(subschema.value, bool):
            return subschema.value
        return guarded(self._local(subschema).is_valid, instance)

    def _local(self, subschema: Subschema) -> jsonschema_rs.Validator:
        where = (subschema.document.uri, subschema.pointer)
        known = self._locals.get(where)
        if known is None:
            known = self._locals[where] = compile_rust(self.contract, self._rust_registry, subschema)
        return known

    def agreed(self, subschema: Subschema, instance: Any) -> bool | None:
        """As `local`, by both validators; None where they do not agree. Raises ValidatorFailed."""
        fast = self.local(subschema, instance)
        slow = self._python_of(subschema)
        try:
            return fast if slow.is_valid(instance) is fast else None
        except Exception as error:  # noqa: BLE001  whatever it is, it is no verdict
            raise ValidatorFailed(f"jsonschema: {reason(error)}") from None

    def first_rejection(self, subschema: Subschema, instance: Any) -> tuple[str, str] | None:
        """The keyword of a subschema that rejects an instance, and the place in it; None where none is told."""
        if isinstance(subschema.value, bool):
            return None
        errors = guarded(lambda: list(self._local(subschema).iter_errors(instance)))
        return next(((str([*e.schema_path, ""][-2]), pointer(e.instance_path)) for e in errors if e.schema_path), None)


def _plain_name(identifier: object) -> str:
    """The plain name that an identifier up to draft-07 ends in."""
    return identifier.partition("#")[2] if isinstance(identifier, str) else ""


def _declaring(document: Document, value: Any) -> Any:
    """A document that says its dialect, so that documents of several dialects can stand in one registry."""
    if isinstance(value, dict) and "$schema" not in value:
        return {"$schema": document.dialect.uri, **value}
    return value
