"""The main job over one or many contracts: load, generate, plan; then write everything at once, or only compare."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import __version__
from .config import Entry, Project
from .corpus import UNDECIDED, Corpus
from .dialects import Dialect
from .error_fixtures import checked as errors_checked
from .error_fixtures import planned as error_fixtures
from .error_fixtures import refuse_foreign
from .errors import BadInput, Exit, Problem
from .finding import Level
from .journal import commit, locked, recover
from .layout import RESERVED, Layout, in_out, relative
from .store import Changes, Stored, changes, plan, read

if TYPE_CHECKING:
    from .twins.plan import Planned
    from .verify import Verified

MARK = b"knownbad"
"""What an emitted test says of itself; a file of that name without it is a person's and is not replaced."""

Told = Callable[[str, int, int], None]
"""Progress: the contract's name, how many steps are done, how many there are."""


@dataclass(frozen=True, slots=True)
class Options:
    """What one run is asked for, beyond the project's own settings."""

    faults: str = "core"
    examples: int = 0
    max_size: int = 65536
    unresolved: str = "error"
    dialect: Dialect | None = None
    formats: bool | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One contract to make: its schema, where its files go, and the `root` that names of documents are relative to."""

    entry: Entry
    layout: Layout
    root: Path


@dataclass(frozen=True, slots=True)
class Made:
    """What one contract came to. `planned` are all its files; `edited` those that a person took over since."""

    name: str
    schema: str
    layout: Layout
    corpus: Corpus
    stored: Stored
    planned: dict[Path, bytes]
    changes: Changes
    notes: tuple[str, ...] = ()

    @property
    def several_reasons(self) -> tuple[str, ...]:
        """The written negatives of which rejection alone is asserted."""
        return tuple(f.slug + ".json" for f in self.corpus.negatives if f.keyword_location is None)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a whole run. `checked`: nothing was written, only compared."""

    made: tuple[Made, ...]
    checked: bool
    root: Path
    notes: tuple[str, ...] = field(default=())
    errors: tuple[Planned, ...] = ()
    """The error fixtures, a tool each."""

    @property
    def exit(self) -> Exit:
        """FINDINGS where a check found a difference, and where an error fixture or the envelope is wrong."""
        if self.checked and (any(m.changes for m in self.made) or any(p.changes for p in self.errors)):
            return Exit.FINDINGS
        weights = {finding.weight for planned in self.errors for finding in planned.findings}
        if Level.ERROR in weights:
            return Exit.FINDINGS
        undecided = Level.UNDECIDED in weights or any(
            outcome.state == UNDECIDED for made in self.made for outcome in made.corpus.outcomes
        )
        return Exit.UNDECIDED if undecided else Exit.GOOD


def tasks(project: Project, names: Sequence[str] = ()) -> list[Task]:
    """The contracts of a project, all or those named. Raises BadInput for a name that there is none of."""
    known = {entry.name: entry for entry in project.contracts}
    unknown = [name for name in names if name not in known]
    if unknown:
        fix = "contracts: " + (", ".join(known) or "none")
        raise BadInput([Problem(f"there is no contract called {name!r}", fix=fix) for name in unknown])
    chosen = [known[name] for name in names] if names else list(project.contracts)
    return [Task(entry, project.layout(entry.name), project.root) for entry in chosen]


def single(project: Project, entry: Entry, out: Path | None) -> Task:
    """One schema, named on the command line; its `schema` is a path as the person gave it, made absolute."""
    path, _, fragment = entry.schema.partition("#")
    root = project.root if Path(path).is_relative_to(project.root) and project.source else Path(path).parent
    spec = relative(Path(path), root) + (f"#{fragment}" if fragment else "")
    if out is None:
        known = next((e for e in project.contracts if e.schema == spec), Entry(entry.name, spec))
        return Task(known, project.layout(known.name), root)
    # What such a corpus says must not depend on where it was made from.
    own = Path(path).parent
    return Task(
        Entry(entry.name, relative(Path(path), own) + (f"#{fragment}" if fragment else "")),
        in_out(out, entry.name),
        own,
    )


def produce(
    project: Project,
    work: Sequence[Task],
    options: Options,
    *,
    write: bool = True,
    jobs: int = 1,
    told: Told | None = None,
    errors: bool = False,
) -> Run:
    """Make every contract; write all of them at once (or, with `write` false, only compare with the disk).

    `errors`: the error fixtures of the project's catalogue as well.
    """
    root = work[0].layout.root if work else project.root
    notes = tuple(_orphans(project)) if root == project.root else ()
    if not write:
        recover(root)
        made, planned = _both(project, work, options, jobs, told, errors)
        return Run(tuple(made), True, root, notes, tuple(planned))
    with locked(root):
        made, planned = _both(project, work, options, jobs, told, errors)
        refuse_foreign(planned, root)
        writes: dict[Path, bytes] = {}
        stale: list[Path] = []
        for one in made:
            _foreign_test(one)
            writes.update({path: one.planned[path] for path in (*one.changes.added, *one.changes.changed)})
            stale.extend(one.changes.stale)
        for tool in planned:
            writes.update({path: tool.files[path] for path in (*tool.changes.added, *tool.changes.changed)})
            stale.extend(tool.changes.stale)
        commit(root, writes, stale)
    return Run(tuple(made), False, root, notes, tuple(planned))


def _both(
    project: Project, work: Sequence[Task], options: Options, jobs: int, told: Told | None, errors: bool
) -> tuple[list[Made], list[Planned]]:
    """Contracts and error fixtures. Raises BadInput with the problems of both."""
    problems: list[Problem] = []
    made: list[Made] = []
    planned: list[Planned] = []
    try:
        planned = error_fixtures(project) if errors else []
    except BadInput as bad:
        problems.extend(bad.problems)
    try:
        made = _all(project, work, options, jobs, told)
    except BadInput as bad:
        problems.extend(bad.problems)
    if problems:
        raise BadInput(list({str(problem): problem for problem in problems}.values()))
    return made, planned


def _all(project: Project, work: Sequence[Task], options: Options, jobs: int, told: Told | None) -> list[Made]:
    results: list[Made | tuple[Problem, ...]]
    if jobs > 1 and len(work) > 1:
        import joblib

        pool = joblib.Parallel(n_jobs=min(jobs, len(work)), backend="loky")
        results = list(pool(joblib.delayed(_one)(project, task, options) for task in work))
    else:
        results = [_one(project, task, options, told) for task in work]
    problems = [problem for result in results if isinstance(result, tuple) for problem in result]
    if problems:
        raise BadInput(list({str(problem): problem for problem in problems}.values()))
    return [result for result in results if isinstance(result, Made)]


def _one(project: Project, task: Task, options: Options, told: Told | None = None) -> Made | tuple[Problem, ...]:
    """One contract; problems are given back rather than raised, so that those of all contracts are told together."""
    try:
        return make(project, task, options, told)
    except BadInput as bad:
        return bad.problems


def make(project: Project, task: Task, options: Options, told: Told | None = None) -> Made:
    """Load a contract, generate its corpus around what is on disk, and plan its files. Writes nothing."""
    from .generate import GenerateOptions, generate
    from .render.emit import check_templates, emit

    if project.templates:
        check_templates(project.templates)
    contract = load_contract(project, task, options)
    stored = read(task.layout)
    settings = GenerateOptions(faults=options.faults, examples=options.examples, max_size=options.max_size)
    name = task.entry.name
    report = None if told is None else (lambda done, total: told(name, done, total))
    corpus = generate(contract, stored.adopted, settings, report, stored.kept)
    header = make_header(contract, task)
    planned = plan(task.layout, header, corpus, stored)
    emitted = emit(contract, task.layout, names_root(task), project.templates)
    planned.update(emitted)
    stale = [path for path in _copies(task.layout) if path not in emitted]
    notes = [*corpus.notes, *(_edited(path, task.layout) for path in stored.edited), *_wrong(contract, stored, task)]
    if not corpus.negatives and corpus.positives and not any(o.state == UNDECIDED for o in corpus.outcomes):
        notes.append("the schema rejects nothing that knownbad knows of: it guards nothing")
    if contract.any_refs:
        notes.append("taken as accepting anything: " + ", ".join(sorted(contract.any_refs)))
    differing = changes(planned, stored, stale)
    schema = str(header["schema"])
    return Made(name, schema, task.layout, corpus, stored, planned, differing, tuple(notes))


def _edited(path: Path, layout: Layout) -> str:
    return f"{relative(path, layout.root)} was edited since it was generated: it counts as written"


def _wrong(contract: Any, stored: Stored, task: Task) -> Iterator[str]:
    """The adopted fixtures that get another verdict than their folder says."""
    from .oracle import Oracle

    oracle = Oracle(contract) if stored.held else None
    for fixture in stored.adopted:
        if oracle is not None and oracle.accepts(fixture.instance) is (not fixture.positive):
            path = relative(task.layout.folder(fixture.positive) / f"{fixture.slug}.json", task.layout.root)
            verdict = "rejects" if fixture.positive else "accepts"
            yield f"{path} ({fixture.origin}) is in the wrong folder: the contract {verdict} it, so its test fails"


def names_root(task: Task) -> Path:
    """What names of documents are relative to; for a file outside the root, `load` takes the file's own folder."""
    path = Path(os.path.normpath(task.root / task.entry.schema.partition("#")[0])).resolve()
    root = task.root.resolve()
    return root if path.is_relative_to(root) else path.parent


def load_contract(project: Project, task: Task, options: Options) -> Any:
    """The contract of a task, by the project's settings and the options that override them."""
    from .load import LoadOptions, load

    settings = LoadOptions(
        dialect=options.dialect or project.dialect,
        formats=project.formats if options.formats is None else options.formats,
        resolve=dict(project.resolve),
        folders=(project.schemas,) if project.schemas.is_dir() else (),
        unresolved=options.unresolved,
        root=task.root,
    )
    path, hash_, fragment = task.entry.schema.partition("#")
    return load(os.path.normpath(task.root / path) + hash_ + fragment, task.entry.name, settings)


def make_header(contract: Any, task: Task) -> dict[str, Any]:
    """What a `corpus.json` says before its rows."""
    from .compiled import validators
    from .digest import digest

    path, hash_, fragment = task.entry.schema.partition("#")
    return {
        "contract": task.entry.name,
        "schema": relative(task.root / path, task.layout.root) + hash_ + fragment,
        "digest": digest(contract),
        "dialect": contract.dialect.name,
        "formats": contract.formats,
        "validators": validators(contract),
        "version": __version__,
    }


def _copies(layout: Layout) -> Iterator[Path]:
    """The copies of translated schemas that stand beside the emitted test."""
    stem = layout.schema_stem
    for path in sorted(stem.parent.glob(f"{stem.name}*.schema.json")) if stem.parent.is_dir() else ():
        middle = path.name.removeprefix(stem.name).removesuffix(".schema.json")
        if middle == "" or middle[0] == "-" and middle[1:].isdigit():
            yield path


def _foreign_test(made: Made) -> None:
    path = made.layout.test
    if path in made.changes.changed and not made.stored.owned and MARK not in path.read_bytes():
        message = "this file is in the way of the emitted test, and knownbad did not write it"
        raise BadInput(Problem(message, str(path), fix="move it, or give the contract another `name`"))


def _orphans(project: Project) -> Iterator[str]:
    """Corpora of contracts that the project has no more."""
    names = {entry.name for entry in project.contracts}
    for folder in (project.fixtures, project.negative):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name not in names and path.name not in RESERVED and (path / "corpus.json").is_file():
                yield f"{relative(path, project.root)}: no contract is called so; name its schema or remove the folder"
                test = project.layout(path.name).test
                if folder == project.fixtures and emitted_for(test, project):
                    yield f"{relative(test, project.root)}: its contract is gone, so it cannot run; remove it"


def emitted_for(test: Path, project: Project) -> bool:
    """Whether a test is there that knownbad wrote for a contract that the project has no more."""
    taken = {project.layout(entry.name).test for entry in project.contracts}
    return test not in taken and test.is_file() and MARK in test.read_bytes()


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the corpus in an `--out` folder was made from. `schema` is a path that can be read from here."""

    schema: str
    dialect: str | None
    formats: bool | None


def recorded_in(out: Path) -> Recorded:
    """What the corpus in an `--out` folder says of itself. Raises BadInput where there is none."""
    from .store import manifest

    for positive, name in ((True, "fixtures"), (False, "negative")):
        found = manifest(out / name, positive)
        if found is not None and isinstance(found.header.get("schema"), str):
            path, hash_, fragment = str(found.header["schema"]).partition("#")
            schema = os.path.normpath(out.resolve() / path) + hash_ + fragment
            return Recorded(schema, found.header.get("dialect"), found.header.get("formats"))
    raise BadInput(Problem("holds no corpus", str(out), fix="run `knownbad generate --schema ... --out ...` first"))


def verify_all(project: Project, work: Sequence[Task], options: Options, *, errors: bool = False) -> Verified:
    """Load every contract and judge its corpus as it stands; with `errors`, the error fixtures as well."""
    from .verify import verify

    root = work[0].layout.root if work else project.root
    recover(root)
    loaded: list[tuple[Task, Any]] = []
    problems: list[Problem] = []
    for task in work:
        try:
            loaded.append((task, load_contract(project, task, options)))
        except BadInput as bad:
            problems.extend(bad.problems)
    checked = None
    try:
        checked = errors_checked(project) if errors else None
    except BadInput as bad:
        problems.extend(bad.problems)
    if problems:
        raise BadInput(list({str(problem): problem for problem in problems}.values()))
    verified = verify(loaded, root, tuple(_orphans(project)) if root == project.root else ())
    return verified if checked is None else replace(verified, errors=checked)
