"""Whole runs over real schemas: time as a multiple of what starting Python costs anyway, and peak memory.

`python -m tests.bench.runs [--limit N] [FOLDER]`; FOLDER is `dev` in KNOWNBAD_CORPORA unless given.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BASELINE = [sys.executable, "-c", "import jsonschema, jsonschema_rs, jinja2"]
BETWEEN = 4
"""A baseline run is made after as many runs, so that both meet the same load of the machine."""
GOOD = (0, 3)
RSS_UNIT = 1024 if sys.platform != "darwin" else 1
"""Bytes a unit of `ru_maxrss`."""


@dataclass(frozen=True, slots=True)
class Run:
    """One process: how long it took, on the clock and in the processor, its exit code and the most memory it held."""

    name: str
    seconds: float
    busy: float
    exit: int
    bytes: int


def run(name: str, command: Sequence[str]) -> Run:
    """Run a command to its end and measure it (its own children are not counted)."""
    # As installed: with compiled modules.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=environment) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    busy = usage.ru_utime + usage.ru_stime
    return Run(name, time.perf_counter() - begun, busy, process.returncode, usage.ru_maxrss * RSS_UNIT)


def generate(schema: Path) -> Run:
    """`knownbad generate` of one schema into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "knownbad",
            "generate",
            "--schema",
            str(schema),
            "--out",
            str(Path(folder, "out")),
        ]
        return run(schema.name, command)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args(arguments)
    corpora = Path(os.environ.get("KNOWNBAD_CORPORA", "../shared/corpora"))
    folder = options.folder or corpora / "dev"
    schemas = sorted(folder.glob("*.json"))[: options.limit]
    if not schemas:
        print(f"runs: no schemas in {folder}; set KNOWNBAD_CORPORA")
        return
    starts, done = [run("baseline", BASELINE)], []
    for number, schema in enumerate(schemas):
        done.append(generate(schema))
        if number % BETWEEN == 0:
            starts.append(run("baseline", BASELINE))
    baseline = statistics.median(each.seconds for each in starts)
    busy = statistics.median(each.busy for each in done) / statistics.median(each.busy for each in starts)
    ratios = sorted(each.seconds / baseline for each in done)
    slowest = max(done, key=lambda each: each.seconds)
    largest = max(done, key=lambda each: each.bytes)
    failed = [each for each in done if each.exit not in GOOD]
    print(f"runs: {len(done)} schemas, {len(failed)} with an exit code other than 0 and 3")
    print(f"  median run / imports alone        {statistics.median(ratios):6.2f}   (wanted: at most 3)")
    print(f"  the same in processor time        {busy:6.2f}")
    print(f"  run at the 90th percentile        {ratios[int(len(ratios) * 0.9)]:6.2f}")
    print(f"  slowest run                       {slowest.seconds / baseline:6.2f}   {slowest.name}")
    print(f"  slowest run, share of 60 s        {slowest.seconds / 60:6.2f}   (wanted: under 1)")
    print(f"  most memory, share of 400 MiB     {largest.bytes / (400 << 20):6.2f}   {largest.name} (wanted: under 1)")
    for each in failed:
        print(f"  exit {each.exit}: {each.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
