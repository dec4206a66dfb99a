"""What the repository promises of itself: its schemas, its packaging and its rules for imports."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from conftest import ROOT

SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))
MODULES = sorted((ROOT / "generator/knownbad").rglob("*.py"))

ENVELOPE = {
    "error": {
        "code": "PAYMENT_DECLINED",
        "hint": "PAYMENT_DECLINED",
        "message": "Card issuer declined",
        "retryable": False,
    }
}


def envelope(**members: Any) -> dict[str, Any]:
    merged = {**ENVELOPE["error"], **members}
    return {"error": {name: value for name, value in merged.items() if value is not ...}}


def suite(*responses: dict[str, Any], **members: Any) -> dict[str, Any]:
    task = {"taskId": "refund-1", "input": "refund it", "fixtures": {"toolResponses": list(responses)}}
    return {"suiteId": "billing.evals.refund", "version": "1.0.0", "modes": ["golden"], "tasks": [task], **members}


FAILED = {
    "tool": "billing:lookup",
    "args": {"id": "c-1"},
    "argsMatch": "exact",
    "isError": True,
    "response": {"content": [{"type": "text", "text": '{"error":"upstream_down"}'}]},
}
SERVED = {"tool": "billing:lookup", "response": {"isError": "opaque"}}

CALL = {"type": "agent.tool-called", "callId": "call-1", "tool": "billing:lookup"}
RETURN = {"type": "agent.tool-returned", "callId": "call-1"}
FAILURE = {"code": "tool_failed", "message": "The tool call failed."}
SUMMARY = {"suiteId": "billing.evals.refund", "version": "1.0.0", "fixtureMissCount": 0}
REFUSAL = {
    "status": 400,
    "error": "validation_error",
    "message": "refused",
    "details": [{"field": "fixtures.toolResponses[0].isError", "task": "refund-1", "message": "no"}],
}

ACCEPTED: list[tuple[str, str, Any]] = [
    ("error-envelope", "the declined payment of the seed", ENVELOPE),
    (
        "error-envelope",
        "a transient error with its wait",
        envelope(retryable=True, retry_after=1.5, category="transient"),
    ),
    ("error-envelope", "details of any kind", envelope(details={"field": "date", "expected": "ISO 8601"})),
    ("eval-suite", "an error and then a success", suite(FAILED, SERVED)),
    ("eval-suite", "isError false, which is as if absent", suite({**FAILED, "isError": False})),
    ("eval-suite", "a task without fixtures", suite(tasks=[{"taskId": "a", "input": None}])),
    ("host-capabilities", "a host that says nothing", {}),
    (
        "host-capabilities",
        "a host that replays errors",
        {"agents": {"evalSuite": {"supported": True, "fixtureErrors": True}}},
    ),
    ("host-capabilities", "a host that says more than is read here", {"tools": {}, "agents": {"memory": True}}),
    ("agent-tool-called", "a call", CALL),
    ("agent-tool-called", "a call with the hash of its arguments", {**CALL, "argsHash": "sha256:" + "0f" * 32}),
    ("agent-tool-returned", "a failure", {**RETURN, "error": FAILURE, "status": "error"}),
    ("agent-tool-returned", "a success of any kind", {**RETURN, "outcome": None, "status": "ok"}),
    ("agent-tool-returned", "what a host says beside", {**RETURN, "outcome": 1, "durationMs": 3}),
    ("eval-summary", "a run without a miss", SUMMARY),
    ("validation-error", "a refusal that names the field", REFUSAL),
    ("recorded-call", "a call that failed", {"callId": "c", "tool": "t", "isError": True, "response": None}),
]
REJECTED: list[tuple[str, str, Any]] = [
    ("error-envelope", "a flag that is a word", envelope(retryable="false")),
    ("error-envelope", "a flag that is absent", envelope(retryable=...)),
    ("error-envelope", "a hint that is a sentence", envelope(hint="Card issuer declined")),
    ("error-envelope", "a leaked internal", envelope(stack="File app.py")),
    ("error-envelope", "a property beside the error", {**ENVELOPE, "ok": False}),
    ("error-envelope", "a wait for what cannot be retried", envelope(retry_after=1)),
    ("error-envelope", "a flat shape", {"error": "RATE_LIMITED", "retryable": True}),
    ("eval-suite", "isError as a word", suite({**FAILED, "isError": "true"})),
    ("eval-suite", "isError nearly spelt", suite({**FAILED, "iserror": True})),
    ("eval-suite", "an entry without a response", suite({"tool": "billing:lookup"})),
    ("eval-suite", "no tasks", suite(tasks=[])),
    ("agent-tool-called", "arguments in place of their hash", {**CALL, "argsHash": "id=c-1"}),
    ("agent-tool-returned", "a failure with an outcome", {**RETURN, "error": FAILURE, "outcome": "ok"}),
    ("agent-tool-returned", "neither of both", {**RETURN, "status": "error"}),
    ("agent-tool-returned", "a failure without a code", {**RETURN, "error": {"code": "", "message": "m"}}),
    ("agent-tool-returned", "a failure that calls itself well", {**RETURN, "error": FAILURE, "status": "ok"}),
    ("agent-tool-returned", "a success that calls itself an error", {**RETURN, "outcome": 1, "status": "error"}),
    ("eval-summary", "a new field", {**SUMMARY, "fixtureErrorCount": 1}),
    ("eval-summary", "misses below none", {**SUMMARY, "fixtureMissCount": -1}),
    ("recorded-call", "a call without an answer", {"callId": "c", "tool": "t"}),
    ("validation-error", "a refusal that names nothing", {**REFUSAL, "details": []}),
    ("validation-error", "another status", {**REFUSAL, "status": 422}),
    (
        "host-capabilities",
        "a promise that is misspelt",
        {"agents": {"evalSuite": {"supported": True, "fixtureError": True}}},
    ),
    (
        "host-capabilities",
        "a promise that is a word",
        {"agents": {"evalSuite": {"supported": True, "fixtureErrors": "true"}}},
    ),
]


def read(name: str) -> Any:
    return json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def accepts(name: str, instance: Any) -> bool:
    """The verdict of both validators, which have to agree."""
    schema = read(name)
    verdicts = {Draft202012Validator(schema).is_valid(instance), jsonschema_rs.validator_for(schema).is_valid(instance)}
    assert len(verdicts) == 1, "the validators disagree"
    return verdicts.pop()


@pytest.mark.parametrize("name, instance", [(n, x) for n, _, x in ACCEPTED], ids=[f"{n}: {w}" for n, w, _ in ACCEPTED])
def test_a_contract_accepts(name: str, instance: Any) -> None:
    assert accepts(name, instance)


@pytest.mark.parametrize("name, instance", [(n, x) for n, _, x in REJECTED], ids=[f"{n}: {w}" for n, w, _ in REJECTED])
def test_a_contract_rejects(name: str, instance: Any) -> None:
    assert not accepts(name, instance)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_of_ours_declares_its_dialect_and_passes_its_metaschema(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_of_ours_is_named_after_its_file_and_says_what_it_is(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$id"] == "urn:knownbad:schema:" + path.name.removesuffix(".schema.json")
    assert schema["title"]
    assert schema["description"]


def patterns(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        for member in value.values():
            yield from patterns(member)
    elif isinstance(value, list):
        for item in value:
            yield from patterns(item)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_every_pattern_of_ours_is_anchored(path: Path) -> None:
    found = list(patterns(json.loads(path.read_text(encoding="utf-8"))))
    assert [p for p in found if not (p.startswith("^") and p.endswith("$"))] == []


def test_every_corpus_json_that_is_committed_fits_its_schema() -> None:
    validator = Draft202012Validator(read("corpus"))
    found = [*(ROOT / "fixtures").rglob("corpus.json"), *(ROOT / "negative").rglob("corpus.json")]
    assert found, "no corpus is committed"
    bad = {str(path.relative_to(ROOT)) for path in found if not validator.is_valid(json.loads(path.read_text("utf-8")))}
    assert bad == set()


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = [
        "hypothesis",
        "jsonschema",
        "jsonschema_rs",
        "jinja2",
        "rich",
        "yaml",
        "referencing",
        "joblib",
    ]
    code = f"import sys, knownbad; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_there_and_no_others() -> None:
    import knownbad

    assert dir(knownbad) == ["__version__", "accepted", "rejected"]
    with pytest.raises(AttributeError, match="no attribute 'acepted'"):
        _ = knownbad.acepted


def test_every_dependency_says_from_which_version_it_works() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [d for group in (project["dependencies"], project["optional-dependencies"]["dev"]) for d in group]
    assert [d for d in wanted if not re.search(r"(>=|~=)\d", d) and not d.startswith("knownbad[")] == []


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_the_algebra_uses_the_canonical_form() -> None:
    """The young interface has one user. import-linter sees whole packages of others only, hence this test."""
    users = set()
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & {
            "canonical",
            "canonicalize",
        }
        if named or any(re.match(r"jsonschema_rs\.canonical", name) for name in imported(tree)):
            users.add(path.stem)
    assert users <= {"algebra"}


def test_no_module_is_longer_than_400_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in MODULES if (n := len(p.read_text("utf-8").splitlines())) > 400}
    assert long == {}


def test_no_path_of_a_machine_stands_in_the_tree() -> None:
    folders = ("generator", "schemas", "docs", "tests", "fixtures", "negative", ".ci")
    kinds = {".py", ".md", ".json", ".toml", ".j2", ""}
    files = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file() and p.suffix in kinds]
    files += [ROOT / "README.md", ROOT / "Makefile", ROOT / "pyproject.toml"]
    machine = re.compile(r"/(?:work|root|Users|home/[a-z]+|tmp/[a-z]+)/")
    found = [str(p.relative_to(ROOT)) for p in files if machine.search(p.read_text(encoding="utf-8", errors="replace"))]
    assert [name for name in found if name != "tests/test_repo_contracts.py"] == []


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    renamed = {"pyyaml": "yaml"}
    named = {re.split(r"[\[>~=]", entry)[0].lower() for entry in project["dependencies"]}
    wanted = {renamed.get(name, name.replace("-", "_")) for name in named}
    used = {name.partition(".")[0] for path in MODULES for name in imported(ast.parse(path.read_text("utf-8")))}
    assert wanted - used == set()
