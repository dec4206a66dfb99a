"""Benchmarks. They print ratios and assert nothing: `python -m tests.bench` from the repository, or `make bench`."""
