"""What the table of keywords has a row of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .mutation import At, Mutation
from .shape import Alternative, Expansion, Ob

Accept = Callable[[Expansion, Ob, Any], None]
Deny = Callable[[Ob, Any, Expansion], Sequence[Alternative]]
Mutations = Callable[[At], Iterable[Mutation]]


def _nothing(at: At) -> Iterable[Mutation]:
    return ()


@dataclass(frozen=True, slots=True)
class Keyword:
    """All that is known of one keyword.

    `accept` lays the keyword's assertion on an expansion; `deny` gives the ways to break it, the plainest first;
    `mutations` its named edits. `years`: the first and the last dialect (by `Dialect.year`) that has it. `variants`:
    further edits that only a mutation check makes; what notices them is mostly there for the sake of `mutations`.
    """

    name: str
    accept: Accept
    deny: Deny
    mutations: Mutations = _nothing
    years: tuple[int, int] = (4, 20)
    variants: Mutations = _nothing
