"""What all tests share: where the repository is, and where the large corpora are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of large corpora, `KNOWNBAD_CORPORA`; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("KNOWNBAD_CORPORA", ROOT.parent / "shared" / "corpora")).resolve()
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder}; set KNOWNBAD_CORPORA")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project of one contract with fixtures that a person wrote."""
    from mutating import payments

    return payments(tmp_path)
