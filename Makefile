# Everything a fresh machine needs is made here: python3 (3.11 or later), pip and make suffice.
# Another interpreter in an environment of its own: make test PYTHON=python3.14 VENV=.venv-3.14
PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
# How many tests run at once: some wait for other processes and clocks.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')
ARGS ?=
MAKEFLAGS += --no-print-directory
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# A module of tests runs in one process: its tests share what they build.  Long ones begin first.
PYTEST = $(BIN)/python -m pytest --numprocesses $(JOBS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
UV = $(BIN)/uv --quiet --system-certs pip
# Install packages ($1).  pip reads settings that uv does not know, such as the address of another
# index: it is asked where uv fails.
install = $(UV) install --compile-bytecode --constraint $(CONSTRAINTS) --python $(VENV) $(1) || \
	$(PIP) install --constraint $(CONSTRAINTS) $(1)
PROJECT := --editable '.[wsgi,redis,cli,docs,testing]'
# Containers often forbid bytecode files; then each of some 200 processes compiles all again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test check lint types unit slow properties fuzz docs power generate dist lowest

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

$(READY): pyproject.toml $(CONSTRAINTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	@echo "Set-up, once: it takes 1 to 3 minutes, and longer over a slow network."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV) && $(PYTHON) -m venv --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }
	@$(PIP) install --constraint $(CONSTRAINTS) 'pip>=25.1' uv
	@$(call install,--group dev $(PROJECT))
	@touch $@

setup: $(READY) ## make the environment in .venv

demo: $(READY) ## serve all three products with examples (ARGS=--once: check and exit)
	$(BIN)/python examples/demo.py $(ARGS)

test: lint ## style, types, the tests of all rules
	$(MAKE) --jobs=2 types unit

check: $(READY) ## the other tests: browsers, processes, costs, documentation, fuzzing
	$(MAKE) --jobs=2 --output-sync=target slow properties docs fuzz

lint: $(READY)
	$(BIN)/ruff check && $(BIN)/ruff format --check
types: $(READY)
	$(BIN)/mypy
unit: $(READY)
	$(PYTEST) --hypothesis-profile=quick -m 'not check' --ignore=tests/property $(ARGS)
slow: JOBS := $(shell expr $(JOBS) + 2) # most wait, for servers, browsers and desktops
slow: $(READY)
	$(PYTEST:loadfile=loadscope) -m check $(ARGS)
properties: $(READY)
	$(PYTEST) --hypothesis-profile=more -m 'not check' tests/property $(ARGS)
fuzz: $(READY) # guided by coverage, every entry point for two seconds or more; the fuzzer has no release for Python 3.14
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 14))' || $(BIN)/python fuzz/run.py $(ARGS)

docs: $(READY) ## build the documentation in build/docs; warnings are errors
	$(BIN)/sphinx-build --quiet --jobs auto --fail-on-warning --keep-going --builder html --doctree-dir build/doctrees docs build/docs
	$(BIN)/python tools/check_site.py build/docs

power: $(READY) ## plant faults, which tests must notice (ARGS="D05 H01": only these)
	$(BIN)/python tests/power/run.py $(ARGS)

generate: $(READY) ## write what is made from the source: limits, tables, schemas, pictures
	$(BIN)/python tools/generate.py
	PYTHONPATH=tests $(BIN)/python tools/readme_pictures.py $(ARGS)

dist: $(READY) ## build and try both archives in dist/; list packages in build/sbom.json
	rm -rf dist build/sbom.json
	$(BIN)/python -m hatchling build
	$(BIN)/python tools/try_archives.py dist
	@$(call install,--group release)
	$(BIN)/cyclonedx-py environment --output-reproducible --output-file build/sbom.json build/installed/bin/python

lowest: $(READY) ## the tests of `make test` with the lowest versions allowed
	@mkdir -p build
	$(UV) compile --no-deps --resolution lowest-direct --extra serve --extra wsgi --extra redis --extra cli \
		--output-file build/lowest.txt pyproject.toml
	$(MAKE) unit VENV=.venv-lowest CONSTRAINTS=build/lowest.txt
