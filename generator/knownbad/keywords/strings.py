"""`minLength`, `maxLength`, `pattern`, `format`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .counts import count_rows
from .mutation import DROP, At, Mutation
from .row import Keyword
from .shape import STRING, Alternative, Expansion, Ob


def accept_pattern(x: Expansion, ob: Ob, value: Any) -> None:
    x.shape.patterns.append(value)


def unlike(pattern: str, like: str | None = None) -> Alternative:
    """Strings that do not match `pattern` (but `like`, when given)."""

    def narrow(x: Expansion) -> None:
        x.shape.only(STRING)
        x.shape.not_patterns.append(pattern)
        if like is not None:
            x.shape.patterns.append(like)

    return narrow


def deny_pattern(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [unlike(value)]


def opened(pattern: str) -> Iterator[tuple[str, str]]:
    """The pattern with an anchor taken off, by what that opens."""
    if pattern.startswith("^") and len(pattern) > 1:
        yield "open-start", pattern[1:]
    if pattern.endswith("$") and not pattern.endswith("\\$"):
        yield "open-end", pattern[:-1]


def pattern_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["pattern"]
    for name, wider in opened(value):
        yield at.weaker(f"pattern.{name}", "pattern", at.edited(pattern=wider), unlike(value, wider), slug=name)
    yield at.weaker("pattern.drop", "pattern", at.edited(pattern=DROP), unlike(value), slug="no-match", minor=True)


def accept_format(x: Expansion, ob: Ob, value: Any) -> None:
    if x.contract.formats and isinstance(value, str):
        x.shape.formats.append(value)


def malformed(value: str) -> Alternative:
    """Strings that are not of this format."""

    def narrow(x: Expansion) -> None:
        x.shape.only(STRING)
        x.shape.not_formats.append(value)

    return narrow


def deny_format(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [malformed(value)] if x.contract.formats else []


def format_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["format"]
    if at.contract.formats and isinstance(value, str):
        yield at.weaker("format.drop", "format", at.edited(format=DROP), malformed(value), slug=f"no-{value}")


def _content(keyword: str, known: str, example: str) -> Keyword:
    """`content...` asserts nothing, but to jsonschema-rs it does up to draft-07: offer what passes, claim no fault."""

    def accept(x: Expansion, ob: Ob, value: Any) -> None:
        if value == known:
            x.shape.hints.append(example)

    return Keyword(keyword, accept, lambda ob, value, x: [], years=(6, 7))


ROWS = (
    *count_rows("Length", STRING, "lengths", "characters"),
    Keyword("pattern", accept_pattern, deny_pattern, pattern_mutations),
    Keyword("format", accept_format, deny_format, format_mutations),
    _content("contentEncoding", "base64", "e30="),
    _content("contentMediaType", "application/json", "{}"),
)
