"""Values that a schema holds itself: its defaults and examples, and the members of its enums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..codes.lint import REJECTED_EXAMPLE, SILENT
from ..contract import Subschema
from ..errors import shorten
from ..finding import Level
from ..pointers import Step
from .look import Look, Repair, Spotted, said


def rejected_example(look: Look) -> Iterator[Spotted]:
    """Defaults and examples that both validators reject, held against the very subschema that they stand in."""
    for sub in look.objects:
        if "default" in sub.value:
            yield from _judged(look, sub, sub.value["default"], "default", ("default",))
        examples = sub.value.get("examples")
        for index, example in enumerate(examples if isinstance(examples, list) else ()):
            yield from _judged(look, sub, example, f"example {index + 1}", ("examples", index))


def _judged(look: Look, sub: Subschema, value: Any, name: str, place: tuple[Step, ...]) -> Iterator[Spotted]:
    if look.local(sub, value) is not False or look.accepts(sub, value) is not False:
        return
    why = look.rejecting(sub, value)
    default = place == ("default",)
    filler = default and (value is None or value == "" or isinstance(value, (dict, list)) and not value)
    yield look.spotted(
        REJECTED_EXAMPLE,
        sub,
        f"the schema rejects its own {name}" + (f", by {why}" if why else "") + f": {shorten(value, 50)}",
        *place,
        witness=value,
        fix="correct the one or the other",
        level=Level.NOTE if filler else Level.WARNING if default else None,
    )


def dead_member(look: Look) -> Iterator[Spotted]:
    """Members of an enum that something beside it rejects."""
    for sub in look.objects:
        members = said(sub).get("enum")
        if not isinstance(members, list) or len(said(sub)) < 2:
            continue
        rejected = [(n, member) for n, member in enumerate(members) if look.local(sub, member) is False]
        if len(rejected) == len(members):
            continue  # then nothing satisfies the whole
        for index, member in rejected:
            if look.accepts(sub, member) is not False:
                continue
            why = look.rejecting(sub, member)
            yield look.spotted(
                SILENT,
                sub,
                f"the member {shorten(member, 40)} of `enum` is never accepted"
                + (f": {why} rejects it" if why else ""),
                "enum",
                index,
                subject=shorten(member, 40),
                witness=member,
                fix="remove it, or let the rest of the schema accept it",
                repair=Repair("drop", look.pointer(sub, "enum", index)),
            )
