"""All benchmarks, one after the other."""

from __future__ import annotations

from . import mutation, replays, runs, scale, suites

scale.main([])
runs.main([])
mutation.main([])
replays.main([])
suites.main([])
