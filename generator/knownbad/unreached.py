"""The places of a contract that no instance is ever held against."""

from __future__ import annotations

from .corpus import UNREACHABLE, Outcome
from .distinguish import Engine
from .pointers import steps


def unreached(engine: Engine) -> list[Outcome]:
    """The outermost subschemas of the contract's own document that no instance is ever held against."""
    contract = engine.contract
    reached = {(sub.document.uri, sub.pointer) for sub in engine.routes.reached.values()}
    own = contract.document
    places = [
        s.pointer for s in contract.subschemas() if s.document is own and s.pointer.startswith(contract.root_pointer)
    ]
    found: list[str] = []
    for place in sorted(places):
        holds_reached = any(uri == own.uri and p.startswith(place + "/") for uri, p in reached)
        if (own.uri, place) in reached or holds_reached or any(place.startswith(f + "/") for f in found):
            continue
        if not _in_condition(place):
            found.append(place)
    reason = "no instance is held against it: nothing refers to it"
    return [Outcome(f"{place}: unreachable", UNREACHABLE, False, place, reason) for place in found]


def _in_condition(place: str) -> bool:
    """Whether a place is inside `not` or `if`, whose faults are named by the keyword around them."""
    return any(step in ("not", "if") for step in steps(place))
