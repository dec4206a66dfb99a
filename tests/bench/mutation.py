"""Mutation checks: the killer against compiling every mutant, two processes against one, and how cost grows with size.

`python -m tests.bench.mutation [--schemas N]`. The schemas are some of `dev` in KNOWNBAD_CORPORA.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from knownbad.pointers import replace, steps

from .runs import Run, run
from .scale import KINDS

if TYPE_CHECKING:
    from knownbad.contract import Contract
    from knownbad.evidence import Given
    from knownbad.keywords.mutation import Mutation

SIZES = (1250, 2500, 5000)
"""Keywords of the repeated schema."""
GAPS = 2000
"""Keywords of the one whose corpus has no negatives: an answer is looked for thousands of times."""
ROUNDS = 3
GIBIBYTE = 1 << 30


def keywords(schema: Any) -> int:
    """How many keywords a schema without references has."""
    if not isinstance(schema, dict):
        return 0
    inside = [*schema.get("properties", {}).values(), schema.get("items")]
    return sum(not name.startswith("$") for name in schema) + sum(map(keywords, inside))


def section() -> dict[str, Any]:
    """A small closed object."""
    members = {f"member{number}": kind for number, kind in enumerate(KINDS)}
    return {"type": "object", "required": [*members][::2], "properties": members, "additionalProperties": False}


def repeated(count: int) -> dict[str, Any]:
    """The same small object under as many names as make about `count` keywords."""
    names = [f"section{number:03}" for number in range(round(count / keywords(section())))]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "properties": {name: section() for name in names}, "additionalProperties": False}  # fmt: skip


def write(folder: Path, count: int, *, gaps: bool = False) -> list[str]:
    """A repeated schema with its corpus, which is as repeated; the arguments that check it. `gaps`: no negatives."""
    from knownbad.generate import GenerateOptions, generate
    from knownbad.varied import contract_of

    schema = repeated(count)
    folder.mkdir()
    (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    root = generate(contract_of({**schema, "properties": {}}), options=GenerateOptions())
    part = generate(contract_of({"$schema": schema["$schema"], **section()}), options=GenerateOptions())
    for side in ("fixtures", "negative"):
        (folder / side).mkdir()
    instances = [(f.positive, f"root-{f.slug}", f.instance) for f in root.fixtures if "section" not in f.slug]
    for name in schema["properties"]:
        instances += [(f.positive, f"{name}-{f.slug}", {name: f.instance}) for f in part.fixtures]
    for positive, name, instance in instances:
        if gaps and not positive:
            continue
        side = "fixtures" if positive else "negative"
        (folder / side / f"{name}.json").write_text(json.dumps(instance), encoding="utf-8")
    return ["--schema", str(folder / "schema.json"), "--fixtures", str(folder / "fixtures")]


def check(name: str, arguments: Iterable[str], jobs: int = 1) -> Run:
    command = [
        sys.executable,
        "-m",
        "knownbad",
        "mutate",
        *arguments,
        "--faults",
        "core",
        "--no-cache",
        "-j",
        str(jobs),
    ]
    return min((run(name, command) for _ in range(ROUNDS)), key=lambda done: done.seconds)


@dataclass
class Rate:
    """Seconds of CPU that the mutants of one schema took: ours, each compiled and held against every fixture, or each
    compiled and held against the fixtures until one tells.
    """

    mutants: int
    fixtures: int
    ours: float
    every: float
    until: float


def rate(contract: Contract, corpus: Sequence[Given]) -> Rate | None:
    """Ours and theirs over the same mutants and fixtures; None where a plain validator cannot take the schema."""
    from knownbad.check import Checker

    if len(contract.documents) > 1 or not corpus:
        return None
    checker = Checker(contract, corpus, "core")  # as the corpus is
    chosen = checker.mutations
    ours = min(_killing(contract, corpus, chosen) for _ in range(ROUNDS))
    theirs = [_compiling(contract, corpus, chosen) for _ in range(ROUNDS)]
    return Rate(len(chosen), len(corpus), ours, min(every for every, _ in theirs), min(until for _, until in theirs))


def _killing(contract: Contract, corpus: Sequence[Given], chosen: Sequence[Mutation]) -> float:
    from knownbad.distinguish import Engine
    from knownbad.evidence import Evidence
    from knownbad.kill import Killer
    from knownbad.reach import reach

    engine = Engine(contract)
    begun = time.process_time()
    kills = Killer(Evidence(engine.oracle, corpus), spared=lambda mutation: bool(engine.prover.by_rule(mutation)))
    for mutation in chosen:
        if reach(contract).applies(mutation.site):
            kills.killed_by(mutation)
    return time.process_time() - begun


def _compiling(contract: Contract, corpus: Sequence[Given], chosen: Sequence[Mutation]) -> tuple[float, float]:
    import jsonschema_rs

    every = until = 0.0
    for mutation in chosen:
        whole = replace(contract.document.value, steps(mutation.site.pointer), mutation.value)
        begun = time.process_time()
        try:
            validator = jsonschema_rs.validator_for(whole, validate_formats=True)
        except (ValueError, jsonschema_rs.ReferencingError):
            continue
        made = time.process_time()
        for fixture in corpus:
            if validator.is_valid(fixture.instance) is not fixture.accepted:
                break
        told = time.process_time()
        for fixture in corpus:
            validator.is_valid(fixture.instance)
        every += made - begun + time.process_time() - told
        until += told - begun
    return every, until


def rates(schemas: int) -> None:
    """The killer against compiling each mutant, over a sample of the dev set."""
    from knownbad import given
    from knownbad.config import Entry, project
    from knownbad.errors import BadInput
    from knownbad.mutate import MutateOptions
    from knownbad.produce import load_contract, single

    corpora = Path(os.environ.get("KNOWNBAD_CORPORA", "../shared/corpora")).resolve()
    found = sorted((corpora / "dev").glob("*.json"))
    done: list[Rate] = []
    for path in found[:: max(1, len(found) // schemas)]:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out").resolve()
            run("generate", [sys.executable, "-m", "knownbad", "generate", "--schema", str(path), "--out", str(out)])
            home = project(out.parent, discover=False)
            task = single(home, Entry("schema", str(path)), out)
            try:
                one = rate(load_contract(home, task, MutateOptions().loading), given.read(task.layout))
            except BadInput:
                continue
        done += [] if one is None else [one]
    if not done:
        print(f"mutation: no schemas in {corpora / 'dev'}; set KNOWNBAD_CORPORA")
        return
    ours, every, until = (sum(getattr(one, name) for one in done) for name in ("ours", "every", "until"))
    mutants = sum(one.mutants for one in done)
    middle = median(one.every / one.ours for one in done)
    print(f"mutation: {mutants} mutants of {len(done)} schemas against {sum(one.fixtures for one in done)} fixtures")
    print(f"  mutants a second, killer / compiling each {every / ours:6.2f}   (wanted: at least 5)")
    print(f"  the same, where fixtures are tried until one tells {until / ours:6.2f}")
    print(f"  the first of these, median of the schemas {middle:6.2f}   (small ones compile in microseconds)")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=24)
    options = parser.parse_args(arguments)
    rates(options.schemas)
    with tempfile.TemporaryDirectory() as folder:
        asked = {size: write(Path(folder, str(size)), size) for size in SIZES}
        done = {size: check(str(size), arguments) for size, arguments in asked.items()}
        small, middle, large = (done[size] for size in SIZES)
        open_ = write(Path(folder, "gaps"), GAPS, gaps=True)
        one, two = check("one process", open_), check("two processes", open_, jobs=2)
    print(f"  one process / two, where much survives    {one.seconds / two.seconds:6.2f}   (wanted: at least 1.7)")
    print(f"  time, {SIZES[1]} / {SIZES[0]} keywords          {middle.seconds / small.seconds:6.2f}   (linear: 2)")
    print(f"  time, {SIZES[2]} / {SIZES[1]} keywords          {large.seconds / middle.seconds:6.2f}   (linear: 2)")
    print(f"  most memory, share of 1 GiB               {large.bytes / GIBIBYTE:6.2f}   (wanted: under 1)")
    seconds = ", ".join(f"{each.seconds:.1f}" for each in (small, middle, large, one, two))
    print(f"  seconds on this machine (the last two: one and two processes) {seconds}")
    for each in (small, middle, large, one, two):
        if each.exit not in (0, 1):
            print(f"  exit {each.exit}: {each.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
