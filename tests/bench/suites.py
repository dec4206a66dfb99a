"""How long 2,000 recorded calls take to be served, beside a bare server of the SDK that answers a constant.

Both are asked the same calls by the same client in one process, in turns; the ratio is what counts.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp import types
from mcp.client import Client
from mcp.server import Server

from knownbad.suites.events import JsonLines
from knownbad.suites.host import server_of
from knownbad.suites.run import Run
from knownbad.suites.suite import suite_of

CALLS = 2000
ROUNDS = 3
ANSWER = {"content": [{"type": "text", "text": '{"balance":12.5}'}]}
MATCHES = ("exact", "subset", "any")


def recorded(match: str, calls: int = CALLS) -> dict[str, Any]:
    """A suite of one tool with as many recorded calls, every tenth a failure."""
    entries = []
    for number in range(calls):
        args = {} if match == "any" else {"args": {"id": f"c-{number}"}}
        failed = {"isError": True} if number % 10 == 0 else {}
        entries.append({"tool": "billing:lookup", **args, "argsMatch": match, **failed, "response": ANSWER})
    task = {"taskId": "all", "input": None, "fixtures": {"toolResponses": entries}}
    return {"suiteId": "bench", "version": "1.0.0", "modes": ["golden"], "tasks": [task]}


def constant() -> Server[Any]:
    """A server that knows one tool and one answer."""

    async def tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name="billing:lookup", input_schema={"type": "object"})])

    async def call(_: Any, __: Any) -> types.CallToolResult:
        return types.CallToolResult.model_validate(ANSWER)

    return Server("constant", on_list_tools=tools, on_call_tool=call)


async def asked(server: Server[Any], mode: str, calls: int) -> float:
    """Seconds that the calls take."""
    async with Client(server, mode=mode) as client:
        await client.list_tools()
        begin = time.perf_counter()
        for number in range(calls):
            await client.call_tool("billing:lookup", {"id": f"c-{number}"})
        return time.perf_counter() - begin


def served(match: str, mode: str, folder: Path, calls: int = CALLS) -> float:
    """Seconds that a suite takes, with its log and its transcript."""
    suite = suite_of(recorded(match, calls), "bench")
    with JsonLines(folder / "log.jsonl") as log, JsonLines(folder / "calls.jsonl") as transcript:
        run = Run(suite, suite.task(None), log, transcript)
        seconds = asyncio.run(asked(server_of(run), mode, calls))
    assert run.misses == 0
    return seconds


def ratio(match: str, mode: str, calls: int = CALLS, rounds: int = ROUNDS) -> float:
    """How many times as long the recorded calls take, the middle of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for _ in range(rounds):
            bare = asyncio.run(asked(constant(), mode, calls))
            found.append(served(match, mode, Path(folder), calls) / bare)
    return statistics.median(found)


def main(_: Sequence[str] = ()) -> None:
    """Print the ratios."""
    print(f"{CALLS} recorded calls beside a bare SDK server that answers a constant: at most twice as long")
    for mode in ("legacy", "auto"):
        for match in MATCHES:
            print(f"  {mode:<7} {match:<7} {ratio(match, mode):.2f}")


if __name__ == "__main__":
    main()
