"""What the rules of lint look at: a contract with its subschemas, and how a finding about one of them is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import fence
from ..algebra import Answer, Unknown
from ..config import Entry, Project
from ..contract import Contract, Document, Subschema
from ..dialects import Dialect
from ..errors import NO_VALUE
from ..finding import Code, Finding, Level
from ..metaschemas import is_published
from ..pointers import Step, join
from ..reach import reach
from ..standalone import CannotStandAlone, standalone
from ..values import compact
from ..witness.strings import StringShape
from .vocabulary import ASSERTING

if TYPE_CHECKING:
    from ..oracle import Oracle

QUESTIONS = 400
"""How often the algebra may be asked about one contract; a question about many branches counts more than once."""
CASES = 8
"""Each so many ways to satisfy a schema make a question one dearer."""
FLAT = 2_000_000
"""Characters of all schemas that are taken out of one contract to be looked at alone."""
LARGE = 6_000
"""Characters from which on a schema is not put to the algebra."""


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit of the file that takes a finding away: at a pointer of the file, in terms of values.

    `kind`: `drop` a member or an item, `rename` a member to `name`, `add` a member `name` with `value` as the first of
    an object, `move` a member to the object at `target`. `keeps`: the schema accepts the same instances afterwards.
    """

    kind: str
    pointer: str
    name: str = ""
    value: Any = NO_VALUE
    target: str = ""
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class Spotted:
    """A finding, and the repair where that is certain."""

    finding: Finding
    repair: Repair | None = None


@dataclass(eq=False)
class Look:
    """One contract as the rules see it."""

    contract: Contract
    entry: Entry
    project: Project | None = None
    questions: int = field(default=QUESTIONS)
    _flat: int = field(default=FLAT)

    @cached_property
    def oracle(self) -> Oracle:
        from ..oracle import Oracle

        return Oracle(self.contract)

    @cached_property
    def subschemas(self) -> tuple[Subschema, ...]:
        """Those of the contract's own schema, and what it reaches elsewhere; no published metaschema."""
        own, inside = self.contract.document, self.contract.root_pointer
        known = reach(self.contract)

        def order(sub: Subschema) -> tuple[Any, ...]:
            return sub.document is not own, sub.document.uri, tuple(sub.pointer.split("/"))

        return tuple(
            sub
            for sub in sorted(self.contract.subschemas(), key=order)
            if not is_published(sub.document.uri.rstrip("#"))
            and (sub.document is own and f"{sub.pointer}/".startswith(f"{inside}/") or known.applies(sub))
        )

    @cached_property
    def objects(self) -> tuple[Subschema, ...]:
        """The subschemas that are no booleans."""
        return tuple(sub for sub in self.subschemas if isinstance(sub.value, dict))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents of `subschemas`."""
        return tuple({id(sub.document): sub.document for sub in self.subschemas}.values())

    def ask(self, function: str, *schemas: Any, dialect: Dialect) -> Answer:
        """What the algebra says; Unknown once the questions are used up, or where a schema is too large for lint."""
        if self.questions <= 0:
            return Unknown("the algebra was asked often enough")
        if any(len(compact(schema)) > LARGE for schema in schemas):
            return Unknown("too large")
        self.questions -= 1 + sum(fence.cases(schema, dialect) // CASES for schema in schemas)
        answer = fence.call(function, *schemas, dialect, self.contract.formats)
        if isinstance(answer, Unknown) and "took longer" in answer.reason:
            self.questions = 0  # the last fence: what took so long once would do so again
        return answer

    def alone(self, sub: Subschema, value: Any = NO_VALUE) -> Any:
        """A subschema as a schema of its own, with another value in its place if one is given; None where it cannot."""
        if self._flat <= 0:
            return None
        try:
            edits = {} if value is NO_VALUE else {(sub.document.uri, sub.pointer): value}
            found = standalone(self.contract, sub, edits)
        except CannotStandAlone:
            return None
        self._flat -= len(compact(found))
        return found

    def accepts(self, sub: Subschema, instance: Any) -> bool | None:
        """What both validators say of an instance were the subschema the contract; None where they give no verdict."""
        from ..compiled import ValidatorFailed

        try:
            return self.oracle.agreed(sub, instance)
        except (ValidatorFailed, LookupError):
            return None

    def local(self, sub: Subschema, instance: Any) -> bool | None:
        """The same by jsonschema-rs alone, which is quick."""
        from ..compiled import ValidatorFailed

        try:
            return self.oracle.local(sub, instance)
        except (ValidatorFailed, LookupError):
            return None

    def rejecting(self, sub: Subschema, instance: Any) -> str:
        """What of a subschema rejects an instance, in words."""
        from ..compiled import ValidatorFailed

        try:
            first = self.oracle.first_rejection(sub, instance)
        except (ValidatorFailed, LookupError):
            return ""
        if first is None:
            return ""
        return shown(first[0]) + (f" at {first[1]}" if first[1] else "")

    def refers_below(self, sub: Subschema, keyword: str) -> bool:
        """Whether a reference leads into a keyword: then it holds definitions, whatever it is."""
        inside = join(sub.pointer, keyword)
        uri = sub.document.uri
        return any(u == uri and (p == inside or p.startswith(inside + "/")) for u, p in reach(self.contract).referred)

    def spotted(
        self,
        code: Code,
        sub: Subschema,
        message: str,
        *steps: Step,
        subject: str = "",
        witness: Any = NO_VALUE,
        detail: tuple[str, ...] = (),
        fix: str | None = None,
        level: Level | None = None,
        repair: Repair | None = None,
    ) -> Spotted:
        """A finding about `sub`, or about what is `steps` below it."""
        file, inside = file_of(sub.document)
        where = inside + join(sub.pointer, *steps)
        found = Finding(code, message, file, where, self.contract.name, subject, witness, detail, fix, level)
        return Spotted(found, repair)

    def pointer(self, sub: Subschema, *steps: Step) -> str:
        """Where something stands in its file."""
        return file_of(sub.document)[1] + join(sub.pointer, *steps)


def once(found: Iterable[Spotted]) -> list[Spotted]:
    """Of notes about one subject in one file only the first, which says how many there are."""
    kept: list[Spotted] = []
    counts: dict[tuple[str, str, str], int] = {}
    for spot in found:
        finding = spot.finding
        key = (finding.code.code, finding.file or "", finding.subject)
        if finding.weight is Level.NOTE and finding.subject:
            counts[key] = counts.get(key, 0) + 1
            if counts[key] > 1:
                continue
        kept.append(spot)
    return [_counted(spot, counts) for spot in kept]


def _counted(spot: Spotted, counts: dict[tuple[str, str, str], int]) -> Spotted:
    finding = spot.finding
    more = counts.get((finding.code.code, finding.file or "", finding.subject), 1) - 1
    if finding.weight is not Level.NOTE or more < 1:
        return spot
    said_so = f"and {more} more {'place' if more == 1 else 'places'} in this file"
    return replace(spot, finding=replace(finding, detail=(*finding.detail, said_so)))


def file_of(document: Document) -> tuple[str, str]:
    """The file of a document and the pointer in it at which the document begins."""
    file, _, inside = document.name.partition("#/")
    return file, f"/{inside}" if inside else ""


def said(sub: Subschema) -> dict[str, Any]:
    """The keywords of a schema object that count: up to draft-07, a `$ref` hides what stands beside it."""
    if "$ref" in sub.value and sub.dialect.ref_hides_siblings:
        return {"$ref": sub.value["$ref"]}
    value: dict[str, Any] = sub.value
    return value


def asserted(sub: Subschema) -> dict[str, Any]:
    """The keywords of a schema object that may reject something in its dialect."""
    value, year = said(sub), sub.dialect.year
    found = {k: v for k, v in value.items() if k in ASSERTING and ASSERTING[k][0] <= year <= ASSERTING[k][1]}
    if "dependencies" in value and year > 7:  # gone from the specification, and still asserted by validators
        found["dependencies"] = value["dependencies"]
    return found


def strings_of(sub: Subschema, value: dict[str, Any], denied: tuple[str, Any] | None = None) -> StringShape | None:
    """The strings that lengths and pattern let through, and of these the ones that fail the keyword `denied`.

    None where a length is none.
    """
    low, high = value.get("minLength", 0), value.get("maxLength")
    name: str = denied[0] if denied else ""
    bound: Any = denied[1] if denied else None
    if not is_number(low) or not (high is None or is_number(high)) or "Length" in name and not is_number(bound):
        return None
    if name == "minLength":
        high = int(bound) - 1 if high is None else min(int(high), int(bound) - 1)
    elif name == "maxLength":
        low = max(int(low), int(bound) + 1)
    return StringShape(
        int(low),
        None if high is None else int(high),
        patterns=(value["pattern"],) if "pattern" in value else (),
        not_patterns=(str(bound),) if name == "pattern" else (),
        dialect=sub.dialect,
    )


def is_number(value: object) -> bool:
    """Whether a value is a JSON number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def table(value: dict[str, Any], keyword: str) -> dict[str, Any]:
    """The value of a keyword that holds a map; an empty one where it is not there."""
    held = value.get(keyword)
    return held if isinstance(held, dict) else {}


def shown(keyword: str) -> str:
    """A keyword or a name as messages show it."""
    return f"`{keyword}`"


def listed(names: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    """`a`, `b` and `c`."""
    quoted = [shown(name) for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1] if quoted else ""
