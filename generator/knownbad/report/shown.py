"""Values and words of a mutation check as people are shown them: safe to print, and no longer than a screen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import floor
from typing import Any

from ..codes import mutants as codes
from ..errors import NO_VALUE, Exit
from ..finding import Code
from ..mutants import EQUIVALENT, IGNORED, INVALID, KILLED, STATES, SURVIVED, UNDECIDED, UNREACHABLE, Check, Mutant
from .sources import dead, member

_text = json.JSONEncoder(ensure_ascii=False).encode
COUNTED = (KILLED, SURVIVED, UNDECIDED)
"""The states that the score is made of."""
ASIDE = (EQUIVALENT, UNREACHABLE, IGNORED, INVALID)
"""The states that it leaves out."""

_SHORT = 24
"""Characters of a member or item that may share its line with others."""

# What moves a cursor, turns the direction of writing, or is no character at all.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def printable(text: str) -> str:
    """`text` with control characters (but tab and newline) as JSON's escapes."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(text: str) -> str:
    """`printable` text on one line."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def cut(text: str, width: int) -> str:
    """At most `width` characters of a line."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def instance(value: Any, most: int = 20, width: int = 76, longest: int = 0) -> list[str]:
    """A JSON value on at most `most` lines; what fits on one line of `width` characters stands on one.

    Only a string can make a longer line; it is cut at `longest` characters (`width` unless given).
    """
    lines = list(_written(value, "", "", "", width))
    if len(lines) > most:
        lines[most - 1 :] = [f"… {len(lines) - most + 1} more lines"]
    return [cut(line, longest or width) for line in lines]


def _written(value: Any, pad: str, lead: str, comma: str, width: int) -> Iterator[str]:
    line = f"{pad}{lead}{printable(_text(value))}{comma}"
    if len(line) <= width or not isinstance(value, (dict, list)) or not value:
        yield line
        return
    brackets = "{}" if isinstance(value, dict) else "[]"
    yield f"{pad}{lead}{brackets[0]}"
    parts = [(f"{_text(k)}: ", v) for k, v in value.items()] if isinstance(value, dict) else [("", v) for v in value]
    packed = ""
    for number, (name, item) in enumerate(parts, 1):
        lines = list(_written(item, f"{pad}  ", printable(name), "," if number < len(parts) else "", width))
        short = (
            len(lines) == 1 and len(lines[0]) - len(pad) <= _SHORT and (not item or not isinstance(item, (dict, list)))
        )
        if packed and not (short and len(packed) + len(lines[0]) - len(pad) - 1 <= width):
            yield packed
            packed = ""
        if short:
            packed = f"{packed} {lines[0].lstrip(' ')}" if packed else lines[0]
        else:
            yield from lines
    if packed:
        yield packed
    yield f"{pad}{brackets[1]}{comma}"


def percent(score: float | None) -> str:
    """A score with one decimal, never rounded up: 100.0 says that all are killed."""
    return "none" if score is None else f"{floor(score * 10 + 1e-9) / 10:.1f}"


def needed(mutant: Mutant) -> str:
    """What the corpus would have needed to kill a survivor."""
    if mutant.missing:
        return mutant.missing
    if mutant.accepted is None:
        return "an instance that the schema and the mutant disagree on"
    return f"{'a positive' if mutant.accepted else 'a negative'} fixture that {verdicts(mutant)}"


def verdicts(mutant: Mutant) -> str:
    """What schema and mutant say of the witness."""
    if mutant.accepted is None:
        return "the schema and the mutant disagree on"
    says = ("accepts", "rejects") if mutant.accepted else ("rejects", "accepts")
    return f"the schema {says[0]} and the mutant {says[1]}"


def has_witness(mutant: Mutant) -> bool:
    """Whether an instance that would kill it is known (`null` is one)."""
    return mutant.witness is not NO_VALUE


def code(mutant: Mutant) -> Code | None:
    """The code of what a mutant tells; None where there is nothing to act on."""
    if mutant.state == SURVIVED:
        return codes.SURVIVOR
    if mutant.state == UNDECIDED:
        return codes.UNDECIDED
    return codes.DEAD if dead(mutant) else None


def finding(mutant: Mutant) -> str:
    """Why a dead keyword is one, in a sentence."""
    name = member(mutant.operator)
    subject = "this keyword" if name is None else f"{name!r} in this keyword"
    proof = f": {mutant.reason}" if mutant.reason else ""
    if mutant.state == UNREACHABLE:
        return f"{subject} changes nothing, since no accepted instance gets there{proof}"
    return f"{subject} changes nothing{proof}"


def wrong(entry: str) -> tuple[str, str]:
    """The file of a wrong fixture, and what is wrong with it."""
    file, _, reason = entry.partition(": ")
    return file, reason or "its verdict is not what its folder says"


def counts(check: Check) -> dict[str, int]:
    """Mutants in all and by state, in the order in which they are reported."""
    return {"mutants": len(check.mutants), **{state: check.count(state) for state in STATES}}


def verdict(code: Exit, score: float | None, fail_under: float) -> str:
    """The result of a run in a sentence."""
    if score is None:
        return "no score: the corpus itself is wrong, so no mutant was checked against it"
    text = f"score {percent(score)} %"
    if score < fail_under:
        return f"{text}, below the {fail_under:g} % that are asked for"
    return f"{text}, with undecided mutants" if code == Exit.UNDECIDED else text
