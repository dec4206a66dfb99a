"""The operators: one row each, and the table in `docs/operators.md` that `make docs` writes from them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fault_table import cell
from knownbad.contract import Contract
from knownbad.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.keywords.mutation import Mutation
from knownbad.keywords.table import mutations, variants
from knownbad.mutants import OTHER as EITHER
from knownbad.mutants import STRONGER, WEAKER
from test_faults import contract

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operators.md"
_BEGIN, _END = "<!-- operators: begin -->\n", "<!-- operators: end -->"

STRING, NULL = {"type": "string"}, {"type": "null"}

OPERATORS: list[tuple[Dialect, Any, str, Any, str]] = [
    # dialect, schema, what the mutant is called, what becomes of the schema at its place, the expected direction
    (DRAFT_2020_12, STRING, "type.add[null]", {"type": ["string", "null"]}, WEAKER),
    (DRAFT_2020_12, STRING, "type.drop", {}, WEAKER),
    (DRAFT_2020_12, {"type": ["string", "null"]}, "type.remove[null]", {"type": ["string"]}, STRONGER),
    (DRAFT_2020_12, {"type": "integer"}, "type.add[number]", {"type": ["number"]}, WEAKER),
    (DRAFT_2020_12, {"type": "number"}, "type.narrow[integer]", {"type": "integer"}, STRONGER),
    (DRAFT_04, {"enum": ["a", "b"]}, "enum.add", {"enum": ["a", "b", "A"]}, WEAKER),
    (DRAFT_04, {"type": "string", "enum": ["a"], "minLength": 1, "pattern": "^[a-z]+$"}, "enum.add",
     {"type": "string", "enum": ["a", "ax"], "minLength": 1, "pattern": "^[a-z]+$"}, WEAKER),
    (DRAFT_04, {"enum": ["a"]}, "enum.add[]", {"enum": ["a", ""]}, WEAKER),
    (DRAFT_04, {"enum": ["a"]}, "enum.add[null]", {"enum": ["a", None]}, WEAKER),
    (DRAFT_04, {"enum": ["a"]}, "enum.drop", {}, WEAKER),
    (DRAFT_04, {"enum": ["a", "b"]}, "enum.remove[b]", {"enum": ["a"]}, STRONGER),
    (DRAFT_04, {"enum": [1, "1"]}, 'enum.remove["1"]', {"enum": [1]}, STRONGER),
    (DRAFT_06, {"const": 3}, "const.drop", {}, WEAKER),
    (DRAFT_06, {"const": 3}, "const.type", {"type": "integer"}, WEAKER),
    (DRAFT_04, {"type": "integer", "minimum": 3}, "minimum.lower", {"type": "integer", "minimum": 2}, WEAKER),
    (DRAFT_2020_12, {"minimum": 0.5}, "minimum.lower", {"minimum": 0.4}, WEAKER),
    (DRAFT_2020_12, {"type": "integer", "minimum": 10, "multipleOf": 5}, "minimum.lower",
     {"type": "integer", "minimum": 5, "multipleOf": 5}, WEAKER),
    (DRAFT_04, {"minimum": 3}, "minimum.drop", {}, WEAKER),
    (DRAFT_04, {"type": "integer", "minimum": 3}, "minimum.raise", {"type": "integer", "minimum": 4}, STRONGER),
    (DRAFT_06, {"minimum": 3}, "minimum.exclude", {"exclusiveMinimum": 3}, STRONGER),
    (DRAFT_04, {"minimum": 3}, "minimum.exclude", {"minimum": 3, "exclusiveMinimum": True}, STRONGER),
    (DRAFT_04, {"type": "integer", "minimum": 3, "exclusiveMinimum": True}, "minimum.lower",
     {"type": "integer", "minimum": 2, "exclusiveMinimum": True}, WEAKER),
    (DRAFT_04, {"minimum": 3, "exclusiveMinimum": True}, "exclusiveMinimum.include", {"minimum": 3}, WEAKER),
    (DRAFT_04, {"type": "integer", "maximum": 3}, "maximum.raise", {"type": "integer", "maximum": 4}, WEAKER),
    (DRAFT_04, {"maximum": 3}, "maximum.drop", {}, WEAKER),
    (DRAFT_04, {"type": "integer", "maximum": 3}, "maximum.lower", {"type": "integer", "maximum": 2}, STRONGER),
    (DRAFT_07, {"maximum": 3}, "maximum.exclude", {"exclusiveMaximum": 3}, STRONGER),
    (DRAFT_06, {"type": "integer", "exclusiveMinimum": 3}, "exclusiveMinimum.lower",
     {"type": "integer", "exclusiveMinimum": 2}, WEAKER),
    (DRAFT_06, {"exclusiveMinimum": 3}, "exclusiveMinimum.drop", {}, WEAKER),
    (DRAFT_06, {"type": "integer", "exclusiveMinimum": 3}, "exclusiveMinimum.raise",
     {"type": "integer", "exclusiveMinimum": 4}, STRONGER),
    (DRAFT_06, {"exclusiveMinimum": 3}, "exclusiveMinimum.include", {"minimum": 3}, WEAKER),
    (DRAFT_06, {"exclusiveMaximum": 0.5}, "exclusiveMaximum.raise", {"exclusiveMaximum": 0.6}, WEAKER),
    (DRAFT_06, {"exclusiveMaximum": 3}, "exclusiveMaximum.drop", {}, WEAKER),
    (DRAFT_06, {"exclusiveMaximum": 0.5}, "exclusiveMaximum.lower", {"exclusiveMaximum": 0.4}, STRONGER),
    (DRAFT_06, {"exclusiveMaximum": 3}, "exclusiveMaximum.include", {"maximum": 3}, WEAKER),
    (DRAFT_04, {"maximum": 3, "exclusiveMaximum": True}, "exclusiveMaximum.include", {"maximum": 3}, WEAKER),
    (DRAFT_04, {"multipleOf": 15}, "multipleOf.divide[3]", {"multipleOf": 5}, WEAKER),
    (DRAFT_04, {"multipleOf": 15}, "multipleOf.drop", {}, WEAKER),
    (DRAFT_04, {"multipleOf": 15}, "multipleOf.times[2]", {"multipleOf": 30}, STRONGER),
    (DRAFT_04, {"minLength": 5}, "minLength.lower", {"minLength": 4}, WEAKER),
    (DRAFT_04, {"minLength": 5}, "minLength.drop", {}, WEAKER),
    (DRAFT_04, {"minLength": 5}, "minLength.raise", {"minLength": 6}, STRONGER),
    (DRAFT_04, {"maxLength": 5}, "maxLength.raise", {"maxLength": 6}, WEAKER),
    (DRAFT_04, {"maxLength": 5}, "maxLength.drop", {}, WEAKER),
    (DRAFT_04, {"maxLength": 5}, "maxLength.lower", {"maxLength": 4}, STRONGER),
    (DRAFT_04, {"minItems": 5}, "minItems.lower", {"minItems": 4}, WEAKER),
    (DRAFT_04, {"minItems": 5}, "minItems.drop", {}, WEAKER),
    (DRAFT_04, {"minItems": 5}, "minItems.raise", {"minItems": 6}, STRONGER),
    (DRAFT_04, {"maxItems": 5}, "maxItems.raise", {"maxItems": 6}, WEAKER),
    (DRAFT_04, {"maxItems": 5}, "maxItems.drop", {}, WEAKER),
    (DRAFT_04, {"maxItems": 5}, "maxItems.lower", {"maxItems": 4}, STRONGER),
    (DRAFT_04, {"minProperties": 5}, "minProperties.lower", {"minProperties": 4}, WEAKER),
    (DRAFT_04, {"minProperties": 5}, "minProperties.drop", {}, WEAKER),
    (DRAFT_04, {"minProperties": 5}, "minProperties.raise", {"minProperties": 6}, STRONGER),
    (DRAFT_04, {"maxProperties": 5}, "maxProperties.raise", {"maxProperties": 6}, WEAKER),
    (DRAFT_04, {"maxProperties": 5}, "maxProperties.drop", {}, WEAKER),
    (DRAFT_04, {"maxProperties": 5}, "maxProperties.lower", {"maxProperties": 4}, STRONGER),
    (DRAFT_04, {"minLength": 1}, "minLength.lower", {}, WEAKER),
    (DRAFT_04, {"pattern": "^a$"}, "pattern.open-start", {"pattern": "a$"}, WEAKER),
    (DRAFT_04, {"pattern": "^a$"}, "pattern.open-end", {"pattern": "^a"}, WEAKER),
    (DRAFT_04, {"pattern": "^a$"}, "pattern.drop", {}, WEAKER),
    (DRAFT_04, {"pattern": "^[a-z]$"}, "pattern.class[0]", {"pattern": "^[A-Za-z]$"}, WEAKER),
    (DRAFT_04, {'pattern': '^\\d$'}, "pattern.class[0]", {'pattern': '^\\w$'}, WEAKER),
    (DRAFT_04, {"pattern": "^a{2,3}$"}, "pattern.fewer[0]", {"pattern": "^a{1,3}$"}, WEAKER),
    (DRAFT_04, {"pattern": "^a{2,3}$"}, "pattern.more[0]", {"pattern": "^a{2,4}$"}, WEAKER),
    (DRAFT_04, {'pattern': '^a\\.b$'}, "pattern.dot[0]", {"pattern": "^a.b$"}, WEAKER),
    (DRAFT_04, {"pattern": "a"}, "pattern.close-start", {"pattern": "^a"}, STRONGER),
    (DRAFT_04, {"pattern": "a"}, "pattern.close-end", {"pattern": "a$"}, STRONGER),
    (DRAFT_07, {"format": "date"}, "format.drop", {}, WEAKER),
    (DRAFT_07, {"format": "uri"}, "format.widen[uri-reference]", {"format": "uri-reference"}, WEAKER),
    (DRAFT_07, {"format": "uri-reference"}, "format.narrow[uri]", {"format": "uri"}, STRONGER),
    (DRAFT_07, {"format": "date"}, "format.to[date-time]", {"format": "date-time"}, EITHER),
    (DRAFT_07, {"properties": {"at": STRING}}, "properties.any[at]", {"properties": {"at": {}}}, WEAKER),
    (DRAFT_07, {"properties": {"at": STRING}}, "properties.close[at]",
     {"properties": {"at": {"type": "string", "not": {}}}}, STRONGER),
    (DRAFT_07, {"properties": {"taskId": STRING}}, "properties.rename[taskId][task_id]",
     {"properties": {"task_id": STRING}}, EITHER),
    (DRAFT_07, {"properties": {"taskId": STRING}}, "properties.rename[taskId][taksId]",
     {"properties": {"taksId": STRING}}, EITHER),
    (DRAFT_07, {"properties": {"at": STRING}}, "properties.misspell", {"propreties": {"at": STRING}}, EITHER),
    (DRAFT_06, {"properties": {"at": False}}, "/properties/at: properties.open[at]", True, WEAKER),
    (DRAFT_04, {"required": ["a", "b"]}, "required.remove[b]", {"required": ["a"]}, WEAKER),
    (DRAFT_04, {"required": ["a"]}, "required.remove[a]", {}, WEAKER),
    (DRAFT_07, {"properties": {"at": STRING}}, "required.add[at]",
     {"properties": {"at": STRING}, "required": ["at"]}, STRONGER),
    (DRAFT_07, {"required": ["a", "b"]}, "required.misspell", {"reqiured": ["a", "b"]}, EITHER),
    (DRAFT_07, {"required": ["a"], "properties": {"a": {"properties": {"b": STRING}}}}, "required.down[a]",
     {"properties": {"a": {"properties": {"b": STRING}, "required": ["a"]}}}, EITHER),
    (DRAFT_07, {"properties": {"a": {"properties": {"b": STRING}, "required": ["b"]}}}, "required.up[a]",
     {"properties": {"a": {"properties": {"b": STRING}}}, "required": ["b"]}, EITHER),
    (DRAFT_04, {"additionalProperties": False}, "/additionalProperties: additionalProperties.open", True, WEAKER),
    (DRAFT_04, {"properties": {"a": STRING}}, "additionalProperties.close",
     {"properties": {"a": STRING}, "additionalProperties": False}, STRONGER),
    (DRAFT_04, {"additionalProperties": STRING}, "additionalProperties.any", {"additionalProperties": {}}, WEAKER),
    (DRAFT_2020_12, {"allOf": [{"properties": {"a": STRING}}], "additionalProperties": False},
     "additionalProperties.exchange",
     {"allOf": [{"properties": {"a": STRING}}], "unevaluatedProperties": False}, EITHER),
    (DRAFT_07, {"properties": {"a": STRING}, "additionalProperties": False}, "additionalProperties.down",
     {"properties": {"a": STRING, "additionalProperties": False}}, EITHER),
    (DRAFT_07, {"properties": {"a": {"properties": {"b": STRING}, "additionalProperties": False}}},
     "additionalProperties.up[a]",
     {"properties": {"a": {"properties": {"b": STRING}}}, "additionalProperties": False}, EITHER),
    (DRAFT_04, {"patternProperties": {"^x": STRING}}, "patternProperties.close[^x]",
     {"patternProperties": {"^x": {"type": "string", "not": {}}}}, STRONGER),
    (DRAFT_04, {"patternProperties": {"^x": STRING, "^y": STRING}}, "patternProperties.remove[^x]",
     {"patternProperties": {"^y": STRING}}, WEAKER),
    (DRAFT_04, {"patternProperties": {"^x": STRING}}, "patternProperties.open-start[^x]",
     {"patternProperties": {"x": STRING}}, EITHER),
    (DRAFT_04, {"patternProperties": {"x$": STRING}}, "patternProperties.open-end[x$]",
     {"patternProperties": {"x": STRING}}, EITHER),
    (DRAFT_04, {"patternProperties": {"^x": STRING, "^y": STRING}}, "patternProperties.misspell",
     {"patternPorperties": {"^x": STRING, "^y": STRING}}, EITHER),
    (DRAFT_06, {"propertyNames": {"maxLength": 3}}, "propertyNames.drop", {}, WEAKER),
    (DRAFT_2019_09, {"dependentRequired": {"a": ["b", "c"]}}, "dependentRequired.remove[a][b]",
     {"dependentRequired": {"a": ["c"]}}, WEAKER),
    (DRAFT_2019_09, {"dependentRequired": {"a": ["b", "c"], "d": ["e"]}}, "dependentRequired.remove[a]",
     {"dependentRequired": {"d": ["e"]}}, WEAKER),
    (DRAFT_2019_09, {"dependentRequired": {"a": ["b"], "c": ["d"]}}, "dependentRequired.misspell",
     {"dependetnRequired": {"a": ["b"], "c": ["d"]}}, EITHER),
    (DRAFT_2019_09, {"dependentSchemas": {"a": STRING}}, "dependentSchemas.remove[a]", {}, WEAKER),
    (DRAFT_2019_09, {"dependentSchemas": {"a": STRING}}, "dependentSchemas.close[a]",
     {"dependentSchemas": {"a": {"type": "string", "not": {}}}}, STRONGER),
    (DRAFT_2019_09, {"dependentSchemas": {"a": STRING, "b": STRING}}, "dependentSchemas.misspell",
     {"dependetnSchemas": {"a": STRING, "b": STRING}}, EITHER),
    (DRAFT_04, {"dependencies": {"a": ["b"]}}, "dependencies.remove[a][b]", {}, WEAKER),
    (DRAFT_04, {"dependencies": {"a": ["b", "c"], "d": STRING}}, "dependencies.remove[a]",
     {"dependencies": {"d": STRING}}, WEAKER),
    (DRAFT_04, {"dependencies": {"a": STRING}}, "dependencies.close[a]",
     {"dependencies": {"a": {"type": "string", "not": {}}}}, STRONGER),
    (DRAFT_04, {"dependencies": {"a": STRING, "b": ["c"]}}, "dependencies.misspell",
     {"depenedncies": {"a": STRING, "b": ["c"]}}, EITHER),
    (DRAFT_2020_12, {"unevaluatedProperties": False}, "/unevaluatedProperties: unevaluatedProperties.open",
     True, WEAKER),
    (DRAFT_2020_12, {"unevaluatedProperties": STRING}, "unevaluatedProperties.any",
     {"unevaluatedProperties": {}}, WEAKER),
    (DRAFT_2020_12, {"unevaluatedProperties": STRING}, "unevaluatedProperties.close",
     {"unevaluatedProperties": False}, STRONGER),
    (DRAFT_2020_12, {"allOf": [{"properties": {"a": STRING}}], "unevaluatedProperties": False},
     "unevaluatedProperties.exchange",
     {"allOf": [{"properties": {"a": STRING}}], "additionalProperties": False}, EITHER),
    (DRAFT_04, {"items": STRING}, "items.open", {"items": {}}, WEAKER),
    (DRAFT_04, {"items": STRING}, "items.close", {"items": {"type": "string", "not": {}}}, STRONGER),
    (DRAFT_2020_12, {"items": False}, "/items: items.open", True, WEAKER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.open[0]", {"items": [{}, NULL]}, WEAKER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.close[0]",
     {"items": [{"type": "string", "not": {}}, NULL]}, STRONGER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.remove[1]", {"items": [STRING]}, EITHER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.swap[0][1]", {"items": [NULL, STRING]}, EITHER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.misspell", {"ietms": [STRING, NULL]}, EITHER),
    (DRAFT_04, {"items": STRING}, "items.exchange", {"items": [STRING]}, WEAKER),
    (DRAFT_07, {"items": [STRING, NULL]}, "items.exchange", {"items": STRING}, EITHER),
    (DRAFT_2020_12, {"items": STRING}, "items.exchange", {"prefixItems": [STRING]}, WEAKER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "items.close",
     {"prefixItems": [STRING, NULL], "items": False}, STRONGER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "prefixItems.open[0]", {"prefixItems": [{}, NULL]}, WEAKER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "prefixItems.close[0]",
     {"prefixItems": [{"type": "string", "not": {}}, NULL]}, STRONGER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "prefixItems.remove[1]", {"prefixItems": [STRING]}, EITHER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "prefixItems.swap[0][1]",
     {"prefixItems": [NULL, STRING]}, EITHER),
    (DRAFT_2020_12, {"prefixItems": [STRING, NULL]}, "prefixItems.misspell", {"prefxiItems": [STRING, NULL]}, EITHER),
    (DRAFT_2020_12, {"prefixItems": [STRING], "items": NULL}, "prefixItems.exchange",
     {"prefixItems": [NULL], "items": STRING}, EITHER),
    (DRAFT_04, {"items": [STRING], "additionalItems": False}, "/additionalItems: additionalItems.open", True, WEAKER),
    (DRAFT_04, {"items": [STRING], "additionalItems": NULL}, "additionalItems.any",
     {"items": [STRING], "additionalItems": {}}, WEAKER),
    (DRAFT_04, {"items": [STRING]}, "additionalItems.close", {"items": [STRING], "additionalItems": False}, STRONGER),
    (DRAFT_06, {"contains": STRING}, "contains.any", {"contains": {}}, WEAKER),
    (DRAFT_06, {"contains": STRING}, "contains.drop", {}, WEAKER),
    (DRAFT_2019_09, {"contains": STRING, "minContains": 3}, "minContains.lower",
     {"contains": STRING, "minContains": 2}, WEAKER),
    (DRAFT_2019_09, {"contains": STRING, "minContains": 3}, "minContains.drop", {"contains": STRING}, WEAKER),
    (DRAFT_2019_09, {"contains": STRING}, "minContains.raise", {"contains": STRING, "minContains": 2}, STRONGER),
    (DRAFT_2019_09, {"contains": STRING, "maxContains": 3}, "maxContains.raise",
     {"contains": STRING, "maxContains": 4}, WEAKER),
    (DRAFT_2019_09, {"contains": STRING, "maxContains": 3}, "maxContains.drop", {"contains": STRING}, WEAKER),
    (DRAFT_2019_09, {"contains": STRING, "maxContains": 3}, "maxContains.lower",
     {"contains": STRING, "maxContains": 2}, STRONGER),
    (DRAFT_04, {"type": "object"}, "additionalProperties.close",
     {"type": "object", "additionalProperties": False}, STRONGER),
    (DRAFT_04, {"type": "array"}, "items.close", {"type": "array", "items": {"not": {}}}, STRONGER),
    (DRAFT_04, {"uniqueItems": True}, "uniqueItems.off", {}, WEAKER),
    (DRAFT_04, {"type": "array"}, "uniqueItems.on", {"type": "array", "uniqueItems": True}, STRONGER),
    (DRAFT_2019_09, {"unevaluatedItems": False}, "/unevaluatedItems: unevaluatedItems.open", True, WEAKER),
    (DRAFT_2019_09, {"unevaluatedItems": STRING}, "unevaluatedItems.any", {"unevaluatedItems": {}}, WEAKER),
    (DRAFT_2019_09, {"unevaluatedItems": STRING}, "unevaluatedItems.close", {"unevaluatedItems": False}, STRONGER),
    (DRAFT_04, {"allOf": [STRING, {"minLength": 1}]}, "allOf.remove[0]", {"allOf": [{"minLength": 1}]}, WEAKER),
    (DRAFT_04, {"allOf": [STRING, {"minLength": 1}]}, "allOf.misspell",
     {"lalOf": [STRING, {"minLength": 1}]}, EITHER),
    (DRAFT_04, {"anyOf": [STRING, NULL]}, "anyOf.drop", {}, WEAKER),
    (DRAFT_04, {"anyOf": [STRING, NULL]}, "anyOf.remove[0]", {"anyOf": [NULL]}, STRONGER),
    (DRAFT_04, {"anyOf": [STRING, NULL]}, "anyOf.one", {"oneOf": [STRING, NULL]}, STRONGER),
    (DRAFT_04, {"anyOf": [STRING, NULL]}, "anyOf.all", {"allOf": [STRING, NULL]}, STRONGER),
    (DRAFT_04, {"oneOf": [STRING, NULL]}, "oneOf.drop", {}, WEAKER),
    (DRAFT_04, {"oneOf": [STRING, NULL]}, "oneOf.any", {"anyOf": [STRING, NULL]}, WEAKER),
    (DRAFT_04, {"oneOf": [STRING, NULL]}, "oneOf.remove[0]", {"oneOf": [NULL]}, STRONGER),
    (DRAFT_04, {"oneOf": [STRING, NULL]}, "oneOf.all", {"allOf": [STRING, NULL]}, EITHER),
    (DRAFT_06, {"oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}}}]},
     "oneOf.swap[0][1][kind]",
     {"oneOf": [{"properties": {"kind": {"const": "b"}}}, {"properties": {"kind": {"const": "a"}}}]}, EITHER),
    (DRAFT_04, {"anyOf": [{"properties": {"kind": {"enum": ["a"]}}}, {"properties": {"kind": {"enum": ["b"]}}}]},
     "anyOf.swap[0][1][kind]",
     {"anyOf": [{"properties": {"kind": {"enum": ["b"]}}}, {"properties": {"kind": {"enum": ["a"]}}}]}, EITHER),
    (DRAFT_04, {"not": STRING}, "not.drop", {}, WEAKER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "then.drop",
     {"if": STRING, "else": NULL}, WEAKER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "else.drop",
     {"if": STRING, "then": {"minLength": 1}}, WEAKER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "then.close",
     {"if": STRING, "then": {"minLength": 1, "not": {}}, "else": NULL}, STRONGER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "else.close",
     {"if": STRING, "then": {"minLength": 1}, "else": {"type": "null", "not": {}}}, STRONGER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "if.true",
     {"if": {}, "then": {"minLength": 1}, "else": NULL}, EITHER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "if.false",
     {"if": {"not": {}}, "then": {"minLength": 1}, "else": NULL}, EITHER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "if.negate",
     {"if": {"not": STRING}, "then": {"minLength": 1}, "else": NULL}, EITHER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "then.else.swap",
     {"if": STRING, "then": NULL, "else": {"minLength": 1}}, EITHER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}, "else": NULL}, "if.misspell",
     {"fi": STRING, "then": {"minLength": 1}, "else": NULL}, EITHER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}}, "if.true", {"if": {}, "then": {"minLength": 1}}, STRONGER),
    (DRAFT_07, {"if": STRING, "then": {"minLength": 1}}, "if.false",
     {"if": {"not": {}}, "then": {"minLength": 1}}, WEAKER),
    (DRAFT_04, {"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": STRING, "c": NULL}},
     "/properties/a: $ref.any",
     {}, WEAKER),
    (DRAFT_2020_12, {"properties": {"a": {"$ref": "#/$defs/b", "minLength": 1}}, "$defs": {"b": STRING, "c": NULL}},
     "/properties/a: $ref.any",
     {"minLength": 1}, WEAKER),
    (DRAFT_04, {"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": STRING, "c": NULL}},
     "/properties/a: $ref.never",
     {"not": {}}, STRONGER),
    (DRAFT_2020_12, {"properties": {"a": {"$ref": "#/$defs/b", "minLength": 1}}, "$defs": {"b": STRING, "c": NULL}},
     "/properties/a: $ref.never",
     {"minLength": 1, "not": {}}, STRONGER),
    (DRAFT_04, {"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": STRING, "c": NULL}},
     "/properties/a: $ref.to[c]",
     {"$ref": "#/definitions/c"}, EITHER),
    (DRAFT_2020_12, {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}},
     "/properties/a: $dynamicRef.any",
     {}, WEAKER),
    (DRAFT_2020_12, {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}},
     "/properties/a: $dynamicRef.static",
     {"$ref": "#n"}, EITHER),
    (DRAFT_2020_12, {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}}, "$dynamicAnchor.drop",
     {"properties": {"a": {"$dynamicRef": "#n"}}, "$anchor": "n"}, EITHER),
    (DRAFT_2019_09, {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}},
     "/properties/a: $recursiveRef.any",
     {}, WEAKER),
    (DRAFT_2019_09, {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}},
     "/properties/a: $recursiveRef.static",
     {"$ref": "#"}, EITHER),
    (DRAFT_2019_09, {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}}, "$recursiveAnchor.drop",
     {"properties": {"a": {"$recursiveRef": "#"}}}, EITHER),
]  # fmt: skip


def every(held: Contract) -> Iterator[tuple[Mutation, bool]]:
    """Every mutant of a contract, and whether `generate` makes a fixture for it as well."""
    for sub in list(held.subschemas()):
        yield from ((mutation, True) for mutation in mutations(held, sub))
        yield from ((mutation, False) for mutation in variants(held, sub))


def found(schema: Any, dialect: Dialect, class_: str) -> tuple[Mutation, bool]:
    """The one mutant that is called so. Raises LookupError, which tells what there is."""
    known = {mutation.class_: (mutation, fault) for mutation, fault in every(contract(schema, dialect))}
    if class_ not in known:
        raise LookupError(f"{class_} is none of {sorted(known)}")
    return known[class_]


def direction(mutation: Mutation) -> str:
    """What is expected of the mutant."""
    return EITHER if mutation.either else WEAKER if mutation.weakens else STRONGER


def kind(name: str) -> str:
    """The operator without what it is applied to: `required.remove` of `required.remove[a]`."""
    return name.partition("[")[0]


def table() -> str:
    """One row an operator, under the keyword that it edits."""
    lines = ["| operator | schema | mutant | dialect | expected | in |", "|---|---|---|---|---|---|"]
    for dialect, schema, class_, value, expected in OPERATORS:
        place = "generate, mutate" if found(schema, dialect, class_)[1] else "mutate"
        name = f"`{class_}`".replace("|", "\\|")
        lines.append(f"| {name} | {cell(schema)} | {cell(value)} | {dialect.name} | {expected} | {place} |")
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(_BEGIN)
    return before + _BEGIN + table() + _END + rest.partition(_END)[2]


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
