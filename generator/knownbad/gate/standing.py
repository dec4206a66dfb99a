"""What must hold of head by itself: its corpora, the verdicts of all fixtures, lint, and the mutants of the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..codes import corpus as codes
from ..codes.compare import LEFT_BEHIND, NOT_REGENERATED, WRONG_BEFORE
from ..codes.mutants import SURVIVOR, UNDECIDED
from ..config import Project
from ..errors import NO_VALUE
from ..finding import Code, Finding, Level
from ..layout import CORPUS, relative
from ..mutants import SURVIVED as SURVIVES
from ..mutants import UNDECIDED as OPEN
from ..mutants import Mutant
from ..produce import Made, Options, Task, emitted_for, produce
from ..verify import FILES, PATCH, REASON, STALE, WRONG, verify
from ..verify import UNDECIDED as NO_VERDICT
from ..verify import Finding as Told
from .flips import Held
from .moved import UNCHANGED, Moved
from .sides import Pair, Side

_CODES: dict[str, Code] = {
    WRONG: codes.VERDICT,
    REASON: codes.REASON,
    FILES: codes.FILES,
    PATCH: codes.PATCH,
    STALE: codes.STALE,
    NO_VERDICT: codes.UNDECIDED,
}
_SHOWN = 5
"""Files of a corpus that are named before the rest is only counted."""


def regenerated(project: Project, work: Sequence[Task], options: Options, jobs: int) -> dict[str, Made]:
    """What `generate --check` says of these contracts, by name, where anything would be written."""
    if not work:
        return {}
    run = produce(project, work, options, write=False, jobs=jobs)
    return {made.name: made for made in run.made if made.changes}


def stale(made: Made, moved: Moved, root: Path) -> Finding:
    """A contract that changed without its corpus; only a note where no fixture can have another verdict."""
    files = made.changes
    paths = [("missing", files.added), ("not what would be written", files.changed), ("stale", files.stale)]
    lines = [f"{word}: {relative(path, root)}" for word, found in paths for path in found]
    more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    if moved.equivalent:
        message = "proved equivalent, so no verdict changes; but the corpus names places of before"
    elif moved.word == UNCHANGED:
        message = "the corpus was edited, and is not what would be written for the contract"
    else:
        message = "the contract changed and its corpus was not regenerated in the same change"
    return Finding(
        NOT_REGENERATED,
        message,
        made.schema.partition("#")[0],
        contract=made.name,
        detail=(*lines[:_SHOWN], *more),
        fix=f"run `knownbad generate --contract {made.name}` and commit what it writes",
        level=Level.NOTE if moved.equivalent else None,
    )


def left_behind(pair: Pair, project: Project) -> Iterator[Finding]:
    """The files of a contract that is gone, all in one finding."""
    if pair.head is not None:
        return
    layout = project.layout(pair.name)
    folders = [layout.folder(positive) for positive in (True, False)]
    left = [path for path in folders if path.is_dir() and any(path.rglob("*"))]
    left += [layout.test] if emitted_for(layout.test, project) else []
    if left:
        named = [relative(path, project.root) for path in left]
        message = "the contract is gone, and what belongs to it is still there:"
        fix = f"remove {', '.join(named)}"
        yield Finding(LEFT_BEHIND, message, pair.file, contract=pair.name, detail=tuple(named), fix=fix)


def verified(head: Side, old: Mapping[str, Made]) -> tuple[list[Told], tuple[str, ...]]:
    """What `verify` says, without what regenerating a corpus that is to be regenerated puts right anyway; its notes."""
    work = [(one.task, one.contract) for one in head.contracts.values() if one.contract is not None]
    found = verify(work, head.project.root)
    kept = [told for told in found.findings if told.contract not in old or told.kind in (WRONG, NO_VERDICT)]
    # What a corpus that is to be written anew was made with is of no interest.
    return kept, () if old else tuple(dict.fromkeys(found.notes))


def of_fixtures(told: Iterable[Told], root: Path, before: Mapping[str, Held], bare: Sequence[str]) -> Iterator[Finding]:
    """The findings of `verify`; a verdict that was wrong on the base already is named as that.

    `bare`: contracts that did not change and never had a corpus, which is no fault of the change.
    """
    for name in bare:
        fix = f"run `knownbad generate --contract {name}`"
        message = "the contract has no corpus, so no fixture guards it"
        yield Finding(codes.FILES, message, contract=name, fix=fix, level=Level.WARNING)
    wrong_now: set[tuple[str, str]] = set()
    for one in told:
        if one.contract in bare and one.kind == FILES and one.file.name == CORPUS:
            continue
        file = relative(one.file, root)
        held = before.get(one.contract)
        reason = held.wrong.get(file) if held is not None and one.kind == WRONG else None
        if one.kind == WRONG:
            wrong_now.add((one.contract, file))
            if held is not None and file in held.left:
                continue  # told with the flips
        yield Finding(
            WRONG_BEFORE if reason else _CODES[one.kind],
            f"{one.message}; it {reason}" if reason else one.message,
            file,
            contract=one.contract,
            subject=one.location or "",
            detail=(f"keyword: {one.location}",) if one.location is not None else (),
        )
    for name, held in before.items():
        for file, reason in held.wrong.items():
            if (name, file) not in wrong_now:
                yield Finding(
                    WRONG_BEFORE, f"{reason}; this change puts it right", file, contract=name, level=Level.NOTE
                )


def linted(pair: Pair, base: Side, head: Side) -> Iterator[Finding]:
    """The findings of lint that the base had not; `knownbad lint` tells all.

    One is new where the base has fewer of its code and subject, so that what is only moved is not new.
    """
    from ..lint import lint
    from ..lint.settings import settings

    assert pair.head is not None
    assert pair.head.contract is not None
    found = lint(head.project, pair.head.contract, pair.head.entry)
    had: Counter[tuple[str, str]] = Counter()
    places: set[tuple[str, str, str | None]] = set()
    if pair.base is not None and pair.base.contract is not None:
        for one in lint(base.project, pair.base.contract, pair.base.entry):
            had[one.code.code, one.subject] += 1
            places.add((one.code.code, one.subject, one.location))
    fresh = []
    for one in sorted(found, key=lambda f: (f.code.code, f.subject, f.location) not in places):
        key = (one.code.code, one.subject)
        if had[key]:
            had[key] -= 1
        else:
            fresh.append(one)
    yield from settings(head.project).applied(fresh, whole=False)


def of_mutants(project: Project, work: Sequence[Task], options: Options, since: str, cache: bool) -> Iterator[Finding]:
    """The mutants of what changed since a commit that no fixture kills."""
    if not work:
        return
    from ..mutate import MutateOptions, cache_of, mutate

    asked = MutateOptions(
        loading=options, faults=options.faults, against=since, cache=cache_of(project) if cache else None
    )
    checked = mutate(project, work, asked)
    for check in checked.checks:
        file = relative(check.file, checked.root)
        for mutant in check.mutants:
            if mutant.state in (SURVIVES, OPEN):
                yield _of_mutant(mutant, check.contract, file, check.inside)


def _of_mutant(mutant: Mutant, contract: str, file: str, inside: str) -> Finding:
    own = mutant.schema is None
    name, _, below = ("", "", "") if own else str(mutant.schema).partition("#")
    survived = mutant.state == SURVIVES
    message = (
        f"the schema can change by `{mutant.operator}` without a fixture noticing; this document would tell:"
        if survived and mutant.witness is not NO_VALUE
        else f"the schema can change by `{mutant.operator}` without a fixture noticing"
        if survived
        else f"whether any document tells `{mutant.operator}` from the schema is not known: {mutant.reason}"
    )
    return Finding(
        SURVIVOR if survived else UNDECIDED,
        message,
        file if own else name,
        f"{inside if own else below}{mutant.location}",
        contract,
        subject=mutant.operator,
        witness=mutant.witness if survived else NO_VALUE,
        detail=(mutant.missing,) if survived and mutant.missing else (),
        fix=f"run `knownbad mutate --contract {contract} --write` and commit what it writes" if survived else None,
    )
