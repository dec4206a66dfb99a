"""The five dialects: how each is declared and what differs between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Dialect:
    """One published dialect of JSON Schema.

    `year` orders them (4, 6, 7, 19, 20: the numbers that jsonschema-rs uses for drafts).
    """

    name: str
    uri: str
    year: int

    @property
    def id_keyword(self) -> str:
        """The keyword that names a schema resource."""
        return "id" if self.year == 4 else "$id"

    @property
    def ref_hides_siblings(self) -> bool:
        """Whether keywords beside a `$ref` are ignored (up to draft-07)."""
        return self.year <= 7


DRAFT_04 = Dialect("draft-04", "http://json-schema.org/draft-04/schema#", 4)
DRAFT_06 = Dialect("draft-06", "http://json-schema.org/draft-06/schema#", 6)
DRAFT_07 = Dialect("draft-07", "http://json-schema.org/draft-07/schema#", 7)
DRAFT_2019_09 = Dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", 19)
DRAFT_2020_12 = Dialect("2020-12", "https://json-schema.org/draft/2020-12/schema", 20)

DIALECTS = (DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12)
_BY_URI = {d.uri.rstrip("#"): d for d in DIALECTS}
_BY_NAME = {d.name: d for d in DIALECTS}


def named(name: str) -> Dialect:
    """The dialect called `name` in the config (`2020-12`, `draft-07`, ...) or by its URI. Raises KeyError."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    return _BY_URI[name.rstrip("#")]


def declared(schema: Any) -> Dialect | None:
    """The dialect that a schema declares, None when it declares none. Raises KeyError for an unknown one."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    return _BY_URI[uri.rstrip("#")] if isinstance(uri, str) else None
