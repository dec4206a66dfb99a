"""The gate of a pull request: head against the merge base, contract by contract, and all that must hold of head."""

from .job import GateOptions, gate

__all__ = ["GateOptions", "gate"]
