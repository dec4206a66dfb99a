"""The codes of findings, a module a family: `KB1xx` lint, `KB2xx` corpus, `KB3xx` error contracts, `KB4xx` compare,

`KB5xx` mutants, `KB6xx` eval suites. Each code has its page in `docs/rules/`. A code is never given another meaning.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..finding import Code

FAMILIES = ("lint", "corpus", "error_contracts", "replay", "compare", "mutants", "suites")


@cache
def every() -> dict[str, Code]:
    """Every code by its name `KBnnn`, in order."""
    found = [
        c for family in FAMILIES for c in vars(import_module(f".{family}", __name__)).values() if isinstance(c, Code)
    ]
    return {c.code: c for c in sorted(found, key=lambda c: c.code)}
