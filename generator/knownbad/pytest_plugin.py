"""The plugin that pytest loads where knownbad is installed: it knows the marker `live` of emitted tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that strict markers and strict warnings take it."""
    config.addinivalue_line("markers", "live: calls the running tool; skipped unless KNOWNBAD_LIVE=1")
