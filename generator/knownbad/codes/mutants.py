"""Codes of mutation checks (KB5xx)."""

from __future__ import annotations

from ..finding import Code, Level

SURVIVOR = Code("KB501", "survivor", "An edit of the schema changes verdicts, and no fixture notices")
UNDECIDED = Code("KB502", "undecided-mutant", "For an edit neither an instance nor a proof was found", Level.UNDECIDED)
DEAD = Code("KB503", "dead-keyword", "It is proved that the keyword does nothing in the whole contract", Level.NOTE)
WRONG_START = Code("KB504", "wrong-start", "A fixture has another verdict than its folder says; nothing was checked")
