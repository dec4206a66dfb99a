"""Proofs that a mutation changes nothing: by a rule with a name, or by the algebra behind its fence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from . import fence
from .algebra import Difference, Empty
from .apart import branches_apart
from .compiled import ValidatorFailed
from .contract import Contract, Document, Subschema
from .edited import edited_contract
from .errors import OutOfSteps
from .idle import idle
from .keywords.general import type_mask
from .keywords.mutation import Mutation
from .keywords.shape import Ob, mask_of
from .keywords.vacuous import accepts_all
from .kinds import by_types
from .oracle import Oracle
from .pointers import pointer, steps
from .reach import place, reach
from .rules import by_strings, no_name_left, said_by_patterns, said_by_rest, said_twice
from .standalone import CannotStandAlone, standalone, unfolded
from .values import compact
from .witness.instance import Walk

STEPS = 6_000
"""Budget of the walk over what the algebra leaves."""
USERS = 6
"""Up to how many references to a definition are looked at one by one."""
ENTRIES = 6
"""Up to how many entries a mutation is looked at from."""
HOLDERS = 3
"""How many schemas around an edited one are asked about, from the inside out."""
LARGE = 10_000
"""Characters from which on a schema counts as large: the algebra may take a second on it."""
WHOLE = 12
"""How often the algebra is asked about large schemas of one contract; a count, so that no clock decides."""
Alone = Callable[..., Any]
"""`standalone` or `unfolded`."""
_ANNOTATION_READERS = ("unevaluatedProperties", "unevaluatedItems")


@dataclass(frozen=True, slots=True)
class Answered:
    """The proof that nothing tells contract and mutant apart (or empty), and instances to try.

    `expected`: those that the mutation is expected to change. `turned`: those of the other direction (under `oneOf`,
    `not` and `if` a mutation turns around).
    """

    proof: str
    expected: Iterable[Any] = ()
    turned: Iterable[Any] = ()


class Prover:
    """Answers for one contract. `reason` tells why the last question to the algebra has no answer."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.reason = ""
        self.large = True
        """Whether the algebra may be asked about large schemas."""
        self.held_back = False
        """Whether the last question was too large to be asked, with `large` false."""
        self._asked: set[frozenset[str]] = set()
        self._dead: dict[int, str] = {}
        self._originals: dict[tuple[Alone, int], tuple[Any, bool]] = {}
        self._recalling = False
        self._local = not any(
            isinstance(sub.value, dict) and any(k in sub.value for k in _ANNOTATION_READERS)
            for sub in contract.subschemas()
        )

    def by_rule(self, mutation: Mutation) -> str:
        """The proof by a named rule; empty when no rule applies."""
        if reach(self.contract).shared(mutation.site, mutation.value):
            return ""
        site = mutation.site.value
        if isinstance(site, dict) and mutation.keyword[:1] == ("type",) and mutation.weakens:
            values = site["enum"] if isinstance(site.get("enum"), list) else None
            values = [site["const"]] if values is None and "const" in site else values
            written = mutation.name == "type.add[number]" and mutation.site.dialect.year == 4  # 6.0 is no integer there
            if values is not None and not written and all(mask_of(v) & type_mask(site["type"]) for v in values):
                return f"`{'enum' if 'enum' in site else 'const'}` beside it lets no other type through"
        for rule in (by_types, branches_apart, no_name_left):
            if proof := rule(self.contract, mutation):
                return proof
        if self._local and (why := idle(self.contract).why(mutation.site)):
            return why
        removed = self._removed(mutation)
        if removed is not None and self._local and accepts_all(self.contract, removed):
            return "what it removes accepts everything"
        return ""

    def _removed(self, mutation: Mutation) -> Subschema | None:
        """The conjunct that a mutation takes away."""
        name, _, index = mutation.name.partition(".remove[")
        if name == "allOf" and index:
            return self.contract.child(mutation.site, "allOf", int(index.rstrip("]")))
        return self.contract.target(mutation.site, mutation.site.value["$ref"]) if name == "$ref.any" else None

    def empty(self) -> str:
        """The proof that nothing satisfies the contract; empty when there is none."""
        try:
            schema = standalone(self.contract, self.contract.root)
        except CannotStandAlone:
            return ""
        answer = fence.call("unsatisfiable", schema, self.contract.dialect, self.contract.formats)
        return answer.proof if isinstance(answer, Empty) else ""

    def algebra(self, mutation: Mutation) -> Answered:
        """What the schema around the edited place says of a mutation, and then the algebra, at that place first."""
        self.reason, self.held_back = "", False
        local = not reach(self.contract).shared(mutation.site, mutation.value)
        if self._is_large:
            if proof := self._by_small_questions(mutation, local) or self._by_places(mutation):
                return Answered(proof)
            self.reason, self.held_back = "", False
        if local and (proof := self._at_places(mutation)):
            return Answered(proof)
        there, back = self._ask(self.contract.root, mutation)
        if isinstance(there, Empty) and isinstance(back, Empty):
            return Answered(there.proof)
        if not self._is_large and (proof := self._by_places(mutation)):
            return Answered(proof)
        return Answered("", self._left(there), self._left(back))

    def _by_small_questions(self, mutation: Mutation, local: bool) -> str:
        """The proof at a place that takes no large question; or empty."""
        large, self.large = self.large, False
        try:
            return self._at_places(mutation) if local else ""
        finally:
            self.large = large

    @cached_property
    def _is_large(self) -> bool:
        return sum(len(compact(document.value)) for document in self.contract.documents.values()) > LARGE

    def _by_places(self, mutation: Mutation) -> str:
        """The proof by a comparison of the contract with the edited one, place by place; or empty."""
        if self._recalling:
            return ""
        from .differ import proof

        try:
            return proof(self.contract, edited_contract(self.contract, mutation.site, mutation.value))
        except (LookupError, ValidatorFailed):
            return ""

    def _at_places(self, mutation: Mutation) -> str:
        """The proof at a place that decides for the whole; or empty."""
        rules: list[Callable[[Contract, Mutation], str]] = [by_strings]
        rules += [said_twice, said_by_patterns, said_by_rest] if self._local else []
        for rule in rules:
            if proof := rule(self.contract, mutation):
                return proof
        for tops in self._around(mutation.site) if self._local else ():
            proofs = []
            for top in tops:
                there, back = self._ask(top, mutation)
                if not (isinstance(there, Empty) and isinstance(back, Empty)):
                    break
                proofs.append(f"at {top.pointer or 'the root'}: {there.proof}")
            else:
                return "; ".join(proofs)
        return self._at_entries(mutation)

    def remembered(self, mutation: Mutation) -> str:
        """The proof that a mutation changes nothing, as far as it is found without asking the algebra anew."""
        if proof := self.by_rule(mutation):
            return proof
        self._recalling = True
        try:
            with fence.silent():
                return self.algebra(mutation).proof
        finally:
            self._recalling = False

    def unreachable(self, site: Subschema) -> str:
        """Why no accepted instance gets to a subschema, where that is proved; else empty."""
        known = self._dead.get(id(site))
        if known is None:
            known = self._dead[id(site)] = self._why_unreachable(site)
        return known

    def _why_unreachable(self, site: Subschema) -> str:
        if site is self.contract.root:
            return ""
        if self._local and (why := idle(self.contract).why(site)):
            return why
        with suppress(CannotStandAlone):
            schema = standalone(self.contract, site)
            if isinstance(fence.call("unsatisfiable", schema, self.contract.dialect, self.contract.formats), Empty):
                return f"nothing satisfies {site.pointer}"
        ends: tuple[tuple[dict[str, Any], bool], ...] = (({"not": {}}, False), ({}, True))
        edits = [Mutation("", site, (), value, weakens, lambda: ()) for value, weakens in ends]
        dead = all(self.algebra(edit).proof for edit in edits)
        return f"be {site.pointer} true or false, the contract accepts the same instances" if dead else ""

    def _at_entries(self, mutation: Mutation) -> str:
        """The proof that each entry under which the mutation counts judges as before (see `reach`); or empty."""
        entries = reach(self.contract).entries(mutation.site)
        if not entries or len(entries) > ENTRIES:
            return ""
        proofs = []
        for entry in entries:
            there, back = self._compared(unfolded, entry, mutation)
            if not (isinstance(there, Empty) and isinstance(back, Empty)):
                return ""
            proofs.append(f"at {entry.pointer or 'the root'}: {there.proof}")
        return "; ".join(proofs)

    def _left(self, answer: object) -> Iterator[Any]:
        return self._instances(answer.schema) if isinstance(answer, Difference) else iter(())

    def _around(self, site: Subschema) -> Iterator[list[Subschema]]:
        """Places that decide alone: what is equivalent at all of one list is equivalent everywhere.

        The subschema itself, the nearest ones that hold it, and for a definition those that refer to it.
        """
        holders = list(islice(self._holders(site), HOLDERS))
        yield from ([holder] for holder in holders)
        for holder in holders:
            path = steps(holder.pointer)
            users = self._users.get(id(holder), [])
            if len(path) > 1 and path[-2] in ("definitions", "$defs") and 0 < len(users) <= USERS:
                outer = [next(islice(self._holders(user), 1, None), None) for user in users]
                yield users
                if all(outer):
                    yield [o for o in outer if o is not None]

    def _holders(self, site: Subschema) -> Iterator[Subschema]:
        path = steps(site.pointer)
        known = reach(self.contract)
        for length in range(len(path), 0, -1):
            holder = self.contract.known(site.document.uri, pointer(path[:length]))
            if holder is not None and holder is not self.contract.root:
                yield holder
                if not known.complete or place(holder) in known.referred:
                    return  # what refers to it sees nothing of what is around it

    @cached_property
    def _users(self) -> dict[int, list[Subschema]]:
        """The subschemas whose `$ref` leads to a subschema, by the identity of the latter."""
        users: dict[int, list[Subschema]] = {}
        for sub in self.contract.subschemas() if not self.contract.has_dynamic else ():
            reference = sub.value.get("$ref") if isinstance(sub.value, dict) else None
            if isinstance(reference, str):
                target = self.contract.target(sub, reference)
                if target is not None:
                    users.setdefault(id(target), []).append(sub)
        return users

    def _ask(self, top: Subschema, mutation: Mutation) -> tuple[object, object]:
        """What the mutation is expected to win or lose at `top`, and the reverse."""
        return self._compared(standalone, top, mutation)

    def _compared(self, alone: Alone, top: Subschema, mutation: Mutation) -> tuple[object, object]:
        try:
            known = self._originals.get((alone, id(top)))
            if known is None:
                original = alone(self.contract, top)
                known = self._originals[alone, id(top)] = (original, len(compact(original)) > LARGE)
            original, large = known
            if large and self._recalling:  # to look it up takes as long as a walk
                return None, None
            mutant = alone(self.contract, top, mutation.edits())
        except CannotStandAlone as cannot:
            self.reason = str(cannot)
            return None, None
        sides = (mutant, original) if mutation.weakens else (original, mutant)
        if large and not self._may_ask(sides):
            return None, None
        there = self._difference(*sides)
        # What does not end here is asked the other way only where that can matter: at the whole schema.
        back = self._difference(*reversed(sides)) if isinstance(there, Empty) or top is self.contract.root else None
        return there, back

    def _difference(self, accepting: Any, rejecting: Any) -> object:
        answer = fence.call("difference", accepting, rejecting, self.contract.dialect, self.contract.formats)
        if not isinstance(answer, (Empty, Difference)):
            self.reason = f"the algebra: {answer.reason}"
        return answer

    @property
    def exhausted(self) -> str:
        """Why no more is asked about large schemas, where that is so."""
        full = len(self._asked) >= WHOLE
        return f"the algebra was asked about large schemas {WHOLE} times already" if full else ""

    def _may_ask(self, sides: tuple[Any, Any]) -> bool:
        """Whether the algebra is asked about two large schemas. Answers from earlier runs count, too."""
        if not self.large:
            self.held_back = True
            return False
        question = frozenset(map(compact, sides))
        if question not in self._asked and self.exhausted:
            self.reason = self.exhausted
            return False
        self._asked.add(question)
        return True

    def _instances(self, schema: Any) -> Iterator[Any]:
        """Instances of what the algebra left."""
        uri = "urn:knownbad:difference"
        document = Document(uri, "difference", schema, self.contract.dialect)
        try:
            left = Contract("difference", "difference", {uri: document}, formats=self.contract.formats)
            walk = Walk(left, Oracle(left), steps=STEPS)
            for built in islice(walk.candidates([Ob(left.root)]), 6):
                yield built.value
        except (OutOfSteps, RecursionError, LookupError, ValidatorFailed):
            return
