"""Varied instances of one contract: the walk with a chooser that varies, and the minimal instance where it gives out.

Whatever is given has been checked by both validators. The strategies and `generate --examples` stand on this.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

from .compiled import ValidatorFailed
from .contract import Contract
from .distinguish import Engine, Equivalent, Witness
from .errors import BadInput, OutOfSteps, Problem
from .keywords.aside import asides
from .keywords.mutation import Mutation
from .keywords.shape import Aim, Ob
from .oracle import Verdicts
from .witness.chooser import MINIMAL, Chooser
from .witness.instance import NO_HINT, Built, Local, Walk

STEPS = 1_500
"""Budget of one varied walk; what takes longer would make drawing slow, and is seldom more telling."""
DEPTHS = (6, 2)
"""How deep choices are varied, at the first attempt and at the second. Below, and at last, all is minimal."""
TRIED = 4
"""How many instances of one walk are shown to the validators."""


class VariedWalk(Walk):
    """A walk whose choices vary down to a depth and are the simplest below, so that recursion ends."""

    def __init__(self, contract: Contract, oracle: Local, chooser: Chooser, deep: int) -> None:
        super().__init__(contract, oracle, chooser, STEPS)
        self._deep = deep

    def solve(
        self, obs: Sequence[Ob], depth: int = 0, avoid: frozenset[Hashable] = frozenset(), hint: Any = NO_HINT
    ) -> Built | None:
        if depth <= self._deep or self.chooser is MINIMAL:
            return super().solve(obs, depth, avoid, hint)
        varying, self.chooser = self.chooser, MINIMAL
        try:
            return super().solve(obs, depth, avoid, hint)
        finally:
            self.chooser = varying


class Varied:
    """Draws instances of one contract. The same answers of the chooser give the same instance."""

    def __init__(self, contract: Contract, engine: Engine | None = None) -> None:
        self.contract = contract
        self.engine = engine or Engine(contract)
        self._mutants: dict[int, tuple[Mutation, Verdicts, list[Verdicts]]] = {}
        self._smallest: dict[int, Any] = {}

    # ---- instances

    def accepted(self, chooser: Chooser) -> Any:
        """An accepted instance; `NO_HINT` when there is none or none was found."""
        for value in self._walked([Ob(self.contract.root)], chooser):
            if self.engine.oracle.accepts(value) is True:
                return value
        return self.smallest()

    def smallest(self) -> Any:
        """The smallest accepted instance; `NO_HINT` when none was found."""
        if -1 not in self._smallest:
            self._smallest[-1] = self.engine.smallest()
        return self._smallest[-1]

    def witness(self, mutation: Mutation, chooser: Chooser) -> Any:
        """An instance that the mutation changes the verdict of; `NO_HINT` when the walk finds none."""
        smallest = self.minimal(mutation)
        if smallest is NO_HINT:  # remembered, so a class that nothing shows costs its walks once
            return NO_HINT
        found = self.walked(mutation, chooser)
        return smallest if found is NO_HINT else found

    def walked(self, mutation: Mutation, chooser: Chooser) -> Any:
        """The same, of the varied walk alone."""
        routes = self.engine.routes.to(mutation.site)
        for at in chooser.order(len(routes))[:2]:
            aim = Aim(routes[at], mutation)
            for value in self._walked([Ob(self.contract.root, True, (aim,))], chooser):
                if self.is_witness(mutation, value):
                    return value
        return NO_HINT

    def minimal(self, mutation: Mutation) -> Any:
        """The smallest witness of a mutation that the walk finds, always the same; `NO_HINT` when it finds none."""
        known = self._smallest
        if id(mutation) not in known:
            known[id(mutation)] = NO_HINT
            for route in self.engine.routes.to(mutation.site):
                built = self.engine.aimed([Aim(route, mutation)])
                found = next((b.value for b in built if self.is_witness(mutation, b.value)), NO_HINT)
                if found is not NO_HINT:
                    known[id(mutation)] = found
                    break
        return known[id(mutation)]

    def proved(self, mutation: Mutation) -> str:
        """Empty when the mutation has a witness (the whole ladder is asked), else why it has none."""
        if self.minimal(mutation) is not NO_HINT:
            return ""
        answer = self.engine.distinguish(mutation)
        if isinstance(answer, Witness):
            if not self.is_witness(mutation, answer.instance):
                return "it turns instances from rejected to accepted, or with another fault only"
            self._smallest[id(mutation)] = answer.instance
            return ""
        return answer.proof if isinstance(answer, Equivalent) else answer.reason

    def _walked(self, obs: Sequence[Ob], chooser: Chooser) -> Iterator[Any]:
        for deep in DEPTHS:
            walk = VariedWalk(self.contract, self.engine.oracle, chooser, deep)
            found = False
            try:
                for built in islice(walk.candidates(obs), TRIED):
                    found = True
                    yield built.value
            except (OutOfSteps, RecursionError, ValidatorFailed):
                pass
            if found:
                return

    # ---- verdicts

    def is_witness(self, mutation: Mutation, value: Any) -> bool:
        """Whether both validators see the contract and the mutant disagree on `value`, and for this reason alone."""
        known, mutant, ways = self._verdicts(mutation)
        try:
            if self.engine.oracle.fast(value) is known.weakens or mutant.fast(value) is not known.weakens:
                return False  # the verdicts of the faster one come first: most candidates that are none fall here
        except ValidatorFailed:
            return False
        if self.engine.oracle.accepts(value) is None or mutant.accepts(value) is None:
            return False
        return not known.weakens or any(way is mutant or way.accepts(value) for way in ways)

    def _verdicts(self, mutation: Mutation) -> tuple[Mutation, Verdicts, list[Verdicts]]:
        """Compiled once a mutation: a strategy draws from it hundreds of times."""
        if id(mutation) not in self._mutants:
            oracle, edits = self.engine.oracle, mutation.edits()
            mutant = oracle.mutant(edits)
            ways: list[Verdicts] = []
            if mutation.weakens:
                uri = mutation.site.document.uri
                for way in asides(self.contract, uri, mutation.location, mutation.member):
                    ways.append(mutant if dict(way) == edits else oracle.mutant(way))
            self._mutants[id(mutation)] = (mutation, mutant, ways)
        return self._mutants[id(mutation)]

    # ---- faults by name

    def faults(self, fault: str | None = None) -> list[Mutation]:
        """The faults of this class (`/properties/code: type.add[null]`), name or keyword; all of them for None.

        The class of a fault at the root is its bare name, which here means that name anywhere; `: name` is the root's.
        Raises LookupError, naming near ones, when there is none.
        """
        every = [m for m in self.engine.mutations() if m.weakens]
        if fault is None:
            return every
        for matching in (
            [m for m in every if f"{m.site.pointer}: {m.name}" == fault],
            [m for m in every if m.name == fault],
            [m for m in every if m.name.startswith((f"{fault}.", f"{fault}["))],
        ):
            if matching:
                return matching
        raise LookupError(self._unknown(fault, every))

    def _unknown(self, fault: str, every: Sequence[Mutation]) -> str:
        names = [*dict.fromkeys(text for m in every for text in (m.class_, m.name, m.name.partition(".")[0]))]
        near = get_close_matches(fault, names, 4, 0.5) or [n for n in names if fault and fault.lower() in n.lower()][:4]
        text = f"the schema has no fault {fault!r}"
        if near:
            return f"{text}; near it: {', '.join(map(repr, near))}"
        keywords = [*dict.fromkeys(m.name.partition(".")[0] for m in every)]
        return f"{text}; it has faults of: {', '.join(keywords) or 'no keyword at all'}"


def contract_of(schema: Any, name: str = "schema") -> Contract:
    """The contract that a schema stands for: a JSON value, the path of a file (with `#/pointer`, if need be) or itself.

    A schema that declares no dialect is one of 2020-12, and formats are asserted. Relative references lead to files
    from the working directory on. Raises BadInput.
    """
    from pathlib import Path

    if isinstance(schema, Contract):
        return schema
    if isinstance(schema, (str, Path)):
        from .load import load

        return load(str(schema))
    return _inline(schema, name)


def _inline(schema: Any, name: str) -> Contract:
    import json
    from pathlib import Path

    from . import documents
    from .dialects import DRAFT_2020_12
    from .library import Library
    from .references import Closure

    if not isinstance(schema, (dict, bool)):
        raise BadInput(Problem("is no schema: a schema is a dict, True or False", name, value=schema))
    try:
        value = documents.parse(json.dumps(schema), name)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(Problem(f"is not made of JSON values: {error}", name)) from None
    root = Path.cwd()
    library = Library(root, {}, ())
    own = library.document(value, name, library.uri_of(root / name), DRAFT_2020_12)
    closure = Closure(library, own)
    closure.run("")
    if closure.problems:
        raise BadInput(closure.problems)
    from .load import _ordered

    return Contract(name=name, schema=name, documents=_ordered(closure))
