"""What a schema is written in: its dialect, and keywords that are of another one or of none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import openapi
from ..codes.lint import NO_DIALECT, OTHER_DRAFT, UNKNOWN_KEYWORD
from ..contract import Document, Subschema
from ..dialects import DIALECTS, Dialect
from ..finding import Level
from .look import Look, Repair, Spotted, is_number, said, shown
from .vocabulary import ANNOTATING, ASSERTING, HYPER, KEYWORDS, OLDER, OPENAPI, OTHER_TOOLS, is_marked, is_slip, likely


def no_dialect(look: Look) -> Iterator[Spotted]:
    """Whole documents without `$schema`. A part of another document is read in that one's dialect."""
    for document in look.documents:
        value = document.value
        root = look.contract.known(document.uri, "")
        if root is None or not document.whole or not isinstance(value, dict) or "$schema" in value:
            continue
        if "#" in document.name or set(value) <= {"$ref", "title", "description", "$comment"}:
            continue
        read = document.dialect
        yield look.spotted(
            NO_DIALECT,
            root,
            f"declares no dialect: here it is read as {read.name}, other tools may take it for another one",
            fix=f'add "$schema": "{read.uri}"',
            repair=Repair("add", look.pointer(root), "$schema", read.uri),
        )


def other_draft(look: Look) -> Iterator[Spotted]:
    """Keywords of another dialect, which say nothing in this one."""
    for sub in look.objects:
        described = _described(sub.document)
        for keyword in said(sub):
            years = KEYWORDS.get(keyword)
            if years is not None and not years[0] <= sub.dialect.year <= years[1]:
                yield from _other(look, sub, keyword, years)
            elif keyword in OPENAPI and not described:
                yield from _of_openapi(look, sub, keyword)
            elif keyword in OLDER and keyword not in KEYWORDS and _is_older(keyword, sub.value[keyword]):
                yield look.spotted(
                    OTHER_DRAFT,
                    sub,
                    f"{shown(keyword)} is of draft-03 and earlier: it says nothing in {sub.dialect.name}",
                    keyword,
                    subject=keyword,
                    fix=f"say it with {shown(OLDER[keyword])}",
                )


def _other(look: Look, sub: Subschema, keyword: str, years: tuple[int, int]) -> Iterator[Spotted]:
    value = sub.value[keyword]
    if keyword == "id" and not _identifies(value):
        return
    if keyword in ("then", "else") and "if" not in sub.value:
        return  # a property that was meant, or nothing at all
    if keyword in HYPER and sub.dialect.year == 4:
        return
    level = None
    if keyword in ANNOTATING:
        level = Level.NOTE
    elif keyword == "dependencies" or keyword in ("$defs", "id", "$id", "$anchor"):
        level = Level.WARNING
    says = f"it says nothing in {sub.dialect.name}"
    if keyword == "dependencies":
        says = f"in {sub.dialect.name} it is no keyword any more, though validators still know it"
    yield look.spotted(
        OTHER_DRAFT,
        sub,
        f"{shown(keyword)} is of {_named(years)}: {says}",
        keyword,
        subject=keyword,
        fix=_instead(keyword, sub.dialect, value),
        level=level,
    )


def _identifies(value: Any) -> bool:
    return isinstance(value, str)


def _is_older(keyword: str, value: Any) -> bool:
    kinds = {"extends": (dict, list, str), "disallow": (str, list), "optional": (bool,), "requires": (str, dict)}
    return isinstance(value, kinds.get(keyword, (int, float)))


def _named(years: tuple[int, int]) -> str:
    first, last = (next(d.name for d in DIALECTS if d.year == year) for year in years)
    if years[1] == DIALECTS[-1].year:
        return first if first == last else f"{first} and later"
    return f"{last} and earlier" if years[0] == DIALECTS[0].year and first != last else first


_SUCCESSORS: dict[str, str] = {
    "id": "$id", "$id": "id", "definitions": "$defs", "$defs": "definitions", "additionalItems": "items",
    "dependencies": "dependentRequired or dependentSchemas", "dependentRequired": "dependencies",
    "dependentSchemas": "dependencies", "prefixItems": "an array of items", "$recursiveRef": "$dynamicRef",
    "$recursiveAnchor": "$dynamicAnchor", "$dynamicRef": "$recursiveRef", "$dynamicAnchor": "$recursiveAnchor",
    "const": "enum with one member", "unevaluatedProperties": "additionalProperties",
}  # fmt: skip


def _instead(keyword: str, dialect: Dialect, value: Any) -> str:
    later = KEYWORDS[keyword][0] > dialect.year
    newer = next((d for d in DIALECTS if d.year >= KEYWORDS[keyword][0]), DIALECTS[-1])
    other = _SUCCESSORS.get(keyword)
    move = f"declare {newer.name}" if later else ""
    use = f"use {other if ' ' in other else shown(other)}" if other else ""
    return " or ".join(part for part in (use, move) if part) or "remove it"


def _of_openapi(look: Look, sub: Subschema, keyword: str) -> Iterator[Spotted]:
    value = sub.value[keyword]
    if keyword == "nullable":
        if value is True:
            fix = 'add "null" to `type`'
            told = "`nullable` is of OpenAPI 3.0: here it says nothing, and null is not accepted for it"
            yield look.spotted(OTHER_DRAFT, sub, told, keyword, subject=keyword, fix=fix)
    elif keyword == "example":
        message = "`example` is of OpenAPI: tools of JSON Schema look at `examples`"
        way = "write it as the only item of `examples`" if sub.dialect.year >= 6 else None
        yield look.spotted(OTHER_DRAFT, sub, message, keyword, subject=keyword, fix=way, level=Level.NOTE)
    elif keyword == "discriminator":
        message = "`discriminator` is of OpenAPI: it says nothing here, all branches are tried"
        yield look.spotted(OTHER_DRAFT, sub, message, keyword, subject=keyword, level=Level.NOTE)


def _described(document: Document) -> bool:
    value = document.value
    return openapi.version(value) is not None or isinstance(value, dict) and "asyncapi" in value or not document.whole


def unknown_keyword(look: Look) -> Iterator[Spotted]:
    """Keywords that no dialect has: slips of the pen, and what no one knows."""
    for sub in look.objects:
        if _described(sub.document) and sub.pointer == "":
            continue
        for keyword, value in said(sub).items():
            if not _is_unknown(keyword):
                continue
            if look.refers_below(sub, keyword):
                continue
            meant = likely(keyword, sub.dialect.year, sub.value.get("type"))
            if (
                meant is not None
                and meant not in sub.value
                and not isinstance(value, dict | list)
                or (meant is not None and meant not in sub.value and _fits(meant, value))
            ):
                yield _misspelled(look, sub, keyword, meant)
            elif meant is not None and meant in sub.value and is_slip(keyword, meant) and _fits(meant, value):
                yield look.spotted(
                    UNKNOWN_KEYWORD,
                    sub,
                    f"{shown(keyword)} is no keyword of {sub.dialect.name}: it says nothing",
                    keyword,
                    subject=keyword,
                    fix=f"{shown(meant)}? It stands beside it already, so nobody but you can merge the two",
                    level=None if meant in ASSERTING else Level.WARNING,
                )
            elif isinstance(value, dict) and _is_schema_like(value):
                yield look.spotted(
                    UNKNOWN_KEYWORD,
                    sub,
                    f"{shown(keyword)} is no keyword: the schema in it is applied to nothing",
                    keyword,
                    subject=keyword,
                    fix="move it into `properties` if it is a property",
                    level=Level.WARNING,
                )
            else:
                yield look.spotted(
                    UNKNOWN_KEYWORD,
                    sub,
                    f"{shown(keyword)} is no keyword of {sub.dialect.name}: it says nothing",
                    keyword,
                    subject=keyword,
                    fix="call it `x-...` if it is meant for a tool of yours",
                    level=Level.NOTE,
                )


def _misspelled(look: Look, sub: Subschema, keyword: str, meant: str) -> Spotted:
    asserts = meant in ASSERTING
    fix = f"{shown(meant)}?"
    certain = asserts and is_slip(keyword, meant) and _fits(meant, sub.value[keyword])
    return look.spotted(
        UNKNOWN_KEYWORD,
        sub,
        f"{shown(keyword)} is no keyword of {sub.dialect.name}: it says nothing",
        keyword,
        subject=keyword,
        fix=fix,
        level=None if asserts or meant in ("$ref", "$id") else Level.WARNING,
        repair=Repair("rename", look.pointer(sub, keyword), meant, keeps=False) if certain else None,
    )


def _is_unknown(keyword: str) -> bool:
    if keyword in KEYWORDS or keyword in OPENAPI or keyword in OLDER or keyword in HYPER or keyword in OTHER_TOOLS:
        return False
    return not is_marked(keyword)


_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (int, float)),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
         "maxContains"),
        (int,),
    ),
    **dict.fromkeys(("pattern", "format", "$ref", "$schema", "$id", "id", "title", "description"), (str,)),
    **dict.fromkeys(("required", "enum", "allOf", "anyOf", "oneOf", "prefixItems", "examples"), (list,)),
    **dict.fromkeys(
        ("properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "dependencies",
         "dependentRequired"),
        (dict,),
    ),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "items",
                     "contains", "propertyNames", "not", "if", "then", "else"), (dict, bool)),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated"), (bool,)),
    "type": (str, list),
}  # fmt: skip


def _fits(meant: str, value: Any) -> bool:
    """Whether a value could be that of the keyword."""
    kinds = _KINDS.get(meant, (object,))
    if isinstance(value, bool) and bool not in kinds and object not in kinds:
        return False
    if meant == "type":
        names = value if isinstance(value, list) else [value]
        known = ("null", "boolean", "integer", "number", "string", "array", "object")
        return all(name in known for name in names)
    return isinstance(value, kinds)


def _is_schema_like(value: dict[str, Any]) -> bool:
    kinds = ("type", "properties", "$ref", "enum", "items", "anyOf", "oneOf", "allOf")
    return any(k in value and _fits(k, value[k]) for k in kinds)


def shape_of_another_draft(location: str, value: Any) -> tuple[str, str] | None:
    """What is to be said of a value that the metaschema refuses, and the way out, where another dialect allows it."""
    keyword = location.rpartition("/")[2]
    if keyword == "items" and isinstance(value, list):
        return "an array of `items` is of 2019-09 and earlier", "use `prefixItems`, or declare 2019-09"
    if keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        bound = keyword.removeprefix("exclusive").lower()
        if isinstance(value, bool):
            return (
                f"a boolean {shown(keyword)} is of draft-04",
                f"write the bound itself: {shown(keyword)} for `{bound}`",
            )
        if is_number(value):
            return f"a number for {shown(keyword)} is of draft-06 and later", f"write `{bound}` and `{keyword}: true`"
    if keyword == "required" and isinstance(value, bool):
        return "a boolean `required` is of draft-03", "name the property in `required` of the object that holds it"
    if keyword == "type" and value == "any":
        return "the type `any` is of draft-03", "leave `type` out"
    if keyword == "type" and isinstance(value, dict):
        return "a schema in `type` is of draft-03", "use `anyOf`"
    return None
