"""Codes of eval suites: admission, event logs, promotion (KB6xx)."""

from __future__ import annotations
