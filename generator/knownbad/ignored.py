"""Mutants that a config says to leave alone, each for a reason and perhaps for a time only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase

from .config import Ignore
from .mutants import Mutant


class Ignoring:
    """The ignores of one contract, and which of them are of use."""

    def __init__(self, ignores: Sequence[Ignore], today: date | None = None) -> None:
        self._today = today or datetime.now(UTC).date()
        self._ignores = ignores
        self._used: set[Ignore] = set()

    def reason(self, mutant: Mutant) -> str | None:
        """Why a mutant is ignored; None when it is not. An ignore whose time is over counts no more."""
        for ignore in self._ignores:
            if self._over(ignore):
                continue
            if mutant.identity == ignore.mutant or fnmatchcase(mutant.identity, _escaped(ignore.mutant)):
                self._used.add(ignore)
                return ignore.reason
        return None

    def notes(self, *, whole: bool) -> Iterator[str]:
        """What to tell of the ignores: those that are over, and (after a whole run) those that meet no mutant."""
        for ignore in self._ignores:
            if self._over(ignore):
                yield f"the ignore of {ignore.mutant!r} is over since {ignore.expires}: {ignore.reason}"
            elif whole and ignore not in self._used:
                yield f"the ignore of {ignore.mutant!r} meets no mutant"

    def _over(self, ignore: Ignore) -> bool:
        return ignore.expires is not None and ignore.expires < self._today


def _escaped(pattern: str) -> str:
    """Only `*` and `?` are wildcards: brackets belong to the names of mutants."""
    return pattern.replace("[", "[[]")
