"""A mutation: one named edit of one keyword, and how an instance looks that notices it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import Contract, Subschema
from ..mutants import identity
from ..pointers import Step, join
from .shape import Alternative, Expansion

DROP: Any = object()
"""In an edit: the keyword is dropped."""


def together(*parts: Alternative) -> Alternative:
    """All of these at once."""

    def narrow(x: Expansion) -> None:
        for part in parts:
            part(x)

    return narrow


@dataclass(frozen=True, slots=True, eq=False)
class Mutation:
    """One edit of the schema object (or boolean schema) `site`; a fault class when it weakens.

    `keyword`: the steps below `site` to the keyword that a failing instance names. `value`: the schema that takes the
    place of `site`. `aside`: the keywords of `site` that are not asserted while `plan` builds the witness.
    A weakening mutation is witnessed by an instance that the schema rejects and the mutant accepts (a negative), a
    strengthening one by the reverse (a positive). `core`: belongs to `faults = "core"`.
    """

    name: str
    site: Subschema
    keyword: tuple[Step, ...]
    value: Any
    weakens: bool
    plan: Callable[[], Sequence[Alternative]]
    aside: tuple[str, ...] = ()
    member: str | None = None
    core: bool = True
    slug: str = ""
    """What the file is called beyond its place, when the name does not say it well."""
    minor: bool = False
    """Needs a fixture of its own only where no other fixture of the corpus notices it."""
    either: bool = False
    """Whether the edit may as well do the reverse of what `weakens` says, or both."""

    schema: str | None = None
    """The name of the site's document, where that is not the contract's own."""

    @property
    def location(self) -> str:
        """`keywordLocation`: the static JSON Pointer of the keyword."""
        return join(self.site.pointer, *self.keyword)

    @property
    def class_(self) -> str:
        """The fault class in one line: where the schema object is, and what is done to it."""
        return identity(self.schema, self.site.pointer, self.name)

    def edits(self) -> dict[tuple[str, str], Any]:
        """The mutant, as what it puts where: (document URI, pointer) to value."""
        return {(self.site.document.uri, self.site.pointer): self.value}


@dataclass(frozen=True, slots=True)
class At:
    """A place to make mutations for: the schema object, in its contract."""

    contract: Contract
    sub: Subschema

    @property
    def value(self) -> dict[str, Any]:
        """The schema object."""
        value = self.sub.value
        assert isinstance(value, dict)
        return value

    def edited(self, **changes: Any) -> dict[str, Any]:
        """The schema object with some keywords replaced (or dropped, by `DROP`)."""
        merged = {**self.value, **changes}
        return {k: v for k, v in merged.items() if v is not DROP}

    def weaker(
        self,
        name: str,
        keyword: str,
        value: Any,
        *plan: Alternative,
        member: str | None = None,
        aside: tuple[str, ...] | None = None,
        core: bool = True,
        slug: str = "",
        steps: tuple[Step, ...] | None = None,
        lazy: Callable[[], Sequence[Alternative]] | None = None,
        minor: bool = False,
        either: bool = False,
    ) -> Mutation:
        """A fault of `keyword`: `value` takes the place of the schema object, `plan` says how the witness looks."""
        return Mutation(
            name, self.sub, (keyword,) if steps is None else steps, value, True, lazy or (lambda: plan),
            (keyword,) if aside is None else aside, member, core, slug, minor, either,
        )  # fmt: skip

    def stronger(
        self,
        name: str,
        keyword: str,
        value: Any,
        *plan: Alternative,
        member: str | None = None,
        core: bool = True,
        slug: str = "",
        lazy: Callable[[], Sequence[Alternative]] | None = None,
        either: bool = False,
    ) -> Mutation:
        """The reverse: the schema still accepts the witness, the mutant does not."""
        return Mutation(
            name, self.sub, (keyword,), value, False, lazy or (lambda: plan), (), member, core, slug, either=either
        )

    def replaced(
        self, name: str, keyword: str, value: Any, *plan: Alternative, aside: tuple[str, ...] = ()
    ) -> Mutation:
        """An edit of `keyword` that may do both; `plan` says how instances look on which the two may disagree.

        `aside`: what else is not asserted meanwhile.
        """
        return Mutation(name, self.sub, (keyword,), value, True, lambda: plan, (keyword, *aside), either=True)
