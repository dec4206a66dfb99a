"""Replay: the seed's example and its wrong refactoring through every adapter, and why a fixture fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import replaying
import running
from conftest import ROOT
from example_tool import charge
from knownbad.catalogue.model import Case
from knownbad.catalogue.reading import built
from knownbad.cli import main
from knownbad.errors import BadInput, Exit
from knownbad.replay.answer import Answer, Carrier
from knownbad.replay.outcome import Run
from knownbad.replay.run import ReplayOptions, answered, replay
from knownbad.replay.which import Cause, Seen, which
from replaying import AMOUNTS, config, fixture, git, planned, put, written
from running import TESTS, TOOL, command, served

CASES = json.loads((ROOT / "tests/replay_cases/tool-errors.json").read_text(encoding="utf-8"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return written(tmp_path)


def run(root: Path, **options: Any) -> Run:
    return replay(planned(root), ReplayOptions(**options))


def failed(result: Run) -> dict[str, tuple[str, ...]]:
    """The assertions that fail, by the class."""
    return {one.kept.case.name: one.judged.failed for one in result.replayed if one.judged.failed}


def codes(result: Run) -> dict[str, set[str]]:
    """The kinds of finding, by the class."""
    found = {one.kept.case.name: {f.code.name for f in one.findings} for one in result.replayed}
    return {name: names for name, names in found.items() if names}


# ---- the seed's example


def test_the_tool_passes_every_fixture(root: Path) -> None:
    result = run(root)
    assert (failed(result), codes(result), result.exit) == ({}, {}, Exit.GOOD)
    assert len(result.replayed) == 4


MCP = [pytest.param(way, marks=pytest.mark.slow) for way in ("mcp stdio", "mcp http", "mcp text", "mcp protocol")]


@pytest.fixture(params=["callable", "command", "http", *MCP])
def through(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replays through one adapter with the reference tool in a wrong version, or in the right one."""
    kind, _, way = request.param.partition(" ")

    def through(fault: str | None) -> Run:
        variables = {"EXAMPLE_FAULT": fault or ""}
        catalogue = replaying.CATALOGUE
        monkeypatch.setenv("EXAMPLE_FAULT", fault or "")
        if kind in ("callable", "command"):
            return run(written(tmp_path), live=kind != "callable", adapters=(kind,))
        text = config(more="repeat = 1")
        if kind == "mcp" and way != "http":
            env = ", ".join(f"{k} = {json.dumps(v)}" for k, v in {**TOOL, **variables, "EXAMPLE_CARRIER": way}.items())
            arguments = json.dumps([*command("mcp_server")])
            if way == "protocol":
                catalogue = catalogue.replace("[[error]]", '[[error]]\ncarrier = "protocol"')
            elif way == "stdio":
                env = env.replace('EXAMPLE_CARRIER = "stdio"', 'EXAMPLE_CARRIER = "both"')
            text += f"[replay.mcp]\nrun = {arguments}\nenv = {{ {env} }}\n"
            return run(written(tmp_path, text=text, catalogue=catalogue), live=True, adapters=("mcp",))
        server = ("web",) if kind == "http" else ("mcp_server", "http")
        with served(*server, **variables) as url:
            address = f"{url}/tools/{{tool}}" if kind == "http" else url
            text += f"[replay.{kind}]\nurl = {json.dumps(address)}\n"
            return run(written(tmp_path, text=text), live=True, adapters=(kind,))

    return through


def test_payment_declined_passes(through: Any) -> None:
    result = through(None)
    assert (failed(result), codes(result), result.exit) == ({}, {}, Exit.GOOD)


def test_the_refactoring_is_caught_by_exactly_one_boolean_and_the_duplicate_charge_is_named(through: Any) -> None:
    result = through("declined-as-transient")
    assert failed(result) == {"PAYMENT_DECLINED": ("retryable",)}
    assert codes(result) == {"PAYMENT_DECLINED": {"retry-flag-differs"}}
    (finding,) = next(one.findings for one in result.replayed if one.findings)
    assert "3 dispatches and 3 s of backoff instead of 1 and 0" in finding.message
    assert "duplicate charge" in finding.message
    assert result.exit == Exit.FINDINGS


def test_a_time_out_that_says_false_is_caught_by_exactly_one_boolean(through: Any) -> None:
    result = through("timeout-is-final")
    assert failed(result) == {"TIMEOUT": ("retryable",)}
    (finding,) = next(one.findings for one in result.replayed if one.findings)
    assert "one recoverable failure becomes a failed run" in finding.message


# ---- shapes of faults that users reported


def catalogued(case: dict[str, Any], root: Path) -> tuple[Any, Case, Answer]:
    put(root, "schemas/errors.json", {"tools": ["charge_card"], "error": [CASES["catalogue"]]})
    plan = planned(root)
    carrier = case["carrier"]
    if carrier.startswith("mcp"):
        answer = Answer(Carrier(carrier), value=case["reply"])
    else:
        kind = "text/html" if "raw" in case else "application/json"
        data = case["raw"] if "raw" in case else json.dumps(case["reply"])
        answer = Answer(Carrier.HTTP, data=data.encode(), status=case["status"], content_type=kind)
    return plan, plan.cases(None)[0], answer


SAYS = {
    "near-miss-hint": "hint is not exactly RATE_LIMITED",
    "leaked-internal": "the message looks like an internal: a stack trace",
    "flat-shape": "/error is the string",
    "flag-as-string": '/error/retryable is the string "true"',
}


@pytest.mark.parametrize("case", CASES["cases"], ids=[case["id"] for case in CASES["cases"]])
def test_a_reported_fault_gets_its_verdict(case: dict[str, Any], tmp_path: Path) -> None:
    plan, row, answer = catalogued(case, tmp_path)
    reply, judged = answered(answer, row, plan)
    expected = case["expect"]
    assert {a.name: a.verdict.value for a in judged.assertions} == {
        n: expected[n] for n in ("shape", "hint", "retryable")
    }
    said = [trouble.message for trouble in reply.troubles] + [f.message for f in judged.findings]
    said += [a.message for a in judged.assertions if a.message]
    assert any(SAYS.get(case["id"], expected["finding"]) in text for text in said), said


def test_every_reported_fault_is_a_finding_of_a_replay(tmp_path: Path) -> None:
    """None of them is a pass, also those whose three assertions pass."""
    from knownbad.replay.told import told

    for case in CASES["cases"]:
        plan, row, answer = catalogued(case, tmp_path)
        reply, judged = answered(answer, row, plan)
        assert any(told(plan.kept([row])[0], reply, judged, plan)), case["id"]


def test_the_catalogue_of_the_cases_is_one() -> None:
    assert built({"error": [CASES["catalogue"]]}, "x").rows[0].class_ == "RATE_LIMITED"


# ---- which of four

ORDER = [
    (Seen(True), None),
    (Seen(True, baseline=True), None),
    (Seen(True, baseline=False), Cause.FIXTURE_AHEAD),
    (Seen(False, baseline=True), Cause.DRIFT),
    (Seen(False, baseline=True, row_changed=True), Cause.DECLARED_CHANGE),
    (Seen(False, baseline=True, loose=True, elsewhere=True), Cause.DRIFT),
    (Seen(False, baseline=False), Cause.STALE_FIXTURE),
    (Seen(False, baseline=False, row_changed=True), Cause.FIXTURE_AHEAD),
    (Seen(False, baseline=False, loose=True), Cause.STALE_FIXTURE),
    (Seen(False, baseline=False, elsewhere=True), Cause.ENVIRONMENT_DIFFERS),
    (Seen(False, loose=True), Cause.SCHEMA_TOO_LOOSE),
    (Seen(False, loose=True, elsewhere=True), Cause.SCHEMA_TOO_LOOSE),
    (Seen(False, elsewhere=True), Cause.ENVIRONMENT_DIFFERS),
    (Seen(False, elsewhere=False), Cause.OPEN),
    (Seen(False), Cause.OPEN),
    (Seen(False, baseline=True, steady=False), Cause.NONDETERMINISTIC),
]


@pytest.mark.parametrize("seen, cause", ORDER)
def test_the_four_are_worked_through_in_order(seen: Seen, cause: Cause | None) -> None:
    assert which(seen) == cause


TOOL_SOURCE = """
def answer(request):
    flag = request["args"]["amount"] in (503, 1000)
    code = {42: "PAYMENT_DECLINED", 503: "TRANSIENT", 1000: "TIMEOUT", 40: "PERMANENT"}[request["args"]["amount"]]
    message = "Card issuer declined" if code == "PAYMENT_DECLINED" else "m"
    return {"error": {"code": code, "hint": code, "message": message, "retryable": flag}}
"""
WRONG = TOOL_SOURCE.replace("(503, 1000)", "(503, 1000, 42)")


def released(root: Path, source: str = TOOL_SOURCE, name: str = "shop", top: Path | None = None) -> Path:
    """A project under git (at `top`) whose tool is a module of its own, with the release v1."""
    text = f'[replay]\ntimeout = 60\npath = ["src"]\n[replay.callable]\nfunction = "{name}.tool:answer"\n'
    text += f'[replay.command]\nrun = [{json.dumps(sys.executable)}, "serve.py"]\n'
    written(root, text=text)
    put(root, f"src/{name}/__init__.py", "")
    put(root, f"src/{name}/tool.py", source)
    serve = f"import json, sys\nsys.path.insert(0, 'src')\nfrom {name}.tool import answer\n"
    put(root, "serve.py", serve + "print(json.dumps(answer(json.load(sys.stdin))))\n")
    git(top or root, "init", "-q")
    git(top or root, "add", "-A")
    git(top or root, "commit", "-qm", "one")
    git(top or root, "tag", "v1")
    return root


@pytest.fixture
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """The project, and the name of its module, which no other test has imported."""
    name = f"shop_{abs(hash(request.node.name))}"
    return released(tmp_path, name=name), name


def causes(result: Run) -> dict[str, Cause | None]:
    return {one.kept.case.name: one.cause for one in result.replayed if one.cause}


@pytest.mark.parametrize("adapter", ["callable", "command"])
def test_an_accidental_change_is_drift(shop: tuple[Path, str], adapter: str) -> None:
    root, name = shop
    put(root, f"src/{name}/tool.py", WRONG)
    result = run(root, baseline="v1", live=True, adapters=(adapter,))
    assert causes(result) == {"PAYMENT_DECLINED": Cause.DRIFT}
    (drift,) = [f for f in result.every_finding if f.code.name == "drift"]
    assert "v1 passes and this build does not" in drift.message
    assert git(root, "worktree", "list").count("\n") == 0


def test_a_change_that_the_catalogue_declares_is_one(shop: tuple[Path, str]) -> None:
    """Row and tool changed, and the fixture did not follow."""
    root, name = shop
    put(root, f"src/{name}/tool.py", TOOL_SOURCE.replace("(503, 1000)", "(503, 1000, 40)"))
    row = 'code = "PERMANENT"\nretryable = '
    put(root, "schemas/errors.toml", replaying.CATALOGUE.replace(f"{row}false", f"{row}true"))
    result = run(root, baseline="v1")
    assert causes(result) == {"PERMANENT": Cause.DECLARED_CHANGE}
    assert codes(result)["PERMANENT"] == {"retry-flag-differs", "declared-change", "fixture-not-as-documented"}


REFUSED = replaying.CATALOGUE.replace('code = "PERMANENT"', 'code = "PERMANENT"\nhint = "NO"')


def test_a_fixture_that_both_fail_is_stale(shop: tuple[Path, str]) -> None:
    root, _ = shop
    put(root, "schemas/errors.toml", REFUSED)
    put(root, "fixtures/errors/charge_card/PERMANENT.json", fixture("PERMANENT", hint="NO"))
    git(root, "commit", "-qam", "wrong before")
    git(root, "tag", "v2")
    result = run(root, baseline="v2")
    assert causes(result) == {"PERMANENT": Cause.STALE_FIXTURE}
    (stale,) = [f for f in result.every_finding if f.code.name == "stale-fixture"]
    assert "both gave the same answer" in stale.message


def test_a_fixture_that_changed_with_its_row_before_the_tool_did_is_ahead(shop: tuple[Path, str]) -> None:
    root, _ = shop
    put(root, "schemas/errors.toml", REFUSED)
    put(root, "fixtures/errors/charge_card/PERMANENT.json", fixture("PERMANENT", hint="NO"))
    result = run(root, baseline="v1")
    assert (causes(result), result.exit) == ({"PERMANENT": Cause.FIXTURE_AHEAD}, Exit.FINDINGS)
    assert "neither answers so yet" in " ".join(f.message for f in result.every_finding)


def test_a_fixture_that_says_other_than_its_row_is_a_failure_even_if_the_tool_agrees(root: Path) -> None:
    put(root, "schemas/errors.toml", REFUSED)
    result = run(root)
    assert codes(result) == {"PERMANENT": {"fixture-not-as-documented"}}
    assert result.exit == Exit.FINDINGS


def test_a_fixture_that_only_the_last_release_fails_is_ahead_and_no_error(shop: tuple[Path, str]) -> None:
    root, name = shop
    put(root, f"src/{name}/tool.py", WRONG)
    git(root, "commit", "-qam", "two")
    git(root, "tag", "v2")
    put(root, f"src/{name}/tool.py", TOOL_SOURCE)
    result = run(root, baseline="v2")
    assert (causes(result), result.exit) == ({"PAYMENT_DECLINED": Cause.FIXTURE_AHEAD}, Exit.GOOD)


def test_a_command_may_stand_for_the_last_release(shop: tuple[Path, str]) -> None:
    root, name = shop
    put(root, f"src/{name}/tool.py", WRONG)
    old = (sys.executable, str(TESTS / "example_tool/command.py"))
    env = f"env = {{ PYTHONPATH = {json.dumps(str(TESTS))} }}"
    text = (root / "knownbad.toml").read_text() + f"[replay.baseline.command]\n{env}\n"
    put(root, "knownbad.toml", text)
    pythonpath = f"PYTHONPATH={TESTS}"
    result = run(root, baseline_run=("env", pythonpath, *old))
    assert causes(result) == {"PAYMENT_DECLINED": Cause.DRIFT}


def test_a_build_that_passes_in_process_and_fails_elsewhere_meets_another_environment(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = config().replace("env = {", 'env = { EXAMPLE_FAULT = "declined-as-transient",')
    put(root, "knownbad.toml", text)
    result = run(root, live=True, environment="sandbox")
    assert causes(result) == {"PAYMENT_DECLINED": Cause.ENVIRONMENT_DIFFERS}
    (finding,) = [f for f in result.every_finding if f.code.name == "environment-differs"]
    assert "PAYMENT_DECLINED.sandbox.json" in str(finding.fix)


def test_two_answers_to_one_request_are_told(root: Path, tmp_path: Path) -> None:
    env = f'EXAMPLE_HOSTILE = "two-answers", EXAMPLE_TURN = {json.dumps(str(tmp_path / "turn"))}'
    text = config().replace("env = {", f"env = {{ {env},").replace("example_tool.command", "example_tool.misbehaving")
    put(tmp_path, "turn", "")
    put(root, "knownbad.toml", text.replace('misbehaving"]', 'misbehaving", "command"]'))
    result = run(root, live=True, codes=("PAYMENT_DECLINED",))
    assert causes(result) == {"PAYMENT_DECLINED": Cause.NONDETERMINISTIC}
    (finding,) = result.every_finding
    assert finding.location == "/response/error/retryable"
    assert result.exit == Exit.FINDINGS


COUNTING = """
from itertools import count
number = count()
def answer(request):
    return {"error": {"code": "PERMANENT", "hint": "PERMANENT", "retryable": False,
                      "message": "The provider refused the request", "details": {"request": next(number)}}}
"""


@pytest.mark.parametrize(
    "volatile, found", [("", {"nondeterministic", "reply-differs"}), ('volatile = ["/error/details/request"]', set())]
)
def test_what_is_volatile_may_differ(root: Path, tmp_path: Path, volatile: str, found: set[str]) -> None:
    name = f"counting_{len(volatile)}"
    put(tmp_path, f"src/{name}.py", COUNTING)
    text = config(function=f"{name}:answer", more=volatile).replace("path = [", 'path = ["src", ')
    put(root, "knownbad.toml", text)
    result = run(root, codes=("PERMANENT",))
    assert codes(result).get("PERMANENT", set()) == found
    assert result.exit == Exit.GOOD


# ---- what is compared beside the assertions


def test_a_reply_that_differs_from_the_recorded_one_is_a_warning(root: Path) -> None:
    put(root, "fixtures/errors/charge_card/PAYMENT_DECLINED.json", fixture("PAYMENT_DECLINED", message="Another"))
    result = run(root)
    assert codes(result) == {"PAYMENT_DECLINED": {"reply-differs"}}
    assert result.exit == Exit.GOOD


def test_what_the_catalogue_does_not_document_of_a_generated_fixture_need_not_be_said_so(root: Path) -> None:
    """`generate` has to write some message; no tool has to use its words."""
    for path in (root / "fixtures/errors/charge_card").iterdir():
        path.unlink()
    assert invoke("generate", "--root", str(root)).exit_code == 0
    assert (codes(run(root)), run(root).exit) == ({}, Exit.GOOD)
    written = json.loads((root / "fixtures/errors/charge_card/TIMEOUT.json").read_text(encoding="utf-8"))
    assert written["response"]["error"]["message"] != charge.MESSAGES["TIMEOUT"]


def test_a_loose_schema_is_found_by_running_the_twins_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_FAULT", "declined-as-transient")
    assert invoke("generate", "--root", str(root)).exit_code == 0
    strict = invoke("replay", "--root", str(root))
    assert "known-bad twins were run again: all are rejected, so the schema is not too loose" in strict.stdout
    envelope = json.loads((ROOT / "schemas/error-envelope.schema.json").read_text(encoding="utf-8"))
    del envelope["$defs"]["error"]["additionalProperties"]
    put(root, "schemas/error-envelope.schema.json", envelope)
    loose = run(root)
    assert causes(loose) == {"PAYMENT_DECLINED": Cause.SCHEMA_TOO_LOOSE}
    assert {f.code.name for f in loose.findings} == {"envelope-too-loose"}
    assert all("PAYMENT_DECLINED." in str(f.file) for f in loose.findings)


def test_a_masked_member_is_compared_by_schema_only(root: Path) -> None:
    put(root, "fixtures/errors/charge_card/PAYMENT_DECLINED.json", fixture("PAYMENT_DECLINED", message="[masked]"))
    assert codes(run(root)) == {}


def test_a_status_that_is_not_the_documented_one_is_told(tmp_path: Path) -> None:
    with served("web") as url:
        text = config(more="repeat = 1") + f'[replay.http]\nurl = "{url}/tools/{{tool}}"\n'
        root = written(tmp_path, text=text, catalogue=replaying.CATALOGUE.replace("402", "409"))
        result = run(root, live=True, adapters=("http",))
    assert codes(result) == {"PAYMENT_DECLINED": {"status-differs"}}


# ---- what is refused, and what is undecided


def test_nothing_leaves_the_process_unless_it_is_allowed(root: Path) -> None:
    assert run(root).adapters == ("callable",)
    with pytest.raises(BadInput, match="allow it: --live"):
        run(root, adapters=("command",))


def test_a_class_without_a_trigger_cannot_be_provoked_in_a_running_tool(root: Path) -> None:
    text = replaying.CATALOGUE.replace('trigger = { args = { amount = 40, currency = "USD" } }', "")
    put(root, "schemas/errors.toml", text)
    value = {**fixture("PERMANENT"), "request": {"tool": "charge_card", "args": {}, "error": {"code": "PERMANENT"}}}
    put(root, "fixtures/errors/charge_card/PERMANENT.json", value)
    result = run(root, live=True)
    assert codes(result) == {"PERMANENT": {"not-replayed"}}
    assert result.exit == Exit.UNDECIDED


def test_a_tool_that_is_not_there_is_unreachable(root: Path) -> None:
    put(root, "knownbad.toml", config().replace(sys.executable, "no-such-command-of-ours"))
    result = run(root, live=True)
    assert {name for names in codes(result).values() for name in names} == {"unreachable"}
    assert result.exit == Exit.UNREACHABLE


def test_a_known_class_without_a_fixture_is_a_failure(root: Path) -> None:
    (root / "fixtures/errors/charge_card/TIMEOUT.json").unlink()
    result = run(root)
    assert codes(result) == {"TIMEOUT": {"class-without-fixture"}}
    assert result.exit == Exit.FINDINGS


def test_a_fixture_of_an_unknown_class_is_a_failure(root: Path) -> None:
    error = {"code": "GONE", "hint": "GONE", "message": "m", "retryable": True}
    put(root, "fixtures/errors/charge_card/GONE.json", {**fixture("TIMEOUT"), "response": {"error": error}})
    result = run(root)
    assert [(f.code.name, f.file) for f in result.every_finding] == [
        ("fixture-of-unknown-class", "fixtures/errors/charge_card/GONE.json")
    ]
    assert result.exit == Exit.FINDINGS


@pytest.mark.parametrize(
    "text, places",
    [
        ("[replay]\ntimout = 1\n", ["/replay/timout"]),
        ('[replay]\nvolatile = ["error"]\npath = ["gone"]\n', ["/replay/path/0", "/replay/volatile/0"]),
        ("[replay]\nrepeat = 0\ntimeout = true\n", ["/replay/repeat", "/replay/timeout"]),
        ('[replay.callable]\nfunction = "no colon"\n', ["/replay/callable/function"]),
        ("[replay.http]\nurl = 'x'\ntimeout = 0\n", ["/replay/http/timeout"]),
        ('[replay.mcp]\nurl = "x"\nrun = ["y"]\n', ["/replay/mcp"]),
        ('[replay.http]\nurl = "x"\nbody = "y"\nheaders = {a = 1}\n', ["/replay/http/body", "/replay/http/headers/a"]),
        ('[replay.tools]\nx = 1\n', ["/replay/tools/x"]),
        ('[replay.deploy.production]\nadapters = ["ftp"]\n', ["/replay/deploy/production/adapters/0"]),
    ],
)  # fmt: skip
def test_every_mistake_of_the_config_is_told_with_its_place(root: Path, text: str, places: list[str]) -> None:
    put(root, "knownbad.toml", text)
    with pytest.raises(BadInput) as caught:
        planned(root)
    assert sorted(str(p.location) for p in caught.value.problems) == places


def test_a_variable_of_the_environment_is_put_in_or_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(
        root,
        "knownbad.toml",
        config() + '[replay.http]\nurl = "http://127.0.0.1:1/"\nheaders = { a = "${TOKEN_OF_TEST}" }\n',
    )
    with pytest.raises(BadInput, match="TOKEN_OF_TEST is not set"):
        run(root, live=True, adapters=("http",))
    monkeypatch.setenv("TOKEN_OF_TEST", "t")
    assert run(root, live=True, adapters=("http",)).exit == Exit.UNREACHABLE


# ---- the command


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(main, [*arguments], catch_exceptions=False)


def test_one_message_shows_all_three_assertions_with_the_reply(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_FAULT", "declined-as-transient")
    done = invoke("replay", "--root", str(root))
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["shape", "hint", "retryable", "costs", "reply"]
    assert "expected false, actual true at /error/retryable" in done.stdout
    assert "3 of 4 fixtures pass through callable" in done.stdout


def test_live_may_be_asked_for_by_the_environment(root: Path) -> None:
    done = CliRunner().invoke(main, ["replay", "--root", str(root), "--repeat", "1"], env={"KNOWNBAD_LIVE": "1"})
    assert "through command" in done.stdout


@pytest.mark.parametrize("form", ["junit", "github", "sarif", "gitlab"])
def test_the_findings_are_told_in_every_format_of_findings(
    root: Path, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_FAULT", "declined-as-transient")
    out = tmp_path / "out" / form
    done = invoke("replay", "--root", str(root), "--format", form, "--report", f"{form}={out}")
    assert done.exit_code == 1
    assert "KB322" in done.stdout
    assert out.read_text(encoding="utf-8") == done.stdout


def test_a_reply_cannot_write_on_the_terminal(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "src/painting_tool.py", 'def answer(request): return "\\x1b[2Jgone\\nand more"\n')
    put(root, "knownbad.toml", config(function="painting_tool:answer").replace("path = [", 'path = ["src", '))
    done = invoke("replay", "--root", str(root))
    assert "\x1b" not in done.stdout
    assert "[2Jgone" in done.stdout


def test_an_adapter_may_have_a_time_out_of_its_own(root: Path) -> None:
    hostile(root, "never-answers", 60)
    text = (root / "knownbad.toml").read_text(encoding="utf-8")
    put(root, "knownbad.toml", text.replace("[replay.command]", "[replay.command]\ntimeout = 0.2"))
    assert codes(run(root, live=True, codes=("TIMEOUT",))) == {"TIMEOUT": {"time-out"}}


def test_a_credential_in_a_reply_is_not_shown(root: Path, tmp_path: Path) -> None:
    source = 'def answer(request): return {"error": {"code": "A", "message": "sent Bearer abc123def was refused"}}\n'
    put(tmp_path, "src/leaking_tool.py", source)
    put(root, "knownbad.toml", config(function="leaking_tool:answer").replace("path = [", 'path = ["src", '))
    for form in ("text", "json"):
        done = invoke("replay", "--root", str(root), "--format", form)
        assert done.exit_code == 1
        assert "abc123def" not in done.stdout
        assert "[masked]" in done.stdout


# ---- hostile tools in a whole run


def hostile(root: Path, mode: str, timeout: float, **variables: str) -> Path:
    """The project with a tool that misbehaves as a command."""
    env = {"PYTHONPATH": str(TESTS), "EXAMPLE_HOSTILE": mode, **variables}
    table = ", ".join(f"{name} = {json.dumps(value)}" for name, value in env.items())
    run_ = json.dumps([sys.executable, "-m", "example_tool.misbehaving", "command"])
    put(root, "knownbad.toml", f"[replay]\ntimeout = {timeout}\n[replay.command]\nrun = {run_}\nenv = {{ {table} }}\n")
    return root


@pytest.mark.parametrize(
    "mode, code",
    [("never-answers", "time-out"), ("dies", "died"), ("cut-off", "not-json"), ("ten-megabytes", "reply-too-large")],
)
def test_a_hostile_tool_fails_every_fixture_and_loses_none(root: Path, mode: str, code: str) -> None:
    result = run(hostile(root, mode, 0.3 if mode == "never-answers" else 60), live=True)
    assert codes(result) == {name: {code} for name in AMOUNTS}
    assert {one.judged.failed for one in result.replayed} == {("shape", "hint", "retryable")}
    assert result.exit == Exit.FINDINGS


@pytest.mark.parametrize("number, leaves", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_no_tool_behind(root: Path, tmp_path: Path, number: int, leaves: int) -> None:
    pids = tmp_path / "pids"
    hostile(root, "stubborn", 60, EXAMPLE_PIDS=str(pids))
    arguments = [sys.executable, "-m", "knownbad", "replay", "--live", "--root", str(root)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    ours = subprocess.Popen(
        arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    deadline = time.monotonic() + 20
    while not (pids.exists() and len(pids.read_text(encoding="utf-8").split()) == 2) and time.monotonic() < deadline:
        time.sleep(0.02)
    ours.send_signal(number)
    printed, _ = ours.communicate(timeout=20)
    assert (ours.returncode, b"bug" in printed) == (leaves, False)
    assert running.left(pids) == []


# ---- where the last release and the environments are


def test_a_project_below_the_top_of_its_repository_has_a_baseline_too(tmp_path: Path) -> None:
    name = f"shop_below_{abs(hash(tmp_path))}"
    home = tmp_path / "services/zahlung"
    home.mkdir(parents=True)
    released(home, name=name, top=tmp_path)
    put(home, f"src/{name}/tool.py", WRONG)
    assert causes(run(home, baseline="v1")) == {"PAYMENT_DECLINED": Cause.DRIFT}
    assert git(tmp_path, "status", "--porcelain").splitlines() == [f"M services/zahlung/src/{name}/tool.py"]


def test_the_last_release_may_run_at_another_address(shop: tuple[Path, str]) -> None:
    root, _ = shop
    with served("web", EXAMPLE_FAULT="declined-as-transient") as current, served("web") as before:
        text = f'[replay]\nrepeat = 1\n[replay.http]\nurl = "{current}/tools/{{tool}}"\n'
        put(root, "knownbad.toml", text + f'[replay.baseline.http]\nurl = "{before}/tools/{{tool}}"\n')
        result = run(root, live=True, baseline="v1")
    assert causes(result) == {"PAYMENT_DECLINED": Cause.DRIFT}


def test_a_tool_at_one_address_only_has_no_baseline_and_the_cause_stays_open(shop: tuple[Path, str]) -> None:
    root, _ = shop
    with served("web", EXAMPLE_FAULT="declined-as-transient") as current:
        put(root, "knownbad.toml", f'[replay]\nrepeat = 1\n[replay.http]\nurl = "{current}/tools/{{tool}}"\n')
        result = run(root, live=True, baseline="v1")
    assert causes(result) == {"PAYMENT_DECLINED": Cause.OPEN}
    assert [(f.code.name, f.weight) for f in result.findings] == [("baseline-not-asked", "warning")]


def test_a_fixture_that_is_split_by_environment_stands_in_there(tmp_path: Path) -> None:
    row = 'message = "Card issuer declined"'
    catalogue = replaying.CATALOGUE.replace(row, f'{row}\nenvironments = {{ sandbox = {{ hint = "DECLINED_HERE" }} }}')
    root = written(tmp_path, catalogue=catalogue, text=config() + "[replay.environments.production]\n")
    put(
        root,
        "fixtures/errors/charge_card/PAYMENT_DECLINED.sandbox.json",
        fixture("PAYMENT_DECLINED", hint="DECLINED_HERE"),
    )
    assert failed(run(root)) == {}
    assert failed(run(root, environment="production")) == {}
    assert failed(run(root, environment="sandbox")) == {"PAYMENT_DECLINED.sandbox": ("hint",)}


def test_an_environment_that_nothing_knows_is_bad_input(tmp_path: Path) -> None:
    root = written(tmp_path, text=config() + "[replay.environments.sandbox]\n")
    for line in ("replay --environment sandbx", "record --environment sandbx", "can-deploy --build b --to sandbx"):
        done = invoke(*line.split(), "--root", str(root))
        assert (done.exit_code, "no environment is called sandbx" in done.stderr) == (2, True)
        assert "one of sandbox" in done.stderr
    assert invoke("replay", "--root", str(root), "--environment", "sandbox").exit_code == 0


def test_a_record_of_one_class_keeps_what_the_build_came_to_before(root: Path) -> None:
    invoke("replay", "--root", str(root), "--record", "--build", "b")
    done = invoke("replay", "--root", str(root), "--record", "--build", "b", "--code", "TIMEOUT")
    assert done.exit_code == 0
    assert invoke("can-deploy", "--root", str(root), "--to", "x", "--build", "b").exit_code == 0


def test_what_a_tool_prints_is_no_part_of_the_report(root: Path, tmp_path: Path) -> None:
    source = (
        "import os, sys\nfrom sys import stdout\nfrom example_tool import charge\nprint('at import')\n"
        "import atexit\natexit.register(lambda: print('at the end'))\n"
        "def answer(request):\n    print('here')\n    stdout.write('there')\n    os.system('echo below')\n"
        "    return charge.answer(request)\n"
    )
    put(tmp_path, "src/printing_tool.py", source)
    put(root, "knownbad.toml", config(function="printing_tool:answer").replace("path = [", 'path = ["src", '))
    for name in ("replay", "record"):
        line = [sys.executable, "-m", "knownbad", name, "--root", str(root), "--format", "json"]
        done = subprocess.run(line, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["exit"] == 0
        assert all(word in done.stderr for word in ("at import", "here", "there", "below", "at the end"))


def test_a_reply_that_contradicts_its_row_is_told_so_and_not_recorded(root: Path, tmp_path: Path) -> None:
    catalogue = replaying.CATALOGUE.replace("status = 402", 'status = 402\ncategory = "terminal"')
    put(root, "schemas/errors.toml", catalogue)
    source = (
        "from example_tool import charge\ndef answer(request):\n    found = charge.answer(request)\n"
        "    found['error']['category'] = 'transient'\n    return found\n"
    )
    put(tmp_path, "src/contradicting_tool.py", source)
    put(root, "knownbad.toml", config(function="contradicting_tool:answer").replace("path = [", 'path = ["src", '))
    found = codes(run(root, codes=("PAYMENT_DECLINED",)))
    assert "contradicts-row" in found["PAYMENT_DECLINED"]
    assert "reply-differs" not in found["PAYMENT_DECLINED"]
    before = (root / "fixtures/errors/charge_card/PAYMENT_DECLINED.json").read_bytes()
    done = invoke("record", "--root", str(root), "--code", "PAYMENT_DECLINED")
    assert (done.exit_code, "KB381" in done.stdout) == (1, True)
    assert "KB373" in done.stdout
    assert (root / "fixtures/errors/charge_card/PAYMENT_DECLINED.json").read_bytes() == before


def silent_baseline(root: Path, source: str) -> None:
    """A repository whose revision v0 has this module in the place of the tool, and a tool that works today."""
    put(root, "src/tool_that_came_later.py", source)
    put(root, "knownbad.toml", config(function="tool_that_came_later:answer").replace("path = [", 'path = ["src", '))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "v0")
    git(root, "tag", "v0")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import module_that_is_missing", "cannot be imported"),
        ("import sys\nprint('for a person', file=sys.stderr)\nimport os\nos.kill(os.getpid(), 9)", "for a person"),
        ("def answer(request):\n    import os\n    os.kill(os.getpid(), 9)", "ended with exit code -9"),
    ],
)
def test_a_last_release_that_never_ran_is_no_evidence(tmp_path: Path, source: str, says: str) -> None:
    for wrong in (False, True):
        root = written(tmp_path / str(wrong))
        silent_baseline(root, source)
        fault = "declined-as-transient" if wrong else ""
        now = f"import os\nfrom example_tool import charge\nos.environ['EXAMPLE_FAULT'] = {fault!r}\n"
        put(root, "src/tool_that_came_later.py", now + "answer = charge.answer\n")
        line = [sys.executable, "-m", "knownbad", "replay", "--root", str(root), "--baseline", "v0"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == (Exit.FINDINGS if wrong else Exit.UNDECIDED), done.stderr
        assert "KB367 v0 could not be asked for PAYMENT_DECLINED through callable" in done.stdout
        assert says in done.stdout
        assert "v0 beside it" not in done.stdout
        assert "KB366" not in done.stdout


def test_a_command_that_died_as_the_last_release_is_no_evidence(root: Path) -> None:
    died = (sys.executable, "-c", "import sys; sys.exit('there was no such option then')")
    os.environ.pop("EXAMPLE_FAULT", None)
    result = run(root, baseline_run=died)
    assert result.exit == Exit.UNDECIDED
    assert {f.code.name for f in result.findings} == {"baseline-not-asked"}
    assert "there was no such option then" in result.findings[0].message


def test_a_revision_that_git_does_not_have_is_bad_input(shop: tuple[Path, str]) -> None:
    with pytest.raises(BadInput, match="v9"):
        run(shop[0], baseline="v9")


def test_an_adapter_that_is_not_configured_is_told_so_and_not_to_go_live(root: Path) -> None:
    done = invoke("replay", "--root", str(root), "--adapter", "http")
    assert (done.exit_code, "configure one: [replay.http]" in done.stderr) == (2, True)


def test_a_project_without_a_config_is_called_by_its_folder(tmp_path: Path) -> None:
    put(tmp_path, "schemas/errors.toml", replaying.CATALOGUE)
    done = invoke("replay", "--root", str(tmp_path))
    assert (done.exit_code, "None" in done.stderr, str(tmp_path) in done.stderr) == (2, False, True)


@pytest.mark.parametrize("url", ["localhost:99/x", "http:///x", "ftp://x/y"])
def test_what_is_no_address_of_http_is_bad_input(root: Path, url: str) -> None:
    for kind in ("http", "mcp"):
        put(root, "knownbad.toml", f'[replay.{kind}]\nurl = "{url}"\n')
        done = invoke("replay", "--root", str(root), "--live")
        assert (done.exit_code, "no address of HTTP" in done.stderr) == (2, True)


def test_a_redirect_is_no_success(root: Path) -> None:
    answer = Answer(Carrier.HTTP, data=b"<html>", status=302, content_type="text/html")
    plan = planned(root)
    reply, _ = answered(answer, plan.cases(None)[0], plan)
    assert [(t.code.name, t.message) for t in reply.troubles] == [
        ("no-envelope", "no envelope: HTTP status 302 leads elsewhere")
    ]


def test_a_fix_stands_under_its_own_finding(root: Path, tmp_path: Path) -> None:
    source = (
        "from example_tool import charge\ndef answer(request):\n    found = charge.answer(request)\n"
        "    found['error']['details'] = {'a': 'Traceback (most recent call last):\\n  File \"x.py\", line 1, in f'}\n"
        "    return found\n"
    )
    put(tmp_path, "src/showing_tool.py", source)
    put(root, "knownbad.toml", config(function="showing_tool:answer").replace("path = [", 'path = ["src", '))
    lines = invoke("replay", "--root", str(root), "--code", "TIMEOUT").stdout.splitlines()
    (leaked,) = (number for number, line in enumerate(lines) if "KB324" in line)
    (differs,) = (number for number, line in enumerate(lines) if "KB362" in line)
    assert "fix: record it anew" in lines[differs + 1]
    assert "record it anew" not in lines[leaked + 1]
