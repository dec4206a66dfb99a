"""`items` in all its forms, `prefixItems`, `additionalItems`, `contains`, `uniqueItems`, `unevaluatedItems`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .counts import count_rows
from .mutation import DROP, At, Mutation
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


def prefix_mutations(at: At) -> Iterator[Mutation]:
    return _prefix_mutations("prefixItems", at)


def additional_mutations(at: At) -> Iterator[Mutation]:
    prefix = at.value.get("items")
    if isinstance(prefix, list) and at.value["additionalItems"] is not False:
        closed = at.edited(additionalItems=closing(at.value["additionalItems"], at))
        yield at.stronger(
            "additionalItems.close", "additionalItems", closed, nonempty(len(prefix)), slug="a-further-item"
        )


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
                containing(inner, 1, low - 1), aside=_TRIPLE, slug="too-few", minor=True,
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
                containing(inner, high + 1, None), aside=_TRIPLE, slug="too-many", minor=True,
            )  # fmt: skip
            if high > 0:
                yield at.stronger(
                    "maxContains.lower", "maxContains", at.edited(maxContains=high - 1),
                    containing(inner, high, high), slug="most",
                )  # fmt: skip


def accept_unique(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.unique = x.shape.unique or value is True


def repeated(x: Expansion) -> None:
    """An array with two equal items."""
    x.shape.only(ARRAY)
    x.shape.repeated = True
    x.shape.items(low=2)


def deny_unique(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [repeated] if value is True else []


def unique_mutations(at: At) -> Iterator[Mutation]:
    if at.value["uniqueItems"] is True:
        yield at.weaker("uniqueItems.off", "uniqueItems", at.edited(uniqueItems=DROP), repeated, slug="duplicate")


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
    Keyword("prefixItems", accept_prefix, deny_prefix, prefix_mutations, (20, 20)),
    Keyword("items", accept_items, deny_items, items_mutations),
    Keyword("additionalItems", accept_additional, deny_additional, additional_mutations, (4, 19)),
    Keyword("contains", accept_contains, deny_contains, contains_mutations, (6, 20)),
    *count_rows("Items", ARRAY, "items", "items"),
    Keyword("uniqueItems", accept_unique, deny_unique, unique_mutations),
    Keyword("unevaluatedItems", accept_unevaluated, deny_unevaluated, years=(19, 20)),
)
