"""The schemas that come with knownbad: in the wheel below the package, in a checkout beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .contract import Contract

_PLACES = (Path(__file__).parent / "schemas", Path(__file__).parents[2] / "schemas")


def bundled_path(name: str) -> Path:
    """Where the schema of a contract of ours stands."""
    paths = [folder / f"{name}.schema.json" for folder in _PLACES]
    return next(path for path in paths if path.is_file())


@cache
def bundled(name: str) -> Contract:
    """A contract of ours, such as `error-envelope`."""
    from .load import LoadOptions, load

    path = bundled_path(name)
    return load(str(path), name, LoadOptions(root=path.parent.parent))
