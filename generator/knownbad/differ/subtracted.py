"""The algebra's answer for a pair of nodes: nothing is left of one without the other, or a schema of what is left."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..algebra import Answer, Unknown
from ..contract import Subschema
from ..dialects import DRAFT_2020_12, Dialect
from ..fence import Fence, within_reach
from ..formats import standing
from ..keywords.places import disputed, subschemas
from ..keywords.shape import ARRAY, BOOLEAN, NULL, OBJECT, STRING
from ..pointers import replace
from ..standalone import CannotStandAlone, name_of, standalone
from ..values import compact
from .colors import Colors
from .forms import ANYTHING, INTEGERS, NUMBERS, Node
from .sides import Joint, Side

SECONDS = 3.0
"""How long one question may take."""
ASKED = 30
"""How many questions are asked of one comparison, and how many of them about large schemas."""
LARGE_ASKED = 2
SLOW = 2
"""After how many questions that took too long no more are asked."""
LARGE = 10_000
"""Characters from which on a schema counts as large."""

_NAMES = {NULL: "null", BOOLEAN: "boolean", STRING: "string", ARRAY: "array", OBJECT: "object", NUMBERS: "number"}
_FENCE = Fence(SECONDS)


class Subtraction:
    """Asks about pairs of nodes, each once. `reason` says why the last question has no answer."""

    def __init__(self, joint: Joint, colors: Colors) -> None:
        self._joint = joint
        self._colors = colors
        self._known: dict[tuple[int, int], Answer] = {}
        self._names: dict[int, dict[str, str]] = {}
        self._asked = [0, 0]
        self._slow = 0

    def of(self, left: Node, right: Node) -> Answer:
        """What the left node accepts and the right one rejects."""
        pair = (id(left), id(right))
        if pair not in self._known:
            self._known[pair] = self._ask(left, right)
        return self._known[pair]

    def _ask(self, left: Node, right: Node) -> Answer:
        try:
            dialects = {part[0].dialect for node in (left, right) for part in node.parts}
            dialect = next(iter(dialects)) if len(dialects) == 1 else DRAFT_2020_12
            for sub, _ in (*left.parts, *right.parts):
                _agreed(self._alone(sub), sub.dialect)
            one, other = self._schema(left, dialect, True), self._schema(right, dialect, False)
        except CannotStandAlone as cannot:
            return Unknown(str(cannot))
        for schema in (one, other):
            if isinstance(schema, dict) and (reason := within_reach(schema, dialect)):
                return Unknown(reason)
        large = max(len(compact(one)), len(compact(other))) > LARGE
        if self._slow >= SLOW or self._asked[0] >= ASKED or large and self._asked[1] >= LARGE_ASKED:
            return Unknown("it was asked often enough")
        self._asked[0] += 1
        self._asked[1] += large
        answer = _FENCE.call("difference", one, other, dialect, self._joint.formats)
        self._slow += isinstance(answer, Unknown) and answer.reason.startswith("took longer")
        return answer

    def _schema(self, node: Node, dialect: Dialect, wider: bool) -> Any:
        """A node as a schema that stands alone. `wider`: where a dialect cannot say it, more may be accepted."""
        if any(scope for _, scope in node.parts):
            raise CannotStandAlone("it depends on the dynamic scope")
        if len({id(self._joint.side(sub)) for sub, _ in node.parts}) > 1:
            raise CannotStandAlone("it is of both contracts")
        bodies, definitions = [], {}
        container = "$defs" if dialect.year >= 19 else "definitions"
        for sub, _ in node.parts:
            body = self._alone(sub)
            if sub.dialect is not dialect:
                body = _translated(body, sub.dialect, wider)
            if isinstance(body, dict):
                definitions.update(body.get(container, {}))
                body = {k: v for k, v in body.items() if k != container}
            elif dialect.year == 4:
                body = {} if body else {"not": {}}
            bodies.append(body)
        if node.mask != ANYTHING:
            bodies.append({"type": [name for bits, name in _NAMES.items() if bits & node.mask]})
            if node.mask & NUMBERS not in (0, NUMBERS):
                if node.mask & NUMBERS != INTEGERS and not wider:
                    raise CannotStandAlone("integers and floats differ here")
        schema = bodies[0] if len(bodies) == 1 else {"allOf": bodies} if bodies else {}
        if definitions and isinstance(schema, dict):
            schema = {**schema, container: definitions}
        return schema

    def _alone(self, sub: Subschema) -> Any:
        """The standalone schema, with definitions named by what they say: the same in both operands."""
        side = self._joint.side(sub)
        schema = standalone(side.contract, sub)
        container = "$defs" if sub.dialect.year >= 19 else "definitions"
        if not isinstance(schema, dict) or container not in schema:
            return schema
        names = self._named(side)
        renamed = {name: names.get(name, f"{side.name}.{name}") for name in schema[container]}
        rewritten = _pointed(
            schema, sub.dialect, {f"#/{container}/{a}": f"#/{container}/{b}" for a, b in renamed.items()}
        )
        rewritten[container] = {renamed[name]: body for name, body in rewritten[container].items()}
        return rewritten

    def _named(self, side: Side) -> dict[str, str]:
        """What `standalone` calls each place, and the name by its color."""
        known = self._names.get(id(side))
        if known is None:
            numbers = {document.uri: n for n, document in enumerate(side.contract.documents.values())}
            known = self._names[id(side)] = {}
            seen: Counter[int] = Counter()
            for sub in side.contract.subschemas():
                if sub.document.uri in numbers:
                    color = self._colors.of((sub, ()))
                    # One name for each place: one that only refers to another one must not be taken for it.
                    known[name_of(numbers[sub.document.uri], sub.pointer)] = f"c{color}.{seen[color]}"
                    seen[color] += 1
        return known


def _pointed(schema: dict[str, Any], dialect: Dialect, targets: dict[str, str]) -> dict[str, Any]:
    """The schema with its references renamed."""
    made = dict(schema)
    if isinstance(made.get("$ref"), str):
        made["$ref"] = targets.get(made["$ref"], made["$ref"])
    for path, child in subschemas(made, dialect):
        if isinstance(child, dict):
            made = replace(made, path, _pointed(child, dialect, targets))
    return made


_GROWING = frozenset(
    ("properties", "patternProperties", "additionalProperties", "items", "additionalItems", "prefixItems", "allOf",
     "anyOf", "definitions", "$defs")
)  # fmt: skip
"""Where a wider subschema makes a wider schema."""


def _agreed(schema: Any, dialect: Dialect) -> None:
    """Raises CannotStandAlone where one of the validators ignores a keyword that the algebra takes as asserted."""
    if not isinstance(schema, dict):
        return
    for keyword in schema:
        if disputed(keyword, dialect):
            raise CannotStandAlone(f"only one of the validators asserts `{keyword}` in {dialect.name}")
    for _, child in subschemas(schema, dialect):
        _agreed(child, dialect)


def _translated(schema: Any, dialect: Dialect, wider: bool) -> Any:
    """A schema that stands alone, written in 2020-12. Raises CannotStandAlone."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    year = dialect.year
    for path, child in subschemas(schema, dialect):
        made = replace(made, path, _translated(child, dialect, wider and path[0] in _GROWING))
    if isinstance(made.get("$ref"), str):
        made["$ref"] = made["$ref"].replace("#/definitions/", "#/$defs/")
    if "definitions" in made:
        made["$defs"] = made.pop("definitions")
    if isinstance(made.get("items"), list):
        rest = made.pop("additionalItems", None)
        made["prefixItems"] = made.pop("items")
        if rest is not None:
            made["items"] = rest
    elif year < 20:
        made.pop("additionalItems", None)
    for name, needed in made.pop("dependencies", {}).items() if year <= 7 else ():
        keyword = "dependentRequired" if isinstance(needed, list) else "dependentSchemas"
        made[keyword] = {**made.get(keyword, {}), name: needed}
    if year == 4:
        _of_04(made, wider)
    if year <= 7 and ("contentEncoding" in made or "contentMediaType" in made) and not wider:
        raise CannotStandAlone("content is asserted in one dialect only")
    named = made.get("format")
    if isinstance(named, str) and standing(named, dialect) != standing(named, DRAFT_2020_12):
        if not wider:
            raise CannotStandAlone(f"the format {named!r} is asserted in one dialect only")
        del made["format"]
    return made


def _of_04(made: dict[str, Any], wider: bool) -> None:
    for plain, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if made.pop(exclusive, False) is True and plain in made:
            made[exclusive] = made.pop(plain)
    types = made.get("type")
    if not wider and (types == "integer" or isinstance(types, list) and "integer" in types and "number" not in types):
        raise CannotStandAlone("to draft-04, 1.0 is no integer")
