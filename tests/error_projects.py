"""Small projects with a catalogue of errors, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from knownbad.cli import main

DECLINED: dict[str, Any] = {
    "code": "PAYMENT_DECLINED",
    "retryable": False,
    "category": "terminal",
    "idempotent": False,
    "effect": "charge",
    "status": 402,
    "message": "Card issuer declined",
    "trigger": {"tool": "charge_card", "args": {"amount": 42, "currency": "USD"}},
}
TIMEOUT: dict[str, Any] = {"code": "TIMEOUT", "retryable": True, "category": "transient", "retry_after": 2}


def catalogue(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"tools": ["charge_card"], **more, "error": list(rows or (DECLINED, TIMEOUT))}


def project_in(root: Path, value: Any, envelope: Any = None, config: str = "") -> Path:
    """A project with this catalogue, its own envelope if one is given, and this config."""
    (root / "schemas").mkdir(parents=True, exist_ok=True)
    write(root / "schemas/errors.json", value)
    if envelope is not None:
        write(root / "schemas/error-envelope.schema.json", envelope)
    (root / "knownbad.toml").write_text(config, encoding="utf-8")
    return root


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def run(root: Path, *arguments: str) -> Result:
    """A command in the project, in process."""
    return CliRunner().invoke(main, [arguments[0], "--root", str(root), *arguments[1:]], catch_exceptions=False)


def rows(root: Path, tool: str = "charge_card", kind: str = "negative") -> list[dict[str, Any]]:
    """The rows of a `corpus.json`."""
    found: list[dict[str, Any]] = read(root / kind / "errors" / tool / "corpus.json")["fixtures"]
    return found


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file of a project."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and ".knownbad" not in path.as_posix())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
