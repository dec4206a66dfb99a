"""Replay: what it adds to calling the tool's function, for 1,000 fixtures in one run.

`python -m tests.bench.replays [--fixtures N]`. The whole run counts: reading the catalogue and the fixtures, compiling
the envelope's schema, calling, judging, and each request a second time. Processor time is told, too: on a busy
machine the clock says more.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROUNDS = 3
SOURCE = """
def answer(request):
    code = request["error"]["code"]
    error = {"code": code, "hint": code, "message": "m", "retryable": int(code[4:]) % 2 == 0}
    return {"error": error}
"""


def write(root: Path, count: int) -> None:
    """A project with so many error classes, each with its fixture."""
    (root / "bench_tool.py").write_text(SOURCE, encoding="utf-8")
    (root / "knownbad.toml").write_text('[replay.callable]\nfunction = "bench_tool:answer"\n', encoding="utf-8")
    rows = [{"code": f"KIND{n}", "retryable": n % 2 == 0} for n in range(count)]
    (root / "schemas").mkdir()
    (root / "schemas/errors.json").write_text(json.dumps({"tools": ["bench"], "error": rows}), encoding="utf-8")
    folder = root / "fixtures/errors/bench"
    folder.mkdir(parents=True)
    for row in rows:
        code = row["code"]
        error = {"code": code, "hint": code, "message": "m", "retryable": row["retryable"]}
        request = {"tool": "bench", "args": {}, "error": {"code": code}}
        value = {"fixture": code, "request": request, "response": {"error": error}}
        (folder / f"{code}.json").write_text(json.dumps(value), encoding="utf-8")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The median of a few runs, in seconds of the clock and of the processor."""
    found = []
    for _ in range(ROUNDS):
        clock, processor = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - clock, time.process_time() - processor))
    return statistics.median(c for c, _ in found), statistics.median(p for _, p in found)


def measured(count: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """What a replay takes, and what calling the function as often as there are fixtures does."""
    from knownbad.config import project
    from knownbad.errors import Exit
    from knownbad.replay.in_process import importable, load
    from knownbad.replay.plan import plan
    from knownbad.replay.run import ReplayOptions, replay

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        write(root, count)

        def replayed() -> None:
            assert replay(plan(project(root)), ReplayOptions()).exit is Exit.GOOD

        replayed()  # imports count once, and not here
        with importable((root,)):
            function = load("bench_tool:answer")
        requests = [{"tool": "bench", "args": {}, "error": {"code": f"KIND{n}"}} for n in range(count)]
        called = timed(lambda: [function(request) for request in requests])
        sys.modules.pop("bench_tool", None)
        return timed(replayed), called


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the two times and what lies between them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixtures", type=int, default=1000)
    count = parser.parse_args(arguments).fixtures
    whole, called = measured(count)
    for name, replayed, plain in zip(("clock", "processor"), whole, called, strict=True):
        added = replayed - plain
        print(
            f"{name:9}  replay of {count} fixtures in process: {replayed:.2f} s, the calls alone: {plain:.4f} s, "
            f"so it adds {added:.2f} s ({added / count * 1000:.2f} ms a fixture)"
        )


if __name__ == "__main__":
    main()
