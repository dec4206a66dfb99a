"""What `anyOf`, `oneOf`, `not` and `if` ask of another node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..keywords.shape import ARRAY, OBJECT, STRING
from .forms import ANYTHING, BITS, NUMBERS, Branches, Flat, Form, Node, Part
from .need import Kid, Link, Need
from .said import asserted

if TYPE_CHECKING:
    from .needs import Needs

MANY = 40
"""How many branches are held against each other."""


def of_branches(needs: Needs, left: Node, one: Form, flat: Flat, keyword: str) -> Iterator[Need]:
    """Everything of the left node falls into a branch; of `oneOf`, into just one."""
    parts = [needs.forms.child(flat, (keyword, i)) for i in range(len(flat.value[keyword]))]
    colors = [needs.colors.of(part) for part in parts]
    if keyword == "anyOf":
        for known in one.branches:
            if known.keyword == "anyOf" or known.keyword == "oneOf":
                if set(_colors(needs, known)) <= set(colors):
                    return
    elif any(known.keyword == "oneOf" and sorted(_colors(needs, known)) == sorted(colors) for known in one.branches):
        return
    alone = keyword == "oneOf"
    if any(_falls(needs, left, parts, i, alone, ()) for i in _likely(needs, one, parts)):
        return
    best: list[Case] | None = None
    for cases in _partitions(needs, left, one):
        failed = []
        for case in cases:
            node, others = case.node, case.others
            form = needs.forms.form(node)
            if needs.dead(form) or any(
                _falls(needs, node, parts, i, alone, others) for i in _likely(needs, form, parts)
            ):
                continue
            failed.append(case)
        if not failed:
            return
        if best is None or case.chosen and len(failed) < len(best):
            best = failed
    if best is None:
        best = [Case(left, tuple(Link(part, None, (), n) for n, part in enumerate(left.parts)), (), False)]
    taken = {colors.index(c) for known in one.branches for c in _colors(needs, known) if c in colors}
    for case in best:
        both = _beside(needs, case, parts) if alone else None
        if both is not None:
            yield Need(flat, keyword, subject=("beside", *both, case.others), case=(case.node, case.links))
            continue
        kid = _partner(needs, case, flat, keyword, parts, taken)
        if kid is None:
            yield Need(flat, keyword, case=(case.node, case.links))
        else:
            yield Need(flat, keyword, (kid,), case=(case.node, case.links), turned=True)


def _colors(needs: Needs, known: Branches) -> list[int]:
    return [needs.colors.of(needs.forms.child(known.flat, (known.keyword, i))) for i in range(known.count)]


def _falls(needs: Needs, node: Node, parts: list[Part], index: int, alone: bool, others: tuple[Part, ...]) -> bool:
    """Whether a node falls into one branch, and where that counts, into no other.

    `others`: branches that nothing of the node meets.
    """
    if not needs.holds(node, needs.forms.node([parts[index]])):
        return False
    return not alone or all(_keeps_out(needs, node, part, others) for i, part in enumerate(parts) if i != index)


def _keeps_out(needs: Needs, node: Node, part: Part, others: tuple[Part, ...]) -> bool:
    """Whether nothing of a node meets a branch: what did would meet one of `others`, too."""
    if needs.colors.of(part) in map(needs.colors.of, others) or needs.disjoint(node, part):
        return True
    both = needs.forms.node([*node.parts, part], node.mask, node.split)
    return any(needs.holds(both, needs.forms.node([other])) for other in others[:MANY])


def _likely(needs: Needs, one: Form, parts: list[Part]) -> list[int]:
    """The branches that a form may fall into, by its types alone."""
    found = []
    for index, part in enumerate(parts[:MANY]):
        form = needs.forms.form(needs.forms.node([part]))
        if not form.false and one.mask & ~form.mask == 0:
            found.append(index)
    return found


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a node: with a branch of its own (`chosen`), or of one type. `others`: branches that it rejects."""

    node: Node
    links: tuple[Link, ...]
    others: tuple[Part, ...]
    chosen: bool


def _partitions(needs: Needs, left: Node, one: Form) -> Iterator[list[Case]]:
    """Ways to take a node apart: by a combinator of its own, and by type."""
    yield from chosen(needs, left, one)
    bits = [bit for bit in BITS if bit & one.mask]
    if len(bits) > 1:
        own = tuple(Link(part, None, (), n) for n, part in enumerate(left.parts))
        yield [Case(needs.forms.node(left.parts, left.mask & bit, left.split), own, (), False) for bit in bits]


def chosen(needs: Needs, left: Node, one: Form) -> Iterator[list[Case]]:
    """Ways to take a node apart by a combinator of its own."""
    own = tuple(Link(part, None, (), n) for n, part in enumerate(left.parts))
    for known in one.branches:
        if known.count > MANY:
            continue
        split = left.split | {(id(known.flat.sub), known.keyword)}
        parts = [needs.forms.child(known.flat, (known.keyword, i)) for i in range(known.count)]
        whole = [_whole(needs, part) for part in parts]
        cases = []
        for index, part in enumerate(parts):
            others: tuple[Part, ...] = ()
            types = left.mask
            if known.keyword == "oneOf":
                others = tuple(p for i, p in enumerate(parts) if i != index)
                for i, taken in enumerate(whole):
                    types &= types if i == index else ~taken
            link = Link(part, known.flat, (known.keyword, index))
            node = needs.forms.node([*left.parts, part], types, split)
            cases.append(Case(node, (link, *own), others, True))
        yield cases


def _whole(needs: Needs, part: Part) -> int:
    """The types of which a part accepts everything."""
    form = needs.forms.form(needs.forms.node([part]))
    if form.false or form.values is not None:
        return 0
    left = form.mask
    for flat in form.flats:
        for keyword in asserted(flat):
            if keyword not in ("type", "$ref", "allOf"):
                left &= ~_SPEAKS_OF.get(keyword, ANYTHING)
    return left


_SPEAKS_OF = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), NUMBERS),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"), STRING),
    **dict.fromkeys(
        ("items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems", "maxItems",
         "uniqueItems", "unevaluatedItems"), ARRAY,
    ),
    **dict.fromkeys(
        ("properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties",
         "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"), OBJECT,
    ),
}  # fmt: skip
"""The types that a keyword says something of."""


def _beside(needs: Needs, case: Case, parts: list[Part]) -> tuple[Part, Part] | None:
    """Two branches, of which a case falls into the first, and maybe into the second as well."""
    for index in _likely(needs, needs.forms.form(case.node), parts):
        if needs.holds(case.node, needs.forms.node([parts[index]])):
            for other, part in enumerate(parts):
                if other != index and not _keeps_out(needs, case.node, part, case.others):
                    return parts[index], part
    return None


def _partner(
    needs: Needs,
    case: Case,
    flat: Flat,
    keyword: str,
    parts: list[Part],
    taken: set[int],
) -> Kid | None:
    """The branch that a case is the likeliest to be meant for, where one is alike."""
    node, links = case.node, case.links
    form = needs.forms.form(node)
    scored = []
    for index, part in enumerate(parts[:MANY]):
        other = needs.forms.form(needs.forms.node([part]))
        if other.mask & form.mask and index not in taken:
            same = any(own[0].pointer == part[0].pointer for own in node.parts)
            scored.append((_alike(form, other) + 3 * same, -index))
    if len(scored) == 1:
        scored = [(2, scored[0][1])]
    if not scored or max(scored)[0] < 2:
        return None
    index = -max(scored)[1]
    right = needs.forms.node([parts[index]])
    if needs.holds(node, right):
        return None
    return Kid(node, right, links, ((flat, (keyword, index)),), ("here",))


def _alike(one: Form, other: Form) -> int:
    """How much two forms have in common."""
    score = 2 if one.mask == other.mask else 0
    names, others = _names(one), _names(other)
    score += 2 * len(names & others) - len(names ^ others) // 2
    score += 2 * len(set(one.required) & set(other.required))
    score += 2 * len(set(one.patterns) & set(other.patterns))
    if one.items and other.items:
        score += 1
    return score


def _names(form: Form) -> set[str]:
    return {name for group in form.members for name in group.names}


def of_not(needs: Needs, left: Node, one: Form, flat: Flat) -> Iterator[Need]:
    """Nothing of the left node is accepted below `not`."""
    part = needs.forms.child(flat, ("not",))
    right = needs.forms.node([part])
    for known in one.flats:
        if "not" in known.value and needs.holds(right, needs.forms.node([needs.forms.child(known, ("not",))])):
            return
    if not needs.disjoint(left, part):
        yield Need(flat, "not")


def of_if(needs: Needs, left: Node, one: Form, flat: Flat) -> Iterator[Need]:
    """What meets the condition meets `then`, and all else meets `else`."""
    value = flat.value
    condition = needs.forms.child(flat, ("if",))
    color = needs.colors.of(condition)
    own = tuple(Link(part, None, (), n) for n, part in enumerate(left.parts))
    alike = [f for f in one.flats if "if" in f.value and f.sub.dialect.year >= 7]
    same = [f for f in alike if needs.colors.of(needs.forms.child(f, ("if",))) == color]
    for keyword in ("then", "else"):
        if keyword not in value:
            continue
        extra = tuple(Link(needs.forms.child(f, (keyword,)), f, (keyword,)) for f in same if keyword in f.value)
        parts = [*left.parts, *(link.part for link in extra)]
        if keyword == "then":
            parts.append(condition)
        node = needs.forms.node(parts, left.mask, left.split)
        if needs.dead(needs.forms.form(node)):
            continue
        right = needs.forms.node([needs.forms.child(flat, (keyword,))])
        if not needs.holds(node, right):
            kid = Kid(node, right, (*extra, *own), ((flat, (keyword,)),), ("here",), bool(extra))
            yield Need(flat, keyword, (kid,) if extra else (), turned=True)
