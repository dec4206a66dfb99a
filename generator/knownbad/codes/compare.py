"""Codes of the comparison of two schemas and the gate (KB4xx)."""

from __future__ import annotations
