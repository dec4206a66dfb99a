"""What came of a replay: one outcome a fixture and adapter, and the run that they make."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..codes.replay import UNREACHABLE
from ..errors import Exit
from ..finding import Finding, Level
from ..judged.assertions import Judged, Verdict
from .carriers import Reply
from .plan import Kept
from .verification import Held, Outcome
from .which import Cause


@dataclass(frozen=True, slots=True)
class Replayed:
    """One fixture through one adapter. `findings` are all that is wrong, the failed assertions among them."""

    kept: Kept
    adapter: str
    judged: Judged
    reply: Reply | None
    findings: tuple[Finding, ...] = ()
    cause: Cause | None = None

    @property
    def passes(self) -> bool:
        """Whether all three assertions pass and nothing else is an error."""
        return not self.judged.failed and not any(f.weight is Level.ERROR for f in self.findings)

    @property
    def held(self) -> Held:
        """Its line in a record."""
        codes = {f.code for f in self.findings}
        if UNREACHABLE in codes:
            outcome = Outcome.UNREACHABLE
        elif self.passes and not any(f.weight is Level.UNDECIDED for f in self.findings):
            outcome = Outcome.PASSED
        else:
            undecided = self.reply is None or all(
                a.verdict in (Verdict.PASS, Verdict.UNDECIDED) for a in self.judged.assertions
            )
            errors = any(f.weight is Level.ERROR for f in self.findings)
            outcome = Outcome.UNDECIDED if undecided and not errors else Outcome.FAILED
        return Held(self.kept.file, self.kept.digest or "", outcome)


@dataclass(frozen=True, slots=True)
class Run:
    """A whole replay. `findings` are those of no single fixture."""

    root: Path
    environment: str | None
    adapters: tuple[str, ...]
    replayed: tuple[Replayed, ...]
    findings: tuple[Finding, ...] = ()
    baseline: str | None = None
    twins: int | None = None
    """How many known-bad twins were run again; None where none were."""
    records: tuple[Path, ...] = ()
    asked: int = 0
    """How many answers the baseline gave."""

    @property
    def every_finding(self) -> list[Finding]:
        """All findings, fixture by fixture, then those of the run."""
        return [*(f for one in self.replayed for f in one.findings), *self.findings]

    @property
    def exit(self) -> Exit:
        """1 for an error, 5 where all that is wrong is that a tool could not be reached, 3 for what is undecided."""
        errors = {f.code for f in self.every_finding if f.weight is Level.ERROR}
        if errors - {UNREACHABLE}:
            return Exit.FINDINGS
        if errors:
            return Exit.UNREACHABLE
        undecided = any(f.weight is Level.UNDECIDED for f in self.every_finding)
        return Exit.UNDECIDED if undecided else Exit.GOOD
