"""The emitted tests of a tool's errors, run by pytest as a project would run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from error_projects import DECLINED, catalogue, project_in, read, run, write

pytestmark = pytest.mark.slow

TIMEOUT = {"code": "TIMEOUT", "retryable": True, "trigger": {"args": {"amount": 1000, "currency": "USD"}}}
CONFIG = """
[replay.callable]
function = "charge:answer"

[replay.command]
run = ["python", "command.py"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The example tool with its two documented classes, generated."""
    project_in(tmp_path, catalogue(DECLINED, TIMEOUT), config=CONFIG.replace("python", sys.executable, 1))
    shutil.copy(ROOT / "tests/example_tool/charge.py", tmp_path / "charge.py")
    text = "import json, sys, charge\nprint(json.dumps(charge.answer(json.load(sys.stdin))))\n"
    (tmp_path / "command.py").write_text(text, encoding="utf-8")
    assert run(tmp_path, "generate").exit_code == 0
    return tmp_path


def pytest_of(root: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """The exit code of pytest, and what it says."""
    names = ("KNOWNBAD_LIVE", "EXAMPLE_FAULT", "PYTEST_ADDOPTS")
    variables = {name: value for name, value in os.environ.items() if name not in names}
    variables.update({"PYTHONPATH": os.pathsep.join([str(ROOT / "generator"), str(root)]), **environment})
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "--strict-markers"]
    if "knownbad" not in _plugins():
        command += ["-p", "knownbad.pytest_plugin"]
    done = subprocess.run([*command, *arguments], cwd=root, env=variables, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def _plugins() -> set[str]:
    """The plugins that pytest finds by itself: none of ours where the package is not installed as it stands here."""
    from importlib.metadata import entry_points

    return {point.name for point in entry_points(group="pytest11")}


def failed(output: str) -> list[str]:
    return re.findall(r"^FAILED \S*::(\S+)", output, re.MULTILINE)


def test_the_emitted_tests_pass_and_the_live_ones_wait_to_be_asked(root: Path) -> None:
    code, output = pytest_of(root, "-rs")
    assert code == 0, output
    assert re.search(r"\d+ passed, 2 skipped", output)
    assert "set KNOWNBAD_LIVE=1" in output


def test_the_live_ones_are_marked_and_call_the_running_tool(root: Path) -> None:
    code, output = pytest_of(root, "-m", "live", KNOWNBAD_LIVE="1")
    assert code == 0, output
    assert re.search(r"2 passed, \d+ deselected", output)
    code, output = pytest_of(root, "-m", "live", KNOWNBAD_LIVE="1", EXAMPLE_FAULT="declined-as-transient")
    assert failed(output) == ["test_the_running_tool_answers_as_documented[PAYMENT_DECLINED]"]


def test_the_refactoring_through_the_transient_branch_fails_by_one_boolean_and_names_the_duplicate_charge(
    root: Path,
) -> None:
    code, output = pytest_of(root, EXAMPLE_FAULT="declined-as-transient")
    assert code == 1
    assert failed(output) == ["test_the_tool_answers_as_documented[PAYMENT_DECLINED]"]
    assert "expected false, actual true at /error/retryable" in output
    assert "3 dispatches and 3 s of backoff instead of 1 and 0" in output
    assert "duplicate charge" in output


def test_a_timeout_that_says_false_fails_and_names_the_failed_run(root: Path) -> None:
    _, output = pytest_of(root, EXAMPLE_FAULT="timeout-is-final")
    assert failed(output) == ["test_the_tool_answers_as_documented[TIMEOUT]"]
    assert "one recoverable failure becomes a failed run" in output


def test_a_row_that_is_removed_fails_by_its_name(root: Path) -> None:
    write(root / "schemas/errors.json", catalogue(DECLINED))
    code, output = pytest_of(root)
    assert code == 1
    assert "test_a_fixture_is_as_documented[TIMEOUT.json]" in failed(output)
    assert "no class of schemas/errors.json is called TIMEOUT" in output


def test_a_fixture_that_is_removed_fails_by_its_class(root: Path) -> None:
    (root / "fixtures/errors/charge_card/TIMEOUT.json").unlink()
    _, output = pytest_of(root)
    assert "test_a_documented_class_has_a_fixture[TIMEOUT]" in failed(output)


def test_a_twin_that_became_good_fails(root: Path) -> None:
    good = read(root / "fixtures/errors/charge_card/TIMEOUT.json")
    write(root / "negative/errors/charge_card/TIMEOUT.trace.json", good)
    _, output = pytest_of(root)
    assert "test_a_known_bad_twin_fails_its_own_assertion[TIMEOUT.trace.json]" in failed(output)


def test_without_a_way_to_the_tool_no_test_asks_for_one(tmp_path: Path) -> None:
    project_in(tmp_path, catalogue(DECLINED))
    run(tmp_path, "generate")
    text = (tmp_path / "tests/contracts/test_errors_charge_card.py").read_text(encoding="utf-8")
    assert "check_reply" not in text
    code, output = pytest_of(tmp_path)
    assert code == 0, output
