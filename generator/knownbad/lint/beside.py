"""Keywords beside `$ref`, which everybody ignores up to draft-07."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..algebra import Difference, Empty
from ..codes.lint import BESIDE_REF
from ..compiled import ValidatorFailed
from ..contract import Subschema
from ..errors import NO_VALUE
from ..finding import Level
from ..keywords.shape import Ob
from .look import Look, Spotted, listed
from .vocabulary import ASSERTING
from .walks import Walks


def ignored_beside_ref(look: Look) -> Iterator[Spotted]:
    """What stands beside a reference and is ignored, unless the target of the reference says as much already."""
    walks = Walks(look)
    for sub in look.objects:
        if not sub.dialect.ref_hides_siblings or not isinstance(sub.value.get("$ref"), str):
            continue
        ignored = [keyword for keyword in sub.value if keyword != "$ref" and _asserts(sub, keyword)]
        if not ignored:
            continue
        witness = _accepted_all_the_same(look, walks, sub, {k: sub.value[k] for k in ignored})
        more = True if witness is not NO_VALUE else _says_more(look, sub, ignored)
        if more is False:
            continue
        verb = "is" if len(ignored) == 1 else "are"
        shows = "" if witness is NO_VALUE else ", so this is accepted"
        yield look.spotted(
            BESIDE_REF,
            sub,
            f"{listed(ignored)} beside `$ref` {verb} ignored in {sub.dialect.name}{shows}",
            "$ref",
            subject=" ".join(ignored),
            witness=witness,
            level=None if more else Level.WARNING,
            fix='put the reference into `allOf`: {"allOf": [{"$ref": ...}], ...}',
        )


def _accepted_all_the_same(look: Look, walks: Walks, sub: Subschema, ignored: dict[str, Any]) -> Any:
    """An instance that the reference lets through and that the ignored keywords would reject."""
    try:
        meant = walks.instead(sub, ignored)
        for value in walks.to([Ob(sub), Ob(meant, False)]):
            if walks.local(sub, value) and not walks.local(meant, value) and look.accepts(sub, value):
                return value
    except (ValidatorFailed, LookupError):
        pass
    return NO_VALUE


def _asserts(sub: Subschema, keyword: str) -> bool:
    years = ASSERTING.get(keyword)
    if years is None or not years[0] <= sub.dialect.year <= years[1] or keyword == "format":
        return False
    value = sub.value[keyword]
    says_nothing = (value is True or value == {} or value == []) and keyword not in ("enum", "const")
    return not (says_nothing or keyword.startswith("min") and value == 0 or keyword == "uniqueItems" and not value)


def _says_more(look: Look, sub: Subschema, ignored: list[str]) -> bool | None:
    """Whether the ignored keywords would reject something that the target accepts; None where that is not known."""
    target = look.alone(sub)
    said = look.alone(sub, {k: sub.value[k] for k in ignored})
    if target is None or said is None:
        return None
    left = look.ask("difference", target, said, dialect=sub.dialect)
    return False if isinstance(left, Empty) else True if isinstance(left, Difference) and left.certain else None
