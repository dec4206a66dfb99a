"""May this host run this suite? Contracts and admission."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from conftest import ROOT
from knownbad.cli import main
from knownbad.contract import Contract, Document
from knownbad.dialects import DRAFT_2020_12
from knownbad.errors import BadInput
from knownbad.suites.admission import refusal
from knownbad.suites.capabilities import capabilities_of
from knownbad.suites.contracts import REFUSAL, SUITE, misfits
from knownbad.suites.suite import suite_findings, suite_of
from suitekit import CONFORMANCE, DOWN, HOST, document, entry, failing, host, suite


def schema(name: str) -> Any:
    return json.loads((ROOT / f"schemas/{name}.schema.json").read_text("utf-8"))


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def check(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["suite", "check", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_suite_with_a_recorded_failure_is_one() -> None:
    """RFC 0245, server-free: a suite with `isError: true` validates."""
    assert list(suite_findings(document(failing()), "suite.json")) == []


def test_a_flag_that_is_a_text_is_refused_by_its_type_at_its_place() -> None:
    """RFC 0245, negative (schema): `isError: "true"` fails the type."""
    value = document(entry(), entry(isError="true"))
    value["tasks"] = [*copy.deepcopy(value["tasks"]), {**value["tasks"][0], "taskId": "b"}]
    value["tasks"][0]["fixtures"]["toolResponses"][1]["isError"] = True
    (finding,) = suite_findings(value, "suite.json")
    assert finding.location == "/tasks/1/fixtures/toolResponses/1/isError"
    assert finding.message == "tasks[1].fixtures.toolResponses[1].isError: must be of type boolean"
    assert finding.subject.endswith("/isError/type")


def test_the_known_bad_flag_is_among_the_generated_negatives() -> None:
    """`knownbad generate` makes it, and names the one keyword that it violates."""
    rows = read(ROOT / "negative/eval-suite/corpus.json")["fixtures"]
    about = [row for row in rows if row["keywordLocation"].endswith("/toolResponse/properties/isError/type")]
    flags = []
    for row in about:
        instance = read(ROOT / "negative/eval-suite" / row["file"])
        flags += [e["isError"] for t in instance["tasks"] for e in t["fixtures"]["toolResponses"] if "isError" in e]
    assert "true" in flags


def test_the_fixture_of_the_rfc_validates_and_holds_a_failure_and_then_a_success_of_one_tool() -> None:
    """The new fixture validates: one task, the same tool twice, `upstream_down` as an error and then a success."""
    found = suite_of(read(CONFORMANCE), CONFORMANCE.name)
    (task,) = found.tasks
    assert found.suite_id == CONFORMANCE.stem == "conformance-eval-fixture-error"
    assert [r.is_error for r in task.responses] == [True, False]
    assert task.responses[0].response == DOWN
    assert len(task.tools) == 1
    assert [task.responses[0].args] == [task.responses[1].args]


@pytest.mark.parametrize("name", ["isError", "args", "response", "fixtures.toolResponses", "memorySeed"])
def test_objects_of_a_suite_are_closed_and_a_near_miss_is_named(name: str) -> None:
    value = document(failing(), memorySeed={})
    fixtures = value["tasks"][0]["fixtures"]
    holder = fixtures if "." in name or name == "memorySeed" else fixtures["toolResponses"][0]
    holder[name.rpartition(".")[2] + "s"] = True
    (finding,) = suite_findings(value, "suite.json")
    assert f"`{name.rpartition('.')[2]}`?" in finding.message


def test_every_fault_of_a_suite_is_told_at_once() -> None:
    value = document(entry(isError=1), {"tool": ""}, onMiss="retry")
    places = {finding.location for finding in suite_findings(value, "suite.json")}
    responses = "/tasks/0/fixtures/toolResponses"
    assert places == {
        f"{responses}/0/isError",
        f"{responses}/1/tool",
        f"{responses}/1/response",
        "/tasks/0/fixtures/onMiss",
    }


def test_two_tasks_of_one_name_are_refused() -> None:
    value = document()
    value["tasks"] *= 2
    (finding,) = suite_findings(value, "suite.json")
    assert finding.location == "/tasks/1/taskId"
    with pytest.raises(BadInput, match="the same name"):
        suite_of(value, "suite.json")


def comparable(value: Any) -> Contract:
    uri = "https://knownbad.invalid/suite.json"
    return Contract("suite", "suite", {uri: Document(uri, "suite.json", value, DRAFT_2020_12)})


@pytest.mark.slow
def test_the_new_contract_only_widens_the_one_without_the_flag() -> None:
    """Additive: `compare` shows it. What was a suite before is one, and what is new has the flag."""
    from knownbad.differ import compare

    new = schema("eval-suite")
    del new["$id"]
    old = copy.deepcopy(new)
    del old["$defs"]["toolResponse"]["properties"]["isError"]
    assert compare(comparable(old), comparable(new)).verdict == "widened"
    new_capabilities = schema("host-capabilities")
    del new_capabilities["$id"]
    old_capabilities = copy.deepcopy(new_capabilities)
    del old_capabilities["$defs"]["evalSuite"]["properties"]["fixtureErrors"]
    assert compare(comparable(old_capabilities), comparable(new_capabilities)).verdict == "widened"


def test_a_host_that_promises_to_replay_failures_may_run_the_suite() -> None:
    assert refusal(suite(failing()), host()) is None


@pytest.mark.parametrize("promise", [None, False], ids=["absent", "false"])
def test_a_host_without_the_promise_must_refuse_a_recorded_failure(promise: bool | None) -> None:
    """RFC 0245, negative (capability): `400 validation_error` naming `fixtures.toolResponses[0].isError`."""
    found = refusal(suite(failing(), entry()), host(errors=promise))
    assert found is not None
    assert (found.body["status"], found.body["error"]) == (400, "validation_error")
    (detail,) = found.body["details"]
    assert detail["field"] == "fixtures.toolResponses[0].isError"
    assert detail["task"] == "refund-1"
    assert misfits(REFUSAL, found.body) == []


@pytest.mark.parametrize("flag", [{}, {"isError": False}], ids=["absent", "false"])
def test_a_suite_without_a_recorded_failure_is_taken_by_every_host(flag: dict[str, Any]) -> None:
    for promise in (None, False, True):
        assert refusal(suite(entry(**flag)), host(errors=promise)) is None


def test_every_recorded_failure_is_named_with_its_task_and_not_only_the_first() -> None:
    value = document(failing(), entry(), failing())
    value["tasks"].append({**document(entry(), failing())["tasks"][0], "taskId": "refund-2"})
    found = refusal(suite_of(value, "suite.json"), host(errors=None))
    assert found is not None
    assert [(d["task"], d["field"]) for d in found.body["details"]] == [
        ("refund-1", "fixtures.toolResponses[0].isError"),
        ("refund-1", "fixtures.toolResponses[2].isError"),
        ("refund-2", "fixtures.toolResponses[1].isError"),
    ]
    assert [f.location for f in found.findings][-1] == "/tasks/1/fixtures/toolResponses/1/isError"
    assert "tasks[1].fixtures.toolResponses[1].isError" in found.findings[-1].message
    assert {f.code.code for f in found.findings} == {"KB604"}


def test_a_flag_inside_a_response_means_nothing() -> None:
    """`response` is opaque."""
    assert refusal(suite(entry({"isError": True})), host(errors=None)) is None


@pytest.mark.parametrize("capabilities", [{}, {"agents": {}}, {"agents": {"evalSuite": {"supported": False}}}])
def test_a_host_without_eval_suites_refuses_for_another_reason(capabilities: Any) -> None:
    for found in (suite(entry()), suite(failing())):
        refused = refusal(found, capabilities_of(capabilities))
        assert refused is not None
        assert [f.code.code for f in refused.findings] == ["KB603"]
        assert misfits(REFUSAL, refused.body) == []


def test_a_host_refuses_what_is_beyond_it() -> None:
    capabilities = capabilities_of({"agents": {"evalSuite": {"modes": ["rubric"], "maxTasksPerSuite": 1}}})
    value = document(entry())
    value["tasks"].append({"taskId": "b", "input": None})
    refused = refusal(suite_of(value, "suite.json"), capabilities)
    assert refused is not None
    assert [(f.code.code, f.location) for f in refused.findings] == [("KB605", "/modes"), ("KB605", "/tasks")]


def test_check_says_yes_and_no_with_its_exit_code(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"agents": {"evalSuite": {}}}', "utf-8")
    assert check(CONFORMANCE) == (0, "the suite fits its contract\n")
    assert check(CONFORMANCE, "--capabilities", HOST) == (0, "admitted: the host may run the suite\n")
    code, told = check(CONFORMANCE, "--capabilities", old)
    assert code == 1
    assert told.startswith("refused: 400 validation_error")
    assert "/tasks/0/fixtures/toolResponses/0/isError" in told
    assert "tasks[0].fixtures.toolResponses[0].isError" in told


def test_check_prints_the_answer_that_the_host_must_give(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"agents": {"evalSuite": {}}}', "utf-8")
    code, told = check(CONFORMANCE, "--capabilities", old, "--format", "json")
    shown = json.loads(told)
    assert (code, shown["exit"], shown["admitted"]) == (1, 1, False)
    assert Draft202012Validator(schema("validation-error")).is_valid(shown["refusal"])
    assert shown["refusal"]["details"][0]["field"] == "fixtures.toolResponses[0].isError"


def test_check_tells_a_bad_suite_and_bad_capabilities_together(tmp_path: Path) -> None:
    bad, host_ = tmp_path / "bad.json", tmp_path / "host.json"
    bad.write_text(json.dumps(document(entry(isError="true"))), "utf-8")
    host_.write_text('{"agents": {"evalSuite": {"fixtureError": true}}}', "utf-8")
    code, told = check(bad, "--capabilities", host_, "--format", "json")
    assert code == 1
    assert [f["code"] for f in json.loads(told)["findings"]] == ["KB601", "KB602"]


def test_a_promise_that_is_not_known_is_passed_over_and_one_that_is_misspelt_is_not(tmp_path: Path) -> None:
    """A host may promise more than this RFC knows."""
    path = tmp_path / "host.json"
    for name, code, word in (("trialGrading", 0, "warning: KB602"), ("fixtureError", 1, "`fixtureErrors`?")):
        value = {"agents": {"evalSuite": {"fixtureErrors": True, name: True}}}
        path.write_text(json.dumps(value), "utf-8")
        exit_code, told = check(CONFORMANCE, "--capabilities", path)
        assert exit_code == code
        assert word in told
        assert ("admitted" in told) is (code == 0)


def test_the_rest_of_a_capability_document_is_not_looked_at() -> None:
    hooks = {"supported": True, "prePostEvents": True, "perToolAuthorization": True}
    found = capabilities_of({"agents": {"memory": {}, "evalSuite": {}}, "toolHooks": hooks, "auth": {}})
    assert (found.eval_suite, found.pre_post_events) == (True, True)
    assert not capabilities_of({"toolHooks": {**hooks, "supported": False}}).pre_post_events
    assert misfits("host-capabilities", {"toolHooks": hooks}) == []


@pytest.mark.parametrize("seed", [{}, [], [{"text": "remember"}]])
def test_a_memory_seed_is_an_object_or_a_list(seed: Any) -> None:
    assert list(suite_findings(document(entry(), memorySeed=seed), "suite.json")) == []


def test_the_config_may_name_the_capabilities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "knownbad.toml"
    config.write_text('[suites]\ncapabilities = "host.json"\n', "utf-8")
    assert check(CONFORMANCE)[0] == 2
    (tmp_path / "host.json").write_text('{"agents": {"evalSuite": {}}}', "utf-8")
    assert check(CONFORMANCE)[0] == 1
    assert check(CONFORMANCE, "--capabilities", HOST)[0] == 0
    config.write_text('[suites]\ncapability = "host.json"\n', "utf-8")
    code, told = check(CONFORMANCE)
    assert code == 2
    assert "`capabilities`?" in told


def test_check_of_a_file_that_is_none_is_bad_input(tmp_path: Path) -> None:
    assert check(tmp_path / "none.json")[0] == 2


def test_the_contracts_are_found_by_their_names() -> None:
    for name in (SUITE, REFUSAL):
        assert misfits(name, {}) != []
