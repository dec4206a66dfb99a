"""Pairs of schemas with the verdict of the second against the first; and refactorings, which change nothing."""

from __future__ import annotations

from typing import Any

D4, D6, D7 = (f"http://json-schema.org/draft-0{n}/schema#" for n in (4, 6, 7))
D19, D20 = "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"
SAME, LESS, MORE, BOTH = "equivalent", "narrowed", "widened", "both"

CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}
NODE = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}
TREE = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}}
NAMED = {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer", "minimum": 0}}

PAIRS: dict[str, tuple[Any, Any, str]] = {
    "an object opened": (CLOSED, OPEN, MORE),
    "an optional member in a closed object": (
        CLOSED,
        {**CLOSED, "properties": {**CLOSED["properties"], "b": {}}},
        MORE,
    ),
    "an optional member in an open object": (OPEN, {**OPEN, "properties": {**OPEN["properties"], "b": False}}, LESS),
    "a member required": (OPEN, {**OPEN, "required": ["a"]}, LESS),
    "a bound written otherwise": (
        {"type": "integer", "minimum": 1},
        {"type": "integer", "exclusiveMinimum": 0},
        SAME,
    ),
    "a bound that is no integer": ({"type": "integer", "minimum": 0.5}, {"type": "integer", "minimum": 1}, SAME),
    "a bound of numbers": ({"minimum": 0.5}, {"minimum": 1}, LESS),
    "multiples of multiples": ({"multipleOf": 4}, {"multipleOf": 2}, MORE),
    "a const exchanged": ({"const": 1}, {"const": 2}, BOTH),
    "an enum reordered": ({"enum": [1, "a", None]}, {"enum": ["a", None, 1.0]}, SAME),
    "an enum that lists a type": ({"type": ["boolean", "null"]}, {"enum": [None, True, False]}, SAME),
    "an enum grown": ({"enum": ["a"]}, {"enum": ["a", "b"]}, MORE),
    "an enum under a type that it has": ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}, SAME),
    "a format added": ({"type": "string"}, {"type": "string", "format": "date"}, LESS),
    "an unknown format added": ({"type": "string"}, {"type": "string", "format": "unheard-of"}, SAME),
    "a pattern written otherwise": (
        {"type": "string", "pattern": "^[0-9]+$"},
        {"type": "string", "pattern": "^[0-9][0-9]*$"},
        SAME,
    ),
    "a pattern of a few texts": ({"type": "string", "pattern": "^(a|b[.])$"}, {"enum": ["a", "b."]}, SAME),
    "a denial of anything": ({"not": {}}, False, SAME),
    "a dependency written as a choice": (
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        {"type": "object", "anyOf": [{"not": {"required": ["a"]}}, {"required": ["b"]}]},
        SAME,
    ),
    "a closure that all of a conjunction must meet": (
        {"allOf": [OPEN, {"properties": {"b": {}}}]},
        {"allOf": [CLOSED, {"properties": {"b": {}}}]},
        LESS,
    ),
    "a recursive reference made a dynamic one": (
        {"$schema": D19, "$id": "https://example.org/t", "$recursiveAnchor": True, "items": {"$recursiveRef": "#"}},
        {"$schema": D20, "$id": "https://example.org/t", "$dynamicAnchor": "x", "items": {"$dynamicRef": "#x"}},
        SAME,
    ),
    "a length that a pattern says": (
        {"type": "string", "pattern": "^[a-z]{2}$"},
        {"type": "string", "pattern": "^[a-z]{2}$", "maxLength": 2, "minLength": 1},
        SAME,
    ),
    "a pattern of members widened": (
        {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False},
        {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
        MORE,
    ),
    "what all names match": (
        {"additionalProperties": {"type": "string"}},
        {"patternProperties": {"": {"type": "string"}}, "additionalProperties": False},
        SAME,
    ),
    "a type split into branches": (
        {"type": ["string", "array"], "items": {"type": "string"}},
        {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        SAME,
    ),
    "a branch that another one holds": (
        {"anyOf": [{"type": "string"}, {"maxLength": 5, "type": "string"}]},
        {"type": "string"},
        SAME,
    ),
    "a branch more": ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, MORE),
    "a branch of oneOf that overlaps": (
        {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        {"oneOf": [{"type": "integer"}, {"type": "string"}, {"minimum": 5, "type": "number"}]},
        BOTH,
    ),
    "a branch of oneOf told by a member": (
        {"oneOf": [{"properties": {"t": {"const": "a"}}, "required": ["t"]}]},
        {
            "oneOf": [
                {"properties": {"t": {"const": "a"}}, "required": ["t"]},
                {"properties": {"t": {"const": "b"}}, "required": ["t"], "type": "object"},
            ]
        },
        MORE,  # what is no object meets only the first
    ),
    "not weakened": ({"not": {"type": ["string", "null"]}}, {"not": {"type": "string"}}, MORE),
    "a condition for what there cannot be": (
        {"type": "string"},
        {"type": "string", "if": {"type": "integer"}, "then": {"minimum": 3}},
        SAME,
    ),
    "then tightened": (
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b", "c"]}},
        LESS,
    ),
    "else added": (
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 1}},
        LESS,
    ),
    "a dependency dropped": ({"dependentRequired": {"a": ["b", "c"]}}, {"dependentRequired": {"a": ["b"]}}, MORE),
    "a dependent schema": (
        {"type": "object"},
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}},
        LESS,
    ),
    "contains counted": (
        {"type": "array", "contains": {"const": 1}, "minContains": 2},
        {"type": "array", "contains": {"const": 1}},
        MORE,
    ),
    "contains capped": (
        {"type": "array", "contains": {"const": 1}},
        {"type": "array", "contains": {"const": 1}, "maxContains": 2},
        LESS,
    ),
    "items repeated": ({"type": "array", "uniqueItems": True}, {"type": "array"}, MORE),
    "names of members": ({"propertyNames": {"maxLength": 3}}, {"propertyNames": {"maxLength": 2}}, LESS),
    "unevaluated closes": (
        {"allOf": [{"properties": {"a": {}}}], "type": "object"},
        {"allOf": [{"properties": {"a": {}}}], "type": "object", "unevaluatedProperties": False},
        LESS,
    ),
    "a member behind unevaluated": (
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"allOf": [{"properties": {"a": {}, "b": {"type": "null"}}}], "unevaluatedProperties": False},
        MORE,
    ),
    "two ways to close": (
        {"properties": {"a": {}}, "additionalProperties": False},
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        SAME,
    ),
    "recursion tightened": (
        {**NODE, "$defs": {"node": NODE}},
        {**NODE, "$defs": {"node": {**NODE, "required": ["v"]}}},
        LESS,
    ),
    "recursion by the root": (TREE, {**TREE, "minProperties": 1}, LESS),
    "a reference to nothing new": ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, {}, SAME),
    "a sibling of a reference": (
        {"$schema": D20, "$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"$schema": D20, "$ref": "#/$defs/a", "type": "string", "$defs": {"a": {}}},
        LESS,
    ),
    "a schema emptied": ({**CLOSED, "$schema": D20}, {"$schema": D20}, MORE),
    "nothing accepted any more": ({"type": "string"}, False, LESS),
    "a new dialect, the same schema": (
        {"$schema": D7, "definitions": {"a": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/a"}}},
        {"$schema": D20, "$defs": {"a": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/a"}}},
        SAME,
    ),
    "a new dialect wakes a sibling": (
        {"$schema": D7, "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a", "maxLength": 3}}},
        {"$schema": D20, "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a", "maxLength": 3}}},
        LESS,
    ),
    "a tuple in a new dialect": (
        {"$schema": D19, "items": [{"type": "string"}], "additionalItems": False},
        {"$schema": D20, "prefixItems": [{"type": "string"}], "items": False},
        SAME,
    ),
    "an integer in a new dialect": ({"$schema": D4, "type": "integer"}, {"$schema": D7, "type": "integer"}, MORE),
    "a bound in a new dialect": (
        {"$schema": D4, "minimum": 0, "exclusiveMinimum": True},
        {"$schema": D6, "exclusiveMinimum": 0},
        SAME,
    ),
    "dependencies in a new dialect": (
        {"$schema": D7, "dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
        {"$schema": D20, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}}},
        SAME,
    ),
    "an extensible tree closed": (
        {"$schema": D19, "$id": "https://example.org/tree", "$recursiveAnchor": True, **TREE},
        {"$schema": D19, "$id": "https://example.org/tree", "$recursiveAnchor": True, **TREE, "maxProperties": 1},
        LESS,
    ),
    "a dynamic reference bound elsewhere": (
        {"$schema": D20, "$id": "https://example.org/list", "items": {"$dynamicRef": "#item"},
         "$defs": {"any": {"$dynamicAnchor": "item", "type": "string"}}},
        {"$schema": D20, "$id": "https://example.org/list", "items": {"$dynamicRef": "#item"},
         "$defs": {"any": {"$dynamicAnchor": "item", "type": "integer"}}},
        BOTH,
    ),
}  # fmt: skip

REFACTORED: dict[str, tuple[Any, Any]] = {
    "a definition renamed": (
        {"properties": {"a": {"$ref": "#/$defs/old"}}, "$defs": {"old": CLOSED}},
        {"properties": {"a": {"$ref": "#/$defs/new"}}, "$defs": {"new": CLOSED}},
    ),
    "a definition moved below another": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": {"$ref": "#/$defs/all/$defs/a"}}, "$defs": {"all": {"$defs": {"a": CLOSED}}}},
    ),
    "a definition put in place": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": CLOSED}},
    ),
    "a schema split": (
        {"type": "object", "properties": NAMED, "required": ["kind"], "minProperties": 1},
        {"allOf": [{"type": "object", "required": ["kind"]}, {"properties": NAMED}, {"minProperties": 1}]},
    ),
    "recursion unrolled": (
        {**NODE, "$defs": {"node": NODE}},
        {**NODE, "$defs": {"node": {**NODE, "properties": {**NODE["properties"], "next": NODE}}}},
    ),
    "lists reordered": (
        {"required": ["a", "b"], "type": ["string", "object"], "enum": ["x", {"a": 1, "b": 2}]},
        {"enum": [{"b": 2, "a": 1}, "x"], "type": ["object", "string"], "required": ["b", "a"]},
    ),
    "branches reordered": (
        {"oneOf": [{"type": "string"}, CLOSED], "anyOf": [{"type": "string"}, {"minProperties": 1}]},
        {"anyOf": [{"minProperties": 1}, {"type": "string"}], "oneOf": [CLOSED, {"type": "string"}]},
    ),
    "annotations edited": (
        {"title": "A", "description": "x", "examples": [1], "properties": {"a": {"default": 1, "type": "integer"}}},
        {"title": "B", "$comment": "y", "properties": {"a": {"type": "integer", "deprecated": True}}},
    ),
    "an identifier changed": (
        {"$id": "https://example.org/a", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"$id": "https://example.org/b", "properties": {"a": {"$ref": "b#/$defs/a"}}, "$defs": {"a": CLOSED}},
    ),
    "a pointer made an anchor": (
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": CLOSED}},
        {"properties": {"a": {"$ref": "#it"}}, "$defs": {"a": {**CLOSED, "$anchor": "it"}}},
    ),
}
