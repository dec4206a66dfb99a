"""Codes of error contracts: catalogue, fixtures, twins, replay (KB3xx)."""

from __future__ import annotations
