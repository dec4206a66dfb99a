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
from pathlib import Path
from typing import Any

from .runs import Run, run
from .scale import KINDS

SIZES = (1250, 2500, 5000)
"""Keywords of the repeated schema."""
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


def write(folder: Path, count: int) -> list[str]:
    """A repeated schema with its corpus, which is as repeated; the arguments that check it."""
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


def killer(schemas: int) -> None:
    """Seconds of the killer and of compiling each mutant, over the same mutants and fixtures."""
    import jsonschema_rs

    from knownbad import given
    from knownbad.config import Entry, project
    from knownbad.distinguish import Engine
    from knownbad.errors import BadInput
    from knownbad.evidence import Evidence
    from knownbad.kill import Killer
    from knownbad.mutate import MutateOptions
    from knownbad.pointers import replace, steps
    from knownbad.produce import load_contract, single

    corpora = Path(os.environ.get("KNOWNBAD_CORPORA", "../shared/corpora")).resolve()
    found = sorted((corpora / "dev").glob("*.json"))
    ours = theirs = 0.0
    mutants = fixtures = done = 0
    for path in found[:: max(1, len(found) // schemas)]:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out").resolve()
            run("generate", [sys.executable, "-m", "knownbad", "generate", "--schema", str(path), "--out", str(out)])
            home = project(out.parent, discover=False)
            task = single(home, Entry("schema", str(path)), out)
            try:
                contract = load_contract(home, task, MutateOptions().loading)
            except BadInput:
                continue
            corpus = given.read(task.layout)
        if len(contract.documents) > 1 or not corpus:
            continue  # a plain validator needs a document that stands alone
        engine = Engine(contract)
        chosen = [mutation for mutation in engine.mutants() if mutation.core]  # as the corpus is
        begun = time.perf_counter()
        kills = Killer(Evidence(engine.oracle, corpus))
        for mutation in chosen:
            kills.killed_by(mutation)
        ours += time.perf_counter() - begun
        for mutation in chosen:
            whole = replace(contract.document.value, steps(mutation.site.pointer), mutation.value)
            begun = time.perf_counter()
            try:
                validator = jsonschema_rs.validator_for(whole, validate_formats=True)
            except (ValueError, jsonschema_rs.ReferencingError):
                continue
            for fixture in corpus:
                validator.is_valid(fixture.instance)
            theirs += time.perf_counter() - begun
        mutants, fixtures, done = mutants + len(chosen), fixtures + len(corpus), done + 1
    if not mutants:
        print(f"mutation: no schemas in {corpora / 'dev'}; set KNOWNBAD_CORPORA")
        return
    print(f"mutation: {mutants} mutants of {done} schemas against {fixtures} fixtures")
    print(f"  mutants a second, killer / compiling each {theirs / ours:6.2f}   (wanted: at least 5)")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=24)
    options = parser.parse_args(arguments)
    killer(options.schemas)
    with tempfile.TemporaryDirectory() as folder:
        asked = {size: write(Path(folder, str(size)), size) for size in SIZES}
        done = {size: check(str(size), arguments) for size, arguments in asked.items()}
        small, middle, large = (done[size] for size in SIZES)
        two = check("two processes", asked[SIZES[-1]], jobs=2)
    print(
        f"  one process / two, {SIZES[-1]} keywords         {large.seconds / two.seconds:6.2f}   (wanted: at least 1.7)"
    )
    print(f"  time, {SIZES[1]} / {SIZES[0]} keywords          {middle.seconds / small.seconds:6.2f}   (linear: 2)")
    print(f"  time, {SIZES[2]} / {SIZES[1]} keywords          {large.seconds / middle.seconds:6.2f}   (linear: 2)")
    print(f"  most memory, share of 1 GiB               {large.bytes / GIBIBYTE:6.2f}   (wanted: under 1)")
    seconds = ", ".join(f"{one.seconds:.1f}" for one in (small, middle, large, two))
    print(f"  seconds on this machine (the last: two processes) {seconds}")
    for one in (small, middle, large, two):
        if one.exit not in (0, 1):
            print(f"  exit {one.exit}: {one.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
