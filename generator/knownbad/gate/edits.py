"""What an edit says: the leaves that differ between the two sides of a contract, and the mark of an approval."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..contract import Contract
from ..digest import COUNTED, reached, shell, walk
from ..errors import NO_VALUE
from ..pointers import join
from ..values import compact
from .sides import Pair

_MAPS = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas", "dependentRequired")
)
_VALUES = frozenset(("const", "enum", "default", "examples", "required", "type"))
_WIDE = frozenset(("$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id", "id", "$anchor", "$dynamicAnchor"))
"""What says something of other places than its own."""
_WORDS = 8


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place that says another thing than before (`NO_VALUE`: nothing stood or stands there)."""

    schema: str
    location: str
    before: Any
    after: Any

    @property
    def text(self) -> str:
        """In one line, for the mark."""
        sides = ["" if value is NO_VALUE else compact(value) for value in (self.before, self.after)]
        return compact([self.schema, self.location, *sides])

    @property
    def wide(self) -> bool:
        """Whether it says something of other places, too."""
        last = self.location.rpartition("/")[2]
        return last in _WIDE or any(_refers(value) for value in (self.before, self.after))

    def near(self, schema: str, location: str) -> int:
        """How near a place is to it: more for a longer way in common, 0 where neither is inside the other."""
        if self.schema != schema:
            return 0
        if inside(location, self.location):
            return len(location) + 1
        for n, scope in enumerate((location, around(location))):
            if inside(self.location, scope):
                return len(scope) + 2 - n
        return 0


def inside(location: str, scope: str) -> bool:
    """Whether a place is another one or below it."""
    return location == scope or location.startswith(f"{scope}/")


def around(location: str) -> str:
    """The schema around a keyword; a schema that has a name in a map is itself."""
    rest, _, last = location.rpartition("/")
    return rest if last in COUNTED and rest.rpartition("/")[2] not in _MAPS else location


def _refers(value: Any) -> bool:
    if isinstance(value, dict):
        return not _WIDE.isdisjoint(value) or any(map(_refers, value.values()))
    return isinstance(value, list) and any(map(_refers, value))


class Edits:
    """All that was edited of one contract whose two sides can be read."""

    def __init__(self, pair: Pair) -> None:
        assert pair.base is not None
        assert pair.head is not None
        self._pair = pair

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every place that says another thing, annotations aside."""
        assert self._pair.base is not None
        assert self._pair.head is not None
        before, after = self._pair.base.values, self._pair.head.values
        found = [
            leaf
            for name in sorted({*before, *after})
            for leaf in _leaves(name, "", before.get(name, NO_VALUE), after.get(name, NO_VALUE), "schema")
        ]
        return tuple(found)

    @cached_property
    def _everywhere(self) -> list[str]:
        """What every mark holds: references that lead elsewhere now, with what they lead to; dialect and options."""
        assert self._pair.base is not None
        assert self._pair.head is not None
        base, head = self._pair.base.contract, self._pair.head.contract
        assert base is not None
        assert head is not None
        wide = [leaf for leaf in self.leaves if leaf.wide]
        texts = [leaf.text for leaf in wide]
        for one in (base, head) if wide else ():
            texts.extend(_targets(one, wide))
        if base.formats != head.formats:
            texts.append(f"formats {base.formats} {head.formats}")
        if base.dialect != head.dialect:
            texts.append(f"dialect {base.dialect.name} {head.dialect.name}")
        return texts

    def at(self, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[Leaf]]:
        """The leaves that each of these places stands for: those that no other place is nearer to."""
        shares: dict[tuple[str, str], list[Leaf]] = {place: [] for place in places}
        for leaf in self.leaves:
            near = {place: leaf.near(*place) for place in shares}
            best = max(near.values(), default=0)
            for place, distance in near.items():
                if distance and (distance == best or inside(place[1], leaf.location)):
                    shares[place].append(leaf)
        return shares

    def mark(self, leaves: Iterable[Leaf] | None = None) -> str:
        """Of some leaves, or of all."""
        return hashed([*(leaf.text for leaf in (self.leaves if leaves is None else leaves)), *self._everywhere])


def hashed(texts: Iterable[str]) -> str:
    """12 hex digits of some texts, in whatever order they come."""
    return hashlib.sha256("\n".join(sorted(set(texts))).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def fallen(leaves: Iterable[Leaf]) -> tuple[str, ...]:
    """A line about the keywords that stand no longer where they stood, if any."""
    gone: Counter[str] = Counter()
    for leaf in leaves:
        name = leaf.location.rpartition("/")[2]
        kept = leaf.after if isinstance(leaf.after, dict) else {}
        if isinstance(leaf.before, dict) and name not in COUNTED - {"items", "not", "contains"}:
            gone.update(key for key in leaf.before if key in COUNTED and key not in kept)
        elif leaf.after is NO_VALUE:
            gone[name] += 1
    if not gone:
        return ()
    words = [f"`{name}`" + (f" ({n} times)" if n > 1 else "") for name, n in sorted(gone.items())]
    more = [f"and {len(words) - _WORDS} more"] if len(words) > _WORDS else []
    return (f"what fell away: {', '.join([*words[:_WORDS], *more])}",)


def _leaves(schema: str, location: str, before: Any, after: Any, kind: str) -> Iterator[Leaf]:
    """`kind` of both values: a `schema`, a `map` of them by names, or another `value`."""
    before, after = _plain(before, kind), _plain(after, kind)
    if before is not NO_VALUE and after is not NO_VALUE and compact(before) == compact(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and kind != "value":
        for key in sorted({*before, *after}):
            below = "schema" if kind == "map" else _kind(key)
            one, other = before.get(key, NO_VALUE), after.get(key, NO_VALUE)
            yield from _leaves(schema, join(location, key), one, other, below)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and kind == "schema":
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _leaves(schema, join(location, number), one, other, kind)
    elif before is not NO_VALUE or after is not NO_VALUE:
        yield Leaf(schema, location, before, after)


def _kind(keyword: str) -> str:
    return "map" if keyword in _MAPS else "value" if keyword in _VALUES else "schema"


def _plain(value: Any, kind: str) -> Any:
    """Without annotations; names in `required`, `type` and `enum` in one order."""
    if isinstance(value, list):
        if kind == "schema":
            return [_plain(item, kind) for item in value]
        return sorted(value, key=compact) if kind == "value" else value
    if not isinstance(value, dict) or kind == "value":
        return value
    if kind == "map":
        return {key: _plain(item, "schema") for key, item in value.items()}
    known = {key: item for key, item in value.items() if key in COUNTED or key in ("$defs", "definitions")}
    return {key: _plain(item, _kind(key)) for key, item in known.items() if key not in ("default", "examples")}


def _targets(contract: Contract, wide: list[Leaf]) -> Iterator[str]:
    """All that the edited references of a contract lead to."""
    for sub in reached(contract):
        value = sub.value
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            continue
        place = join(sub.pointer, "$ref")
        if any(leaf.schema == sub.document.name and inside(place, leaf.location) for leaf in wide):
            try:
                target = contract.target(sub, value["$ref"])
            except LookupError:
                continue
            if target is not None:
                for one in walk(contract, [target], definitions=False):
                    yield compact([one.document.name, one.pointer, shell(one)])
