"""The ladder: an instance on which a contract and one of its mutants disagree, or a proof that there is none.

Cheapest first: the walk to the edited location (through each route that reaches it, near a recorded instance when there
is one), the algebra of whole schemas, a seeded search. Every witness is confirmed by both validators on both schemas,
and a negative one by putting its keyword aside; what is not confirmed is thrown away, and the ladder goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from . import clock, peer
from .compiled import ValidatorFailed
from .contract import Contract, Subschema
from .errors import OutOfSteps
from .keywords.applicators import beside_another
from .keywords.aside import asides
from .keywords.mutation import Mutation
from .keywords.shape import Aim, Ob
from .keywords.table import mutations, variants
from .metaschemas import is_published
from .oracle import Failure, Oracle
from .pointers import pointer, steps
from .prove import Prover
from .rules import disputed
from .sole import Sole
from .standalone import CannotStandAlone, standalone
from .witness.chooser import Seeded
from .witness.instance import NO_HINT, Built, Walk
from .witness.routes import Route, Routes

STEPS = 6_000
"""Budget of one walk to one location."""
SEARCHES = 4
"""Seeded walks of the search rung."""
SEARCH_STEPS = 1_500
"""Budget of one of them."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An instance that tells the contract and the mutant apart. `route` led to it (the root's when nothing walked)."""

    instance: Any
    route: Route = ()
    failure: Failure | None = None
    """The keyword that a rejected instance names, where it is not the mutation's own."""
    turned: bool = False
    """Whether the mutation does the reverse of what its edit says: a weaker `not` rejects more."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Proved: no instance tells them apart."""

    proof: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither an instance nor a proof was found, and why."""

    reason: str


Answer = Witness | Equivalent | Undecided


class Engine:
    """All that is needed to answer for the mutations of one contract."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.oracle = Oracle(contract)
        self.walk = Walk(contract, self.oracle)
        self.routes = Routes(contract)
        self.prover = Prover(contract)
        self.sole = Sole(contract, self.oracle)
        self._accepted: list[Any] = []

    def remember(self, instance: Any) -> None:
        """Take an accepted instance of the corpus into account: mutations that turn around may be seen on it."""
        self._accepted.append(instance)

    def mutations(self) -> list[Mutation]:
        """The mutations of every subschema that something reaches, from the root outwards.

        A published metaschema that the contract refers to is not its to change.
        """
        return [m for sub in self._ours() for m in mutations(self.contract, sub)]

    def variants(self) -> list[Mutation]:
        """The edits that only a mutation check makes, of the places of `mutations`."""
        return [m for sub in self._ours() for m in variants(self.contract, sub)]

    def _ours(self) -> list[Subschema]:
        own = self.contract.document
        reached = self.routes.reached.values()
        return [s for s in reached if s.document is own or not is_published(s.document.uri.rstrip("#"))]

    def mutants(self) -> list[Mutation]:
        """Every edit that a mutation check makes, also inside conditions and where nothing leads.

        In this order: what something reaches from the root outwards, then the rest of the contract's own document.
        """
        own, inside, reached = self.contract.document, self.contract.root_pointer, self.routes.reached
        rest = [
            s
            for s in self.contract.subschemas()
            if s.document is own and id(s) not in reached and f"{s.pointer}/".startswith(f"{inside}/")
        ]
        rest.sort(key=lambda sub: sub.pointer)
        return [m for sub in (*self._ours(), *rest) for make in (mutations, variants) for m in make(self.contract, sub)]

    def smallest(self) -> Any:
        """The smallest accepted instance; `NO_HINT` when none was found."""
        for built in self._attempts([Ob(self.contract.root)], 4):
            if self.oracle.accepts(built.value):
                return built.value
        return NO_HINT

    def _attempts(self, obs: Sequence[Ob], most: int, hint: Any = NO_HINT, steps: int = STEPS) -> Iterable[Built]:
        self.walk.renew(steps)
        try:
            for number, built in enumerate(self.walk.candidates(obs, hint=hint)):
                yield built
                if number + 1 >= most:
                    return
        except (OutOfSteps, RecursionError):
            return

    def aimed(self, aims: Sequence[Aim], hint: Any = NO_HINT, most: int = 3, steps: int = STEPS) -> Iterable[Built]:
        """Instances of the whole contract that serve the aims, as far as they go together."""
        return self._attempts([Ob(self.contract.root, True, tuple(aims))], most, hint, steps + 400 * len(aims))

    def distinguish(self, mutation: Mutation, recorded: Sequence[Any] = ()) -> Answer:
        """The answer for one mutation. `recorded`: real instances to stay near to."""
        try:
            with clock.limit():
                return self._ladder(mutation, recorded)
        except clock.OutOfTime as late:
            return Undecided(str(late))

    def _ladder(self, mutation: Mutation, recorded: Sequence[Any]) -> Answer:
        if proof := self.prover.by_rule(mutation):
            return Equivalent(proof)
        reasons: list[str] = []
        witness = self.walked(mutation, recorded, reasons)
        return witness or self._beyond(mutation, self.routes.to(mutation.site), reasons)

    def walked(self, mutation: Mutation, recorded: Sequence[Any], reasons: list[str]) -> Witness | None:
        """The witness that the walk finds, by the cheapest route first; why what it built is none joins `reasons`."""
        for hint in (*recorded, NO_HINT):
            for number, route in enumerate(self.routes.to(mutation.site)):
                steps = STEPS if number < 2 else STEPS // 4  # what the cheapest ways do not show, others seldom do
                for built in self.aimed([Aim(route, mutation)], hint, steps=steps):
                    fault = self.refuted(mutation, built.value)
                    if fault is None:
                        return Witness(built.value, route)
                    if fault not in reasons:
                        reasons.append(fault)
        return None

    def _beyond(self, mutation: Mutation, routes: Sequence[Route], reasons: list[str]) -> Answer:
        for value in self._at_hand(mutation):
            witness = self._turned(mutation, value)
            if witness is not None:
                return witness
        for aim in self._beside(mutation, routes[:2]):
            for beside in self.aimed([aim], steps=STEPS // 4):
                witness = self._turned(mutation, beside.value)
                if witness is not None:
                    return witness
        answered = self.prover.algebra(mutation)
        if answered.proof:
            return Equivalent(answered.proof)
        for value in answered.expected:
            if self.refuted(mutation, value) is None:
                return Witness(value)
        for value in answered.turned:
            witness = self._turned(mutation, value)
            if witness is not None:
                return witness
        for seed in range(SEARCHES):
            chooser = Seeded(seed)
            walk = Walk(self.contract, self.oracle, chooser)
            for route in routes[:1]:
                walk.renew(SEARCH_STEPS)
                try:
                    built = walk.solve([Ob(self.contract.root, True, (Aim(route, mutation),))])
                except (OutOfSteps, RecursionError):
                    continue
                if built is not None and self.refuted(mutation, built.value) is None:
                    return Witness(built.value, route)
        why = [*filter(None, [disputed(mutation)]), *reasons[:1], *([self.prover.reason] if self.prover.reason else [])]
        if peer.RAW in self.prover.reason:
            found, reason = self._of_the_peer(mutation)
            if found is not NO_HINT:
                return Witness(found)
            why.append(reason)
        return Undecided("; ".join(why) or "no walk found an instance, and the algebra no proof")

    def _at_hand(self, mutation: Mutation) -> Iterator[Any]:
        """The accepted instances of the corpus that a weakening rejects."""
        if not mutation.weakens:
            return
        mutant = self.oracle.mutant(mutation.edits())
        for value in self._accepted:
            try:
                if not mutant.fast(value):
                    yield value
            except ValidatorFailed:
                continue

    def _beside(self, mutation: Mutation, routes: Sequence[Route]) -> Iterator[Aim]:
        """Aims at the mutation through a branch of `oneOf` beside another branch that accepts as well.

        There a mutation turns around: what its branch accepts beside another one is rejected, and what its branch
        rejects is accepted.
        """
        for route in routes:
            passed = self.routes.passed(route)
            for at, edge in reversed([*enumerate(route)]):
                if edge[0] != "oneOf":
                    continue
                site, index = passed[at], int(edge[1])
                parts = [Ob(self.contract.child(site, "oneOf", i)) for i in range(len(site.value["oneOf"]))]
                parts[index] = replace(parts[index], aims=(Aim(route[at + 1 :], mutation),))
                ways = beside_another(parts, index)
                yield Aim(route[:at], Mutation("", site, ("oneOf",), site.value, True, partial(list, ways), ("oneOf",)))

    def _of_the_peer(self, mutation: Mutation) -> tuple[Any, str]:
        """A witness among what hypothesis-jsonschema draws from the accepting side; else `NO_HINT` and the reason."""
        try:
            accepting = standalone(self.contract, self.contract.root, mutation.edits() if mutation.weakens else {})
        except CannotStandAlone as cannot:
            return NO_HINT, str(cannot)
        drawn, reason = peer.instances(accepting, self.contract.dialect)
        found = next((value for value in drawn if self.refuted(mutation, value) is None), NO_HINT)
        return found, reason or "hypothesis-jsonschema drew no instance that tells them apart"

    def refuted(self, mutation: Mutation, value: Any) -> str | None:
        """Why `value` is no witness of the mutation; None when it is one."""
        rejected = (
            "the walk's instance is accepted all the same" if mutation.weakens else "the walk's instance is rejected"
        )
        if self.sole.witness(mutation, value):
            return None
        try:
            if self.oracle.fast(value) is mutation.weakens:
                return rejected
            mutant = self.oracle.mutant(mutation.edits())
            if mutant.fast(value) is not mutation.weakens:
                return "the instance fails for another reason too" if mutation.weakens else "the mutant accepts it too"
            if self.oracle.accepts(value) is None:
                return f"the validators disagree ({self.oracle.disagreements[-1]})"
            if mutant.accepts(value) is None:
                return f"the validators disagree on the mutant ({mutant.disagreements[-1]})"
            if mutation.weakens and not self.isolated(mutation, value):
                return "the instance fails for another reason too"
        except ValidatorFailed as failed:
            return str(failed)
        return None

    def _turned(self, mutation: Mutation, value: Any) -> Witness | None:
        """The witness of a mutation that works the other way round; None when `value` is none."""
        try:
            if self.oracle.accepts(value) is not mutation.weakens:
                return None
            if self.oracle.mutant(mutation.edits()).accepts(value) is not (not mutation.weakens):
                return None
            if mutation.weakens:
                return Witness(value, turned=True)
            for failure in self.failures(value):
                ways = asides(self.contract, failure.document, failure.keyword_location, failure.member)
                if any(self.oracle.mutant(edits).accepts(value) for edits in ways):
                    return Witness(value, failure=failure, turned=True)
        except (ValidatorFailed, LookupError):
            return None
        return None

    def failures(self, value: Any) -> list[Failure]:
        """What rejects an instance, as far as a fixture may name it: no keyword of a published metaschema."""
        return [f for f in self.oracle.errors(value) if not is_published(f.document.rstrip("#"))]

    def conditional(self) -> list[Subschema]:
        """The subschemas inside `not` and `if`, which nothing reaches to be accepted or rejected by themselves."""
        own, reached = self.contract.document, self.routes.reached
        subs = [s for s in self.contract.subschemas() if s.document is own and id(s) not in reached]
        return [sub for sub in subs if self._is_condition(sub)]

    def conditions(self) -> list[Mutation]:
        """The mutations inside `not` and `if`."""
        return [m for sub in self.conditional() for m in mutations(self.contract, sub)]

    def _is_condition(self, sub: Subschema) -> bool:
        """Whether a reached schema holds this one, with a `not` or an `if` on the way."""
        path = steps(sub.pointer)
        for length in range(len(path) - 1, -1, -1):
            holder = self.contract.known(sub.document.uri, pointer(path[:length]))
            if holder is not None and id(holder) in self.routes.reached:
                return path[length] in ("not", "if")
        return False

    def isolated(self, mutation: Mutation, value: Any) -> bool:
        """Whether the instance is accepted once the mutation's keyword is put aside."""
        uri = mutation.site.document.uri
        for edits in asides(self.contract, uri, mutation.location, mutation.member):
            # Both validators have judged the mutant; to put its keyword aside as well is nothing new to them.
            if dict(edits) == mutation.edits() or self.oracle.mutant(edits).fast(value):
                return True
        return False

    def differs(self, mutation: Mutation, value: Any, accepted: bool) -> bool:
        """Whether the mutant's verdict on an instance is another than the contract's, which is known."""
        try:
            return self.oracle.mutant(mutation.edits()).fast(value) is not accepted
        except ValidatorFailed:
            return False

    def killing(self, mutation: Mutation, values: Iterable[Any]) -> int | None:
        """The place of the first of these instances, whose verdict is the contract's, that the mutation changes."""
        left = [*values]
        told = self.sole.told(mutation, [(value, not mutation.weakens) for value in left])
        if told is not None:
            return next((number for number, flips in enumerate(told) if flips), None)
        try:
            return self.oracle.mutant(mutation.edits()).first_other((value, not mutation.weakens) for value in left)
        except ValidatorFailed:
            return None
