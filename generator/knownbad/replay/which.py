"""Why a fixture fails: the four things that can have happened, in the order in which they are worked through.

The tool changed (by accident, or declared in the catalogue), the fixture is stale, the schema is too loose, the
environment differs. Beside them: the fixture is ahead of the last release, and one build gave two answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """What happened."""

    DRIFT = "drift"
    DECLARED_CHANGE = "declared-change"
    STALE_FIXTURE = "stale-fixture"
    SCHEMA_TOO_LOOSE = "schema-too-loose"
    ENVIRONMENT_DIFFERS = "environment-differs"
    FIXTURE_AHEAD = "fixture-ahead"
    NONDETERMINISTIC = "nondeterministic"
    OPEN = "open"
    """It fails, and what was asked does not tell why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one fixture. None: it was not asked, or it could not be.

    `current`, `baseline`: whether the build passes. `elsewhere`: whether the current build passes in another place.
    `same`: whether both builds answered the same. `row_changed`: whether the catalogue's row is another one than the
    baseline's. `loose`: whether a known-bad twin of the class is accepted. `steady`: whether asking twice gave one
    answer.
    """

    current: bool
    baseline: bool | None = None
    elsewhere: bool | None = None
    same: bool | None = None
    row_changed: bool | None = None
    loose: bool = False
    steady: bool = True


def which(seen: Seen) -> Cause | None:
    """The cause; None where nothing is wrong."""
    if not seen.steady:
        return Cause.NONDETERMINISTIC
    if seen.current:
        return Cause.FIXTURE_AHEAD if seen.baseline is False else None
    if seen.baseline:
        return Cause.DECLARED_CHANGE if seen.row_changed else Cause.DRIFT
    if seen.baseline is False and not seen.elsewhere:
        return Cause.FIXTURE_AHEAD if seen.row_changed else Cause.STALE_FIXTURE
    if seen.loose:
        return Cause.SCHEMA_TOO_LOOSE
    return Cause.ENVIRONMENT_DIFFERS if seen.elsewhere else Cause.OPEN
