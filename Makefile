# Every task of the project. `make help` lists them.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
WEB := services/gateway/web
BENCH_VENV := .cache/bench-venv
POLICY_VENV := .cache/policy-venv
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r
PROTOS := $(shell find proto -name '*.proto')
WEB_SOURCES := $(shell find $(WEB) -type f -not -path '*/node_modules/*' -not -path '*/dist/*')

# Test processes: one a core, each with servers of its own.
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n < 4 ? n : 4)))

export PORT ?= 8000
export RIVERBOAT_HOME ?= .riverboat

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play audit test setup check proto openapi lock web test-web screenshots provision policy bench up down clean fast test-fast bench-fast coverage mutants bench-engine bench-boards bench-ledger bench-rebuild bench-load simulate-load chaos chaos-ledger bench-bot arena sim trace-web

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { name[++n] = $$1; text[n] = $$2; if (length($$1) > wide) wide = length($$1) } \
		END { for (at = 1; at <= n; at++) printf "  make %-" wide "s  %s\n", name[at], text[at] }' $(MAKEFILE_LIST)

play: $(VENV)/.runtime $(WEB)/dist/index.html ## Play against River at http://localhost:PORT (default 8000)
	@exec $(BIN)/python -m services.local

audit: $(VENV)/.runtime ## Prove that every chip of `make play` is where it should be
	@DATABASE_URL="sqlite:///$(RIVERBOAT_HOME)/ledger.sqlite3" \
		OUTBOX_DATABASE_URL="sqlite:///$(RIVERBOAT_HOME)/tables.sqlite3" \
		$(BIN)/python -m services.ledger audit

test: setup provision policy check test-web ## Run every check and test, on real Kafka, PostgreSQL and Chromium
	$(BIN)/pytest -n $(JOBS) --dist loadfile

coverage: setup ## Show that tests take every branch of the rules
	$(BIN)/pytest -q tests/unit/test_poker_*.py tests/golden/test_poker_*.py tests/properties/test_poker_*.py \
		--cov=poker --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

mutants: setup ## Change the betting rules one place at a time; each change must fail a test
	@tests/support/mutants.sh

setup: $(VENV)/.dev ## Install everything that development needs into .venv

check: $(VENV)/.dev ## Format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

proto: $(VENV)/.dev ## Regenerate the code beside proto/**/*.proto
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc -I. --python_out=. --mypy_out=quiet:. $(PROTOS)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc -I. --grpc_python_out=. --mypy_grpc_out=quiet:. \
		$(shell grep -l '^service ' $(PROTOS))
	$(BIN)/python -m tests.support.contracts
	$(BIN)/python -m tests.support.asyncapi

openapi: $(VENV)/.dev $(WEB)/node_modules/.package-lock.json ## Write the OpenAPI document, and the web client's types of it
	$(BIN)/python -m services.gateway openapi > services/gateway/openapi.json.new
	mv services/gateway/openapi.json.new services/gateway/openapi.json
	cd $(WEB) && npm run --silent types

lock: $(VENV)/.dev ## Pin the dependencies of pyproject.toml, with hashes
	$(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes \
		--no-annotate --no-header --no-emit-index-url -o requirements-runtime.lock
	$(BIN)/uv pip compile -q pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
		--no-annotate --no-header --no-emit-index-url -c requirements-runtime.lock -o requirements.lock

web: $(WEB)/dist/index.html ## Build the web client

test-web: $(WEB)/dist/index.html ## Check and test the web client
	cd $(WEB) && npm run --silent check && npm test --silent && npm run --silent size

policy: $(POLICY_VENV)/.installed ## Install the policy linter for Dockerfile and k8s/, in an environment of its own

screenshots: setup provision $(WEB)/dist/index.html ## Take pictures of every screen into .cache/screenshots, the README's into docs/images
	$(BIN)/python -m tests.support.screenshots

provision: ## Install Java, Maven, PostgreSQL and Chromium where they are missing
	@tests/support/provision.sh

SIM_OPTIONS := SEED MATCHES CLIENTS DATABASE ONLY TRACE
lower = $(shell echo $(1) | tr A-Z a-z)

sim: setup ## Play matches while everything breaks (SEED=n MATCHES=500 CLIENTS=20 DATABASE=sqlite|postgresql)
	@$(BIN)/python -m tests.simulation $(foreach name,$(SIM_OPTIONS),$(if $($(name)),--$(call lower,$(name)) $($(name))))

CHAOS_OPTIONS := SEED HANDS KILLS DUPLICATES POISON

chaos-ledger: setup provision ## Kill ledgers, relays, broker and database 60 times over 100,000 hands (SEED=n HANDS=n KILLS=n)
	@$(BIN)/python -W ignore -m tests.simulation.ledger_chaos \
		$(foreach name,$(CHAOS_OPTIONS),$(if $($(name)),--$(call lower,$(name)) $($(name))))

CHAOS_WHOLE_OPTIONS := SEED FAULTS LEAST MOST CLIENTS BOT

chaos: setup provision ## Kill, stop and cut off every part of the whole system while people play (SEED=n FAULTS=n)
	@$(BIN)/python -W ignore -m tests.simulation.chaos \
		$(foreach name,$(CHAOS_WHOLE_OPTIONS),$(if $($(name)),--$(call lower,$(name)) $($(name))))

bench: bench-engine ## Measure speed; JSON lines on stdout

bench-engine: setup $(BENCH_VENV)/.installed ## Measure the rules beside their peers (BENCH="--help" lists options)
	@$(BIN)/python -m benchmarks.bench_engine $(BENCH)

bench-boards: setup ## Measure leaderboards of up to a million players (BENCH="--help" lists options)
	@$(BIN)/python -m benchmarks.bench_boards $(BENCH)

bench-bot: setup ## Measure River's speed, start and memory (BENCH="--help" lists options)
	@$(BIN)/python -m benchmarks.bench_bot $(BENCH)

arena: setup ## Play River against another player (ARENA="--help" lists options)
	@$(BIN)/python -m services.bot.arena $(ARENA)

trace-web: setup provision web ## Measure clicks, frames and layout shifts in a browser (BENCH="--help" lists options)
	@$(BIN)/python -m benchmarks.trace_web $(BENCH)

bench-ledger: setup provision ## Measure the ledger from Kafka to PostgreSQL (BENCH="--help" lists options)
	@$(BIN)/python -W ignore -m benchmarks.bench_ledger $(BENCH)

bench-load: setup provision ## Load the whole system until it is full (BENCH="--help" lists options)
	@$(BIN)/python -W ignore -m benchmarks.bench_load $(BENCH)

simulate-load: setup ## Simulate what bench-load measured, then a million players (LOAD=lines.jsonl)
	@$(BIN)/python -m benchmarks.simulate_load $(LOAD) $(BENCH)

bench-rebuild: setup provision ## Measure a rebuild of a million hands (BENCH="--help" lists options)
	@$(BIN)/python -m benchmarks.bench_rebuild $(BENCH)

fast: setup ## Compile the rules into .cache/fast (needs a C compiler)
	$(BIN)/python tools/fast.py build

test-fast: setup ## Run the tests of the rules on the compiled rules
	$(BIN)/python tools/fast.py test

bench-fast: fast ## Measure the compiled rules; JSON lines on stdout
	@PYTHONPATH=.cache/fast $(BIN)/python -P benchmarks/bench_library.py

up: ## Start the whole system in containers
	docker compose up --build --detach --wait

down: ## Stop the containers; their volumes stay
	docker compose down

clean: ## Remove what can be rebuilt (not .riverboat/, your games)
	rm -rf $(VENV) .cache $(WEB)/node_modules $(WEB)/dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Riverboat needs Python 3.11 or newer (PYTHON=/path/to/python3.11 make ...)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements-runtime.lock | $(VENV)/bin/python
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.dev: requirements.lock | $(VENV)/bin/python
	$(PIP_INSTALL) $<
	@touch $@ $(VENV)/.runtime

$(BENCH_VENV)/.installed: benchmarks/peers.lock | $(VENV)/bin/python
	$(BIN)/python -m venv --clear $(BENCH_VENV)
	$(BIN)/python benchmarks/install_peers.py $(BENCH_VENV)/bin/python $<
	@touch $@

$(POLICY_VENV)/.installed: tests/support/policy.lock | $(VENV)/bin/python
	$(BIN)/python -m venv --clear $(POLICY_VENV)
	$(POLICY_VENV)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r $<
	@touch $@

$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json
	@command -v npm >/dev/null || { echo "Riverboat needs Node 20 with npm to build its web client"; exit 1; }
	cd $(WEB) && npm ci --silent --no-fund --no-audit
	@touch $@

$(WEB)/dist/index.html: $(WEB)/node_modules/.package-lock.json $(WEB_SOURCES)
	cd $(WEB) && npm run --silent build
	@touch $@
