"""What there is to replay: the catalogue's cases with their fixtures, and the judge of their envelopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import documents
from ..catalogue.model import Case, Catalogue
from ..catalogue.reading import read_catalogue
from ..catalogue.settings import Settings as ErrorSettings
from ..catalogue.settings import settings as error_settings
from ..config import Project
from ..errors import BadInput, Problem
from ..journal import sha256
from ..judged.assertions import Judge
from .settings import Settings, settings


@dataclass(frozen=True, slots=True)
class Kept:
    """One case with its fixture: the file relative to the root, its digest, and what stands in it.

    `digest` is None where the file is not there; then the request is that of the catalogue.
    """

    case: Case
    file: str
    digest: str | None
    request: Mapping[str, Any]
    response: Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a replay needs."""

    project: Project
    settings: Settings
    errors: ErrorSettings
    catalogue: Catalogue
    judge: Judge

    @property
    def places(self) -> tuple[str, str, str]:
        """The pointers to code, hint and flag."""
        envelope = self.catalogue.envelope
        return (envelope.code, envelope.hint, envelope.retryable)

    def cases(self, environment: str | None, tools: Sequence[str] = (), codes: Sequence[str] = ()) -> list[Case]:
        """The cases that hold in an environment. One that is split for it stands in the place of the plain one."""
        found = [c for c in self.catalogue.cases() if c.environment in (None, environment)]
        split = {_without_environment(c) for c in found if c.environment is not None}
        found = [c for c in found if c.environment is not None or _without_environment(c) not in split]
        return [c for c in found if (not tools or c.tool in tools) and (not codes or c.class_ in codes)]

    def kept(self, case: Case) -> Kept:
        """The fixture of a case. Raises BadInput for one that cannot be read."""
        file = self.file(case)
        path = self.project.root / file
        if not path.is_file():
            return Kept(case, file, None, case.request)
        data = path.read_bytes()
        value = documents.parse(data.decode("utf-8", "replace"), file)
        if not isinstance(value, dict) or not isinstance(value.get("request"), dict):
            fix = "a fixture has `fixture`, `request` and `response`"
            raise BadInput(Problem("has no request", file, fix=fix))
        return Kept(case, file, sha256(data), value["request"], value.get("response"))

    def file(self, case: Case) -> str:
        """Where the fixture of a case stands, relative to the root."""
        return self.errors.fixtures.replace("{tool}", case.tool).replace("{code}", case.name)


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
    return Plan(project, own, errors, catalogue, Judge(_envelope(project, errors, catalogue), catalogue.envelope))


def _envelope(project: Project, errors: ErrorSettings, catalogue: Catalogue) -> Any:
    from ..bundled import bundled
    from ..produce import Options, load_contract, tasks

    name = catalogue.envelope.contract or errors.envelope
    if any(entry.name == name for entry in project.contracts):
        (task,) = tasks(project, (name,))
        return load_contract(project, task, Options())
    return bundled("error-envelope")


def twins(plan: Plan, case: Case) -> Iterator[tuple[str, Any, str]]:
    """The known-bad twins of a case that are on disk: file, body, and the assertion that each fails."""
    file = plan.errors.negative.replace("{tool}", case.tool).replace("{code}", case.name)
    folder, _, stem = file.removesuffix(".json").rpartition("/")
    for path in sorted((plan.project.root / folder).glob(f"{stem}.*.json")):
        name = path.relative_to(plan.project.root).as_posix()
        value = documents.read(path, name)
        if isinstance(value, dict) and "response" in value:
            yield name, value["response"], str(value.get("fails", ""))
