"""Which recorded call answered which call, where the log alone has to tell.

A log holds no arguments. Where they are known otherwise, matching is repeated and each call has one answer. Where they
are not, the question is whether *some* way of matching explains the log, and what all such ways have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .matching import condition
from .suite import PASSTHROUGH, ToolResponse

FAILURE, SUCCESS, EITHER = "failure", "success", "either"
"""How a call ended, as its event says. `EITHER`: the event says neither, or the call has none."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one more ended call means. `contradicts`: no way of matching explains it.

    `candidates`: the recorded calls that may have answered it. `certain`: it was surely one of them and no miss.
    """

    candidates: tuple[ToolResponse, ...]
    certain: bool
    contradicts: bool = False


class Ordered:
    """The calls of one tool whose recorded calls all ask the same of the arguments, so that they are served in order.

    Bit `n` of `_served` says that the first `n` recorded calls may have been served so far. `strict`: no call was
    missed while there was one left, since the summary counts no misses.
    """

    def __init__(self, entries: Sequence[ToolResponse], on_miss: str, strict: bool) -> None:
        self._entries = entries
        self._free = on_miss == PASSTHROUGH
        self._all = (1 << len(entries)) - 1
        self._failures = sum(1 << n for n, entry in enumerate(entries) if entry.is_error)
        self._sure = strict or bool(entries) and condition(entries[0]) is None
        self._served = 1
        self.calls = 0

    def step(self, ended: str) -> Step:
        """The next call of the tool ended like this."""
        before = self._served
        self.calls += 1
        kinds = {FAILURE: self._failures, SUCCESS: self._all & ~self._failures, EITHER: self._all}
        missed = before & ~self._all if self._sure else before
        may_miss = missed if self._free or ended != SUCCESS else 0
        self._served = (before & kinds[ended]) << 1 | may_miss
        candidates = tuple(self._entries[n] for n in _bits(before & self._all))
        certain = bool(candidates) and missed == 0
        if self._served:
            fitting = tuple(e for e in candidates if ended == EITHER or e.is_error is (ended == FAILURE))
            return Step(fitting, certain)
        self._served = (before & self._all) << 1 | before & ~self._all
        return Step(candidates, certain, contradicts=True)

    @property
    def misses(self) -> int:
        """The possible numbers of misses: bit `n` stands for `n` of them."""
        return sum(1 << (self.calls - served) for served in _bits(self._served))

    def witnessed(self, misses: int | None) -> bool:
        """Whether a recorded failure was surely served, given how many misses there were in all."""
        least = (self._served & -self._served).bit_length() - 1
        if misses is not None:
            least = max(least, self.calls - misses)
        return bool(self._failures & (1 << least) - 1)

    def unresolved(self, misses: int | None) -> bool:
        """Whether it stays open what was served. Never for long: the summary says how many were missed."""
        return False


class Counted:
    """The calls of one tool whose recorded calls ask for different arguments: only numbers can be told."""

    def __init__(self, entries: Sequence[ToolResponse], on_miss: str, strict: bool) -> None:
        self._entries = tuple(entries)
        self._strict = strict
        self._free = on_miss == PASSTHROUGH
        self._failures = sum(entry.is_error for entry in entries)
        self._ended = {FAILURE: 0, SUCCESS: 0, EITHER: 0}

    @property
    def calls(self) -> int:
        """How many calls there were."""
        return sum(self._ended.values())

    def step(self, ended: str) -> Step:
        """One more call of the tool ended like this."""
        self._ended[ended] += 1
        successes = len(self._entries) - self._failures
        if ended == SUCCESS and not self._free and self._ended[SUCCESS] > successes:
            return Step(tuple(e for e in self._entries if e.is_error), certain=False, contradicts=True)
        beyond = max(0, self.calls - len(self._entries))
        if ended == FAILURE and self._strict and self._ended[FAILURE] > self._failures + beyond:
            return Step(tuple(e for e in self._entries if not e.is_error), certain=False, contradicts=True)
        fitting = tuple(e for e in self._entries if ended == EITHER or e.is_error is (ended == FAILURE))
        return Step(fitting, certain=False)

    @property
    def misses(self) -> int:
        """The possible numbers of misses: bit `n` stands for `n` of them."""
        failed, open_ = self._ended[FAILURE], self._ended[EITHER]
        least = max(0, self.calls - len(self._entries), failed - self._failures)
        most = self.calls if self._free else failed + open_
        return (1 << max(0, most - least) + 1) - 1 << least

    def witnessed(self, misses: int | None) -> bool:
        """Whether a recorded failure was surely served: all recorded calls were, and as many failed as are recorded."""
        return misses == 0 and self._failures > 0 and not self.unresolved(misses)

    def unresolved(self, misses: int | None) -> bool:
        """Whether some recorded calls were served and others perhaps not: which, the log does not tell."""
        mixed = 0 < self._failures < len(self._entries)
        return mixed and self.calls > 0 and self.calls - (misses or 0) < len(self._entries)


def explained(entries: Sequence[ToolResponse], on_miss: str, strict: bool) -> Ordered | Counted:
    """What follows the calls of one tool, without their arguments."""
    kinds = {condition(entry) for entry in entries}
    return (Ordered if len(kinds) <= 1 else Counted)(entries, on_miss, strict)


def sums(left: int, right: int) -> int:
    """Every sum of a number of one set and one of the other; sets are the bits of a number."""
    few, many = sorted((left, right), key=int.bit_count)
    found = 0
    for shift in _bits(few):
        found |= many << shift
    return found


def _bits(number: int) -> list[int]:
    """The places of the bits that are set."""
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
