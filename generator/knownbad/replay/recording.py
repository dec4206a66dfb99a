"""Capturing what a tool really answers as the fixture of its error class.

A reply is written only when it is what the class documents, and only without credentials: what is known as one is
masked, and a reply that still looks as if it held one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import journal
from ..codes.error_contracts import WITHOUT_FIXTURE
from ..codes.replay import CARRIER_DIFFERS, CONTRADICTS_ROW, CREDENTIAL, NOT_RECORDED, STATUS_DIFFERS
from ..corpus import RECORDED
from ..errors import Exit
from ..finding import Finding, Level
from ..layout import CORPUS, relative
from ..masking import Suspect
from ..store import manifest, serialise
from ..values import dump, equal
from .differing import without
from .outcome import Replayed, Run
from .plan import Plan, documented_request
from .run import ReplayOptions, replay

_CONTRADICT = (STATUS_DIFFERS, CARRIER_DIFFERS, CONTRADICTS_ROW)
"""What is a warning in a replay, and no fixture."""
_INSTANCE = "/response"


@dataclass(frozen=True, slots=True)
class Captured:
    """One fixture that was captured. `data` is None where it was refused; `masked` is what was taken out of it."""

    case: str
    file: str
    adapter: str
    data: bytes | None
    changed: bool
    masked: tuple[Suspect, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of a recording. `written`: whether the changes are on disk."""

    root: Path
    captured: tuple[Captured, ...]
    written: bool

    @property
    def findings(self) -> list[Finding]:
        """Everything that kept a reply from being recorded."""
        return [finding for one in self.captured for finding in one.findings]

    @property
    def exit(self) -> Exit:
        """1 where a reply was refused, or where nothing may be written and something would be; 3 where undecided."""
        if any(f.weight is Level.ERROR for f in self.findings):
            return Exit.FINDINGS
        if not self.written and any(one.changed for one in self.captured):
            return Exit.FINDINGS
        return Exit.UNDECIDED if any(f.weight is Level.UNDECIDED for f in self.findings) else Exit.GOOD


def record(plan: Plan, options: ReplayOptions, *, write: bool = True) -> Recorded:
    """Capture the replies of these classes through one adapter, and write the fixtures, all or none of a tool.

    A class with several files is captured into the first. Raises BadInput for what cannot be replayed at all.
    """
    run = _first(replay(plan, options))
    captured = tuple(_captured(plan, one) for one in run.replayed)
    if write:
        _write(plan, run, captured)
    return Recorded(plan.project.root, captured, write)


def _first(run: Run) -> Run:
    """The run with one entry a case: the first file, through the first adapter."""
    from dataclasses import replace

    seen: dict[tuple[str, str], Replayed] = {}
    for one in run.replayed:
        seen.setdefault((one.kept.case.tool, one.kept.case.name), one)
    return replace(run, replayed=tuple(seen.values()))


def _captured(plan: Plan, one: Replayed) -> Captured:
    kept, case = one.kept, one.kept.case
    if one.reply is None:
        return Captured(case.name, kept.file, one.adapter, None, False, findings=one.findings)
    wrong = [
        f
        for f in one.findings
        if f.weight in (Level.ERROR, Level.UNDECIDED) and f.code is not WITHOUT_FIXTURE or f.code in _CONTRADICT
    ]
    if wrong:
        names = ", ".join(dict.fromkeys(f.code.name for f in wrong))
        message = f"{case.name}: the reply is not what the class documents: {names}"
        fix = "correct the tool, the catalogue's row or its `trigger`"
        finding = Finding(NOT_RECORDED, message, kept.file, subject=case.name, fix=fix)
        return Captured(case.name, kept.file, one.adapter, None, False, findings=(finding, *wrong))
    value = {"fixture": case.name.lower(), "request": dict(documented_request(kept)), "response": one.reply.envelope}
    masked = plan.settings.masking.mask(value)
    suspects = plan.settings.masking.suspects(masked.value)
    judged = plan.judge.judge(case, masked.value["response"])
    if suspects or judged.failed:
        findings = [*(_suspect(case.name, kept.file, s) for s in suspects)]
        if judged.failed:
            names = " and ".join(judged.failed)
            message = f"{case.name}: once its credentials are masked, the reply fails {names}"
            fix = "a member that is a credential has no place in an error"
            findings.append(Finding(NOT_RECORDED, message, kept.file, subject=case.name, fix=fix))
        return Captured(case.name, kept.file, one.adapter, None, False, masked.masked, tuple(findings))
    same = kept.digest is not None and not kept.made
    volatile = plan.settings.volatile
    same = same and equal(kept.request, masked.value["request"])
    same = same and equal(without(kept.response, volatile), without(masked.value["response"], volatile))
    data = dump(masked.value).encode()
    return Captured(case.name, kept.file, one.adapter, data, not same, masked.masked)


def _suspect(name: str, file: str, suspect: Suspect) -> Finding:
    message = f"{name}: {suspect.location} still looks like a credential ({suspect.why})"
    fix = "mask it: `names` or `patterns` of [replay.mask]; or name it under `keep` where it is none"
    return Finding(CREDENTIAL, message, file, suspect.location, subject=name, fix=fix)


def _write(plan: Plan, run: Run, captured: tuple[Captured, ...]) -> None:
    """Write what changed with its rows, tool by tool."""
    root = plan.project.root
    tools: dict[Path, dict[str, tuple[str, bytes]]] = {}
    for one, found in zip(run.replayed, captured, strict=True):
        if found.data is not None and found.changed:
            path = root / found.file
            tools.setdefault(path.parent, {})[path.name] = (one.kept.case.name, found.data)
    for folder, files in tools.items():
        with journal.locked(folder):
            writes = {folder / name: data for name, (_, data) in files.items()}
            if (rows := _rows(plan, folder, files)) is not None:
                writes[folder / CORPUS] = rows
            journal.commit(folder, writes, ())


def _rows(plan: Plan, folder: Path, files: Mapping[str, tuple[str, bytes]]) -> bytes | None:
    """The `corpus.json` with the rows of what was recorded; None where there is none yet: `generate` makes it."""
    found = manifest(folder, True, relative(folder / CORPUS, plan.project.root))
    if found is None:
        return None
    rows: dict[str, dict[str, Any]] = {str(row.values["file"]): dict(row.values) for row in found.rows}
    for name, (class_, data) in files.items():
        nothing = dict.fromkeys(("fault", "keywordLocation", "member", "instanceLocation", "base", "patch"))
        about = {"class": class_, **nothing, "origin": RECORDED, "instance": _INSTANCE}
        rows[name] = {"file": name, "sha256": journal.sha256(data), **about}
    return serialise(found.header, [rows[name] for name in sorted(rows)]).encode()
