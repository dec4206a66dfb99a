"""The main job: a contract in, its proven corpus out. Values in, values out; nothing is read or written here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .closing import close
from .compiled import ValidatorFailed
from .contract import Contract
from .corpus import DOMINATED, FIXTURE, RECORDED, TOO_LARGE, UNDECIDED, UNREACHABLE, Corpus, Fixture, Outcome
from .distinguish import Engine, Equivalent, Undecided, Witness
from .either import compare, glance
from .evidence import Evidence, Given
from .keywords.mutation import Mutation
from .kill import Killer
from .made import rejected
from .naming import Names, shortened, slug_of
from .oracle import Failure
from .patches import Bases
from .positives import Packing, Positive, recursive
from .unreached import unreached
from .values import compact, size
from .witness.instance import NO_HINT
from .witness.routes import Route

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """`faults`: `core` or `all`; `examples`: varied instances more a class; `max_size`: of a file, in bytes."""

    faults: str = "core"
    examples: int = 0
    max_size: int = 65536


def generate(
    contract: Contract,
    adopted: Sequence[Fixture] = (),
    options: GenerateOptions = GenerateOptions(),
    progress: Progress | None = None,
    kept: Sequence[Fixture] = (),
) -> Corpus:
    """The corpus of a contract around the fixtures that are not ours to change (`adopted`), which it holds as well.

    So does it those of `kept`, which mutation checks asked for, that are witnesses of their classes still.
    """
    return _Generation(contract, adopted, options, progress or (lambda done, total: None), kept).run()


@dataclass(slots=True)
class _Negative:
    mutation: Mutation
    instance: Any
    route: Route
    sites: frozenset[int]
    covers: list[Mutation]
    failure: Failure | None = None


class _Generation:
    def __init__(
        self,
        contract: Contract,
        adopted: Sequence[Fixture],
        options: GenerateOptions,
        progress: Progress,
        kept: Sequence[Fixture],
    ) -> None:
        self.engine = Engine(contract)
        self.contract = contract
        self.options = options
        self.progress = progress
        self.adopted = [self._judged(fixture) for fixture in adopted]
        self.kept = self._still(kept)
        """They are added at the end, so that all the rest is the same with and without them."""
        self.sound = [f for f in self.adopted if self.engine.oracle.accepts(f.instance) is f.positive]
        """Those with the verdict of their folder. The others stay, but are no witnesses and no bases."""
        self.names = {kind: Names(f.slug for f in self.adopted if f.positive is kind) for kind in (True, False)}
        self.outcomes: list[Outcome] = []
        self.fixtures: list[Fixture] = []
        self.notes: list[str] = []
        self.turned: list[tuple[Witness, list[Mutation]]] = []
        self.equivalent: list[tuple[Mutation, Equivalent]] = []
        self.alive: set[int] = set()
        """The identities of subschemas that something on disk depends on."""

    def run(self) -> Corpus:
        wanted = [m for m in self.engine.mutations() if m.core or self.options.faults == "all"]
        stronger = [m for m in wanted if not m.weakens]
        weaker = [m for m in wanted if m.weakens]
        self.total = len(wanted)
        smallest = self.engine.smallest()
        if smallest is NO_HINT:
            self._nothing(stronger)
        else:
            self._positives(stronger, smallest)
        self._negatives(weaker, smallest)
        self._closing()
        if self.options.examples:
            self._examples(wanted)
        self._classified()
        self.outcomes += unreached(self.engine)
        fixtures = [*self.fixtures, *self.adopted]
        taken = {(f.positive, f.slug.lower()) for f in fixtures}  # whose class has a fixture of our own by now
        fixtures += [f for f in self.kept if (f.positive, f.slug.lower()) not in taken]
        bases = Bases([f for f in fixtures if f.positive])
        fixtures = [self._based(f, bases) if f.kept and not f.positive else f for f in fixtures]
        fixtures.sort(key=lambda f: (not f.positive, f.slug))
        return Corpus(tuple(fixtures), tuple(self.outcomes), tuple(self.notes))

    def _nothing(self, stronger: Sequence[Mutation]) -> None:
        proof = self.engine.prover.empty()
        if proof:
            self.notes.append(f"nothing satisfies the schema: {proof}")
        else:
            self.notes.append("no accepted instance was found")
            reason = "no accepted instance was found"
            self.outcomes.append(Outcome("minimal", UNDECIDED, True, None, reason))

    # ---- positives

    def _positives(self, goals: Sequence[Mutation], smallest: Any) -> None:
        given = [f.instance for f in self.sound if f.positive]
        packing = Packing(self.engine, goals, given, lambda left: self.progress(len(goals) - left, self.total))
        packing.run(smallest)
        for positive in recursive(self.engine):
            self._positive(len(packing.found), positive)
        held = [f for f in self.sound if f.positive]
        for fixture, positive in zip(held, packing.given, strict=True):
            self._told_classes(positive.covers, fixture.slug)
        for number, positive in enumerate(packing.found):
            for one in self._parted(positive) if number else [positive]:
                self._positive(number, one)
        for mutation, answer in packing.failed:
            self._unwitnessed(mutation, answer)
        self.turned = packing.turned

    def _parted(self, positive: Positive) -> list[Positive]:
        """What one instance shows together by one instance each, where it is too large to be written."""
        if len(positive.covers) < 2 or size(positive.instance, self.options.max_size) <= self.options.max_size:
            return [positive]
        answers = [(m, self.engine.distinguish(m)) for m in positive.covers]
        alone = [Positive(a.instance, [m], a.route) for m, a in answers if isinstance(a, Witness) and not a.turned]
        return alone if len(alone) == len(positive.covers) else [positive]

    def _positive(self, number: int, positive: Positive) -> None:
        self.alive |= self.engine.routes.sites(positive.route)
        if number and not self._small_enough(positive.instance, positive.covers):
            return
        first = positive.covers[0] if number and positive.covers else None
        plain = "minimal" if first is None else slug_of(first, positive.route)
        identity = first.class_ if first else "minimal"
        slug = self.names[True].take(shortened(plain, identity), identity)
        covers = tuple(m.class_ for m in positive.covers)
        self.engine.remember(positive.instance)
        self.fixtures.append(Fixture(slug, True, positive.instance, identity, covers=covers))
        self._told_classes(positive.covers, slug)

    def _told_classes(self, mutations: Sequence[Mutation], slug: str) -> None:
        for m in mutations:
            self.alive.add(id(m.site))
            self.outcomes.append(Outcome(m.class_, FIXTURE, not m.weakens, m.location, slug=slug))

    def _small_enough(self, instance: Any, covers: Sequence[Mutation]) -> bool:
        taken = size(instance, self.options.max_size)
        if taken <= self.options.max_size:
            return True
        for m in covers:
            reason = f"its fixture would take {taken} bytes, more than --max-size {self.options.max_size}"
            self.outcomes.append(Outcome(m.class_, TOO_LARGE, not m.weakens, m.location, reason))
        return False

    def _unwitnessed(self, mutation: Mutation, answer: Equivalent | Undecided) -> None:
        if isinstance(answer, Equivalent):
            self.equivalent.append((mutation, answer))
        elif kept := next((f for f in self.kept if mutation.class_ in (f.class_, *f.covers)), None):
            self._told_classes([mutation], kept.slug)
        elif not self.engine.oracle.mutant(mutation.edits()).broken:  # else it takes away what a reference leads to
            self._told(mutation, UNDECIDED, answer.reason)

    def _told(self, mutation: Mutation, state: str, reason: str) -> None:
        self.outcomes.append(Outcome(mutation.class_, state, not mutation.weakens, mutation.location, reason))

    def _classified(self) -> None:
        """Tell classes that another keyword dominates from those at places that no accepted instance gets to."""
        for mutation, answer in self.equivalent:
            dead = "" if id(mutation.site) in self.alive else self.engine.prover.unreachable(mutation.site)
            self._told(mutation, UNREACHABLE if dead else DOMINATED, dead or answer.proof)

    # ---- negatives

    def _negatives(self, faults: Sequence[Mutation], smallest: Any) -> None:
        recorded = [f.instance for f in self.sound if f.positive and f.origin == RECORDED]
        negatives: list[_Negative] = []
        by_site: dict[int, list[_Negative]] = {}
        held = [f for f in self.sound if not f.positive and f.keyword_location is not None]
        open_faults = []
        for mutation in faults:
            fixture = next((f for f in held if self._is_witness(f, mutation)), None)
            if fixture is None:
                open_faults.append(mutation)
            else:
                self._told_classes([mutation], fixture.slug)
        ordered = sorted(open_faults, key=lambda m: m.minor)
        for number, mutation in enumerate(ordered):
            self.progress(self.total - len(ordered) + number, self.total)
            there = by_site.get(id(mutation.site), ()) if mutation.minor else ()
            likely = sorted(there, key=lambda n: n.mutation.location != mutation.location)
            noticed = self.engine.killing(mutation, (n.instance for n in likely)) if likely else None
            if noticed is not None:
                likely[noticed].covers.append(mutation)
                continue
            answer = self.engine.distinguish(mutation, recorded)
            if not isinstance(answer, Witness):
                self._unwitnessed(mutation, answer)
                continue
            if answer.turned:
                self._turned_positive(mutation, answer)
                continue
            sites = self.engine.routes.sites(answer.route)
            self.alive |= sites
            negative = _Negative(mutation, answer.instance, answer.route, sites, [mutation])
            negatives.append(negative)
            for site in sites:
                by_site.setdefault(site, []).append(negative)
        for witness, covers in self.turned:
            negatives.append(
                _Negative(covers[0], witness.instance, witness.route, frozenset(), covers, witness.failure)
            )
        self._conditions(negatives)
        bases = Bases([f for f in [*self.fixtures, *self.sound] if f.positive])
        for negative in negatives:
            self._negative(negative, bases)

    def _turned_positive(self, mutation: Mutation, witness: Witness) -> None:
        """The accepted instance that a weakening rejects: it may be there already."""
        held = self._held(witness.instance)
        if held is not None:
            self._told_classes([mutation], held)
            return
        route = witness.route or next(iter(self.engine.routes.to(mutation.site)), ())
        self._positive(1, Positive(witness.instance, [mutation], route))

    def _held(self, instance: Any) -> str | None:
        text = compact(instance)
        fixtures = (f for f in (*self.fixtures, *self.sound) if f.positive)
        return next((f.slug for f in fixtures if compact(f.instance) == text), None)

    def _closing(self) -> None:
        """The mutants that only a mutation check makes: most are noticed already, each other one gets a fixture."""
        variants = [m for m in self.engine.variants() if m.core or self.options.faults == "all"]
        corpus = [*self.fixtures, *self.sound]
        given = [Given(f.slug, f.instance, f.positive, f.covers) for f in corpus]
        killer = Killer(Evidence(self.engine.oracle, given), self.engine.sole.conjunctive)
        survivors: list[tuple[Mutation, Witness]] = []
        for mutation in variants:
            dead = id(mutation.site) not in self.alive and self.engine.prover.by_rule(mutation)
            if not dead and killer.killed_by(mutation) is None and not killer.broken:
                witness = glance(self.engine, mutation)
                if witness is not None:
                    survivors.append((mutation, witness))
        for fixture in close(self.engine, corpus, survivors, kept=False).fixtures:
            if size(fixture.instance, self.options.max_size) <= self.options.max_size:
                self.fixtures.append(fixture)

    def _conditions(self, negatives: list[_Negative]) -> None:
        """The classes inside `not` and `if`: an instance that is there already, or one that the algebra finds."""
        for mutation in self.engine.conditions():
            if not (mutation.core or self.options.faults == "all"):
                continue
            noticed = next((n for n in negatives if self.engine.differs(mutation, n.instance, False)), None)
            if noticed is not None:
                noticed.covers.append(mutation)
                continue
            held = next(
                (f for f in self.fixtures if f.positive and self.engine.differs(mutation, f.instance, True)), None
            )
            if held is not None:
                self._told_classes([mutation], held.slug)
                continue
            answer = compare(self.engine, mutation)
            if not isinstance(answer, Witness):
                self._unwitnessed(mutation, answer)
            elif answer.turned is mutation.weakens:
                self._turned_positive(mutation, answer)
            else:
                negatives.append(_Negative(mutation, answer.instance, (), frozenset(), [mutation], answer.failure))

    def _is_witness(self, fixture: Fixture, mutation: Mutation) -> bool:
        same = fixture.keyword_location == mutation.location and fixture.member == mutation.member
        return same and self.engine.killing(mutation, [fixture.instance]) is not None

    def _negative(self, negative: _Negative, bases: Bases) -> None:
        mutation = negative.mutation
        if not self._small_enough(negative.instance, negative.covers):
            return
        slug = self.names[False].take(slug_of(mutation, negative.route), mutation.class_)
        self.fixtures.append(self._named(negative, slug, bases))
        self._told_classes(negative.covers, slug)

    def _named(self, negative: _Negative, slug: str, bases: Bases) -> Fixture:
        return rejected(
            self.engine, negative.mutation, negative.instance, slug, bases, negative.failure, negative.covers
        )

    def _examples(self, wanted: Sequence[Mutation]) -> None:
        """More instances of each class that has a fixture; none that the corpus holds already."""
        from .examples import Examples

        examples = Examples(self.engine)
        bases = Bases([f for f in [*self.fixtures, *self.sound] if f.positive])
        shown = {o.class_: o.slug for o in self.outcomes if o.slug is not None}
        held: dict[str | None, list[Any]] = {}
        for fixture in (*self.fixtures, *self.adopted):
            held.setdefault(fixture.slug, []).append(fixture.instance)
        for mutation in wanted:
            known = held.get(shown.get(mutation.class_))
            if known is None:
                continue
            positive = not mutation.weakens
            route = next(iter(self.engine.routes.to(mutation.site)), ())
            stem = slug_of(mutation, route)
            found = examples.of(mutation, self.options.examples, known)
            for number, instance in enumerate(found, 1):
                if size(instance, self.options.max_size) > self.options.max_size:
                    continue
                identity = f"{mutation.class_} example {number}"
                slug = self.names[positive].take(shortened(f"{stem}-example-{number}", identity), identity)
                if positive:
                    made = Fixture(slug, True, instance, mutation.class_, covers=(mutation.class_,))
                else:
                    made = self._named(_Negative(mutation, instance, route, frozenset(), [mutation]), slug, bases)
                self.fixtures.append(made)

    # ---- what mutation checks asked for

    def _still(self, kept: Sequence[Fixture]) -> list[Fixture]:
        """Those that are witnesses of their classes, and fail for the reason that they name."""
        known = {m.class_: m for m in self.engine.mutants()} if kept else {}
        found = []
        for fixture in kept:
            mutation = known.get(fixture.class_)
            if mutation is None or self.engine.oracle.accepts(fixture.instance) is not fixture.positive:
                continue
            named = [d.uri for d in self.contract.documents.values() if d.name == fixture.schema]
            uri = named[0] if named else self.contract.document.uri
            if self.engine.differs(mutation, fixture.instance, fixture.positive):
                if fixture.positive or fixture.keyword_location is not None and self._alone(fixture, uri):
                    found.append(fixture)
        return found

    @staticmethod
    def _based(fixture: Fixture, bases: Bases) -> Fixture:
        base, patch = bases.nearest(fixture.instance)
        return replace(fixture, base=base, patch=patch)

    # ---- what people wrote

    def _judged(self, fixture: Fixture) -> Fixture:
        """An adopted negative with its one reason worked out; as it is when there are several."""
        if fixture.positive or fixture.keyword_location is not None:
            return fixture
        try:
            failures = self.engine.oracle.errors(fixture.instance)
        except ValidatorFailed:
            return fixture
        if len(failures) != 1:
            return fixture
        (only,) = failures
        found = replace(
            fixture,
            keyword_location=only.keyword_location,
            member=only.member,
            instance_location=only.instance_location,
            schema=None if only.document == self.contract.document.uri else self.contract.documents[only.document].name,
        )
        return found if self._alone(found, only.document) else fixture

    def _alone(self, fixture: Fixture, uri: str) -> bool:
        from .keywords.aside import asides

        try:
            ways = asides(self.contract, uri, fixture.keyword_location or "", fixture.member)
        except LookupError:
            return False
        return any(self.engine.oracle.mutant(edits).accepts(fixture.instance) for edits in ways)
