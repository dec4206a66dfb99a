"""Internals in an envelope: a stack trace, SQL, a path of the machine. None of it helps whoever reads an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .pointers import join


class Leak(NamedTuple):
    """One text that looks like an internal: what it looks like, where it stands, and the text."""

    kind: str
    location: str
    text: str


_EXTENSION = r"(?:py|pyc|rb|js|mjs|cjs|jsx|ts|tsx|java|kt|scala|go|rs|cs|vb|php|cpp|cc|c|h|swift|ex|exs|pl|lua|clj|erl)"
_KINDS: tuple[tuple[str, str], ...] = (
    (
        "a stack trace",
        (
            r"Traceback \(most recent call last\)"
            r"|\bFile \"[^\"\n]+\", line \d+"
            r"|\bat (?:async )?(?:new )?[\w$.<>\[\]]+ \((?:<anonymous>|native|node:)"
            r"|\bat\s+[\w$.<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)"
            r"|\bat\s+[\w.`<>]+\([^()\n]*\)\s+in\s+\S+:line \d+"
            r"|\bgoroutine \d+ \[[a-z ,0-9]+\]:"
            r"|\bthread '[^'\n]*'(?: \(\d+\))? panicked at\b"
            rf"|\b[\w./\\-]+\.{_EXTENSION}:\d+:in [`'\w]"
            r"|#\d+ \S+\.php\(\d+\):"
            r"|\bCaused by: [\w$.]+(?:Exception|Error)\b"
            rf"|\b[\w./\\-]+\.{_EXTENSION}:\d+(?::\d+)?\b"
        ),
    ),
    (
        "SQL",
        (
            r"(?i:\bselect\s+(?:\*|distinct\b|[\w.\"`\[\]]+(?:\s*,\s*[\w.\"`\[\]]+)*)\s+from\s+[\w.\"`\[]+(?:\s+(?:where|join|limit"
            r"|order|group|inner|left)\b|\s*;|\s*$))"
            r"|\bSELECT\s[^\n]{1,200}?\sFROM\s+\S+"
            r"|(?i:\binsert\s+into\s+[\w.\"`\[\]]+\s*(?:\(|values\b))"
            r"|(?i:\bupdate\s+[\w.\"`\[\]]+\s+set\s+[\w.\"`\[\]]+\s*=)"
            r"|(?i:\bdelete\s+from\s+[\w.\"`\[\]]+(?:\s+where\b|\s*;|\s*$))"
            r"|(?i:\b(?:drop|alter|create)\s+table\s+[\w.\"`\[]+)"
            r"|\bSQLSTATE\b|\bORA-\d{5}\b|\bpsycopg2?\.|\bsqlite3\.\w+Error\b|\bPG::\w+|\bsqlalchemy\.|\bjava\.sql\."
            r"|(?i:you have an error in your sql syntax)|(?i:violates (?:unique|foreign key|not-null|check) constraint)"
            r"|(?i:duplicate entry '[^']*' for key)|(?i:relation \"[^\"]+\" does not exist)"
        ),
    ),
    (
        "a path of the machine",
        (
            r"(?<![\w:/.])/(?:home|Users|usr|var|srv|opt|etc|tmp|root|mnt|private|proc)/[\w.@+-]+(?:/[\w.@+-]+)*"
            rf"|(?<![\w:/.])(?:/[\w.@+-]+)+\.{_EXTENSION}\b(?![/?#])"
            r"|\b[A-Za-z]:\\(?:[^\\\s\"'<>|]+\\)*[^\\\s\"'<>|]+"
            r"|\bsite-packages\b|\bnode_modules/"
            r"|\bfile:///[^\s\"']+"
        ),
    ),
    (
        "a name out of the code",
        (
            r"\b(?:[a-z_$][\w$]*\.){2,}[A-Z][\w$]*(?:Exception|Error)\b"
            r"|<[\w.]+ object at 0x[0-9a-fA-F]+>"
            r"|\b0x[0-9a-fA-F]{8,16}\b(?=.*\b(?:segfault|pointer|address)\b)"
            r"|\bNullPointerException\b|\bsegmentation fault\b"
            r"|\b(?:KeyError|TypeError|AttributeError|IndexError|NameError|ZeroDivisionError|UnboundLocalError"
            r"|RecursionError|ModuleNotFoundError|ReferenceError)\b: "
        ),
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)
_READ = 4_000
"""Characters of one text that are looked at."""
_TELLING = 4
"""Characters of a text from which on finding it again says something."""


def leaks(value: Any, known: Iterable[str] = (), location: str = "") -> Iterator[Leak]:
    """Every text in a JSON value that looks like an internal.

    What stands in one of the `known` texts (the request, the documented message) is no secret of the tool.
    """
    if isinstance(value, str):
        kind = leak_kind(_unknown(value, known))
        if kind:
            yield Leak(kind, location, value)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from leaks(member, known, join(location, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from leaks(item, known, join(location, number))


def leak_kind(text: str) -> str | None:
    """What internal a text looks like, None for none."""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(text, 0, _READ)), None)


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def _unknown(text: str, known: Iterable[str]) -> str:
    for part in known:
        if len(part) >= _TELLING:
            text = text.replace(part, " ")
    return text
