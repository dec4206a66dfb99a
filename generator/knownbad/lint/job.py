"""Lint over the contracts of a project: load each, ask the rules, apply what the config says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..codes.lint import INVALID, MISPLACED_CLOSURE, OTHER_DRAFT
from ..config import Project
from ..error_fixtures import doubtful
from ..errors import NO_VALUE, BadInput, Exit, Problem, shorten
from ..finding import Finding, Findings
from ..produce import Options, Task, load_contract
from .declared import shape_of_another_draft
from .look import Look, Spotted
from .rules import spotted
from .settings import Settings, settings

Told = Callable[[str, int, int], None]


def run(
    project: Project,
    work: Sequence[Task],
    options: Options,
    *,
    fix: bool = False,
    told: Told | None = None,
    errors: bool = False,
) -> Findings:
    """Lint every contract. A contract that cannot be read is a finding, and the others are linted all the same.

    With `fix`, what is certain is repaired first. `errors`: the catalogue of error classes is looked at, too.
    """
    configured = settings(project)
    fixed = _fixed(project, work, options, configured) if fix else ()
    found, unreadable = _all(project, work, options, told)
    whole = {task.entry.name for task in work} >= {entry.name for entry in project.contracts} and bool(work)
    doubts = doubtful(project) if errors else []
    findings = configured.applied([*(one.finding for one in found), *doubts], whole=whole)
    return Findings(
        "lint",
        work[0].root if work else project.root,
        tuple(sorted(findings, key=_order)),
        contracts={task.entry.name: "" for task in work},
        notes=tuple(f"fixed: {line}" for line in fixed),
        said=Exit.BAD_INPUT if unreadable else None,
    )


def _fixed(project: Project, work: Sequence[Task], options: Options, configured: Settings) -> tuple[str, ...]:
    """What was repaired. A repair may uncover the next one, so it is looked again where something was done."""
    from .fix import ROUNDS, Candidate, repair

    done: list[str] = []
    left = list(work)
    for _ in range(ROUNDS):
        candidates = []
        for task in left:
            try:
                contract = load_contract(project, task, options)
            except BadInput:
                continue
            spots = spotted(Look(contract, task.entry, project))
            wanted = set(configured.kept([spot.finding for spot in spots]))
            mine = tuple(s for s in spots if s.repair is not None and s.finding.fingerprint in wanted)
            if mine:
                candidates.append(Candidate(task, contract, mine, tuple(spots)))
        lines = repair(candidates, work[0].layout.root if work else project.root)
        if not lines:
            break
        done.extend(lines)
        left = [candidate.task for candidate in candidates]
    return tuple(done)


def _all(project: Project, work: Sequence[Task], options: Options, told: Told | None) -> tuple[list[Spotted], int]:
    """What is spotted in all contracts; what several contracts share is told once, by the one whose file it is."""
    found: dict[tuple[str, ...], Spotted] = {}
    unreadable = 0
    for number, task in enumerate(work):
        if told is not None:
            told(task.entry.name, number, len(work))
        own = task.entry.schema.partition("#")[0]
        try:
            contract = load_contract(project, task, options)
        except BadInput as bad:
            unreadable += 1
            here = [Spotted(_unreadable(problem, task)) for problem in bad.problems]
        else:
            here = spotted(Look(contract, task.entry, project))
        for one in here:
            finding = one.finding
            key = (finding.code.code, finding.file or "", finding.location or "", finding.subject)
            if key not in found or finding.file == own:
                found[key] = one
    return list(found.values()), unreadable


def _unreadable(problem: Problem, task: Task) -> Finding:
    detail = (f"found: {shorten(problem.value)}",) if problem.value is not NO_VALUE else ()
    place = problem.location or ""
    other = shape_of_another_draft(place, problem.value)
    code = INVALID if other is None else OTHER_DRAFT
    if isinstance(problem.value, bool) and place.endswith("/properties/additionalProperties"):
        other = ("`additionalProperties` stands inside `properties`", "move it out of `properties`, beside it")
        code = MISPLACED_CLOSURE
    return Finding(
        code,
        problem.message if other is None else f"{other[0]}; here it {problem.message}",
        problem.file or task.entry.schema.partition("#")[0],
        problem.location,
        task.entry.name,
        subject=problem.message,
        detail=detail,
        fix=problem.fix if other is None else other[1],
    )


def _order(finding: Finding) -> tuple[str, tuple[tuple[int, str], ...], str, str]:
    """By file and place, numbers in a pointer as numbers."""
    steps = tuple((int(s), "") if s.isdigit() else (-1, s) for s in (finding.location or "").split("/"))
    return finding.file or "", steps, finding.code.code, finding.subject
