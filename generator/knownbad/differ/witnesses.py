"""Instances that one contract accepts and the other rejects, made by the walk for one open place at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import OutOfSteps
from ..formats import FORMATS
from ..keywords.arrays import at_index
from ..keywords.general import only, type_mask
from ..keywords.members import having, lacking
from ..keywords.mutation import Mutation
from ..keywords.objects import forcing
from ..keywords.shape import (
    ANY,
    ARRAY,
    NUMBER,
    OBJECT,
    STRING,
    Aim,
    Alternative,
    Contains,
    Expansion,
    Forced,
    Ob,
)
from ..keywords.table import rows_of
from ..witness.chooser import Seeded
from ..witness.instance import Walk
from .colors import Colors
from .covers import Cover, Open, Route
from .forms import Flat, Forms, Part
from .need import Kid
from .sides import Joint, Side

STEPS = 2_500
"""Budget of one walk."""
MOST = 10
"""How many instances of one walk are tried."""
INNER = 4
"""How many differences of a branch are tried beside another branch."""
SEEDS = 6
SEED_STEPS = 1_200


class Search:
    """Makes instances of the accepting side."""

    def __init__(self, joint: Joint, cover: Cover, accepting: Side) -> None:
        self.joint = joint
        self.cover = cover
        self.accepting = accepting
        self.walk = Walk(joint, joint)  # type: ignore[arg-type]  # it stands in for a contract

    def at(self, place: Open) -> Iterator[Any]:
        """Instances that get to an open place and show there what the other side rejects."""
        if place.need.subject is not None and place.need.subject[0] == "beside":
            yield from self._beside(place)
        main = Aim(_shortest(place.routes), self._aim([self._plan(place)]))
        others = [Aim(route, self._aim([_rejecting([part])])) for route, part in place.around]
        yield from self._walked([main, *others])

    def _beside(self, place: Open) -> Iterator[Any]:
        """Instances of two branches at once, where the second takes more than the branch that it was made of."""
        _, first, second, others = place.need.subject
        forms = self.cover.forms
        alike = [p for p in others if p[0].pointer == second[0].pointer] or others
        for other in alike[:1]:
            inner = self.cover.open(forms.node([second]), forms.node([other]), second[0])
            for more in inner[:INNER]:
                aim = Aim(_shortest(more.routes), self._aim([self._plan(more)]))
                obs = [Ob(first[0], True, (), first[1]), Ob(second[0], True, (aim,), second[1])]
                route = max((r for r in place.routes if r is not None), key=len, default=())
                yield from self._walked([Aim(route, self._aim([_all(obs)]))])

    def of_difference(self, place: Open, schema: Any) -> Iterator[Any]:
        """Instances that hold at the place what the algebra says is left there."""
        left = Ob(self.joint.foreign(schema))
        if place.kid is None:
            plan: Alternative = lambda x: x.add(left)  # noqa: E731
        else:
            plan = _one_step(place.need.flat, place.kid, [left])
        yield from self._walked([Aim(_shortest(place.routes), self._aim([plan]))])

    def beyond(self, place: Open, rejecting: Sequence[Part]) -> Iterator[Any]:
        """The same, held against the whole other side, and with varied choices."""
        main = Aim(_shortest(place.routes), self._aim([self._plan(place)]))
        whole = Aim((), self._aim([_rejecting(rejecting)]))
        yield from self._walked([main, whole])
        for seed in range(SEEDS):
            walk = Walk(self.joint, self.joint, Seeded(seed))  # type: ignore[arg-type]
            walk.renew(SEED_STEPS)
            try:
                built = walk.solve([Ob(self.accepting.root, True, (main, whole))])
            except (OutOfSteps, RecursionError):
                continue
            if built is not None:
                yield built.value

    def anywhere(self, rejecting: Sequence[Part]) -> Iterator[Any]:
        """Instances of one side that the other should reject, wherever."""
        yield from self._walked([Aim((), self._aim([_denied(rejecting)]))])
        for seed in range(SEEDS):
            walk = Walk(self.joint, self.joint, Seeded(seed))  # type: ignore[arg-type]
            walk.renew(SEED_STEPS)
            try:
                built = walk.solve([Ob(self.accepting.root)])
            except (OutOfSteps, RecursionError):
                continue
            if built is not None:
                yield built.value

    def _walked(self, aims: Sequence[Aim]) -> Iterator[Any]:
        self.walk.renew(STEPS)
        try:
            for number, built in enumerate(self.walk.candidates([Ob(self.accepting.root, True, tuple(aims))])):
                yield built.value
                if number + 1 >= MOST:
                    return
        except (OutOfSteps, RecursionError):
            return

    def _aim(self, plan: list[Alternative]) -> Mutation:
        root = self.accepting.root
        return Mutation("", root, (), root.value, False, lambda: plan)

    def _plan(self, place: Open) -> Alternative:
        """How an instance looks, at the end of the way, that the other side rejects there."""
        if place.kid is not None:
            return _one_step(place.need.flat, place.kid)
        need, flat = place.need, place.need.flat
        if need.subject is not None and need.keyword == "required":
            return lacking(need.subject[1])
        if need.subject is not None and need.subject[0] == "value":
            value = need.subject[1]
            return lambda x: x.shape.among([value])
        if need.subject is not None and need.keyword == "propertyNames":
            return having(need.subject[1])
        if need.subject is not None and need.subject[0] == "beside":
            return _all([Ob(sub, True, (), scope) for sub, scope in need.subject[1:3]])
        if need.keyword in ("minContains", "maxContains", "contains") and not need.kids:
            return _miscounted(self.cover.forms, self.cover.colors, flat, need.keyword)
        if need.keyword == "format":
            return _of_another_format(flat)
        if need.keyword == "type":
            return _of_another_type(flat)
        return _broken(flat, need.keyword, need.subject)


def _shortest(routes: Sequence[Route | None]) -> Route:
    return min((r for r in routes if r is not None), key=len, default=())


_KIN = {
    "minContains": "contains",
    "maxContains": "contains",
    "exclusiveMinimum": "minimum",
    "exclusiveMaximum": "maximum",
}
"""Where a keyword has no row of its own: the one that it is told of with."""


def _broken(flat: Flat, keyword: str, subject: Any = None) -> Alternative:
    """What a keyword of a schema object rejects."""

    def narrow(x: Expansion) -> None:
        if not keyword or flat.sub.value is False:
            return
        rows = {row.name: row for row in rows_of(flat.value, flat.sub.dialect)}
        row = rows.get(keyword) or rows.get(_KIN.get(keyword, ""))
        if row is None:
            x.add(Ob(flat.sub, False, (), flat.scope))
            return
        value = flat.value[row.name]
        if subject is not None and subject[0] == "name" and isinstance(value, dict) and subject[1] in value:
            value = {subject[1]: value[subject[1]]}
        x.choose(row.deny(Ob(flat.sub, False, (), flat.scope), value, x))

    return narrow


def _miscounted(forms: Forms, colors: Colors, flat: Flat, keyword: str) -> Alternative:
    """An array in which too few items meet `contains`, or too many."""
    sub, scope = forms.child(flat, ("contains",))
    counted = flat.sub.dialect.year >= 19
    low = int(flat.value.get("minContains", 1)) if counted else 1
    if keyword == "maxContains":
        counts: list[tuple[int, int | None]] = [(int(flat.value["maxContains"]) + 1, None)]
    else:
        # As many as are not yet enough come first: another `contains` may ask for some of them.
        counts = [(n, n) for n in dict.fromkeys((low - 1, 0)) if n >= 0]

    def counted_as(count: tuple[int, int | None]) -> Alternative:
        def narrow(x: Expansion) -> None:
            x.shape.only(ARRAY)
            ob = Ob(sub, True, (), scope)
            alike = [k.ob for k in x.shape.contains if colors.same((k.ob.sub, k.ob.scope), (sub, scope))]
            x.shape.contain(Contains(alike[0] if alike else ob, *count))

        return narrow

    ways = [counted_as(count) for count in counts]
    return lambda x: x.choose(ways)


def _of_another_format(flat: Flat) -> Alternative:
    """A text that a format rejects: one that is known to be wrong, or one that another format here takes."""
    name = flat.value["format"]

    def from_tables(x: Expansion) -> None:
        x.shape.only(STRING)
        for other in x.shape.formats:
            x.shape.wanted.extend(FORMATS[other].valid if other in FORMATS else ())
        x.shape.wanted.extend(FORMATS[name].invalid if name in FORMATS else ())

    ways = [_broken(flat, "format"), from_tables]
    return lambda x: x.choose(ways)


def _all(obs: Sequence[Ob]) -> Alternative:
    return lambda x: x.todo.extend(obs)


def _adding(ob: Ob) -> Alternative:
    return lambda x: x.add(ob)


def _of_another_type(flat: Flat) -> Alternative:
    """What `type` rejects; to draft-04, that is 1.0 where an integer is asked for."""
    types = flat.value["type"]
    left = ANY & ~type_mask(types)
    floats = flat.sub.dialect.year == 4 and "integer" in (types if isinstance(types, list) else [types])

    def as_written(x: Expansion) -> None:
        x.shape.only(NUMBER)
        bounds = [float(bound) for bound, _ in (*x.shape.lows, *x.shape.highs)]
        x.shape.wanted.extend([1.0, 0.0, *bounds, *(b + 1 for b in bounds), *map(float, x.shape.multiples)])

    ways = [only(left)] if left else []
    if floats and "number" not in types:
        ways.append(as_written)
    return lambda x: x.choose(ways)


def _denied(parts: Sequence[Part]) -> Alternative:
    ways = [_adding(Ob(sub, False, (), scope)) for sub, scope in parts]
    return lambda x: x.choose(ways)


def _rejecting(parts: Sequence[Part]) -> Alternative:
    """One of several parts turns the value away; of just one it is checked afterwards, which is cheaper."""
    if len(parts) != 1:
        return _denied(parts)
    sub, scope = parts[0]
    return lambda x: x.reject([Ob(sub, True, (), scope)])


def _one_step(flat: Flat, kid: Kid, wanted: Sequence[Ob] = ()) -> Alternative:
    """A member or item that is there and that one part of the other side's node rejects (or that is as `wanted`)."""
    obs = wanted or [Ob(sub, False, (), scope) for sub, scope in kid.right.parts]
    step = kid.step
    if step[0] == "member":
        ways = [having(step[1], ob) for ob in obs]
    elif step[0] == "named":
        _, names, inside, outside = step
        ways = [forcing(Forced(names, tuple(inside), _texts(outside), (), (ob,))) for ob in obs]
    elif step[0] == "item":
        ways = [at_index(step[1], ob) for ob in obs]
    elif step[0] == "here":
        ways = [_here(ob, step[1] if len(step) > 1 else None) for ob in obs]
    else:
        return _broken(flat, "contains" if step[0] == "contains" else "propertyNames")
    return lambda x: x.choose(ways)


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(v for v in values if isinstance(v, str))


def _here(ob: Ob, name: str | None) -> Alternative:
    def narrow(x: Expansion) -> None:
        if name is not None:
            x.shape.only(OBJECT)
            x.shape.require(name)
        x.add(ob)

    return narrow
