"""The table of keywords: every assertion and applicator of drafts 04 to 2020-12, in the order they are looked at."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from typing import Any

from ..contract import Contract, Subschema
from ..dialects import Dialect
from ..pointers import steps
from . import applicators, arrays, general, numbers, objects, strings
from .mutation import DROP, At, Mutation
from .replacing import misspelled, without_anchor
from .row import Keyword
from .shape import Alternative, Ob
from .unlike import difference, unlike

TABLE: tuple[Keyword, ...] = (
    *general.ROWS,
    *numbers.ROWS,
    *strings.ROWS,
    *objects.ROWS,
    *arrays.ROWS,
    *applicators.ROWS,
)

_BY_YEAR: dict[int, tuple[Keyword, ...]] = {
    year: tuple(row for row in TABLE if row.years[0] <= year <= row.years[1]) for year in (4, 6, 7, 19, 20)
}
_REF = {year: tuple(row for row in rows if row.name == "$ref") for year, rows in _BY_YEAR.items()}


def rows_of(value: dict[str, Any], dialect: Dialect) -> Iterator[Keyword]:
    """The rows of the keywords that a schema object asserts, in table order."""
    hidden = "$ref" in value and dialect.ref_hides_siblings
    for row in (_REF if hidden else _BY_YEAR)[dialect.year]:
        if row.name in value:
            yield row


def mutations(contract: Contract, sub: Subschema) -> Iterator[Mutation]:
    """Every named edit of the keywords of one subschema, in table order; no name and no result twice."""
    return _told(contract, sub, unlike(sub.value, _mutations(contract, sub), set(), set()))


def variants(contract: Contract, sub: Subschema) -> Iterator[Mutation]:
    """The further edits of a subschema that only a mutation check makes; none that `mutations` has."""
    if not isinstance(sub.value, dict):
        return
    names: set[str] = set()
    results: set[Hashable] = set()
    for _ in unlike(sub.value, _mutations(contract, sub), names, results):
        pass
    yield from _told(contract, sub, unlike(sub.value, _variants(At(contract, sub), results), names, results))


def _told(contract: Contract, sub: Subschema, found: Iterator[Mutation]) -> Iterator[Mutation]:
    """The mutations with the name of their document, where that is not the contract's own."""
    if sub.document is contract.document:
        return found
    return (replace(mutation, schema=sub.document.name) for mutation in found)


def _mutations(contract: Contract, sub: Subschema) -> Iterator[Mutation]:
    at = At(contract, sub)
    if sub.value is False:
        path = steps(sub.pointer)
        holder = next((s for s in reversed(path) if s in _HOLDERS), "schema")
        label = f"{holder}.open" if not path or path[-1] == holder else f"{holder}.open[{path[-1]}]"
        slug = "extra-member" if holder in ("additionalProperties", "unevaluatedProperties") else "forbidden"
        yield at.weaker(label, "", True, aside=(), slug=slug, steps=(), lazy=lambda: [lambda x: None])
    elif isinstance(sub.value, dict):
        for row in rows_of(sub.value, sub.dialect):
            yield from row.mutations(at)


def _denied(row: Keyword, at: At) -> Iterator[Alternative]:
    """What the keyword rejects, for one reason where its own edits say how."""
    for mutation in (*row.mutations(at), *row.variants(at)):
        if mutation.weakens and not mutation.either and mutation.keyword[0] == row.name:
            yield from mutation.plan()
    yield lambda x: x.choose(row.deny(Ob(at.sub, scope=x.scope), at.value[row.name], x))


def _variants(at: At, results: Collection[Hashable]) -> Iterator[Mutation]:
    rows = list(rows_of(at.value, at.sub.dialect))
    for row in rows:
        yield from row.variants(at)
    if not ("$ref" in at.value and at.sub.dialect.ref_hides_siblings):
        yield from without_anchor(at)
    for row in rows:
        held = at.value[row.name]
        opened = row.name == "items" and not isinstance(held, list)
        says_nothing = held is False or row.name.startswith("min") and held == 0
        dropped = difference(at.value, at.edited(**{row.name: DROP}))
        if not (opened or says_nothing or row.name in _IGNORED_ALREADY or dropped in results):
            yield from misspelled(row.name, at, *_denied(row, at))


_IGNORED_ALREADY = frozenset(
    ("type", "format", "minimum", "maximum", "uniqueItems", "additionalItems", "unevaluatedItems", "contains",
     "additionalProperties", "unevaluatedProperties", "$ref", "$dynamicRef", "$recursiveRef",
     "contentEncoding", "contentMediaType")
)  # fmt: skip
"""Keywords of which another edit leaves nothing, so that a misspelling would say the same once more."""
_HOLDERS = frozenset(
    ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "items", "prefixItems",
     "properties", "patternProperties", "propertyNames", "contains", "allOf", "anyOf", "oneOf", "then", "else",
     "dependentSchemas", "dependencies", "$defs", "definitions")
)  # fmt: skip
