"""The published metaschemas and their vocabularies, from the package that carries them; never from the network."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .dialects import DIALECTS, DRAFT_2019_09, DRAFT_2020_12, Dialect

_FOLDERS = {4: "draft4", 6: "draft6", 7: "draft7", 19: "draft201909", 20: "draft202012"}
_VOCABULARIES = (
    (DRAFT_2019_09, ("core", "applicator", "validation", "meta-data", "format", "content")),
    (
        DRAFT_2020_12,
        (
            "core",
            "applicator",
            "unevaluated",
            "validation",
            "meta-data",
            "format-annotation",
            "format-assertion",
            "content",
        ),
    ),
)

_FILES: dict[str, tuple[Dialect, str]] = {
    **{d.uri.rstrip("#"): (d, f"{_FOLDERS[d.year]}/metaschema.json") for d in DIALECTS},
    **{
        f"{d.uri.removesuffix('schema')}meta/{name}": (d, f"{_FOLDERS[d.year]}/vocabularies/{name}")
        for d, names in _VOCABULARIES
        for name in names
    },
}


def published(uri: str) -> tuple[Dialect, Any] | None:
    """The metaschema or vocabulary with this URI (without fragment) and its dialect, None when there is none."""
    found = _FILES.get(uri)
    return None if found is None else (found[0], _read(found[1]))


def is_published(uri: str) -> bool:
    """Whether a URI (without fragment) names a published metaschema or vocabulary."""
    return uri in _FILES


@cache
def _read(file: str) -> Any:
    # Read as files: importing the package would build a registry of all of them, at a cost of 60 ms.
    spec = find_spec("jsonschema_specifications")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("jsonschema_specifications")
    path = Path(spec.submodule_search_locations[0], "schemas", file)
    return json.loads(path.read_text(encoding="utf-8"))
