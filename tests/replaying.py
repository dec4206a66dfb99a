"""A project with the catalogue of the reference tool, for tests of replay."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from example_tool import charge
from knownbad.config import project
from knownbad.replay.plan import Plan, plan
from running import TESTS

CATALOGUE = """
tools = ["charge_card"]
[[error]]
code = "PAYMENT_DECLINED"
retryable = false
idempotent = false
effect = "charge"
status = 402
message = "Card issuer declined"
trigger = { args = { amount = 42, currency = "USD" } }
[[error]]
code = "TRANSIENT"
retryable = true
status = 503
trigger = { args = { amount = 503, currency = "USD" } }
[[error]]
code = "TIMEOUT"
retryable = true
status = 504
trigger = { args = { amount = 1000, currency = "USD" } }
[[error]]
code = "PERMANENT"
retryable = false
status = 400
trigger = { args = { amount = 40, currency = "USD" } }
"""
AMOUNTS = {"PAYMENT_DECLINED": 42, "TRANSIENT": 503, "TIMEOUT": 1000, "PERMANENT": 40}
RETRYABLE = {"TRANSIENT", "TIMEOUT"}


def fixture(code: str, **members: Any) -> dict[str, Any]:
    """A fixture in the shape of the seed."""
    error = {"code": code, "hint": code, "message": charge.MESSAGES[code], "retryable": code in RETRYABLE, **members}
    request = {"tool": "charge_card", "args": {"amount": AMOUNTS[code], "currency": "USD"}}
    return {"fixture": code.lower(), "request": request, "response": {"error": error}}


def put(root: Path, name: str, value: Any) -> Path:
    """Write a file; what is no text as JSON."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2), encoding="utf-8")
    return path


def config(*, function: str = "example_tool.charge:answer", more: str = "") -> str:
    """A config that goes to the reference tool in process and as a command."""
    return (
        f"[replay]\npath = [{json.dumps(str(TESTS))}]\ntimeout = 60\n{more}\n"
        f'[replay.callable]\nfunction = "{function}"\n'
        f'[replay.command]\nrun = [{json.dumps(sys.executable)}, "-m", "example_tool.command"]\n'
        f"env = {{ PYTHONPATH = {json.dumps(str(TESTS))} }}\n"
    )


def written(root: Path, *, text: str | None = None, catalogue: str = CATALOGUE) -> Path:
    """The project with its fixtures."""
    put(root, "schemas/errors.toml", catalogue)
    put(root, "knownbad.toml", config() if text is None else text)
    for code in AMOUNTS:
        put(root, f"fixtures/errors/charge_card/{code}.json", fixture(code))
    return root


def planned(root: Path) -> Plan:
    """Its plan."""
    return plan(project(root))


def git(root: Path, *arguments: str) -> str:
    """What git says there, as somebody who may commit."""
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()
