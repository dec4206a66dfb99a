"""Branches of `oneOf` that accept the same instance, so that `oneOf` rejects it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from ..algebra import Difference, Empty
from ..codes.lint import OVERLAP
from ..compiled import ValidatorFailed
from ..contract import Contract, Document, Subschema
from ..errors import OutOfSteps, shorten
from ..finding import Level
from ..keywords.general import type_mask
from ..keywords.shape import ANY, Ob
from ..witness.instance import Walk
from .look import Look, Spotted, asserted, said, table
from .walks import STEPS, Walks

PAIRS = 66
"""Pairs of branches of one `oneOf` that are looked at: all of up to twelve branches."""
_ALTERNATIVES = frozenset(("required", "not", "title", "description", "$comment"))
"""A branch of nothing but these is there to tell which names go together: that they exclude each other is meant."""


def overlapping_oneof(look: Look) -> Iterator[Spotted]:
    """One finding for each `oneOf` with an instance that two branches accept and that all else there accepts."""
    walks = Walks(look)
    for sub in look.objects:
        branches = said(sub).get("oneOf")
        if not isinstance(branches, list) or len(branches) < 2 or all(_is_alternative(b) for b in branches):
            continue
        parts = [look.contract.child(sub, "oneOf", i) for i in range(len(branches))]
        try:
            rest = walks.instead(sub, {k: v for k, v in sub.value.items() if k != "oneOf"})
            found = _found(look, walks, rest, parts)
        except (ValidatorFailed, LookupError):
            continue
        if found is not None:
            yield _told(look, sub, parts, *found)


def _is_alternative(branch: Any) -> bool:
    return isinstance(branch, dict) and set(branch) <= _ALTERNATIVES and "required" in branch


def _told(look: Look, sub: Subschema, parts: Sequence[Subschema], one: int, other: int, instance: Any) -> Spotted:
    exclusive = isinstance(instance, dict) and _exclusive(look, parts[one], parts[other])
    return look.spotted(
        OVERLAP,
        sub,
        f"branches {one} and {other} of `oneOf` both accept {shorten(instance, 60)}, so that it is rejected",
        "oneOf",
        witness=instance,
        fix="tell the branches apart, by a `const` for example, or write `anyOf`",
        level=Level.NOTE if exclusive else None,
    )


def _exclusive(look: Look, one: Subschema, other: Subschema) -> bool:
    """Whether each branch requires a name that the other one does not speak of: either this or that is meant."""
    first, second = _resolved(look, one), _resolved(look, other)
    return _alone(first, second) and _alone(second, first)


def _alone(one: Subschema, other: Subschema) -> bool:
    required = said(one).get("required") if isinstance(one.value, dict) else None
    known = table(said(other), "properties") if isinstance(other.value, dict) else {}
    return isinstance(required, list) and any(name not in known for name in required)


def _resolved(look: Look, sub: Subschema) -> Subschema:
    for _ in range(8):
        reference = said(sub).get("$ref") if isinstance(sub.value, dict) else None
        target = look.contract.target(sub, reference) if isinstance(reference, str) else None
        if target is None:
            return sub
        sub = target
    return sub


def _found(look: Look, walks: Walks, rest: Subschema, parts: list[Subschema]) -> tuple[int, int, Any] | None:
    masks = [_types(look, part) for part in parts]
    for one in range(len(parts)):  # what one branch accepts is often accepted by another one as well
        for value in walks.to([Ob(parts[one]), Ob(rest)], 2):
            if not (walks.local(rest, value) and walks.local(parts[one], value)):
                continue
            for other in range(len(parts)):
                if other != one and _agreed(look, walks, rest, parts[one], parts[other], value):
                    return min(one, other), max(one, other), value
    for one, other in islice(combinations(range(len(parts)), 2), PAIRS):
        if not masks[one] & masks[other]:
            continue
        for value in _both(look, walks, rest, parts[one], parts[other]):
            if _agreed(look, walks, rest, parts[one], parts[other], value):
                return one, other, value
    return None


def _types(look: Look, sub: Subschema) -> int:
    """The types that a branch may let through."""
    sub = _resolved(look, sub)
    if not isinstance(sub.value, dict):
        return ANY if sub.value else 0
    kinds = asserted(sub).get("type")
    return ANY if kinds is None else type_mask(kinds)


def _agreed(look: Look, walks: Walks, rest: Subschema, one: Subschema, other: Subschema, value: Any) -> bool:
    """Whether both validators say that two branches accept a value, and all else beside `oneOf`."""
    if not (walks.local(rest, value) and walks.local(one, value) and walks.local(other, value)):
        return False
    return look.accepts(one, value) is True and look.accepts(other, value) is True


def _both(look: Look, walks: Walks, rest: Subschema, one: Subschema, other: Subschema) -> Iterator[Any]:
    yield from walks.to([Ob(one), Ob(other), Ob(rest)])
    parts = [look.alone(one), look.alone(other), look.alone(rest, rest.value)]
    if any(part is None for part in parts) or look.questions < 40:
        return
    operands = parts[0], {"not": parts[1]}
    if one.dialect is not other.dialect or any(_holds_definitions(part) for part in parts):
        return
    answer = look.ask("difference", *operands, dialect=one.dialect)
    if isinstance(answer, Empty) or not isinstance(answer, Difference) or not answer.certain:
        return
    yield from _instances(look, answer.schema, one)


def _holds_definitions(schema: Any) -> bool:
    return isinstance(schema, dict) and ("$defs" in schema or "definitions" in schema)


def _instances(look: Look, schema: Any, sub: Subschema) -> list[Any]:
    """A few instances of what the algebra left."""
    from ..oracle import Oracle

    document = Document("urn:knownbad:overlap", "overlap", schema, sub.dialect)
    try:
        made = Contract("overlap", "overlap", {document.uri: document}, formats=look.contract.formats)
        walk = Walk(made, Oracle(made), steps=STEPS)
        return [built.value for built in islice(walk.candidates([Ob(made.root)]), 4)]
    except (OutOfSteps, RecursionError, LookupError, ValidatorFailed):
        return []
