# `make check` runs the product on its own contracts; `make test` lints and tests. Both set everything up first.

PYTHON ?= python3
VENV ?= .venv
JOBS ?= auto
KNOWNBAD_CORPORA ?= ../shared/corpora
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

export KNOWNBAD_CORPORA

.PHONY: help setup check generate test lint sweep docs bench clean

help:
	@echo "make check      set up, then check what is committed: generate --check, verify"
	@echo "make generate   set up, then write the corpora and tests of the project's own contracts"
	@echo "make test       set up, then lint and run the tests"
	@echo "make sweep      set up, then run the long tests over the corpora in KNOWNBAD_CORPORA"
	@echo "make docs       set up, then write the real output of the examples into README and docs"
	@echo "make bench      set up, then print the benchmarks as ratios"

setup: $(STAMP)

# Installed again only when the dependencies may have changed; the code itself is installed as editable.
$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

check: $(STAMP)
	$(BIN)/knownbad generate --check
	$(BIN)/knownbad verify

generate: $(STAMP)
	$(BIN)/knownbad generate
	$(BIN)/python tests/known_bad_logs.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n $(JOBS)

sweep: $(STAMP)
	$(BIN)/pytest -n $(JOBS) -m sweep

docs: $(STAMP)
	$(BIN)/python tests/fault_table.py
	$(BIN)/python tests/operator_table.py
	$(BIN)/python tests/rule_table.py
	$(BIN)/python tests/requirement_table.py
	$(BIN)/python tests/console.py README.md docs/*.md

bench: $(STAMP)
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
