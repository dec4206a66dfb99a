"""The keywords that schemas are written with: of which dialects each is, which only annotate, which other tools add."""

from __future__ import annotations

from difflib import SequenceMatcher

NEVER = 99
_ALL, _6, _7, _19 = (4, 20), (6, 20), (7, 20), (19, 20)

ASSERTING: dict[str, tuple[int, int]] = {
    "type": _ALL, "enum": _ALL, "const": _6,
    "multipleOf": _ALL, "minimum": _ALL, "maximum": _ALL, "exclusiveMinimum": _ALL, "exclusiveMaximum": _ALL,
    "minLength": _ALL, "maxLength": _ALL, "pattern": _ALL, "format": _ALL,
    "items": _ALL, "additionalItems": (4, 19), "prefixItems": (20, 20), "minItems": _ALL, "maxItems": _ALL,
    "uniqueItems": _ALL, "contains": _6, "minContains": _19, "maxContains": _19, "unevaluatedItems": _19,
    "properties": _ALL, "patternProperties": _ALL, "additionalProperties": _ALL, "propertyNames": _6,
    "required": _ALL, "minProperties": _ALL, "maxProperties": _ALL, "dependencies": (4, 7),
    "dependentRequired": _19, "dependentSchemas": _19, "unevaluatedProperties": _19,
    "allOf": _ALL, "anyOf": _ALL, "oneOf": _ALL, "not": _ALL, "if": _7, "then": _7, "else": _7,
    "$ref": _ALL, "$dynamicRef": (20, 20), "$recursiveRef": (19, 19),
}  # fmt: skip
"""Every keyword that may reject something, with the first and the last dialect (`Dialect.year`) that has it."""
NAMING: dict[str, tuple[int, int]] = {
    "$schema": _ALL, "id": (4, 4), "$id": _6, "$anchor": _19, "$dynamicAnchor": (20, 20), "$recursiveAnchor": (19, 19),
    "$defs": _19, "definitions": _ALL, "$vocabulary": _19,
}  # fmt: skip
"""Those that name or hold schemas."""
ANNOTATING: dict[str, tuple[int, int]] = {
    "title": _ALL, "description": _ALL, "default": _ALL, "examples": _6, "$comment": _7, "readOnly": _7,
    "writeOnly": _7, "deprecated": _19, "contentEncoding": _7, "contentMediaType": _7, "contentSchema": _19,
}  # fmt: skip
"""Those that only tell something."""
KEYWORDS: dict[str, tuple[int, int]] = {**ASSERTING, **NAMING, **ANNOTATING}

OLDER = {
    "extends": "allOf", "disallow": "not", "divisibleBy": "multipleOf", "maxDecimal": "multipleOf",
    "optional": "required", "requires": "dependencies",
}  # fmt: skip
"""Keywords of drafts 02 and 03, with what took their place."""
OPENAPI = frozenset(("nullable", "discriminator", "xml", "externalDocs", "example"))
"""What OpenAPI adds to schemas."""
HYPER = frozenset(
    ("links", "base", "media", "fragmentResolution", "pathStart", "binaryEncoding", "targetSchema", "submissionSchema",
     "contentEncoding", "readOnly")
)  # fmt: skip
"""Hyper-schema."""
OTHER_TOOLS = frozenset(
    (
        # ajv and its plugins
        "$async", "$data", "$merge", "$patch", "errorMessage", "instanceof", "typeof", "transform", "regexp", "select",
        "selectCases", "selectDefault", "switch", "formatMinimum", "formatMaximum", "formatExclusiveMinimum",
        "formatExclusiveMaximum", "patternRequired", "prohibited", "deepProperties", "deepRequired", "range",
        "exclusiveRange", "uniqueItemProperties", "allRequired", "anyRequired", "oneRequired", "dynamicDefaults",
        "jtd", "nullable", "discriminator",
        # editors
        "markdownDescription", "enumDescriptions", "markdownEnumDescriptions", "deprecationMessage", "defaultSnippets",
        "patternErrorMessage", "doNotSuggest", "suggestSortText", "allowComments", "allowTrailingCommas",
        "enumItemLabels", "enumDetails", "scope", "order", "editPresentation", "errorMessages", "headerTemplate",
        "propertyOrder", "options", "enumNames", "enumTitles", "enum_titles", "hidden", "watch", "template",
        "uniqueKeys", "itemTitle", "infoText", "keyText", "snippet", "markdown", "hoverText",
        # code generators
        "tsType", "tsEnumNames", "tsEnumDescriptions", "javaType", "javaName", "javaInterfaces", "javaEnumNames",
        "javaEnums", "javaJsonView", "existingJavaType", "extendsJavaClass", "customPattern", "customDateTimePattern",
        "customTimezone", "customTime", "customDate", "excludedFromEqualsAndHashCode", "goJSONSchema", "goType",
        "goName", "rust", "csharpType", "title*", "codegen", "alias", "deprecatedAliases", "aliases", "since",
        "sensitive", "airbyte_secret", "airbyte_hidden", "always_show", "multiline", "pattern_descriptor", "group",
        "display_type", "examplesNote", "unit", "units", "version", "author", "authors", "license", "copyright", "name",
        "namespace", "self", "fileMatch", "url", "$id$", "$comments", "meta", "metadata", "tags", "category", "label",
        "help", "note", "notes", "remarks", "see", "todo",
    )
)  # fmt: skip
"""What other tools add, and what people write beside it; none of it is taken for a misspelling."""
MARKED = ("x-", "X-", "ui:", "meta:", "_", "@", "//", "$$", "-", "#")
"""How names begin that say themselves that they are an extension."""

_SIZES = {
    "string": ("minLength", "maxLength"), "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"), "integer": ("minimum", "maximum"), "number": ("minimum", "maximum"),
}  # fmt: skip
_SIZE_NAMES = {"min": 0, "max": 1, "minSize": 0, "maxSize": 1, "minCount": 0, "maxCount": 1, "length": 1, "size": 1}
SYNONYMS = {
    "minValue": "minimum", "maxValue": "maximum", "numItems": "minItems", "numberOfItems": "minItems",
    "regex": "pattern", "values": "enum", "allowedValues": "enum", "choices": "enum", "oneof": "oneOf",
    "additionalProps": "additionalProperties", "unevaluatedProps": "unevaluatedProperties",
    "patternProps": "patternProperties", "minProps": "minProperties", "maxProps": "maxProperties",
    "exclusiveMin": "exclusiveMinimum", "exclusiveMax": "exclusiveMaximum", "typ": "type",
    "additional": "additionalProperties", "mandatory": "required", "requiredProperties": "required",
    "unique": "uniqueItems", "ref": "$ref", "schema": "$schema", "defs": "$defs",
    "def": "$defs", "types": "type", "enums": "enum", "extends": "allOf",
}  # fmt: skip
"""Names that are far from the keyword that they mean."""


def likely(name: str, year: int, kind: object = None) -> str | None:
    """The keyword of a dialect that a name is a slip for; None where none is near. `kind`: the `type` beside it."""
    if name in _SIZE_NAMES:
        return _SIZES[kind][_SIZE_NAMES[name]] if isinstance(kind, str) and kind in _SIZES else None
    known = sorted(KEYWORDS, key=lambda k: not KEYWORDS[k][0] <= year <= KEYWORDS[k][1])
    for keyword in known:
        if keyword.lower() == name.lower().replace("_", "").replace("-", ""):
            return keyword
    if SYNONYMS.get(name) in known:
        return SYNONYMS[name]
    near = [k for k in known if _slips(name, k) <= (1 if len(k) < 7 else 2 if len(k) < 12 else 3) and len(name) > 3]
    if not near:
        return None
    return min(near, key=lambda k: (_slips(name, k), known.index(k), -SequenceMatcher(None, name, k).ratio(), k))


def is_slip(name: str, keyword: str) -> bool:
    """Whether a name is nothing but a keyword with a slip of the pen."""
    return name not in SYNONYMS and name not in _SIZE_NAMES and _slips(name, keyword) <= 3


def _slips(name: str, keyword: str) -> int:
    """How many letters were lost, doubled, changed or swapped with a neighbour on the way from a keyword to a name."""
    one, other = name.lower(), keyword.lower()
    if abs(len(one) - len(other)) > 3:
        return NEVER
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, row = row, current
    return row[-1]


def is_marked(name: str) -> bool:
    """Whether a name says itself that it is an extension."""
    return name.startswith(MARKED) or ":" in name or "-" in name or " " in name or "." in name
