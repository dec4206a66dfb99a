"""Results as one JSON document, for machines. `docs/` describes the shapes; a key is only ever added."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..corpus import GENERATED
from ..layout import relative
from . import error_fixtures

if TYPE_CHECKING:
    from ..init import Started
    from ..produce import Made, Run
    from ..verify import Verified


def run(result: Run) -> str:
    """A `generate` run: per contract the counts, the files and the state of every class."""
    return _text(
        {
            "version": __version__,
            "checked": result.checked,
            "contracts": [_made(made, result) for made in result.made],
            "errors": error_fixtures.of_run(result.errors, result.root),
            "notes": list(result.notes),
            "exit": int(result.exit),
        }
    )


def _made(made: Made, result: Run) -> dict[str, Any]:
    def paths(found: tuple[Any, ...]) -> list[str]:
        return [relative(path, result.root) for path in found]

    files = made.changes
    return {
        "contract": made.name,
        "schema": made.schema,
        "positive": len(made.corpus.positives),
        "negative": len(made.corpus.negatives),
        "written": [
            {
                "file": relative(made.layout.folder(f.positive) / f"{f.slug}.json", result.root),
                "origin": f.origin,
                "keywordLocation": f.keyword_location,
            }
            for f in made.corpus.fixtures
            if f.origin != GENERATED
        ],
        "files": {
            "added": paths(files.added),
            "changed": paths(files.changed),
            "removed": paths(files.stale),
            "unchanged": paths(files.unchanged),
        },
        "classes": [
            {
                "class": outcome.class_,
                "state": outcome.state,
                "positive": outcome.positive,
                "keywordLocation": outcome.keyword_location,
                "reason": outcome.reason,
                "file": None if outcome.slug is None else f"{outcome.slug}.json",
            }
            for outcome in made.corpus.outcomes
        ],
        "notes": list(made.notes),
    }


def verified(result: Verified) -> str:
    """A `verify` run: the counts and every finding."""
    return _text(
        {
            "version": __version__,
            "corpora": result.corpora,
            "positive": result.positives,
            "negative": result.negatives,
            "findings": [
                {
                    "kind": finding.kind,
                    "code": finding.code.code,
                    "contract": finding.contract,
                    "file": relative(finding.file, result.root),
                    "message": finding.message,
                    "keywordLocation": finding.location,
                }
                for finding in result.findings
            ],
            "errors": error_fixtures.of_verified(result.errors),
            "notes": list(result.notes),
            "exit": int(result.exit),
        }
    )


def started(result: Started) -> str:
    """An `init` run: what was written and what was found."""
    return _text(
        {
            "version": __version__,
            "written": [relative(path, result.root) for path in result.written],
            "kept": [relative(path, result.root) for path in result.kept],
            "contracts": [{"name": entry.name, "schema": entry.schema} for entry in result.contracts],
            "notes": list(result.notes),
            "exit": 0,
        }
    )


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
