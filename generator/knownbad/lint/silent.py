"""Keywords that do nothing where they stand: nothing is accepted or rejected for their sake, which is proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..algebra import Empty
from ..codes.lint import SILENT
from ..contract import Subschema
from ..formats import standing
from ..keywords.general import type_mask
from ..keywords.vacuous import TYPES_OF, accepts_all
from ..values import compact
from ..witness.regex import matches
from ..witness.strings import StringShape, unmatchable
from .look import Look, Repair, Spotted, asserted, is_number, shown, strings_of, table

_PARTNERS = {
    "then": "if", "else": "if", "minContains": "contains", "maxContains": "contains",
}  # fmt: skip
_DECLARING = frozenset(
    ("type", "properties", "patternProperties", "required", "items", "prefixItems", "$ref", "format")
)  # fmt: skip
"""Keywords that also tell a reader or a tool something, so that they may say what another one says."""
_EVALUATING = frozenset(
    ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "contains", "$ref",
     "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems")
)  # fmt: skip
"""Keywords that tell `unevaluatedProperties` and `unevaluatedItems` something even where they reject nothing."""
_READERS = ("unevaluatedProperties", "unevaluatedItems")


def silent_keyword(look: Look) -> Iterator[Spotted]:
    """One finding for each keyword that does nothing, by the plainest reason."""
    read = _is_read(look)
    for sub in look.objects:
        told: set[str] = set()
        for keyword, why in _reasons(look, sub):
            if keyword in told or read and keyword in _EVALUATING or look.refers_below(sub, keyword):
                continue
            told.add(keyword)
            yield _told(look, sub, keyword, why, read)


def _told(look: Look, sub: Subschema, keyword: str, why: str, read: bool) -> Spotted:
    free = not isinstance(sub.value[keyword], (dict, list)) and not read
    return look.spotted(
        SILENT,
        sub,
        f"{shown(keyword)} does nothing: {why}",
        keyword,
        subject=keyword,
        fix="remove it, or say what was meant",
        repair=Repair("drop", look.pointer(sub, keyword)) if free else None,
    )


def _reasons(look: Look, sub: Subschema) -> Iterator[tuple[str, str]]:
    value = asserted(sub)
    for finder in _FINDERS:
        yield from finder(look, sub, value)


def _of_other_types(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "type" not in value:
        return
    kinds = type_mask(value["type"])
    for keyword, held in value.items():
        speaks = TYPES_OF.get(keyword)
        if speaks is None or kinds & speaks:
            continue
        if keyword == "format" and (not isinstance(held, str) or standing(held, sub.dialect) == "none"):
            continue
        named = value["type"] if isinstance(value["type"], str) else " or ".join(map(str, value["type"]))
        yield keyword, f"it is about {_NAMES[keyword]}, and `type` lets through {named} only"


_NAMES = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "numbers"),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "strings"),
    **dict.fromkeys(
        ("prefixItems", "items", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems",
         "unevaluatedItems"),
        "arrays",
    ),
    **dict.fromkeys(
        ("properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties",
         "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"),
        "objects",
    ),
}  # fmt: skip


def _without_partner(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for keyword, partner in _PARTNERS.items():
        if keyword in value and partner not in value:
            yield keyword, f"there is no {shown(partner)} beside it"
    if "if" in value and "then" not in value and "else" not in value and not _annotates(value["if"]):
        yield "if", "there is no `then` and no `else` beside it"
    rest = value.get("additionalItems")
    if rest is not None and rest not in (True, {}) and not isinstance(value.get("items"), list):
        yield "additionalItems", "there is no array of `items` beside it"


def _annotates(schema: Any) -> bool:
    """Whether a condition may be there for what it annotates or evaluates."""
    return isinstance(schema, dict) and any(
        k in schema for k in ("properties", "title", "description", "$ref", "allOf")
    )


_STRONGER = (
    ("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1),
)  # fmt: skip


def _beside_stronger(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for loose, tight, sign in _STRONGER:
        one: Any = value.get(loose)
        other: Any = value.get(tight)
        if not is_number(one) or not is_number(other):
            continue
        if sign * other >= sign * one:
            yield loose, f"{shown(tight)} beside it says more"
        else:
            yield tight, f"{shown(loose)} beside it says more"
    required = value.get("required")
    least: Any = value.get("minProperties")
    if isinstance(required, list) and is_number(least) and 0 < least <= len(required):
        yield "minProperties", "`required` beside it asks for as many"
    names = value.get("propertyNames")
    if (
        isinstance(names, dict)
        and names
        and set(names) <= {"type", "title", "description"}
        and names.get("type") == "string"
    ):
        yield "propertyNames", "every name is a string"


def _names_all_matched(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """A closure beside patterns that leave it no name."""
    patterns = table(value, "patternProperties")
    closure = value.get("additionalProperties")
    if not patterns or closure is None or closure in (True, {}) or len(patterns) > 8:
        return
    if unmatchable(StringShape(not_patterns=tuple(patterns), dialect=sub.dialect)):
        if len(patterns) == 1 and next(iter(patterns)) in ("", ".*", "^.*$", ".+", "^.+$", "."):
            return  # every name is meant
        yield "additionalProperties", "the patterns of `patternProperties` match every name"


def _by_enum(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands beside an enum or a const that leaves it nothing to reject."""
    from ..compiled import ValidatorFailed

    members = value["enum"] if isinstance(value.get("enum"), list) else None
    name = "enum"
    if members is None and "const" in value:
        members, name = [value["const"]], "const"
    others = [k for k in value if k not in ("enum", "const", "type", "$ref", *_READERS)]
    if not members or not others or len(members) > 500:
        return
    speaking = type_mask(value["type"]) if "type" in value else None
    for keyword in others:
        if keyword == "format" or speaking is not None and not TYPES_OF.get(keyword, speaking) & speaking:
            continue
        plain = [_holds(keyword, value[keyword], member) for member in members]
        if None not in plain:
            if all(plain) and not _says_nothing_openly(keyword, value[keyword]) and _any_accepted(look, sub, members):
                yield keyword, f"it rejects no member of {shown(name)} beside it"
            continue
        rest = {k: v for k, v in sub.value.items() if k != keyword}
        try:
            check = look.oracle.alone(sub, rest)
            same = all(check(member) == (look.local(sub, member) is True) for member in members)
        except (ValidatorFailed, LookupError):
            continue
        if same and _any_accepted(look, sub, members):
            yield keyword, f"it rejects no member of {shown(name)} beside it"


def _any_accepted(look: Look, sub: Subschema, members: list[Any]) -> bool:
    return any(look.local(sub, member) for member in members)


def _holds(keyword: str, held: Any, member: Any) -> bool | None:
    """Whether a member satisfies a plain keyword; None where that is left to a validator."""
    if keyword in ("minLength", "maxLength") and is_number(held):
        size = len(member) if isinstance(member, str) else held
        return bool(size >= held if keyword == "minLength" else size <= held)
    if keyword in ("minimum", "maximum") and is_number(held):
        number = member if is_number(member) else held
        return bool(number >= held if keyword == "minimum" else number <= held)
    if keyword == "pattern" and isinstance(held, str):
        return matches(held, member) if isinstance(member, str) else True
    return None


def _by_pattern(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Lengths that a pattern says already, and a pattern that says nothing beside the lengths."""
    said_of_strings = [k for k in ("minLength", "maxLength", "pattern") if k in value]
    if "pattern" not in value or len(said_of_strings) < 2:
        return
    for keyword in said_of_strings:
        shape = strings_of(sub, {k: value[k] for k in said_of_strings if k != keyword}, (keyword, value[keyword]))
        if shape is not None and not _says_nothing_openly(keyword, value[keyword]) and unmatchable(shape):
            yield keyword, "what stands beside it says as much of every string"


def _repeated(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for keyword in ("anyOf",):
        branches = value.get(keyword)
        if not isinstance(branches, list) or len(branches) < 2:
            continue
        for index, branch in enumerate(branches):
            child = look.contract.child(sub, keyword, index)
            if branch in ({}, True) or isinstance(branch, dict) and accepts_all(look.contract, child):
                yield keyword, f"its branch {index} accepts everything"
                break


_SAYING_MUCH = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "multipleOf", "contains"))


def _implied(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What the other keywords beside it say already, by the algebra."""
    if len(value) < 2 or any(k in value for k in _READERS):
        return
    asked = [k for k in value if k not in _DECLARING and not _says_nothing_openly(k, value[k])]
    strong = [
        k for k in value if k in ("allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "pattern", "multipleOf")
    ]
    if not strong or not asked:
        return
    whole = look.alone(sub)
    if whole is None:
        return
    for keyword in asked:
        if set(strong) <= {keyword} and keyword not in ("not", "anyOf", "allOf", "oneOf", "contains"):
            continue
        if keyword in ("additionalProperties", "then", "else", "minContains", "maxContains"):
            continue
        if keyword == "allOf" and any(
            accepts_all(look.contract, c) for s, c in look.contract.children(sub) if s[0] == "allOf"
        ):
            continue  # it is there for what it tells
        rest = {k: v for k, v in sub.value.items() if k != keyword and not (keyword == "if" and k in ("then", "else"))}
        if "format" in rest and keyword in ("minLength", "maxLength", "pattern"):
            rest = {k: v for k, v in rest.items() if k != "format"}
            without = look.alone(sub, {k: v for k, v in sub.value.items() if k != "format"})
        else:
            without = whole
        loose = look.alone(sub, rest)
        if loose is None or without is None or compact(loose) == compact(without):
            continue
        if isinstance(look.ask("difference", loose, without, dialect=sub.dialect), Empty):
            if not isinstance(look.ask("difference", without, loose, dialect=sub.dialect), Empty):
                continue  # others look at it: without it they say more
            if isinstance(look.ask("unsatisfiable", without, dialect=sub.dialect), Empty):
                return  # nothing does anything where nothing is accepted
            yield keyword, "what stands beside it says as much"


def _tells_only(look: Look, sub: Subschema) -> bool:
    """Whether a branch of `allOf` is there for what it tells."""
    branches = [child for path, child in look.contract.children(sub) if path[0] == "allOf"]
    return any(accepts_all(look.contract, branch) for branch in branches)


def _nothing_left(look: Look, sub: Subschema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What looks at the members that are left, where none are."""
    if "unevaluatedProperties" in value and "additionalProperties" in value and value["unevaluatedProperties"] is False:
        yield "unevaluatedProperties", "`additionalProperties` beside it has looked at every member"


_FINDERS = (
    _nothing_left,
    _of_other_types, _without_partner, _beside_stronger, _names_all_matched, _by_enum, _by_pattern, _repeated, _implied,
)  # fmt: skip


def _says_nothing_openly(keyword: str, held: Any) -> bool:
    """`minLength: 0`, `additionalProperties: true` and the like: written down to be clear."""
    if (held is True or held == {} or held == []) and keyword not in ("enum", "const"):
        return True
    return keyword.startswith("min") and held == 0 or keyword == "uniqueItems" and not held


def _is_read(look: Look) -> bool:
    """Whether something asks what keywords have looked at, so that one may count that rejects nothing."""
    return any(keyword in sub.value for sub in look.objects for keyword in _READERS)
