"""What the keywords of numbers and strings ask of another node."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ..formats import standing
from ..keywords.shape import STRING
from ..witness.strings import StringShape, unmatchable
from .forms import Flat, Form, highs, lows, tighter
from .need import Need

if TYPE_CHECKING:
    from .needs import Needs


def of_numbers(one: Form, flat: Flat) -> Iterator[Need]:
    value, year = flat.value, flat.sub.dialect.year
    integral = one.integral
    for bound, exclusive in lows(value, year):
        if one.low is None or tighter(rounded(bound, exclusive, integral, up=True), one.low):
            yield Need(flat, "exclusiveMinimum" if exclusive and year > 4 else "minimum")
    for bound, exclusive in highs(value, year):
        low = rounded(bound, exclusive, integral, up=False)
        if one.high is None or tighter((-low[0], low[1]), (-one.high[0], one.high[1])):
            yield Need(flat, "exclusiveMaximum" if exclusive and year > 4 else "maximum")
    if "multipleOf" in value:
        step = exact(value["multipleOf"])
        known = [exact(m) for m in one.multiples] + ([Fraction(1)] if integral else [])
        if not any((m / step).denominator == 1 for m in known):
            yield Need(flat, "multipleOf")


def rounded(bound: Any, exclusive: bool, integral: bool, up: bool) -> tuple[Any, bool]:
    if not integral:
        return bound, exclusive
    if up:
        return (floor(bound) + 1 if exclusive else ceil(bound)), False
    return (ceil(bound) - 1 if exclusive else floor(bound)), False


def exact(number: Any) -> Fraction:
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def of_strings(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    value = flat.value
    dialect = flat.sub.dialect
    if int(value.get("minLength", 0)) > one.min_length and not no_string(
        needs, one, flat, max_length=int(value["minLength"]) - 1
    ):
        yield Need(flat, "minLength")
    if (
        "maxLength" in value
        and (one.max_length is None or one.max_length > int(value["maxLength"]))
        and not no_string(needs, one, flat, min_length=int(value["maxLength"]) + 1)
    ):
        yield Need(flat, "maxLength")
    if (
        "pattern" in value
        and value["pattern"] not in one.patterns
        and not no_string(needs, one, flat, not_patterns=(value["pattern"],))
    ):
        yield Need(flat, "pattern")
    name = value.get("format")
    if isinstance(name, str) and needs.forms.joint.side(flat.sub).contract.formats:
        said = any(
            f.value.get("format") == name and standing(name, f.sub.dialect) == standing(name, dialect)
            for f in one.flats
        )
        if not said and standing(name, dialect) != "none" and not no_string(needs, one, flat, not_formats=(name,)):
            yield Need(flat, "format")


def no_string(needs: Needs, one: Form, flat: Flat, **denied: Any) -> bool:
    """Whether it is proved that no string of a form is denied."""
    low, high = one.min_length, one.max_length
    if "min_length" in denied:
        low = max(low, denied.pop("min_length"))
    if "max_length" in denied:
        high = min(high, denied["max_length"]) if high is not None else denied["max_length"]
        del denied["max_length"]
    formats = (
        tuple(
            f.value["format"]
            for f in one.flats
            if isinstance(f.value.get("format"), str) and f.sub.dialect is flat.sub.dialect
        )
        if needs.forms.joint.formats
        else ()
    )
    if not one.patterns and not formats and not (high is not None and low > high):
        return False
    return unmatchable(StringShape(low, high, tuple(one.patterns), formats=formats, dialect=flat.sub.dialect, **denied))


LISTED = 100
"""How many texts of an enum are made one pattern."""
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/-]")


def among(one: Form, values: list[Any]) -> bool:
    """Whether it is proved that every string of a form of strings is one of these values."""
    texts = [v for v in values if isinstance(v, str)]
    if one.mask & ~STRING or not one.patterns or not texts or len(texts) > LISTED:
        return False
    if not all(text.isprintable() for text in texts):
        return False
    listed = "|".join(_SPECIAL.sub(lambda match: "\\" + match[0], text) for text in texts)
    return unmatchable(StringShape(one.min_length, one.max_length, tuple(one.patterns), (f"^({listed})$",)))
