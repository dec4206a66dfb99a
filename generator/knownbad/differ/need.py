"""Needs: what one keyword of a node asks of another node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .forms import Edge, Flat, Node, Part

if TYPE_CHECKING:
    from .needs import Needs


@dataclass(frozen=True, slots=True)
class Link:
    """A part of a smaller node: the edge that leads to it from a schema object of the larger one.

    With `flat` None it is one of the larger node's own parts, by its number.
    """

    part: Part
    flat: Flat | None
    edge: Edge = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Kid:
    """A pair of smaller nodes that a need comes down to. `step` is the way into the instance, `("here",)` for none.

    `exact`: the edges of the left node lead to that very step.
    """

    left: Node
    right: Node
    links: tuple[Link, ...]
    edges: tuple[tuple[Flat, Edge], ...]
    step: tuple[Any, ...]
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Need:
    """What one keyword of the right node asks of the left one. Open, where it has no `kids`.

    `subject`: the member or the value that it is about. `left`: the case of the left node that it is about.
    `turned`: its kids stand below a combinator, so what they show may not show in the whole.
    """

    flat: Flat
    keyword: str
    kids: tuple[Kid, ...] = ()
    subject: Any = None
    case: tuple[Node, tuple[Link, ...]] | None = None
    turned: bool = False


def down(
    needs: Needs,
    flat: Flat,
    keyword: str,
    node: Node,
    links: tuple[Link, ...],
    edges: tuple[tuple[Flat, Edge], ...],
    parts: Sequence[Part],
    step: tuple[Any, ...],
    exact: bool,
    subject: Any = None,
) -> Iterator[Need]:
    """The need that a part of the left node, which `step` leads to, is covered by these parts."""
    right = needs.forms.node(parts)
    if not needs.holds(node, right, below=True):
        yield Need(flat, keyword, (Kid(node, right, links, edges, step, exact),), subject)
