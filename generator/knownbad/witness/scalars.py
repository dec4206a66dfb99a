"""Numbers of a shape, and whether a value fits a shape by itself (its members and items aside)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from math import lcm
from typing import Any

from ..keywords.shape import FRACTION, INTEGER, NUMBER, Shape, mask_of
from ..values import equal
from .chooser import Chooser


def decimal(value: Any) -> Decimal:
    """A JSON number, exactly as written."""
    return Decimal(str(value))


def fits(shape: Shape, value: Any) -> bool:
    """Whether `value` meets what the shape asks of the value itself. Members and items are not looked at."""
    mask = mask_of(value)
    if not mask & shape.types or any(equal(value, barred) for barred in shape.excluded):
        return False
    if mask & NUMBER:
        return _number_fits(shape, decimal(value))
    if isinstance(value, str):
        return shape.min_length <= len(value) and (shape.max_length is None or len(value) <= shape.max_length)
    if isinstance(value, list):
        return shape.min_items <= len(value) and (shape.max_items is None or len(value) <= shape.max_items)
    if isinstance(value, dict):
        if shape.required.keys() - value.keys() or shape.forbidden & value.keys():
            return False
        return shape.min_properties <= len(value) and (
            shape.max_properties is None or len(value) <= shape.max_properties
        )
    return True


def _number_fits(shape: Shape, value: Decimal) -> bool:
    for low, exclusive in shape.lows:
        if value < decimal(low) or exclusive and value == decimal(low):
            return False
    for high, exclusive in shape.highs:
        if value > decimal(high) or exclusive and value == decimal(high):
            return False
    try:
        if any(value % decimal(m) != 0 for m in shape.multiples):
            return False
        return not any(value % decimal(m) == 0 for m in shape.not_multiples)
    except InvalidOperation:
        return False


def numbers(shape: Shape, chooser: Chooser) -> Iterator[int | float]:
    """Numbers of this shape, simplest first; a handful."""
    for value in _candidates(shape, chooser):
        if _number_fits(shape, value):
            number = int(value) if value == value.to_integral_value() else float(value)
            if fits(shape, number):
                yield number


def _candidates(shape: Shape, chooser: Chooser) -> Iterator[Decimal]:
    low = max((decimal(b) for b, _ in shape.lows), default=None)
    high = min((decimal(b) for b, _ in shape.highs), default=None)
    step = _step(shape)
    if not chooser.minimal:
        yield from _varied(shape, low, high, step, chooser)
    if shape.types & INTEGER or shape.types & FRACTION == 0:
        whole = step if step == step.to_integral_value() else _whole_step(shape)
        for start in _starts(low, high):
            base = (start / whole).to_integral_value(rounding="ROUND_FLOOR") * whole
            for offset in (0, 1, 2, -1, -2, 3, 5, 7, -3, 10):
                yield base + offset * whole
        span = range(-3, 40)
        anchor = low if low is not None else high if high is not None else Decimal(0)
        sign = -1 if low is None and high is not None else 1
        base = (anchor / whole).to_integral_value(rounding="ROUND_FLOOR") * whole
        yield from (base + sign * i * whole for i in span)
    if shape.types & FRACTION:
        if shape.multiples:
            for start in _starts(low, high):
                base = (start / step).to_integral_value(rounding="ROUND_FLOOR") * step
                yield from (base + i * step for i in (0, 1, -1, 2, -2, 3, 5, 7, -3))
        for start in _starts(low, high):
            for part in ("0.5", "-0.5", "1.5", "0.1", "-0.1", "0.25", "0.01", "-0.01"):
                yield start + Decimal(part)
        if low is not None and high is not None:
            yield (low + high) / 2
            yield low + (high - low) / 3
            yield from (low, high)


def _starts(low: Decimal | None, high: Decimal | None) -> list[Decimal]:
    """Where to look first: one and zero when they are within, else the bounds."""
    within = [Decimal(v) for v in (1, 0) if (low is None or v >= low) and (high is None or v <= high)]
    return [*within, *(b for b in (low, high) if b is not None)] or [Decimal(0)]


def _varied(
    shape: Shape, low: Decimal | None, high: Decimal | None, step: Decimal, chooser: Chooser
) -> Iterator[Decimal]:
    if low is None and high is None:  # from zero in both directions
        drawn = chooser.integer(0, 2000)
        whole = step * (-(drawn // 2) if drawn % 2 == 0 else drawn // 2 + 1)
    else:
        start = low if low is not None else high if high is not None else Decimal(0)
        sign = 1 if low is not None else -1
        reach = 1000
        if low is not None and high is not None:
            reach = max(0, min(10**6, int((high - low) / step)))
        base = (start / step).to_integral_value(rounding="ROUND_CEILING" if sign > 0 else "ROUND_FLOOR") * step
        whole = base + sign * step * chooser.integer(0, reach)
    yield whole
    if shape.types & FRACTION and not shape.multiples:
        part = Decimal(chooser.integer(1, 15)) / 16  # a binary fraction: every validator holds it exactly
        yield low + (high - low) * part if low is not None and high is not None and high - low < 1 else whole + part
        yield whole - part


def _step(shape: Shape) -> Decimal:
    """A number that all multiples of the shape divide."""
    steps = [decimal(m) for m in shape.multiples]
    if not steps:
        return Decimal(1)
    places = max(0, *(-int(s.normalize().as_tuple().exponent) for s in steps))
    scale = Decimal(10) ** min(places, 15)
    return Decimal(lcm(*(max(1, int(s * scale)) for s in steps))) / scale


def _whole_step(shape: Shape) -> Decimal:
    step = _step(shape)
    numerator, _ = step.as_integer_ratio()
    return Decimal(max(1, numerator))
