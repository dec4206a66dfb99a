"""What a judge of a log is asked, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import Exit
from ..finding import Finding, Level
from .capabilities import Capabilities
from .suite import Suite
from .verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Asked:
    """What is judged, and by what. `summary`: beside the log; `calls`: the transcript; `answer`: to the creation of the
    run; `replay_of`: the log that this one repeats; `require`: what is not witnessed has failed.
    """

    suite: Suite
    capabilities: Capabilities
    log: Path
    summary: Path | None = None
    calls: Path | None = None
    answer: Path | None = None
    replay_of: Path | None = None
    require: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of every requirement. `counts`: how often each rule was broken, also where findings were left out."""

    asked: Asked
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]

    @property
    def exit(self) -> Exit:
        """UNDECIDED only where nothing is wrong."""
        weights = {finding.weight for finding in self.findings}
        if Level.ERROR in weights:
            return Exit.FINDINGS
        return Exit.UNDECIDED if Level.UNDECIDED in weights else Exit.GOOD
