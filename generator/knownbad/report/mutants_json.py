"""A mutation check as one JSON document; `schemas/mutation-report.schema.json` says what it looks like."""

from __future__ import annotations

import json
from math import floor
from typing import Any

from .. import __version__
from ..layout import relative
from ..mutants import STATES, Check, Checked, Mutant
from . import shown
from .sources import Sources


def text(checked: Checked) -> str:
    """The document, with a newline at the end."""
    return json.dumps(document(checked), indent=2, ensure_ascii=False) + "\n"


def document(checked: Checked) -> dict[str, Any]:
    """The counts over all contracts, then every contract with its counts and all its mutants."""
    states = [mutant.state for mutant in checked.mutants]
    return {
        "score": _score(checked.score),
        "mutants": len(states),
        **{state: states.count(state) for state in STATES},
        "failUnder": checked.fail_under,
        "version": __version__,
        "exit": int(checked.exit),
        "notes": [*([] if checked.shard is None else [_shard(*checked.shard)]), *checked.notes],
        "contracts": [_contract(check, checked) for check in checked.checks],
    }


def _shard(number: int, of: int) -> str:
    return f"shard {number} of {of}: the numbers are those of this part alone"


def _score(score: float | None) -> float | None:
    """Two decimals, never rounded up: 100 says that all are killed."""
    return None if score is None else floor(score * 100 + 1e-9) / 100


def _contract(check: Check, checked: Checked) -> dict[str, Any]:
    sources = Sources(check, checked.root)
    return {
        "contract": check.contract,
        "file": relative(check.file, checked.root),
        "score": _score(check.score),
        **shown.counts(check),
        "positive": check.fixtures[0],
        "negative": check.fixtures[1],
        "wrong": list(check.wrong),
        "notes": list(check.notes),
        "results": [_result(mutant, sources) for mutant in check.mutants],
    }


def _result(mutant: Mutant, sources: Sources) -> dict[str, Any]:
    found: dict[str, Any] = {
        "class": mutant.identity,
        "operator": mutant.operator,
        "schema": mutant.schema,
        "keywordLocation": mutant.location,
        "site": mutant.site,
        "line": sources.line(mutant),
        "expected": mutant.expected,
        "observed": mutant.observed,
        "state": mutant.state,
        "code": code.code if (code := shown.code(mutant)) else None,
        "killedBy": list(mutant.killed_by),
        "reason": mutant.reason,
        "accepted": mutant.accepted,
        "missing": mutant.missing,
        "written": mutant.written,
    }
    if shown.has_witness(mutant):
        found["witness"] = mutant.witness
    return found
