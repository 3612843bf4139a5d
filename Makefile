# Two commands matter: `make sim` and `make test`. Both prepare what they need and do not prepare it twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
TEST := $(VENV)/.installed-test

.PHONY: sim test lint bench clean help

help:
	@echo "make sim     a simulated Big Wheel table that plays by itself, with a page on loopback"
	@echo "make test    every test"
	@echo "make bench   the benchmarks, as JSON lines"
	@echo "make clean   remove what these made"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Say make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "This Python cannot make a virtual environment. On Debian: apt install python3-venv"; rm -rf $(VENV); exit 1; }

$(RUN): pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(TEST): $(RUN)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

sim: $(RUN)
	$(BIN)/tablectl sim

test: $(TEST) lint
	$(BIN)/python -m pytest

lint: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

bench: $(TEST)
	$(BIN)/tablectl bench all

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
