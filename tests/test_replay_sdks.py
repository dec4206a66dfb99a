"""What the libraries of MCP make of a tool's errors, with real servers: the shapes that users report are theirs.

Servers on the 1.x line of the SDK are peers to talk to as well. `KNOWNBAD_MCP1` names a Python that has `mcp<2`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from conftest import ROOT
from example_tool import charge
from knownbad.replay.answer import Session
from knownbad.replay.carriers import Look, Reply, read
from knownbad.replay.mcp_peer import Mcp
from running import TOOL

PLACES = Look(("/error/code", "/error/hint", "/error/retryable"))


@pytest.fixture(scope="module", params=["2.x", pytest.param("1.x", marks=pytest.mark.sweep)])
def line(request: pytest.FixtureRequest) -> Iterator[tuple[str, Session]]:
    """A server on one line of the SDK, written with its high-level class."""
    python = sys.executable if request.param == "2.x" else os.environ.get("KNOWNBAD_MCP1")
    if not python:
        pytest.skip("set KNOWNBAD_MCP1 to a Python that has mcp<2")
    server = Mcp((python, "-m", "example_tool.with_library"), cwd=ROOT, env=TOOL, timeout=60)
    with server.open() as session:
        yield request.param, session


def called(session: Session, amount: int | str, tool: str = "charge_card") -> Reply:
    return read(session.call({"tool": tool, "args": {"amount": amount, "currency": "USD"}}), PLACES)


pytestmark = pytest.mark.slow


def test_an_envelope_that_is_raised_is_masked_by_one_line_and_gets_words_before_it_by_the_other(
    line: tuple[str, Session],
) -> None:
    name, session = line
    (trouble,) = called(session, 42).troubles
    said = {"2.x": "no envelope: the text is not JSON", "1.x": "text before the JSON envelope"}[name]
    assert said in trouble.message


def test_an_envelope_that_is_returned_is_flagged_as_a_success(line: tuple[str, Session]) -> None:
    reply = called(line[1], 29)
    assert reply.envelope == charge.answer({"tool": "charge_card", "args": {"amount": 29, "currency": "USD"}})
    assert [trouble.code.name for trouble in reply.troubles] == ["flagged-as-success"]


@pytest.mark.parametrize("amount, tool", [(503, "charge_card"), ("many", "charge_card"), (1, "no_such_tool")])
def test_what_the_library_says_itself_is_no_envelope(line: tuple[str, Session], amount: int | str, tool: str) -> None:
    reply = called(line[1], amount, tool)
    assert [trouble.code.name for trouble in reply.troubles] == ["no-envelope"]
    assert not reply.succeeded
