"""What `[replay]` of a config says: the adapters, their time-outs, and what is compared how."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..config import Project
from ..errors import BadInput, Problem
from ..keys import check_keys
from ..masking import Masking, configured
from ..pointers import join

IN_PROCESS = "callable"
LIVE = ("command", "http", "mcp")
"""The adapters that leave the process."""
ADAPTERS = (IN_PROCESS, *LIVE)

_TEXTS = "a list of texts"
_NUMBER = (int, float)
_ADAPTER_KEYS: dict[str, dict[str, Any]] = {
    "callable": {"function": (str, "`package.module:function`"), "envelope": (str, "`package.module:function`")},
    "command": {"run": (list, _TEXTS), "env": (dict, "a table of texts"), "cwd": (str, "a folder")},
    "http": {
        "url": (str, "an address"),
        "method": (str, "a method of HTTP"),
        "headers": (dict, "a table of texts"),
        "body": (str, "'args' or 'request'"),
    },
    "mcp": {
        "run": (list, _TEXTS),
        "url": (str, "an address"),
        "env": (dict, "a table of texts"),
        "cwd": (str, "a folder"),
        "headers": (dict, "a table of texts"),
    },
}
for _keys in _ADAPTER_KEYS.values():
    _keys["timeout"] = (_NUMBER, "a number of seconds")
_NEEDED = {"callable": ("function",), "command": ("run",), "http": ("url",), "mcp": ("run", "url")}
_OVERLAY_KEYS: dict[str, Any] = {kind: (dict, f"a table: [replay.{kind}]") for kind in ADAPTERS}
_KEYS: dict[str, Any] = {
    "timeout": (_NUMBER, "a number of seconds"),
    "largest": (int, "a number of bytes"),
    "repeat": (int, "a number of calls"),
    "volatile": (list, "a list of JSON Pointers"),
    "environment": (str, "the name of an environment"),
    "verifications": (str, "a folder"),
    "path": (list, "a list of folders"),
    "tools": (dict, "a table of tools"),
    "environments": (dict, "a table of environments"),
    "baseline": (dict, "a table: [replay.baseline]"),
    "deploy": (dict, "a table of environments"),
    "mask": (dict, "a table: [replay.mask]"),
    **_OVERLAY_KEYS,
}
_DEPLOY_KEYS: dict[str, Any] = {
    "adapters": (list, "a list of adapters"),
    "fetch": (list, "a command, as a list of texts"),
}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Deploy:
    """What has to be verified before this environment gets a build. `fetch`: a command that brings the records."""

    adapters: tuple[str, ...] = ()
    fetch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """`[replay]`, checked, with its defaults. `table` holds the tables of the adapters as they stand."""

    root: Path
    timeout: float = 10.0
    largest: int = 1_000_000
    repeat: int = 2
    volatile: tuple[str, ...] = ()
    environment: str | None = None
    verifications: Path = Path("verifications")
    path: tuple[Path, ...] = ()
    deploy: Mapping[str, Deploy] = field(default_factory=dict)
    masking: Masking = field(default_factory=Masking)
    table: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    pointer: str = ""

    def adapter(
        self, kind: str, tool: str, *, environment: str | None = None, baseline: bool = False
    ) -> dict[str, Any]:
        """The table of one adapter for a tool, and over it what the tool, the environment and the baseline say.

        Empty where it is not configured.
        """
        overlays = [self.table, self.table.get("tools", {}).get(tool, {})]
        if environment is not None:
            overlays.append(self.table.get("environments", {}).get(environment, {}))
        if baseline:
            overlays.append(self.table.get("baseline", {}))
        merged: dict[str, Any] = {}
        for overlay in overlays:
            merged.update(overlay.get(kind, {}))
        return merged

    def kinds(self, tool: str, environment: str | None = None) -> list[str]:
        """The adapters that are configured for a tool."""
        found = ((kind, self.adapter(kind, tool, environment=environment)) for kind in ADAPTERS)
        return [kind for kind, table in found if any(table.get(key) for key in _NEEDED[kind])]


def settings(project: Project) -> Settings:
    """The settings of a project. Raises BadInput with every problem."""
    table = project.sections.get("replay", {})
    file, pointer = str(project.source or project.root), join(project.pointer, "replay")
    problems = list(_check(table, file, pointer, project.root))
    masking = Masking()
    try:
        masking = configured(project.sections, file, project.pointer)
    except BadInput as bad:
        problems.extend(bad.problems)
    if problems:
        raise BadInput(problems)
    return Settings(
        root=project.root,
        timeout=float(table.get("timeout", 10.0)),
        largest=table.get("largest", 1_000_000),
        repeat=table.get("repeat", 2),
        volatile=tuple(table.get("volatile", ())),
        environment=table.get("environment"),
        verifications=project.root / table.get("verifications", "verifications"),
        path=tuple(project.root / folder for folder in table.get("path", ())),
        deploy={
            name: Deploy(tuple(entry.get("adapters", ())), tuple(entry.get("fetch", ())))
            for name, entry in table.get("deploy", {}).items()
        },
        masking=masking,
        table=table,
        file=file,
        pointer=pointer,
    )


def filled(text: str, tool: str) -> str:
    """A text of the config with `{tool}` and `${VARIABLE}` put in. Raises BadInput for a variable that is not set."""
    return _VARIABLE.sub(lambda match: _value(match[1]), text.replace("{tool}", tool))


def used(value: Any) -> dict[str, str]:
    """The variables that the texts in a value name and that are set, with what they hold."""
    if isinstance(value, str):
        return {name: os.environ[name] for name in _VARIABLE.findall(value) if name in os.environ}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    found: dict[str, str] = {}
    for item in items:
        found.update(used(item))
    return found


def variable(text: str) -> str:
    """A text that is nothing but `${VARIABLE}` as that variable's value. Raises BadInput where it is not set."""
    match = _VARIABLE.fullmatch(text) if text.startswith("${") else None
    return text if match is None else _value(match[1])


def _value(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise BadInput(Problem(f"the environment variable {name} is not set", fix=f"export {name}"))
    return value


def _check(table: Mapping[str, Any], file: str, pointer: str, root: Path) -> Iterator[Problem]:
    yield from check_keys(table, _KEYS, file, pointer)
    yield from _check_amounts(table, file, pointer)
    yield from _check_overlay(table, file, pointer)
    for name in ("tools", "environments", "deploy"):
        for key, entry in table[name].items() if isinstance(table.get(name), dict) else ():
            if not isinstance(entry, dict):
                yield Problem("must be a table", file, join(pointer, name, key), entry)
    for name in ("tools", "environments"):
        for key, overlay in _tables(table.get(name)):
            where = join(pointer, name, key)
            yield from check_keys(overlay, _OVERLAY_KEYS, file, where)
            yield from _check_overlay(overlay, file, where)
    if isinstance(baseline := table.get("baseline"), dict):
        yield from check_keys(baseline, _OVERLAY_KEYS, file, join(pointer, "baseline"))
        yield from _check_overlay(baseline, file, join(pointer, "baseline"))
    for key, entry in _tables(table.get("deploy")):
        where = join(pointer, "deploy", key)
        yield from check_keys(entry, _DEPLOY_KEYS, file, where)
        yield from _check_texts(entry, ("fetch", "adapters"), file, where)
        for number, kind in enumerate(entry.get("adapters", ())):
            if isinstance(kind, str) and kind not in ADAPTERS:
                yield Problem("must be one of " + ", ".join(ADAPTERS), file, join(where, "adapters", number), kind)
    yield from _check_texts(table, ("volatile", "path"), file, pointer)
    for number, text in enumerate(_list(table.get("volatile"))):
        if isinstance(text, str) and not text.startswith("/"):
            yield Problem(
                "must be a JSON Pointer, which begins with `/`", file, join(pointer, "volatile", number), text
            )
    for number, text in enumerate(_list(table.get("path"))):
        if isinstance(text, str) and not (root / text).is_dir():
            yield Problem("names no folder", file, join(pointer, "path", number), text)


def _check_amounts(table: Mapping[str, Any], file: str, pointer: str) -> Iterator[Problem]:
    for key in ("timeout", "largest", "repeat"):
        yield from _check_amount(table, key, file, pointer)


def _check_amount(table: Mapping[str, Any], key: str, file: str, pointer: str) -> Iterator[Problem]:
    value = table.get(key)
    if isinstance(value, bool) or isinstance(value, _NUMBER) and not (0 < value < math.inf):
        yield Problem(f"`{key}` must be a number above 0", file, join(pointer, key), value)


def _check_overlay(table: Mapping[str, Any], file: str, pointer: str) -> Iterator[Problem]:
    for kind in ADAPTERS:
        entry, where = table.get(kind), join(pointer, kind)
        if not isinstance(entry, dict):
            continue
        yield from check_keys(entry, _ADAPTER_KEYS[kind], file, where)
        yield from _check_texts(entry, ("run",), file, where)
        for key in ("env", "headers"):
            for name, value in entry[key].items() if isinstance(entry.get(key), dict) else ():
                if not isinstance(value, str):
                    yield Problem("must be a text", file, join(where, key, name), value)
        for key in ("function", "envelope"):
            if isinstance(entry.get(key), str) and not re.fullmatch(r"[\w.{}]+:[\w.{}]+", entry[key]):
                yield Problem("must be `package.module:function`", file, join(where, key), entry[key])
        if isinstance(entry.get("body"), str) and entry["body"] not in ("args", "request"):
            yield Problem("must be 'args' or 'request'", file, join(where, "body"), entry["body"])
        yield from _check_amount(entry, "timeout", file, where)
        if "run" in entry and "url" in entry:
            yield Problem("has both `run` and `url`", file, where, fix="keep one: a server to start, or one that runs")
        if entry.get("run") == []:
            yield Problem("is empty", file, join(where, "run"))


def _check_texts(table: Mapping[str, Any], keys: tuple[str, ...], file: str, pointer: str) -> Iterator[Problem]:
    for key in keys:
        for number, text in enumerate(_list(table.get(key))):
            if not isinstance(text, str):
                yield Problem("must be a text", file, join(pointer, key, number), text)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _tables(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in (value if isinstance(value, dict) else {}).items():
        if isinstance(entry, dict):
            yield name, entry
