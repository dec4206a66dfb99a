"""What the rules of lint look at: a contract with its subschemas, and how a finding about one of them is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..config import Entry, Project
from ..contract import Contract, Document, Subschema
from ..errors import NO_VALUE
from ..finding import Code, Finding, Level
from ..metaschemas import is_published
from ..pointers import Step, join
from ..reach import reach

if TYPE_CHECKING:
    from ..oracle import Oracle

QUESTIONS = 250
"""How often the algebra is asked about one contract."""


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
