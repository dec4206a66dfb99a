"""Which subschemas say the same, whatever their definitions are called and however they are split: a bisimulation.

Two parts get one color where their forms agree, annotations aside, and so do those of all parts that they lead to. That
holds for recursive schemas, too: every instance is finite.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ..formats import standing
from ..keywords.places import disputed
from ..keywords.shape import Scope
from ..values import key
from .forms import ANYTHING, Flat, Form, Forms, Part, items

_Name = tuple[int, Scope]
_SAID = (
    "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
    "multipleOf", "contentEncoding", "contentMediaType",
)  # fmt: skip
_NOTHING_SAID = {"minLength": 0, "minItems": 0, "minProperties": 0, "uniqueItems": False}


class Colors:
    """The colors of what is reached from some parts. Equal colors: equal in every way that can be seen."""

    def __init__(self, forms: Forms, roots: list[Part]) -> None:
        self._forms = forms
        self._interned: dict[Hashable, int] = {}
        self._color: dict[_Name, int] = {}
        self._parts: dict[_Name, Part] = {}
        self._below: dict[_Name, list[_Name]] = {}
        self._collect(roots)
        self._settle()

    def of(self, part: Part) -> int:
        """The color of a part. What was not reached before is looked at now."""
        name = _name(part)
        if name not in self._color:
            self._collect([part])
            self._settle()
        return self._color[name]

    def same(self, one: Part, other: Part) -> bool:
        """Whether two parts are known to say the same."""
        return self.of(one) == self.of(other)

    def _collect(self, roots: list[Part]) -> None:
        pending = [*roots]
        while pending:
            part = pending.pop()
            name = _name(part)
            if name in self._parts:
                continue
            self._parts[name] = part
            below = list(self._children(part))
            self._below[name] = [_name(p) for p in below]
            pending.extend(below)

    def _children(self, part: Part) -> Iterator[Part]:
        if isinstance(part[0].value, dict):
            for flat in self._form(part).flats:
                for steps, _ in self._forms.joint.children(flat.sub):
                    if steps[0] not in ("$defs", "definitions", "contentSchema", "allOf"):
                        yield self._forms.child(flat, steps)

    def _form(self, part: Part) -> Form:
        return self._forms.form(self._forms.node([part]))

    def _settle(self) -> None:
        """Color what has none yet: what leads to no cycle, then the cycles together, then what leads to them."""
        waiting = {name: below for name, below in self._below.items() if name not in self._color}
        users: dict[_Name, list[_Name]] = {name: [] for name in waiting}
        left = {}
        for name, below in waiting.items():
            open_ = [b for b in set(below) if b in waiting]
            left[name] = len(open_)
            for b in open_:
                users[b].append(name)
        self._bottom_up([n for n, count in left.items() if not count], left, users)
        rest = [name for name in waiting if name not in self._color]
        if not rest:
            return
        # From the top, take off what no cycle leads to.
        above = {n: sum(1 for u in users[n] if u not in self._color) for n in rest}
        tops = [n for n, count in above.items() if not count]
        outer = set(tops)
        while tops:
            for b in {b for b in self._below[tops.pop()] if b in above}:
                above[b] -= 1
                if not above[b] and b not in outer:
                    outer.add(b)
                    tops.append(b)
        self._refine([name for name in rest if name not in outer])
        left = {n: sum(1 for b in set(self._below[n]) if b in outer) for n in rest if n in outer}
        self._bottom_up([n for n, count in left.items() if not count], left, users)

    def _bottom_up(self, ready: list[_Name], left: dict[_Name, int], users: dict[_Name, list[_Name]]) -> None:
        while ready:
            name = ready.pop()
            self._color[name] = self._intern(self._signature(name, self._color))
            for user in users[name]:
                if user in left and user not in self._color:
                    left[user] -= 1
                    if not left[user]:
                        ready.append(user)

    def _refine(self, names: list[_Name]) -> None:
        current = {**self._color, **dict.fromkeys(names, self._intern("cycle"))}
        count = 1
        for _ in range(len(names) + 1):
            new = {name: self._intern(self._signature(name, current)) for name in names}
            current.update(new)
            found = len(set(new.values()))
            if found == count:
                break
            count = found
        self._color.update({name: current[name] for name in names})

    def _intern(self, signature: Hashable) -> int:
        return self._interned.setdefault(signature, len(self._interned))

    # -- what is said, with the colors of what it leads to

    def _signature(self, name: _Name, colors: dict[_Name, int]) -> Hashable:
        part = self._parts[name]
        if not isinstance(part[0].value, dict):
            return part[0].value is not False
        form = self._form(part)
        if form.false or not form.mask:
            return False
        said: set[Hashable] = set()
        for flat in form.flats:
            said.update(self._said(flat, colors))
        if form.low is not None:
            said.add(("low", form.low))
        if form.high is not None:
            said.add(("high", form.high))
        if form.required:
            said.add(("required", frozenset(form.required)))
        if form.mask != ANYTHING:
            said.add(("type", form.mask))
        if form.values is not None:
            said.add(("values", frozenset(map(key, form.values))))
        return frozenset(said) or True

    def _said(self, flat: Flat, colors: dict[_Name, int]) -> Iterator[Hashable]:
        value, year = flat.value, flat.sub.dialect.year

        def at(*edge: Any) -> int:
            return colors[_name(self._forms.child(flat, edge))]

        for keyword in _SAID:
            if keyword in value and value[keyword] != _NOTHING_SAID.get(keyword):
                yield keyword, key(value[keyword])
        asserted = self._forms.joint.side(flat.sub).contract.formats
        if asserted and isinstance(value.get("format"), str):
            stand = standing(value["format"], flat.sub.dialect)
            if stand != "none":
                yield "format", value["format"], stand
        yield from self._members(flat, value, at)
        positional = self._items(flat, value, at)
        if positional is not None:
            yield positional
        for keyword in ("anyOf", "oneOf"):
            listed = value.get(keyword)
            if isinstance(listed, list) and len(listed) > 1:
                colored = [at(keyword, i) for i in range(len(listed))]
                yield keyword, frozenset(colored) if keyword == "anyOf" else tuple(sorted(colored))
        if "not" in value:
            yield "not", at("not")
        if "if" in value and year >= 7:
            yield "if", at("if"), *(at(k) if k in value else None for k in ("then", "else"))
        if "contains" in value and year >= 6:
            counts = (value.get("minContains", 1), value.get("maxContains")) if year >= 19 else (1, None)
            yield "contains", at("contains"), *counts, year >= 20
        if "propertyNames" in value and year >= 6:
            yield "propertyNames", at("propertyNames")
        for keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if keyword in value and year >= 19:
                yield self._unevaluated(flat, keyword, colors)

    def _members(self, flat: Flat, value: dict[str, Any], at: Any) -> Iterator[Hashable]:
        year = flat.sub.dialect.year
        told = {k: value[k] for k in ("properties", "patternProperties") if k in value}
        if told or "additionalProperties" in value:
            yield (
                "members",
                frozenset((n, at("properties", n)) for n in told.get("properties", ())),
                frozenset((p, at("patternProperties", p)) for p in told.get("patternProperties", ())),
                at("additionalProperties") if "additionalProperties" in value else None,
            )
        for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
            if keyword not in value or year < 19 and keyword != "dependencies":
                continue
            by_both = not disputed(keyword, flat.sub.dialect)
            for name, needed in value[keyword].items():
                if isinstance(needed, list):
                    yield "needs", name, frozenset(needed), by_both
                elif isinstance(needed, (dict, bool)):
                    yield "dependents", name, at(keyword, name), by_both

    def _items(self, flat: Flat, value: dict[str, Any], at: Any) -> Hashable:
        found = items(flat)
        if found is None:
            return None
        prefix = tuple(at(*edge) for edge in found.prefix if edge is not None)
        return "items", prefix, None if found.rest is None else at(*found.rest)

    def _unevaluated(self, flat: Flat, keyword: str, colors: dict[_Name, int]) -> Hashable:
        """With all that the schema object itself applies in place, since that is what it sees."""
        child = colors[_name(self._forms.child(flat, (keyword,)))]
        seen: set[Hashable] = set()
        for inner in self._form(flat.part).flats:
            for said in self._said_here(inner, colors):
                seen.add(said)
        return keyword, child, frozenset(seen)

    def _said_here(self, flat: Flat, colors: dict[_Name, int]) -> Iterator[Hashable]:
        def at(*edge: Any) -> int:
            return colors[_name(self._forms.child(flat, edge))]

        value, year = flat.value, flat.sub.dialect.year
        yield from self._members(flat, value, at)
        positional = self._items(flat, value, at)
        if positional is not None:
            yield positional
        for keyword in ("anyOf", "oneOf"):
            listed = value.get(keyword)
            if isinstance(listed, list) and len(listed) > 1:
                yield keyword, tuple(sorted(at(keyword, i) for i in range(len(listed))))
        if "if" in value and year >= 7:
            yield "if", at("if"), *(at(k) if k in value else None for k in ("then", "else"))
        if "contains" in value and year >= 20:
            yield "contains", at("contains")
        for keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if keyword in value and year >= 19:
                yield keyword, at(keyword)


def _name(part: Part) -> _Name:
    return id(part[0]), part[1]
