"""A credential that was found once is masked everywhere: what a project's masking takes out at one place may stand,

under no telling name, at another one too.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, quote_plus

from ..masking import MASK, Masked, Masking, Suspect
from ..pointers import join, steps

LONG = 6
"""Characters from which on a credential is looked for inside words. A shorter one is masked as a word."""
_SHORTEST = 3


class Secrets:
    """The masking of a project, and the credentials that it finds in some values."""

    def __init__(self, masking: Masking, values: Iterable[Any]) -> None:
        self.masking = masking
        found = {text for value in values for text in _hidden(value, masking.mask(value).value)}
        found = {text for text in found if len(text) >= _SHORTEST}
        spelt = {form for text in found for form in _spellings(text)}
        self._long = _any(text for text in spelt if len(text) >= LONG)
        self._short = _any((text for text in spelt if len(text) < LONG), r"(?<!\w)(?:", r")(?!\w)")
        self._texts = found

    def mask(self, value: Any) -> Masked:
        """The value without any of the credentials, wherever they stand."""
        first = self.masking.mask(value)
        more: list[Suspect] = []
        return Masked(self._walk(first.value, "", more), (*first.masked, *more))

    def name(self, text: str) -> bool:
        """Whether a name holds a credential. A short one that is part of a name is taken for a word."""
        return self.masking.text(text) != text or self._long is not None and self._long.search(text) is not None

    def place(self, location: str) -> str:
        """A pointer for a report: what is a credential in it, or looks like one, is masked."""
        return join("", *map(self._step, steps(location)))

    def text(self, text: str) -> str:
        """A text for a report."""
        return self._put(self.masking.text(text))

    def _step(self, step: str) -> str:
        return MASK if self.masking.suspects({step: None}) else self.text(step)

    def _walk(self, value: Any, at: str, found: list[Suspect]) -> Any:
        if isinstance(value, dict):
            return {self._text(n, at, found): self._walk(v, join(at, n), found) for n, v in value.items()}
        if isinstance(value, list):
            return [self._walk(item, join(at, n), found) for n, item in enumerate(value)]
        if isinstance(value, str):
            return self._text(value, at, found)
        if isinstance(value, int | float) and not isinstance(value, bool) and json.dumps(value) in self._texts:
            found.append(Suspect(at, "masked elsewhere"))
            return 0
        return value

    def _text(self, text: str, at: str, found: list[Suspect]) -> str:
        put = self._put(text)
        if put != text:
            found.append(Suspect(at, "masked elsewhere"))
        return put

    def _put(self, text: str) -> str:
        for pattern in (self._long, self._short):
            text = text if pattern is None else pattern.sub(MASK, text)
        return text


def _hidden(value: Any, masked: Any) -> Iterator[str]:
    """What stands in a value where the masked one has a mask."""
    if isinstance(value, dict) and isinstance(masked, dict):
        if len(value) == len(masked):  # else two names became one
            for (name, item), (put, rest) in zip(value.items(), masked.items(), strict=True):
                yield from _hidden(name, put)
                yield from _hidden(item, rest)
    elif isinstance(value, list) and isinstance(masked, list):
        for item, rest in zip(value, masked, strict=False):
            yield from _hidden(item, rest)
    elif isinstance(value, str) and isinstance(masked, str):
        yield from _cut_out(value, masked)
    elif value != masked and isinstance(value, int | float):
        yield json.dumps(value)


def _cut_out(text: str, masked: str) -> Iterator[str]:
    if text == masked:
        return
    pieces = masked.split(MASK)
    pattern = "(.+?)".join(map(re.escape, pieces))
    if (match := re.fullmatch(pattern, text, re.DOTALL)) is not None:
        yield from match.groups()
        return
    try:  # a text that holds JSON, which is written anew
        yield from _hidden(json.loads(text), json.loads(masked))
    except (ValueError, RecursionError):
        return


def _spellings(text: str) -> Iterator[str]:
    """A text as it stands in other texts: in JSON, in an address, in base64."""
    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield quote(text, safe="")
    yield quote_plus(text)
    if len(text) >= LONG:
        yield b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def _any(texts: Iterable[str], before: str = "", after: str = "") -> re.Pattern[str] | None:
    found = sorted(set(texts) - {MASK, ""}, key=lambda text: (-len(text), text))
    return re.compile(before + "|".join(map(re.escape, found)) + after) if found else None
