"""Codes of the corpus: its files, their verdicts and reasons (KB2xx)."""

from __future__ import annotations

from ..finding import Code, Level

VERDICT = Code("KB201", "wrong-verdict", "A fixture gets another verdict than its folder says")
REASON = Code("KB202", "wrong-reason", "A known-bad fixture is rejected, but not for the recorded keyword alone")
FILES = Code("KB203", "stray-file", "A fixture has no row, a row no fixture, or a file was edited since")
PATCH = Code("KB204", "wrong-patch", "The patch of a row does not turn its base into the fixture")
STALE = Code("KB205", "stale-corpus", "The schema is not the one that the corpus was made from")
UNDECIDED = Code("KB206", "no-common-verdict", "The validators do not agree on a fixture", Level.UNDECIDED)
