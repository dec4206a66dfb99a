"""The comparison of two contracts: narrowed, widened, both or neither, with the instance that shows it."""

from .findings import findings
from .job import compare, proof
from .results import Change, Comparison, Place, Shift

__all__ = ["Change", "Comparison", "Place", "Shift", "compare", "findings", "proof"]
