"""Writes the log of the conformance fixture, and the known-bad logs that are made from it. `make generate` runs it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from knownbad.suites.asked import Asked
from knownbad.suites.faults import known_bad
from suitekit import ARGS, FIXTURES, ROOT, TOOL, conformance, host, ran

GOOD = FIXTURES / "conformance-eval-fixture-error.events.jsonl"
BAD = ROOT / "negative/eval-suites"


def logs() -> dict[Path, str]:
    """Every file with its text."""
    with tempfile.TemporaryDirectory() as folder:
        log = ran(conformance(), Path(folder), [(TOOL, ARGS), (TOOL, ARGS)])
        found, _ = known_bad(Asked(conformance(), host(hooks=True), log))
        return {GOOD: log.read_text("utf-8"), **{BAD / f"{bad.fault}.jsonl": bad.text for bad in found}}


if __name__ == "__main__":
    BAD.mkdir(parents=True, exist_ok=True)
    for path, text in logs().items():
        path.write_text(text, encoding="utf-8", newline="\n")
