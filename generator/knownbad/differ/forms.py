"""What one instance location must meet, in a normal form: all that is applied in place unfolded and merged.

A *node* is a set of subschemas that hold at one instance location, of either contract. Its form follows `$ref`, `allOf`
and single branches, so that renamed definitions, split or inlined schemas and reordered keywords give one form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, cast

from ..contract import Contract, Subschema
from ..keywords.applicators import dynamic_target, entering
from ..keywords.shape import ARRAY, BOOLEAN, NULL, OBJECT, STRING, Ob, Scope
from ..pointers import Step
from ..values import key
from .sides import Joint

# Of numbers, draft-04 takes 1.0 for no integer: so there is one more type than the walk knows.
PLAIN, WHOLE, FRACTION = 2**10, 2**11, 2**12
"""Integers as written, floats without a fraction, and the other floats."""
INTEGERS = PLAIN | WHOLE
NUMBERS = PLAIN | WHOLE | FRACTION
ANYTHING = NULL | BOOLEAN | STRING | ARRAY | OBJECT | NUMBERS
BITS = (NULL, BOOLEAN, STRING, ARRAY, OBJECT, NUMBERS)
_MASKS = {"null": NULL, "boolean": BOOLEAN, "string": STRING, "array": ARRAY, "object": OBJECT, "number": NUMBERS}
DEEP = 400
"""How many subschemas are unfolded at one place."""

Edge = tuple[Step, ...]
Part = tuple[Subschema, Scope]
"""A subschema with the dynamic scope that it is in."""


def mask(types: Any, year: int) -> int:
    """The types of a `type` keyword."""
    found = 0
    for name in types if isinstance(types, list) else [types]:
        found |= (PLAIN if year == 4 else INTEGERS) if name == "integer" else _MASKS.get(name, 0)
    return found


def mask_of(value: Any) -> int:
    """The type of a value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int):
        return PLAIN
    if isinstance(value, float):
        return WHOLE if value.is_integer() else FRACTION
    if isinstance(value, str):
        return STRING
    return ARRAY if isinstance(value, list) else OBJECT


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Subschemas that hold at one instance location, as far as the types of `mask` go. There is one object a set.

    `split`: the combinators (by their subschema and keyword) of which a branch is among the parts already.
    """

    parts: tuple[Part, ...]
    mask: int = ANYTHING
    split: frozenset[tuple[int, str]] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """One schema object that holds at a node: the part that it comes from (by number), and the edges from it."""

    sub: Subschema
    scope: Scope
    origin: int
    edges: tuple[Edge, ...]
    parent: Flat | None = None

    @property
    def part(self) -> Part:
        return self.sub, self.scope

    @property
    def value(self) -> dict[str, Any]:
        """The schema object."""
        value: dict[str, Any] = self.sub.value
        return value


@dataclass(slots=True, eq=False)
class Members:
    """What `properties` and its kin in one schema object say. `rest` is None where nothing is said of other names."""

    flat: Flat
    names: dict[str, Edge]
    patterns: dict[str, Edge]
    rest: Edge | None
    loose: bool = False
    """Whether names and patterns only stand for what others say of them (`unevaluatedProperties`)."""


@dataclass(slots=True, eq=False)
class Items:
    """What the positional keywords of one schema object say."""

    flat: Flat
    prefix: tuple[Edge | None, ...]
    rest: Edge | None


@dataclass(slots=True, eq=False)
class Contained:
    """`contains` with its bounds."""

    flat: Flat
    low: int
    high: int | None


@dataclass(slots=True, eq=False)
class Branches:
    """An `anyOf` or `oneOf`."""

    flat: Flat
    keyword: str
    count: int


@dataclass(slots=True)
class Form:
    """The conjunction of what holds at a node."""

    mask: int
    flats: list[Flat] = field(default_factory=list)
    false: bool = False
    values: list[Any] | None = None
    low: tuple[Any, bool] | None = None
    high: tuple[Any, bool] | None = None
    multiples: list[Any] = field(default_factory=list)
    min_length: int = 0
    max_length: int | None = None
    patterns: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    items: list[Items] = field(default_factory=list)
    contains: list[Contained] = field(default_factory=list)
    members: list[Members] = field(default_factory=list)
    required: dict[str, None] = field(default_factory=dict)
    min_properties: int = 0
    max_properties: int | None = None
    branches: list[Branches] = field(default_factory=list)

    @property
    def integral(self) -> bool:
        """Whether its numbers are integers only."""
        return not self.mask & FRACTION


class Forms:
    """Nodes and their forms, of both contracts of a joint one."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self._contract = cast("Contract", joint)
        self._nodes: dict[Any, Node] = {}
        self._forms: dict[int, Form] = {}

    def node(
        self, parts: Sequence[Part], types: int = ANYTHING, split: frozenset[tuple[int, str]] = frozenset()
    ) -> Node:
        """The node of these parts."""
        kept: dict[tuple[int, Scope], Part] = {}
        for part in parts:
            if part[0].value is not True and part[0].value != {}:
                kept.setdefault((id(part[0]), part[1]), part)
        name = (frozenset(kept), types, split)
        known = self._nodes.get(name)
        if known is None:
            known = self._nodes[name] = Node(tuple(kept.values()), types, split)
        return known

    def root(self, sub: Subschema) -> Node:
        """The node of a contract's schema."""
        return self.node([(sub, entering((), sub, self._contract) if self.joint.has_dynamic else ())])

    def child(self, flat: Flat, edge: Edge) -> Part:
        """The part that an edge of a schema object leads to."""
        sub = self.joint.child(flat.sub, *edge)
        return sub, self.entered(flat.scope, sub)

    def entered(self, scope: Scope, sub: Subschema) -> Scope:
        return entering(scope, sub, self._contract) if self.joint.has_dynamic else ()

    def form(self, node: Node) -> Form:
        """The form of a node."""
        known = self._forms.get(id(node))
        if known is None:
            known = self._forms[id(node)] = self._form(node)
        return known

    def _form(self, node: Node) -> Form:
        form = Form(node.mask)
        seen: set[tuple[int, Scope]] = set()
        for number, part in enumerate(node.parts):
            self._unfold(form, Flat(*part, number, ()), seen)
        for branches in form.branches:
            form.mask &= self._reached(branches)
        form.branches = [b for b in form.branches if (id(b.flat.sub), b.keyword) not in node.split]
        if form.values is None and not form.mask & ~(NULL | BOOLEAN):
            form.values = [v for v, bit in ((None, NULL), (False, BOOLEAN), (True, BOOLEAN)) if bit & form.mask]
        if form.values is not None:
            form.values = [v for v in form.values if mask_of(v) & form.mask]
            reached = 0
            for value in form.values:
                reached |= mask_of(value)
            form.mask &= reached
        if form.integral:
            if form.low is not None:
                bound, exclusive = form.low
                form.low = (floor(bound) + 1 if exclusive else ceil(bound)), False
            if form.high is not None:
                bound, exclusive = form.high
                form.high = (ceil(bound) - 1 if exclusive else floor(bound)), False
        return form

    def _reached(self, branches: Branches) -> int:
        """The types that some branch lets through."""
        types = 0
        for index in range(branches.count):
            part = self.child(branches.flat, (branches.keyword, index))
            form = self.form(self.node([part]))
            types |= 0 if form.false else form.mask
            if types == ANYTHING:
                break
        return types

    def _unfold(self, form: Form, flat: Flat, seen: set[tuple[int, Scope]]) -> None:
        """Take one schema object, and all that it applies in place in any case, into a form."""
        if (id(flat.sub), flat.scope) in seen or len(seen) > DEEP:
            return
        seen.add((id(flat.sub), flat.scope))
        if not isinstance(flat.sub.value, dict):
            form.false = form.false or flat.sub.value is False
            return
        hidden = "$ref" in flat.value and flat.sub.dialect.ref_hides_siblings
        if not hidden:
            form.flats.append(flat)
            _take(form, flat)
        for edge, part in self.applied(flat, hidden):
            self._unfold(form, Flat(*part, flat.origin, (*flat.edges, edge), flat), seen)

    def applied(self, flat: Flat, hidden: bool) -> Iterator[tuple[Edge, Part]]:
        sub, value, joint = flat.sub, flat.value, self.joint
        if isinstance(value.get("$ref"), str):
            target = joint.target(sub, value["$ref"])
            if target is not None:
                yield ("$ref",), (target, self.entered(flat.scope, target))
        if hidden:
            return
        for keyword, year in (("$dynamicRef", 20), ("$recursiveRef", 19)):
            if keyword in value and sub.dialect.year == year:
                target = dynamic_target(keyword, Ob(sub, scope=flat.scope), self._contract)
                yield (keyword,), (target, self.entered(flat.scope, target))
        for keyword in ("allOf", "anyOf", "oneOf"):
            listed = value.get(keyword)
            if isinstance(listed, list) and (keyword == "allOf" or len(listed) == 1):
                for index in range(len(listed)):
                    yield (keyword, index), self.child(flat, (keyword, index))


_AT_MOST = (("max_length", "maxLength"), ("max_items", "maxItems"), ("max_properties", "maxProperties"))


def _take(form: Form, flat: Flat) -> None:
    """Merge what one schema object says itself."""
    value, year = flat.value, flat.sub.dialect.year
    if "type" in value:
        form.mask &= mask(value["type"], year)
    if isinstance(value.get("enum"), list):
        _among(form, value["enum"])
    if "const" in value and year >= 6:
        _among(form, [value["const"]])
    for low in lows(value, year):
        if form.low is None or tighter(low, form.low):
            form.low = low
    for high in highs(value, year):
        if form.high is None or tighter((-high[0], high[1]), (-form.high[0], form.high[1])):
            form.high = high
    if "multipleOf" in value:
        form.multiples.append(value["multipleOf"])
    form.min_length = max(form.min_length, int(value.get("minLength", 0)))
    form.min_items = max(form.min_items, int(value.get("minItems", 0)))
    form.min_properties = max(form.min_properties, int(value.get("minProperties", 0)))
    for attribute, keyword in (
        ("max_length", "maxLength"),
        ("max_items", "maxItems"),
        ("max_properties", "maxProperties"),
    ):
        if keyword in value:
            known = getattr(form, attribute)
            setattr(form, attribute, int(value[keyword]) if known is None else min(known, int(value[keyword])))
    if "pattern" in value:
        form.patterns.append(value["pattern"])
    if "format" in value:
        form.formats.append(value["format"])
    form.unique = form.unique or value.get("uniqueItems") is True
    if isinstance(value.get("required"), list):
        form.required.update(dict.fromkeys(value["required"]))
    _take_below(form, flat, value, year)


def _take_below(form: Form, flat: Flat, value: dict[str, Any], year: int) -> None:
    if any(k in value for k in ("properties", "patternProperties", "additionalProperties")):
        form.members.append(members(flat))
    positional = items(flat)
    if positional is not None:
        form.items.append(positional)
    if "contains" in value and year >= 6:
        counted = year >= 19
        low = int(value.get("minContains", 1)) if counted else 1
        high = int(value["maxContains"]) if counted and "maxContains" in value else None
        form.contains.append(Contained(flat, low, high))
        if isinstance(low, int):
            form.min_items = max(form.min_items, low)
    for keyword in ("anyOf", "oneOf"):
        if isinstance(value.get(keyword), list) and len(value[keyword]) > 1:
            form.branches.append(Branches(flat, keyword, len(value[keyword])))


def members(flat: Flat) -> Members:
    """What the keywords of members in a schema object say."""
    value = flat.value
    names, patterns = value.get("properties", {}), value.get("patternProperties", {})
    rest = ("additionalProperties",) if "additionalProperties" in value else None
    return Members(
        flat, {n: ("properties", n) for n in names}, {p: ("patternProperties", p) for p in patterns}, rest
    )  # fmt: skip


def items(flat: Flat) -> Items | None:
    """What the positional keywords of a schema object say."""
    value, year = flat.value, flat.sub.dialect.year
    if year >= 20:
        listed = value.get("prefixItems", [])
        rest: Edge | None = ("items",) if isinstance(value.get("items"), (dict, bool)) else None
        keyword = "prefixItems"
    else:
        keyword, listed = "items", value.get("items")
        if isinstance(listed, list):
            rest = ("additionalItems",) if "additionalItems" in value else None
        else:
            rest, listed = (("items",) if isinstance(listed, (dict, bool)) else None), []
    if not listed and rest is None:
        return None
    return Items(flat, tuple((keyword, i) for i in range(len(listed))), rest)


def lows(value: dict[str, Any], year: int) -> list[tuple[Any, bool]]:
    """The lower bounds of a schema object, each with whether it is exclusive."""
    return _bounds(value, year, "minimum", "exclusiveMinimum")


def highs(value: dict[str, Any], year: int) -> list[tuple[Any, bool]]:
    """The upper bounds of a schema object."""
    return _bounds(value, year, "maximum", "exclusiveMaximum")


def _bounds(value: dict[str, Any], year: int, plain: str, exclusive: str) -> list[tuple[Any, bool]]:
    if year == 4:
        return [(value[plain], value.get(exclusive) is True)] if plain in value else []
    found = [(value[plain], False)] if plain in value else []
    return [*found, (value[exclusive], True)] if exclusive in value else found


def tighter(one: tuple[Any, bool], other: tuple[Any, bool]) -> bool:
    """Whether one lower bound leaves less than another."""
    return bool(one[0] > other[0] or one[0] == other[0] and one[1] and not other[1])


def _among(form: Form, values: list[Any]) -> None:
    if form.values is None:
        form.values = list({key(v): v for v in values}.values())
        return
    kept = {key(v) for v in values}
    form.values = [v for v in form.values if key(v) in kept]
