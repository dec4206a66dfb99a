"""The official JSON-Schema-Test-Suite as cases: what is generated for each schema, and what two validators say of it.

The validators are compiled here from the suite's own files; nothing of our loading or of our oracle has a part in it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import jsonschema_specifications
import referencing

from knownbad.compiled import ValidatorFailed
from knownbad.contract import Contract
from knownbad.corpus import UNDECIDED, Fixture
from knownbad.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.errors import BadInput
from knownbad.generate import GenerateOptions, generate
from knownbad.keywords.aside import asides
from knownbad.load import LoadOptions, load
from knownbad.oracle import Oracle
from knownbad.pointers import replace, steps

REMOTES = "http://localhost:1234/"
DRAFTS: dict[str, tuple[Dialect, str]] = {
    "draft4": (DRAFT_04, "Draft4Validator"),
    "draft6": (DRAFT_06, "Draft6Validator"),
    "draft7": (DRAFT_07, "Draft7Validator"),
    "draft2019-09": (DRAFT_2019_09, "Draft201909Validator"),
    "draft2020-12": (DRAFT_2020_12, "Draft202012Validator"),
}
"""Each folder of the suite with its dialect, and what both libraries call the validator class of that dialect."""

Judge = Callable[[Any], bool]


@dataclass(frozen=True)
class Case:
    """One schema of the suite with its tests. `formats`: does the suite assert formats in this file?"""

    suite: Path
    draft: str
    file: str
    number: int
    description: str
    schema: Any
    tests: list[dict[str, Any]]

    @property
    def formats(self) -> bool:
        return self.file.startswith("optional/format/")

    @property
    def name(self) -> str:
        return f"{self.draft}/{self.file}: {self.description}"

    @property
    def dialect(self) -> Dialect:
        return DRAFTS[self.draft][0]


@dataclass
class Found:
    """What came of one case. `wrong`: claims of ours that do not hold; `suite`: verdicts that are not the suite's."""

    refused: str | None = None
    wrong: list[str] = field(default_factory=list)
    suite: list[tuple[str, str]] = field(default_factory=list)
    undecided: list[tuple[str, str]] = field(default_factory=list)
    states: dict[str, int] = field(default_factory=dict)
    positives: int = 0
    negatives: int = 0


def files(suite: Path, draft: str) -> list[str]:
    """The files of one draft, relative to its folder."""
    folder = suite / "tests" / draft
    return [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.json"))]


def cases(suite: Path, draft: str, file: str) -> list[Case]:
    """The schemas of one file."""
    text = (suite / "tests" / draft / file).read_text(encoding="utf-8")
    return [
        Case(suite, draft, file, number, group["description"], group["schema"], group["tests"])
        for number, group in enumerate(json.loads(text))
    ]


def contract_of(case: Case) -> Contract:
    """The case's schema, as somebody loads it from a file. Raises BadInput."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "case.json").write_text(json.dumps(case.schema), encoding="utf-8")
        resolve = {REMOTES: case.suite / "remotes"}
        return load("case.json", None, LoadOptions(case.dialect, case.formats, resolve, root=root))


def judges(case: Case, schema: Any, changed: Mapping[str, Any] | None = None, own: str = "") -> dict[str, Judge]:
    """Both validators of the case's draft over a schema.

    `changed`: remote documents that read otherwise; `own` is then the URI of the schema.
    """
    dialect, name = DRAFTS[case.draft]
    remotes = dict(_remotes(case.suite))
    for uri, value in (changed or {}).items():
        remotes[uri] = value
    if isinstance(schema, dict) and isinstance(schema.get("$schema"), str):
        name = _CLASSES.get(schema["$schema"].rstrip("#"), name)
    specification = referencing.jsonschema.specification_with(dialect.uri)

    def retrieve(uri: str) -> Any:
        return referencing.Resource.from_contents(remotes[uri], default_specification=specification)

    registry = referencing.Registry(retrieve=retrieve).combine(jsonschema_specifications.REGISTRY)
    replaced = [(uri, retrieve(uri)) for uri in changed or {}]
    registry = registry.with_resources(replaced)
    python_class = getattr(jsonschema, name)
    checker = python_class.FORMAT_CHECKER if case.formats else None
    python = python_class(schema, registry=registry, format_checker=checker)
    pairs = [*(changed or {}).items()]
    if pairs:  # only what is itself in the registry sees another metaschema there than the built-in one
        pairs.append((own, schema))
        schema = {"$ref": own}
    retriever = remotes.__getitem__
    known = jsonschema_rs.Registry(pairs, draft=dialect.year, retriever=retriever) if pairs else None
    rust = getattr(jsonschema_rs, name)(schema, validate_formats=case.formats, registry=known, retriever=retriever)
    return {"jsonschema": python.is_valid, "jsonschema-rs": rust.is_valid}


_CLASSES = {dialect.uri.rstrip("#"): name for dialect, name in DRAFTS.values()}
_KNOWN_REMOTES: dict[Path, dict[str, Any]] = {}


def _remotes(suite: Path) -> dict[str, Any]:
    """Every remote document of the suite, by the URI that it is served under."""
    if suite not in _KNOWN_REMOTES:
        folder = suite / "remotes"
        _KNOWN_REMOTES[suite] = {
            REMOTES + path.relative_to(folder).as_posix(): json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.rglob("*.json"))
        }
    return _KNOWN_REMOTES[suite]


def examined(case: Case) -> Found:
    """Generate for one case and have everything that is claimed of it judged."""
    found = Found()
    try:
        contract = contract_of(case)
    except BadInput as bad:
        found.refused = bad.problems[0].message
        return found
    corpus = generate(contract, (), GenerateOptions(faults="all"))
    for outcome in corpus.outcomes:
        found.states[outcome.state] = found.states.get(outcome.state, 0) + 1
        if outcome.state == UNDECIDED:
            found.undecided.append((outcome.class_, outcome.reason or ""))
    found.positives, found.negatives = len(corpus.positives), len(corpus.negatives)
    own = judges(case, case.schema)
    for fixture in corpus.fixtures:
        for validator, accepts in own.items():
            if accepts(fixture.instance) is not fixture.positive:
                found.wrong.append(f"{validator} has another verdict on {_told(fixture)}")
        if not fixture.positive and not _isolated(case, contract, fixture):
            found.wrong.append(f"more than its keyword rejects {_told(fixture)}")
    found.suite = list(_unlike_the_suite(case, contract))
    return found


def _isolated(case: Case, contract: Contract, fixture: Fixture) -> bool:
    """Whether both validators accept a negative once its keyword is put aside."""
    document = next(d for d in contract.documents.values() if (fixture.schema or contract.document.name) == d.name)
    assert fixture.keyword_location is not None
    for edits in asides(contract, document.uri, fixture.keyword_location, fixture.member):
        value = document.value
        for (_, location), new in edits.items():
            value = replace(value, steps(location), new)
        if document is contract.document:
            accepting = judges(case, value)
        else:
            uris = [uri for uri, known in contract.documents.items() if known is document]
            accepting = judges(case, case.schema, dict.fromkeys(uris, value), contract.document.uri)
        if all(accepts(fixture.instance) for accepts in accepting.values()):
            return True
    return False


def _unlike_the_suite(case: Case, contract: Contract) -> Iterator[tuple[str, str]]:
    """The tests of the case on which a validator of our oracle says otherwise: (description, validator)."""
    oracle = Oracle(contract)
    for test in case.tests:
        for validator, verdict in (("jsonschema", oracle.slow), ("jsonschema-rs", oracle.fast)):
            try:
                same = verdict(test["data"]) is test["valid"]
            except ValidatorFailed:
                same = False
            if not same:
                yield test["description"], validator


def _told(fixture: Fixture) -> str:
    kind = "positive" if fixture.positive else "negative"
    return f"the {kind} {fixture.slug} ({fixture.class_}): {json.dumps(fixture.instance)}"
