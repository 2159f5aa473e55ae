# Everything a fresh machine needs is made here: python3 (3.11 or later), pip and make suffice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ARGS ?=
XDIST = --numprocesses $(JOBS) --maxprocesses 8 --dist $(TOGETHER)
PYTEST = $(BIN)/python -m pytest $(XDIST)
PIP = -m pip --disable-pip-version-check --quiet
# Install packages ($2) into an environment ($1): uv takes seconds where pip takes minutes. pip reads
# settings that uv does not know, such as the address of another index: it is asked where uv fails.
install = $(BIN)/uv pip install --quiet --system-certs --compile-bytecode --constraint constraints.txt \
	--python $(1) $(2) || $(BIN)/python $(PIP) --python $(1) install --constraint constraints.txt $(2)
PROJECT = --editable '.[asgi,wsgi,redis,cli,testing]'
# Other interpreters, newest first.
INTERPRETERS ?= 3.14 3.13 3.12
# The newest of them on this machine counts coverage; the oldest that is supported runs `make test`.
COUNTING ?= $(firstword $(foreach version,$(INTERPRETERS),$(shell tools/find_python.sh $(version) >/dev/null && echo $(version))))
COUNTED = $(if $(COUNTING),$(VENV)-$(COUNTING)/bin,$(BIN))
# A module of tests runs in one process: its tests share what they build.
TOGETHER = loadfile
# How many tests run at once, one more than processors, for some wait for other processes and for
# clocks.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')

# Containers often forbid bytecode files; then each of some 200 processes compiles all again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test check lint types unit slow properties interpreters campaign simulate fuzz docs pictures mutation power coverage format bench lock dist lowest clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	@echo "Set-up, once: it takes 1 to 3 minutes, and longer over a slow network."
	@echo "1 of 3: make the environment $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV) && $(PYTHON) -m venv --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }
	@echo "2 of 3: install pip and uv (some seconds)"
	@$(BIN)/python $(PIP) install --constraint constraints.txt 'pip>=25.1' uv
	@echo "3 of 3: install the package and the tools for tests (some 100 packages, about 30 s)"
	@$(call install,$(VENV),--group dev $(PROJECT))
	@touch $@
	@echo "Set-up is done."

setup: $(READY) ## make the environment in .venv

demo: $(READY) ## serve this machine's state, health data, a repository; ARGS=--once for one whole round
	$(BIN)/python examples/demo.py $(ARGS)

test: lint types unit ## style, types, all rules of the contract: 3 to 4 minutes on two cores

check: coverage slow properties docs ## everything else: coverage, browsers, processes, simulation, costs: about 20 minutes
	$(MAKE) fuzz ARGS='--seconds 60'

lint: $(READY) ## style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY) ## mypy --strict over source and tests
	@# On a busy machine its processes may not start in the 3 s that it waits: then one checks all.
	$(BIN)/mypy --num-workers auto || { [ $$? = 2 ] && $(BIN)/mypy; }

unit: $(READY) ## the tests of `make test`; JOBS=1 for one at a time
	$(PYTEST) --hypothesis-profile=quick -m 'not check' --ignore=tests/property $(ARGS)

# What failed is explained by `make test`: plain assertions save a minute of rewriting modules.
coverage: $(READY) $(addprefix .environment-,$(COUNTING)) ## the examples of `make test` reach 100 % of the branches of the core
	$(COUNTED)/coverage erase
	$(COUNTED)/python -m pytest -p no:cacheprovider $(XDIST) --hypothesis-profile=quick --assert=plain -m 'not check and not uncounted' --cov --cov-report= $(ARGS) tests
	$(COUNTED)/coverage report --fail-under=100

# They wait for servers, browsers and desktops: half of the processors would have nothing to do.
# The longest tests are among the first by their names, and classes of a module run side by side.
slow: TOGETHER = loadscope
slow: JOBS = $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')
slow: $(READY) ## the tests that only `make check` runs
	$(PYTEST) --no-loadscope-reorder -m check $(ARGS)

properties: $(READY) ## the property tests, 60 examples each
	$(PYTEST) --hypothesis-profile=more -m 'not check' tests/property $(ARGS)

interpreters: $(addprefix .interpreter-,$(INTERPRETERS)) ## before a release: the tests of `make test` by all other interpreters

.interpreter-%: .environment-%
	@if [ -e $(VENV)-$*/.ready ]; then set -x; \
		$(VENV)-$*/bin/python -m pytest -p no:cacheprovider $(XDIST) \
			--hypothesis-profile=quick -m 'not check' --ignore=tests/property --quiet $(ARGS) tests; fi

.environment-%: pyproject.toml constraints.txt
	@python=$$(tools/find_python.sh $*) || { echo "python$* was not found: nothing is run by it"; exit 0; }; \
	set -e; echo "python$*: $$python"; \
	if [ ! -e $(VENV)-$*/.ready ] || [ pyproject.toml -nt $(VENV)-$*/.ready ] || [ constraints.txt -nt $(VENV)-$*/.ready ]; then \
		"$$python" -m venv $(VENV)-$*; \
		$(call install,$(VENV)-$*,--group test $(PROJECT)); \
		touch $(VENV)-$*/.ready; \
	fi

campaign: $(READY) ## the property tests with other examples each time, a thousand each
	$(PYTEST) --hypothesis-profile=campaign tests/property $(ARGS)

simulate: $(READY) ## simulate devices, a bad network and players from a seed; ARGS='--seeds 0:100 --hours 24'
	$(BIN)/python tests/simulation/campaign.py $(ARGS)

fuzz: $(READY) ## coverage-guided fuzzing of every entry point; ARGS='--seconds 60'
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 14))'; then \
		echo "The fuzzer has no release for Python 3.14: nothing is fuzzed"; \
	else \
		echo "Install the fuzzer (up to 1 minute)"; \
		{ $(call install,$(VENV),--group fuzz); } && \
		$(BIN)/python fuzz/run.py $(ARGS); \
	fi

mutation: $(READY) ## plant faults in modules and count those that tests find; ARGS="devicestatus.cross_field"
	@echo "Install the mutation tool (up to 1 minute)"
	@$(call install,$(VENV),--group mutation)
	$(BIN)/python tools/mutate.py $(ARGS)

power: $(READY) ## plant faults in copies of the source, one at a time: every one is noticed; ARGS="D05 H01" or ARGS="--product healthapi"
	$(BIN)/python tests/power/run.py $(ARGS)

format: $(READY) ## format the code, mend style where that is safe
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(READY) ## measure against peers, side by side; first every goal in one table
	@echo "Install the peers to measure against (up to 1 minute)"
	@$(call install,$(VENV),--group bench)
	$(BIN)/python benchmarks/goals.py
	$(BIN)/python benchmarks/device.py
	$(BIN)/python benchmarks/device_http.py
	$(BIN)/python benchmarks/playback.py
	$(BIN)/python benchmarks/sampling.py
	$(BIN)/python benchmarks/health.py
	$(BIN)/python benchmarks/site_views.py
	$(BIN)/python benchmarks/git_history.py --files 20000 --commits 10000

docs: $(READY) ## build the documentation in build/docs; warnings are errors
	@$(BIN)/python -c 'import sphinx, furo, myst_nb' 2>/dev/null || { \
		echo "Install the documentation tools (up to 1 minute)"; \
		$(call install,$(VENV),--editable '.[docs]'); }
	$(BIN)/sphinx-build --quiet --jobs auto --fail-on-warning --keep-going --builder html --doctree-dir build/doctrees docs build/docs
	$(BIN)/python tools/check_site.py build/docs

pictures: $(READY) ## draw the pictures of README and documentation (docs/images); ARGS=--pages for screenshots of pages as well
	PYTHONPATH=tests $(BIN)/python tools/readme_pictures.py $(ARGS)

dist: $(READY) ## build both archives in dist/, try them in empty folders, list their packages in build/sbom.json
	rm -rf dist build/sbom.json
	$(BIN)/python -m hatchling build
	$(BIN)/python tools/release.py try dist
	@$(PYTHON) -m venv $(VENV)-release
	@$(call install,$(VENV)-release,--group release)
	$(VENV)-release/bin/cyclonedx-py environment --output-reproducible --output-file build/sbom.json build/installed/bin/python

lowest: $(READY) ## the tests of `make test` with the lowest versions that the metadata allow
	rm -rf $(VENV)-lowest
	$(PYTHON) -m venv $(VENV)-lowest
	@mkdir -p build
	$(PYTHON) tools/release.py lowest > build/lowest.txt
	$(BIN)/python $(PIP) --python $(VENV)-lowest install --constraint build/lowest.txt --group test $(PROJECT)
	$(MAKE) unit BIN=$(VENV)-lowest/bin

lock: ## the newest versions that work together, pinned for this project's own environment
	rm -rf $(VENV)
	: > constraints.txt
	$(MAKE) $(READY)
	@echo "Install the groups bench, mutation and fuzz (1 to 2 minutes)"
	@$(BIN)/python $(PIP) install --group bench --group mutation --group fuzz
	$(BIN)/python -m pip freeze --exclude-editable --all | grep -v '^status-contracts' > constraints.txt
	touch $(READY)

clean: ## remove what was made
	rm -rf $(VENV) $(VENV)-* .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
