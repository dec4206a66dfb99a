"""What one class costs in a large object, as a multiple of what it costs in a small one.

`python -m tests.bench.scale`. Each object has properties of several kinds, half of them required; the fastest of some
rounds counts.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SMALL, LARGE = 10, 100
ROUNDS = 5
KINDS: tuple[dict[str, Any], ...] = (
    {"type": "string", "minLength": 2, "maxLength": 20},
    {"type": "integer", "minimum": 1, "maximum": 99},
    {"type": "boolean"},
    {"enum": ["red", "green", "blue"]},
    {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "minItems": 1},
)


def schema(count: int) -> dict[str, Any]:
    """A closed object with `count` properties."""
    names = [f"member{number:03}" for number in range(count)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": names[::2],
        "properties": {name: KINDS[number % len(KINDS)] for number, name in enumerate(names)},
        "additionalProperties": False,
    }


def cost(count: int, folder: Path) -> tuple[float, int]:
    """Seconds a class, and the number of classes."""
    from knownbad.cli import COLLECTED
    from knownbad.generate import GenerateOptions, generate
    from knownbad.load import LoadOptions, load

    path = folder / f"object{count}.schema.json"
    path.write_text(json.dumps(schema(count)), encoding="utf-8")
    gc.set_threshold(*COLLECTED)
    best, classes = float("inf"), 1
    for _ in range(ROUNDS):
        contract = load(str(path), None, LoadOptions(root=folder))
        begun = time.perf_counter()
        corpus = generate(contract, (), GenerateOptions())
        best = min(best, time.perf_counter() - begun)
        classes = len(corpus.outcomes)
    return best / classes, classes


def main(arguments: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, few = cost(SMALL, Path(folder))
        large, many = cost(LARGE, Path(folder))
    print(f"scale: {few} classes in an object of {SMALL} properties, {many} in one of {LARGE}")
    print(f"  cost of a class, large / small    {large / small:6.2f}   (wanted: at most 2)")


if __name__ == "__main__":
    main(sys.argv[1:])
