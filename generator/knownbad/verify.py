"""The verdicts of everything on disk: each fixture against its schema, each row against its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import documents
from .codes import corpus as codes
from .corpus import GENERATED
from .errors import BadInput, Exit, shorten
from .finding import Code, Level
from .journal import sha256
from .layout import CORPUS, Layout, relative
from .pointers import get
from .store import Manifest, Row, files, manifest
from .values import equal

if TYPE_CHECKING:
    from .contract import Contract
    from .oracle import Oracle
    from .produce import Task
    from .twins.check import Checked

WRONG, REASON, FILES, PATCH, STALE, UNDECIDED = "verdict", "reason", "files", "patch", "stale", "undecided"
"""The kinds of findings. Only `undecided` is nothing wrong: the validators give no common verdict."""
_CODES = {
    WRONG: codes.VERDICT, REASON: codes.REASON, FILES: codes.FILES, PATCH: codes.PATCH, STALE: codes.STALE,
    UNDECIDED: codes.UNDECIDED,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as recorded. `location` is the keyword location that the row names, when that matters."""

    kind: str
    contract: str
    file: Path
    message: str
    location: str | None = None

    @property
    def code(self) -> Code:
        """The code of its kind."""
        return _CODES[self.kind]


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found; `positives` and `negatives` count the fixtures that are as recorded."""

    root: Path
    corpora: int
    positives: int
    negatives: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    errors: Checked | None = None
    """The error fixtures; None where the project has none."""

    @property
    def exit(self) -> Exit:
        """UNDECIDED only when nothing worse was found."""
        weights = {finding.weight for finding in self.errors.findings} if self.errors else set()
        if Level.ERROR in weights or any(finding.kind != UNDECIDED for finding in self.findings):
            return Exit.FINDINGS
        return Exit.UNDECIDED if self.findings or Level.UNDECIDED in weights else Exit.GOOD


def verify(work: Sequence[tuple[Task, Contract]], root: Path, notes: Sequence[str] = ()) -> Verified:
    """Judge every corpus of these contracts as it stands on disk."""
    findings: list[Finding] = []
    counts = {True: 0, False: 0}
    corpora = 0
    told = [*notes]
    for task, contract in work:
        one = _Corpus(task, contract)
        corpora += 1
        findings.extend(one.findings())
        told.extend(one.notes)
        for positive in (True, False):
            counts[positive] += one.good[positive]
    return Verified(root, corpora, counts[True], counts[False], tuple(findings), tuple(told))


class _Corpus:
    """The checks of one contract's corpus."""

    def __init__(self, task: Task, contract: Contract) -> None:
        from .oracle import Oracle

        self.name = task.entry.name
        self.layout: Layout = task.layout
        self.contract = contract
        self.oracle: Oracle = Oracle(contract)
        self.good = {True: 0, False: 0}
        self.notes: list[str] = []
        self._bases: dict[Path, Row] = {}
        self._upgrade = ""

    def findings(self) -> Iterator[Finding]:
        found = {positive: manifest(self.layout.folder(positive), positive) for positive in (True, False)}
        for positive in (True, False):
            one = found[positive]
            if one is None:
                yield self._finding(FILES, self.layout.folder(positive) / CORPUS, "is missing: run `knownbad generate`")
                for path in files(self.layout.folder(positive)):
                    yield self._finding(FILES, path, f"has no row, as there is no {CORPUS}")
                    yield from self._unlisted(path, positive)
                continue
            self._bases.update({row.path: row for row in one.rows})
            yield from self._header(one)
            yield from self._rows(one, positive)

    def _finding(self, kind: str, file: Path, message: str, location: str | None = None) -> Finding:
        return Finding(kind, self.name, file, message, location)

    def _header(self, one: Manifest) -> Iterator[Finding]:
        from .compiled import upgrade, validators
        from .digest import digest

        self._upgrade = upgrade(one.header.get("validators"), validators(self.contract))
        if self._upgrade and self._upgrade not in self.notes:
            self.notes.append(self._upgrade)
        if one.header.get("digest") != digest(self.contract):
            yield self._finding(STALE, one.path, "the schema has changed since: run `knownbad generate`")

    def _rows(self, one: Manifest, positive: bool) -> Iterator[Finding]:
        listed = {row.path for row in one.rows}
        for path in files(one.path.parent):
            if path not in listed:
                yield self._finding(FILES, path, f"has no row in {CORPUS}: run `knownbad generate` to adopt it")
                yield from self._unlisted(path, positive)
        for row in one.rows:
            problems = list(self._row(row))
            self.good[row.positive] += not problems
            yield from problems

    def _unlisted(self, path: Path, positive: bool) -> Iterator[Finding]:
        """A file without a row has the verdict of its folder or is wrong, whoever forgot the row."""
        row = Row(path.parent, positive, {"file": path.name})
        try:
            instance = _instance(row)
        except BadInput:
            return  # `generate` says so, and nothing can be adopted
        if self.oracle.accepts(instance) is (not positive):
            yield self._finding(WRONG, path, self._also(self._verdict(row, instance)))

    def _row(self, row: Row) -> Iterator[Finding]:
        if not row.path.is_file():
            yield self._finding(FILES, row.path, f"is missing, but has a row in {CORPUS}")
            return
        if sha256(row.path.read_bytes()) != row.values.get("sha256"):
            yield self._finding(FILES, row.path, "was edited since its row was written (another sha256)")
        try:
            instance = _instance(row)
        except (BadInput, LookupError) as error:
            yield self._finding(FILES, row.path, _reason(error))
            return
        location = row.values.get("keywordLocation")
        verdict = self.oracle.accepts(instance)
        if verdict is None:
            reason = self.oracle.disagreements[-1] if self.oracle.disagreements else "the validators disagree"
            yield self._finding(UNDECIDED, row.path, self._also(reason), location)
        elif verdict != row.positive:
            yield self._finding(WRONG, row.path, self._also(self._verdict(row, instance)), location)
        elif not row.positive:
            yield from self._isolated(row, instance, location)
        yield from self._patched(row, instance)

    def _also(self, message: str) -> str:
        return f"{message} ({self._upgrade})" if self._upgrade else message

    def _verdict(self, row: Row, instance: Any) -> str:
        if not row.positive:
            return "is accepted, but recorded as rejected"
        errors = self.oracle.errors(instance)
        where = "; ".join(f"{e.keyword_location or '(root)'} at {e.instance_location or '(root)'}" for e in errors[:3])
        return f"is rejected, but recorded as accepted: {where}: {shorten(instance)}"

    def _isolated(self, row: Row, instance: Any, location: str | None) -> Iterator[Finding]:
        if location is None:
            if row.values.get("origin") == GENERATED:
                yield self._finding(REASON, row.path, "a generated negative must name its keyword")
            return
        try:
            accepted = accepted_aside(self.contract, self.oracle, row.values, instance)
        except LookupError:
            yield self._finding(REASON, row.path, "names a keyword location that the schema has not", location)
            return
        if accepted is None:
            yield self._finding(UNDECIDED, row.path, "the validators disagree once the keyword is put aside", location)
        elif not accepted:
            message = "is rejected for another reason too: it stays rejected once the keyword is put aside"
            yield self._finding(REASON, row.path, self._also(message), location)

    def _patched(self, row: Row, instance: Any) -> Iterator[Finding]:
        base, patch = row.values.get("base"), row.values.get("patch")
        if base is None or patch is None:
            return
        path = Path(relative(row.folder / base, self.layout.root))
        path = self.layout.root / path
        if not path.is_file():
            yield self._finding(PATCH, row.path, f"its base {base} does not exist")
            return
        import jsonpatch

        try:
            start = _instance(self._bases[path]) if path in self._bases else documents.read(path, path.name)
            result = jsonpatch.apply_patch(start, patch)
        except (BadInput, LookupError, ValueError, TypeError, jsonpatch.JsonPatchException) as error:
            yield self._finding(PATCH, row.path, f"its patch does not apply to {base}: {_reason(error)}")
            return
        if not equal(result, instance):
            yield self._finding(PATCH, row.path, f"its patch turns {base} into something else: {shorten(result)}")


def accepted_aside(contract: Contract, oracle: Oracle, row: Mapping[str, Any], instance: Any) -> bool | None:
    """Whether an instance is accepted once the keyword of its row is put aside. Raises LookupError."""
    from .keywords.aside import asides

    uri = document_uri(contract, row.get("schema"))
    ways = asides(contract, uri, row["keywordLocation"], row.get("member"))
    verdicts = [oracle.mutant(edits).accepts(instance) for edits in ways]
    return True if True in verdicts else None if None in verdicts else False


def document_uri(contract: Contract, schema: str | None) -> str:
    """The URI of the document that a row's `schema` names (by name or by URI); the contract's own without one."""
    if schema is None:
        return contract.document.uri
    for uri, document in contract.documents.items():
        if schema in (document.name, uri):
            return uri
    raise LookupError(f"no document {schema}")


def _instance(row: Row) -> Any:
    value = documents.read(row.path, row.path.name)
    pointer = row.values.get("instance")
    return get(value, pointer) if pointer else value


def _reason(error: Exception) -> str:
    return error.problems[0].message if isinstance(error, BadInput) else f"{type(error).__name__}: {error}"
