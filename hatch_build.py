"""The wheel carries the product's own schemas and the pages of its findings.

An editable install must not: its copies would go stale.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carried(BuildHookInterface[Any]):
    """Puts `schemas/` and `docs/rules/` into the wheel as `knownbad/schemas/` and `knownbad/rule_pages/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"]["schemas"] = "knownbad/schemas"
            build_data["force_include"]["docs/rules"] = "knownbad/rule_pages"
