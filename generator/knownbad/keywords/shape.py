"""What is asked of one instance location: obligations, and the shape that they merge into.

An obligation says that the instance here is accepted (or rejected) by a subschema. Several hold at one location at a
time: `$ref`, `allOf`, `properties` of two branches. Keywords (the other modules of this package) turn obligations into
a `Shape`, the conjunction of all their assertions; where there is more than one way they offer alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..contract import Contract, Subschema
from ..pointers import Step
from ..values import key, keys

if TYPE_CHECKING:
    from .mutation import Mutation

NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT = (1 << bit for bit in range(7))
NUMBER = INTEGER | FRACTION
ANY = 127
MASKS = {
    "null": NULL,
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "number": NUMBER,
    "string": STRING,
    "array": ARRAY,
    "object": OBJECT,
}


def mask_of(value: Any) -> int:
    """The type bit of an instance."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int):
        return INTEGER
    if isinstance(value, float):
        return NUMBER if value.is_integer() else FRACTION  # an integer or not: the dialects differ
    if isinstance(value, str):
        return STRING
    return ARRAY if isinstance(value, list) else OBJECT


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a walk is to lead: the steps of each applicator still to pass, and the mutation to witness at the end."""

    route: tuple[tuple[Step, ...], ...]
    mutation: Mutation


Scope = tuple[tuple[str, str], ...]
Key = tuple[int, bool, Scope]
"""What two obligations without aims have in common when they ask the same."""


@dataclass(frozen=True, slots=True)
class Ob:
    """An obligation: the instance is accepted (rejected) by `sub`, and serves the aims.

    `scope` is the dynamic scope (outermost resource first); empty in contracts without dynamic references.
    """

    sub: Subschema
    accept: bool = True
    aims: tuple[Aim, ...] = ()
    scope: Scope = ()

    @property
    def key(self) -> Key:
        """What two obligations without aims have in common when they ask the same."""
        return (id(self.sub), self.accept, self.scope)

    def below(self, sub: Subschema, *steps: Step, accept: bool = True) -> Ob:
        """The obligation that an applicator of this one lays on one of its subschemas."""
        aims = tuple(Aim(a.route[1:], a.mutation) for a in self.aims if a.route and a.route[0] == steps)
        return Ob(sub, accept, aims, self.scope)

    def aimed(self, *steps: Step) -> bool:
        """Whether an aim leads through these steps (or through any steps that begin with them)."""
        return any(a.route and a.route[0][: len(steps)] == steps for a in self.aims)


@dataclass(slots=True)
class Forced:
    """A member that must be there under a name yet to be made: outside `outside`, matching `patterns`.

    `outside` None: outside of everything that is known at this location (`unevaluatedProperties`).
    """

    outside: frozenset[str] | None = frozenset()
    patterns: tuple[str, ...] = ()
    not_patterns: tuple[str, ...] = ()
    name_obs: tuple[Ob, ...] = ()
    value_obs: tuple[Ob, ...] = ()


@dataclass(slots=True)
class Extra:
    """What holds for members outside some names and patterns (`additionalProperties`, `unevaluatedProperties`)."""

    names: frozenset[str] | None
    """None: outside all names and patterns that are known at this location (`unevaluatedProperties`)."""
    patterns: tuple[str, ...]
    ob: Ob


@dataclass(slots=True)
class Tuple:
    """What holds for the items by position: `prefix` one by one (None: nothing), then `rest` for all that follow."""

    prefix: tuple[Ob | None, ...]
    rest: Ob | None


@dataclass(slots=True)
class Contains:
    """Between `low` and `high` items that meet `ob`."""

    ob: Ob
    low: int
    high: int | None


@dataclass(slots=True)
class Shape:
    """The conjunction of all assertions at one instance location. A bound is inclusive or exclusive as it is given."""

    types: int = ANY
    values: list[Any] | None = None
    excluded: list[Any] = field(default_factory=list)
    # numbers: (bound, exclusive)
    lows: list[tuple[Any, bool]] = field(default_factory=list)
    highs: list[tuple[Any, bool]] = field(default_factory=list)
    multiples: list[Any] = field(default_factory=list)
    not_multiples: list[Any] = field(default_factory=list)
    # strings
    min_length: int = 0
    max_length: int | None = None
    patterns: list[str] = field(default_factory=list)
    not_patterns: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    not_formats: list[str] = field(default_factory=list)
    # arrays
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    repeated: bool = False
    tuples: list[Tuple] = field(default_factory=list)
    unevaluated_items: list[Ob] = field(default_factory=list)
    contains: list[Contains] = field(default_factory=list)
    # objects
    min_properties: int = 0
    max_properties: int | None = None
    required: dict[str, None] = field(default_factory=dict)
    forbidden: set[str] = field(default_factory=set)
    properties: dict[str, list[Ob]] = field(default_factory=dict)
    pattern_properties: list[tuple[str, Ob]] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    names: list[Ob] = field(default_factory=list)
    dependents: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    forced: list[Forced] = field(default_factory=list)
    # whole values
    hints: list[Any] = field(default_factory=list)
    wanted: list[Any] = field(default_factory=list)
    """Values to try first that witness the mutation in a telling way; not hints: they need not be accepted."""
    rejecting: list[Ob] = field(default_factory=list)
    """Branches that must turn the finished value away; checked afterwards, and denied only where it is needed."""
    covered: list[Mutation] = field(default_factory=list)
    dead: bool = False

    def copy(self) -> Shape:
        """An independent copy."""
        made = object.__new__(Shape)
        for name in _SLOTS:
            value = getattr(self, name)
            if isinstance(value, (list, dict, set)):
                value = value.copy()
            setattr(made, name, value)
        made.properties = {name: [*obs] for name, obs in self.properties.items()}
        return made

    def only(self, types: int) -> None:
        """Leave only these types."""
        self.types &= types
        if not self.types:
            self.dead = True

    def among(self, values: Iterable[Any]) -> None:
        """Leave only these values."""
        values = list(values)
        if self.values is not None:
            wanted = keys(values)
            values = [v for v in self.values if key(v) in wanted]
        self.values = values
        self.dead = self.dead or not values

    def require(self, name: str) -> None:
        """The member `name` is there."""
        self.required.setdefault(name)
        self.only(OBJECT)
        self.dead = self.dead or name in self.forbidden

    def forbid(self, name: str) -> None:
        """The member `name` is not there."""
        self.forbidden.add(name)
        self.dead = self.dead or name in self.required

    def contain(self, more: Contains) -> None:
        """So many items meet an obligation; limits of the same obligation are met together."""
        for index, known in enumerate(self.contains):
            if known.ob.key == more.ob.key:
                low, high = _tighter(known.low, known.high, more.low, more.high)
                ob = Ob(known.ob.sub, known.ob.accept, (*known.ob.aims, *more.ob.aims), known.ob.scope)
                self.contains[index] = Contains(ob, low, high)
                self.dead = self.dead or high is not None and low > high
                return
        self.contains.append(more)

    def lengths(self, low: int = 0, high: int | None = None) -> None:
        self.min_length, self.max_length = _tighter(self.min_length, self.max_length, low, high)

    def items(self, low: int = 0, high: int | None = None) -> None:
        self.min_items, self.max_items = _tighter(self.min_items, self.max_items, low, high)

    def members(self, low: int = 0, high: int | None = None) -> None:
        self.min_properties, self.max_properties = _tighter(self.min_properties, self.max_properties, low, high)


_SLOTS = tuple(Shape.__slots__)


def _tighter(low: int, high: int | None, new_low: int, new_high: int | None) -> tuple[int, int | None]:
    if new_high is not None:
        high = new_high if high is None else min(high, new_high)
    return max(low, new_low), high


Alternative = Callable[["Expansion"], None]
"""One way to go on: it narrows the expansion's shape and adds obligations."""


@dataclass(slots=True)
class Expansion:
    """Obligations on their way to a shape: what is settled, what is still to be looked at, what is to be chosen."""

    contract: Contract
    shape: Shape
    todo: list[Ob]
    choices: list[Sequence[Alternative]] = field(default_factory=list)
    seen: set[Key] = field(default_factory=set)
    strict: frozenset[Key] = frozenset()
    """What is denied from the start wherever it must be rejected, since a value was accepted by it before."""
    scope: Scope = ()
    """The dynamic scope of the site whose mutation is being planned."""

    def fork(self) -> Expansion:
        """An independent copy, for one of several alternatives."""
        seen = set(self.seen)
        return Expansion(self.contract, self.shape.copy(), [*self.todo], [*self.choices], seen, self.strict, self.scope)

    def add(self, ob: Ob) -> None:
        """One more obligation at this same instance location."""
        self.todo.append(ob)

    def reject(self, obs: Iterable[Ob]) -> None:
        """None of these may accept the finished value."""
        for ob in obs:
            self.shape.rejecting.append(ob)
            if ob.key in self.strict:
                self.todo.append(Ob(ob.sub, False, (), ob.scope))

    def choose(self, alternatives: Sequence[Alternative]) -> None:
        """One of these holds, simplest first; none at all kills the shape."""
        if not alternatives:
            self.shape.dead = True
        elif len(alternatives) == 1:
            alternatives[0](self)
        else:
            self.choices.append(alternatives)
