"""The error fixtures and twins of a tool as they stand on disk, for whoever replays or compares them."""

from __future__ import annotations

from pathlib import Path

from ..catalogue.model import Catalogue
from ..catalogue.places import folders, stems
from ..catalogue.settings import Settings
from .corpus import OnDisk, on_disk


def listed(root: Path, settings: Settings, catalogue: Catalogue, tool: str) -> OnDisk:
    """Every file of a tool with the case that it stands for. Raises BadInput for a broken `corpus.json`."""
    cases = catalogue.cases(tool)
    names = stems(cases)
    return on_disk(folders(settings, tool), root, catalogue, {names[case.name]: case for case in cases})
