"""What there is to replay: the catalogue's cases with their fixtures, and the judge of their envelopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..catalogue.model import Case, Catalogue
from ..catalogue.places import folders, stems
from ..catalogue.reading import envelope_contract, read_catalogue
from ..catalogue.settings import Settings as ErrorSettings
from ..catalogue.settings import settings as error_settings
from ..config import Project
from ..errors import BadInput, Problem
from ..judged.assertions import SHAPE, Judge
from ..layout import relative
from ..masking import MASK
from ..twins.corpus import OnDisk
from ..twins.listing import listed
from ..violations import value_at
from .carriers import Look
from .settings import Settings, settings, used, variable


@dataclass(frozen=True, slots=True)
class Kept:
    """One case with a fixture: the file relative to the root, its digest, and what stands in it.

    `digest` is None where there is no file; then the request is that of the catalogue. `made`: knownbad wrote it, so
    that what the catalogue does not document of it is invented. `expected` is the case with code, hint and flag as they
    stand in the fixture: those that the reply is held against.
    """

    case: Case
    file: str
    digest: str | None
    request: Mapping[str, Any]
    response: Any = None
    made: bool = False
    expects: Case | None = None

    @property
    def expected(self) -> Case:
        """What the reply is held against."""
        return self.expects or self.case


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a replay needs."""

    project: Project
    settings: Settings
    errors: ErrorSettings
    catalogue: Catalogue
    judge: Judge
    _disks: dict[str, OnDisk] = field(default_factory=dict)
    _looks: list[Look] = field(default_factory=list)

    @property
    def look(self) -> Look:
        """By what an envelope is known as one."""
        if not self._looks:
            envelope = self.catalogue.envelope
            cases = self.catalogue.cases()
            codes = frozenset(said for case in cases for said in (case.code, case.hint) if isinstance(said, str))
            self._looks.append(Look((envelope.code, envelope.hint, envelope.retryable), codes))
        return self._looks[0]

    def cases(self, environment: str | None, tools: Sequence[str] = (), codes: Sequence[str] = ()) -> list[Case]:
        """The cases that hold in an environment. One that is split for it stands in the place of the plain one."""
        found = [c for c in self.catalogue.cases() if c.environment in (None, environment)]
        split = {_without_environment(c) for c in found if c.environment is not None}
        found = [c for c in found if c.environment is not None or _without_environment(c) not in split]
        return [c for c in found if (not tools or c.tool in tools) and (not codes or c.class_ in codes)]

    def disk(self, tool: str) -> OnDisk:
        """The files of a tool; they are read once. Raises BadInput."""
        if tool not in self._disks:
            self._disks[tool] = listed(self.project.root, self.errors, self.catalogue, tool)
        return self._disks[tool]

    def kept(self, cases: Sequence[Case]) -> list[Kept]:
        """The fixtures of these cases; a case without any has one entry without a digest.

        Raises BadInput for files that are no fixtures.
        """
        of: dict[tuple[str, str], list[Kept]] = {}
        problems: list[Problem] = []
        root = self.project.root
        for tool in dict.fromkeys(case.tool for case in cases):
            for file in self.disk(tool).of(True):
                name = relative(file.path, root)
                if file.flaw:
                    problems.append(Problem(file.flaw, name))
                elif file.case is not None and not isinstance(file.request, dict):
                    problems.append(Problem("its `request` must be an object", name, "/request", file.request))
                elif file.case is not None:
                    expects = self._expected(file.case, file.response)
                    self.settings.masking.know(used(file.request))
                    kept = Kept(file.case, name, file.sha256, file.request, file.response, file.generated, expects)
                    of.setdefault((tool, file.case.name), []).append(kept)
        if problems:
            raise BadInput(problems)
        return [
            kept
            for case in cases
            for kept in of.get((case.tool, case.name)) or [Kept(case, self.file(case), None, case.request)]
        ]

    def _expected(self, case: Case, response: Any) -> Case:
        """The case as a fixture has it; what is not there or of no use is taken from the catalogue."""
        code, hint, flag = (value_at(response, place) for place in self.look.places)
        said: dict[str, Any] = {}
        if isinstance(code, str | int) and not isinstance(code, bool) and code != case.code:
            said["code"] = code
        if isinstance(hint, str | int) and not isinstance(hint, bool) and hint != case.hint:
            said["hint"] = hint
        if isinstance(flag, bool) and flag is not case.retryable:
            said["retryable"] = flag
        return replace(case, **said) if said else case

    def unknown(self, tools: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The fixtures of these tools that stand for no documented class, and the class that each claims."""
        for tool in tools:
            for file in self.disk(tool).of(True):
                if file.case is None and not file.flaw:
                    yield relative(file.path, self.project.root), file.claims

    def file(self, case: Case) -> str:
        """Where the fixture of a case stands unless somebody put it elsewhere, relative to the root."""
        stem = stems(self.catalogue.cases(case.tool))[case.name]
        return relative(folders(self.errors, case.tool).fixtures / f"{stem}.json", self.project.root)

    def twins(self, case: Case) -> Iterator[tuple[str, Any]]:
        """The known-bad twins of a case that the validator has to reject: file and envelope."""
        for file in self.disk(case.tool).of(False):
            if file.case is not None and file.case.name == case.name and file.fails == SHAPE and not file.flaw:
                yield relative(file.path, self.project.root), file.response


def documented_request(kept: Kept) -> Mapping[str, Any]:
    """The request of the row's trigger; that of the fixture where the row has none."""
    return kept.request if "error" in kept.case.request else kept.case.request


def sent(kept: Kept, request: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The request as it is sent: what is masked in the fixture is that of the catalogue, and variables are put in.

    Raises BadInput for a variable that is not set.
    """
    found: dict[str, Any] = _put_in(kept.request if request is None else request, kept.case.request)
    return found


def _put_in(value: Any, documented: Any) -> Any:
    if isinstance(value, Mapping):
        other = documented if isinstance(documented, Mapping) else {}
        return {name: _put_in(item, other.get(name)) for name, item in value.items()}
    if isinstance(value, list):
        others = documented if isinstance(documented, list) and len(documented) == len(value) else [None] * len(value)
        return [_put_in(item, other) for item, other in zip(value, others, strict=True)]
    if value == MASK and documented is not None:
        return _put_in(documented, None)
    return variable(value) if isinstance(value, str) else value


def _without_environment(case: Case) -> tuple[Any, ...]:
    return (case.tool, case.class_, case.service, case.with_key)


def plan(project: Project) -> Plan:
    """The plan of a project. Raises BadInput where it has no catalogue, and for every problem of what is read."""
    own = settings(project)
    errors = error_settings(project)
    if errors is None:
        fix = "document the error classes in schemas/errors.toml"
        raise BadInput(Problem("there is no catalogue of errors", str(project.source or project.root), fix=fix))
    catalogue = read_catalogue(errors)
    contract, _ = envelope_contract(project, errors, catalogue)
    own.masking.know(used([own.table, *(case.request for case in catalogue.cases())]))
    return Plan(project, own, errors, catalogue, Judge(contract, catalogue.envelope))
