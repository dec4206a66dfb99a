"""Rules about strings: formats that nobody asserts, and patterns that are not tied to both ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from .. import openapi
from ..codes.lint import UNANCHORED, UNKNOWN_FORMAT
from ..contract import Subschema
from ..finding import Level
from ..formats import FORMATS
from ..witness.chooser import Minimal
from ..witness.regex import compiles, matches, parsed
from ..witness.strings import StringShape, strings
from .look import Look, Spotted, said, shown, table

_STANDARD: dict[str, int] = {
    **{name: row.one for name, row in FORMATS.items()},
    "duration": 19, "uuid": 19, "regex": 4, "idn-email": 7, "idn-hostname": 7, "iri": 7, "iri-reference": 7,
}  # fmt: skip
_OPENAPI = frozenset(("int32", "int64", "float", "double", "byte", "binary", "password", "char", "media-range"))
_INTEGERS = re.compile(r"u?int(8|16|32|64|128)?|usize|isize|f32|f64|decimal")
"""What code generators say of the width of a number."""
_OLDER = {
    "host-name": "hostname", "ip-address": "ipv4", "color": None, "phone": None, "style": None, "utc-millisec": None,
}  # fmt: skip
_SLIPS = {
    "datetime": "date-time", "timestamp": "date-time", "url": "uri", "uri-ref": "uri-reference", "guid": "uuid",
    "mail": "email", "e-mail": "email", "ip": "ipv4", "ipv4-address": "ipv4", "ipv6-address": "ipv6",
    "domain": "hostname", "regexp": "regex", "jsonpointer": "json-pointer", "iso8601": "date-time",
    "iso-8601": "date-time", "date_time": "date-time", "date time": "date-time", "rfc3339": "date-time",
}  # fmt: skip


def unknown_format(look: Look) -> Iterator[Spotted]:
    """Formats that no dialect has, and those that only a later one has."""
    for sub in look.objects:
        name = said(sub).get("format")
        if not isinstance(name, str) or name.startswith("x-"):
            continue
        since = _STANDARD.get(name)
        if since is not None and since <= sub.dialect.year:
            continue
        if name in _OPENAPI and (openapi.version(sub.document.value) is not None or not sub.document.whole):
            continue
        yield _unknown(look, sub, name, since)


def _unknown(look: Look, sub: Subschema, name: str, since: int | None) -> Spotted:
    if since is not None:
        from ..dialects import DIALECTS

        newer = next(d.name for d in DIALECTS if d.year >= since)
        message = f"the format {shown(name)} is of {newer} and later: in {sub.dialect.name} nothing asserts it"
        fix: str | None = f"declare {newer}, or say it with `pattern`"
    else:
        meant = _meant(name, sub)
        message = f"the format {shown(name)} is none of {sub.dialect.name}: nothing asserts it"
        fix = f"{shown(meant)}?" if meant else "say it with `pattern` if it is meant as a rule"
    tool = name in _OPENAPI or since is not None or _INTEGERS.fullmatch(name) is not None
    return look.spotted(
        UNKNOWN_FORMAT, sub, message, "format", subject=name, fix=fix, level=Level.NOTE if tool else None
    )


def _meant(name: str, sub: Subschema) -> str | None:
    known = [n for n, since in _STANDARD.items() if since <= sub.dialect.year]
    low = name.strip().lower()
    guess = low if low in known else _SLIPS.get(low) or _OLDER.get(low)
    if guess in known:
        return guess
    near = get_close_matches(low, known, 1, 0.8) if len(low) > 4 else []
    return near[0] if near else None


# ---- anchors


def unanchored_pattern(look: Look) -> Iterator[Spotted]:
    """Patterns that are tied to one end or none, although what they say of that end reads as if it were the end."""
    for sub in look.objects:
        value = said(sub)
        if isinstance(value.get("pattern"), str):
            yield from _unanchored(look, sub, value["pattern"], ("pattern",))
        for pattern in table(value, "patternProperties"):
            yield from _unanchored(look, sub, pattern, ("patternProperties", pattern))


def _unanchored(look: Look, sub: Subschema, pattern: str, place: tuple[str, ...]) -> Iterator[Spotted]:
    open_ends, accident = _open_ends(pattern)
    witness = _beside(sub, pattern, open_ends, named=len(place) > 1) if open_ends else None
    if witness is None:
        return
    start, end, branch = ("start" in open_ends, "end" in open_ends, "branch" in open_ends)
    where = "both ends are open" if start and end else f"its {open_ends[0]} is open"
    if branch:
        where = "its anchors bind only one of the alternatives each"
    text = "name" if len(place) > 1 else "text"
    yield look.spotted(
        UNANCHORED,
        sub,
        f"the pattern is found anywhere in a {text}: {where}",
        *place,
        witness=witness,
        fix=_anchored(pattern, start, end, branch),
        level=None if accident else Level.NOTE,
    )


def _anchored(pattern: str, start: bool, end: bool, branch: bool) -> str:
    if branch:
        bare = pattern.removeprefix("^").removesuffix("$")
        return f"^({bare})$ if the whole text is meant"
    body = f"({pattern})" if start and end and "|" in pattern else pattern
    return f"{'^' if start else ''}{body}{'$' if end else ''} if the whole text is meant"


def _open_ends(pattern: str) -> tuple[list[str], bool]:
    """The ends that are open: `start`, `end`, or `branch` where the anchors are in single alternatives.

    And whether that reads like an accident: a repeat there is void, or several parts have no anchor at all.
    """
    try:
        tree = list(parsed(pattern))
    except Exception:  # noqa: BLE001  what does not compile is told elsewhere
        return [], False
    if not tree:
        return [], False
    if len(tree) == 1 and str(tree[0][0]) == "BRANCH":
        return _branches(list(tree[0][1][1])), True
    starts, ends = _is_anchor(tree[0], _BEGINS), _is_anchor(tree[-1], _ENDS)
    inner = tree[1:] if starts else tree[:-1] if ends else tree
    if starts and ends or not inner:
        return [], False
    if starts or ends:
        last, end = (inner[-1], "end") if starts else (inner[0], "start")
        if _is_any(last) or len(inner) == 1 and _is_letter(last) or str(last[0]) in ("LITERAL", "ASSERT", "ASSERT_NOT"):
            return [], False  # a prefix or a suffix, or open on purpose
        return [end], _is_counted(last)
    if _is_any(inner[0]) or _is_any(inner[-1]) or any(_is_anchor(item, _BEGINS + _ENDS) for item in inner):
        return [], False
    if len(inner) == 1 and not _is_counted(inner[0]):
        return [], False  # one letter: to look for it anywhere is what it says
    return ["start", "end"], any(_varies(item) for item in inner)


def _is_letter(item: Any) -> bool:
    """One character, or a choice of such, or of none at all: what a text begins with is what is asked."""
    op, argument = str(item[0]), item[1]
    if op in ("SUBPATTERN", "BRANCH"):
        parts = [list(argument[3])] if op == "SUBPATTERN" else [list(branch) for branch in argument[1]]
        return all(not part or len(part) == 1 and _is_letter(part[0]) for part in parts)
    return op in ("IN", "ANY", "NOT_LITERAL", "LITERAL", "AT")


_BEGINS = ("AT_BEGINNING", "AT_BEGINNING_STRING")
_ENDS = ("AT_END", "AT_END_STRING")


def _branches(branches: Any) -> list[str]:
    """`^a|b$`: the first alternative alone is tied to the start, the last one alone to the end."""
    starts = [bool(b) and _is_anchor(b[0], _BEGINS) for b in branches]
    ends = [bool(b) and _is_anchor(b[-1], _ENDS) for b in branches]
    if not any(starts) and not any(ends):
        composite = any(len(b) > 1 and any(_varies(item) for item in b) for b in map(_bare, branches))
        return ["start", "end"] if composite else []
    first = starts[0] and not ends[0] and not any(starts[1:])
    last = ends[-1] and not starts[-1] and not any(ends[:-1])
    return ["branch"] if first and last else []


def _bare(items: Any) -> list[Any]:
    """`(ab)` without its group."""
    bare: list[Any] = list(items)
    while len(bare) == 1 and str(bare[0][0]) == "SUBPATTERN":
        bare = list(bare[0][1][3])
    return bare


def _is_anchor(item: Any, which: tuple[str, ...]) -> bool:
    if str(item[0]) == "SUBPATTERN":
        inner = list(item[1][3])
        return bool(inner) and _is_anchor(inner[0 if which == _BEGINS else -1], which)
    if str(item[0]) == "BRANCH":
        return all(b and _is_anchor(b[0 if which == _BEGINS else -1], which) for b in item[1][1])
    return str(item[0]) == "AT" and str(item[1]) in which or str(item[0]) in ("ASSERT", "ASSERT_NOT")


def _is_counted(item: Any) -> bool:
    """Whether an item at an open end says how often, which an open end makes void."""
    op, argument = str(item[0]), item[1]
    if op == "SUBPATTERN":
        inner = list(argument[3])
        return bool(inner) and _is_counted(inner[-1])
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, high = int(argument[0]), int(argument[1])
        return not _is_any(item) and (high > 1 and (low, high) != (0, 1))
    return False


def _is_any(item: Any) -> bool:
    """`.*`, `.+` and `[\\s\\S]*`: an end that is open on purpose."""
    op, argument = str(item[0]), item[1]
    if op == "SUBPATTERN":
        inner = list(argument[3])
        return len(inner) == 1 and _is_any(inner[0])
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        inner = list(argument[2])
        return len(inner) == 1 and _takes_most(inner[0])
    return False


def _takes_most(item: Any) -> bool:
    from ..witness.nfa import TOP, Unsupported, char_class

    op = str(item[0])
    if op == "SUBPATTERN":
        inner = list(item[1][3])
        return len(inner) == 1 and _takes_most(inner[0])
    if op not in ("ANY", "IN", "NOT_LITERAL"):
        return False
    try:
        return sum(high - low + 1 for low, high in char_class(op, item[1], 0)) > TOP - 40
    except Unsupported:
        return False


def _varies(item: Any) -> bool:
    return str(item[0]) not in ("LITERAL", "AT")


def _beside(sub: Subschema, pattern: str, open_ends: list[str], *, named: bool) -> str | None:
    """A text that the schema's pattern takes, with something before or after that the pattern does not speak of."""
    value = {} if named else said(sub)
    low, high = int(value.get("minLength", 0)), value.get("maxLength")
    high = int(high) if isinstance(high, (int, float)) else None
    whole = f"^(?:{pattern})$"
    if compiles(whole) is not None:
        return None
    for text in strings(StringShape(patterns=(pattern,)), Minimal(), limit=3):
        for junk in ("!", " ", "~", "-", "a"):
            before = junk if "start" in open_ends else ""
            after = junk if "end" in open_ends or "branch" in open_ends else ""
            longer = before + text + after
            fits = low <= len(longer) and (high is None or len(longer) <= high)
            if fits and matches(pattern, longer) and matches(whole, longer) is False:
                return longer
    shape = StringShape(low, high, patterns=(pattern,), not_patterns=(whole,))
    return next(strings(shape, Minimal(), limit=1), None)
