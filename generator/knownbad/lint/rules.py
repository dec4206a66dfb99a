"""The table of rules: each is a function from a loaded contract to what it spots there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import beside, contradictions, declared, objects, overlap, patterns, silent, strings, values
from .look import Look, Spotted, once

Rule = Callable[[Look], Iterator[Spotted]]

RULES: tuple[Rule, ...] = (
    declared.no_dialect,
    objects.open_object,
    declared.unknown_keyword,
    declared.other_draft,
    objects.internal_name,
    objects.required_undeclared,
    objects.misplaced_closure,
    strings.unknown_format,
    strings.unanchored_pattern,
    patterns.backtracking_pattern,
    beside.ignored_beside_ref,
    values.rejected_example,
    values.dead_member,
    contradictions.contradiction,
    silent.silent_keyword,
    overlap.overlapping_oneof,
)


def spotted(look: Look) -> list[Spotted]:
    """What every rule finds, by place; nothing twice."""
    found: dict[tuple[str, ...], Spotted] = {}
    for rule in RULES:
        for one in once(rule(look)):
            finding = one.finding
            key = (finding.file or "", finding.location or "", finding.code.code, finding.subject)
            found.setdefault(key, one)
    return list(found.values())
