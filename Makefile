# Two commands do everything on a machine that has Python 3.11 or newer: `make play` and `make test`.
# Both make a virtual environment of their own (.venv) the first time.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=
# One more than there are cores: tests of the server and of the browser wait as much as they compute.
JOBS   ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)))

# Where this is set, no bytecode is kept, and each process that a test starts compiles Numba's modules from their source.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play test test-all coverage check conformance mutants fuzz bench findings docs release clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.play  ## install, and open the table in the browser (ARGS="play fan-tan": play in the terminal)
	@$(BIN)/cardtable $(ARGS)

test: $(VENV)/.test  ## install, and run the tests: 5 to 10 minutes (ARGS="-k words": options of pytest)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not exhaustive" $(ARGS)

test-all: $(VENV)/.dev  ## all tests: 30 to 60 minutes; needs every program that a test needs
	@JOBS=$(JOBS) tools/test_all.sh $(VENV)

coverage: $(VENV)/.dev  ## how many branches of the package the tests reach, and whether they are enough: twice the time of the tests
	@JOBS=$(JOBS) tools/coverage.sh $(VENV) $(ARGS)

check: $(VENV)/.dev  ## the linters: style, format, types, imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

conformance: $(VENV)/.dev  ## write docs/conformance.md: which tests hold to which rules
	@$(BIN)/python tools/conformance.py

mutants: $(VENV)/.dev  ## change a game's rules in 100 places, and see whether its tests notice (GAME=fan-tan SEED=1 COUNT=100)
	@$(BIN)/python tools/mutants.py $(GAME) --seed $(or $(SEED),1) --count $(or $(COUNT),100) $(ARGS)

fuzz: $(VENV)/.dev  ## throw mutations of tests/corpora at what reads text from outside, and keep what is new (SECONDS=60: of each)
	@$(BIN)/python tools/fuzz.py --seconds $(or $(SECONDS),60) $(ARGS)

bench: $(VENV)/.bench  ## the speed of every game on this machine, beside OpenSpiel
	@$(BIN)/cardtable bench $(ARGS)

findings: $(VENV)/.dev  ## measure all games, and write docs/findings: hours with ARGS="--size 50"; goes on after a break
	@$(BIN)/python tools/findings.py $(ARGS)

docs: $(VENV)/.docs  ## build the documentation into build/site; a warning is an error
	@$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --conf-dir docs . build/site $(ARGS)
	@echo "The site is in build/site: open build/site/index.html."

release: $(VENV)/.dev  ## check, build, commit and tag a version (VERSION=1.2.3, ARGS=--dry-run); pushes nothing
	@$(BIN)/python tools/release.py $(VERSION) $(ARGS)

clean:  ## remove what these commands made
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

# The stamps of what is installed: each says what that is, how long it takes, and which smaller ones it contains.
$(VENV)/.play:  WHAT = Cardtable
$(VENV)/.test:  WHAT = Cardtable and its tests' tools
$(VENV)/.dev:   WHAT = Cardtable and its developers' tools
$(VENV)/.bench: WHAT = Cardtable and OpenSpiel
$(VENV)/.docs:  WHAT = Cardtable and what builds its site

TIME = a minute or so
$(VENV)/.test:  TIME = less than a minute

$(VENV)/.test $(VENV)/.bench $(VENV)/.docs: CONTAINS = $(VENV)/.play
$(VENV)/.dev: CONTAINS = $(VENV)/.test $(VENV)/.play

$(VENV)/.play $(VENV)/.test $(VENV)/.dev $(VENV)/.bench $(VENV)/.docs: pyproject.toml tools/setup_venv.py
	@echo "Installing $(WHAT) into $(VENV) (once; $(TIME)) ..."
	@$(PYTHON) tools/setup_venv.py $(VENV) $(filter-out play,$(@F:.%=%))
	@touch $@ $(CONTAINS)
