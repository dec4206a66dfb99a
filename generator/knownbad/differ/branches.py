"""What `anyOf`, `oneOf`, `not` and `if` ask of another node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .forms import BITS, Branches, Flat, Form, Node, Part
from .need import Kid, Link, Need

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
    best: list[tuple[Node, tuple[Link, ...], tuple[int, ...]]] | None = None
    fewest = 1 << 30
    for cases in _partitions(needs, left, one):
        failed = []
        for case in cases:
            node, _, others = case
            form = needs.forms.form(node)
            if needs.dead(form) or any(
                _falls(needs, node, parts, i, alone, others) for i in _likely(needs, form, parts)
            ):
                continue
            failed.append(case)
        if not failed:
            return
        if len(failed) < fewest:
            best, fewest = failed, len(failed)
    if best is None:
        yield Need(flat, keyword)
        return
    taken = {colors.index(c) for known in one.branches for c in _colors(needs, known) if c in colors}
    for case in best:
        kid = _partner(needs, case, flat, keyword, parts, taken)
        if kid is None:
            yield Need(flat, keyword, case=case[:2])
        else:
            yield Need(flat, keyword, (kid,), case=case[:2], turned=True)


def _colors(needs: Needs, known: Branches) -> list[int]:
    return [needs.colors.of(needs.forms.child(known.flat, (known.keyword, i))) for i in range(known.count)]


def _falls(needs: Needs, node: Node, parts: list[Part], index: int, alone: bool, others: tuple[int, ...]) -> bool:
    """Whether a node falls into one branch, and where that counts, into no other.

    `others`: colors of branches that nothing of the node meets.
    """
    if not needs.holds(node, needs.forms.node([parts[index]])):
        return False
    return not alone or all(
        needs.colors.of(part) in others or needs.disjoint(node, part) for i, part in enumerate(parts) if i != index
    )


def _likely(needs: Needs, one: Form, parts: list[Part]) -> list[int]:
    """The branches that a form may fall into, by its types alone."""
    found = []
    for index, part in enumerate(parts[:MANY]):
        form = needs.forms.form(needs.forms.node([part]))
        if not form.false and one.mask & ~form.mask == 0:
            found.append(index)
    return found


def _partitions(needs: Needs, left: Node, one: Form) -> Iterator[list[tuple[Node, tuple[Link, ...], tuple[int, ...]]]]:
    """Ways to take a node apart: by a combinator of its own, and by type."""
    own = tuple(Link(part, None, (), n) for n, part in enumerate(left.parts))
    for known in one.branches:
        if known.count > MANY:
            continue
        split = left.split | {(id(known.flat.sub), known.keyword)}
        colors = _colors(needs, known)
        cases = []
        for index in range(known.count):
            edge = (known.keyword, index)
            part = needs.forms.child(known.flat, edge)
            others = tuple(c for i, c in enumerate(colors) if i != index) if known.keyword == "oneOf" else ()
            link = Link(part, known.flat, edge)
            cases.append((needs.forms.node([*left.parts, part], left.mask, split), (link, *own), others))
        yield cases
    bits = [bit for bit in BITS if bit & one.mask]
    if len(bits) > 1:
        yield [(needs.forms.node(left.parts, left.mask & bit, left.split), own, ()) for bit in bits]


def _partner(
    needs: Needs,
    case: tuple[Node, tuple[Link, ...], tuple[int, ...]],
    flat: Flat,
    keyword: str,
    parts: list[Part],
    taken: set[int],
) -> Kid | None:
    """The branch that a case is the likeliest to be meant for, where one is alike."""
    node, links, _ = case
    form = needs.forms.form(node)
    scored = []
    for index, part in enumerate(parts[:MANY]):
        other = needs.forms.form(needs.forms.node([part]))
        if other.mask & form.mask and index not in taken:
            scored.append((_alike(form, other), -index))
    if not scored or max(scored)[0] < 2:
        return None
    index = -max(scored)[1]
    right = needs.forms.node([parts[index]])
    if needs.holds(node, right):
        return None  # it is there, but beside another one
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
