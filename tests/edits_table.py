"""The table of `docs/schema-edits.md`: real edits of published schemas, compared by the command that people run.

`python tests/edits_table.py [FOLDER]` runs `knownbad compare` on each folder with a `base.json` and a `head.json`, in a
process of its own, checks every witness with both validators, and writes the page. Times are the processor's: what
the machine does beside it does not count.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/schema-edits.md"
EDITS = Path(os.environ.get("KNOWNBAD_CORPORA", ROOT.parent / "shared/corpora")) / "schema-edits"
DECIDED = ("equivalent", "narrowed", "widened", "both")
HEAD = """# Real edits

{count} edits that people made to schemas of [SchemaStore](https://github.com/SchemaStore/schemastore) (Apache-2.0),
each compared with what was there before. `python tests/edits_table.py` wrote this page.

- decided in both directions: {decided} of {count} ({percent:.1f} %), undecided: {undecided}
- witnesses: {witnesses}, each judged by both validators on both sides; wrong: {wrong}
- seconds of one core, the start of the command included: median {median:.2f}, most {most:.2f}

| edit | verdict | changed locations | seconds |
|---|---|---|---|
"""


def report(folder: Path, environment: dict[str, str]) -> tuple[dict[str, Any], float]:
    """What the command says of one edit, and the processor time that it took."""
    before = _used()
    command = [sys.executable, "-m", "knownbad", "compare", "base.json", "head.json", "--format", "json"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{folder.name}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), _used() - before


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verdicts(schema: Any, instance: Any) -> tuple[bool, bool]:
    """What the two validators say, asked without anything of ours."""
    cls = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    slow = cls(schema, format_checker=cls.FORMAT_CHECKER).is_valid(instance)
    fast = jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(instance)
    return slow, fast


def wrong(folder: Path, found: dict[str, Any]) -> list[str]:
    """The witnesses of a report that do not show what they are said to show."""
    base, head = (json.loads((folder / name).read_text("utf-8")) for name in ("base.json", "head.json"))
    bad = []
    for part in (found, *found["changes"]):
        for way, accepting, rejecting in (("narrowing", base, head), ("widening", head, base)):
            if part[way]["state"] == "yes":
                instance = part[way]["witness"]
                if verdicts(accepting, instance) != (True, True) or verdicts(rejecting, instance) != (False, False):
                    bad.append(f"{folder.name}: {way} {json.dumps(instance)[:80]}")
    return bad


def environment(cache: str) -> dict[str, str]:
    """As people have it: modules are compiled once."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": str(ROOT / "generator")}


def main(folder: Path) -> None:
    rows, times, bad, counts, shown = [], [], [], Counter[str](), 0
    with tempfile.TemporaryDirectory() as cache:
        edits = sorted(path.parent for path in folder.glob("*/head.json"))
        report(edits[0], environment(cache))
        for edit in edits:
            found, seconds = report(edit, environment(cache))
            counts[found["verdict"]] += 1
            shown += sum(
                p[way]["state"] == "yes" for p in (found, *found["changes"]) for way in ("narrowing", "widening")
            )
            bad += wrong(edit, found)
            times.append(seconds)
            cause = ""
            if found["verdict"] not in DECIDED:
                open_ = [
                    f"{w}: {found[w]['reason']}" for w in ("narrowing", "widening") if found[w]["state"] == "unknown"
                ]
                cause = f" ({'; '.join(open_)})"
            rows.append(f"| {edit.name} | {found['verdict']}{cause} | {len(found['changes'])} | {seconds:.2f} |")
    decided = sum(counts[verdict] for verdict in DECIDED)
    text = HEAD.format(
        count=len(rows), decided=decided, percent=100 * decided / len(rows), undecided=counts["undecided"],
        witnesses=shown, wrong=len(bad), median=sorted(times)[len(times) // 2], most=max(times),
    )  # fmt: skip
    PAGE.write_text(text + "\n".join(rows) + "\n", encoding="utf-8")
    print(counts, *bad, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else EDITS)
