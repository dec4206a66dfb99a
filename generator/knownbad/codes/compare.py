"""Codes of the comparison of two schemas and the gate (KB4xx)."""

from __future__ import annotations

from ..finding import Code, Level

NARROWED = Code("KB401", "narrowed", "The contract rejects an instance that it accepted before.")
WIDENED = Code("KB402", "widened", "The contract accepts an instance that it rejected before.")
UNDECIDED_CHANGE = Code(
    "KB403", "undecided-change", "Nobody knows yet whether this change breaks the contract.", Level.UNDECIDED
)
