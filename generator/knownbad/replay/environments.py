"""The environments that are known: those of the catalogue, of the config and of the records."""

from __future__ import annotations

from ..errors import BadInput, Problem
from . import verification
from .plan import Plan


def environments(plan: Plan) -> list[str]:
    """Their names, each once."""
    table = plan.settings.table
    found = {case.environment for case in plan.catalogue.cases()}
    found.update([plan.settings.environment, *table.get("environments", {}), *table.get("deploy", {})])
    if plan.settings.verifications.is_dir():
        try:
            records = verification.read(plan.settings.verifications, plan.project.root)
        except OSError:
            records = []
        found.update(record.environment for record in records)
    return sorted(name for name in found if name is not None)


def known_environment(plan: Plan, name: str | None) -> None:
    """Raise BadInput for an environment that nothing knows, while something knows another.

    Where nothing names any, all places are alike, and a name only says which.
    """
    if name is None:
        return
    known = environments(plan)
    if known and name not in known:
        fix = f"one of {', '.join(known)}; or make it known: a table [replay.environments.{name}]"
        raise BadInput(Problem(f"no environment is called {name}", plan.settings.file, plan.settings.pointer, fix=fix))
