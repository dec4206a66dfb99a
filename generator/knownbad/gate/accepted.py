"""`[[accept]]`: breaks that a person approved, by fingerprint, with a reason and an optional last day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ..codes.compare import (
    ACCEPT_EXPIRED,
    ACCEPT_UNREASONED,
    ACCEPT_UNUSED,
    GUARDS_NOTHING,
    NARROWED,
    REMOVED,
    UNDECIDED_CHANGE,
    UNREADABLE_BASE,
    WIDENED,
)
from ..config import OWN_FILE, Project
from ..errors import BadInput, Problem
from ..finding import Finding, Level
from ..keys import check_keys
from ..pointers import join

BREAKS = frozenset(c.code for c in (NARROWED, WIDENED, UNDECIDED_CHANGE, REMOVED, UNREADABLE_BASE, GUARDS_NOTHING))
"""What can be approved. Everything else is put right instead."""
_MARK = re.compile(r"[0-9a-f]{16}\Z")
_KEYS: dict[str, tuple[type, str]] = {
    "finding": (str, "the fingerprint of a finding, as reports show it"),
    "reason": (str, "a text"),
    "expires": (date, "a date, as in 2026-12-31"),
}


@dataclass(frozen=True, slots=True)
class Accept:
    """One approval. `expires` is the last day on which it counts, `pointer` where it stands in the config."""

    finding: str
    reason: str
    expires: date | None
    pointer: str


@dataclass(frozen=True, slots=True)
class Accepts:
    """The approvals of a project; `file` is its config, relative to the root."""

    entries: tuple[Accept, ...] = ()
    file: str | None = None

    def applied(
        self, findings: Iterable[Finding], before: frozenset[str], today: date
    ) -> tuple[list[Finding], list[Finding]]:
        """The findings with approved ones as notes, and what is to be said of the approvals; then the approved ones.

        `before`: the fingerprints that the base's config approves, which may be spent by now.
        """
        used: set[int] = set()
        left, approved = [], []
        refused: dict[str, Finding] = {}
        for finding in findings:
            hits = [n for n, entry in enumerate(self.entries) if entry.finding == finding.fingerprint]
            used.update(hits)
            good = next((self.entries[n] for n in hits if self._counts(n, today)), None)
            if good is None or finding.weight not in (Level.ERROR, Level.UNDECIDED):
                left.append(finding)
            elif finding.code.code not in BREAKS:
                refused[finding.fingerprint] = finding
                left.append(finding)
            else:
                said = (*finding.detail, f"approved: {good.reason}")
                left.append(replace(finding, level=Level.NOTE, detail=said, fix=None))
                approved.append(finding)
        return [*left, *self._about(used, refused, before, today)], approved

    def _counts(self, number: int, today: date) -> bool:
        entry = self.entries[number]
        return bool(entry.reason.strip()) and (entry.expires is None or today <= entry.expires)

    def _about(
        self, used: set[int], refused: dict[str, Finding], before: frozenset[str], today: date
    ) -> Iterator[Finding]:
        for number, entry in enumerate(self.entries):
            about = f"the approval of {entry.finding!r}"
            if not entry.reason.strip():
                fix = "say why the break is meant"
                yield self._told(entry, ACCEPT_UNREASONED, f"{about} gives no reason, so it does not count", fix)
            elif entry.expires is not None and today > entry.expires:
                message = f"{about} expired on {entry.expires}: {entry.reason}"
                yield self._told(entry, ACCEPT_EXPIRED, message, "remove it, or give it a later day")
            elif entry.finding in refused:
                code = refused[entry.finding].code
                message = f"{code.code} {code.name} cannot be approved: put it right"
                yield self._told(entry, ACCEPT_UNUSED, message, "remove it")
            elif number not in used and entry.finding in before and _MARK.match(entry.finding):
                message = f"{about} matches nothing here: the base has the change already, or it never matched anything"
                yield replace(self._told(entry, ACCEPT_UNUSED, message, "remove it"), level=Level.WARNING)
            elif number not in used:
                message = f"{about} matches nothing that was found"
                yield self._told(entry, ACCEPT_UNUSED, message, "remove it, or copy the fingerprint of the finding")

    def _told(self, entry: Accept, code: Any, message: str, fix: str) -> Finding:
        return Finding(code, message, self.file, entry.pointer, subject=entry.finding, fix=fix)


def accepts(project: Project) -> Accepts:
    """The approvals in a project's config. Raises BadInput with every problem."""
    entries = project.sections.get("accept", [])
    file = project.source.name if project.source else ""
    problems: list[Problem] = []
    found = []
    for number, entry in enumerate(entries):
        where = join(project.pointer, "accept", number)
        if not isinstance(entry, dict):
            problems.append(Problem("must be a table", file, where, entry))
            continue
        faults = list(check_keys(entry, _KEYS, file, where))
        if "finding" not in entry:
            faults.append(Problem("has no `finding`", file, where, fix="copy the fingerprint that the report shows"))
        problems.extend(faults)
        if not faults:
            found.append(Accept(entry["finding"], entry.get("reason", ""), entry.get("expires"), where))
    if problems:
        raise BadInput(problems)
    return Accepts(tuple(found), file or None)


def offered(project: Project, finding: Finding) -> Finding:
    """A break with the lines of the config that would approve it."""
    if finding.code.code not in BREAKS or finding.weight not in (Level.ERROR, Level.UNDECIDED):
        return finding
    table = f"[[{'tool.knownbad.' if project.pointer else ''}accept]]"
    file = project.source.name if project.source else OWN_FILE
    way = f"{finding.fix}, or approve it" if finding.fix else "approve it"
    lines = [f"{way} in {file}:", table, f'finding = "{finding.fingerprint}"', 'reason = "..."']
    return replace(finding, fix="\n".join(lines))


def fingerprints(project: Project) -> frozenset[str]:
    """What a config approves, whatever else is wrong with it."""
    entries = project.sections.get("accept", [])
    return frozenset(e["finding"] for e in entries if isinstance(e, dict) and isinstance(e.get("finding"), str))
