"""Codes of the comparison of two schemas and the gate (KB4xx)."""

from __future__ import annotations

from ..finding import Code, Level

NARROWED = Code("KB401", "narrowed", "The contract rejects an instance that it accepted before.")
WIDENED = Code("KB402", "widened", "The contract accepts an instance that it rejected before.")
UNDECIDED_CHANGE = Code(
    "KB403", "undecided-change", "Nobody knows yet whether this change breaks the contract.", Level.UNDECIDED
)
REMOVED = Code("KB404", "contract-removed", "A contract of the base is gone.")
UNREADABLE_BASE = Code(
    "KB405",
    "unreadable-base",
    "The base's contract cannot be read, so nothing is known of the change.",
    Level.UNDECIDED,
)
GUARDS_NOTHING = Code("KB406", "guards-nothing", "The contract accepts everything that it was known to reject.")

FLIPPED = Code("KB410", "flipped-fixtures", "Fixtures get another verdict than on the base.", Level.NOTE)
NOT_REGENERATED = Code("KB411", "corpus-not-regenerated", "A contract changed, and its corpus did not.")
WRONG_BEFORE = Code("KB412", "wrong-before", "A fixture had the wrong verdict before the change already.")
OTHER_VALIDATORS = Code(
    "KB413", "other-validators", "A verdict changed with the validators, not with the schema.", Level.WARNING
)
NO_FIXTURE = Code("KB414", "approved-without-fixture", "No fixture shows an approved break.", Level.WARNING)
LEFT_BEHIND = Code("KB415", "left-behind", "Fixtures or a test stay of a contract that is gone.")

ACCEPT_UNUSED = Code("KB420", "accept-unused", "An approval matches no finding.")
ACCEPT_EXPIRED = Code("KB421", "accept-expired", "An approval has expired.")
ACCEPT_UNREASONED = Code("KB422", "accept-without-reason", "An approval gives no reason.")
