"""Codes of lint: what is wrong with a schema by itself (KB1xx)."""

from __future__ import annotations
