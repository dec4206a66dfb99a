"""What the suite commands say is of the thing that is wrong, and what `serve` takes `conform` can read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from knownbad.errors import BadInput
from knownbad.suites.contracts import RETURNED, SUITE, misfits
from knownbad.suites.events import JsonLines
from knownbad.suites.host import server_of, unloggable
from knownbad.suites.run import Run
from knownbad.suites.suite import read_suite
from suitekit import called, document, entry, judged, returned, rules, suite, summary, written


@pytest.mark.parametrize("value", [float("nan"), [-float("inf")], {"a": "\ud800"}])
def test_arguments_that_are_no_json_cannot_be_logged(value: Any) -> None:
    """A client may send them over a pipe, though the SDK's own does not."""
    assert unloggable("t", {"n": value}) is not None
    assert unloggable("t", {"n": 1.5}) is None


def test_a_call_that_could_not_be_read_again_is_refused_and_not_logged(tmp_path: Path) -> None:
    async def go() -> int:
        with JsonLines(tmp_path / "log.jsonl") as log, JsonLines(tmp_path / "calls.jsonl") as calls:
            run = Run(found, found.tasks[0], log, calls)
            async with Client(server_of(run)) as client:
                with pytest.raises(MCPError) as refused:
                    await client.call_tool("", {})
                await client.call_tool("t", {"n": 1.5})
            run.finish()
            return refused.value.error.code

    found = suite(entry(tool="t"))
    assert asyncio.run(go()) == -32602
    result = judged(found, tmp_path / "log.jsonl", calls=tmp_path / "calls.jsonl")
    assert (result.exit, rules(result)) == (0, set())


def test_an_empty_suite_is_not_told_of_schemas(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text("")
    with pytest.raises(BadInput) as bad:
        read_suite(tmp_path / "suite.json")
    assert bad.value.problems[0].message == "is empty"
    assert bad.value.problems[0].fix is None


def test_a_version_is_told_with_an_example() -> None:
    (misfit,) = misfits(SUITE, {**document(entry()), "version": "x"})
    assert misfit.message == 'must look like "1.0.0"'


def test_what_must_not_be_is_told_in_words() -> None:
    (misfit,) = misfits(RETURNED, returned(status="error"))
    assert misfit.message == 'must not be one of "error", "forbidden", "rate_limited"'


def test_a_call_without_a_name_is_not_called_by_it(tmp_path: Path) -> None:
    result = judged(suite(entry()), written(tmp_path, [{**called(), "callId": ""}, summary()]))
    assert [finding.message for finding in result.findings] == ["line 1: callId: must not be empty"]
