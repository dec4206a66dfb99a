"""Strings of a shape: what `strings` makes, less what the shape bars, and more where many different ones are wanted."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ..dialects import Dialect
from ..keywords.shape import Shape
from .chooser import Chooser
from .strings import StringShape, satisfies, strings


def string_shape(shape: Shape, dialect: Dialect) -> StringShape:
    """What a shape asks of a string."""
    return StringShape(
        min_length=shape.min_length,
        max_length=shape.max_length,
        patterns=tuple(dict.fromkeys(shape.patterns)),
        not_patterns=tuple(dict.fromkeys(shape.not_patterns)),
        formats=tuple(dict.fromkeys(shape.formats)),
        not_formats=tuple(dict.fromkeys(shape.not_formats)),
        dialect=dialect,
    )


def text_fits(shape: Shape, value: str, dialect: Dialect) -> bool:
    """Whether a string meets the shape's patterns and formats."""
    if not (shape.patterns or shape.not_patterns or shape.formats or shape.not_formats):
        return True
    return satisfies(string_shape(shape, dialect), value)


def texts(shape: Shape, chooser: Chooser, dialect: Dialect, avoid: frozenset[Hashable]) -> Iterator[str]:
    """Strings of this shape, simplest first."""
    wanted = string_shape(shape, dialect)
    last = None
    for text in strings(wanted, chooser):
        last = text if last is None or text else last
        if text not in avoid:
            yield text
    if last is not None and (avoid or shape.excluded):
        for number in range(1, 2000):
            tail = str(number)
            longer = shape.max_length is None or len(last) + len(tail) <= shape.max_length
            text = last + tail if longer else last[: max(0, len(last) - len(tail))] + tail
            if text not in avoid and satisfies(wanted, text):
                yield text
