"""`properties` and its kin, `required`, `propertyNames`, the `dependen...` keywords, `unevaluatedProperties`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import dependents
from .arrays import closing, opened, opening
from .counts import count_rows
from .members import having, lacking
from .mutation import DROP, At, Mutation, together
from .replacing import exchanged, moved, renamed
from .row import Keyword
from .shape import OBJECT, Alternative, Expansion, Extra, Forced, Ob
from .strings import opened as opened_pattern


def accept_properties(x: Expansion, ob: Ob, value: Any) -> None:
    aimed = {aim.route[0][1] for aim in ob.aims if aim.route and aim.route[0][0] == "properties"}
    for name, sub in x.contract.members(ob.sub, "properties").items():
        if name in aimed:
            x.shape.require(name)
            child = ob.below(sub, "properties", name)
        else:
            child = Ob(sub, True, (), ob.scope)
        x.shape.properties.setdefault(name, []).append(child)


def forcing(forced: Forced) -> Alternative:
    """A member under a name yet to be made is there."""

    def narrow(x: Expansion) -> None:
        x.shape.only(OBJECT)
        x.shape.forced.append(forced)

    return narrow


def deny_properties(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    children = x.contract.members(ob.sub, "properties")
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


def properties_variants(at: At) -> Iterator[Mutation]:
    value = at.value["properties"]
    for name, sub in value.items():
        anything = opening(sub, at)
        if anything is not None:
            edited = at.edited(properties={**value, name: anything})
            # Where a closure needs the keyword, it cannot be put aside to show that it is the one reason.
            plan = [] if _is_closed(at) else [_wrong(name, at)]
            yield at.weaker(f"properties.any[{name}]", "properties", edited, *plan, slug=f"any-{name}")
    yield from renamed(at, lambda name, under: _wrong(name, at, under))
    yield from moved("properties", at)


def _is_closed(at: At) -> bool:
    return "additionalProperties" in at.value or "unevaluatedProperties" in at.value


def _wrong(name: str, at: At, under: str | None = None) -> Alternative:
    """What the property `name` rejects is there (as the member `under`); the other properties are right."""

    def narrow(x: Expansion) -> None:
        member = name if under is None else under
        for other in at.value["properties"]:
            if other != name:
                child = Ob(at.contract.child(at.sub, "properties", other), True, (), x.scope)
                x.shape.properties.setdefault(other, []).append(child)
        wrong = Ob(at.contract.child(at.sub, "properties", name), False, (), x.scope)
        x.shape.properties.setdefault(member, []).append(wrong)
        x.shape.require(member)

    return narrow


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


def patterns_variants(at: At) -> Iterator[Mutation]:
    value = at.value["patternProperties"]
    for pattern, sub in value.items():
        others = {p: s for p, s in value.items() if p != pattern}
        left = at.edited(patternProperties=others or DROP)
        if _is_closed(at):
            yield at.replaced(f"patternProperties.remove[{pattern}]", "patternProperties", left)
        elif sub is not False:
            yield at.weaker(
                f"patternProperties.remove[{pattern}]", "patternProperties", left, _wrong_match(pattern, at),
                slug="pattern-member",
            )  # fmt: skip
        for name, wider in opened_pattern(pattern):
            if wider not in value:
                entries = {wider if p == pattern else p: s for p, s in value.items()}
                edited = at.edited(patternProperties=entries)
                child = at.contract.child(at.sub, "patternProperties", pattern)
                plans = [_between(wider, pattern, Ob(child, accept)) for accept in (True, False)]
                yield at.replaced(
                    f"patternProperties.{name}[{pattern}]", "patternProperties", edited, *plans,
                    aside=("additionalProperties",),
                )  # fmt: skip


def _between(wider: str, pattern: str, ob: Ob) -> Alternative:
    """A member is there whose name matches one pattern and not the other."""
    return forcing(Forced(patterns=(wider,), not_patterns=(pattern,), value_obs=(ob,)))


def _wrong_match(pattern: str, at: At) -> Alternative:
    """A member that matches `pattern` is there and wrong."""
    child = at.contract.child(at.sub, "patternProperties", pattern)
    return lambda x: forcing(Forced(patterns=(pattern,), value_obs=(Ob(child, False, (), x.scope),)))(x)


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


def additional_variants(at: At) -> Iterator[Mutation]:
    names, patterns = _declared(at.value)
    child = at.contract.child(at.sub, "additionalProperties")

    def wrong(x: Expansion) -> None:
        forcing(Forced(names, not_patterns=patterns, value_obs=(Ob(child, False, (), x.scope),)))(x)

    yield from opened("additionalProperties", "additionalProperties.any", at, wrong)
    if at.sub.dialect.year >= 19:
        yield from exchanged("additionalProperties", "unevaluatedProperties", at)
    yield from moved("additionalProperties", at)


def accept_names(x: Expansion, ob: Ob, value: Any) -> None:
    child = ob.below(x.contract.child(ob.sub, "propertyNames"), "propertyNames")
    x.shape.names.append(Ob(child.sub, True, (), ob.scope))
    if ob.aimed("propertyNames"):
        forcing(Forced(name_obs=(child,)))(x)


def deny_names(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    child = Ob(x.contract.child(ob.sub, "propertyNames"), False, (), ob.scope)
    return [forcing(Forced(name_obs=(child,)))]


def names_variants(at: At) -> Iterator[Mutation]:
    child = at.contract.child(at.sub, "propertyNames")

    def wrong(x: Expansion) -> None:
        forcing(Forced(name_obs=(Ob(child, False, (), x.scope),)))(x)

    yield at.weaker("propertyNames.drop", "propertyNames", at.edited(propertyNames=DROP), wrong, slug="wrong-name")


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


def required_variants(at: At) -> Iterator[Mutation]:
    return moved("required", at)


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


def unevaluated_variants(at: At) -> Iterator[Mutation]:
    child = at.contract.child(at.sub, "unevaluatedProperties")

    def wrong(x: Expansion) -> None:
        forcing(Forced(None, value_obs=(Ob(child, False, (), x.scope),)))(x)

    yield from opened("unevaluatedProperties", "unevaluatedProperties.any", at, wrong)
    yield from exchanged("unevaluatedProperties", "additionalProperties", at)


ROWS = (
    Keyword("properties", accept_properties, deny_properties, properties_mutations, variants=properties_variants),
    Keyword("patternProperties", accept_patterns, deny_patterns, patterns_mutations, variants=patterns_variants),
    Keyword(
        "additionalProperties", accept_additional, deny_additional, additional_mutations, variants=additional_variants
    ),
    Keyword("propertyNames", accept_names, deny_names, years=(6, 20), variants=names_variants),
    Keyword("required", accept_required, deny_required, required_mutations, variants=required_variants),
    *count_rows("Properties", OBJECT, "members", "members"),
    *dependents.ROWS,
    Keyword(
        "unevaluatedProperties",
        accept_unevaluated,
        deny_unevaluated,
        unevaluated_mutations,
        (19, 20),
        unevaluated_variants,
    ),
)
