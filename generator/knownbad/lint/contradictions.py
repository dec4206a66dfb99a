"""Subschemas that nothing satisfies, with the keywords that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..algebra import Empty
from ..codes.lint import UNSATISFIABLE
from ..contract import Subschema
from ..pointers import get
from ..witness.strings import unmatchable
from .look import Look, Spotted, asserted, is_number, listed, said, shown, strings_of

_BOUNDS = (
    ("minLength", "maxLength", "string"), ("minItems", "maxItems", "array"),
    ("minProperties", "maxProperties", "object"), ("minContains", "maxContains", "array"),
)  # fmt: skip
_PLAIN = frozenset(
    ("type", "properties", "patternProperties", "items", "prefixItems", "additionalItems", "additionalProperties",
     "required", "format", "propertyNames", "uniqueItems", "minProperties", "unevaluatedProperties", "unevaluatedItems")
)  # fmt: skip
"""Keywords that exclude each other only by what stands below them, or by a rule of its own."""
_TELLING = frozenset(
    ("allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "contains", "minItems", "maxProperties", "$ref",
     "$dynamicRef", "$recursiveRef", "dependentRequired", "dependentSchemas", "dependencies")
)  # fmt: skip
"""Keywords of which one alone may go against a plain one."""
_MANY = 14
"""Parts up to which it is worked out which of them exclude each other."""


def contradiction(look: Look) -> Iterator[Spotted]:
    """Bounds that cross, and subschemas that are proved to accept nothing at all."""
    empty: list[Subschema] = []
    for sub in sorted(look.objects, key=lambda s: (-s.pointer.count("/"), s.document.uri, s.pointer)):
        crossed = _crossed(sub)
        if crossed is not None:
            low, high, kind = crossed
            message = f"no {kind} satisfies both {shown(low)} and {shown(high)}"
            detail = tuple(f"{k}: {_brief(said(sub)[k])}" for k in (low, high))
            yield look.spotted(UNSATISFIABLE, sub, message, subject=f"{low} {high}", detail=detail)
            empty.append(sub)
        elif _may_be_empty(sub) and not _closed_out(sub) and _is_empty(look, sub):
            if not any(_inside(look, sub, other) for other in empty):
                yield _told(look, sub)
            empty.append(sub)
    root = look.contract.root
    if empty and root not in empty and isinstance(root.value, dict) and _is_empty(look, root):
        message = "nothing satisfies the whole schema: what is empty below is required"
        yield look.spotted(UNSATISFIABLE, root, message, subject="all")


def _crossed(sub: Subschema) -> tuple[str, str, str] | None:
    value = said(sub)
    for low, high, kind in _BOUNDS:
        if low.endswith("Contains") and (sub.dialect.year < 19 or "contains" not in value):
            continue
        if is_number(value.get(low)) and is_number(value.get(high)) and value[low] > value[high]:
            return low, high, kind
    for bound in ("minLength", "maxLength") if "pattern" in value else ():
        shape = strings_of(sub, {k: value[k] for k in (bound, "pattern")}) if bound in value else None
        if shape is not None and unmatchable(shape):
            return "pattern", bound, "string"
    lows = [(value[k], k == "exclusiveMinimum", k) for k in ("minimum", "exclusiveMinimum") if is_number(value.get(k))]
    highs = [(value[k], k == "exclusiveMaximum", k) for k in ("maximum", "exclusiveMaximum") if is_number(value.get(k))]
    for least, above, low in lows:
        for most, below, high in highs:
            open_ = above or below or sub.dialect.year == 4 and _open_in_04(value)
            if least > most or least == most and open_:
                return low, high, "number"
    return None


def _open_in_04(value: dict[str, Any]) -> bool:
    return value.get("exclusiveMinimum") is True or value.get("exclusiveMaximum") is True


def _may_be_empty(sub: Subschema) -> bool:
    """Whether a schema says something of which several parts may exclude each other; the rest is not asked about."""
    value = asserted(sub)
    if not value or len(value) == 1 and not {"allOf", "anyOf", "oneOf", "enum", "required"} & set(value):
        return False  # a `not: {}` alone is meant
    if value.get("enum") == []:
        return False
    rest = set(value) - _PLAIN
    return len(rest) > 1 or bool(rest & _TELLING)


def _closed_out(sub: Subschema) -> bool:
    """Whether a required name is forbidden, of which another rule tells."""
    value = said(sub)
    required, members = value.get("required"), value.get("properties")
    names = members if isinstance(members, dict) else {}
    closed = value.get("additionalProperties") is False and "patternProperties" not in value
    return closed and isinstance(required, list) and any(name not in names for name in required)


def _is_empty(look: Look, sub: Subschema, value: Any = None) -> bool:
    schema = look.alone(sub) if value is None else look.alone(sub, value)
    return schema is not None and isinstance(look.ask("unsatisfiable", schema, dialect=sub.dialect), Empty)


def _inside(look: Look, sub: Subschema, other: Subschema) -> bool:
    """Whether `other` may be the reason why `sub` is empty: it stands in it, or a reference leads there."""
    if other.document is sub.document and other.pointer.startswith(sub.pointer + "/"):
        return True
    return other is not sub and any(target is other for target in _targets(look, sub))


def _targets(look: Look, sub: Subschema) -> list[Subschema]:
    """What the references in a subschema lead to, one after the other."""
    found: list[Subschema] = []
    pending = [sub]
    while pending and len(found) < 40:
        here = pending.pop()
        inner = [
            s for s in look.objects if s.document is here.document and f"{s.pointer}/".startswith(f"{here.pointer}/")
        ]
        for one in inner:
            reference = one.value.get("$ref")
            target = look.contract.target(one, reference) if isinstance(reference, str) else None
            if target is not None and target not in found:
                found.append(target)
                pending.append(target)
    return found


def _told(look: Look, sub: Subschema) -> Spotted:
    parts = _conflict(look, sub)
    names = [part.partition("/")[0] for part in parts]
    named = listed(list(dict.fromkeys(names)))
    if len(parts) == 1:
        message = f"nothing satisfies {named}"
    elif len(set(names)) == 1:
        message = f"nothing satisfies these branches of {named} together"
    else:
        message = f"nothing satisfies {named} together"
    detail = tuple(f"{part}: {_brief(get(sub.value, '/' + part))}" for part in parts)
    return look.spotted(UNSATISFIABLE, sub, message, subject=" ".join(parts), detail=detail)


def _brief(value: Any) -> str:
    from ..errors import shorten

    return shorten(value, 90)


def _conflict(look: Look, sub: Subschema) -> list[str]:
    """The least parts that exclude each other, as pointers without the first slash; each is needed for it."""
    value = asserted(sub)
    parts: list[str] = []
    for keyword, held in value.items():
        if keyword == "allOf" and isinstance(held, list):
            parts.extend(f"allOf/{number}" for number in range(len(held)))
        else:
            parts.append(keyword)
    if len(parts) > _MANY:
        return list(dict.fromkeys(part.partition("/")[0] for part in parts))
    left = list(parts)
    for part in parts:
        rest = [p for p in left if p != part]
        if rest and _is_empty(look, sub, _with(value, rest)):
            left = rest
    return left


def _with(value: dict[str, Any], parts: list[str]) -> dict[str, Any]:
    kept: dict[str, Any] = {k: v for k, v in value.items() if k in parts}
    branches = [value["allOf"][int(p.partition("/")[2])] for p in parts if p.startswith("allOf/")]
    return {**kept, "allOf": branches} if branches else kept
