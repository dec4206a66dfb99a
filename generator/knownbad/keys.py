"""The keys that a table of the config may hold: which, and of what type."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import Problem
from .pointers import join

Keys = Mapping[str, tuple[type, str]]
"""The type of each key's value, and how to say it: `"dialect": (str, "one of ...")`."""


def check_keys(table: Mapping[str, Any], keys: Keys, file: str, pointer: str) -> Iterator[Problem]:
    """A problem for each unknown key and each value of the wrong type."""
    for name, value in table.items():
        if name not in keys:
            near = difflib.get_close_matches(name, keys, 1)
            fix = f"`{near[0]}`?" if near else "known keys: " + ", ".join(keys)
            yield Problem(f"unknown key `{name}`", file, join(pointer, name), value, fix)
        elif not isinstance(value, keys[name][0]):
            yield Problem(f"`{name}` must be {keys[name][1]}", file, join(pointer, name), value)
