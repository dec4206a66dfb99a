"""Fixtures for the mutants that a corpus does not notice: the witness of each, as few as do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .compiled import ValidatorFailed
from .corpus import Fixture
from .distinguish import Engine, Witness
from .keywords.mutation import Mutation
from .made import rejected
from .naming import Names, shortened, slug_of
from .patches import Bases


@dataclass(frozen=True, slots=True)
class Closed:
    """What was made: the fixtures, and the slug of the one that serves each mutant (by its place in the argument)."""

    fixtures: tuple[Fixture, ...]
    serves: dict[int, Fixture]


def close(
    engine: Engine, corpus: Sequence[Fixture], survivors: Sequence[tuple[Mutation, Witness]], *, kept: bool
) -> Closed:
    """A fixture for each survivor that no other of the new ones kills. `kept`: see `Fixture`."""
    names = {kind: Names(f.slug for f in corpus if f.positive is kind) for kind in (True, False)}
    made: list[tuple[Fixture, list[Mutation]]] = []
    serves: dict[int, int] = {}
    ordered = sorted(range(len(survivors)), key=lambda n: not accepted(*survivors[n]))  # the bases of negatives first
    bases: Bases | None = None
    for number in ordered:
        mutation, witness = survivors[number]
        known = _kills(engine, mutation, (fixture for fixture, _ in made))
        if known is None:
            route = witness.route or next(iter(engine.routes.to(mutation.site)), ())
            positive = accepted(mutation, witness)
            slug = names[positive].take(shortened(slug_of(mutation, route), mutation.class_), mutation.class_)
            if positive:
                fixture = Fixture(slug, True, witness.instance, mutation.class_)
            else:
                bases = bases or Bases([f for f in (*corpus, *(fixture for fixture, _ in made)) if f.positive])
                fixture = rejected(engine, mutation, witness.instance, slug, bases, witness.failure)
            made.append((fixture, []))
            known = len(made) - 1
        made[known][1].append(mutation)
        serves[number] = known
    fixtures = tuple(replace(f, covers=tuple(m.class_ for m in covered), kept=kept) for f, covered in made)
    return Closed(fixtures, {number: fixtures[place] for number, place in serves.items()})


def accepted(mutation: Mutation, witness: Witness) -> bool:
    """Whether the schema accepts a witness (and the mutant rejects it)."""
    return mutation.weakens is witness.turned


def _kills(engine: Engine, mutation: Mutation, fixtures: Iterable[Fixture]) -> int | None:
    left = [*fixtures]
    told = engine.sole.told(mutation, [(fixture.instance, fixture.positive) for fixture in left])
    if told is not None:
        return next((number for number, flips in enumerate(told) if flips), None)
    mutant = engine.oracle.mutant(mutation.edits())
    try:
        return mutant.first_other((fixture.instance, fixture.positive) for fixture in left)
    except ValidatorFailed:
        return None
