"""Fixtures held against both sides: which flip, why, and which were wrong before the change already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..codes.compare import FLIPPED, GUARDS_NOTHING, OTHER_VALIDATORS
from ..codes.corpus import UNDECIDED
from ..compiled import upgrade, validators
from ..errors import BadInput
from ..finding import Finding, Level
from ..layout import relative
from ..store import manifest
from ..values import compact
from .edits import Edits
from .moved import NARROWING, WIDENING
from .sides import One, Pair

if TYPE_CHECKING:
    from ..evidence import Given


@dataclass(frozen=True, slots=True)
class Flip:
    """A fixture with two verdicts: accepted before or not, and the reverse now. `new`: only head has it."""

    file: str
    instance: Any
    accepted: bool
    new: bool

    @property
    def way(self) -> str:
        """The direction that it shows."""
        return NARROWING if self.accepted else WIDENING


@dataclass(frozen=True)
class Held:
    """The fixtures of both sides of one contract, and what was found of them.

    `wrong`: files of the base whose verdict on the base is not what their folder says, with the reason.
    `upgraded`: those of them that the validators of today flip, and not the schema.
    """

    pair: Pair
    before: tuple[Given, ...] = ()
    now: tuple[Given, ...] = ()
    flips: tuple[Flip, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict)
    upgraded: Mapping[str, str] = field(default_factory=dict)
    option: bool = False

    @property
    def left(self) -> frozenset[str]:
        """The flipped fixtures that still stand where their old verdict is claimed."""
        claimed = {(one.file, compact(one.instance)): one.accepted for one in self.now}
        return frozenset(f.file for f in self.flips if claimed.get((f.file, compact(f.instance))) is f.accepted)

    def shows(self, way: str, witness: Any) -> bool:
        """Whether a fixture of head flips that way for the same keyword as a witness does."""
        one = self.pair.base if way == WIDENING else self.pair.head
        if one is None or one.contract is None:
            return False
        now = {given.file for given in self.now}
        why = _keywords(one, witness)
        flips = (flip for flip in self.flips if flip.way == way and flip.file in now)
        return any(not why.isdisjoint(_keywords(one, flip.instance)) for flip in flips)

    @property
    def instances(self) -> list[Any]:
        """All instances, each once."""
        return list({compact(one.instance): one.instance for one in (*self.before, *self.now)}.values())


def _keywords(one: One, instance: Any) -> set[tuple[str, str]]:
    """The keywords that reject an instance."""
    return {(failure.document, failure.keyword_location) for failure in one.oracle.errors(instance)}


def held(pair: Pair) -> Held:
    """Hold the fixtures of both sides against both schemas."""
    before, broken = _given(pair.base)
    now, _ = _given(pair.head)
    both = pair.base is not None and pair.head is not None and pair.base.contract and pair.head.contract
    found = Held(pair, before, now)
    if pair.base is not None and pair.base.contract is not None:
        wrong, upgraded = _wrong(pair.base, before)
        found = replace(found, wrong={**broken, **wrong}, upgraded=upgraded)
    if both and pair.changed:
        flips = tuple(_flips(pair, before, now))
        found = replace(found, flips=flips, option=bool(flips) and _by_option(pair, flips))
    return found


def _given(one: One | None) -> tuple[tuple[Given, ...], dict[str, str]]:
    """The fixtures of a side, and the files that hold none."""
    if one is None:
        return (), {}
    from .. import given

    try:
        return tuple(given.read(one.task.layout)), {}
    except BadInput as bad:
        return (), {problem.file or "": problem.message for problem in bad.problems}


def _wrong(base: One, fixtures: tuple[Given, ...]) -> tuple[dict[str, str], dict[str, str]]:
    wrong = {}
    for one in fixtures:
        verdict = base.oracle.accepts(one.instance)
        if verdict is not None and verdict is not one.accepted:
            wrong[one.file] = "was " + ("accepted" if verdict else "rejected") + " before the change already"
    upgrade = _upgrade(base) if wrong else ""
    return ({}, dict.fromkeys(wrong, upgrade)) if upgrade else (wrong, {})


def upgraded(pair: Pair) -> bool:
    """Whether the base's corpus was written with other validators than those of today."""
    return pair.base is not None and pair.base.contract is not None and bool(_upgrade(pair.base))


def _upgrade(one: One) -> str:
    """What is different of the validators since the side's corpus was written; empty when nothing is."""
    assert one.contract is not None
    layout = one.task.layout
    for positive in (True, False):
        folder = layout.folder(positive)
        try:
            found = manifest(folder, positive, relative(folder, layout.root))
        except BadInput:
            continue
        if found is not None:
            return upgrade(found.header.get("validators"), validators(one.contract))
    return ""


def _flips(pair: Pair, before: tuple[Given, ...], now: tuple[Given, ...]) -> Iterator[Flip]:
    assert pair.base is not None
    assert pair.head is not None
    seen: set[str] = set()
    for new, fixtures in ((False, before), (True, now)):
        for one in fixtures:
            key = compact(one.instance)
            if key in seen:
                continue
            seen.add(key)
            was, is_ = pair.base.oracle.accepts(one.instance), pair.head.oracle.accepts(one.instance)
            if was is not None and is_ is not None and was is not is_:
                yield Flip(one.file, one.instance, was, new)


def _by_option(pair: Pair, flips: tuple[Flip, ...]) -> bool:
    """Whether all flips go away with the other setting of `formats`."""
    assert pair.base is not None
    assert pair.head is not None
    base, head = pair.base.contract, pair.head.contract
    if base is None or head is None or base.formats == head.formats:
        return False
    from ..oracle import Oracle

    as_before = Oracle(replace(head, formats=base.formats))
    return all(as_before.accepts(flip.instance) is flip.accepted for flip in flips)


def findings(found: Held) -> Iterator[Finding]:
    """What is to be said of the flips: an error while fixtures claim their old verdict, and a note otherwise."""
    pair = found.pair
    for way, verbs, claim in (
        (NARROWING, "accepted before and {} rejected now", "accepted"),
        (WIDENING, "rejected before and {} accepted now", "rejected"),
    ):
        flips = sorted((f for f in found.flips if f.way == way), key=lambda f: (f.new, f.file not in found.left))
        if not flips:
            continue
        cause = "; that comes from the option `formats`, not from the schema" if found.option else ""
        one, left = len(flips) == 1, sum(flip.file in found.left for flip in flips)
        told = ("1 fixture was " if one else f"{len(flips)} fixtures were ") + verbs.format("is" if one else "are")
        if left:
            told += f", and {'it' if one else 'all' if left == len(flips) else left} still stand{'s' if one else ''}"
            told += f" for {claim}"
        yield Finding(
            OTHER_VALIDATORS if found.option else FLIPPED,
            f"{told}{cause}:",
            pair.file,
            contract=pair.name,
            subject=way,
            detail=tuple(flip.file + (" (new)" if flip.new else "") for flip in flips),
            level=Level.ERROR if left else Level.NOTE,
        )
    if found.upgraded:
        why = next(iter(found.upgraded.values()))
        yield Finding(
            OTHER_VALIDATORS,
            f"the verdict of these fixtures changed with the validators, not with the schema: {why}",
            pair.file,
            contract=pair.name,
            detail=tuple(found.upgraded),
        )
    yield from _doubtful(found)
    yield from _nothing_left(found)


def _doubtful(found: Held) -> Iterator[Finding]:
    """Fixtures of the base that are gone, and that the validators disagree on now: nobody guards them any more."""
    base, head = found.pair.base, found.pair.head
    if base is None or head is None or base.contract is None or head.contract is None or not found.pair.changed:
        return
    kept = {compact(one.instance) for one in found.now}
    for one in found.before:
        if compact(one.instance) in kept or base.oracle.accepts(one.instance) is None:
            continue
        if head.oracle.accepts(one.instance) is None:
            was = "accepted" if one.accepted else "rejected"
            yield Finding(
                UNDECIDED,
                f"this document was {was} before; now the validators disagree on it, and its fixture is gone:",
                one.file,
                contract=found.pair.name,
                witness=one.instance,
                fix="say in the schema what is meant, so that every validator gives the same verdict",
            )


def _nothing_left(found: Held) -> Iterator[Finding]:
    """A schema that rejects nothing any more of what it was known to reject."""
    pair = found.pair
    if pair.head is None or pair.head.contract is None:
        return
    rejected = [flip for flip in found.flips if not flip.accepted and not flip.new]
    known = [one for one in found.before if not one.accepted]
    if not rejected or len({compact(one.instance) for one in known}) > len(rejected):
        return
    if any(pair.head.oracle.accepts(one.instance) is False for one in found.now):
        return
    smallest = min(rejected, key=lambda flip: (len(compact(flip.instance)), flip.file))
    yield Finding(
        GUARDS_NOTHING,
        f"all {len(rejected)} known-bad fixtures are accepted now; one of them:",
        pair.file,
        "",
        pair.name,
        subject=Edits(pair).mark(),
        witness=smallest.instance,
        fix="bring back what the schema said",
    )
