"""A corpus: the fixtures of one contract and what is known of every class, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

GENERATED, RECORDED, WRITTEN = "generated", "recorded", "written"
"""Where a fixture comes from: made by `generate`, captured from something real, written by a person."""

FIXTURE, DOMINATED, UNREACHABLE, UNDECIDED, TOO_LARGE = "fixture", "dominated", "unreachable", "undecided", "too-large"
"""The states of a class. `dominated` and `unreachable` are proved facts about the schema; the last two are gaps."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One raw instance and why it is there.

    A positive one is accepted by the contract; a negative one is rejected, and accepted once the keyword at
    `keyword_location` (of `schema`, when it stands in another document) is put aside.
    `slug` is the file's name without `.json`. `base` is the slug of the positive fixture that `patch` (RFC 6902) turns
    into this one; None when there is no base. `covers` names every class that this instance is a witness of.
    """

    slug: str
    positive: bool
    instance: Any
    class_: str
    fault: str | None = None
    keyword_location: str | None = None
    schema: str | None = None
    member: str | None = None
    instance_location: str | None = None
    base: str | None = None
    patch: tuple[dict[str, Any], ...] | None = None
    origin: str = GENERATED
    covers: tuple[str, ...] = ()
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one class. `reason` says what dominates it, why nothing reaches it, or why it is undecided."""

    class_: str
    state: str
    positive: bool
    keyword_location: str | None
    reason: str | None = None
    slug: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The fixtures of one contract, positives first, each kind sorted by slug; and the outcome of every class.

    `notes` are facts worth telling once, such as that nothing satisfies the schema.
    """

    fixtures: tuple[Fixture, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def positives(self) -> tuple[Fixture, ...]:
        return tuple(f for f in self.fixtures if f.positive)

    @property
    def negatives(self) -> tuple[Fixture, ...]:
        return tuple(f for f in self.fixtures if not f.positive)
