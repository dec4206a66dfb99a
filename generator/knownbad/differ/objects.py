"""What the keywords of objects ask of another node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..keywords.places import disputed
from ..keywords.shape import OBJECT, STRING
from ..witness.regex import matches
from .forms import Edge, Flat, Form, Members, Node, members
from .need import Kid, Link, Need, down
from .said import asserted, cases, closes, gone, groups, in_place, member, no_name

if TYPE_CHECKING:
    from .needs import Needs


def of_objects(needs: Needs, left: Node, one: Form, flat: Flat) -> Iterator[Need]:
    value, year = flat.value, flat.sub.dialect.year
    if isinstance(value.get("required"), list):
        for name in dict.fromkeys(value["required"]):
            if name not in one.required:
                yield Need(flat, "required", subject=("name", name))
    if int(value.get("minProperties", 0)) > max(one.min_properties, len(one.required)):
        yield Need(flat, "minProperties")
    if "maxProperties" in value and not at_most(needs, one, int(value["maxProperties"])):
        yield Need(flat, "maxProperties")
    if any(k in value for k in ("properties", "patternProperties", "additionalProperties")):
        yield from members_met(needs, one, members(flat))
    if "unevaluatedProperties" in value and year >= 19:
        yield from unevaluated_met(needs, one, flat)
    if "propertyNames" in value and year >= 6:
        yield from names_met(needs, one, flat)
    for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
        if keyword in asserted(flat):
            yield from dependents_met(needs, left, one, flat, keyword)


def at_most(needs: Needs, one: Form, most: int) -> bool:
    if one.max_properties is not None and one.max_properties <= most:
        return True
    closed = [m for m in one.members if closes(needs, m) and not m.patterns]
    return any(len(m.names) <= most for m in closed)


def members_met(needs: Needs, one: Form, group: Members, keyword: str = "") -> Iterator[Need]:
    flat = group.flat
    known = dict.fromkeys([*group.names, *(n for m in groups(needs, one) for n in m.names)])
    for name in known:
        if no_name(needs, one, name):
            continue
        edges = [group.names[name]] if name in group.names else []
        found = {p: matches(p, name) for p in group.patterns}
        edges += [group.patterns[p] for p, sure in found.items() if sure is not False]
        if group.rest is not None and name not in group.names and not any(found.values()):
            edges.append(group.rest)  # also where a pattern may match or not
        parts = [needs.forms.child(flat, edge) for edge in edges if edge]
        if not parts:
            continue
        node, links, exact = member(needs, one, name)
        exact = exact and name in group.names
        pairs = tuple((flat, edge) for edge in edges)
        yield from down(
            needs, flat, keyword or str(edges[0][0]), node, links, pairs, parts, ("member", name), exact, ("name", name)
        )
    yield from regions_met(needs, one, group, known, keyword)


def regions_met(needs: Needs, one: Form, group: Members, known: dict[str, None], keyword: str) -> Iterator[Need]:
    """Members under names that nothing lists: those of each pattern, and the rest."""
    flat = group.flat
    names = frozenset(known)
    for pattern, edge in group.patterns.items():
        if not edge:
            continue
        part = needs.forms.child(flat, edge)
        for node, links, exact, outside in cases(needs, one, pattern):
            step = ("named", names, (pattern,), outside)
            yield from down(
                needs, flat, keyword or "patternProperties", node, links, ((flat, edge),), [part], step, exact
            )
    if group.rest is not None:
        part = needs.forms.child(flat, group.rest)
        if part[0].value in (True, {}):
            return
        for node, links, exact, outside in cases(needs, one, None, tuple(group.patterns)):
            inside = tuple(outside[0]) if outside and isinstance(outside[0], tuple) else ()
            step = ("named", names, inside, tuple(group.patterns))
            exact = exact and not inside
            yield from down(
                needs, flat, keyword or str(group.rest[0]), node, links, ((flat, group.rest),), [part], step, exact
            )


def unevaluated_met(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    if flat.value["unevaluatedProperties"] in (True, {}):
        return
    inner = in_place(needs.forms, flat)
    if any(
        "additionalProperties" in f.value or "unevaluatedProperties" in f.value and f.sub is not flat.sub for f in inner
    ):
        return
    names: dict[str, Edge] = {n: () for f in inner for n in f.value.get("properties", ())}
    patterns: dict[str, Edge] = {p: () for f in inner for p in f.value.get("patternProperties", ())}
    group = Members(flat, names, patterns, ("unevaluatedProperties",), loose=True)
    yield from members_met(needs, one, group, "unevaluatedProperties")


def names_met(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    part = needs.forms.child(flat, ("propertyNames",))
    right = needs.forms.node([part])
    if part[0].value in (True, {}):
        return
    closed = [m for m in groups(needs, one) if closes(needs, m) and not m.patterns]
    if closed:
        bad = [n for n in closed[0].names if needs.accepts(part, n) is False and not gone(needs, one, n)]
        if bad:
            yield Need(flat, "propertyNames", subject=("name", bad[0]))
        return
    links = [
        Link(needs.forms.child(f, ("propertyNames",)), f, ("propertyNames",))
        for f in one.flats
        if "propertyNames" in f.value and f.sub.dialect.year >= 6
    ]
    left = needs.forms.node([link.part for link in links], STRING)
    step = ("name",)
    if not needs.holds(left, right, below=True):
        kid = Kid(left, right, tuple(links), ((flat, ("propertyNames",)),), step)
        yield Need(flat, "propertyNames", (kid,) if links else ())


def _told(known: Flat, asked: Flat, keyword: str, *keywords: str) -> list[str]:
    """Which of these keywords of a schema object tell something about another one's `keyword`, to both validators."""
    told = asserted(known) & {*keywords}
    return sorted(k for k in told if not disputed(k, known.sub.dialect) or disputed(keyword, asked.sub.dialect))


def dependents_met(needs: Needs, left: Node, one: Form, flat: Flat, keyword: str) -> Iterator[Need]:
    for name, needed in flat.value[keyword].items():
        if gone(needs, one, name):
            continue
        if isinstance(needed, list):
            there = set(one.required)
            for f in one.flats:
                for k in _told(f, flat, keyword, "dependencies", "dependentRequired"):
                    listed = f.value[k].get(name)
                    there.update(listed if isinstance(listed, list) else ())
            if not set(needed) - {name} <= there:
                yield Need(flat, keyword, subject=("name", name))
            continue
        extra = [
            Link(needs.forms.child(f, (k, name)), f, (k, name))
            for f in one.flats
            for k in _told(f, flat, keyword, "dependencies", "dependentSchemas")
            if isinstance(f.value[k].get(name), (dict, bool))
        ]
        own = [Link(part, None, (), n) for n, part in enumerate(left.parts)]
        node = needs.forms.node([*left.parts, *(link.part for link in extra)], left.mask & OBJECT, left.split)
        right = needs.forms.node([needs.forms.child(flat, (keyword, name))])
        if not needs.holds(node, right):
            kid = Kid(node, right, (*extra, *own), ((flat, (keyword, name)),), ("here", name), bool(extra))
            yield Need(flat, keyword, (kid,) if extra else (), ("name", name))
