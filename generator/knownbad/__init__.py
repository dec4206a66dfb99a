"""From a JSON Schema: a small proven corpus of accepted and known-bad fixtures, and the tests that assert them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .strategies import accepted, rejected

__version__ = "0.1.0"
__all__ = ["__version__", "accepted", "rejected"]


def __getattr__(name: str) -> Any:
    # Hypothesis takes longer to import than most runs take, so the strategies come when they are asked for.
    if name in ("accepted", "rejected"):
        from . import strategies

        return getattr(strategies, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
