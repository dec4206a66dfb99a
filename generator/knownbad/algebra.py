"""The algebra of schemas: what one schema accepts and another rejects, and proofs that there is no such value.

The only importer of the canonical forms of `jsonschema_rs`, whose API is young. Every answer is plain JSON. The schemas
are ordinary and self-contained; `standalone` makes them from a contract. A call may take minutes: go through `fence`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from .contract import Contract, Document
from .dialects import Dialect
from .keywords.places import subschemas
from .pointers import replace
from .standalone import CannotStandAlone, standalone
from .values import compact

if TYPE_CHECKING:
    import jsonschema_rs

__all__ = [
    "CannotStandAlone",
    "Difference",
    "Empty",
    "Unknown",
    "difference",
    "equivalent",
    "standalone",
    "unsatisfiable",
]


@dataclass(frozen=True, slots=True)
class Empty:
    """Proved: there is no such value. `proof` says how."""

    proof: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A schema of the values that are left; it declares its dialect, which is that of the operands.

    `certain`: at least one value is proved to be left. Otherwise there may be none.
    """

    schema: dict[str, Any] | bool
    certain: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer, and why."""

    reason: str


Answer = Empty | Difference | Unknown
_SIMPLE_REFERENCE = re.compile(r"#/(\$defs|definitions)/[^/%~]+")


def difference(accepting: Any, rejecting: Any, dialect: Dialect, formats: bool) -> Answer:
    """The values that `accepting` accepts and `rejecting` rejects."""
    if compact(accepting) == compact(rejecting):
        return Empty("the two schemas are the same")

    def subtract() -> Answer:
        left = _canonical(accepting, dialect, formats)
        right = _canonical(rejecting, dialect, formats)
        if left == right:
            return Empty("the two schemas have one canonical form")
        return _left(left.subtract(right), "nothing is left when one canonical form is taken from the other")

    return _answered(subtract)


def equivalent(one: Any, other: Any, dialect: Dialect, formats: bool) -> Answer:
    """Empty when the two schemas accept the same values; else what one of them accepts alone, or Unknown."""
    first = difference(one, other, dialect, formats)
    if isinstance(first, Difference) and first.certain:
        return first
    second = difference(other, one, dialect, formats)
    if isinstance(first, Empty) or isinstance(second, Difference) and second.certain:
        return second
    return first


def unsatisfiable(schema: Any, dialect: Dialect, formats: bool) -> Answer:
    """Empty when no value satisfies the schema; else what it accepts, in canonical form."""
    return _answered(lambda: _left(_canonical(schema, dialect, formats), "its canonical form is unsatisfiable"))


class _NoAnswerError(Exception):
    """The algebra cannot work on this; the text says why."""


def _answered(question: Callable[[], Answer]) -> Answer:
    try:
        return question()
    except (_NoAnswerError, CannotStandAlone) as error:
        return Unknown(str(error))
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001  a Rust panic is no Exception
        return Unknown(f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}")


def _canonical(schema: Any, dialect: Dialect, formats: bool) -> jsonschema_rs.CanonicalSchema:
    import jsonschema_rs

    form = jsonschema_rs.canonicalize(
        _prepared(schema, dialect, formats), draft=dialect.year, validate_formats=formats, retriever=_no_network
    )
    _check_modelled(form)
    return form


def _left(form: jsonschema_rs.CanonicalSchema, proof: str) -> Answer:
    """The answer that a canonical form is. Only `NO` proves that it is empty."""
    from jsonschema_rs.canonical import Satisfiability

    satisfiability = form.satisfiability()
    if satisfiability == Satisfiability.NO:
        return Empty(proof)
    _check_modelled(form)
    return Difference(_plain(form.to_json_schema()), satisfiability == Satisfiability.YES)


def _check_modelled(form: jsonschema_rs.CanonicalSchema) -> None:
    from jsonschema_rs.canonical import RawView

    view = form.view()
    if isinstance(view, RawView):
        where = f" at {view.pointer}" if view.pointer else ""
        raise _NoAnswerError(f"the canonical form does not model this: {view.reason.value}{where}")


def _plain(value: Any) -> Any:
    """Only what JSON text would give: the canonical form holds some numbers as Decimal."""
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _no_network(uri: str) -> Any:
    raise LookupError(f"not in the schema: {uri}")


# -- what the canonical form needs to see differently than a validator


def _prepared(schema: Any, dialect: Dialect, formats: bool) -> Any:
    """The schema without what confuses the algebra and means nothing to a validator; references lead to definitions.

    A reference to `#` or into another keyword is read in both operands as one and the same place, which is wrong.
    """
    if any(not _is_simple(sub, dialect) for sub in _walk(schema, dialect)):
        document = Document("https://knownbad.invalid/operand", "operand", schema, dialect)
        contract = Contract("operand", "operand", {document.uri: document})
        schema = standalone(contract, contract.root)
    return _cleaned(schema, dialect, formats)


def _walk(schema: Any, dialect: Dialect) -> Iterator[Any]:
    pending = [schema]
    while pending:
        sub = pending.pop()
        yield sub
        pending.extend(child for _, child in subschemas(sub, dialect))


def _is_simple(sub: Any, dialect: Dialect) -> bool:
    if not isinstance(sub, dict):
        return True
    if any(isinstance(sub.get(k), str) for k in (dialect.id_keyword, "$anchor", "$dynamicRef", "$recursiveRef")):
        return False
    reference = sub.get("$ref", "#/$defs/x")
    return isinstance(reference, str) and _SIMPLE_REFERENCE.fullmatch(reference) is not None


def _cleaned(schema: Any, dialect: Dialect, formats: bool) -> Any:
    if not isinstance(schema, dict):
        return schema
    dropped = [keyword for keyword, value in schema.items() if _means_nothing(keyword, value, dialect, formats)]
    cleaned = {k: v for k, v in schema.items() if k not in dropped} if dropped else schema
    for path, child in subschemas(cleaned, dialect):
        new = _cleaned(child, dialect, formats)
        if new is not child:
            cleaned = replace(cleaned, path, new)
    return cleaned


def _means_nothing(keyword: str, value: Any, dialect: Dialect, formats: bool) -> bool:
    if keyword == "format":
        return not (formats and isinstance(value, str) and _is_asserted(value, dialect.year))
    if keyword == "required":
        return value == [] and dialect.year == 4  # which its metaschema forbids; a mutant may have it
    return keyword == "$schema"  # inside a schema it makes the whole form Raw; the dialect is given anyway


@cache
def _is_asserted(name: str, year: int) -> bool:
    """Whether jsonschema-rs knows a format of this name in this dialect."""
    import jsonschema_rs

    cls = {4: "4", 6: "6", 7: "7", 19: "201909", 20: "202012"}[year]
    try:
        getattr(jsonschema_rs, f"Draft{cls}Validator")(
            {"format": name}, validate_formats=True, ignore_unknown_formats=False
        )
    except jsonschema_rs.ValidationError:
        return False
    return True
