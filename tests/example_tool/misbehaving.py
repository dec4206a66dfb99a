"""The tool served badly. `python -m example_tool.misbehaving command` reads a request; `... mcp` serves MCP by hand.

The MCP server here is written without an SDK and knows the handshake of protocol 2025-06-18 only, as servers on SDK 1.x
do; without `EXAMPLE_HOSTILE` it is a good one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

from example_tool import charge

SILENT = {"slow": 4.0, "never-answers": 600.0}
"""Seconds before the answer comes."""
MODES = (*SILENT, "cut-off", "ten-megabytes", "invalid-utf8", "wrong-content-type", "two-answers", "stubborn", "dies")


def spoilt(data: bytes, mode: str | None, number: int) -> bytes:
    """The bytes of a good answer as this mode sends them, the `number`th time."""
    if mode == "cut-off":
        return data[: len(data) // 2]
    if mode == "ten-megabytes":
        return b'{"filler": "' + b"x" * 10_000_000 + b'",' + data[1:]
    if mode == "invalid-utf8":
        return data.replace(b"issuer", b"iss\xff\xfeer")
    if mode == "two-answers" and number % 2:
        return data.replace(b'"retryable": false', b'"retryable": true')
    return data


def command(mode: str | None) -> None:
    """One call over stdin and stdout."""
    data = json.dumps(charge.answer(json.load(sys.stdin))).encode()
    _before(mode)
    turn = Path(os.environ.get("EXAMPLE_TURN", os.devnull))
    number = len(turn.read_bytes()) if mode == "two-answers" else 0
    if mode == "two-answers":
        turn.write_bytes(b"x" * (number + 1))
    sys.stdout.buffer.write(spoilt(data, mode, number))


def mcp(mode: str | None) -> None:
    """MCP over stdin and stdout, a message a line."""
    calls = count()
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        if message["method"] == "tools/call":
            _before(mode)
        answer = json.dumps(reply(message)).encode()
        if message["method"] == "tools/call":
            answer = spoilt(answer, mode, 2 * next(calls))
            if mode == "two-answers":  # two for one request
                answer += b"\n" + spoilt(answer, mode, 1)
        sys.stdout.buffer.write(answer if mode == "cut-off" else answer + b"\n")
        sys.stdout.buffer.flush()
        if mode == "cut-off" and message["method"] == "tools/call":
            return
        if mode == "cut-off":
            sys.stdout.buffer.write(b"\n")
            sys.stdout.buffer.flush()


def reply(message: dict[str, Any]) -> dict[str, Any]:
    """The JSON-RPC response to a request."""
    result: Any
    if message["method"] == "initialize":
        info = {"name": "by-hand", "version": "1"}
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": "charge_card", "inputSchema": {"type": "object"}}]}
    elif message["method"] == "tools/call":
        params = message["params"]
        response = charge.answer({"tool": params["name"], "args": params["arguments"]})
        result = {"content": [], "structuredContent": response, "isError": "error" in response}
    else:
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _before(mode: str | None) -> None:
    """What happens before the answer: nothing, a wait, a death, or a wait that no polite signal ends."""
    if mode in SILENT:
        time.sleep(SILENT[mode])
    if mode == "dies":
        sys.stderr.write("out of memory\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(os.environ["EXAMPLE_PIDS"]).write_text(f"{os.getpid()} {child.pid}", encoding="utf-8")
        time.sleep(600)


if __name__ == "__main__":
    {"command": command, "mcp": mcp}[sys.argv[1]](os.environ.get("EXAMPLE_HOSTILE"))
