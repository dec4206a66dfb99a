"""Codes of lint: what is wrong with a schema by itself (KB1xx)."""

from __future__ import annotations

from ..finding import Code, Level

INVALID = Code("KB100", "invalid-schema", "The schema cannot be read as one")
NO_DIALECT = Code("KB101", "no-dialect", "The schema does not declare its dialect", Level.WARNING)
OPEN_OBJECT = Code("KB102", "open-object", "An object of a strict contract takes members that nobody declared")
UNKNOWN_KEYWORD = Code("KB103", "unknown-keyword", "No dialect has this keyword; it is probably misspelled")
OTHER_DRAFT = Code("KB104", "other-draft", "The keyword is of another dialect, so it says nothing here")
BESIDE_REF = Code("KB105", "ignored-beside-ref", "Keywords beside `$ref` are ignored up to draft-07")
UNSATISFIABLE = Code("KB106", "unsatisfiable", "Nothing satisfies the subschema: its keywords exclude each other")
SILENT = Code("KB107", "silent-keyword", "The keyword does nothing where it stands", Level.WARNING)
UNKNOWN_FORMAT = Code("KB108", "unknown-format", "No validator asserts this format", Level.WARNING)
UNANCHORED = Code("KB109", "unanchored-pattern", "The pattern may match in the middle of any text", Level.WARNING)
BACKTRACKING = Code("KB110", "backtracking-pattern", "A short text can keep a matcher of this pattern busy for ages")
INTERNAL_NAME = Code("KB111", "internal-name", "An output contract has a property named like an internal")
REQUIRED_UNDECLARED = Code("KB112", "required-undeclared", "A closed object requires a property that it forbids")
REJECTED_EXAMPLE = Code("KB113", "rejected-example", "The schema rejects its own default or example")
OVERLAP = Code("KB114", "overlapping-oneof", "Two branches of `oneOf` accept the same instance", Level.WARNING)
MISPLACED_CLOSURE = Code(
    "KB115", "misplaced-closure", "The closure stands inside `properties`, where it closes nothing"
)

IGNORE_UNUSED = Code("KB190", "ignore-unused", "An ignore in the config matches no finding", Level.WARNING)
IGNORE_EXPIRED = Code("KB191", "ignore-expired", "An ignore in the config has expired")
