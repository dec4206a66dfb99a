"""What a branch changed in a schema: the values at places of its documents, against those of an earlier revision."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import documents
from .contract import Contract, Subschema
from .errors import BadInput, Problem
from .keywords.mutation import Mutation
from .keywords.places import holds_subschemas
from .pointers import get
from .values import equal

_GONE: Any = object()


class Earlier:
    """The documents of a contract as a revision of git has them; `root` is what their names are relative to.

    Raises BadInput when there is no such revision.
    """

    def __init__(self, contract: Contract, root: Path, revision: str) -> None:
        self._documents: dict[str, tuple[Any, Any]] = {}
        _check(root, revision)
        for document in contract.documents.values():
            path = root / document.name
            if document.uri in self._documents or not path.is_file():
                continue
            now = documents.parse(documents.read_text(path, document.name), document.name)
            self._documents[document.uri] = (_at(path, revision, document.name), now)

    def changed(self, mutation: Mutation) -> bool:
        """Whether what a mutation edits is new or another than in the earlier revision."""
        if mutation.site.document.uri not in self._documents:
            return False  # a published metaschema
        before, now = self._documents[mutation.site.document.uri]
        old, new = _value(before, mutation.site), _value(now, mutation.site)
        if not isinstance(old, dict) or not isinstance(new, dict):
            return not _same(old, new)
        return any(self._differs(old, new, mutation, keyword) for keyword in _edited(mutation))

    @staticmethod
    def _differs(old: Mapping[str, Any], new: Mapping[str, Any], mutation: Mutation, keyword: str) -> bool:
        """Whether a keyword differs; of a map of subschemas, only the entry that the mutation is about counts."""
        one, other = old.get(keyword, _GONE), new.get(keyword, _GONE)
        value = mutation.value.get(keyword, _GONE) if isinstance(mutation.value, dict) else _GONE
        if holds_subschemas(keyword) and all(isinstance(v, dict) for v in (one, other, value)):
            names = [name for name in {**other, **value} if other.get(name, _GONE) is not value.get(name, _GONE)]
            return any(not _same(one.get(name, _GONE), other.get(name, _GONE)) for name in names)
        return not _same(one, other)


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


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise BadInput(Problem("--against needs git, which is not installed")) from None


def _check(root: Path, revision: str) -> None:
    if _git(root, "rev-parse", "--git-dir").returncode:
        raise BadInput(Problem("--against needs a git repository", str(root)))
    if revision.startswith("-") or _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").returncode:
        fix = "in CI, fetch it first: a shallow clone has only one commit"
        raise BadInput(Problem(f"git knows no revision {revision!r}", str(root), fix=fix))


def _at(path: Path, revision: str, name: str) -> Any:
    """The document as the revision has it; `_GONE` where it has none, or one that cannot be read."""
    shown = _git(path.parent, "show", f"{revision}:./{path.name}")
    if shown.returncode:
        return _GONE
    try:
        return documents.parse(shown.stdout.decode("utf-8-sig"), name)
    except (BadInput, UnicodeDecodeError):
        return _GONE
