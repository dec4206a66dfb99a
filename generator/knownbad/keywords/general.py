"""`type`, `enum`, `const`: the assertions for any type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..values import TYPES, equal, key, keys, type_of
from .mutation import DROP, At, Mutation, together
from .row import Keyword
from .shape import (
    ANY,
    ARRAY,
    BOOLEAN,
    FRACTION,
    INTEGER,
    MASKS,
    NUMBER,
    OBJECT,
    Alternative,
    Expansion,
    Forced,
    Ob,
    mask_of,
)  # fmt: skip

LOOKALIKES: dict[str, dict[str, list[Any]]] = {
    # what real producers send in place of a type: type it should be -> type it is -> values
    "boolean": {"string": ["true", "false"], "integer": [1, 0]},
    "integer": {"string": ["1", "0"]},
    "number": {"string": ["1", "1.5", "0"]},
    "string": {"integer": [1, 0], "boolean": [True]},
    "array": {"object": [{}], "string": ["a"]},
    "object": {"array": [[]], "string": ["{}"]},
    "null": {"string": ["null", ""]},
}


def type_mask(value: Any) -> int:
    """The types that a `type` keyword lets through, as bits."""
    names = value if isinstance(value, list) else [value]
    mask = 0
    for name in names:
        mask |= MASKS.get(name, 0) if isinstance(name, str) else 0
    return mask


def accept_type(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.only(type_mask(value))


def only(mask: int, wanted: Sequence[Any] = ()) -> Alternative:
    """These types alone, these values first."""

    def narrow(x: Expansion) -> None:
        x.shape.only(mask)
        x.shape.wanted.extend(wanted)

    return narrow


def deny_type(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    left = ANY & ~type_mask(value)
    return [only(left)] if left else []


def type_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["type"]
    names = value if isinstance(value, list) else [value]
    mask = type_mask(value)
    first = names[0] if names else "null"
    lookalikes = LOOKALIKES.get(first, {}) if isinstance(first, str) else {}
    listed = (
        at.value["enum"]
        if isinstance(at.value.get("enum"), list)
        else [at.value[k] for k in ("const",) if k in at.value]
    )
    written = at.sub.dialect.year == 4 and any(mask_of(v) == INTEGER for v in listed)
    barred = 0
    for member in listed:
        barred |= mask_of(member) & ~mask

    def widened(name: str, core: bool, slug: str) -> Mutation:
        wider = [n for n in names if not (name == "number" and n == "integer")]
        wanted = lookalikes.get(name, [])
        if name == "number" and mask & INTEGER:
            wanted = [1.5]
        return at.weaker(
            f"type.add[{name}]",
            "type",
            at.edited(type=[*wider, name]),
            _with_fraction if written and name == "number" else only(MASKS[name] & ~mask, wanted),
            core=core,
            slug=slug,
        )

    if not mask & MASKS["null"]:
        yield widened("null", True, "null")
    if mask & NUMBER == INTEGER:
        yield widened("number", True, "fraction")
    if mask == BOOLEAN:
        yield widened("string", True, "string")
    for name in TYPES:
        done = name == "null" or name == "number" and mask & NUMBER == INTEGER or name == "string" and mask == BOOLEAN
        covered = MASKS[name] & ~mask == 0 or name == "integer" and not mask & NUMBER
        if not done and not covered:
            yield widened(name, bool(barred & MASKS[name]), name)
    if ANY & ~mask:
        natural = [value for values in lookalikes.values() for value in values]
        dropped = at.edited(type=DROP)
        yield at.weaker("type.drop", "type", dropped, only(ANY & ~mask, natural), slug="other-type", minor=True)
    if len(names) > 1:
        for name in names:
            left = [n for n in names if n != name]
            gone = type_mask(name) & ~type_mask(left)
            if gone:
                yield at.stronger(f"type.remove[{name}]", "type", at.edited(type=left), only(gone), slug=name)
    if mask & NUMBER == NUMBER:
        narrowed = ["integer" if n == "number" else n for n in names if n != "integer"]
        narrow = narrowed if isinstance(value, list) else "integer"
        yield at.stronger(
            "type.narrow[integer]", "type", at.edited(type=narrow), only(NUMBER & ~INTEGER), slug="fraction"
        )


def type_variants(at: At) -> Iterator[Mutation]:
    """What is open and has no keyword of its own to say so: closed."""
    mask = type_mask(at.value["type"])
    if mask & OBJECT and not any(k in at.value for k in ("properties", *_CLOSING)):
        patterns = at.value.get("patternProperties", {})
        extra = Forced(not_patterns=tuple(patterns))
        closed = at.edited(additionalProperties=False)
        plan = together(only(OBJECT), lambda x: x.shape.forced.append(extra))
        yield at.stronger("additionalProperties.close", "type", closed, plan, slug="extra-member")
    if mask & ARRAY and not any(k in at.value for k in ("items", "prefixItems", "unevaluatedItems")):
        closed = at.edited(items={"not": {}})
        yield at.stronger("items.close", "type", closed, _an_item, slug="an-item")
    yield from unique_on("type", at)


_CLOSING = ("additionalProperties", "unevaluatedProperties")


def _an_item(x: Expansion) -> None:
    x.shape.only(ARRAY)
    x.shape.items(low=1)


def repeated(x: Expansion) -> None:
    """An array with two equal items."""
    x.shape.only(ARRAY)
    x.shape.repeated = True
    x.shape.items(low=2)


def unique_on(keyword: str, at: At) -> Iterator[Mutation]:
    """`uniqueItems` where it is not; told of the keyword that says that there are arrays."""
    several = at.value.get("maxItems", 2) >= 2 and type_mask(at.value.get("type", "array")) & ARRAY
    if at.value.get("uniqueItems") is not True and several:
        yield at.stronger("uniqueItems.on", keyword, at.edited(uniqueItems=True), repeated, slug="duplicate")


def _with_fraction(x: Expansion) -> None:
    """The listed integers written with a fraction of zero: in draft-04 `6.0` equals `6` and is no integer."""
    x.shape.only(FRACTION)
    x.shape.values = [float(v) for v in x.shape.values or [] if mask_of(v) == INTEGER]
    x.shape.dead = x.shape.dead or not x.shape.values


def near_misses(value: Any) -> list[Any]:
    """What is easily taken for `value`: other case, a stray space, the number as text."""
    if isinstance(value, str):
        cased = [value.swapcase(), value.upper(), value.lower(), value.capitalize()]
        plain = [f"{value}x", f"{value} ", value[:-1]]
        return [v for v in [*cased, *plain] if v != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value - 1, str(value)]
    return []


def misses_of(values: Iterable[Any]) -> list[Any]:
    """The near misses of the first few of these that are none of these."""
    values = list(values)
    found: list[Any] = []
    taken = keys(values)
    for value in values[:4]:
        for miss in near_misses(value):
            if key(miss) not in taken and miss not in found:
                found.append(miss)
    return found[:12]


def bar(values: Sequence[Any], wanted: Sequence[Any] = ()) -> Alternative:
    """None of these values."""

    def narrow(x: Expansion) -> None:
        x.shape.excluded.extend(values)
        x.shape.wanted.extend(wanted)
        if x.shape.values is not None:
            barred = keys(values)
            x.shape.among([v for v in x.shape.values if key(v) not in barred])

    return narrow


def among(*values: Any) -> Alternative:
    """One of these values."""
    return lambda x: x.shape.among(values)


def accept_enum(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.among(value)


def deny_enum(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [bar(value, misses_of(value))]


def enum_mutations(at: At) -> Iterator[Mutation]:
    values = at.value["enum"]
    misses = misses_of(values)
    added = next((miss for miss in misses if _let_through(at, miss)), None)
    strings = any(isinstance(v, str) for v in values)
    if added is not None:
        yield at.weaker("enum.add", "enum", at.edited(enum=[*values, added]), among(added), slug="no-member")
    if strings and "" not in values:
        yield at.weaker(
            "enum.add[]", "enum", at.edited(enum=[*values, ""]), among(""), core=False, slug="empty"
        )  # fmt: skip
    if None not in values:
        yield at.weaker(
            "enum.add[null]", "enum", at.edited(enum=[*values, None]), among(None), core=False, slug="null"
        )  # fmt: skip
    yield at.weaker("enum.drop", "enum", at.edited(enum=DROP), bar(values, misses), slug="not-listed", minor=True)
    if len(values) > 1:
        labels = {_label(v) for v in values if not isinstance(v, str)}
        several = len(keys(values)) < len(values)
        for number, value in enumerate(values):
            left = [v for v in values if not equal(v, value)] if several else [*values[:number], *values[number + 1 :]]
            if left:
                name = f'"{value}"' if isinstance(value, str) and value in labels else _label(value)
                yield at.stronger(
                    f"enum.remove[{name}]", "enum", at.edited(enum=left), among(value), slug=_label(value)
                )  # fmt: skip


def _let_through(at: At, value: Any) -> bool:
    """Whether what is easily looked at beside an `enum` lets a value through."""
    beside = at.value
    if "type" in beside and not type_mask(beside["type"]) & mask_of(value):
        return False
    if not isinstance(value, str):
        return True
    if not beside.get("minLength", 0) <= len(value) <= beside.get("maxLength", len(value)):
        return False
    try:
        return "pattern" not in beside or re.search(beside["pattern"], value) is not None
    except re.error:
        return False


def _label(value: Any) -> str:
    from ..errors import shorten

    return value if isinstance(value, str) else shorten(value, 40)


def accept_const(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.among([value])


def deny_const(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [bar([value], near_misses(value))]


def const_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["const"]
    yield at.weaker("const.drop", "const", at.edited(const=DROP), bar([value], near_misses(value)), slug="other-value")


def const_variants(at: At) -> Iterator[Mutation]:
    value = at.value["const"]
    if "type" not in at.value:
        typed = at.edited(const=DROP, type=type_of(value))
        plan = together(bar([value], near_misses(value)), only(type_mask(type_of(value))))
        yield at.weaker("const.type", "const", typed, plan, slug="other-value")


ROWS = (
    Keyword("type", accept_type, deny_type, type_mutations, variants=type_variants),
    Keyword("enum", accept_enum, deny_enum, enum_mutations),
    Keyword("const", accept_const, deny_const, const_mutations, (6, 20), const_variants),
)
