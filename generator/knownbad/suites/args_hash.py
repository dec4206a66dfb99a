"""The hash of a call's arguments, as tool hooks log it: SHA-256 over the canonical JSON of RFC 8785.

It tells whether two calls had the same arguments, and not which.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from .suite import ANY, EXACT, Task


def args_hash(args: Any) -> str:
    """The hash of arguments: 64 small hexadecimal digits."""
    return hashlib.sha256(canonical(args).encode("utf-8", "surrogatepass")).hexdigest()


class ByHash:
    """The arguments of calls to a task's tools, as far as their hashes tell them."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._tools: dict[str, dict[str, Mapping[str, Any]] | None] = {}

    def args(self, tool: str, logged: object) -> Mapping[str, Any] | None:
        """Arguments that match as those with this hash do. None where nobody can say what matches: without a hash, or
        where a subset is asked for, which does not show in it.
        """
        if tool not in self._tools:
            self._tools[tool] = self._known(tool)
        known = self._tools[tool]
        if known is not None and not known:
            return known  # whatever was asked, no recorded call looks at it
        if known is None or not isinstance(logged, str):
            return None
        return known.get(plain(logged), {"": logged})

    def _known(self, tool: str) -> dict[str, Mapping[str, Any]] | None:
        entries = [entry for entry in self._task.responses if entry.tool == tool and entry.match != ANY]
        if any(entry.match != EXACT and entry.args for entry in entries):
            return None
        return {args_hash(entry.args): entry.args for entry in entries}


def plain(logged: str) -> str:
    """A hash as `args_hash` gives it, however it is spelt on a log."""
    return logged.removeprefix("sha256:").lower()


def contradicts(logged: object, args: Any) -> bool:
    """Whether a hash on a log is one, and not that of these arguments."""
    if not isinstance(logged, str) or not _HASH.fullmatch(plain(logged)):
        return False
    return plain(logged) != args_hash(dict(args))


_HASH = re.compile(r"[0-9a-f]{64}")


def canonical(value: Any) -> str:
    """The canonical JSON of a value (RFC 8785): sorted by UTF-16, numbers as ECMAScript writes them."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_text(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        try:
            return _number(float(value))
        except OverflowError:  # larger than a double: no such number has a canonical form
            return str(value)
    return _text(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(number: float) -> str:
    """A double as ECMAScript writes it: digits alone from 1e-6 up to 1e21."""
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}e0".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent.partition("e")[0])  # digits before the decimal point
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else ''}{point - 1}"
