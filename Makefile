# Two commands do everything on a machine that has Python 3.11 or newer: `make play` and `make test`.
# Both make a virtual environment of their own (.venv) the first time.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=
JOBS   ?= 2

.PHONY: help play test check conformance bench clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.play  ## install, and open the table in the browser (ARGS="play fan-tan": play in the terminal)
	@$(BIN)/cardtable $(ARGS)

test: $(VENV)/.dev  ## install, and run all tests (ARGS="-k words": options of pytest)
	@$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

check: $(VENV)/.dev  ## the linters: style, format, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

conformance: $(VENV)/.dev  ## write docs/conformance.md anew: which tests hold to which rules
	@$(BIN)/python tools/conformance.py

bench: $(VENV)/.bench  ## the speed of every game on this machine, beside OpenSpiel
	@$(BIN)/cardtable bench $(ARGS)

clean:  ## remove what these commands made
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(VENV)/.play: pyproject.toml tools/setup_venv.py
	@echo "Installing Cardtable into $(VENV) (once; a minute or so) ..."
	@$(PYTHON) tools/setup_venv.py $(VENV)
	@touch $@

$(VENV)/.dev: pyproject.toml tools/setup_venv.py
	@echo "Installing Cardtable and its tests' tools into $(VENV) (once; a minute or so) ..."
	@$(PYTHON) tools/setup_venv.py $(VENV) dev
	@touch $@ $(VENV)/.play

$(VENV)/.bench: pyproject.toml tools/setup_venv.py
	@echo "Installing Cardtable and OpenSpiel into $(VENV) (once; a minute or so) ..."
	@$(PYTHON) tools/setup_venv.py $(VENV) bench
	@touch $@ $(VENV)/.play
