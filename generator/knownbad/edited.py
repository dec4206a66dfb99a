"""A contract after an edit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .contract import Contract, Document, Subschema
from .pointers import replace as placed
from .pointers import steps


def edited_contract(contract: Contract, sub: Subschema, value: Any) -> Contract:
    """The contract with `value` in the place of a subschema."""
    documents: dict[str, Document] = {}
    made: dict[int, Document] = {}
    for uri, document in contract.documents.items():
        if id(document) not in made:
            whole = document.value
            if document.uri == sub.document.uri:
                whole = placed(whole, steps(sub.pointer), value)
            made[id(document)] = replace(document, value=whole)
        documents[uri] = made[id(document)]
    return replace(contract, documents=documents)
