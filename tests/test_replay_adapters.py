"""The ways to a tool: each gets the envelope of the reference tool, and each outlives what a hostile tool does."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import running
from conftest import ROOT
from example_tool import charge, misbehaving
from knownbad.errors import BadInput
from knownbad.replay.answer import Adapter, Answer, Carrier
from knownbad.replay.carriers import Look, read
from knownbad.replay.commands import Command
from knownbad.replay.in_process import Called, InProcess
from knownbad.replay.mcp_peer import Mcp
from knownbad.replay.plain import NotPlain, plain
from knownbad.replay.web import Http
from knownbad.replay.worker import Elsewhere
from running import DECLINED, TOOL, command, served

PLACES = Look(("/error/code", "/error/hint", "/error/retryable"))
ENVELOPE = charge.answer(DECLINED)


def call(adapter: Adapter, request: dict[str, Any] = DECLINED) -> Answer:
    with adapter.open() as session:
        return session.call(request)


def patience(mode: str) -> float:
    """The time-out for a mode: short where it is what is tested, long where a busy machine must not matter."""
    return LIMIT if mode in ("slow", "never-answers", "stubborn") else PATIENT


def timed(adapter: Adapter) -> tuple[Answer, float]:
    """The answer and the seconds that it took; what is imported before the call is not counted."""
    with adapter.open() as session:
        before = time.monotonic()
        answer = session.call(DECLINED)
        return answer, time.monotonic() - before


def codes(answer: Answer) -> list[str]:
    return [trouble.code.name for trouble in read(answer, PLACES).troubles]


@pytest.mark.parametrize("function", ["answer", "raising", "waiting"])
def test_a_function_may_return_raise_or_be_a_coroutine(function: str) -> None:
    reply = read(call(InProcess(f"example_tool.charge:{function}")), PLACES)
    assert (reply.envelope, reply.troubles) == (ENVELOPE, ())


def test_a_function_of_another_tree_is_called_in_a_child() -> None:
    for function in ("answer", "raising"):
        found = call(Elsewhere(f"example_tool.charge:{function}", None, (running.TESTS,), ROOT))
        assert read(found, PLACES).envelope == ENVELOPE


def test_a_command_answers() -> None:
    assert read(call(Command(command("command"), ROOT, TOOL)), PLACES).envelope == ENVELOPE


def test_http_answers() -> None:
    with served("web") as url:
        answer = call(Http(f"{url}/tools/charge_card"))
    reply = read(answer, PLACES)
    assert (reply.envelope, reply.status, reply.troubles) == (ENVELOPE, 402, ())


@pytest.mark.slow
@pytest.mark.parametrize("carrier", ["both", "text", "protocol"])
def test_a_server_of_mcp_answers_over_stdio_in_every_carrier(carrier: str) -> None:
    answer = call(Mcp(command("mcp_server"), cwd=ROOT, env={**TOOL, "EXAMPLE_CARRIER": carrier}, timeout=60))
    reply = read(answer, PLACES)
    assert (reply.envelope, reply.troubles) == (ENVELOPE, ())
    assert [copy.carrier for copy in reply.copies] == {
        "both": ["structuredContent", "text"],
        "text": ["text"],
        "protocol": ["error.data"],
    }[carrier]


@pytest.mark.slow
def test_a_server_of_mcp_answers_over_http_call_after_call() -> None:
    with served("mcp_server", "http") as url, Mcp(url=url, timeout=60).open() as session:
        found = [read(session.call(DECLINED), PLACES) for _ in range(3)]
    assert [(reply.envelope, reply.troubles) for reply in found] == [(ENVELOPE, ())] * 3


def test_a_server_that_knows_only_the_handshake_answers() -> None:
    """As servers on SDK 1.x do: they are peers to talk to as well."""
    reply = read(call(Mcp(command("misbehaving", "mcp"), cwd=ROOT, env=TOOL, timeout=60)), PLACES)
    assert (reply.envelope, reply.troubles) == (ENVELOPE, ())


# ---- hostile tools

EXPECTED = {
    "slow": ["time-out"],
    "never-answers": ["time-out"],
    "stubborn": ["time-out"],
    "cut-off": ["not-json"],
    "ten-megabytes": ["reply-too-large"],
    "invalid-utf8": ["not-utf8"],
    "wrong-content-type": ["wrong-content-type"],
    "two-answers": ["carriers-disagree"],
    "dies": ["died"],
}
LIMIT = 0.8
PATIENT = 60.0
GRACE = 4.0
"""Seconds of the time-out, and those for the start of Python, a handshake, and what a stubborn process is given."""


def test_every_way_to_misbehave_is_tried() -> None:
    assert set(EXPECTED) == set(misbehaving.MODES)


@pytest.mark.parametrize("mode", [m for m in EXPECTED if m not in ("wrong-content-type", "two-answers")])
def test_a_hostile_command_is_a_finding_in_time_and_nothing_is_left_running(mode: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    env = {**TOOL, "EXAMPLE_HOSTILE": mode, "EXAMPLE_PIDS": str(pids)}
    answer, seconds = timed(Command(command("misbehaving", "command"), ROOT, env, timeout=patience(mode)))
    assert codes(answer) == (["not-json"] if mode == "cut-off" else EXPECTED[mode])
    assert seconds < patience(mode) + GRACE
    assert running.left(pids) == []


@pytest.mark.parametrize("mode", [m for m in EXPECTED if m != "wrong-content-type"])
def test_a_hostile_server_of_mcp_is_a_finding_in_time_and_nothing_is_left_running(mode: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    env = {**TOOL, "EXAMPLE_HOSTILE": mode, "EXAMPLE_PIDS": str(pids)}
    answer, seconds = timed(Mcp(command("misbehaving", "mcp"), cwd=ROOT, env=env, timeout=patience(mode)))
    assert set(codes(answer)) == set(["died"] if mode == "cut-off" else EXPECTED[mode])
    assert seconds < patience(mode) + GRACE
    assert running.left(pids) == []


@pytest.mark.parametrize("mode", [m for m in EXPECTED if m not in ("two-answers", "stubborn", "dies")])
def test_a_hostile_server_of_http_is_a_finding_in_time(mode: str) -> None:
    with served("web", EXAMPLE_HOSTILE=mode) as url:
        answer, seconds = timed(Http(f"{url}/tools/charge_card", timeout=patience(mode)))
    assert seconds < patience(mode) + GRACE
    assert codes(answer) == (["died"] if mode == "cut-off" else EXPECTED[mode])


HOSTILE_MCP_HTTP = {
    "slow": "time-out",
    "never-answers": "time-out",
    "cut-off": "died",
    "ten-megabytes": "reply-too-large",
    "invalid-utf8": "not-utf8",
    "wrong-content-type": "wrong-content-type",
}


def test_a_server_by_hand_answers_over_http() -> None:
    with served("misbehaving", "mcp-http") as url:
        reply = read(call(Mcp(url=url, timeout=60)), PLACES)
    assert (reply.envelope, reply.troubles) == (ENVELOPE, ())


@pytest.mark.parametrize("mode", HOSTILE_MCP_HTTP)
def test_a_hostile_server_of_mcp_over_http_is_a_finding_in_time(mode: str) -> None:
    with served("misbehaving", "mcp-http", EXAMPLE_HOSTILE=mode) as url:
        answer, seconds = timed(Mcp(url=url, timeout=patience(mode)))
    assert seconds < patience(mode) + GRACE
    assert set(codes(answer)) == {HOSTILE_MCP_HTTP[mode]}


def test_the_raw_reply_is_shown_also_of_a_reply_that_was_cut_off() -> None:
    env = {**TOOL, "EXAMPLE_HOSTILE": "cut-off"}
    answer = call(Mcp(command("misbehaving", "mcp"), cwd=ROOT, env=env))
    assert '"structuredContent": {"err' in read(answer, PLACES).raw


def test_the_end_of_standard_error_is_kept_of_a_tool_that_died() -> None:
    env = {**TOOL, "EXAMPLE_HOSTILE": "dies"}
    assert call(Command(command("misbehaving", "command"), ROOT, env)).aside == "out of memory"
    assert call(Mcp(command("misbehaving", "mcp"), cwd=ROOT, env=env)).aside == "out of memory"


def test_a_connection_that_broke_is_made_anew_for_the_next_call() -> None:
    with Mcp(command("misbehaving", "mcp"), cwd=ROOT, env={**TOOL, "EXAMPLE_HOSTILE": "cut-off"}).open() as session:
        assert [codes(session.call(DECLINED)) for _ in range(2)] == [["died"], ["died"]]


@pytest.mark.parametrize(
    "adapter",
    [
        Command(("no-such-command-of-ours",), ROOT),
        Mcp(("no-such-command-of-ours",), cwd=ROOT),
        Http("http://127.0.0.1:1/", timeout=2),
        Mcp(url="http://127.0.0.1:1/mcp", timeout=2),
        Http("no-scheme"),
    ],
    ids=["a command", "a server to start", "an address", "an address of mcp", "no address"],
)
def test_a_tool_that_is_not_there_is_unreachable(adapter: Adapter) -> None:
    assert codes(call(adapter)) == ["unreachable"]


# ---- functions that misbehave

SOURCE = """
import sys, time
from dataclasses import dataclass

@dataclass
class Refused(Exception):
    code: str

class WithBody(Exception):
    def to_dict(self):
        return {"error": {"code": "A", "hint": "A", "message": "m", "retryable": True}}

def never(request): time.sleep(60)
def raises(request): raise KeyError("x")
def leaves(request): sys.exit(3)
def odd(request): return object()
def large(request): return {"error": {"code": "A"}, "filler": "x" * 2_000_000}
def body(request): raise WithBody()
def text(request): raise ValueError('{"error": {"code": "A", "hint": "A", "message": "m", "retryable": true}}')
def refused(request): raise Refused("A")
def of(raised): return {"error": {"code": raised.code, "hint": raised.code, "message": "m", "retryable": True}}
def spoils(request):
    request["args"].clear()
    return {"error": {"code": "A", "hint": "A", "message": "m", "retryable": True}}
constant = 1
"""


@pytest.fixture
def module(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A module of its own name, so that none is found in the cache of imports."""
    name = f"misbehaving_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(SOURCE, encoding="utf-8")
    return name


@pytest.mark.parametrize(
    "function, code, says",
    [
        ("never", "time-out", "no answer within 0.3 s"),
        ("raises", "raised", "raised KeyError: 'x', which carries no envelope"),
        ("leaves", "raised", "raised SystemExit: 3"),
        ("odd", "raised", "returned a value of the type object, which is no JSON value"),
        ("large", "reply-too-large", "larger than 1000000 bytes"),
    ],
)
def test_whatever_a_function_does_is_a_finding(
    module: str, tmp_path: Path, function: str, code: str, says: str
) -> None:
    answer = call(InProcess(f"{module}:{function}", path=(tmp_path,), timeout=0.3))
    (trouble,) = answer.troubles
    assert trouble.code.name == code
    assert says in trouble.message


@pytest.mark.parametrize("function, converter", [("body", None), ("text", None), ("refused", "of")])
def test_an_exception_may_carry_the_envelope_in_its_own_way(
    module: str, tmp_path: Path, function: str, converter: str | None
) -> None:
    envelope = f"{module}:{converter}" if converter else None
    answer = call(InProcess(f"{module}:{function}", envelope, (tmp_path,)))
    assert read(answer, PLACES).envelope["error"]["code"] == "A"


def test_a_function_cannot_spoil_the_request_of_a_fixture(module: str, tmp_path: Path) -> None:
    request = {"tool": "t", "args": {"a": 1}}
    call(InProcess(f"{module}:spoils", path=(tmp_path,)), request)
    assert request == {"tool": "t", "args": {"a": 1}}


@pytest.mark.parametrize(
    "spec", ["no_such_module_of_ours:f", "example_tool.charge:nothing", "example_tool.charge:STATUS"]
)
def test_a_function_that_is_not_there_is_bad_input(spec: str) -> None:
    path = list(sys.path)
    with pytest.raises(BadInput), InProcess(spec, path=(running.TESTS,)).open():
        pass
    assert sys.path == path


@pytest.mark.parametrize("function", ["never", "leaves"])
def test_whatever_a_function_of_another_tree_does_is_a_finding(module: str, tmp_path: Path, function: str) -> None:
    answer = call(Elsewhere(f"{module}:{function}", None, (tmp_path,), tmp_path, timeout=0.3))
    assert [t.code.name for t in answer.troubles] == [{"never": "time-out", "leaves": "raised"}[function]]


def test_a_function_that_another_tree_does_not_have_is_unreachable(tmp_path: Path) -> None:
    (trouble,) = call(Elsewhere("gone_module:f", None, (tmp_path,), tmp_path)).troubles
    assert (trouble.code.name, "gone_module" in trouble.message) == ("unreachable", True)


def test_values_become_plain_json_data() -> None:
    assert plain({"a": (1, {"b": None}), "c": 1.5}) == {"a": [1, {"b": None}], "c": 1.5}


CYCLE: dict[str, Any] = {}
CYCLE["self"] = CYCLE
DEEP: Any = 1
for _ in range(3000):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (object(), "a value of the type object, which is no JSON value"),
        ({1: 2}, "a member whose name is of the type int"),
        ({"a": [0, float("nan")]}, "NaN, which is no JSON number, at /a/1"),
        (CYCLE, "nested deeper than 200 levels, or holds itself"),
        (DEEP, "nested deeper than 200 levels, or holds itself"),
        ({"e": 10**5000}, "an integer of more than 3600 digits at /e"),
        ({"e": "x\ud800"}, "not Unicode (half a character, U+D800) at /e"),
    ],
)
def test_what_is_no_json_data_is_told_with_its_place_and_never_a_crash(value: Any, says: str) -> None:
    with pytest.raises(NotPlain) as refused:
        plain(value)
    assert says in str(refused.value)
    error = Exception("x")
    error.envelope = {"error": value}  # type: ignore[attr-defined]

    def raises(request: Any) -> Any:
        raise error

    for function in (lambda request: {"error": value}, raises):
        (trouble,) = Called(function, None, 5.0).call({}).troubles
        assert trouble.code.name == "raised"
        assert says.partition(" at ")[0] in trouble.message
    over_mcp = Answer(Carrier.MCP_RESULT, value={"isError": True, "structuredContent": {"error": value}})
    assert {t.code.name for t in read(over_mcp, Look(("/error/code",))).troubles} == {"not-json"}


def test_a_tool_that_would_end_the_process_is_a_finding() -> None:
    (trouble,) = Called(lambda request: os._exit(0), None, 5.0).call({}).troubles
    assert (trouble.code.name, trouble.message) == ("died", "the function ended the process: os._exit(0)")
    assert "staying" not in os._exit.__qualname__


def test_a_signal_that_ends_us_ends_what_we_started(tmp_path: Path) -> None:
    """A run that is asked to end leaves no tool behind, however stubborn the tool is."""
    import signal
    import subprocess

    pids = tmp_path / "pids"
    code = (
        "import sys\nfrom pathlib import Path\nfrom knownbad.replay import processes\n"
        "from knownbad.replay.commands import Command\n"
        "with processes.ended_by_signals():\n"
        "    Command(tuple(sys.argv[1:]), Path('.'), {}, timeout=60).call({'tool': 't', 'args': {}})\n"
    )
    env = {**os.environ, "EXAMPLE_HOSTILE": "stubborn", "EXAMPLE_PIDS": str(pids)}
    env["PYTHONPATH"] = os.pathsep.join([str(running.TESTS), str(ROOT / "generator")])
    ours = subprocess.Popen([sys.executable, "-c", code, *command("misbehaving", "command")], env=env)
    deadline = time.monotonic() + 10
    while not (pids.exists() and len(pids.read_text().split()) == 2) and time.monotonic() < deadline:
        time.sleep(0.02)
    ours.send_signal(signal.SIGTERM)
    assert ours.wait(10) == 128 + signal.SIGTERM
    assert running.left(pids) == []
