"""Fixtures of documented error classes, and known-bad twins that each fail one assertion."""
