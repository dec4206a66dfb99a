"""Codes of mutation checks (KB5xx)."""

from __future__ import annotations
