"""The applicators in place: `allOf`, `anyOf`, `oneOf`, `not`, `if`, and the references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from ..contract import Contract, Subschema
from .arrays import closing
from .mutation import DROP, At, Mutation
from .replacing import made_static, redirected, swapped_constants
from .row import Keyword
from .shape import Alternative, Expansion, Ob, Scope

PAIRS = 200
"""How many pairs of `oneOf` branches are tried for an instance that both accept."""


def holding(*obs: Ob) -> Alternative:
    """These obligations hold as well."""

    def narrow(x: Expansion) -> None:
        x.todo.extend(obs)

    return narrow


def branches(keyword: str, ob: Ob, contract: Contract) -> list[Ob]:
    """The branches of a combinator, each with the aims that lead through it."""
    count = len(ob.sub.value[keyword])
    return [ob.below(contract.child(ob.sub, keyword, i), keyword, i) for i in range(count)]


def denied(ob: Ob) -> Ob:
    """The opposite obligation, without aims."""
    return Ob(ob.sub, not ob.accept, (), ob.scope)


def accept_all(x: Expansion, ob: Ob, value: Any) -> None:
    x.todo.extend(branches("allOf", ob, x.contract))


def deny_all(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [holding(denied(b)) for b in branches("allOf", ob, x.contract) if b.sub.value not in (True, {})]


def one_branch(keyword: str, ob: Ob, contract: Contract, exclusive: bool) -> list[Alternative]:
    """Each way to take one branch. An aimed branch is the only one taken, and no other may accept in its stead."""
    parts = branches(keyword, ob, contract)
    aimed = [i for i, part in enumerate(parts) if part.aims or ob.aims and ob.aimed(keyword, i)]
    taken = aimed or range(len(parts))

    def take(index: int) -> Alternative:
        def narrow(x: Expansion) -> None:
            x.todo.append(parts[index])
            if exclusive or aimed:
                x.reject(Ob(p.sub, True, (), p.scope) for i, p in enumerate(parts) if i != index)

        return narrow

    return [take(i) for i in taken]


def accept_any(x: Expansion, ob: Ob, value: Any) -> None:
    x.choose(one_branch("anyOf", ob, x.contract, exclusive=False))


def deny_any(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [holding(*map(denied, branches("anyOf", ob, x.contract)))]


def accept_one(x: Expansion, ob: Ob, value: Any) -> None:
    x.choose(one_branch("oneOf", ob, x.contract, exclusive=True))


def deny_one(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    parts = branches("oneOf", ob, x.contract)
    return [holding(*map(denied, parts)), *two_of(parts)]


def two_of(parts: Sequence[Ob]) -> list[Alternative]:
    """Each way to be accepted by two of these."""
    plain = [Ob(p.sub, True, (), p.scope) for p in parts]
    return [holding(a, b) for a, b in islice(combinations(plain, 2), PAIRS)]


def beside_another(parts: Sequence[Ob], index: int) -> list[Alternative]:
    """Each way to be accepted by the branch at `index` and by just one of the others."""

    def beside(other: int) -> Alternative:
        def narrow(x: Expansion) -> None:
            x.todo.extend((parts[index], parts[other]))
            x.reject(p for i, p in enumerate(parts) if i not in (index, other))

        return narrow

    return [beside(other) for other in range(len(parts)) if other != index]


def _each_branch(keyword: str, at: At) -> Iterator[Mutation]:
    """Strengthening: each branch dropped in turn; the witness needs that branch and no other."""
    value = at.value[keyword]
    parts = [Ob(at.contract.child(at.sub, keyword, i)) for i in range(len(value))]

    def only(index: int) -> Alternative:
        def narrow(x: Expansion) -> None:
            x.todo.append(parts[index])
            x.reject(p for i, p in enumerate(parts) if i != index)

        return narrow

    for index in range(len(value)):
        if len(value) > 1:
            left = [v for i, v in enumerate(value) if i != index]
            yield at.stronger(
                f"{keyword}.remove[{index}]", keyword, at.edited(**{keyword: left}), only(index), slug=f"branch-{index}"
            )


def all_mutations(at: At) -> Iterator[Mutation]:
    for index in range(len(at.value["allOf"])):
        left = [v for i, v in enumerate(at.value["allOf"]) if i != index]
        part = Ob(at.contract.child(at.sub, "allOf", index))
        others = [Ob(at.contract.child(at.sub, "allOf", i)) for i in range(len(at.value["allOf"])) if i != index]
        yield at.weaker(
            f"allOf.remove[{index}]", "allOf", at.edited(allOf=left or DROP), holding(denied(part), *others),
            slug=f"not-branch-{index}", minor=True,
        )  # fmt: skip


def any_mutations(at: At) -> Iterator[Mutation]:
    parts = [Ob(at.contract.child(at.sub, "anyOf", i)) for i in range(len(at.value["anyOf"]))]
    yield at.weaker(
        "anyOf.drop", "anyOf", at.edited(anyOf=DROP), holding(*map(denied, parts)), slug="no-branch", minor=True
    )
    yield from _each_branch("anyOf", at)


def one_mutations(at: At) -> Iterator[Mutation]:
    parts = [Ob(at.contract.child(at.sub, "oneOf", i)) for i in range(len(at.value["oneOf"]))]
    yield at.weaker(
        "oneOf.drop", "oneOf", at.edited(oneOf=DROP), holding(*map(denied, parts)), slug="no-branch", minor=True
    )
    if "anyOf" not in at.value and len(parts) > 1:
        both = at.edited(oneOf=DROP, anyOf=at.value["oneOf"])
        yield at.weaker("oneOf.any", "oneOf", both, lazy=lambda: two_of(parts), slug="two-branches")
    yield from _each_branch("oneOf", at)


def any_variants(at: At) -> Iterator[Mutation]:
    branches = at.value["anyOf"]
    parts = [Ob(at.contract.child(at.sub, "anyOf", i)) for i in range(len(branches))]
    if len(parts) > 1:
        if "oneOf" not in at.value:
            one = at.edited(anyOf=DROP, oneOf=branches)
            yield at.stronger("anyOf.one", "anyOf", one, lazy=lambda: two_of(parts), slug="two-branches")
        fails = [holding(denied(part)) for part in parts]
        yield at.stronger("anyOf.all", "anyOf", _all_of("anyOf", at), lazy=lambda: fails, slug="not-every-branch")
    yield from swapped_constants("anyOf", at)


def one_variants(at: At) -> Iterator[Mutation]:
    if len(at.value["oneOf"]) > 1:
        yield at.stronger("oneOf.all", "oneOf", _all_of("oneOf", at), holding(), slug="not-every-branch", either=True)
    yield from swapped_constants("oneOf", at)


def _all_of(keyword: str, at: At) -> dict[str, Any]:
    """The schema object with all branches of a combinator to be met."""
    return at.edited(**{keyword: DROP, "allOf": [*at.value.get("allOf", ()), *at.value[keyword]]})


def accept_not(x: Expansion, ob: Ob, value: Any) -> None:
    x.add(Ob(x.contract.child(ob.sub, "not"), False, (), ob.scope))


def deny_not(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    return [holding(Ob(x.contract.child(ob.sub, "not"), True, (), ob.scope))]


def not_mutations(at: At) -> Iterator[Mutation]:
    part = Ob(at.contract.child(at.sub, "not"))
    yield at.weaker("not.drop", "not", at.edited(**{"not": DROP}), holding(part), slug="not")


def _part(ob: Ob, keyword: str, contract: Contract, accept: bool) -> list[Ob]:
    if keyword not in ob.sub.value:
        return []
    child = contract.child(ob.sub, keyword)
    return [ob.below(child, keyword) if accept else Ob(child, False, (), ob.scope)]


def accept_if(x: Expansion, ob: Ob, value: Any) -> None:
    met = holding(*_part(ob, "if", x.contract, True), *_part(ob, "then", x.contract, True))
    unmet = holding(*_part(ob, "if", x.contract, False), *_part(ob, "else", x.contract, True))
    ways = [met, unmet]
    if ob.aimed("then") or ob.aimed("else"):
        ways = [met] if ob.aimed("then") else [unmet]
    elif "then" not in ob.sub.value and "else" not in ob.sub.value:
        return
    elif "then" in ob.sub.value and "else" not in ob.sub.value:
        ways = [unmet, met]
    x.choose(ways)


def deny_if(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    ways: list[Alternative] = []
    if "then" in ob.sub.value:
        ways.append(holding(*_part(ob, "if", x.contract, True), *_part(ob, "then", x.contract, False)))
    if "else" in ob.sub.value:
        ways.append(holding(*_part(ob, "if", x.contract, False), *_part(ob, "else", x.contract, False)))
    return ways


def if_mutations(at: At) -> Iterator[Mutation]:
    condition = Ob(at.contract.child(at.sub, "if"))
    for keyword, ob, slug in (("then", condition, "condition-met"), ("else", denied(condition), "condition-not-met")):
        if keyword in at.value and at.value[keyword] is not False:
            closed = at.edited(**{keyword: closing(at.value[keyword], at)})
            yield at.stronger(f"{keyword}.close", keyword, closed, holding(ob), slug=slug)


def if_variants(at: At) -> Iterator[Mutation]:
    condition = Ob(at.contract.child(at.sub, "if"))
    sides = {"then": condition, "else": denied(condition)}
    parts = [keyword for keyword in sides if keyword in at.value]
    if not parts:
        return
    wrong = {part: holding(sides[part], Ob(at.contract.child(at.sub, part), False)) for part in parts}
    for part in parts:
        yield at.weaker(f"{part}.drop", part, at.edited(**{part: DROP}), wrong[part], aside=("if",), slug=f"no-{part}")
    # Beside one part alone, a condition that always or never holds makes it count always or never.
    always: dict[str, Any] = {"then": {}, "else": {"not": {}}}
    for part, name in (("then", "if.true"), ("else", "if.false")):
        edited = at.edited(**{"if": always[part]})
        if len(parts) == 2:
            yield at.replaced(name, "if", edited)
        elif part in parts:
            yield at.stronger(name, "if", edited, holding(denied(sides[part])), slug="condition")
        else:
            yield at.weaker(name, "if", edited, wrong[parts[0]], slug="condition")
    yield at.replaced("if.negate", "if", at.edited(**{"if": {"not": at.value["if"]}}))
    swapped = {"then": at.value.get("else", DROP), "else": at.value.get("then", DROP)}
    yield at.replaced("then.else.swap", parts[0], at.edited(**swapped))


def accept_ref(x: Expansion, ob: Ob, value: Any) -> None:
    target = x.contract.target(ob.sub, value)
    if target is not None:
        below = ob.below(target, "$ref")
        x.add(Ob(target, True, below.aims, entering(ob.scope, target, x.contract)))


def deny_ref(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
    target = x.contract.target(ob.sub, value)
    return [] if target is None else [holding(Ob(target, False, (), entering(ob.scope, target, x.contract)))]


def entering(scope: Scope, target: Subschema, contract: Contract) -> Scope:
    """The dynamic scope inside `target`: its resource counts when it has a new anchor; the outermost one wins."""
    place = (target.document.uri, target.resource)
    anchors = contract.dynamic_anchors(place)
    if not anchors or all(any(contract.anchored(outer, anchor) for outer in scope) for anchor in anchors):
        return scope
    return (*scope, place)


def ref_mutations(at: At) -> Iterator[Mutation]:
    value = at.value["$ref"]
    target = at.contract.target(at.sub, value) if isinstance(value, str) else None
    if target is not None:
        opened: Any = {} if at.sub.dialect.ref_hides_siblings else at.edited(**{"$ref": DROP})
        yield at.weaker("$ref.any", "$ref", opened, holding(Ob(target, False)), slug="not-of-the-target", minor=True)


def ref_variants(at: At) -> Iterator[Mutation]:
    never = at.edited(**{"$ref": DROP, "not": {}})
    if at.sub.dialect.ref_hides_siblings:
        never = closing(at.value, at)
    yield at.stronger("$ref.never", "$ref", never, holding(), slug="of-the-target")
    yield from redirected(at)


def dynamic_target(keyword: str, ob: Ob, contract: Contract) -> Subschema:
    """Where a `$dynamicRef` or `$recursiveRef` leads in the dynamic scope of this obligation."""
    static, anchor = contract.dynamic(ob.sub, keyword)
    if anchor is not None:
        for place in (*ob.scope, (ob.sub.document.uri, ob.sub.resource)):
            found = contract.anchored(place, anchor)
            if found is not None:
                return found
    return static


def _dynamic(keyword: str, year: int) -> Keyword:
    def accept(x: Expansion, ob: Ob, value: Any) -> None:
        target = dynamic_target(keyword, ob, x.contract)
        x.add(Ob(target, True, ob.below(target, keyword).aims, entering(ob.scope, target, x.contract)))

    def deny(ob: Ob, value: Any, x: Expansion) -> Sequence[Alternative]:
        target = dynamic_target(keyword, ob, x.contract)
        return [holding(Ob(target, False, (), entering(ob.scope, target, x.contract)))]

    def mutations(at: At) -> Iterator[Mutation]:
        def broken(x: Expansion) -> None:
            x.add(Ob(dynamic_target(keyword, Ob(at.sub, scope=x.scope), at.contract), False, (), x.scope))

        yield at.weaker(
            f"{keyword}.any", keyword, at.edited(**{keyword: DROP}), broken, slug="not-of-the-target", minor=True
        )

    return Keyword(keyword, accept, deny, mutations, (year, year), lambda at: made_static(keyword, at))


ROWS = (
    Keyword("$ref", accept_ref, deny_ref, ref_mutations, variants=ref_variants),
    _dynamic("$dynamicRef", 20),
    _dynamic("$recursiveRef", 19),
    Keyword("allOf", accept_all, deny_all, all_mutations),
    Keyword("anyOf", accept_any, deny_any, any_mutations, variants=any_variants),
    Keyword("oneOf", accept_one, deny_one, one_mutations, variants=one_variants),
    Keyword("not", accept_not, deny_not, not_mutations),
    Keyword("if", accept_if, deny_if, if_mutations, (7, 20), if_variants),
)
