"""`minLength`, `maxLength`, `pattern`, `format`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .counts import count_rows
from .mutation import DROP, At, Mutation, together
from .row import Keyword
from .shape import STRING, Alternative, Expansion, Ob
from .widening import widened


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


def pattern_variants(at: At) -> Iterator[Mutation]:
    value = at.value["pattern"]
    for name, wider in widened(value):
        yield at.weaker(f"pattern.{name}", "pattern", at.edited(pattern=wider), unlike(value, wider), slug=name)
    for name, narrower in anchored(value):
        yield at.stronger(
            f"pattern.{name}", "pattern", at.edited(pattern=narrower), unlike(narrower, value), slug=name
        )  # fmt: skip


def anchored(pattern: str) -> Iterator[tuple[str, str]]:
    """The pattern with an anchor more, by what that closes; alternatives are left alone."""
    if "|" in pattern or not pattern:
        return
    if not pattern.startswith("^"):
        yield "close-start", f"^{pattern}"
    if not pattern.endswith("$") or pattern.endswith("\\$"):
        yield "close-end", f"{pattern}$"


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


_WIDER = {
    # Each format: what every string of it is as well. To jsonschema `email` and `idn-email` are one.
    "hostname": ("idn-hostname",),
    "uri": ("uri-reference", "iri"),
    "uri-reference": ("iri-reference",),
    "iri": ("iri-reference",),
}
_NEIGHBOURS = {
    "date": "date-time", "date-time": "date", "uri": "uri-reference", "uri-reference": "uri", "ipv4": "ipv6",
    "ipv6": "ipv4",
}  # fmt: skip
_SINCE = {"date": 7, "uri-reference": 6, "iri": 7, "iri-reference": 7, "idn-hostname": 7}
"""The first dialects in which both validators assert these formats; the others of the tables above are in all."""


def format_variants(at: At) -> Iterator[Mutation]:
    value, year = at.value["format"], at.sub.dialect.year

    def known(name: str) -> bool:
        return _SINCE.get(name, 4) <= year

    if not at.contract.formats or not isinstance(value, str) or not known(value):
        return
    for wider in filter(known, _WIDER.get(value, ())):
        plan = together(malformed(value), _formed(wider))
        yield at.weaker(
            f"format.widen[{wider}]", "format", at.edited(format=wider), plan, slug=f"no-{value}"
        )  # fmt: skip
    for narrower in (name for name, all_wider in _WIDER.items() if value in all_wider and known(name)):
        yield at.stronger(
            f"format.narrow[{narrower}]", "format", at.edited(format=narrower), malformed(narrower),
            slug=f"no-{narrower}",
        )  # fmt: skip
    neighbour = _NEIGHBOURS.get(value)
    if neighbour is not None and known(neighbour):
        yield at.replaced(f"format.to[{neighbour}]", "format", at.edited(format=neighbour))


def _formed(name: str) -> Alternative:
    return lambda x: x.shape.formats.append(name)


def _content(keyword: str, known: str, example: str) -> Keyword:
    """`content...` asserts nothing, but to jsonschema-rs it does up to draft-07: offer what passes, claim no fault."""

    def accept(x: Expansion, ob: Ob, value: Any) -> None:
        if value == known:
            x.shape.hints.append(example)

    return Keyword(keyword, accept, lambda ob, value, x: [], years=(6, 7))


ROWS = (
    *count_rows("Length", STRING, "lengths", "characters"),
    Keyword("pattern", accept_pattern, deny_pattern, pattern_mutations, variants=pattern_variants),
    Keyword("format", accept_format, deny_format, format_mutations, variants=format_variants),
    _content("contentEncoding", "base64", "e30="),
    _content("contentMediaType", "application/json", "{}"),
)
