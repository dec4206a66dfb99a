"""Lint: what is wrong with a schema by itself, one rule a code, without any fixture."""

from __future__ import annotations

from ..config import Entry, Project
from ..contract import Contract
from ..finding import Finding

__all__ = ["lint"]


def lint(project: Project | None, contract: Contract, entry: Entry) -> list[Finding]:
    """What the rules find in one loaded contract, in order; levels and ignores of the config are not applied here.

    `settings.settings(project).applied(findings, whole=...)` applies them, once all contracts are done.
    """
    from .look import Look
    from .rules import spotted

    return [found.finding for found in spotted(Look(contract, entry, project))]
