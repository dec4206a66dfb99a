"""What became of the mutants of a contract, as frozen values: the result of a mutation check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import NO_VALUE, Exit

KILLED, SURVIVED, EQUIVALENT, UNREACHABLE = "killed", "survived", "equivalent", "unreachable"
IGNORED, INVALID, UNDECIDED = "ignored", "invalid", "undecided"
STATES = (KILLED, SURVIVED, EQUIVALENT, UNREACHABLE, IGNORED, INVALID, UNDECIDED)
"""What a mutant may be.

`killed`: a fixture of the corpus gets another verdict from it. `survived`: an instance does, but none of the corpus.
`equivalent`: proved that no instance does. `unreachable`: proved that no accepted instance gets to the edited place.
`ignored`: the config says so, with a reason. `invalid`: the mutant is no schema. `undecided`: no instance was found,
and no proof.
"""

WEAKER, STRONGER, OTHER = "weaker", "stronger", "other"
"""Directions: the mutant accepts more, less, or some instances more and others less (as far as seen)."""


def identity(schema: str | None, site: str, operator: str) -> str:
    """What a mutant, and the fault class that is its edit, is called everywhere.

    `schema` is the name of the document where that is not the contract's own, `site` the pointer of the schema object.
    """
    where = site if schema is None else f"{schema}#{site}"
    return f"{where}: {operator}" if where else operator


@dataclass(frozen=True, slots=True)
class Mutant:
    """One edit of a schema and what became of it.

    `operator` is the name of the edit, as in `required.remove[suiteId]`; `location` the static JSON Pointer of the
    edited keyword in the document `schema` (None: the contract's own); `site` the pointer of the schema object (or
    boolean schema) that holds it, `before` and `after` that object without and with the edit. `expected` is the
    direction that the edit has where nothing turns it around, `observed` the one that was seen.
    `killed_by` are files of fixtures relative to the contract's root, the first one that was tried first. `reason` is
    the proof of an equivalent or unreachable mutant, the reason of an ignored one, why another is invalid or undecided.
    `witness` is an instance that would kill a survivor (`errors.NO_VALUE` where there is none), `accepted` what the
    schema says of it, `missing` what the corpus would have needed, in words. `written` is the file that `--write` made.
    """

    operator: str
    location: str
    site: str
    before: Any
    after: Any
    expected: str
    state: str
    schema: str | None = None
    observed: str | None = None
    killed_by: tuple[str, ...] = ()
    reason: str | None = None
    witness: Any = NO_VALUE
    accepted: bool | None = None
    missing: str | None = None
    written: str | None = None

    @property
    def identity(self) -> str:
        """The stable name, which is that of the fault class: where the schema object is, and the operator."""
        return identity(self.schema, self.site, self.operator)


@dataclass(frozen=True, slots=True)
class Check:
    """The mutants of one contract against its corpus.

    `wrong` names the fixtures whose own verdict is not what their folder says, each with what the validators say;
    then nothing was checked and there is no score. `file` is the schema's file, `texts` the text of each document
    that mutants were made of, by its name (None: the contract's own). `inside`: the JSON Pointer in `file` of the
    contract's own document, where that is not the whole file. `fixtures` counts the fixtures (positive, negative);
    `corpus` names their files as `killed_by` does.
    """

    contract: str
    file: Path
    mutants: tuple[Mutant, ...]
    texts: dict[str | None, str] = field(default_factory=dict)
    fixtures: tuple[int, int] = (0, 0)
    wrong: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    inside: str = ""
    corpus: tuple[str, ...] = ()

    def count(self, state: str) -> int:
        """How many mutants are in a state."""
        return sum(mutant.state == state for mutant in self.mutants)

    @property
    def score(self) -> float | None:
        """Killed mutants in per cent of those that count; None when the corpus itself is wrong."""
        return None if self.wrong else score(self.mutants)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a whole run. `fail_under`: the score below which a run has findings."""

    checks: tuple[Check, ...]
    root: Path
    fail_under: float = 100.0
    shard: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Those of every contract."""
        return tuple(mutant for check in self.checks for mutant in check.mutants)

    @property
    def score(self) -> float | None:
        """Over all contracts; None when a corpus itself is wrong."""
        return None if any(check.wrong for check in self.checks) else score(self.mutants)

    @property
    def exit(self) -> Exit:
        """START_WRONG before FINDINGS before UNDECIDED."""
        total = self.score
        if total is None:
            return Exit.WRONG_START
        if total < self.fail_under:
            survivors = any(mutant.state == SURVIVED for mutant in self.mutants)
            return Exit.FINDINGS if survivors else Exit.UNDECIDED
        return Exit.UNDECIDED if any(mutant.state == UNDECIDED for mutant in self.mutants) else Exit.GOOD


def score(mutants: Iterable[Mutant]) -> float:
    """Killed / (all - equivalent - unreachable - ignored - invalid), in per cent; 100 when nothing counts."""
    counted = [m for m in mutants if m.state in (KILLED, SURVIVED, UNDECIDED)]
    return 100.0 * sum(m.state == KILLED for m in counted) / len(counted) if counted else 100.0


def worst_first(mutants: Sequence[Mutant]) -> list[tuple[tuple[str | None, str], list[Mutant]]]:
    """The mutants by edited schema (its document and pointer), those with most survivors first."""
    groups: dict[tuple[str | None, str], list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault((mutant.schema, mutant.site), []).append(mutant)
    return sorted(groups.items(), key=lambda item: -sum(m.state in (SURVIVED, UNDECIDED) for m in item[1]))
