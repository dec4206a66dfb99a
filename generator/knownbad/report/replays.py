"""A replay, and whether a build is deployable, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .. import __version__
from ..codes.error_contracts import TOO_LOOSE
from ..errors import NO_VALUE, Exit
from ..finding import Finding, Findings, Level
from ..layout import relative
from ..replay.which import Cause

if TYPE_CHECKING:
    from ..masking import Masking
    from ..replay.outcome import Replayed, Run
    from ..replay.recording import Recorded
    from ..replay.verification import Deployable

_MARKS = {Exit.GOOD: "good", Exit.FINDINGS: "failed", Exit.UNDECIDED: "undecided", Exit.UNREACHABLE: "unreachable"}


def tell(run: Run, masking: Masking, format_: str, extra: Sequence[tuple[str, Path]], stream: TextIO) -> None:
    """Write the report in a format, and more of them into files; those of findings are what every command has."""
    import io

    from . import findings

    def write(name: str, to: TextIO) -> None:
        if name == "text":
            text(run, masking, to)
        elif name == "json":
            to.write(json_text(run, masking))
        else:
            findings.tell(_found(run, masking), name, (), to)

    for name, file in extra:
        held = io.StringIO()
        write(name, held)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(held.getvalue(), encoding="utf-8", newline="\n")
    write(format_, stream)
    stream.flush()


def _found(run: Run, masking: Masking) -> Findings:
    """The findings alone."""
    found = tuple(replace(f, message=masking.text(f.message)) for f in run.every_finding)
    return Findings("replay", run.root, found, said=run.exit)


def text(run: Run, masking: Masking, stream: TextIO) -> None:
    """What is wrong, grouped by error class, then the counts."""
    from ..judged.message import text as message

    groups: dict[str, list[Replayed]] = {}
    for one in run.replayed:
        if not one.passes or one.findings:
            groups.setdefault(one.kept.case.class_, []).append(one)
    for group in groups.values():
        for one in group:
            beside = tuple(f for f in one.findings if not f.code.name.startswith(("envelope-shape", "hint-", "retry-")))
            # One fix stands under the message; of several, each under its own finding.
            apart = len(beside) > 1
            inside = tuple(replace(f, message=_with_fix(f)) for f in beside) if apart else beside
            shown = message(replace(one.judged, findings=inside), _shown(one, masking))
            first, *rest = map(masking.text, shown.split("\n"))
            stream.write(f"{one.kept.file}: {first} through {one.adapter}\n")
            stream.writelines(f"{line}\n" for line in rest)
            stream.writelines(f"  fix        {fix}\n" for fix in (f.fix for f in beside if f.fix and not apart))
            if one.reply is not None and one.reply.aside:
                stream.write(f"  stderr     {masking.text(one.reply.aside[-400:])}\n")
        stream.write("\n")
    for finding in run.findings:
        stream.write(f"{_line(replace(finding, message=masking.text(finding.message)))}\n")
    stream.writelines(f"{line}\n" for line in _summary(run))


def _shown(one: Replayed, masking: Masking) -> Any:
    """The reply for a terminal: no control characters, further lines under the first."""
    if one.reply is None:
        return NO_VALUE
    text = masking.text(one.reply.raw)
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text).replace("\n", "\n" + " " * 13)


def _with_fix(finding: Finding) -> str:
    return finding.message + (f"\n{' ' * 13}fix: {finding.fix}" if finding.fix else "")


def _line(finding: Finding) -> str:
    where = f"{finding.file}: " if finding.file else ""
    fix = f"\n    fix:   {finding.fix}" if finding.fix else ""
    return f"{where}{finding.code.code} {finding.message}{fix}"


def _summary(run: Run) -> Iterator[str]:
    passed = sum(one.passes and not _undecided(one) for one in run.replayed)
    through = " and ".join(run.adapters)
    place = f" in {run.environment}" if run.environment else ""
    against = f", and {run.baseline} beside it" if run.baseline and run.asked else ""
    yield f"{passed} of {len(run.replayed)} fixtures pass through {through}{place}{against}"
    if run.twins is not None:
        loose = sum(finding.code is TOO_LOOSE for finding in run.findings)
        said = f"{loose} of them pass" if loose else "all are rejected, so the schema is not too loose"
        yield (
            f"{run.twins} known-bad twins were run again: {said}"
            if run.twins
            else "there is no known-bad twin to run again"
        )
    if run.baseline is None and any(one.cause is Cause.OPEN for one in run.replayed):
        yield "whether the tool changed or the fixture was stale before: knownbad replay --baseline REVISION"
    yield from (f"recorded in {relative(path, run.root)}" for path in run.records)


def _undecided(one: Replayed) -> bool:
    return any(f.weight is Level.UNDECIDED for f in one.findings)


def json_text(run: Run, masking: Masking) -> str:
    """The report `schemas/replay-report.schema.json`."""
    value = {
        "knownbad": __version__,
        "environment": run.environment,
        "adapters": list(run.adapters),
        "baseline": run.baseline,
        "twins": run.twins,
        "replayed": [_replayed(one, masking) for one in run.replayed],
        "findings": [_finding(f, masking) for f in run.findings],
        "records": [relative(path, run.root) for path in run.records],
        "exit": int(run.exit),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _replayed(one: Replayed, masking: Masking) -> dict[str, Any]:
    case = one.kept.case
    return {
        "case": case.name,
        "class": case.class_,
        "tool": case.tool,
        "file": one.kept.file,
        "adapter": one.adapter,
        "outcome": one.held.outcome.value,
        "cause": None if one.cause is None else one.cause.value,
        "assertions": [_assertion(a, masking) for a in one.judged.assertions],
        "cost": one.judged.cost,
        "findings": [_finding(f, masking) for f in one.findings],
        "reply": None if one.reply is None else masking.text(one.reply.raw),
    }


def _assertion(assertion: Any, masking: Masking) -> dict[str, Any]:
    found: dict[str, Any] = {"name": assertion.name, "verdict": assertion.verdict.value}
    for key in ("expected", "actual"):
        value = getattr(assertion, key)
        if value is not NO_VALUE:
            found[key] = masking.mask(value).value
    return {**found, "location": assertion.location, "keyword": assertion.keyword, "message": assertion.message}


def _finding(finding: Finding, masking: Masking) -> dict[str, Any]:
    return {
        "code": finding.code.code,
        "name": finding.code.name,
        "level": finding.weight.value,
        "message": masking.text(finding.message),
        "file": finding.file,
        "location": finding.location,
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }


def deployable_text(found: Deployable, stream: TextIO) -> None:
    """The answer, after what stands in its way."""
    stream.writelines(f"{_line(finding)}\n" for finding in found.findings)
    looked = f" (looked {found.looked} times)" if found.looked > 1 else ""
    counts = f"{found.passed} of {found.needed} fixtures verified"
    stream.write(f"{found.word}: build {found.build} to {found.environment}, {counts}{looked}\n")


def deployable_json(found: Deployable, masking: Masking) -> str:
    """The report `schemas/deployable.schema.json`."""
    value = {
        "knownbad": __version__,
        "build": found.build,
        "environment": found.environment,
        "answer": found.word,
        "needed": found.needed,
        "passed": found.passed,
        "looked": found.looked,
        "findings": [_finding(f, masking) for f in found.findings],
        "exit": int(found.exit),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def recorded_text(found: Recorded, masking: Masking, stream: TextIO) -> None:
    """What was captured, and what kept the rest from it."""
    for one in found.captured:
        if one.data is None:
            stream.writelines(f"{_line(replace(f, message=masking.text(f.message)))}\n" for f in one.findings)
            continue
        word = ("recorded" if found.written else "would be recorded") if one.changed else "unchanged"
        taken = ", ".join(f"{s.location} ({s.why})" for s in one.masked)
        stream.write(f"{one.file}: {word}" + (f"; masked: {taken}" if taken else "") + "\n")
    counts = sum(one.data is not None for one in found.captured)
    changed = sum(one.changed for one in found.captured)
    stream.write(f"{counts} of {len(found.captured)} replies captured, {changed} changed\n")
    if changed and found.written:
        stream.write("the known-bad twins follow: knownbad generate\n")


def recorded_json(found: Recorded, masking: Masking) -> str:
    """The report `schemas/record-report.schema.json`."""
    value = {
        "knownbad": __version__,
        "written": found.written,
        "captured": [
            {
                "case": one.case,
                "file": one.file,
                "adapter": one.adapter,
                "state": "refused" if one.data is None else "changed" if one.changed else "unchanged",
                "masked": [{"location": s.location, "why": s.why} for s in one.masked],
                "findings": [_finding(f, masking) for f in one.findings],
            }
            for one in found.captured
        ],
        "exit": int(found.exit),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
