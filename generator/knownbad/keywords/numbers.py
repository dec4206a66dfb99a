"""`minimum`, `maximum`, their exclusive forms (both dialects of them), `multipleOf`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeGuard

from .general import type_mask
from .mutation import DROP, At, Mutation, together
from .row import Keyword
from .shape import INTEGER, NUMBER, Alternative, Expansion, Ob


def is_number(value: Any) -> TypeGuard[int | float]:
    """A JSON number (booleans are none)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value: Decimal) -> int | float:
    """A Decimal as a JSON number: an integer where it is one."""
    return int(value) if value == value.to_integral_value() else float(value)


def decimal_step(value: Any, integers: bool) -> Decimal:
    """One step next to a bound: 1 for integers, else one in the bound's last decimal place (a tenth at least)."""
    if integers:
        return Decimal(1)
    if abs(value) >= 2**20:  # beyond, a tenth may be lost in the nearest double
        return Decimal(2) ** max(0, int(abs(value)).bit_length() - 53)
    exponent = Decimal(str(value)).normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(int(exponent), -1)) if int(exponent) >= -12 else Decimal(1)


def bound_step(at: At, value: Any) -> Decimal:
    """How far a bound is moved: to the next multiple where `multipleOf` is beside it, else by one `decimal_step`."""
    factor = at.value.get("multipleOf")
    if is_number(factor) and _integers(at):
        return Decimal(Decimal(str(factor)).as_integer_ratio()[0])
    if is_number(factor) and abs(value) < 2**20:
        return Decimal(str(factor))
    # Where no `type` stands beside it, one elsewhere may let integers through only, which a fraction would not show.
    return decimal_step(value, _integers(at) or "type" not in at.value and value == int(value))


@dataclass(frozen=True, slots=True)
class Bound:
    """A row of the table of bounds: `sign` is -1 for lower bounds."""

    name: str
    sign: int
    exclusive: bool
    partner: str
    """Draft-04's boolean twin."""


BOUNDS = (
    Bound("minimum", -1, False, "exclusiveMinimum"),
    Bound("maximum", 1, False, "exclusiveMaximum"),
    Bound("exclusiveMinimum", -1, True, ""),
    Bound("exclusiveMaximum", 1, True, ""),
)


def bounded(sign: int, value: Any, exclusive: bool, wanted: Sequence[Any] = ()) -> Alternative:
    """Only numbers on one side of a value: `sign` 1 below it, -1 above it."""

    def narrow(x: Expansion) -> None:
        x.shape.only(NUMBER)
        (x.shape.highs if sign > 0 else x.shape.lows).append((value, exclusive))
        x.shape.wanted.extend(wanted)

    return narrow


def _integers(at: At) -> bool:
    """Whether `type` beside the keyword lets no fraction through."""
    return "type" in at.value and not type_mask(at.value["type"]) & NUMBER & ~INTEGER


def _row(bound: Bound) -> Keyword:
    def strict(ob: Ob) -> bool:
        partner = ob.sub.value.get(bound.partner) if isinstance(ob.sub.value, dict) else None
        return bound.exclusive or partner is True

    def accept(x: Expansion, ob: Ob, value: Any) -> None:
        if is_number(value):
            (x.shape.highs if bound.sign > 0 else x.shape.lows).append((value, strict(ob)))

    def deny(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
        return [bounded(-bound.sign, value, not strict(ob))] if is_number(value) else []

    def mutations(at: At) -> Iterator[Mutation]:
        value = at.value[bound.name]
        if not is_number(value):
            if at.sub.dialect.year == 4 and value is True:
                yield from _draft4_exclusive(at, bound)
            return
        step = bound_step(at, value)
        exact = Decimal(str(value))
        partner = bound.partner if at.sub.dialect.year == 4 else ""
        paired = bool(partner) and at.value.get(partner) is True
        exclusive = bound.exclusive or paired
        outside, moved = plain(exact + bound.sign * step), plain(exact - bound.sign * step)
        out, into = ("raise", "lower") if bound.sign > 0 else ("lower", "raise")
        aside = (bound.name, partner) if partner else None
        changes: dict[str, Any] = {bound.name: DROP}
        if partner:
            changes[partner] = DROP
        nearest = [value if exclusive else outside]
        beyond = bounded(-bound.sign, value, not exclusive, nearest)
        yield at.weaker(
            f"{bound.name}.{out}", bound.name, at.edited(**{bound.name: outside}),
            together(bounded(bound.sign, outside, exclusive), beyond), aside=aside, slug="outside", minor=paired,
        )  # fmt: skip
        # What draft-04's partner excludes is the partner's to show, so that a fixture of its own is further out.
        beyond = bounded(-bound.sign, value, not exclusive, [outside]) if paired else beyond
        yield at.weaker(
            f"{bound.name}.drop", bound.name, at.edited(**changes), beyond, aside=aside, slug="far-outside",
            minor=not paired,
        )  # fmt: skip
        inside = moved if exclusive else value
        yield at.stronger(
            f"{bound.name}.{into}",
            bound.name,
            at.edited(**{bound.name: moved}),
            lazy=lambda: [_exactly(inside), bounded(-bound.sign, moved, not exclusive)],
            slug="boundary",
        )

    def variants(at: At) -> Iterator[Mutation]:
        value, year = at.value[bound.name], at.sub.dialect.year
        twin = _TWINS[bound.name]
        if not is_number(value):
            if year == 4 and value is False and is_number(at.value.get(twin)):
                edge = at.edited(**{bound.name: True})
                yield at.stronger(f"{twin}.exclude", twin, edge, _exactly(at.value[twin]), slug="boundary")
        elif year == 4 and bound.partner not in at.value:
            edge = at.edited(**{bound.partner: True})
            yield at.stronger(f"{bound.name}.exclude", bound.name, edge, _exactly(value), slug="boundary")
        elif year > 4 and twin not in at.value:
            edge = at.edited(**{bound.name: DROP, twin: value})
            if bound.exclusive:
                yield at.weaker(f"{bound.name}.include", bound.name, edge, _exactly(value), slug="boundary")
            else:
                yield at.stronger(f"{bound.name}.exclude", bound.name, edge, _exactly(value), slug="boundary")

    return Keyword(bound.name, accept, deny, mutations, (4, 20), variants)


_TWINS = {
    "minimum": "exclusiveMinimum", "exclusiveMinimum": "minimum",
    "maximum": "exclusiveMaximum", "exclusiveMaximum": "maximum",
}  # fmt: skip


def _draft4_exclusive(at: At, bound: Bound) -> Iterator[Mutation]:
    base = "minimum" if bound.sign < 0 else "maximum"
    value = at.value.get(base)
    if is_number(value):
        yield at.weaker(
            f"{bound.name}.include", bound.name, at.edited(**{bound.name: DROP}), _exactly(value),
            aside=(base,), slug="boundary",
        )  # fmt: skip


def _exactly(value: int | float) -> Alternative:
    def narrow(x: Expansion) -> None:
        x.shape.only(NUMBER)
        x.shape.among([value])

    return narrow


def accept_multiple(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.multiples.append(value)


def _no_multiple(value: Any, wanted: Sequence[Any] = ()) -> Alternative:
    def narrow(x: Expansion) -> None:
        x.shape.only(NUMBER)
        x.shape.not_multiples.append(value)
        x.shape.wanted.extend(wanted)

    return narrow


def deny_multiple(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [_no_multiple(value)]


def multiple_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["multipleOf"]
    exact = Decimal(str(value))
    wanted = [plain(exact + 1), plain(exact * Decimal("1.5")), plain(exact / 2)]
    dropped = at.edited(multipleOf=DROP)
    yield at.weaker("multipleOf.drop", "multipleOf", dropped, _no_multiple(value, wanted), slug="no-multiple")
    if _integers(at) and exact.as_integer_ratio()[0] == (exact * 2).as_integer_ratio()[0]:
        return  # the same integers are multiples of both
    double = plain(exact * 2)
    yield at.stronger(
        "multipleOf.times[2]", "multipleOf", at.edited(multipleOf=double), _no_multiple(double), slug="odd-multiple"
    )


def multiple_variants(at: At) -> Iterator[Mutation]:
    """A divisor of the factor: by its smallest prime, by two where it is no integer."""
    exact = Decimal(str(at.value["multipleOf"]))
    whole = exact == exact.to_integral_value() and exact > 1
    prime = next((n for n in range(2, 100) if exact % n == 0), int(exact)) if whole else 2
    divided = plain(exact / prime)
    if _integers(at) and not whole or divided <= 0:
        return  # no other integers are multiples of the half

    def narrow(x: Expansion) -> None:
        _no_multiple(at.value["multipleOf"], [divided])(x)
        x.shape.multiples.append(divided)

    divided_at = at.edited(multipleOf=divided)
    yield at.weaker(f"multipleOf.divide[{prime}]", "multipleOf", divided_at, narrow, slug="part-of-a-multiple")


ROWS = (
    *map(_row, BOUNDS),
    Keyword("multipleOf", accept_multiple, deny_multiple, multiple_mutations, variants=multiple_variants),
)
