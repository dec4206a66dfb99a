"""Names of fixture files: ASCII, readable, at most 100 characters with the suffix, unique without regard to case."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from .keywords.mutation import Mutation
from .witness.routes import Route

LONGEST = 90
"""Characters of a slug; `.json` and a digest that tells twins apart still fit into 100."""
_RESERVED = frozenset(
    ("corpus", "con", "prn", "aux", "nul", *(f"com{i}" for i in range(10)), *(f"lpt{i}" for i in range(10)))
)
_TELLING = ("with-", "without-", "extra-", "forbidden", "recursion-")
"""Beginnings of names that need no keyword before them."""
_PLACES = {
    "items": "item", "prefixItems": "item", "additionalItems": "item", "unevaluatedItems": "item", "contains": "item",
    "additionalProperties": "", "unevaluatedProperties": "", "propertyNames": "name", "patternProperties": "member",
}  # fmt: skip


def ascii_slug(text: str) -> str:
    """`text` in characters that are safe in every file name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-_")


def slug_of(mutation: Mutation, route: Route) -> str:
    """What the witness of a mutation is called: the members on the way to it, the keyword, what is done to it."""
    parts = []
    for edge in route:
        if edge[0] == "properties":
            parts.append(str(edge[1]))
        elif edge[0] in ("anyOf", "oneOf"):
            parts.append(f"{edge[0]}{edge[1]}")
        elif edge[0] in _PLACES:
            parts.append(_PLACES[str(edge[0])])
    named = mutation.slug.startswith(_TELLING)
    keyword = mutation.name.partition(".")[0]
    parts += [mutation.slug] if named else [keyword, mutation.slug]
    return shortened("-".join(p for p in map(ascii_slug, parts) if p), mutation.class_)


def shortened(slug: str, identity: str) -> str:
    """A slug of at most `LONGEST` characters; what is cut is told apart by a digest of `identity`."""
    if not slug or slug.lower() in _RESERVED:
        slug = f"{slug}-fixture".lstrip("-")
    if len(slug) > LONGEST:
        slug = f"{slug[: LONGEST - 9].rstrip('-_')}-{tag(identity)}"
    return slug


def tag(identity: str) -> str:
    """Eight hexadecimal digits that stand for `identity`."""
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class Names:
    """Hands out slugs, none twice."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}

    def take(self, slug: str, identity: str) -> str:
        """`slug`, or a variant of it that depends on `identity` alone when it is taken."""
        name = slug
        if name.lower() in self._taken:
            name = f"{slug[: LONGEST - 9].rstrip('-_')}-{tag(identity)}"
        number = 2
        while name.lower() in self._taken:
            name = f"{slug[: LONGEST - 12].rstrip('-_')}-{tag(identity)}-{number}"
            number += 1
        self._taken.add(name.lower())
        return name
