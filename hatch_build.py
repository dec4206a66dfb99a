"""The wheel carries the product's own schemas. An editable install must not: its copies would go stale."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Schemas(BuildHookInterface[Any]):
    """Puts `schemas/` into the wheel as `knownbad/schemas/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"]["schemas"] = "knownbad/schemas"
