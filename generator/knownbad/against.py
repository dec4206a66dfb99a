"""What a branch changed in a schema: the values at places of its documents, against those of an earlier revision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import documents
from .contract import Contract, Subschema
from .errors import BadInput
from .git import Repository, Tree
from .keywords.mutation import Mutation
from .keywords.places import holds_several, holds_subschemas
from .pointers import get
from .values import equal

_GONE: Any = object()


class Earlier:
    """The documents of a contract as a revision of git has them; `root` is what their names are relative to.

    Raises BadInput when there is no such revision.
    """

    def __init__(self, contract: Contract, root: Path, revision: str) -> None:
        self._documents: dict[str, tuple[Any, Any]] = {}
        tree = Repository.around(root).tree(revision)
        for document in contract.documents.values():
            path = root / document.name
            if document.uri in self._documents or not path.is_file():
                continue
            now = documents.parse(documents.read_text(path, document.name), document.name)
            self._documents[document.uri] = (_at(tree, path, document.name), now)

    def changed(self, mutation: Mutation) -> bool:
        """Whether what a mutation edits is new or another than in the earlier revision."""
        if mutation.site.document.uri not in self._documents:
            return False  # a published metaschema
        before, now = self._documents[mutation.site.document.uri]
        old, new = _value(before, mutation.site), _value(now, mutation.site)
        if not isinstance(old, dict) or not isinstance(new, dict):
            return not _same(old, new)
        return any(_differs(old, new, mutation, keyword) for keyword in _edited(mutation))


def _differs(old: Mapping[str, Any], new: Mapping[str, Any], mutation: Mutation, keyword: str) -> bool:
    """Whether a keyword differs in what the mutation is about.

    Of several subschemas that is the entries that it edits, or, where it edits them all, their names or their number.
    """
    one, other = old.get(keyword, _GONE), new.get(keyword, _GONE)
    before, after = mutation.site.value.get(keyword, _GONE), mutation.value.get(keyword, _GONE)
    now, then, kept, left = map(_entries, (other, one, before, after))
    if not holds_several(keyword, before) or now is None or then is None or kept is None:
        return not _same(one, other)
    left = left or {}
    if isinstance(before, list):
        same = [n for n, item in kept.items() if any(item is other for other in left.values())]
    else:
        same = [name for name, item in kept.items() if left.get(name, _GONE) is item]
    if not same and len(kept) > 1:
        return list(then) != list(now)
    names = [name for name in {**kept, **left} if name not in same]
    return any(not _same(then.get(name, _GONE), now.get(name, _GONE)) for name in names)


def _entries(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, list):
        return dict(enumerate(value))
    return value if isinstance(value, dict) else None


def _edited(mutation: Mutation) -> list[str]:
    """The keywords that the edit changes, and the one that the mutation is named for."""
    before, after = mutation.site.value, mutation.value
    if not isinstance(before, dict) or not isinstance(after, dict):
        return [*before] if isinstance(before, dict) else []
    names = [k for k in {**before, **after} if before.get(k, _GONE) is not after.get(k, _GONE)]
    named = [str(mutation.keyword[0])] if mutation.keyword and str(mutation.keyword[0]) in before else []
    return list(dict.fromkeys([*names, *(k for k in named if not holds_subschemas(k))]))


def _same(one: Any, other: Any) -> bool:
    return one is other or one is not _GONE and other is not _GONE and equal(one, other)


def _value(document: Any, site: Subschema) -> Any:
    try:
        return get(document, site.pointer)
    except (LookupError, ValueError):
        return _GONE


def _at(tree: Tree, path: Path, name: str) -> Any:
    """The document as the revision has it; `_GONE` where it has none, or one that cannot be read."""
    try:
        found = tree.read(tree.repository.inside(path))
        return _GONE if found is None else documents.parse(found.decode("utf-8-sig"), name)
    except (BadInput, ValueError):
        return _GONE
