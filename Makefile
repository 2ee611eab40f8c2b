# Needs Python 3.11 or newer, and make. Everything else is put into $(VENV), which a rebuild may throw away.

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
ARGS ?=
SESSION ?= examples/sessions/claude_code.hooks.jsonl
POLICY ?= examples/policies/coding_agent.toml

BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq -c constraints.txt

# Stamps, so that a second call is instant. They carry the version: another Python makes the folder anew.
MADE := $(VENV)/.made-by-python-$(VERSION)
RUNTIME := $(VENV)/.runtime-python-$(VERSION)
DEV := $(VENV)/.dev-python-$(VERSION)

.DEFAULT_GOAL := help
.PHONY: help run test coverage check check-style check-types check-layers check-docs docs format \
	verify verify-deep bench bench-peers bench-packs bench-gate run-benchmarks constraints dist clean

help: ## Show this list
	@echo "make TARGET [PYTHON=python3.12] [VENV=.venv] [JOBS=2] [ARGS='more for the tool']"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(RUNTIME) ## Play a recorded agent session through a policy (SESSION=, POLICY=)
	$(BIN)/seamlaw replay $(SESSION) --policy $(POLICY) $(ARGS)

test: $(DEV) ## Run the tests, in random order (ARGS='tests/kernel -k merge')
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

coverage: $(DEV) ## Run the tests of the kernel and require that they reach every branch of it
	$(BIN)/python -m pytest -n $(JOBS) tests/kernel --cov $(ARGS)

check: check-style check-types check-layers check-docs ## Check style, types, layers and docs (make -k: all of them)

check-style: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

check-types: $(DEV)
	$(BIN)/mypy
	$(BIN)/pyright -p . --pythonpath $(BIN)/python

check-layers: $(DEV)
	$(BIN)/lint-imports
	$(BIN)/python tools/check_kernel.py

check-docs: $(DEV)
	$(BIN)/python tools/check_docs.py

docs: $(DEV) ## Write the generated parts of the docs anew
	$(BIN)/python tools/check_docs.py --write

format: $(DEV) ## Format the code and sort its imports
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

verify: $(DEV) ## Check the laws
	$(BIN)/seamlaw verify $(ARGS)

verify-deep: $(DEV) ## Check the laws for as long as it takes, and run the slow tests
	$(BIN)/seamlaw verify --deep $(ARGS)
	SEAMLAW_LOAD_SECONDS=60 $(BIN)/python -m pytest -q -p no:randomly -m slow
	$(BIN)/python -m seamlaw_spec.mutants --recheck --every 8 --tests tests/kernel --jobs $(JOBS)

# Peers are measured in an environment of their own: what they bring along must not meet what the checks need.
BENCH := $(VENV)-bench
RAW := $(BENCH)/benchmarks.json

bench: ## Measure what the seams cost, beside what is light (ARGS='-k chain')
	@$(MAKE) --no-print-directory run-benchmarks VENV=$(BENCH) PEERS=bench ARGS="-m 'not heavy' $(ARGS)"
	@$(BENCH)/bin/python tools/import_time.py

bench-peers: $(DEV) ## Measure beside all peers, and write results, plots and tables anew
	@$(MAKE) --no-print-directory run-benchmarks VENV=$(BENCH) PEERS=bench-peers ARGS="--benchmark-json=$(RAW)"
	$(BENCH)/bin/python -m benchmarks.record $(RAW)
	@$(MAKE) --no-print-directory docs

bench-packs: $(DEV) ## Measure the packs alone, and add them to the results of the same day
	@$(MAKE) --no-print-directory run-benchmarks VENV=$(BENCH) PEERS=bench ARGS="-k test_packs --benchmark-json=$(RAW)"
	$(BENCH)/bin/python -m benchmarks.record $(RAW) --add
	@$(MAKE) --no-print-directory docs

bench-gate: $(DEV) ## Refuse a seam that has become slower, by ratios
	$(BIN)/python -m benchmarks.gate

run-benchmarks: $(VENV)/.$(PEERS)-python-$(VERSION)
	$(BIN)/python -m pytest benchmarks --benchmark-enable --benchmark-quiet -q -p no:randomly -p no:cacheprovider $(ARGS)

constraints: $(DEV) ## Pin the newest versions of everything anew
	@echo "Resolving for Python 3.11 and newer"
	@$(BIN)/python -m pip --disable-pip-version-check install -qq uv
	@$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade --quiet \
		--no-annotate --no-header --no-emit-index-url --no-emit-find-links --output-file $(VENV)/constraints.txt
	@{ echo "# Every version that is installed for the tests and checks. Made by: make constraints"; \
		cat $(VENV)/constraints.txt; } > constraints.txt
	@$(BIN)/uv pip compile pyproject.toml --extra bench-peers --universal --python-version 3.11 --upgrade --quiet \
		--no-annotate --no-header --no-emit-index-url --no-emit-find-links --output-file $(VENV)/constraints.txt
	@{ echo "# What the benchmarks are measured with, in an environment of their own. Made by: make constraints"; \
		cat $(VENV)/constraints.txt; } > benchmarks/constraints.txt

dist: $(DEV) ## Build the wheel and the sdist
	$(BIN)/python -m hatchling build

clean: ## Remove the environment and everything that was made
	rm -rf $(VENV) $(BENCH) build dist htmlcov .coverage .coverage.* .hypothesis .benchmarks \
		.mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend is installed first and the build is not isolated, so that it is pinned like all the rest.
$(DEV): $(RUNTIME)
	@echo "Installing what tests and checks need (about half a minute)"
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

$(VENV)/.bench-python-$(VERSION) $(VENV)/.bench-peers-python-$(VERSION): $(RUNTIME) benchmarks/constraints.txt
	@echo "Installing what is measured beside Seamlaw"
	@$(BIN)/python -m pip --disable-pip-version-check install -qq -c benchmarks/constraints.txt \
		--no-build-isolation --editable '.[$(PEERS)]'
	@touch $@

$(RUNTIME): $(MADE) pyproject.toml constraints.txt
	@echo "Installing seamlaw"
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Seamlaw needs Python 3.11 or newer; '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)"; \
		echo "Name another: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' lacks the modules venv and ensurepip. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@[ ! -e $(VENV) ] || [ -e $(VENV)/pyvenv.cfg ] || { \
		echo "$(VENV) is there and is no virtual environment. Name another: make $(MAKECMDGOALS) VENV=.venv-other"; exit 1; }
	@echo "Making $(VENV) with Python $(VERSION)"
	@$(PYTHON) -m venv --clear $(VENV)
	@echo '*' > $(VENV)/.gitignore
	@touch $@
