"""What a host says of itself, as far as eval suites need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..codes.suites import CAPABILITIES_INVALID
from ..errors import BadInput, Problem
from ..finding import Finding, Level
from .contracts import CAPABILITIES, misfits, place
from .lines import document


@dataclass(frozen=True, slots=True)
class Capabilities:
    """A host's promises. What is left out is not promised."""

    eval_suite: bool = False
    fixture_errors: bool = False
    pre_post_events: bool = False
    modes: tuple[str, ...] = ()
    """Empty: nothing is said of them."""
    max_tasks: int | None = None
    fixtures: tuple[str, ...] | None = None
    """The conformance fixtures that it lists; None where it gives no list."""
    file: str = "capabilities"


def read_capabilities(path: Path) -> Capabilities:
    """The capabilities in a file. Raises BadInput with everything that is wrong with them."""
    value = document(path)
    found = [f for f in capability_findings(value, str(path)) if f.weight is Level.ERROR]
    if found:
        raise BadInput([Problem(f.message, f.file, f.location, f.witness) for f in found])
    return capabilities_of(value, str(path))


def capability_findings(value: Any, file: str) -> Iterator[Finding]:
    """Everything in which a document does not fit the contract of capabilities.

    A member of `evalSuite` that is not known weighs as an error only where a known one may be meant.
    """
    for misfit in misfits(CAPABILITIES, value):
        named = place(misfit.location, value)
        message = f"{named}: {misfit.message}" if named else misfit.message
        other = misfit.keyword_location.endswith("/additionalProperties") and not misfit.message.endswith("?")
        yield Finding(
            CAPABILITIES_INVALID,
            message,
            file,
            misfit.location,
            subject=misfit.keyword_location,
            witness=misfit.value,
            level=Level.WARNING if other else None,
        )


def capabilities_of(value: Any, file: str = "capabilities") -> Capabilities:
    """What a document that fits its contract promises."""
    evals = value.get("agents", {}).get("evalSuite")
    hooks = value.get("toolHooks", {})
    advertised = evals is not None and evals.get("supported", True)
    evals = evals if advertised else {}
    fixtures = value.get("fixtures")
    return Capabilities(
        eval_suite=advertised,
        fixture_errors=evals.get("fixtureErrors", False),
        pre_post_events=hooks.get("supported", True) and hooks.get("prePostEvents", False),
        modes=tuple(evals.get("modes", ())),
        max_tasks=evals.get("maxTasksPerSuite"),
        fixtures=None if fixtures is None else tuple(fixtures),
        file=file,
    )
