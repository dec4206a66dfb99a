"""What a node must meet so that everything that another node accepts is accepted by it, keyword by keyword.

A *need* is either met, or comes down to pairs of smaller nodes, or is open: then it is a place where the two differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from ..compiled import ValidatorFailed
from ..keywords.shape import ARRAY, OBJECT, STRING
from ..values import key
from .arrays import of_arrays
from .branches import Case, chosen, of_branches, of_if, of_not
from .colors import Colors
from .forms import NUMBERS, Branches, Flat, Form, Forms, Node, Part, mask, mask_of
from .need import Need
from .objects import of_objects
from .said import asserted, member
from .scalars import among, of_numbers, of_strings

_WHOLE = ("enum", "const", "type", "anyOf", "oneOf", "not")
"""Keywords that judge a value as a whole."""


ALIKE = 3
"""How many values of an enum that one keyword rejects are looked at."""


class Holds(Protocol):
    """Whether everything that the left node accepts is accepted by the right one."""

    def __call__(self, left: Node, right: Node, *, below: bool = False) -> bool: ...


class Needs:
    """Needs of pairs of nodes. `holds` says of a pair whether all of its needs are met."""

    def __init__(self, forms: Forms, colors: Colors, holds: Holds) -> None:
        self.forms = forms
        self.colors = colors
        self.holds = holds

    def of(self, left: Node, right: Node) -> Iterator[Need]:
        """Every need that is not met outright."""
        one, other = self.forms.form(left), self.forms.form(right)
        if one.false or not one.mask or one.values is not None and not one.values:
            return
        if self.dead(one):
            return
        one = _narrowed(one, self.alive(one))
        if one.values is not None:
            yield from self._values(left, one, right, other)
            return
        if other.false:
            yield Need(self._booleans(right)[0], "")
            return
        there = {self.colors.of(flat.part) for flat in one.flats} | {self.colors.of(p) for p in left.parts}
        met: set[int] = set()
        for flat in other.flats:
            if flat.parent is not None and id(flat.parent) in met or self.colors.of(flat.part) in there:
                met.add(id(flat))
                continue
            yield from self._of_flat(left, one, flat)

    def cases(self, left: Node) -> Iterator[list[Case]]:
        """Ways to take a node apart by its own combinators."""
        return chosen(self, left, self.forms.form(left))

    def _booleans(self, node: Node) -> list[Flat]:
        """Where `false` holds at a node."""
        found: list[Flat] = []
        pending = [Flat(*part, n, ()) for n, part in enumerate(node.parts)]
        seen: set[int] = set()
        while pending:
            flat = pending.pop(0)
            if id(flat.sub) in seen:
                continue
            seen.add(id(flat.sub))
            if flat.sub.value is False:
                found.append(flat)
            elif isinstance(flat.sub.value, dict):
                hidden = "$ref" in flat.value and flat.sub.dialect.ref_hides_siblings
                pending += [
                    Flat(*part, flat.origin, (*flat.edges, edge), flat)
                    for edge, part in self.forms.applied(flat, hidden)
                ]
        return found

    # -- values

    def accepts(self, part: Part, value: Any) -> bool | None:
        """What a part says of a value; None where that cannot be asked."""
        if part[1]:
            return None  # it depends on the dynamic scope
        try:
            return self.forms.joint.local(part[0], value)
        except (ValidatorFailed, LookupError):
            return None

    def _values(self, left: Node, one: Form, right: Node, other: Form) -> Iterator[Need]:
        plain = {"enum", "const", "type"}
        kept = None if other.values is None else {key(v) for v in other.values}
        easy = not other.false and all(asserted(f) <= plain | {"$ref", "allOf"} for f in other.flats)
        flats = [*other.flats, *self._booleans(right)]
        told: Counter[tuple[int, str]] = Counter()
        for value in one.values or ():
            if kept is not None and easy and key(value) in kept and mask_of(value) & other.mask:
                continue
            if not mask_of(value) & left.mask or any(self.accepts(p, value) is False for p in left.parts):
                continue
            if right.parts and all(self.accepts(p, value) for p in right.parts):
                continue
            wrong = [f for f in flats if self.accepts(f.part, value) is False] or flats
            if not wrong:
                continue
            flat = wrong[-1]
            said = flat.sub.value if isinstance(flat.sub.value, dict) else {}
            keyword = next((k for k in _WHOLE if k in said), "")
            told[id(flat.sub), keyword] += 1
            if told[id(flat.sub), keyword] <= ALIKE:
                yield Need(flat, keyword, subject=("value", value))

    def dead(self, form: Form, depth: int = 0) -> bool:
        """Whether nothing can have this form, as far as is seen at a glance."""
        if form.false or form.values is not None and not form.values or not self.alive(form, depth):
            return True
        if depth < 2:
            there = {self.colors.of(f.part) for f in form.flats}
            for flat in form.flats:
                if "not" in flat.value:
                    denied = self.forms.child(flat, ("not",))
                    if not self.forms.node([denied]).parts or self.colors.of(denied) in there:
                        return True
                for branches in form.branches:
                    if branches.flat is flat and depth < 1 and branches.count <= 12 and self._all_dead(form, branches):
                        return True
        return False

    def alive(self, form: Form, depth: int = 0) -> int:
        """The types of a form of which there may be values."""
        types = form.mask
        if types & OBJECT and depth < 3:
            few = form.max_properties is not None and len(form.required) > form.max_properties
            if few or any(self.dead(self.forms.form(member(self, form, n)[0]), depth + 1) for n in form.required):
                types &= ~OBJECT
        if types & NUMBERS and form.low is not None and form.high is not None:
            (low, above), (high, below) = form.low, form.high
            if low > high or low == high and (above or below):
                types &= ~NUMBERS
        if form.max_items is not None and form.min_items > form.max_items:
            types &= ~ARRAY
        if form.max_length is not None and form.min_length > form.max_length:
            types &= ~STRING
        return types

    def _all_dead(self, form: Form, branches: Branches) -> bool:
        for index in range(branches.count):
            part = self.forms.child(branches.flat, (branches.keyword, index))
            node = self.forms.node(
                [*(f.part for f in form.flats if f.parent is None), part],
                form.mask,
                frozenset((id(b.flat.sub), b.keyword) for b in form.branches),
            )
            if not self.dead(self.forms.form(node), 2):
                return False
        return True

    def disjoint(self, left: Node, part: Part) -> bool:
        """Whether nothing meets a node and one more part, as far as is seen at a glance."""
        node = self.forms.node([*left.parts, part], left.mask, left.split)
        form = self.forms.form(node)
        if self.dead(form):
            return True
        if form.values is not None:
            return all(any(self.accepts(p, v) is False for p in node.parts) for v in form.values)
        return False

    # -- one schema object

    def _of_flat(self, left: Node, one: Form, flat: Flat) -> Iterator[Need]:
        value, year = flat.value, flat.sub.dialect.year
        if "type" in value and one.mask & ~mask(value["type"], year):
            yield Need(flat, "type")
            one = _narrowed(one, mask(value["type"], year))
        for keyword in ("enum", "const"):
            if keyword in value and (keyword == "enum" or year >= 6):
                if not among(one, value["enum"] if keyword == "enum" else [value["const"]]):
                    yield Need(flat, keyword)
                    return
        if one.mask & NUMBERS:
            yield from of_numbers(one, flat)
        if one.mask & STRING:
            yield from of_strings(self, one, flat)
        if one.mask & ARRAY:
            yield from of_arrays(self, one, flat)
        if one.mask & OBJECT:
            yield from of_objects(self, left, one, flat)
        yield from self._in_place(left, one, flat)
        if year <= 7:
            for keyword in ("contentEncoding", "contentMediaType"):
                if (
                    keyword in value
                    and one.mask & STRING
                    and not any(f.value.get(keyword) == value[keyword] for f in one.flats)
                ):
                    yield Need(flat, keyword)

    # -- in place

    def _in_place(self, left: Node, one: Form, flat: Flat) -> Iterator[Need]:
        value = flat.value
        for keyword in ("anyOf", "oneOf"):
            if isinstance(value.get(keyword), list) and len(value[keyword]) > 1:
                yield from of_branches(self, left, one, flat, keyword)
        if "not" in value:
            yield from of_not(self, left, one, flat)
        if "if" in value and flat.sub.dialect.year >= 7:
            yield from of_if(self, left, one, flat)


def _narrowed(one: Form, types: int) -> Form:
    return replace(one, mask=one.mask & types)
