"""Whether a text repeats something of what a tool answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..values import equal

TELLING = 8
"""Characters from which on a text that stands in two places is no accident."""


def echoes(message: str, response: Any) -> str | None:
    """The part of a response that a message repeats; None where it repeats nothing telling."""
    said = message.strip()
    if isinstance(response, dict | list) and any(equal(value, response) for value in _documents(said)):
        return said
    for text in _texts(response):
        text = text.strip()
        if not text:
            continue
        if said == text or len(text) >= TELLING and text in said or len(said) >= TELLING and said in text:
            return text
    return None


def _documents(text: str) -> Iterator[Any]:
    """The objects and arrays that stand in a text as JSON, but for empty ones."""
    at = 0
    decoder = json.JSONDecoder()
    while (found := re.compile(r"[{[]").search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            at = found.end()
            continue
        if value:
            yield value


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, and in the JSON that a text holds."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name not in ("type", "mimeType"):
                yield from _texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
        if value.lstrip()[:1] in ("{", "["):
            try:
                inside = json.loads(value)
            except (ValueError, RecursionError):
                return
            yield from _texts(inside)
