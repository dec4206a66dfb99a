r"""Regular expressions with one part widened: a class, a quantifier, `.` for `\.`.

Only parts that are read the same everywhere are touched, so that what comes out compiles wherever the pattern did.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

MOST = 5
"""How many parts of one kind are widened: what notices one of many alike mostly notices the others."""
LARGEST = 1_000
"""Counts from which on a quantifier is left alone: machines of that size may not compile."""
_ESCAPE = re.compile(r"\\(?:u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}|x\{[0-9a-fA-F]+\}|k<\w+>|.)", re.DOTALL)
_GROUP = re.compile(r"\(\?(?:P?<[A-Za-z_]\w*>|<?[=!]|[a-z-]*:)?")
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_CLASS = re.compile(r"\[(\^?)((?:\\.|[^\]\\])+)\]", re.DOTALL)
_DIGITS, _LOWER, _UPPER = ("0-9", "\\d"), ("a-z",), ("A-Z",)


class Widened(NamedTuple):
    """A pattern of which one part is wider, and what was done to which part."""

    name: str
    pattern: str


class _Token(NamedTuple):
    kind: str
    start: int
    text: str


def _tokens(pattern: str) -> Iterator[_Token]:
    at = 0
    while at < len(pattern):
        kind, text = "other", pattern[at]
        for sign, name, known in (
            ("\\", "escape", _ESCAPE), ("(", "group", _GROUP), ("{", "count", _COUNT), ("[", "class", _CLASS)
        ):  # fmt: skip
            if text == sign and (found := known.match(pattern, at)):
                kind, text = name, found[0]
                break
        else:
            if text in "*+?":
                kind = "count"
            elif text == "[":
                return  # an empty class, or one that does not end: what follows is not read
        yield _Token(kind, at, text)
        at += len(text)
        if kind == "count" and pattern[at : at + 1] == "?":
            at += 1  # a lazy quantifier


def _wider_class(text: str) -> str | None:
    """A class with the next kind of characters in it."""
    found = _CLASS.fullmatch(text)
    assert found is not None
    negated, inside = found.groups()
    if any(sign in inside for sign in ("[", "&&", "--", "~~", "||")):
        return None  # sets of sets to some
    if negated:
        return "[\\s\\S]"
    digits, lower, upper = (any(part in inside for part in parts) for parts in (_DIGITS, _LOWER, _UPPER))
    word = "\\w" in inside
    if lower != upper and not word:
        more = "A-Z" if lower else "a-z"
    elif digits and not lower and not word:
        more = "a-z"
    elif lower and not digits and not word:
        more = "0-9"
    elif not word and "_" not in inside:
        more = "_"
    else:
        more = next((sign for sign in " .:" if sign not in inside), "")
    # In front, where it cannot become part of a range.
    inside = f"\\{inside}" if inside.startswith("-") else inside
    return f"[{more}{inside}]" if more else None


def _wider_counts(text: str) -> Iterator[tuple[str, str]]:
    """A quantifier with one fewer and with one more."""
    if text in "*+?":
        if text != "*":
            yield "fewer" if text == "+" else "more", "*"
        return
    found = _COUNT.fullmatch(text)
    assert found is not None
    least, comma, most = int(found[1]), found[2], found[3]
    high = least if not comma else int(most) if most else None
    if max(least, high or 0) >= LARGEST:
        return
    if least:
        yield "fewer", f"{{{least - 1},{'' if high is None else high}}}"
    if high is not None:
        yield "more", f"{{{least},{high + 1}}}"


def _parts(pattern: str) -> Iterator[tuple[str, _Token, str]]:
    for token in _tokens(pattern):
        if token.kind == "class":
            wider = _wider_class(token.text)
            if wider is not None:
                yield "class", token, wider
        elif token.text in ("\\d", "\\w"):
            yield "class", token, "\\w" if token.text == "\\d" else "[ \\w]"
        elif token.text == "\\.":
            yield "dot", token, "."
        elif token.kind == "count" and token.start:
            for name, wider in _wider_counts(token.text):
                yield name, token, wider


def widened(pattern: str) -> Iterator[Widened]:
    """The pattern with each of its first parts widened in turn."""
    counts: dict[str, int] = {}
    for kind, token, wider in _parts(pattern):
        number = counts[kind] = counts.get(kind, -1) + 1
        made = pattern[: token.start] + wider + pattern[token.start + len(token.text) :]
        if number < MOST and (_compiles(made) or not _compiles(pattern)):
            yield Widened(f"{kind}[{number}]", made)


def _compiles(pattern: str) -> bool:
    """Whether Python takes it; where it does not take the original either, that says nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
