"""The error fixtures and twins of a catalogue as they should be on disk, around the files that a person owns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import __version__
from ..catalogue.model import Case, Catalogue
from ..catalogue.places import Folders, emitted, folders, known_folders, safe, stems
from ..catalogue.reading import envelope_contract, read_catalogue
from ..catalogue.settings import Settings, settings
from ..codes.error_contracts import FILES, NOT_AS_DOCUMENTED, TOO_LOOSE, UNKNOWN_CLASS, WITHOUT_FIXTURE
from ..compiled import validators
from ..config import Project
from ..contract import Contract
from ..corpus import GENERATED
from ..digest import digest
from ..errors import NO_VALUE, BadInput, Problem, shorten
from ..finding import Finding, Level
from ..journal import sha256
from ..judged.assertions import SHAPE, Judge, Judged
from ..judged.message import text
from ..layout import CORPUS, relative
from ..store import Changes, Stored, changes, files, manifest, serialise
from ..values import dump
from .bodies import Bodies
from .corpus import RESPONSE, ErrorFile, OnDisk
from .documented import Differs, differs
from .judging import NO_REASON, faults, first_failed, undecided
from .kinds import NAMES, Base, Twin, applied, twins
from .listing import listed
from .reasons import Reasons


@dataclass(frozen=True, slots=True)
class Planned:
    """What the error fixtures of one tool come to: how many, every file with its bytes, and what is wrong with them."""

    tool: str
    folders: Folders
    fixtures: int
    twins: int
    files: Mapping[Path, bytes]
    changes: Changes
    findings: tuple[Finding, ...] = ()


class Room:
    """What all tools of a project share: the catalogue, the envelope and its judge."""

    def __init__(self, project: Project, found: Settings) -> None:
        self.project = project
        self.settings = found
        self.catalogue: Catalogue = read_catalogue(found)
        self.contract: Contract
        self.contract, self.spec = envelope_contract(project, found, self.catalogue)
        self.judge = Judge(self.contract, self.catalogue.envelope)
        self.bodies = Bodies(self.catalogue, self.contract, self.judge)
        self.reasons = Reasons(self.contract, self.judge.oracle)
        self._check_folders()

    def _check_folders(self) -> None:
        """Raises BadInput where two tools would share a folder or a test."""
        for pattern in (self.settings.fixtures, self.settings.negative):
            if "{tool}" not in pattern and len(self.catalogue.tools) > 1:
                tools = ", ".join(self.catalogue.tools)
                fix = "put {tool} into the pattern"
                raise BadInput(Problem(f"the tools {tools} would share the folder of {pattern}", fix=fix))
        taken = {self.project.layout(e.name).test: f"the contract {e.name}" for e in self.project.contracts}
        for tool in self.catalogue.tools:
            test = emitted(self.project.tests, tool)
            other = taken.setdefault(test, f"the tool {tool}")
            if other != f"the tool {tool}":
                message = f"{other} and the tool {tool} would write the same files"
                raise BadInput(Problem(message, self.catalogue.file, "/tools", tool, "give one another name"))

    @cached_property
    def digest(self) -> str:
        return digest(self.contract)

    def header(self, tool: str) -> dict[str, Any]:
        """What the `corpus.json` of a tool says before its rows."""
        return {
            "contract": self.contract.name,
            "schema": self.spec,
            "catalogue": self.catalogue.file,
            "tool": tool,
            "digest": self.digest,
            "dialect": self.contract.dialect.name,
            "formats": self.contract.formats,
            "validators": validators(self.contract),
            "version": __version__,
        }


def room(project: Project) -> Room | None:
    """The room of a project, None where it has no catalogue of errors. Raises BadInput."""
    found = settings(project, NAMES)
    return None if found is None else Room(project, found)


def plan(room: Room) -> list[Planned]:
    """Every tool of a catalogue, and what is left of tools that it has no more. Raises BadInput."""
    planned: list[Planned] = []
    problems: list[Problem] = []
    for tool in room.catalogue.tools:
        try:
            planned.append(_Tool(room, tool).plan())
        except BadInput as bad:
            problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    return [*planned, *_gone(room, planned)]


class _Tool:
    def __init__(self, room: Room, tool: str) -> None:
        self.room = room
        self.tool = tool
        self.root = room.project.root
        self.folders = folders(room.settings, tool)
        self.cases = room.catalogue.cases(tool)
        self.stems = stems(self.cases)
        self.disk: OnDisk = listed(self.root, room.settings, room.catalogue, tool)
        self.rows: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        self.files: dict[Path, bytes] = {}
        self.findings: list[Finding] = []
        self.loose: dict[str, list[Finding]] = {}
        self.standing: dict[str, list[ErrorFile]] = {}
        """The fixtures that a person owns, by the case that they stand for."""

    def plan(self) -> Planned:
        held = {file.path: file for file in self.disk.files if not file.generated}
        for file in held.values():
            if file.positive and file.case is not None and not file.flaw:
                self.standing.setdefault(file.case.name, []).append(file)
        problems: list[Problem] = []
        for file in held.values():
            self.findings.extend(self._held(file))
        for case in self.cases:
            try:
                self._case(case, held)
            except BadInput as bad:
                problems.extend(bad.problems)
        if problems:
            raise BadInput(problems)
        for positive, rows in self.rows.items():
            rows.sort(key=lambda row: str(row["file"]))
            data = serialise(self.room.header(self.tool), rows).encode()
            self.files[self.folders.folder(positive) / CORPUS] = data
        for found in self.loose.values():
            self.findings.append(_together(found))
        owned = tuple(file.path for file in self.disk.files if file.generated)
        different = changes(self.files, Stored(owned=owned))
        counts = len(self.rows[True]), len(self.rows[False])
        return Planned(self.tool, self.folders, *counts, self.files, different, tuple(self.findings))

    # ---- what a person owns

    def _held(self, file: ErrorFile) -> Iterator[Finding]:
        """The row of an adopted file, and what is wrong with it."""
        name = relative(file.path, self.root)
        class_ = file.case.name if file.case else file.claims
        row = _row(file.path.name, file.sha256, class_, file.origin)
        judged = self.room.judge.judge(file.case, file.response) if file.case and not file.flaw else None
        if not file.positive and judged is not None:
            fails = file.fails if file.fails and not file.edited else first_failed(judged)
            if fails:
                row["fails"] = fails
        self.rows[file.positive].append(row)
        yield from found_in(self.room, file, judged, name, row.get("fails"), None)

    # ---- what is made

    def _case(self, case: Case, held: Mapping[Path, ErrorFile]) -> None:
        path = self.folders.fixtures / f"{self.stems[case.name]}.json"
        standing = sorted(self.standing.get(case.name, ()), key=lambda f: (f.path != path, f.path.name))
        good = next((f for f in standing if self.room.judge.judge(case, f.response).good), None)
        if good is not None:
            self._twins(case, good.response, good.request, good.path, held)
            return
        body = self.room.bodies.of(case)
        if not standing and path not in held:
            self._made(case, body, path)
        self._twins(case, body, case.request, None if standing or path in held else path, held)

    def _made(self, case: Case, body: Any, path: Path) -> None:
        judged = self.room.judge.judge(case, body)
        if not judged.good:
            self.findings.append(_not_documented(judged, relative(path, self.root)))
        self._write(path, case.name.lower(), case.request, body, _row(path.name, "", case.name, GENERATED), True)

    def _twins(self, case: Case, body: Any, request: Any, fixture: Path | None, held: Mapping[Path, ErrorFile]) -> None:
        other = next((c for c in self.cases if c.class_ != case.class_ and c.hint != case.hint), None)
        base = Base(case, body, self.room.catalogue.envelope, other)
        for twin in twins(base, self.room.settings.without_twins):
            path = self.folders.negative / f"{self.stems[case.name]}.{safe(twin.name)}.json"
            if path not in held:
                self._twin(base, twin, request, fixture, path)

    def _twin(self, base: Base, twin: Twin, request: Any, fixture: Path | None, path: Path) -> None:
        made = applied(base.body, twin.patch)
        judged = self.room.judge.judge(base.case, made)
        rejected = SHAPE in judged.failed and not undecided(judged)
        if twin.must and not rejected and self._inside_details(twin):
            return  # what the class documents of its details is open there; that is for lint to say
        fails = SHAPE if rejected or twin.must else twin.fails
        name = f"{self.stems[base.case.name]}.{twin.name}"
        wrong = list(faults(judged, fails, base.body, base.envelope, relative(path, self.root), name))
        for finding in wrong:
            if finding.code is TOO_LOOSE:
                self.loose.setdefault(twin.name, []).append(finding)
            else:
                self.findings.append(finding)
        if any(finding.code is not TOO_LOOSE for finding in wrong):
            return
        reason = self.room.reasons.of(made) if rejected else NO_REASON
        row = _row(path.name, "", base.case.name, GENERATED)
        row["fault"] = twin.name
        row["keywordLocation"], row["member"] = reason.keyword_location, reason.member
        row["instanceLocation"] = reason.instance_location
        if reason.keyword_location is None:
            row["instanceLocation"] = str(twin.patch[0]["path"])
        if fixture is not None:
            row["base"], row["patch"] = relative(fixture, self.folders.negative), list(twin.patch)
        if reason.schema is not None:
            row["schema"] = reason.schema
        row["fails"] = fails
        self._write(path, name.lower(), request, made, row, False)

    def _inside_details(self, twin: Twin) -> bool:
        details = self.room.catalogue.envelope.details
        return details is not None and str(twin.patch[0]["path"]).startswith(details + "/")

    def _write(self, path: Path, name: str, request: Any, response: Any, row: dict[str, Any], positive: bool) -> None:
        data = dump({"fixture": name, "request": request, "response": response}).encode()
        row["sha256"] = sha256(data)
        self.files[path] = data
        self.rows[positive].append(row)


def _row(file: str, digest_: str, class_: str, origin: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("fault", "keywordLocation", "member", "instanceLocation", "base", "patch"))
    return {"file": file, "sha256": digest_, "class": class_, **nothing, "origin": origin, "instance": RESPONSE}


def found_in(
    room: Room, file: ErrorFile, judged: Judged | None, name: str, fails: str | None, base: Any
) -> Iterator[Finding]:
    """What is wrong with one file by itself. `base`: the envelope that a twin was made from, if it is known."""
    if file.flaw:
        yield Finding(FILES, file.flaw, name, fix="correct it, or remove it and run `knownbad generate`")
    elif file.case is None:
        message = f"no class of {room.catalogue.file} is called {file.claims}"
        fix = "document the class, or remove the file"
        yield Finding(UNKNOWN_CLASS, message, name, subject=file.claims, fix=fix)
    elif judged is not None and file.positive:
        yield from _documented(room, file, judged, name)
    elif judged is not None:
        if fails is None:
            fails = first_failed(judged) or "anything"
        yield from faults(judged, fails, base, room.catalogue.envelope, name, file.path.stem)


def _not_documented(judged: Judged, name: str, others: Sequence[Differs] = (), generated: bool = False) -> Finding:
    """One finding for all that a fixture says otherwise than its row; what is no assertion stands in `others`."""
    names = [*judged.failed, *(f.code.name for f in judged.findings), *dict.fromkeys(one.name for one in others)]
    message = f"{judged.case.name} is not as documented: {' and '.join(names)}"
    level = Level.UNDECIDED if undecided(judged) else None
    fix = "run `knownbad generate`" if generated else "correct the fixture, or the row of the catalogue"
    lines = [] if judged.good else text(judged).splitlines()[1:]
    for one in others:
        actual = "absent" if one.actual is NO_VALUE else shorten(one.actual)
        lines.append(f"  {one.name:9}  expected {shorten(one.expected)}, actual {actual} at {one.location}")
    place = others[0].location if judged.good and others else "/response"
    return Finding(
        NOT_AS_DOCUMENTED, message, name, place, subject=judged.case.name, detail=tuple(lines), fix=fix, level=level
    )


def _documented(room: Room, file: ErrorFile, judged: Judged, name: str) -> Iterator[Finding]:
    """Whether a fixture says what its row says: the three assertions, and what is documented beside them."""
    volatile = room.project.sections.get("replay", {}).get("volatile", ())
    places = [place for place in volatile if isinstance(place, str)] if isinstance(volatile, list) else []
    others = list(differs(file, judged.case, room.catalogue, places))
    if others or not judged.good:
        yield _not_documented(judged, name, others, file.generated)


def without_fixture(case: Case, catalogue: Catalogue, broken: str | None = None) -> Finding:
    """The finding of a case that nothing shows. `broken`: the file that would, if it could be read."""
    message = f"the class {case.name} of {case.tool} has no fixture"
    fix = "run `knownbad generate`"
    if broken is not None:
        message += f": {broken} is none"
        fix = "correct that file, or remove it and run `knownbad generate`"
    return Finding(WITHOUT_FIXTURE, message, catalogue.file, case.location, subject=f"{case.tool} {case.name}", fix=fix)


def _together(found: Sequence[Finding]) -> Finding:
    """One finding for all classes: a schema that lets a slip through does so for every class."""
    first = found[0]
    more = f" (and {len(found) - 1} classes more)" if len(found) > 1 else ""
    return replace(first, message=first.message + more)


def _gone(room: Room, planned: Sequence[Planned]) -> Iterator[Planned]:
    """What `generate` once wrote for tools that the catalogue has no more."""
    live = {path for one in planned for path in (one.folders.fixtures, one.folders.negative)}
    for positive, folder in known_folders(room.settings):
        found = manifest(folder, positive, relative(folder / CORPUS, room.project.root))
        if folder in live or found is None or "tool" not in found.header:
            continue
        tool = str(found.header["tool"])
        ours = {
            str(r.values["file"]): r.values.get("sha256") for r in found.rows if r.values.get("origin") == GENERATED
        }
        stale = [path for path in files(folder) if ours.get(path.name) == sha256(path.read_bytes())]
        left = [path for path in files(folder) if path not in stale]
        if not left:
            stale.append(folder / CORPUS)
        message = f"{room.catalogue.file} has no tool called {tool}"
        findings = tuple(Finding(UNKNOWN_CLASS, message, relative(p, room.project.root), subject=tool) for p in left)
        place = Folders(tool, folder, folder)
        yield Planned(tool, place, 0, 0, {}, Changes(stale=tuple(stale)), findings)


def response_of(file: ErrorFile | None) -> Any:
    """The envelope in a file, None where there is no such file."""
    return None if file is None or file.response is NO_VALUE else file.response
