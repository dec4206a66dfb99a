"""`properties` and its kin, `required`, `propertyNames`, the `dependen...` keywords, `unevaluatedProperties`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .arrays import closing
from .counts import count_rows
from .mutation import DROP, At, Mutation, together
from .row import Keyword
from .shape import OBJECT, Alternative, Expansion, Extra, Forced, Ob


def accept_properties(x: Expansion, ob: Ob, value: Any) -> None:
    for name in value:
        child = ob.below(x.contract.child(ob.sub, "properties", name), "properties", name)
        x.shape.properties.setdefault(name, []).append(child)
        if ob.aims and ob.aimed("properties", name):
            x.shape.require(name)


def having(name: str, *obs: Ob) -> Alternative:
    """The member `name` is there and these hold for it."""

    def narrow(x: Expansion) -> None:
        x.shape.require(name)
        x.shape.properties.setdefault(name, []).extend(obs)

    return narrow


def lacking(name: str) -> Alternative:
    """An object without the member `name`."""

    def narrow(x: Expansion) -> None:
        x.shape.only(OBJECT)
        x.shape.forbid(name)

    return narrow


def forcing(forced: Forced) -> Alternative:
    """A member under a name yet to be made is there."""

    def narrow(x: Expansion) -> None:
        x.shape.only(OBJECT)
        x.shape.forced.append(forced)

    return narrow


def deny_properties(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    children = {name: x.contract.child(ob.sub, "properties", name) for name in value}
    return [having(name, Ob(c, False, (), ob.scope)) for name, c in children.items() if c.value not in (True, {})]


def properties_mutations(at: At) -> Iterator[Mutation]:
    required = at.value.get("required")
    needed = required if isinstance(required, list) else []
    value = at.value["properties"]
    for name, sub in value.items():
        if sub is False:
            continue
        closed = {**value, name: closing(sub, at)}
        if name not in needed:
            yield at.stronger(
                f"properties.close[{name}]",
                "properties",
                at.edited(properties=closed),
                having(name),
                slug=f"with-{name}",
            )
            if not isinstance(required, bool):
                added = at.edited(required=[*needed, name])
                yield at.stronger(f"required.add[{name}]", "properties", added, lacking(name), slug=f"without-{name}")
    if "additionalProperties" not in at.value and "unevaluatedProperties" not in at.value:
        yield from _closed(at)


def _closed(at: At) -> Iterator[Mutation]:
    outside, patterns = _declared(at.value)
    extra = forcing(Forced(outside, not_patterns=patterns))
    closed = at.edited(additionalProperties=False)
    yield at.stronger("additionalProperties.close", "additionalProperties", closed, extra, slug="extra-member")


def _declared(value: dict[str, Any]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names and the patterns that `additionalProperties` of a schema object does not speak of."""
    names, patterns = value.get("properties"), value.get("patternProperties")
    return (
        frozenset(names if isinstance(names, dict) else ()),
        tuple(patterns if isinstance(patterns, dict) else ()),
    )


def accept_patterns(x: Expansion, ob: Ob, value: Any) -> None:
    for pattern in value:
        child = ob.below(x.contract.child(ob.sub, "patternProperties", pattern), "patternProperties", pattern)
        x.shape.pattern_properties.append((pattern, Ob(child.sub, True, (), ob.scope)))
        if ob.aims and ob.aimed("patternProperties", pattern):
            forcing(Forced(patterns=(pattern,), value_obs=(child,)))(x)


def deny_patterns(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    children = {p: x.contract.child(ob.sub, "patternProperties", p) for p in value}
    return [
        forcing(Forced(patterns=(p,), value_obs=(Ob(child, False, (), ob.scope),)))
        for p, child in children.items()
        if child.value not in (True, {})
    ]


def patterns_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["patternProperties"]
    for pattern, sub in value.items():
        if sub is not False:
            closed = at.edited(patternProperties={**value, pattern: closing(sub, at)})
            plan = forcing(Forced(patterns=(pattern,)))
            yield at.stronger(
                f"patternProperties.close[{pattern}]", "patternProperties", closed, plan, slug="pattern-member"
            )


def accept_additional(x: Expansion, ob: Ob, value: Any) -> None:
    child = ob.below(x.contract.child(ob.sub, "additionalProperties"), "additionalProperties")
    names, patterns = _declared(ob.sub.value)
    x.shape.extras.append(Extra(names, patterns, Ob(child.sub, True, (), ob.scope)))
    if ob.aimed("additionalProperties"):
        forcing(Forced(names, not_patterns=patterns, value_obs=(child,)))(x)


def deny_additional(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    names, patterns = _declared(ob.sub.value)
    child = Ob(x.contract.child(ob.sub, "additionalProperties"), False, (), ob.scope)
    return [] if value in (True, {}) else [forcing(Forced(names, not_patterns=patterns, value_obs=(child,)))]


def additional_mutations(at: At) -> Iterator[Mutation]:
    if at.value["additionalProperties"] is not False:
        yield from _closed(at)


def accept_names(x: Expansion, ob: Ob, value: Any) -> None:
    child = ob.below(x.contract.child(ob.sub, "propertyNames"), "propertyNames")
    x.shape.names.append(Ob(child.sub, True, (), ob.scope))
    if ob.aimed("propertyNames"):
        forcing(Forced(name_obs=(child,)))(x)


def deny_names(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    child = Ob(x.contract.child(ob.sub, "propertyNames"), False, (), ob.scope)
    return [forcing(Forced(name_obs=(child,)))]


def accept_required(x: Expansion, ob: Ob, value: Any) -> None:
    if not isinstance(value, list) or not value:
        return
    if x.shape.types == OBJECT:
        for name in value:
            x.shape.require(name)
    else:  # `required` alone says nothing of other types: keep them possible, an object first
        names = tuple(value)

        def all_there(y: Expansion) -> None:
            for name in names:
                y.shape.require(name)

        x.choose([all_there, _no_object])


def _no_object(x: Expansion) -> None:
    x.shape.only(~OBJECT)


def deny_required(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [lacking(name) for name in value] if isinstance(value, list) else []


def required_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["required"]
    if not isinstance(value, list):
        return
    for name in dict.fromkeys(value):
        left = [n for n in value if n != name]
        others = [having(n) for n in dict.fromkeys(left)]
        yield at.weaker(
            f"required.remove[{name}]", "required", at.edited(required=left or DROP),
            together(lacking(name), *others), member=name, slug=f"without-{name}",
        )  # fmt: skip


def accept_dependents(keyword: str) -> Any:
    def accept(x: Expansion, ob: Ob, value: Any) -> None:
        for name, needed in value.items():
            if isinstance(needed, list):
                x.shape.dependents.append((name, tuple(needed)))
                continue
            child = ob.below(x.contract.child(ob.sub, keyword, name), keyword, name)
            there = _there(name, child)
            x.choose([there] if ob.aimed(keyword, name) else [_absent(name), there])

    return accept


def _absent(name: str) -> Alternative:
    return lambda x: x.shape.forbid(name)


def _there(name: str, ob: Ob) -> Alternative:
    def narrow(x: Expansion) -> None:
        x.shape.require(name)
        x.add(ob)

    return narrow


def deny_dependents(keyword: str) -> Any:
    def deny(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
        ways: list[Alternative] = []
        for name, needed in value.items():
            if isinstance(needed, list):
                ways.extend(together(having(name), lacking(other)) for other in needed if other != name)
            else:
                ways.append(_there(name, Ob(x.contract.child(ob.sub, keyword, name), False, (), ob.scope)))
        return ways

    return deny


def dependents_mutations(keyword: str) -> Any:
    def mutations(at: At) -> Iterator[Mutation]:
        value = at.value[keyword]
        for name, needed in value.items():
            if not isinstance(needed, list):
                continue
            for other in dict.fromkeys(needed):
                left = {**value, name: [n for n in needed if n != other]}
                rest = [having(n) for n in needed if n != other]
                # Draft-04 forbids an empty list: there the whole entry is put aside, so no member is named.
                whole = at.sub.dialect.year == 4 and not left[name]
                if whole:
                    left = {n: v for n, v in value.items() if n != name}
                yield at.weaker(
                    f"{keyword}.remove[{name}][{other}]", keyword, at.edited(**{keyword: left}),
                    together(having(name), lacking(other), *rest),
                    member=None if whole else other, steps=(keyword, name), slug=f"{name}-without-{other}",
                )  # fmt: skip

    return mutations


def accept_unevaluated(x: Expansion, ob: Ob, value: Any) -> None:
    child = ob.below(x.contract.child(ob.sub, "unevaluatedProperties"), "unevaluatedProperties")
    x.shape.extras.append(Extra(None, (), Ob(child.sub, True, (), ob.scope)))
    if ob.aimed("unevaluatedProperties"):
        forcing(Forced(None, value_obs=(child,)))(x)


def deny_unevaluated(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    child = Ob(x.contract.child(ob.sub, "unevaluatedProperties"), False, (), ob.scope)
    return [forcing(Forced(None, value_obs=(child,)))]


def unevaluated_mutations(at: At) -> Iterator[Mutation]:
    if at.value["unevaluatedProperties"] is not False:
        closed = at.edited(unevaluatedProperties=False)
        yield at.stronger(
            "unevaluatedProperties.close", "unevaluatedProperties", closed, forcing(Forced(None)), slug="extra-member"
        )  # fmt: skip


def _dependents(keyword: str, first: int, last: int) -> Keyword:
    return Keyword(
        keyword, accept_dependents(keyword), deny_dependents(keyword), dependents_mutations(keyword), (first, last)
    )


ROWS = (
    Keyword("properties", accept_properties, deny_properties, properties_mutations),
    Keyword("patternProperties", accept_patterns, deny_patterns, patterns_mutations),
    Keyword("additionalProperties", accept_additional, deny_additional, additional_mutations),
    Keyword("propertyNames", accept_names, deny_names, years=(6, 20)),
    Keyword("required", accept_required, deny_required, required_mutations),
    *count_rows("Properties", OBJECT, "members", "members"),
    _dependents("dependentRequired", 19, 20),
    _dependents("dependentSchemas", 19, 20),
    _dependents("dependencies", 4, 20),
    Keyword("unevaluatedProperties", accept_unevaluated, deny_unevaluated, unevaluated_mutations, (19, 20)),
)
