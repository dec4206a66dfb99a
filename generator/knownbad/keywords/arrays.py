"""`items` in all its forms, `prefixItems`, `additionalItems`, `contains`, `uniqueItems`, `unevaluatedItems`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .counts import count_rows
from .general import repeated, unique_on
from .mutation import DROP, At, Mutation, together
from .replacing import exchanged_items, swapped_items
from .row import Keyword
from .shape import ARRAY, Alternative, Contains, Expansion, Ob, Tuple


def _prefix_length(ob_value: dict[str, Any], year: int) -> int:
    """How many items the positional keywords of a schema object speak of."""
    prefix = ob_value.get("prefixItems") if year >= 20 else ob_value.get("items")
    return len(prefix) if isinstance(prefix, list) else 0


def _positional(keyword: str, x: Expansion, ob: Ob, value: Sequence[Any]) -> None:
    prefix = [ob.below(x.contract.child(ob.sub, keyword, i), keyword, i) for i in range(len(value))]
    x.shape.tuples.append(Tuple(tuple(prefix), None))
    aimed = [i for i, entry in enumerate(prefix) if ob.aimed(keyword, i)]
    if aimed:
        x.shape.only(ARRAY)
        x.shape.items(low=aimed[-1] + 1)


def _rest(keyword: str, start: int, x: Expansion, ob: Ob) -> None:
    child = ob.below(x.contract.child(ob.sub, keyword), keyword)
    x.shape.tuples.append(Tuple((None,) * start, child))
    if ob.aimed(keyword):
        x.shape.only(ARRAY)
        x.shape.items(low=start + 1)


def at_index(index: int, *obs: Ob) -> Alternative:
    """There is an item at `index` and these hold for it."""

    def narrow(x: Expansion) -> None:
        x.shape.only(ARRAY)
        x.shape.items(low=index + 1)
        x.shape.tuples.extend(Tuple((*(None,) * index, ob), None) for ob in obs)

    return narrow


def accept_items(x: Expansion, ob: Ob, value: Any) -> None:
    if isinstance(value, list):
        if ob.sub.dialect.year < 20:
            _positional("items", x, ob, value)
    else:
        start = _prefix_length(ob.sub.value, 20) if ob.sub.dialect.year >= 20 else 0
        _rest("items", start, x, ob)


def deny_items(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    if isinstance(value, list):
        return _deny_each("items", ob, value, x) if ob.sub.dialect.year < 20 else []
    start = _prefix_length(ob.sub.value, 20) if ob.sub.dialect.year >= 20 else 0
    return [at_index(start, ob.below(x.contract.child(ob.sub, "items"), "items", accept=False))]


def _deny_each(keyword: str, ob: Ob, value: Sequence[Any], x: Expansion) -> Sequence[Alternative]:
    children = [x.contract.child(ob.sub, keyword, i) for i in range(len(value))]
    return [at_index(i, Ob(child, False, (), ob.scope)) for i, child in enumerate(children)]


def accept_prefix(x: Expansion, ob: Ob, value: Any) -> None:
    _positional("prefixItems", x, ob, value)


def deny_prefix(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return _deny_each("prefixItems", ob, value, x)


def accept_additional(x: Expansion, ob: Ob, value: Any) -> None:
    if isinstance(ob.sub.value.get("items"), list):
        _rest("additionalItems", len(ob.sub.value["items"]), x, ob)


def deny_additional(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    if not isinstance(ob.sub.value.get("items"), list):
        return []
    child = x.contract.child(ob.sub, "additionalItems")
    return [at_index(len(ob.sub.value["items"]), Ob(child, False, (), ob.scope))]


def nonempty(index: int) -> Alternative:
    """There is an item at `index`."""
    return at_index(index)


def closing(sub: Any, at: At) -> Any:
    """`sub` so that nothing satisfies it, in a form that every dialect has; what is in it can still be referred to."""
    if not isinstance(sub, dict):
        return {"not": {}}
    hidden = "$ref" in sub and at.sub.dialect.ref_hides_siblings
    kept = {k: v for k, v in sub.items() if not hidden or k in ("definitions", "$defs")}
    return {**kept, "not": {}}


_REFERRED = ("definitions", "$defs", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor")
_TELLING = ("title", "description", "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly")
"""What says nothing of an instance."""


def opening(sub: Any, at: At) -> Any:
    """`sub` so that everything satisfies it, in a form that every dialect has; what is named can still be referred to.

    None where everything satisfies it as it stands, and where it is `false`, which has an edit of its own.
    """
    if not isinstance(sub, dict):
        return None
    hidden = "$ref" in sub and at.sub.dialect.ref_hides_siblings
    kept = {k: v for k, v in sub.items() if k in (_REFERRED[:2] if hidden else _REFERRED)}
    return kept if not sub.keys() <= {*kept, *_TELLING} else None


def opened(keyword: str, name: str, at: At, *plan: Alternative, either: bool = False) -> Iterator[Mutation]:
    """The one subschema of a keyword made to accept everything."""
    value = opening(at.value[keyword], at)
    if value is not None:
        yield at.weaker(name, keyword, at.edited(**{keyword: value}), *plan, slug="anything", either=either)


def broken(ob: Ob, place: Callable[[Ob], Alternative]) -> Alternative:
    """Somewhere in the instance is what the subschema of `ob` rejects: `place` says where."""
    return lambda x: place(Ob(ob.sub, False, (), x.scope))(x)


def items_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["items"]
    year = at.sub.dialect.year
    if isinstance(value, list):
        yield from _prefix_mutations("items", at) if year < 20 else ()
    elif value is not False:
        start = _prefix_length(at.value, 20) if year >= 20 else 0
        yield at.stronger("items.close", "items", at.edited(items=closing(value, at)), nonempty(start), slug="an-item")


def _prefix_mutations(keyword: str, at: At) -> Iterator[Mutation]:
    value = at.value[keyword]
    for index, entry in enumerate(value):
        if entry is not False:
            closed = [*value[:index], closing(entry, at), *value[index + 1 :]]
            yield at.stronger(
                f"{keyword}.close[{index}]", keyword, at.edited(**{keyword: closed}), nonempty(index),
                slug=f"item-{index}",
            )  # fmt: skip


def items_variants(at: At) -> Iterator[Mutation]:
    value, year = at.value["items"], at.sub.dialect.year
    if isinstance(value, list):
        if year < 20 and value:
            yield from _prefix_variants("items", at)
            if "additionalItems" not in at.value:
                closed = at.edited(additionalItems=False)
                yield at.stronger("additionalItems.close", "items", closed, nonempty(len(value)), slug="a-further-item")
    else:
        start = _prefix_length(at.value, 20) if year >= 20 else 0
        plan = broken(Ob(at.contract.child(at.sub, "items")), lambda ob: at_index(start, ob))
        yield from opened("items", "items.open", at, plan)
    yield from unique_on("items", at)
    if value != []:
        yield from exchanged_items("items", at)


def _prefix_variants(keyword: str, at: At) -> Iterator[Mutation]:
    """Each entry of a tuple made to accept everything, the last one dropped, neighbours swapped."""
    value = at.value[keyword]
    for index, entry in enumerate(value):
        open_entry = opening(entry, at)
        if open_entry is not None:
            others = [Ob(at.contract.child(at.sub, keyword, i)) if i != index else None for i in range(len(value))]

            def narrow(x: Expansion, index: int = index, others: list[Ob | None] = others) -> None:
                x.shape.tuples.append(Tuple(tuple(others), None))
                at_index(index, Ob(at.contract.child(at.sub, keyword, index), False, (), x.scope))(x)

            edited = at.edited(**{keyword: [*value[:index], open_entry, *value[index + 1 :]]})
            yield at.weaker(f"{keyword}.open[{index}]", keyword, edited, narrow, slug=f"item-{index}")
    shorter = at.edited(**{keyword: value[:-1] or DROP})
    yield at.replaced(f"{keyword}.remove[{len(value) - 1}]", keyword, shorter)
    yield from swapped_items(keyword, at)


def prefix_variants(at: At) -> Iterator[Mutation]:
    value = at.value["prefixItems"]
    yield from _prefix_variants("prefixItems", at)
    if "items" not in at.value and "unevaluatedItems" not in at.value:
        yield at.stronger(
            "items.close", "prefixItems", at.edited(items=False), nonempty(len(value)), slug="a-further-item"
        )
    yield from unique_on("prefixItems", at)
    yield from exchanged_items("prefixItems", at)


def prefix_mutations(at: At) -> Iterator[Mutation]:
    return _prefix_mutations("prefixItems", at)


def additional_mutations(at: At) -> Iterator[Mutation]:
    prefix = at.value.get("items")
    if isinstance(prefix, list) and at.value["additionalItems"] is not False:
        closed = at.edited(additionalItems=closing(at.value["additionalItems"], at))
        yield at.stronger(
            "additionalItems.close", "additionalItems", closed, nonempty(len(prefix)), slug="a-further-item"
        )


def additional_variants(at: At) -> Iterator[Mutation]:
    prefix = at.value.get("items")
    if isinstance(prefix, list):
        child = Ob(at.contract.child(at.sub, "additionalItems"))
        plan = broken(child, lambda ob: at_index(len(prefix), ob))
        yield from opened("additionalItems", "additionalItems.any", at, plan)


def _contained(ob: Ob, x: Expansion, low: int, high: int | None) -> Contains:
    return Contains(ob.below(x.contract.child(ob.sub, "contains"), "contains"), low, high)


def _limits(value: dict[str, Any], year: int) -> tuple[int, int | None]:
    if year < 19:
        return 1, None
    most = value.get("maxContains")
    return int(value.get("minContains", 1)), None if most is None else int(most)


def accept_contains(x: Expansion, ob: Ob, value: Any) -> None:
    low, high = _limits(ob.sub.value, ob.sub.dialect.year)
    if ob.aimed("contains"):
        x.shape.only(ARRAY)
        low = max(low, 1)
    x.shape.contain(_contained(ob, x, low, high))


def containing(sub_ob: Ob, low: int, high: int | None) -> Alternative:
    """An array with between `low` and `high` items that meet the obligation."""

    def narrow(x: Expansion) -> None:
        x.shape.only(ARRAY)
        x.shape.contain(Contains(sub_ob, low, high))

    return narrow


def deny_contains(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    low, high = _limits(ob.sub.value, ob.sub.dialect.year)
    inner = Ob(x.contract.child(ob.sub, "contains"), True, (), ob.scope)
    ways = [containing(inner, 0, low - 1)] if low else []
    return [*ways, containing(inner, high + 1, None)] if high is not None else ways


_TRIPLE = ("contains", "minContains", "maxContains")


def contains_mutations(at: At) -> Iterator[Mutation]:
    low, high = _limits(at.value, at.sub.dialect.year)
    inner = Ob(at.contract.child(at.sub, "contains"))
    dropped = at.edited(contains=DROP, minContains=DROP, maxContains=DROP)
    if low:
        plan = containing(inner, 0, low - 1)
        yield at.weaker("contains.drop", "contains", dropped, plan, aside=_TRIPLE, slug="contains-none")
    if at.sub.dialect.year >= 19:
        if low > 1:  # 1 is what holds without the keyword: `contains` itself is what fails then
            yield at.weaker(
                "minContains.lower", "minContains", at.edited(minContains=low - 1),
                containing(inner, low - 1, low - 1), aside=_TRIPLE, slug="too-few",
            )  # fmt: skip
        if low > 2:
            yield at.weaker(
                "minContains.drop", "minContains", at.edited(minContains=DROP),
                containing(inner, 1, low - 1), aside=_TRIPLE, slug="far-too-few", minor=True,
            )  # fmt: skip
        yield at.stronger(
            "minContains.raise", "contains", at.edited(minContains=low + 1), containing(inner, low, low), slug="fewest"
        )
        if high is not None:
            yield at.weaker(
                "maxContains.raise", "maxContains", at.edited(maxContains=high + 1),
                containing(inner, high + 1, high + 1), aside=_TRIPLE, slug="too-many",
            )  # fmt: skip
            yield at.weaker(
                "maxContains.drop", "maxContains", at.edited(maxContains=DROP),
                containing(inner, high + 1, None), aside=_TRIPLE, slug="far-too-many", minor=True,
            )  # fmt: skip
            if high > 0:
                yield at.stronger(
                    "maxContains.lower", "maxContains", at.edited(maxContains=high - 1),
                    containing(inner, high, high), slug="most",
                )  # fmt: skip


def contains_variants(at: At) -> Iterator[Mutation]:
    low, high = _limits(at.value, at.sub.dialect.year)
    inner = Ob(at.contract.child(at.sub, "contains"))
    if low and high is None:
        yield from opened("contains", "contains.any", at, together(containing(inner, 0, low - 1), _many(low)))
    else:
        yield from opened("contains", "contains.any", at, either=True)
    yield from unique_on("contains", at)


def _many(count: int) -> Alternative:
    return lambda x: x.shape.items(low=count)


def accept_unique(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.unique = x.shape.unique or value is True


def deny_unique(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [repeated] if value is True else []


def unique_mutations(at: At) -> Iterator[Mutation]:
    if at.value["uniqueItems"] is True:
        yield at.weaker("uniqueItems.off", "uniqueItems", at.edited(uniqueItems=DROP), repeated, slug="duplicate")


def unique_variants(at: At) -> Iterator[Mutation]:
    return unique_on("uniqueItems", at)


def unevaluated_variants(at: At) -> Iterator[Mutation]:
    value = at.value["unevaluatedItems"]

    def unevaluated(x: Expansion) -> None:
        x.shape.only(ARRAY)
        x.shape.unevaluated_items.append(Ob(at.contract.child(at.sub, "unevaluatedItems"), False, (), x.scope))
        x.shape.items(low=1)

    yield from opened("unevaluatedItems", "unevaluatedItems.any", at, unevaluated)
    if value is not False:
        closed = at.edited(unevaluatedItems=False)
        yield at.stronger("unevaluatedItems.close", "unevaluatedItems", closed, nonempty(0), slug="a-further-item")


def accept_unevaluated(x: Expansion, ob: Ob, value: Any) -> None:
    child = ob.below(x.contract.child(ob.sub, "unevaluatedItems"), "unevaluatedItems")
    x.shape.unevaluated_items.append(child)
    if child.aims or ob.aimed("unevaluatedItems"):
        x.shape.only(ARRAY)


def deny_unevaluated(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    child = Ob(x.contract.child(ob.sub, "unevaluatedItems"), False, (), ob.scope)

    def narrow(y: Expansion) -> None:
        y.shape.only(ARRAY)
        y.shape.unevaluated_items.append(child)
        y.shape.items(low=1)

    return [narrow]


ROWS = (
    Keyword("prefixItems", accept_prefix, deny_prefix, prefix_mutations, (20, 20), prefix_variants),
    Keyword("items", accept_items, deny_items, items_mutations, variants=items_variants),
    Keyword("additionalItems", accept_additional, deny_additional, additional_mutations, (4, 19), additional_variants),
    Keyword("contains", accept_contains, deny_contains, contains_mutations, (6, 20), contains_variants),
    *count_rows("Items", ARRAY, "items", "items"),
    Keyword("uniqueItems", accept_unique, deny_unique, unique_mutations, variants=unique_variants),
    Keyword("unevaluatedItems", accept_unevaluated, deny_unevaluated, years=(19, 20), variants=unevaluated_variants),
)
