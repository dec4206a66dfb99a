"""Edits that put something else in a keyword's place: what is renamed, swapped, exchanged, misspelled or moved.

Whether they make the schema weaker or stronger is not known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote, unquote

from ..contract import Contract, Subschema
from ..pointers import escape, steps
from ..values import equal
from .mutation import DROP, At, Mutation
from .places import IN_PLACE, STAYING
from .shape import ARRAY, Alternative, Expansion, Ob, Tuple


def typo(name: str) -> str | None:
    """`name` with two neighbouring letters swapped, the nearest ones to its middle; None where that changes nothing."""
    middle = max(len(name) // 2, 1)
    pairs = [at for at in range(1, len(name)) if name[at - 1] != name[at] and name[at - 1 : at + 1].isalpha()]
    if not pairs:
        return None
    # A capital seldom changes places with a small letter.
    at = min(pairs, key=lambda at: (name[at - 1].islower() != name[at].islower(), abs(at - middle), -at))
    return name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]


def recased(name: str) -> str | None:
    """`name` in the other common spelling: camel case for underscores and the reverse, else another first letter."""
    if re.search(r"[A-Za-z0-9]_[a-z]", name):
        return re.sub(r"(?<=[A-Za-z0-9])_([a-z])", lambda m: m[1].upper(), name)
    if re.search(r"[a-z0-9][A-Z]", name):
        return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda m: "_" + m[0].lower(), name)
    swapped = name[:1].swapcase() + name[1:]
    return swapped if swapped != name and len(swapped) == len(name) else None


def renamed(at: At, wrong: Callable[[str, str], Alternative]) -> Iterator[Mutation]:
    """Each property under a name with a typo and under one in other case.

    `wrong`: what the property of the first name would reject is there under the second.
    """
    value = at.value["properties"]
    for name in value:
        for other in (typo(name), recased(name)):
            if other is not None and other not in value:
                entries = {other if n == name else n: sub for n, sub in value.items()}
                edited = at.edited(properties=entries)
                yield at.replaced(
                    f"properties.rename[{name}][{other}]", "properties", edited, wrong(name, name), wrong(name, other)
                )


def swapped_items(keyword: str, at: At) -> Iterator[Mutation]:
    """Each two neighbours of a tuple the other way round."""
    value = at.value[keyword]
    parts = [Ob(at.contract.child(at.sub, keyword, i)) for i in range(len(value))]
    for index in range(len(value) - 1):
        turned = [*value[:index], value[index + 1], value[index], *value[index + 2 :]]
        plans = [_misplaced(parts, here, other) for here, other in ((index, index + 1), (index + 1, index))]
        yield at.replaced(f"{keyword}.swap[{index}][{index + 1}]", keyword, at.edited(**{keyword: turned}), *plans)


def _misplaced(parts: Sequence[Ob], index: int, other: int) -> Alternative:
    """A tuple whose item at `index` would not do at the place of another one."""

    def narrow(x: Expansion) -> None:
        x.shape.only(ARRAY)
        x.shape.items(low=index + 1)
        x.shape.tuples.append(Tuple(tuple(parts), None))
        x.shape.tuples.append(Tuple((*(None,) * index, Ob(parts[other].sub, False, (), x.scope)), None))

    return narrow


def exchanged_items(keyword: str, at: At) -> Iterator[Mutation]:
    """A list of subschemas for one and the reverse: `items` taken for `prefixItems`, a tuple for a list."""
    value, year = at.value[keyword], at.sub.dialect.year
    if not isinstance(value, list):
        turned = {"items": DROP, "prefixItems": [value]} if year >= 20 else {"items": [value]}
        if year < 20 or "prefixItems" not in at.value:
            child = at.contract.child(at.sub, "items")
            plan = _second_bad(Ob(child), Ob(child, False))
            yield at.weaker("items.exchange", "items", at.edited(**turned), plan, slug="second-item")
        return
    first = Ob(at.contract.child(at.sub, keyword, 0))
    plan = _second_bad(first, Ob(first.sub, False))
    turned = {"items": value[0], "prefixItems": DROP} if year >= 20 else {"items": value[0]}
    if keyword == "prefixItems" and "items" in at.value:
        turned["prefixItems"] = [at.value["items"]]
        plan = _misplaced([first, Ob(at.contract.child(at.sub, "items"))], 0, 1)
    yield at.replaced(f"{keyword}.exchange", keyword, at.edited(**turned), plan)


def _second_bad(good: Ob, bad: Ob) -> Alternative:
    def narrow(x: Expansion) -> None:
        x.shape.only(ARRAY)
        x.shape.items(low=2)
        x.shape.tuples.append(Tuple((good, bad), None))

    return narrow


def exchanged(keyword: str, other: str, at: At) -> Iterator[Mutation]:
    """The keyword for its sibling, which is dropped or takes its place; the same where nothing is applied in place."""
    if STAYING.isdisjoint(at.value):
        return
    turned = {other: at.value[keyword], keyword: at.value.get(other, DROP)}
    yield at.replaced(f"{keyword}.exchange", keyword, at.edited(**turned))


def swapped_constants(keyword: str, at: At) -> Iterator[Mutation]:
    """Two neighbouring branches with the constants of one property, which tells them apart, the other way round."""
    branches = at.value[keyword]
    for index, (one, two) in enumerate(pairwise(branches)):
        for name in _properties(one):
            first, second = _constant(_properties(one)[name]), _constant(_properties(two).get(name))
            if first is None or second is None or equal(first[1], second[1]):
                continue
            turned = [*branches]
            turned[index] = _with_constant(one, name, first[0], second[1])
            turned[index + 1] = _with_constant(two, name, second[0], first[1])
            label = f"{keyword}.swap[{index}][{index + 1}][{name}]"
            yield at.replaced(label, keyword, at.edited(**{keyword: turned}))
            break


def _properties(branch: Any) -> dict[str, Any]:
    held = branch.get("properties") if isinstance(branch, dict) else None
    return held if isinstance(held, dict) else {}


def _constant(sub: Any) -> tuple[str, Any] | None:
    """The keyword by which a subschema is one constant, and the constant."""
    if isinstance(sub, dict) and "$ref" not in sub:
        if "const" in sub:
            return "const", sub["const"]
        if isinstance(sub.get("enum"), list) and len(sub["enum"]) == 1:
            return "enum", sub["enum"][0]
    return None


def _with_constant(branch: dict[str, Any], name: str, keyword: str, constant: Any) -> dict[str, Any]:
    sub = branch["properties"][name]
    held = constant if keyword == "const" else [constant]
    return {**branch, "properties": {**branch["properties"], name: {**sub, keyword: held}}}


def redirected(at: At) -> Iterator[Mutation]:
    """The reference to the next definition beside its target."""
    reference, contract = at.value["$ref"], at.contract
    target = contract.target(at.sub, reference) if isinstance(reference, str) else None
    resource, _, fragment = str(reference).partition("#")
    path = steps(unquote(fragment)) if fragment.startswith("/") else []
    if target is None or len(path) < 2 or path[-2] not in ("definitions", "$defs"):
        return
    above = target.pointer.rpartition("/")[0]
    names = _names(target.document.value, above)
    if path[-1] not in names:
        return
    start = names.index(path[-1]) + 1
    for name in [*names[start:], *names[: start - 1]]:
        sibling = contract.known(target.document.uri, f"{above}/{escape(name)}")
        if sibling is not None and not comes_back(contract, sibling, at.sub):
            moved = fragment.rpartition("/")[0] + "/" + quote(escape(name), safe="~!$&'()*+,;=:@")
            turned = at.edited(**{"$ref": f"{resource}#{moved}"})
            yield at.replaced(
                f"$ref.to[{name}]", "$ref", turned, _one_only(target, sibling), _one_only(sibling, target)
            )
            return


def _one_only(accepting: Subschema, rejecting: Subschema) -> Alternative:
    return lambda x: x.todo.extend((Ob(accepting), Ob(rejecting, False)))


def _names(document: Any, pointer: str) -> list[str]:
    from ..pointers import get

    held = get(document, pointer)
    return list(held) if isinstance(held, dict) else []


def comes_back(contract: Contract, start: Subschema, end: Subschema) -> bool:
    """Whether `start` judges an instance by `end` at the same place, so that a reference to it might never end."""
    seen: set[int] = set()
    todo = [start]
    while todo:
        sub = todo.pop()
        if sub is end:
            return True
        if id(sub) in seen or not isinstance(sub.value, dict):
            continue
        seen.add(id(sub))
        if "$dynamicRef" in sub.value or "$recursiveRef" in sub.value:
            return True  # it may lead anywhere
        todo += [child for path, child in contract.children(sub) if path[0] in IN_PLACE]
        if isinstance(sub.value.get("$ref"), str):
            target = contract.target(sub, sub.value["$ref"])
            todo += [] if target is None else [target]
    return False


def made_static(keyword: str, at: At) -> Iterator[Mutation]:
    """A dynamic reference as a plain one, which leads to the same place wherever it is used."""
    if "$ref" not in at.value and not comes_back(at.contract, at.contract.dynamic(at.sub, keyword)[0], at.sub):
        yield at.replaced(f"{keyword}.static", keyword, at.edited(**{keyword: DROP, "$ref": at.value[keyword]}))


def without_anchor(at: At) -> Iterator[Mutation]:
    """A dynamic anchor as a plain one."""
    value, year = at.value, at.sub.dialect.year
    if year == 20 and isinstance(value.get("$dynamicAnchor"), str) and "$anchor" not in value:
        plain = {"$dynamicAnchor": DROP, "$anchor": value["$dynamicAnchor"]}
        yield at.replaced("$dynamicAnchor.drop", "$dynamicAnchor", at.edited(**plain))
    elif year == 19 and value.get("$recursiveAnchor") is True:
        yield at.replaced("$recursiveAnchor.drop", "$recursiveAnchor", at.edited(**{"$recursiveAnchor": DROP}))


def misspelled(keyword: str, at: At, *plan: Alternative) -> Iterator[Mutation]:
    """The keyword under a name with a typo, so that it is ignored."""
    name = typo(keyword)
    if name is not None and name not in at.value:
        value = {name if k == keyword else k: held for k, held in at.value.items()}
        yield at.replaced(f"{keyword}.misspell", keyword, value, *plan)


def moved(keyword: str, at: At) -> Iterator[Mutation]:
    """`additionalProperties` and `required` one level down and one level up."""
    held = at.value.get("properties")
    properties = held if isinstance(held, dict) else {}
    if keyword == "properties":
        for other in ("additionalProperties", "required"):
            for name, sub in properties.items():
                yield from _up(other, name, sub, at)
    elif keyword == "additionalProperties":
        value = at.value[keyword]
        if properties and keyword not in properties and (at.sub.dialect.year > 4 or isinstance(value, dict)):
            down = at.edited(**{keyword: DROP, "properties": {**properties, keyword: value}})
            yield at.replaced(f"{keyword}.down", keyword, down)
    elif isinstance(at.value[keyword], list) and at.value[keyword]:
        # A member that is an object takes the list; any other one would ignore it.
        name = next((n for n, sub in properties.items() if _holds_members(sub, at) and keyword not in sub), None)
        if name is not None:
            below = {**properties, name: {**properties[name], keyword: at.value[keyword]}}
            down = at.edited(**{keyword: DROP, "properties": below})
            yield at.replaced(f"{keyword}.down[{name}]", keyword, down)


def _holds_members(sub: Any, at: At) -> bool:
    return isinstance(sub, dict) and "properties" in sub and not ("$ref" in sub and at.sub.dialect.ref_hides_siblings)


def _up(keyword: str, name: str, sub: Any, at: At) -> Iterator[Mutation]:
    if not _holds_members(sub, at) or keyword not in sub or keyword in at.value and keyword != "required":
        return
    held, own = sub[keyword], at.value.get(keyword, [])
    if keyword == "required":
        if not isinstance(held, list) or not isinstance(own, list) or not held:
            return
        held = [*own, *(n for n in held if n not in own)]
    left = {k: v for k, v in sub.items() if k != keyword}
    above = {**at.value["properties"], name: left}
    yield at.replaced(f"{keyword}.up[{name}]", "properties", at.edited(**{keyword: held, "properties": above}))
