"""An instance on which a contract and an edited one disagree, whichever of them accepts it, or a proof that none does.

For edits that do not say whether they weaken: a property renamed, `then` and `else` swapped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from . import clock
from .compiled import ValidatorFailed
from .contract import Subschema
from .distinguish import SEARCH_STEPS, STEPS, Answer, Engine, Equivalent, Undecided, Witness
from .edited import edited_contract
from .errors import OutOfSteps
from .keywords.aside import asides
from .keywords.mutation import Mutation
from .keywords.shape import Aim, Ob
from .keywords.together import with_kin
from .oracle import Oracle
from .pointers import pointer, steps
from .pointers import replace as placed
from .witness.chooser import Seeded
from .witness.instance import Walk
from .witness.routes import Routes

SEEDS = 6
"""How many seeded walks are made to the edited place, in each of the two contracts."""
ROUTES = 3
HOLDERS = 2
"""How many schemas, from the edited one outwards, are asked what only one of the two says."""


def find(engine: Engine, mutation: Mutation) -> Answer:
    """The answer for any edit of a place that something reaches: by the way it should go first, then by any."""
    witness = _soon(engine, mutation)  # the algebra may take seconds
    if witness is not None:
        return witness
    whole = not mutation.either and any(mutation.plan())
    answer = engine.distinguish(mutation) if whole else compare(engine, mutation)
    if isinstance(answer, Undecided) and whole and not engine.prover.held_back:
        other = compare(engine, mutation)
        return answer if isinstance(other, Undecided) else other
    return answer


def glance(engine: Engine, mutation: Mutation) -> Witness | None:
    """A witness of any edit where the walk soon finds one; nothing is proved, and the algebra is not asked."""
    try:
        with clock.limit():
            if not mutation.either and any(mutation.plan()):
                return engine.walked(mutation, (), [])
            values = _walked(engine, mutation, cheap=True)
            return next(filter(None, (confirmed(engine, mutation, value) for value in values)), None)
    except clock.OutOfTime:
        return None


def compare(engine: Engine, mutation: Mutation) -> Answer:
    """The answer for one edit in whichever direction. A witness is confirmed by both validators on both schemas."""
    try:
        with clock.limit():
            return _compared(engine, mutation)
    except clock.OutOfTime as late:
        return Undecided(str(late))


def _soon(engine: Engine, mutation: Mutation) -> Witness | None:
    """A witness that is walked to: by the plan, to the edited place, or to what only one of the two schemas says."""
    try:
        with clock.limit():
            if not mutation.either and any(mutation.plan()):
                witness = engine.walked(mutation, (), [])
                if witness is not None:
                    return witness
            values = chain(_walked(engine, mutation, cheap=True), _differing(engine, mutation))
            return next(filter(None, (confirmed(engine, mutation, value) for value in values)), None)
    except clock.OutOfTime:
        return None


def _compared(engine: Engine, mutation: Mutation) -> Answer:
    for value in _walked(engine, mutation, cheap=True):
        witness = confirmed(engine, mutation, value)
        if witness is not None:
            return witness
    for value in _differing(engine, mutation):  # the algebra may take seconds
        witness = confirmed(engine, mutation, value)
        if witness is not None:
            return witness
    answered = engine.prover.algebra(mutation)
    if answered.proof:
        return Equivalent(answered.proof)
    for values in (answered.expected, answered.turned, _walked(engine, mutation, cheap=False)):
        for value in values:
            witness = confirmed(engine, mutation, value)
            if witness is not None:
                return witness
    return Undecided(engine.prover.reason or "no walk found an instance, and the algebra no proof")


def confirmed(engine: Engine, mutation: Mutation, value: Any) -> Witness | None:
    """`value` as a witness; None where contract and mutant agree on it, or the validators do not.

    A rejected one must be accepted once the keyword that rejects it is put aside.
    """
    oracle = engine.oracle
    try:
        mutant = oracle.mutant(mutation.edits())
        if oracle.fast(value) is mutant.fast(value):
            return None
        accepted = oracle.accepts(value)
        if accepted is None or mutant.accepts(value) is not (not accepted):
            return None
        turned = accepted is mutation.weakens
        if accepted:
            return Witness(value, turned=turned)
        for failure in engine.failures(value):
            ways = asides(engine.contract, failure.document, failure.keyword_location, failure.member)
            if any(oracle.mutant(edits).accepts(value) for edits in ways):
                return Witness(value, failure=failure, turned=turned)
    except (ValidatorFailed, LookupError):
        return None
    return None


def _walked(engine: Engine, mutation: Mutation, *, cheap: bool) -> Iterator[Any]:
    """Instances that get to the edited place, of the contract and of the edited one."""
    there = Mutation("", mutation.site, (), mutation.site.value, False, lambda: [lambda x: None])
    if cheap and any(mutation.plan()):
        for route in engine.routes.to(mutation.site)[:2]:
            yield from (built.value for built in engine.aimed([Aim(route, mutation)], steps=STEPS // 2))
    yield from _reaching(engine.walk, engine.routes, there, cheap=cheap)
    try:
        edited = edited_contract(engine.contract, mutation.site, mutation.value)
        site = edited.known(mutation.site.document.uri, mutation.site.pointer)
        if site is not None:
            yield from _reaching(Walk(edited, engine.oracle), Routes(edited), replace(there, site=site), cheap=cheap)
    except (LookupError, ValidatorFailed):
        return


def _differing(engine: Engine, mutation: Mutation) -> Iterator[Any]:
    """Instances of two contracts that say, at the edited place or around it, what only one of the two schemas says."""
    for holder in _holders(engine, mutation):
        inner = steps(mutation.site.pointer)[len(steps(holder.pointer)) :]
        edited = placed(holder.value, inner, mutation.value) if inner else mutation.value
        for one, other in ((holder.value, edited), (edited, holder.value)):
            try:
                contract = edited_contract(engine.contract, holder, _only_one(one, other))
                site = contract.known(holder.document.uri, holder.pointer)
                if site is not None:
                    there = Mutation("", site, (), site.value, False, lambda: [lambda x: None])
                    yield from _reaching(Walk(contract, Oracle(contract)), Routes(contract), there, cheap=True)
            except (LookupError, ValidatorFailed):
                continue


def _holders(engine: Engine, mutation: Mutation) -> list[Subschema]:
    """The nearest schemas that instances are held against and that hold the edited one, or are it; the inmost first."""
    path = steps(mutation.site.pointer)
    around = (engine.contract.known(mutation.site.document.uri, pointer(path[:n])) for n in range(len(path), -1, -1))
    return [sub for sub in around if sub is not None and id(sub) in engine.routes.reached][:HOLDERS]


_TOP = ("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "definitions", "$defs")


def _only_one(one: Any, other: Any) -> dict[str, Any]:
    """The schema of what `one` accepts and `other` does not; what is referred to stays where it is."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return {"allOf": [_plain(one), {"not": _plain(other)}]}
    kept = {k: v for k, v in one.items() if k in _TOP}
    names = with_kin([k for k in {**one, **other} if one.get(k) is not other.get(k)])
    changed = {k: v for k, v in other.items() if k in names}  # the rest of it is in `one` too
    return {**kept, "allOf": [_plain(one), {"not": _plain(changed)}]}


def _plain(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {k: v for k, v in value.items() if k not in _TOP}
    return {} if value else {"not": {}}


def _reaching(walk: Walk, routes: Routes, there: Mutation, *, cheap: bool) -> Iterator[Any]:
    for route in routes.to(there.site)[: 1 if cheap else ROUTES]:
        aim = [Ob(walk.contract.root, True, (Aim(route, there),))]
        if cheap:
            walk.renew(STEPS // 4)
            try:
                for number, built in enumerate(walk.candidates(aim)):
                    yield built.value
                    if number >= 2:
                        break
            except (OutOfSteps, RecursionError):
                continue
            continue
        for seed in range(SEEDS):
            seeded = Walk(walk.contract, walk.oracle, Seeded(seed))
            seeded.renew(SEARCH_STEPS)
            try:
                found = seeded.solve(aim)
            except (OutOfSteps, RecursionError):
                continue
            if found is not None:
                yield found.value
