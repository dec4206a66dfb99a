"""The fence: limits that hold inside a native call, and a process that never stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from knownbad import fence
from knownbad.algebra import Difference, Empty, Unknown
from knownbad.dialects import DRAFT_07, DRAFT_2020_12
from knownbad.fence import Fence, within_reach

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the process is a fork on POSIX")


def endless(*_: Any) -> Any:
    """As deaf as a native call: no Python code of ours runs, and signals that Python handles are not seen."""
    return sum(iter(int, 1))


def greedy(*_: Any) -> Any:
    return Empty(str(len(bytearray(2**30))))


def dying(*_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGSEGV)


def chatty(*_: Any) -> Any:
    print("to nobody", flush=True)
    os.write(2, b"to nobody\n")
    return Empty(str(os.getpid()))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A fence of a second with functions that misbehave."""
    for function in (endless, greedy, dying, chatty):
        monkeypatch.setitem(fence._FUNCTIONS, function.__name__, function)
    made = Fence(seconds=1)
    yield made
    made.close()


def works(made: Fence) -> bool:
    return isinstance(made.call("difference", {"type": "string"}, {"minLength": 0}, DRAFT_07, True), Empty)


def test_answers_come_through_as_they_are() -> None:
    answer = fence.call("difference", {"type": "string"}, {"minLength": 1}, DRAFT_07, True)
    assert answer == Difference({"$schema": DRAFT_07.uri, "const": ""}, certain=True)
    assert fence.call("difference", {"type": "string"}, {"type": "string"}, DRAFT_07, True) == Empty(
        "the two schemas are the same"
    )
    assert isinstance(fence.call("unsatisfiable", {"allOf": [{"type": "null"}, {"const": 1}]}, DRAFT_07, True), Empty)


def test_no_process_is_started_before_the_first_question() -> None:
    code = "import os, knownbad.fence as f; print(f._FENCE._child, 'jsonschema_rs' in __import__('sys').modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None False\n"


def test_one_process_answers_all_questions(small: Fence) -> None:
    assert small.call("chatty") == small.call("chatty")
    assert small.call("chatty") != Empty(str(os.getpid()))


def test_what_takes_too_long_is_ended_and_the_next_question_is_answered(small: Fence) -> None:
    began = time.monotonic()
    assert small.call("endless") == Unknown("took longer than 1 s")
    assert time.monotonic() - began < 5
    assert works(small)


def test_what_needs_too_much_memory_is_unknown(small: Fence) -> None:
    answer = small.call("greedy")
    assert isinstance(answer, Unknown)
    assert "memory" in answer.reason or "MiB" in answer.reason
    assert works(small)


def test_a_crash_is_unknown_and_the_next_question_is_answered(small: Fence) -> None:
    assert small.call("dying") == Unknown("the algebra crashed or needed more than 300 MiB")
    assert works(small)


def test_a_process_that_died_between_two_questions_is_replaced(small: Fence) -> None:
    answer = small.call("chatty")
    assert isinstance(answer, Empty)
    os.kill(int(answer.proof), signal.SIGKILL)
    time.sleep(0.05)
    assert works(small)


def test_the_process_leaves_no_zombie_behind(small: Fence) -> None:
    answer = small.call("chatty")
    assert isinstance(answer, Empty)
    small.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(answer.proof), 0)
    small.close()


def test_the_process_writes_nothing_to_the_output_of_its_parent(
    small: Fence, capfd: pytest.CaptureFixture[str]
) -> None:
    sys.stdout.write("once")  # buffered, and so in the memory of the fork as well
    assert isinstance(small.call("chatty"), Empty)
    small.close()
    sys.stdout.flush()
    assert capfd.readouterr() == ("once", "")


def test_a_fork_of_the_parent_does_not_use_its_process(small: Fence) -> None:
    answer = small.call("chatty")
    reading, writing = os.pipe()
    if os.fork() == 0:
        other = small.call("chatty")
        os.write(writing, b"other" if other != answer else b"the same")
        small.close()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == "other"
    os.wait()
    assert small.call("chatty") == answer


SCRIPT = """
import os, sys, time, knownbad.fence as f
from knownbad.algebra import Empty
f._FUNCTIONS["pid"] = lambda: Empty(str(os.getpid()))
f._FUNCTIONS["endless"] = lambda: sum(iter(int, 1))
made = f.Fence(seconds=60)
print(made.call("pid").proof, flush=True)
made.call("endless")
"""


def hearing() -> None:
    """Ctrl-C is heard, also where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start() -> tuple[subprocess.Popen[str], int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hearing
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.2)
    return parent, child


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":  # orphaned and dead; whoever adopts orphans here has not looked yet
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the alarm ends it, later")
def test_the_process_dies_with_a_parent_that_is_killed_in_the_middle_of_a_question() -> None:
    parent, child = start()
    parent.kill()
    parent.communicate()
    assert gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_an_interrupt_ends_the_question_and_the_process() -> None:
    parent, child = start()
    parent.send_signal(signal.SIGINT)
    _, errors = parent.communicate(timeout=10)
    assert "KeyboardInterrupt" in errors
    assert errors.count("Traceback") == 1
    assert gone(child)


def record(number: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{number}": {"enum": [1]}}, "required": [f"p{number}"]}


WITHIN = [
    ("a long list of properties", {"properties": {f"p{i}": {"minimum": i} for i in range(1000)}}),
    ("branches at different places", {"properties": {f"p{i}": {"oneOf": [record(1), record(2)]} for i in range(300)}}),
    ("a few conditions", {"allOf": [{"if": record(i), "then": record(i + 100)} for i in range(7)]}),
    ("recursion through a branch", {"anyOf": [{"items": {"$ref": "#/definitions/x"}}, {"type": "null"}],
                                    "definitions": {"x": {"anyOf": [{"$ref": "#/definitions/x"}, record(1)]}}}),
]  # fmt: skip
BEYOND = [
    ("many independent choices", {"allOf": [{"anyOf": [record(i), record(i + 100)]} for i in range(10)]}),
    ("many conditions", {"allOf": [{"if": record(i), "then": record(i + 100)} for i in range(30)]}),
    ("many dependencies", {"dependencies": {f"p{i}": [f"p{i + 100}"] for i in range(16)}}),
    ("choices behind references", {"allOf": [{"$ref": "#/definitions/x"}] * 5,
                                   "definitions": {"x": {"oneOf": [record(i) for i in range(4)]}}}),
    ("a huge schema", {"properties": {f"p{i}": {} for i in range(5000)}}),
    ("nested deep inside", {"items": {"properties": {"a": {"dependencies": {f"p{i}": ["q"] for i in range(16)}}}}}),
]  # fmt: skip


@pytest.mark.parametrize("schema", [row[1] for row in WITHIN], ids=[row[0] for row in WITHIN])
def test_what_is_within_reach_is_tried(schema: dict[str, Any]) -> None:
    assert within_reach(schema, DRAFT_07) is None


@pytest.mark.parametrize("schema", [row[1] for row in BEYOND], ids=[row[0] for row in BEYOND])
def test_what_is_beyond_reach_is_turned_away_without_a_clock(schema: dict[str, Any]) -> None:
    reason = within_reach(schema, DRAFT_07)
    assert reason is not None
    began = time.monotonic()
    assert fence.call("difference", schema, {"type": "null"}, DRAFT_07, True) == Unknown(reason)
    assert time.monotonic() - began < 1


def test_keywords_of_another_dialect_do_not_count() -> None:
    schema = {"$ref": "#/definitions/x", "allOf": [{"anyOf": [record(i), record(i + 50)]} for i in range(10)],
              "definitions": {"x": {}}}  # fmt: skip
    assert within_reach(schema, DRAFT_07) is None
    assert within_reach(schema, DRAFT_2020_12) is not None
