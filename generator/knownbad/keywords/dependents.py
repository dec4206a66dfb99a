"""`dependentRequired`, `dependentSchemas`, and `dependencies`, which is both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .arrays import closing
from .members import having, lacking
from .mutation import DROP, At, Mutation, together
from .row import Keyword
from .shape import Alternative, Expansion, Ob


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
                    f"{keyword}.remove[{name}][{other}]", keyword, at.edited(**{keyword: left or DROP}),
                    together(having(name), lacking(other), *rest),
                    member=None if whole else other, steps=(keyword, name), slug=f"{name}-without-{other}",
                )  # fmt: skip

    return mutations


def dependents_variants(keyword: str) -> Any:
    def variants(at: At) -> Iterator[Mutation]:
        value = at.value[keyword]
        for name, needed in value.items():
            if isinstance(needed, list) and len(needed) < 2:
                continue  # without its one member the entry says nothing
            left = {n: v for n, v in value.items() if n != name}
            dropped = at.edited(**{keyword: left or DROP})
            plan = _broken(keyword, name, needed, at)
            named = (keyword, name) if isinstance(needed, list) else (keyword,)
            yield at.weaker(
                f"{keyword}.remove[{name}]", keyword, dropped, lazy=plan, steps=named, slug=f"with-{name}"
            )  # fmt: skip
            if isinstance(needed, dict):
                never = at.edited(**{keyword: {**value, name: closing(needed, at)}})
                yield at.stronger(f"{keyword}.close[{name}]", keyword, never, having(name), slug=f"with-{name}")

    return variants


def _broken(keyword: str, name: str, needed: Any, at: At) -> Callable[[], Sequence[Alternative]]:
    if isinstance(needed, list):
        return lambda: [together(having(name), lacking(other)) for other in needed if other != name]
    child = at.contract.child(at.sub, keyword, name)
    return lambda: [lambda x: _there(name, Ob(child, False, (), x.scope))(x)]


def _dependents(keyword: str, first: int, last: int) -> Keyword:
    return Keyword(
        keyword, accept_dependents(keyword), deny_dependents(keyword), dependents_mutations(keyword), (first, last),
        dependents_variants(keyword),
    )  # fmt: skip


ROWS = (
    _dependents("dependentRequired", 19, 20),
    _dependents("dependentSchemas", 19, 20),
    _dependents("dependencies", 4, 20),
)
