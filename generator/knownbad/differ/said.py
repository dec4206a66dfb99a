"""What a form says of members: of one by its name, and of those that nothing lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..keywords.table import rows_of
from ..witness.regex import matches
from ..witness.strings import StringShape, unmatchable
from .forms import Edge, Flat, Form, Forms, Members, Node
from .need import Link

if TYPE_CHECKING:
    from .needs import Needs

CASES = 8
"""How many cases a member's name may fall into."""


def asserted(flat: Flat) -> set[str]:
    """The keywords that a schema object asserts in its dialect."""
    return {row.name for row in rows_of(flat.value, flat.sub.dialect)}


def in_place(forms: Forms, flat: Flat) -> list[Flat]:
    """The schema objects that one applies in place in any case, itself included."""
    return forms.form(forms.node([flat.part])).flats


def groups(needs: Needs, one: Form) -> list[Members]:
    """What a form says of members, what is closed by `unevaluatedProperties` included, as far as that is sure."""
    found = [*one.members]
    for flat in one.flats:
        if "unevaluatedProperties" in flat.value and flat.sub.dialect.year >= 19:
            group = seen(needs, flat)
            if group is not None:
                found.append(group)
    return found


def seen(needs: Needs, flat: Flat) -> Members | None:
    """At least what `unevaluatedProperties` may see as evaluated; None where that may be everything."""
    names: dict[str, Edge] = {}
    patterns: dict[str, Edge] = {}
    pending, seen = [flat], set()
    while pending:
        here = pending.pop()
        if id(here.sub) in seen or not isinstance(here.sub.value, dict):
            continue
        seen.add(id(here.sub))
        value = here.value
        if "additionalProperties" in value or "unevaluatedProperties" in value and here is not flat:
            return None
        names.update(dict.fromkeys(value.get("properties", ()), ()))
        patterns.update(dict.fromkeys(value.get("patternProperties", ()), ()))
        pending += [Flat(*part, 0, (), here) for _, part in needs.forms.applied(here, False)]
        for steps, _ in needs.forms.joint.children(here.sub):
            if steps[0] in ("anyOf", "oneOf", "if", "then", "else", "dependentSchemas"):
                pending.append(Flat(*needs.forms.child(here, steps), 0, (), here))
    return Members(flat, names, patterns, ("unevaluatedProperties",), loose=True)


def closes(needs: Needs, members: Members) -> bool:
    if members.rest is None:
        return False
    part = needs.forms.child(members.flat, members.rest)
    return needs.dead(needs.forms.form(needs.forms.node([part])), 3)


def member(needs: Needs, one: Form, name: str) -> tuple[Node, tuple[Link, ...], bool]:
    """What a form says of a member; whether an edge leads to this very name."""
    links: list[Link] = []
    exact = False
    for group in groups(needs, one):
        flat = group.flat
        edges = [edge for p, edge in group.patterns.items() if matches(p, name)]
        unsure = any(matches(p, name) is None for p in group.patterns)
        if name in group.names:
            edges.insert(0, group.names[name])
            exact = exact or not group.loose
        if group.loose:
            edges = [] if edges or name in group.names or unsure else [("unevaluatedProperties",)]
        elif not edges and not unsure and group.rest is not None:
            edges = [group.rest]
        links += [Link(needs.forms.child(flat, edge), flat, edge) for edge in edges]
    links.sort(key=lambda link: link.edge[0] != "properties")
    return needs.forms.node([link.part for link in links]), tuple(links), exact


def gone(needs: Needs, one: Form, name: str) -> bool:
    return needs.dead(needs.forms.form(member(needs, one, name)[0]), 2)


def no_name(needs: Needs, one: Form, name: str) -> bool:
    """Whether `propertyNames` keeps a member away."""
    return any(
        needs.accepts(needs.forms.child(flat, ("propertyNames",)), name) is False
        for flat in one.flats
        if "propertyNames" in flat.value and flat.sub.dialect.year >= 6
    )


def cases(
    needs: Needs, one: Form, pattern: str | None, without: tuple[str, ...] = ()
) -> Iterator[tuple[Node, tuple[Link, ...], bool, tuple[Any, ...]]]:
    """What a form says of an unlisted name that matches a pattern (None: that matches none of `without`).

    One node for each case that the name may fall into.
    """
    region = StringShape(patterns=(pattern,) if pattern else (), not_patterns=without)
    if (pattern or without) and unmatchable(region):
        return
    sure: list[Link] = []
    ways_of: list[list[_Way]] = []
    for group in groups(needs, one):
        found = _ways(needs, group, region)
        if len(found) == 1:
            sure += found[0][0]
        else:
            ways_of.append(found)
    combined: list[_Way] = [(sure, (), ())]
    for ways in ways_of:
        if len(combined) * len(ways) > CASES:
            continue  # to leave a constraint out asks for more than is needed
        combined = [
            ([*links, *more], (*inside, *i), (*outside, *o))
            for links, inside, outside in combined
            for more, i, o in ways
        ]
    for links, inside, outside in combined:
        node = needs.forms.node([link.part for link in links])
        if pattern is not None:
            exact = any(link.edge == ("patternProperties", pattern) for link in links)
            yield node, tuple(links), exact, outside
        else:
            exact = any(link.edge[0] in ("additionalProperties", "unevaluatedProperties") for link in links)
            yield node, tuple(links), exact, ((inside,) if inside else ())


_Way = tuple[list[Link], tuple[str, ...], tuple[str, ...]]
"""What holds for a name, and the patterns that it matches and does not match in this case."""


def _ways(needs: Needs, group: Members, region: StringShape) -> list[_Way]:
    """The cases of a name of a region in one group: a pattern that all of its names match leaves only one."""

    def links(edges: list[Edge]) -> list[Link]:
        return [Link(needs.forms.child(group.flat, edge), group.flat, edge) for edge in edges if edge]

    rest = [] if group.rest is None else [group.rest]
    always = [p for p in group.patterns if p in region.patterns or _empty(region, without=p)]
    if always:
        return [(links([group.patterns[p] for p in always]), (), ())]
    touched = [p for p in group.patterns if p not in region.not_patterns and not _empty(region, within=p)]
    ways: list[_Way] = [(links([group.patterns[p]]), (p,), ()) for p in touched]
    if not touched or not unmatchable(replace(region, not_patterns=(*region.not_patterns, *touched))):
        ways.append((links(rest), (), tuple(touched)))
    return ways


def _empty(region: StringShape, within: str = "", without: str = "") -> bool:
    """Whether no name of a region matches one pattern more, or fails one."""
    if within:
        return unmatchable(replace(region, patterns=(*region.patterns, within)))
    return unmatchable(replace(region, not_patterns=(*region.not_patterns, without)))
