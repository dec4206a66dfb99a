"""The table of keywords: every assertion and applicator of drafts 04 to 2020-12, in the order they are looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ..contract import Contract, Subschema
from ..dialects import Dialect
from ..pointers import steps
from . import applicators, arrays, general, numbers, objects, strings
from .mutation import At, Mutation
from .row import Keyword
from .unlike import unlike

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
    return unlike(sub.value, _mutations(contract, sub), set(), set())


def variants(contract: Contract, sub: Subschema) -> Iterator[Mutation]:
    """The further edits of a subschema that only a mutation check makes; none that `mutations` has."""
    if not isinstance(sub.value, dict):
        return
    names: set[str] = set()
    results: set[Hashable] = set()
    for _ in unlike(sub.value, _mutations(contract, sub), names, results):
        pass
    yield from unlike(sub.value, _variants(At(contract, sub)), names, results)


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


def _variants(at: At) -> Iterator[Mutation]:
    for row in rows_of(at.value, at.sub.dialect):
        yield from row.variants(at)


_HOLDERS = frozenset(
    ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "items", "prefixItems",
     "properties", "patternProperties", "propertyNames", "contains", "allOf", "anyOf", "oneOf", "then", "else",
     "dependentSchemas", "dependencies", "$defs", "definitions")
)  # fmt: skip
