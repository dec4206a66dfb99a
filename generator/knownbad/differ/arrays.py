"""What the keywords of arrays ask of another node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .forms import Edge, Flat, Form, Items, Node, items
from .need import Kid, Link, Need, down
from .said import in_place

if TYPE_CHECKING:
    from .needs import Needs


def of_arrays(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    value, year = flat.value, flat.sub.dialect.year
    if int(value.get("minItems", 0)) > one.min_items:
        yield Need(flat, "minItems")
    if "maxItems" in value and (one.max_items is None or one.max_items > int(value["maxItems"])):
        yield Need(flat, "maxItems")
    if value.get("uniqueItems") is True and not one.unique and (one.max_items is None or one.max_items > 1):
        yield Need(flat, "uniqueItems")
    found = items(flat)
    if found is not None:
        yield from positional_met(needs, one, found)
    if "unevaluatedItems" in value and year >= 19:
        yield from unevaluated_items(needs, one, flat)
    if "contains" in value and year >= 6:
        yield from contained_met(needs, one, flat)


def item(needs: Needs, one: Form, index: int | None) -> tuple[Node, tuple[Link, ...], bool]:
    """What a form says of the item at an index (None: of those that follow all positions)."""
    links = []
    for found in one.items:
        edge = found.prefix[index] if index is not None and index < len(found.prefix) else found.rest
        if edge is not None:
            links.append(Link(needs.forms.child(found.flat, edge), found.flat, edge))
    return needs.forms.node([link.part for link in links]), tuple(links), True


def positional_met(needs: Needs, one: Form, found: Items, keyword: str = "") -> Iterator[Need]:
    flat = found.flat
    length = max([len(found.prefix), *(len(i.prefix) for i in one.items)])
    for index in [*range(length), None]:
        edge = found.prefix[index] if index is not None and index < len(found.prefix) else found.rest
        first = length if index is None else index
        if edge is None or one.max_items is not None and one.max_items <= first:
            continue
        part = needs.forms.child(flat, edge)
        node, links, _ = item(needs, one, index)
        exact = any(len(link.edge) == len(edge) for link in links)
        step = ("item", first)
        yield from down(needs, flat, keyword or str(edge[0]), node, links, ((flat, edge),), [part], step, exact)


def unevaluated_items(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    if flat.value["unevaluatedItems"] in (True, {}):
        return
    inner = in_place(needs.forms, flat)
    found = [i for i in map(items, inner) if i is not None]
    if any(i.rest is not None for i in found):
        return
    prefix: tuple[Edge | None, ...] = (None,) * max([0, *(len(i.prefix) for i in found)])
    yield from positional_met(needs, one, Items(flat, prefix, ("unevaluatedItems",)), "unevaluatedItems")


def contained_met(needs: Needs, one: Form, flat: Flat) -> Iterator[Need]:
    value, counted = flat.value, flat.sub.dialect.year >= 19
    low = int(value.get("minContains", 1)) if counted else 1
    high = int(value["maxContains"]) if counted and "maxContains" in value else None
    part = needs.forms.child(flat, ("contains",))
    kids: list[Kid] = []
    if low:
        right = needs.forms.node([part])
        ok = False
        for known in one.contains:
            inner = needs.forms.child(known.flat, ("contains",))
            if known.low >= low:
                left = needs.forms.node([inner])
                if needs.holds(left, right, below=True):
                    ok = True
                    break
                link = Link(inner, known.flat, ("contains",))
                kids.append(Kid(left, right, (link,), ((flat, ("contains",)),), ("contains",)))
        if not ok and one.min_items >= low:
            node, _, _ = item(needs, one, None)
            ok = not any(i.prefix for i in one.items) and needs.holds(node, right, below=True)
        if not ok:
            counts = "minContains" if "minContains" in value and counted else "contains"
            yield Need(flat, "contains" if kids else counts, tuple(kids[:1]))
    if high is not None and not (one.max_items is not None and one.max_items <= high):
        counted_by = [c for c in one.contains if c.high is not None and c.high <= high]
        all_left = needs.forms.node([part])
        nodes = [needs.forms.node([needs.forms.child(c.flat, ("contains",))]) for c in counted_by]
        same = any(needs.holds(all_left, node, below=True) for node in nodes)
        if not same:
            yield Need(flat, "maxContains")
