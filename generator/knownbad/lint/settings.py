"""`[tool.knownbad.lint]`: the levels of rules, and findings that are left alone, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from .. import codes
from ..codes.error_contracts import DOUBTS
from ..codes.lint import IGNORE_EXPIRED, IGNORE_UNUSED
from ..config import Project
from ..errors import BadInput, Problem
from ..finding import Code, Finding, Level, nearest
from ..keys import check_keys
from ..pointers import join

_KEYS: dict[str, tuple[type, str]] = {
    "levels": (dict, "a table of rules, by code or name, and their levels"),
    "ignore": (list, "an array of tables: [[lint.ignore]]"),
}
_IGNORE_KEYS: dict[str, tuple[type, str]] = {
    "rule": (str, "the code or the name of a rule"),
    "contract": (str, "the name of a contract; * and ? stand for anything"),
    "file": (str, "a file, as reports show it; * and ? stand for anything"),
    "location": (str, "a JSON Pointer, as reports show it; * and ? stand for anything"),
    "reason": (str, "a text"),
    "expires": (date, "a date, as in 2026-12-31"),
}
_LEVELS = tuple(level.value for level in Level if level is not Level.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Ignore:
    """Findings that are left alone; `pointer` is where it stands in the config. `expires`: the last day it counts."""

    code: Code
    reason: str
    pointer: str
    contract: str = "*"
    file: str = "*"
    location: str = "*"
    expires: date | None = None

    def matches(self, finding: Finding) -> bool:
        """Whether a finding is meant."""
        return (
            finding.code.code == self.code.code
            and fnmatchcase(finding.contract or "", self.contract)
            and fnmatchcase(finding.file or "", self.file)
            and fnmatchcase(finding.location or "", self.location)
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """What the config says of lint."""

    levels: tuple[tuple[str, Level], ...] = ()
    ignores: tuple[Ignore, ...] = ()
    source: str | None = None

    def level(self, code: Code) -> Level | None:
        """The level that the config gives to a rule."""
        return dict(self.levels).get(code.code)

    def leveled(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings at their configured levels, without those that are off."""
        levels = dict(self.levels)
        for finding in findings:
            level = levels.get(finding.code.code)
            if level is not None and finding.weight is not Level.UNDECIDED:
                finding = replace(finding, level=level)
            if finding.weight is not Level.OFF:
                yield finding

    def kept(self, findings: Iterable[Finding], today: date | None = None) -> Iterator[str]:
        """The fingerprints of the findings that are neither off nor ignored."""
        today = today or date.today()  # noqa: DTZ011  a day of the person's calendar
        for finding in self.leveled(findings):
            if not any(ignore.matches(finding) and _counts(ignore, today) for ignore in self.ignores):
                yield finding.fingerprint

    def applied(self, findings: Iterable[Finding], *, whole: bool, today: date | None = None) -> list[Finding]:
        """The findings that are left, at their levels, and what is to be said of the ignores themselves.

        `whole`: all contracts were looked at, so that an ignore that matched nothing is of no use.
        """
        today = today or date.today()  # noqa: DTZ011  a day of the person's calendar
        used: set[int] = set()
        left = []
        for finding in self.leveled(findings):
            hits = [n for n, ignore in enumerate(self.ignores) if ignore.matches(finding)]
            used.update(hits)
            if not any(_counts(self.ignores[n], today) for n in hits):
                left.append(finding)
        return left + list(self.leveled(self._about_ignores(used, whole, today)))

    def _about_ignores(self, used: set[int], whole: bool, today: date) -> Iterator[Finding]:
        for number, ignore in enumerate(self.ignores):
            about = f"{ignore.code.code} {ignore.code.name}"
            if not _counts(ignore, today):
                message = f"the ignore of {about} expired on {ignore.expires}: {ignore.reason}"
                yield Finding(IGNORE_EXPIRED, message, self.source, ignore.pointer, subject=ignore.code.code)
            elif number not in used and whole:
                message = f"the ignore of {about} matches no finding"
                fix = "remove it, or correct its `contract`, `file` or `location`"
                yield Finding(IGNORE_UNUSED, message, self.source, ignore.pointer, subject=ignore.code.code, fix=fix)


def _counts(ignore: Ignore, today: date) -> bool:
    return ignore.expires is None or today <= ignore.expires


def settings(project: Project) -> Settings:
    """What a project's config says of lint. Raises BadInput with every problem."""
    table = project.sections.get("lint")
    if not isinstance(table, dict):
        return Settings()
    file = project.source.name if project.source else ""
    where = join(project.pointer, "lint")
    problems = list(check_keys(table, _KEYS, file, where))
    levels, ignores = [], []
    given = table.get("levels")
    for name, level in given.items() if isinstance(given, dict) else ():
        code = rule_named(name)
        place = join(where, "levels", name)
        if code is None:
            problems.append(_unknown(name, file, place))
        elif level not in _LEVELS:
            problems.append(Problem("must be one of " + ", ".join(_LEVELS), file, place, level))
        else:
            levels.append((code.code, Level(level)))
    entries = table.get("ignore")
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        place = join(where, "ignore", number)
        found = list(_check_ignore(entry, file, place))
        problems.extend(found)
        code = rule_named(entry.get("rule")) if isinstance(entry, dict) else None
        if code is not None and not found:
            rest = {k: entry[k] for k in ("contract", "file", "location", "expires") if k in entry}
            ignores.append(Ignore(code, entry["reason"], place, **rest))
    if problems:
        raise BadInput(problems)
    return Settings(tuple(levels), tuple(ignores), file or None)


def _check_ignore(entry: Any, file: str, place: str) -> Iterator[Problem]:
    if not isinstance(entry, dict):
        yield Problem("must be a table", file, place, entry)
        return
    yield from check_keys(entry, _IGNORE_KEYS, file, place)
    for key, fix in (("rule", "name one rule, as in KB109"), ("reason", "say why it may be ignored")):
        value = entry.get(key)
        if value is None or value == "" or isinstance(value, str) and not value.strip():
            yield Problem(f"has no `{key}`", file, place, fix=fix)
    rule = entry.get("rule")
    if isinstance(rule, str) and rule.strip() and rule_named(rule) is None:
        yield _unknown(rule, file, join(place, "rule"))


def _unknown(name: str, file: str, place: str) -> Problem:
    near = nearest(name, _rules())
    return Problem("there is no such rule", file, place, name, f"{near.code} {near.name}?" if near else None)


def rule_named(name: Any) -> Code | None:
    """The code of lint that is called so, by number or name."""
    named = (
        code for code in _rules() if isinstance(name, str) and name.strip().lower() in (code.code.lower(), code.name)
    )
    return next(named, None)


def _rules() -> list[Code]:
    """Every code that lint may tell: its own, and those of catalogues of errors."""
    return [code for code in codes.every().values() if code.code.startswith("KB1") or code in DOUBTS]
