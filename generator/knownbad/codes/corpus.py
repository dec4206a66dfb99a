"""Codes of the corpus: its files, their verdicts and reasons (KB2xx)."""

from __future__ import annotations
