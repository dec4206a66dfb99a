"""The tool over HTTP: POST /tools/<name> with the arguments. `python -m example_tool.web` prints its address."""

from __future__ import annotations

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from example_tool import charge, misbehaving

_CALLS = count()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a call."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        response = charge.answer({"tool": self.path.rpartition("/")[2], "args": json.loads(body)})
        code = response.get("error", {}).get("code")
        hostile = os.environ.get("EXAMPLE_HOSTILE")
        data = misbehaving.spoilt(json.dumps(response).encode(), hostile, next(_CALLS))
        kind = "text/html" if hostile == "wrong-content-type" else "application/json"
        if hostile in misbehaving.SILENT:
            time.sleep(misbehaving.SILENT[hostile])
        self._send(charge.STATUS.get(code, 200), kind, data, cut=hostile == "cut-off")

    def _send(self, status: int, kind: str, data: bytes, *, cut: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) * (1 + cut)))
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = cut

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
