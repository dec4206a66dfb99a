"""The gate: everything that is to be said of a change, from the merge base to what stands on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from ..codes.compare import NO_FIXTURE, WRONG_BEFORE
from ..config import Project
from ..error_fixtures import gated
from ..errors import NO_VALUE, Exit
from ..finding import Finding, Findings, Level
from ..git import Repository
from ..journal import recover
from ..produce import Options
from ..verify import WRONG
from .accepted import accepts, fingerprints, offered
from .flips import Held, findings, held, upgraded
from .moved import Moved, moved
from .sides import Pair, Side, here, pairs, there
from .standing import left_behind, linted, of_fixtures, of_mutants, regenerated, stale, verified
from .writing import write

Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What a run is asked for. `against`: a revision of git, whose merge base with HEAD is the base.

    `write`: regenerate the corpora of what changed, and make fixtures of the witnesses of approved breaks.
    """

    against: str
    loading: Options = field(default_factory=Options)
    write: bool = False
    jobs: int = 1
    today: date | None = None
    cache: bool = True


def gate(project: Project, options: GateOptions, told: Told | None = None) -> Findings:
    """Judge a change. Raises BadInput for what cannot be read: a revision, the config, a schema of head."""
    recover(project.root)
    repository = Repository.around(project.root)
    base = repository.merge_base(options.against)
    approvals = accepts(project)
    head = here(project, options.loading)
    with there(head, repository.tree(base), options.loading) as before:
        run = _Run(project, options, base, before, head, told)
        found = run.findings()
        spent = fingerprints(before.project)
        kept, approved = approvals.applied(found, spent, options.today or date.today())  # noqa: DTZ011  a person's day
        unshown = list(run.unshown(approved))
        if options.write and write(project, run.changed_tasks, unshown, options.loading):
            # What is on disk is another thing now, and so is what is to be said of it.
            return _noted(gate(project, replace(options, write=False), told), "fixtures were written")
    kept.extend(finding for finding, _ in unshown)
    wrong = any(f.code is WRONG_BEFORE and f.weight is Level.ERROR for f in kept)
    return Findings(
        "gate",
        project.root,
        tuple(offered(project, f) for f in kept if f.weight is not Level.OFF),
        run.words,
        (*before.notes, *run.notes),
        Exit.WRONG_START if wrong else None,
    )


def _noted(result: Findings, note: str) -> Findings:
    """The same with one more note."""
    return replace(result, notes=(*result.notes, note))


class _Run:
    """One judgement, while its parts are worked out."""

    def __init__(
        self, project: Project, options: GateOptions, base: str, before: Side, head: Side, told: Told | None
    ) -> None:
        self.project, self.options, self.base = project, options, base
        self.before, self.head = before, head
        self.told = told
        self.pairs = pairs(before, head)
        self.held: dict[str, Held] = {}
        self.moves: dict[str, Moved] = {}
        self.notes: tuple[str, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """A word for how each contract stands."""
        return {pair.name: self.moves[pair.name].word for pair in self.pairs}

    @property
    def changed(self) -> list[Pair]:
        """The contracts that changed and are still there."""
        return [pair for pair in self.pairs if pair.head is not None and pair.changed]

    @property
    def changed_tasks(self) -> list[str]:
        """Their names."""
        return [pair.name for pair in self.changed]

    def findings(self) -> list[Finding]:
        """Everything, before approvals."""
        found: list[Finding] = []
        for number, pair in enumerate(self.pairs):
            if self.told is not None:
                self.told("compared", number, len(self.pairs))
            if pair.changed or upgraded(pair):
                self.held[pair.name] = held(pair)
            one = self.moves[pair.name] = moved(pair, self.held[pair.name].instances if pair.changed else [])
            found.extend(one.findings)
            found.extend(left_behind(pair, self.project))
        work = [pair.head.task for pair in self.changed if pair.head is not None]
        old = regenerated(self.project, work, self.options.loading, self.options.jobs)
        found.extend(stale(made, self.moves[name], self.project.root) for name, made in old.items())
        told, self.notes = verified(self.head, old)
        found.extend(self._thinned({one.contract for one in told}))
        for pair in self.pairs:
            if pair.name not in self.held and any(t.contract == pair.name and t.kind == WRONG for t in told):
                self.held[pair.name] = held(pair)
        for one_held in self.held.values():
            found.extend(findings(one_held))
        bare = [pair.name for pair in self.pairs if pair.head and not pair.changed and pair.bare]
        found.extend(of_fixtures(told, self.project.root, self.held, bare))
        for pair in self.pairs:
            if pair.head is not None and pair.edited:
                found.extend(linted(pair, self.before, self.head))
        wrong = {t.contract for t in told}
        sound = [task for task in work if task.entry.name not in old and task.entry.name not in wrong]
        found.extend(of_mutants(self.project, sound, self.options.loading, self.base, self.options.cache))
        found.extend(gated(self.before.project, self.project))
        return found

    def _thinned(self, told: set[str]) -> Iterator[Finding]:
        """Contracts that did not change, and whose corpus did: a fixture may be gone together with its row."""
        touched = [p for p in self.pairs if p.head and not p.changed and p.name not in told and p.corpus_edited]
        work = [pair.head.task for pair in touched if pair.head is not None]
        for name, made in regenerated(self.project, work, self.options.loading, self.options.jobs).items():
            yield stale(made, self.moves[name], self.project.root)

    def unshown(self, approved: list[Finding]) -> list[tuple[Finding, Finding]]:
        """For each approved break that no fixture of head shows, what is to be said of it; and the break."""
        result = []
        for finding in approved:
            if finding.witness is NO_VALUE or finding.contract is None:
                continue
            one = self.held.get(finding.contract)
            if one is not None and one.shows(finding.subject.partition(" ")[0], finding.witness):
                continue
            about = Finding(
                NO_FIXTURE,
                "no fixture shows this approved break, so its undoing would go unnoticed:",
                finding.file,
                finding.location,
                finding.contract,
                subject=finding.subject,
                witness=finding.witness,
                fix=f"run `knownbad gate --against {self.options.against} --write` and commit what it writes",
            )
            result.append((about, finding))
        return result
