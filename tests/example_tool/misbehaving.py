"""The tool served badly: `python -m example_tool.misbehaving command` (a request on stdin), `mcp`, or `mcp-http`.

The servers of MCP here are written without an SDK and know the handshake of protocol 2025-06-18 only, as servers on SDK
1.x do; without `EXAMPLE_HOSTILE` they are good ones. `mcp-http` prints its address.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


class Handler(BaseHTTPRequestHandler):
    """One message over streamable HTTP, answered as JSON."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a message."""
        message = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if "id" not in message:
            self._send(202, "application/json", b"")
            return
        mode = os.environ.get("EXAMPLE_HOSTILE") if message["method"] == "tools/call" else None
        if mode in SILENT:
            time.sleep(SILENT[mode])
        data = spoilt(json.dumps(reply(message)).encode(), mode, next(_CALLS) if mode else 0)
        kind = "text/html" if mode == "wrong-content-type" else "application/json"
        self._send(200, kind, data, cut=mode == "cut-off")

    def do_GET(self) -> None:
        """There is no stream of the server's own."""
        self._send(405, "text/plain", b"")

    do_DELETE = do_GET  # noqa: N815  as the library calls it

    def _send(self, status: int, kind: str, data: bytes, *, cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) * (1 + cut)))
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = cut

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


_CALLS = count()


def mcp_http(mode: str | None) -> None:
    """MCP over streamable HTTP, by hand."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/mcp", flush=True)
    server.serve_forever()


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
    {"command": command, "mcp": mcp, "mcp-http": mcp_http}[sys.argv[1]](os.environ.get("EXAMPLE_HOSTILE"))
