"""Codes of error contracts: catalogue, fixtures, twins, replies (KB30x to KB34x)."""

from __future__ import annotations

from ..finding import Code, Level

WITHOUT_FIXTURE = Code("KB301", "class-without-fixture", "A documented error class has no fixture")
UNKNOWN_CLASS = Code("KB302", "fixture-of-unknown-class", "A fixture belongs to no documented error class")
NOT_AS_DOCUMENTED = Code("KB303", "fixture-not-as-documented", "A fixture is not what the catalogue documents")
TOO_LOOSE = Code("KB304", "envelope-too-loose", "The envelope's schema accepts a known-bad envelope")
OTHER_ASSERTION = Code("KB305", "twin-fails-elsewhere", "A known-bad twin does not fail what it was made for")
UNCHANGED_FIXTURE = Code("KB306", "row-changed-alone", "A catalogue row changed and its fixture did not")
FILES = Code("KB307", "error-files", "A folder of error fixtures and its corpus.json differ")
TABLES_DISAGREE = Code(
    "KB308", "published-tables-disagree", "Published client tables disagree about retrying this status", Level.WARNING
)
WITHOUT_KEY = Code(
    "KB309",
    "retry-without-idempotency-key",
    "A failure that may have taken effect is retried without a key",
    Level.WARNING,
)
OPEN_DETAILS = Code("KB310", "open-details", "The details of an error class are an open object", Level.WARNING)
CATEGORY = Code(
    "KB311", "category-against-flag", "The category of an error class contradicts its retry flag", Level.WARNING
)
NO_ERROR_STATUS = Code("KB312", "status-of-no-error", "An error class has the status of a success", Level.WARNING)
LEAKING_MESSAGE = Code("KB313", "documented-leak", "A documented message shows how the tool is built", Level.WARNING)
SHAPE = Code("KB320", "envelope-shape", "The envelope is not of the documented shape")
HINT = Code("KB321", "hint-differs", "The hint is not exactly the documented one")
RETRYABLE = Code("KB322", "retry-flag-differs", "The retry flag is not the documented boolean")
OTHER_CODE = Code("KB323", "other-code", "The envelope names another error class")
LEAK = Code("KB324", "leaked-internal", "The envelope shows how the tool is built")

DOUBTS = (TABLES_DISAGREE, WITHOUT_KEY, OPEN_DETAILS, CATEGORY, NO_ERROR_STATUS, LEAKING_MESSAGE)
"""What `lint` tells of a catalogue."""
