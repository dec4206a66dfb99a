"""Where the mutants of a check stand: the file, the line, and the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..documents import is_yaml
from ..errors import BadInput
from ..layout import relative
from ..mutants import EQUIVALENT, UNREACHABLE, WEAKER, Check, Mutant
from ..pointers import join
from ..positions import Position, positions

_MEMBER = re.compile(r"[^\[]*\[(.*)\]\Z", re.DOTALL)
_REMOVAL = re.compile(r"[^\[]*\.(?:drop|any|open|remove)(?:\[.*\])?\Z", re.DOTALL)


@dataclass(frozen=True)
class Source:
    """One document of a contract. `file` is relative to the root, `inside` the pointer of the document in it."""

    file: str
    text: str
    inside: str = ""

    @property
    def language(self) -> str:
        """`json` or `yaml`."""
        return "yaml" if is_yaml(self.file) else "json"

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without their ends."""
        return [line.removesuffix("\r") for line in self.text.removesuffix("\n").split("\n")]

    @cached_property
    def positions(self) -> dict[str, Position]:
        """Of all values in the file; empty where the text cannot be read."""
        try:
            return positions(self.text, self.file)
        except BadInput:
            return {}

    def nearest(self, pointer: str) -> Position | None:
        """The place of a value, or of the nearest one around it that the text has."""
        at = self.inside + pointer
        while at and at not in self.positions:
            at = at.rpartition("/")[0]
        return self.positions.get(at)


class Sources:
    """The documents of one check."""

    def __init__(self, check: Check, root: Path) -> None:
        self._all: dict[str | None, Source] = {}
        for name, text in {None: "", **check.texts}.items():
            # A document that is a part of a file is called `file#/pointer`.
            file, _, inside = (relative(check.file, root) if name is None else name).partition("#/")
            pointer = f"/{inside}" if inside else ""
            self._all[name] = Source(file, text, (check.inside or pointer) if name is None else pointer)

    def __iter__(self) -> Iterator[tuple[str | None, Source]]:
        return iter(self._all.items())

    def of(self, mutant: Mutant) -> Source:
        """The document that a mutant was made of."""
        found = self._all.get(mutant.schema)
        return found if found is not None else Source(str(mutant.schema).partition("#/")[0], "")

    def place(self, mutant: Mutant) -> Position | None:
        """Of the edited keyword, or of the one name in it that the edit is about, as in `required.remove[id]`.

        Where the text does not have it (a keyword that the edit adds), of what is nearest to it; None without a text.
        """
        source, name = self.of(mutant), member(mutant.operator)
        steps = mutant.location[len(mutant.site) :].split("/")[1:]
        held = mutant.before.get(steps[0]) if isinstance(mutant.before, dict) and len(steps) == 1 else None
        found = None
        if isinstance(held, list) and name in held:
            found = source.positions.get(source.inside + join(mutant.location, held.index(name)))
        elif isinstance(held, dict) and name is not None and name in held:
            found = source.positions.get(source.inside + join(mutant.location, name))
        return found or source.nearest(mutant.location)

    def line(self, mutant: Mutant) -> int | None:
        """The line of `place`."""
        place = self.place(mutant)
        return place.line if place else None

    def where(self, mutant: Mutant) -> str:
        """`file:line`, as editors and terminals link it."""
        line = self.line(mutant)
        return self.of(mutant).file + (f":{line}" if line else "")


def family(operator: str) -> str:
    """The operator without its argument: `required.remove` of `required.remove[id]`."""
    return operator.partition("[")[0]


def member(operator: str) -> str | None:
    """The argument of an operator: `id` of `required.remove[id]`."""
    match = _MEMBER.match(operator)
    return match[1] if match else None


def dead(mutant: Mutant) -> bool:
    """Whether the keyword (or the one name in it) says nothing: taking it away was proved to change nothing."""
    proved = mutant.state in (EQUIVALENT, UNREACHABLE)
    return proved and mutant.expected == WEAKER and _REMOVAL.match(mutant.operator) is not None
