"""A catalogue as text: TOML for people, JSON where the file's name says so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
OPEN = '# retryable: true, false or "with-idempotency-key"? This is not documented where the row comes from.'
"""What stands in the place of a flag that nobody documented."""


def toml(tools: Sequence[str], rows: Sequence[Mapping[str, Any]], about: str) -> str:
    """The text of a catalogue. A row without a flag says so, and no command works until somebody decides."""
    blocks = [f"# {about}\ntools = {_value(list(tools))}\n"]
    for row in rows:
        lines = ["[[error]]", *(f"{_key(name)} = {_value(value)}" for name, value in row.items())]
        if "retryable" not in row:
            lines.append(OPEN)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def as_json(tools: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """The same as JSON, which has no place for remarks."""
    return json.dumps({"tools": list(tools), "error": list(rows)}, indent=2, ensure_ascii=False) + "\n"


def _key(name: str) -> str:
    return name if _BARE.match(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(member)}" for name, member in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # A text of JSON is one of TOML, but for the character DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
