"""A value that a tool gave as plain JSON data, and in words what is in the way where it is none."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from ..documents import MAX_DEPTH
from ..pointers import join

_BITS = 12_000
"""The largest integer, some 3,600 digits: Python writes no number of more than 4,300."""


class NotPlain(Exception):
    """The value is no JSON data that can be read and written: what is, and where."""

    def __init__(self, what: str, at: str) -> None:
        super().__init__(what + (f" at {at}" if at else ""))


def plain(value: Any, at: str = "", depth: int = 0) -> Any:
    """A value as plain JSON data: models and dataclasses taken apart, tuples as lists. Raises NotPlain."""
    if depth > MAX_DEPTH:
        raise NotPlain(f"a value that is nested deeper than {MAX_DEPTH} levels, or holds itself", "")
    kind = type(value)
    if kind is dict:
        return {_name(name, at): plain(item, join(at, name), depth + 1) for name, item in value.items()}
    if kind is str:
        return _text(value, at)
    if kind in (bool, type(None)):
        return value
    if isinstance(value, int):
        return _whole(int(value), at)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotPlain(f"{json.dumps(value)}, which is no JSON number,", at)
        return float(value)
    if isinstance(value, list | tuple):
        return [plain(item, join(at, number), depth + 1) for number, item in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return plain({name: getattr(value, name) for name in value.__dataclass_fields__}, at, depth + 1)
    if callable(dump := getattr(value, "model_dump", None)) and not isinstance(value, type):
        return plain(dump(mode="json", by_alias=True, exclude_unset=True), at, depth + 1)
    if isinstance(value, str):
        return _text(str.__str__(value), at)
    if isinstance(value, Mapping):
        return plain(dict(value), at, depth + 1)
    raise NotPlain(f"a value of the type {kind.__name__}, which is no JSON value,", at)


def _name(name: Any, at: str) -> str:
    if not isinstance(name, str):
        raise NotPlain(f"a member whose name is of the type {type(name).__name__}", at)
    return _text(str.__str__(name), at)


def _text(text: str, at: str) -> str:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X}"
            raise NotPlain(f"a text that is not Unicode (half a character, {half})", at) from None
    return text


def _whole(number: int, at: str) -> int:
    if number.bit_length() > _BITS:
        raise NotPlain(f"an integer of more than {_BITS * 3 // 10} digits", at)
    return number
