"""From the obligations at one instance location to the shapes that meet them, one alternative at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..contract import Contract
from ..keywords.applicators import entering
from ..keywords.shape import Alternative, Expansion, Key, Ob, Shape
from ..keywords.table import rows_of
from .budget import Budget
from .chooser import Chooser


def shapes(
    obs: Sequence[Ob], contract: Contract, chooser: Chooser, budget: Budget, strict: frozenset[Key] = frozenset()
) -> Iterator[Shape]:
    """Every shape that the obligations allow, in the chooser's order; lazily, since there may be very many."""
    todo = sorted(obs, key=lambda ob: not ob.aims, reverse=True)
    start = Expansion(contract, Shape(), todo, strict=strict)
    yield from _settle(start, chooser, budget)


def _settle(x: Expansion, chooser: Chooser, budget: Budget) -> Iterator[Shape]:
    while x.todo:
        budget.spend()
        _take(x, x.todo.pop())
        if x.shape.dead:
            return
    if not x.choices:
        if possible(x.shape):
            yield x.shape
        return
    alternatives = x.choices.pop(0)
    for index in chooser.order(len(alternatives)):
        budget.spend()
        branch = x.fork()
        alternatives[index](branch)
        if not branch.shape.dead:
            yield from _settle(branch, chooser, budget)


def _take(x: Expansion, ob: Ob) -> None:
    """Lay one obligation on the expansion."""
    if x.contract.has_dynamic:
        ob = Ob(ob.sub, ob.accept, ob.aims, entering(ob.scope, ob.sub, x.contract))
    key = ob.key
    ending = [aim.mutation for aim in ob.aims if not aim.route]
    if key in x.seen and not ob.aims:
        return
    x.seen.add(key)
    value = ob.sub.value
    aside: tuple[str, ...] = ()
    fault = next((m for m in ending if m.weakens), None)
    if fault is not None:
        aside = fault.aside
    if isinstance(value, bool):
        if value is not ob.accept and fault is None:
            x.shape.dead = True
    elif ob.accept:
        for row in rows_of(value, ob.sub.dialect):
            if row.name not in aside:
                row.accept(x, ob, value[row.name])
                if x.shape.dead:
                    return
        if not ob.aims:
            x.shape.hints.extend(_suggested(value))
    else:
        ways: list[Alternative] = []
        for row in rows_of(value, ob.sub.dialect):
            ways.extend(row.deny(ob, value[row.name], x))
        x.choose(ways)
    for mutation in ending:
        _serve(x, ob, mutation, fault)


def _serve(x: Expansion, ob: Ob, mutation: object, fault: object) -> None:
    """Apply a mutation's plan here. Of several, those that no longer fit are left for another instance."""
    from ..keywords.mutation import Mutation

    assert isinstance(mutation, Mutation)
    x.scope = ob.scope
    plan = list(mutation.plan())
    if mutation is fault:
        x.shape.covered.append(mutation)
        x.choose(plan) if plan else _die(x)
        return
    if not plan:
        return
    if len(ob.aims) == 1:
        x.shape.covered.append(mutation)
        x.choose(plan)
        return
    trial = x.fork()
    plan[0](trial)
    if not trial.shape.dead and possible(trial.shape):
        plan[0](x)
        x.shape.covered.append(mutation)


def _die(x: Expansion) -> None:
    x.shape.dead = True


def _suggested(value: dict[str, object]) -> Iterator[object]:
    """The values that a schema object offers itself."""
    examples = value.get("examples")
    if isinstance(examples, list):
        yield from examples[:3]
    if "default" in value:
        yield value["default"]


def possible(shape: Shape) -> bool:
    """A quick look for contradictions; True promises nothing."""
    if shape.dead or not shape.types:
        return False
    if shape.forbidden & shape.required.keys():
        return False
    if shape.values is not None:
        from .scalars import fits

        return any(fits(shape, value) for value in shape.values)
    return True
