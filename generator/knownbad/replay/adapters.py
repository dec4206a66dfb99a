"""The adapter that a config chooses for a tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import BadInput, Problem
from ..pointers import join
from .answer import Adapter
from .commands import Command
from .in_process import InProcess
from .mcp_peer import Mcp
from .settings import IN_PROCESS, Settings, filled
from .web import Http


def adapter(
    settings: Settings,
    kind: str,
    tool: str,
    *,
    environment: str | None = None,
    baseline: bool = False,
    root: Path | None = None,
) -> Adapter:
    """The adapter of a kind for a tool. `root`: where commands run instead of the project's root. Raises BadInput."""
    table = settings.adapter(kind, tool, environment=environment, baseline=baseline)
    where = join(settings.pointer, kind)
    try:
        return _made(settings, kind, table, tool, root or settings.root)
    except BadInput as bad:
        problems = (Problem(p.message, settings.file, where, p.value, p.fix) for p in bad.problems)
        raise BadInput(problems) from None


def _made(settings: Settings, kind: str, table: Mapping[str, Any], tool: str, root: Path) -> Adapter:
    def text(value: str) -> str:
        return filled(value, tool)

    def texts(value: Mapping[str, str]) -> dict[str, str]:
        return {name: text(item) for name, item in value.items()}

    limits: dict[str, Any] = {"timeout": float(table.get("timeout", settings.timeout)), "largest": settings.largest}
    if kind == IN_PROCESS:
        if "function" not in table:
            raise BadInput(Problem("names no `function`", fix='function = "package.module:function"'))
        envelope = text(table["envelope"]) if "envelope" in table else None
        path = (settings.root, *settings.path)
        return InProcess(text(table["function"]), envelope, path, **limits)
    run = tuple(map(text, table.get("run", ())))
    env = texts(table.get("env", {}))
    cwd = root / text(table.get("cwd", "."))
    if kind == "command":
        if not run:
            raise BadInput(Problem("names no command", fix='run = ["python", "-m", "tool"]'))
        return Command(run, cwd, env, **limits)
    url, headers = text(table.get("url", "")), texts(table.get("headers", {}))
    if kind == "http":
        if not url:
            raise BadInput(Problem("names no address", fix='url = "https://example.org/tools/{tool}"'))
        _check_address(url)
        return Http(url, table.get("method", "POST"), headers, table.get("body", "args"), **limits)
    if not (run or url):
        raise BadInput(Problem("names neither a server to start nor an address", fix="set `run` or `url`"))
    if url:
        _check_address(url)
    return Mcp(run, url, cwd, env, headers, **limits)


def _check_address(url: str) -> None:
    """Raise BadInput for what no request can be sent to. What stands in it may have come from a variable: not shown."""
    if not re.match(r"(?i)https?://[^/?#]", url):
        raise BadInput(Problem("`url` is no address of HTTP", fix="begin it with https:// or http:// and a host"))
