"""The mutation check of one contract: every mutant against the fixtures of a corpus. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from . import fence
from .contract import Contract
from .digest import digest
from .distinguish import Answer, Engine, Equivalent, Undecided, Witness
from .either import compare, confirmed, find
from .errors import NO_VALUE
from .evidence import Evidence, Given
from .keywords.mutation import Mutation
from .kill import Killer
from .mutants import EQUIVALENT, INVALID, KILLED, OTHER, STRONGER, SURVIVED, UNDECIDED, UNREACHABLE, WEAKER, Mutant
from .oracle import Failure
from .reach import reach
from .results import Store, key_of

NOTHING_LEADS = "no instance is held against it: nothing leads there"


@dataclass(frozen=True, slots=True)
class Found:
    """What becomes of one mutant, by its number; small, since it goes from process to process.

    `witness` holds one instance or none, `failure` what rejects it where that is not the edited keyword. `held_back`:
    undecided only because a large question was left for later.
    """

    number: int
    state: str
    reason: str | None = None
    killed_by: str | None = None
    accepted: bool | None = None
    witness: tuple[Any, ...] = ()
    failure: Failure | None = None
    held_back: bool = False


class Checker:
    """Answers for the mutants of one contract, by their number in `mutations`."""

    def __init__(
        self, contract: Contract, fixtures: Iterable[Given], faults: str = "all", store: Store | None = None
    ) -> None:
        self.contract = contract
        self._faults = faults
        self.engine = Engine(contract)
        self.evidence = Evidence(self.engine.oracle, fixtures)
        self.killer = Killer(self.evidence, spared=lambda mutation: bool(self.engine.prover.by_rule(mutation)))
        self._store = store
        fence.remember(store)

    @cached_property
    def mutations(self) -> list[Mutation]:
        """Every mutant of these faults; their order depends on the contract alone."""
        return [m for m in self.engine.mutants() if m.core or self._faults == "all"]

    def seen(self, number: int) -> Found | None:
        """What becomes of a mutant, as far as the fixtures decide it; None where none kills it."""
        mutation = self.mutations[number]
        if not reach(self.contract).applies(mutation.site):
            return Found(number, UNREACHABLE, NOTHING_LEADS)
        fixture = self.killer.killed_by(mutation)
        if self.killer.broken:
            return Found(number, INVALID, self.killer.broken)
        return None if fixture is None else Found(number, KILLED, killed_by=fixture.file, accepted=fixture.accepted)

    def answered(self, number: int, *, large: bool = True) -> Found:
        """What becomes of a mutant that no fixture kills. Without `large`, large questions to the algebra are left."""
        mutation = self.mutations[number]
        self.engine.prover.large = large
        answer = self._answer(mutation)
        if isinstance(answer, Equivalent):
            dead = self.engine.prover.unreachable(mutation.site)
            return Found(number, UNREACHABLE if dead else EQUIVALENT, dead or answer.proof)
        if isinstance(answer, Undecided):
            return Found(number, UNDECIDED, answer.reason, held_back=self.engine.prover.held_back)
        accepted = mutation.weakens is answer.turned
        return Found(number, SURVIVED, accepted=accepted, witness=(answer.instance,), failure=answer.failure)

    def found(self, number: int) -> Found:
        """What becomes of one mutant."""
        return self.seen(number) or self.answered(number)

    def settled(self, found: Found) -> Found:
        """The same with the large questions asked; as it is once no more of them are."""
        if why := self.engine.prover.exhausted:
            return replace(found, reason=why, held_back=False)
        return self.answered(found.number)

    def told(self, found: Found) -> Mutant:
        """The mutant with what became of it."""
        blank = self.described(self.mutations[found.number])
        observed = None if found.accepted is None else STRONGER if found.accepted else WEAKER
        survived = found.state == SURVIVED
        return replace(
            blank,
            state=found.state,
            reason=found.reason,
            observed=observed,
            killed_by=() if found.killed_by is None else (found.killed_by,),
            witness=found.witness[0] if found.witness else NO_VALUE,
            accepted=found.accepted if survived else None,
            missing=_missing(blank, bool(found.accepted)) if survived else None,
        )

    def _answer(self, mutation: Mutation) -> Answer:
        if proof := self.engine.prover.remembered(mutation):
            return Equivalent(proof)
        if (known := self._known(mutation)) is not None:
            return known
        reached = id(mutation.site) in self.engine.routes.reached
        answer = find(self.engine, mutation) if reached else compare(self.engine, mutation)
        self._keep(mutation, answer)
        return answer

    def _key(self, mutation: Mutation) -> bytes:
        return key_of("mutant", self._digest, mutation.class_)

    def _known(self, mutation: Mutation) -> Witness | None:
        """A witness that was found before for this very contract, confirmed anew."""
        found = None if self._store is None else self._store.get(self._key(mutation))
        return None if found is None else confirmed(self.engine, mutation, found["instance"])

    def _keep(self, mutation: Mutation, answer: Answer) -> None:
        if self._store is not None and isinstance(answer, Witness):
            self._store.put(self._key(mutation), {"instance": answer.instance})

    @cached_property
    def _digest(self) -> str:
        return digest(self.contract)

    def witness(self, found: Found) -> Witness:
        """The witness of a survivor."""
        turned = found.accepted is self.mutations[found.number].weakens
        return Witness(found.witness[0], failure=found.failure, turned=turned)

    def described(self, mutation: Mutation) -> Mutant:
        """A mutant as nothing is known of it yet."""
        document = mutation.site.document
        expected = OTHER if mutation.either else WEAKER if mutation.weakens else STRONGER
        return Mutant(
            operator=mutation.name,
            location=mutation.location,
            site=mutation.site.pointer,
            before=mutation.site.value,
            after=mutation.value,
            expected=expected,
            state=UNDECIDED,
            schema=None if document is self.contract.document else document.name,
        )


def _missing(mutant: Mutant, accepted: bool) -> str:
    where = f"`{mutant.location}`" if mutant.location else "the root"
    if accepted:
        return f"a positive fixture that the schema accepts and that `{mutant.operator}` at {where} would reject"
    return f"a negative fixture that the schema rejects and that `{mutant.operator}` at {where} would accept"
