"""Mutation checks over one or many contracts: load, check every mutant, and write what would kill the survivors."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import given
from .against import Earlier
from .check import Checker, Found
from .closing import close
from .config import Project
from .contract import Contract
from .documents import read_text
from .errors import BadInput, Problem
from .evidence import Given
from .ignored import Ignoring
from .journal import commit, locked
from .layout import relative
from .mutants import IGNORED, SURVIVED, Check, Checked, Mutant
from .produce import Options, Task, load_contract, make_header, names_root
from .results import FOLDER, Store
from .spread import Spread, spread
from .store import extended, read
from .values import compact

STEP = 150
"""After how many mutants that the fixtures decide progress is told."""
CHUNK = 25
"""How many mutants that have to be answered one process is given at a time, at most."""
CHUNKS = 8
"""How many times each process is given some, where there are enough."""
FEW = 20
"""So many are answered before another process has begun to work."""

UNEVEN = 1.2
"""By how much the largest contract may be more than its share, for processes to be given whole contracts."""

Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class MutateOptions:
    """What a run is asked for.

    `faults`: `core` or `all`; `against`: a revision of git; `shard`: which part, counted from 1, of how many.
    """

    loading: Options = field(default_factory=Options)
    faults: str = "core"
    against: str | None = None
    shard: tuple[int, int] | None = None
    fail_under: float = 100.0
    write: bool = False
    where: Spread = field(default_factory=Spread)
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    """One contract with all that its mutants are held against. It is sent to other processes as it is."""

    name: str
    contract: Contract
    fixtures: tuple[Given, ...]
    faults: str
    cache: Path | None


def cache_of(project: Project) -> Path | None:
    """Where a project keeps what was found out; None without a config, since then the folder may be anybody's."""
    return project.root / FOLDER if project.source else None


def mutate(project: Project, work: Sequence[Task], options: MutateOptions, told: Told | None = None) -> Checked:
    """Check every contract. Raises BadInput with the problems of all of them."""
    loaded: list[tuple[Task, _Job]] = []
    problems: list[Problem] = []
    for task in work:
        try:
            loaded.append((task, _load(project, task, options)))
        except BadInput as bad:
            problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    root = work[0].layout.root if work else project.root
    whole = _together if _balanced([job for _, job in loaded], options) else _in_turn
    return Checked(whole(loaded, options, told), root, options.fail_under, options.shard)


_Loaded = Sequence[tuple[Task, _Job]]


def _in_turn(loaded: _Loaded, options: MutateOptions, told: Told | None) -> tuple[Check, ...]:
    return tuple(_check(task, job, options, told) for task, job in loaded)


def _balanced(jobs: Sequence[_Job], options: MutateOptions) -> bool:
    """Whether it is quicker to give each process whole contracts, of which none is most of the work."""
    if options.where.here or options.write or len(jobs) < 2:
        return False
    weights = [_weight(job) for job in jobs]
    return max(weights) * options.where.jobs <= sum(weights) * UNEVEN


def _weight(job: _Job) -> int:
    """About how much work a contract is: each mutant may be held against each fixture."""
    return (1 + len(job.fixtures)) * sum(len(compact(d.value)) for d in job.contract.documents.values())


def _together(loaded: _Loaded, options: MutateOptions, told: Told | None) -> tuple[Check, ...]:
    """Whole contracts in several processes, the largest first. Each comes out as it does in turn."""
    alone = replace(options, where=Spread())
    order = sorted(range(len(loaded)), key=lambda n: -_weight(loaded[n][1]))
    found: dict[int, Check] = {}
    for number, check in spread(_numbered, [(n, *loaded[n], alone) for n in order], options.where):
        found[number] = check
        if told is not None:
            told(check.contract, len(check.mutants), len(check.mutants))
    return tuple(found[n] for n in range(len(loaded)))


def _numbered(number: int, task: Task, job: _Job, options: MutateOptions) -> tuple[int, Check]:
    return number, _check(task, job, options, None)


def listed(project: Project, work: Sequence[Task], options: MutateOptions) -> Iterator[tuple[str, Mutant]]:
    """The mutants that `mutate` would check, each with the name of its contract; nothing is checked."""
    for task in work:
        job = _load(project, task, options)
        checker = Checker(job.contract, (), job.faults)
        for number in _numbers(checker, task, options):
            yield task.entry.name, checker.described(checker.mutations[number])


def _load(project: Project, task: Task, options: MutateOptions) -> _Job:
    contract = load_contract(project, task, options.loading)
    return _Job(task.entry.name, contract, tuple(given.read(task.layout)), options.faults, options.cache)


def _numbers(checker: Checker, task: Task, options: MutateOptions) -> list[int]:
    numbers = list(range(len(checker.mutations)))
    if options.against is not None:
        earlier = Earlier(checker.contract, names_root(task), options.against)
        numbers = [n for n in numbers if earlier.changed(checker.mutations[n])]
    if options.shard is not None:
        which, of = options.shard
        numbers = numbers[which - 1 :: of]
    return numbers


def _check(task: Task, job: _Job, options: MutateOptions, told: Told | None) -> Check:
    _KEPT.clear()  # what an earlier run of this process has asked must not count
    checker = _checker(job)
    counts = (sum(f.accepted for f in job.fixtures), sum(not f.accepted for f in job.fixtures))
    file, inside, texts = _sources(task, job.contract)
    blank = Check(
        job.name, file, (), texts, counts, notes=_notes(job), inside=inside, corpus=tuple(f.file for f in job.fixtures)
    )
    if wrong := checker.evidence.wrong():
        return replace(blank, wrong=tuple(wrong))
    if doubtful := checker.evidence.doubtful:
        told_once = f"{len(doubtful)} fixtures have a verdict of jsonschema-rs alone, as {doubtful[0]}"
        blank = replace(blank, notes=(*blank.notes, told_once))
    numbers = _numbers(checker, task, options)
    ignoring = Ignoring(task.entry.ignore)
    ignored = {n: reason for n in numbers if (reason := ignoring.reason(checker.described(checker.mutations[n])))}
    wanted = [n for n in numbers if n not in ignored]
    found = _found(job, checker, wanted, options, told)
    mutants = {n: checker.told(found[n]) for n in wanted}
    for number, reason in ignored.items():
        blank_mutant = checker.described(checker.mutations[number])
        mutants[number] = replace(blank_mutant, state=IGNORED, reason=reason)
    notes = [*blank.notes, *ignoring.notes(whole=options.against is None and options.shard is None)]
    if options.write:
        mutants, more = _write(task, job, checker, mutants, found)
        notes.extend(more)
    return replace(blank, mutants=tuple(mutants[n] for n in sorted(mutants)), notes=tuple(notes))


def _sources(task: Task, contract: Contract) -> tuple[Path, str, dict[str | None, str]]:
    """The schema's file, where in it the contract's document begins, and the text of each document by its name."""
    root = names_root(task)
    texts: dict[str | None, str] = {}
    own, inside = root, ""
    for document in contract.documents.values():
        name, _, below = document.name.partition("#/")
        path = root / name
        if document is contract.document:
            own, inside = path, f"/{below}" if below else ""
        if path.is_file():
            texts[None if document is contract.document else document.name] = read_text(path, name)
    return own.resolve(), inside, texts


def _notes(job: _Job) -> tuple[str, ...]:
    notes = []
    if not job.fixtures:
        notes.append("the corpus is empty: `knownbad generate` makes one")
    if job.contract.any_refs:
        notes.append("taken as accepting anything: " + ", ".join(sorted(job.contract.any_refs)))
    return tuple(notes)


# ---- the work, here or in other processes

_KEPT: list[Any] = []
"""The job that this process works at (packed, where it came from another one), and its checker."""


def _checker(job: _Job) -> Checker:
    """One checker a contract and process: what it works out serves every mutant."""
    if not _KEPT or _KEPT[0] is not job:
        store = None if job.cache is None else Store(job.cache)
        _KEPT[:] = [job, Checker(job.contract, job.fixtures, job.faults, store), b""]
    checker: Checker = _KEPT[1]
    return checker


def _chunk(job: _Job, numbers: Sequence[int]) -> list[Found]:
    checker = _checker(job)
    return [checker.answered(number, large=False) for number in numbers]


def _chunk_of(packed: bytes, numbers: Sequence[int]) -> list[Found]:
    """The same in another process, which unpacks each job once."""
    if not _KEPT or _KEPT[2] != packed:
        _checker(pickle.loads(packed))  # noqa: S301  our own process packed it
        _KEPT[2] = packed
    return _chunk(_KEPT[0], numbers)


def _found(
    job: _Job, checker: Checker, numbers: Sequence[int], options: MutateOptions, told: Told | None
) -> dict[int, Found]:
    """What becomes of each mutant.

    Which fixture kills one takes less time than to send it away, so only those that none kills are spread. The few
    large questions are asked here meanwhile, in order, so that all runs ask the same ones.
    """
    found: dict[int, Found] = {}
    rest = []
    for count, number in enumerate(numbers, 1):
        seen = checker.seen(number)
        if seen is None:
            rest.append(number)
        else:
            found[number] = seen
        if told is not None and (count % STEP == 0 or count == len(numbers)):
            told(job.name, len(found), len(numbers))
    waiting = iter(rest)
    following = next(waiting, None)
    for part in _answers(job, rest, options.where):
        found.update((one.number, one) for one in part)
        if told is not None:
            told(job.name, len(found), len(numbers))
        while following is not None and following in found:
            if found[following].held_back:
                found[following] = checker.settled(found[following])
            following = next(waiting, None)
    return found


def _answers(job: _Job, numbers: Sequence[int], where: Spread) -> Iterator[list[Found]]:
    """The answers for mutants that no fixture kills, without the large questions; in any order."""
    size = max(1, min(CHUNK, len(numbers) // (where.jobs * CHUNKS)))
    chunks = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    if where.here or len(numbers) < FEW and where.backend == "loky":
        return (_chunk(job, chunk) for chunk in chunks)
    packed = pickle.dumps(replace(job, fixtures=()))
    return spread(_chunk_of, [(packed, chunk) for chunk in chunks], where)


# ---- what would kill the survivors


def _write(
    task: Task, job: _Job, checker: Checker, mutants: dict[int, Mutant], found: dict[int, Found]
) -> tuple[dict[int, Mutant], list[str]]:
    """The survivors with the file that was written for each; a file may serve several."""
    layout = task.layout
    numbers = [n for n, mutant in sorted(mutants.items()) if mutant.state == SURVIVED]
    survivors = [(checker.mutations[n], checker.witness(found[n])) for n in numbers]
    with locked(layout.root):
        stored = read(layout)
        closed = close(checker.engine, given.fixtures(layout), survivors, kept=True)
        commit(layout.root, extended(layout, make_header(job.contract, task), stored, closed.fixtures), [])
    written = dict(mutants)
    for place, fixture in closed.serves.items():
        file = relative(layout.folder(fixture.positive) / f"{fixture.slug}.json", layout.root)
        written[numbers[place]] = replace(mutants[numbers[place]], written=file)
    count = len(closed.fixtures)
    return written, [f"{count} {'fixture was' if count == 1 else 'fixtures were'} written"] if count else []


def parse_shard(text: str) -> tuple[int, int]:
    """`2/8` as (2, 8). Raises BadInput."""
    which, _, of = text.partition("/")
    if which.isdigit() and of.isdigit() and 1 <= int(which) <= int(of):
        return int(which), int(of)
    raise BadInput(Problem(f"--shard takes which of how many, as in 2/8, not {text!r}"))
