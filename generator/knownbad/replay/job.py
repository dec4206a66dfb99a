"""What a replay leaves behind, and what has to have been left behind before a build may go out."""

from __future__ import annotations

from dataclasses import replace

from ..errors import BadInput, Problem
from . import verification
from .outcome import Run
from .plan import Plan
from .verification import Needed, Record


def recorded(plan: Plan, run: Run, build: str | None) -> Run:
    """Write a record for each adapter of a run. Raises BadInput where the build has no name."""
    name = build or verification.build_of(plan.project.root, plan.settings.verifications)
    if not name.strip():
        raise BadInput(Problem("the build has an empty name", fix="name it: --build"))
    records = [
        Record(name, kind, run.environment, tuple(o.held for o in run.replayed if o.adapter == kind and o.kept.digest))
        for kind in run.adapters
    ]
    return replace(run, records=tuple(verification.write(plan.settings, records)))


def needed_in(plan: Plan, environment: str) -> Needed:
    """What has to have been verified before a build goes to an environment."""
    kept = plan.kept(plan.cases(environment))
    split = frozenset(one.file for one in kept if one.case.environment is not None)
    return Needed({one.file: one.digest for one in kept}, split)
