"""Which build passed which fixtures: records as files, and whether they are enough to deploy."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from .. import __version__, documents, journal
from ..codes.replay import NOT_VERIFIED, RECORDS_UNREACHABLE, UNREACHABLE, VERIFIED_AS_FAILED
from ..errors import BadInput, Exit, Problem
from ..finding import Finding
from ..git import Repository
from ..layout import relative
from ..values import dump
from .baseline import git
from .settings import Deploy, Settings

_FETCH = 120.0
"""Seconds that bringing the records may take."""


class Outcome(StrEnum):
    """What became of one fixture."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNREACHABLE = "unreachable"


class Held(NamedTuple):
    """One fixture that was held against a build: its file, its digest, and what became of it."""

    file: str
    sha256: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Record:
    """What one build came to through one adapter in one environment."""

    build: str
    adapter: str
    environment: str | None
    fixtures: tuple[Held, ...]

    @property
    def name(self) -> str:
        """The name of its file: a run of the same build in the same place replaces it."""
        parts = [self.build, *([self.environment] if self.environment else []), self.adapter]
        return ".".join(re.sub(r"[^A-Za-z0-9._-]+", "-", part) for part in parts) + ".json"

    def text(self) -> str:
        """The text of the file."""
        rows = [{"file": h.file, "sha256": h.sha256, "outcome": h.outcome.value} for h in self.fixtures]
        about = {"build": self.build, "adapter": self.adapter, "environment": self.environment}
        return dump({"knownbad": __version__, **about, "fixtures": rows})


def write(settings: Settings, records: Iterable[Record]) -> list[Path]:
    """Write the records, all or none."""
    settings.verifications.mkdir(parents=True, exist_ok=True)
    with journal.locked(settings.verifications):
        planned = {settings.verifications / r.name: _merged(settings, r).text().encode() for r in records}
        changed = {path: data for path, data in planned.items() if not path.is_file() or path.read_bytes() != data}
        journal.commit(settings.verifications, changed, ())
    return list(planned)


def _merged(settings: Settings, record: Record) -> Record:
    """The record with what an earlier run of the same build in the same place says of other fixtures that are there."""
    path = settings.verifications / record.name
    if not path.is_file():
        return record
    before = _record(documents.read(path, relative(path, settings.root)), relative(path, settings.root))
    if (before.build, before.adapter, before.environment) != (record.build, record.adapter, record.environment):
        return record  # another name that comes to the same file
    anew = {held.file for held in record.fixtures}
    others = [held for held in before.fixtures if held.file not in anew and (settings.root / held.file).is_file()]
    return replace(record, fixtures=(*record.fixtures, *others)) if others else record


def read(folder: Path, root: Path) -> list[Record]:
    """Every record in a folder. Raises BadInput with every problem."""
    found: list[Record] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(_record(documents.read(path, relative(path, root)), relative(path, root)))
        except BadInput as bad:
            problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    return found


def _record(value: Any, name: str) -> Record:
    from ..bundled import bundled
    from ..oracle import Oracle

    oracle = Oracle(bundled("verification"))
    if not oracle.fast(value):
        failure = oracle.errors(value)[0]
        problem = Problem(
            f"is no record of a verification: {failure.keyword_location}", name, failure.instance_location
        )
        raise BadInput(problem)
    held = tuple(Held(row["file"], row["sha256"], Outcome(row["outcome"])) for row in value["fixtures"])
    return Record(value["build"], value["adapter"], value["environment"], held)


def build_of(root: Path, verifications: Path) -> str:
    """What the build in a checkout is called: the last commit that changed anything but records, marked where edited.

    Raises BadInput outside of git.
    """
    try:
        repository = Repository.around(root)
    except BadInput as bad:
        problems = (Problem(p.message, p.file, fix="name the build: --build") for p in bad.problems)
        raise BadInput(problems) from None
    below, kept = repository.inside(root), repository.inside(verifications)
    edited = [path for path in _edited(repository, below) if not _within(path, kept)]
    # A commit that holds nothing but records is the build that they are of.
    for entry in git(repository, "log", "--format=%x00%H", "--name-only", "-m", "--", below or ".").split("\0")[1:]:
        commit, *paths = entry.splitlines()
        if any(path and not _within(path, kept) for path in paths):
            return commit + ("-edited" if edited else "")
    raise BadInput(Problem("the build has no name: there is no commit yet", str(root), fix="name it: --build"))


def _edited(repository: Repository, below: str) -> list[str]:
    """The tracked files that differ from the last commit."""
    return git(repository, "diff", "--name-only", "HEAD", "--", below or ".").splitlines()


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


# ---- deployable?


@dataclass(frozen=True, slots=True)
class Deployable:
    """Whether a build may go to an environment. `looked`: how often the records were looked at."""

    build: str
    environment: str
    needed: int
    passed: int
    findings: tuple[Finding, ...] = ()
    looked: int = 1

    @property
    def exit(self) -> Exit:
        """0 deployable, 1 failed, 5 unreachable, 3 unknown: the first that holds, in this order but for 0."""
        codes = {finding.code for finding in self.findings}
        if VERIFIED_AS_FAILED in codes:
            return Exit.FINDINGS
        if codes & {UNREACHABLE, RECORDS_UNREACHABLE}:
            return Exit.UNREACHABLE
        return Exit.UNDECIDED if codes else Exit.GOOD

    @property
    def word(self) -> str:
        """The answer in one word."""
        return {
            Exit.GOOD: "deployable",
            Exit.FINDINGS: "failed",
            Exit.UNREACHABLE: "unreachable",
            Exit.UNDECIDED: "unknown",
        }[self.exit]


@dataclass(frozen=True, slots=True)
class Needed:
    """What has to have been verified: the digests of the fixtures by their files, None for one that is not there."""

    fixtures: Mapping[str, str | None]
    split: frozenset[str] = field(default_factory=frozenset)
    """The files that hold in the environment only, so that only records of it count."""


def can_deploy(
    settings: Settings,
    needed: Callable[[], Needed],
    build: str,
    environment: str,
    *,
    retries: int = 0,
    interval: float = 10.0,
    wait: Callable[[float], None] = time.sleep,
) -> Deployable:
    """Whether the records say that this build may go there; looked at again while that is unknown."""
    for look in range(retries + 1):
        found = _look(settings, needed(), build, environment, look + 1)
        if found.exit is not Exit.UNDECIDED or look == retries:
            break
        wait(interval)
    return found


def _look(settings: Settings, needed: Needed, build: str, environment: str, number: int) -> Deployable:
    deploy = settings.deploy.get(environment, Deploy())
    count = len(needed.fixtures)
    if deploy.fetch and (trouble := _fetched(deploy.fetch, settings.root)):
        finding = Finding(RECORDS_UNREACHABLE, f"the records could not be brought: {trouble}", subject=environment)
        return Deployable(build, environment, count, 0, (finding,), number)
    try:
        records = [r for r in read(settings.verifications, settings.root) if r.build == build]
    except OSError as error:
        message = f"the records cannot be read: {error.strerror or error}"
        finding = Finding(RECORDS_UNREACHABLE, message, str(settings.verifications), subject=environment)
        return Deployable(build, environment, count, 0, (finding,), number)
    if not needed.fixtures:
        finding = Finding(NOT_VERIFIED, f"there is no fixture that holds in {environment}", subject=environment)
        return Deployable(build, environment, 0, 0, (finding,), number)
    findings: list[Finding] = []
    passed = 0
    for file, digest in needed.fixtures.items():
        usable = [r for r in records if file not in needed.split or r.environment == environment]
        found = list(
            _of_fixture(file, digest, usable, deploy.adapters, build, environment if file in needed.split else None)
        )
        findings.extend(found)
        passed += not found
    return Deployable(build, environment, count, passed, tuple(findings), number)


def _of_fixture(
    file: str,
    digest: str | None,
    records: Sequence[Record],
    adapters: tuple[str, ...],
    build: str,
    environment: str | None,
) -> Iterator[Finding]:
    """What keeps one fixture from being verified: through each adapter that is asked for, or through any.

    `environment`: the only one whose records count for it.
    """
    if digest is None:
        yield Finding(NOT_VERIFIED, "there is no such fixture", file, fix="write it: knownbad generate")
        return
    held = [(record, h) for record in records for h in record.fixtures if h.file == file]
    exact = [(record, h.outcome) for record, h in held if h.sha256 == digest]
    for record, outcome in exact:
        if outcome is Outcome.FAILED:
            message = f"build {build} failed it through {_place(record)}"
            yield Finding(VERIFIED_AS_FAILED, message, file, subject=record.adapter)
    if any(outcome is Outcome.FAILED for _, outcome in exact):
        return
    for adapter in adapters or (None,):
        asked = [(r, outcome) for r, outcome in exact if adapter in (None, r.adapter)]
        through = f" through {adapter}" if adapter else ""
        if any(outcome is Outcome.PASSED for _, outcome in asked):
            continue
        if unreachable := [r for r, outcome in asked if outcome is Outcome.UNREACHABLE]:
            message = f"the tool could not be reached through {_place(unreachable[0])}"
            yield Finding(UNREACHABLE, message, file, subject=adapter or "")
            continue
        place = f" --environment {shlex.quote(environment)}" if environment else ""
        fix = f"knownbad replay --record --build {shlex.quote(build)}{place}" + (
            f" --live --adapter {adapter}" if adapter not in (None, "callable") else ""
        )
        why = "the fixture changed since" if held and not exact else "no record says so"
        message = f"build {build} is not known to pass it{through}: {why}"
        yield Finding(NOT_VERIFIED, message, file, subject=adapter or "", fix=fix)


def _place(record: Record) -> str:
    return f"{record.adapter} in {record.environment}" if record.environment else record.adapter


def _fetched(command: Sequence[str], root: Path) -> str | None:
    """Bring the records; why that failed."""
    from . import processes

    try:
        ran = processes.run(command, b"", timeout=_FETCH, largest=1_000_000, cwd=root, env={})
    except (OSError, subprocess.SubprocessError) as error:
        return f"{command[0]}: {error}"
    if ran.code == 0:
        return None
    said = ran.err.decode("utf-8", "replace").strip() or f"exit code {ran.code}"
    return f"{command[0]}: {said}"
