"""What the tests of `knownbad mutate` share: a contract, its report, and a project of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from test_cli import run

D07, D20 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"
PAYMENT: dict[str, Any] = {
    "$schema": D20,
    "type": "object",
    "required": ["id", "paid"],
    "properties": {
        "id": {"type": "string", "pattern": "^p-[0-9]+$"},
        "paid": {"type": "boolean"},
        "note": {"type": "string", "minLength": 2, "maxLength": 9},
    },
    "additionalProperties": False,
}
GOOD = {"id": "p-1", "paid": True}


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2), encoding="utf-8")
    return path


def report(*args: object, exit_code: int | None = None) -> dict[str, Any]:
    """The JSON report of a run."""
    result = run("mutate", *args, "--format", "json")
    assert exit_code is None or result.exit_code == exit_code, result.output + result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["exit"] == result.exit_code
    return found


def mutants(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The mutants of a report by their stable name."""
    results = [r for contract in found["contracts"] for r in contract["results"]]
    named = {r["class"]: r for r in results}
    assert len(named) == len(results) or len(found["contracts"]) > 1
    return named


def states(found: dict[str, Any]) -> dict[str, str]:
    return {name: m["state"] for name, m in mutants(found).items()}


def payments(tmp_path: Path) -> Path:
    """A project of one contract with fixtures that a person wrote."""
    write(tmp_path / "knownbad.toml", "")
    write(tmp_path / "schemas/payment.schema.json", PAYMENT)
    write(tmp_path / "fixtures/payment/good.json", '{"paid":   true, "id": "p-1"}\n')
    write(tmp_path / "negative/payment/unpaid.json", '{ "id": "p-1" }')
    write(tmp_path / "negative/payment/number.json", '{ "id": 7, "paid": true }')
    return tmp_path
