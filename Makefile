# The two commands of the README are `make demo` and `make test`; each sets everything up by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
STAMPS := .stamps
DEMO   ?= demo/library
DATA   ?=

.PHONY: help demo test check format lint types bench axe schema screenshots clean \
        faults breaks fuzz soak faithful licences audit hashes hashed load
.DEFAULT_GOAL := help

help: ## list what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/run: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[zh]'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/dev: $(BIN)/python pyproject.toml papers/pyproject.toml examples/osler-example/pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt torch==2.13.0
	$(PIP) install -c constraints.txt -e '.[neural,zh,images,pdf,docx,plots,milvus,dask,mcp,postgres,dev]'
	$(PIP) install -c constraints.txt -e papers -e examples/osler-example
	@mkdir -p $(STAMPS) && touch $@

# NO_SERVE=1 builds the library and leaves the page alone.
demo: $(STAMPS)/run ## build a library of real papers, search it, open its page
	$(BIN)/osler demo $(DEMO) $(if $(NO_SERVE),--no-serve)

# Development only: what checks the page for people who cannot see it.
axe: ## install axe-core for the tests in a browser
	@mkdir -p $(STAMPS)/npm
	npm install --no-fund --no-audit --silent --prefix $(STAMPS)/npm axe-core@4.14.0

schema: $(STAMPS)/dev ## schemathesis over the REST interface of the demo's library, all phases
	$(BIN)/python benchmarks/schema.py $(DEMO)

screenshots: $(STAMPS)/dev ## make the pictures in docs/ again, from the demo's library
	PYTHONPATH=tests $(BIN)/python tests/browser/screenshots.py $(DEMO) docs/images

# One thread a process: two test processes that each take all cores only fight.
test: $(STAMPS)/dev ## run the tests
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  echo "no chromium: the tests in a browser are skipped (apt-get install -y chromium)"
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(STAMPS)/dev format lint types test ## format, lint, types, tests

format: $(STAMPS)/dev ## format the code
	$(BIN)/ruff format .

lint: $(STAMPS)/dev ## lint, hold the order of the rooms, and every pin to its hash
	$(BIN)/python tests/promises/hashes.py check
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(STAMPS)/dev ## check the types, strictly
	$(BIN)/mypy

# The peers live in an environment of their own: nothing of theirs ever meets the project's.
PEERS := $(STAMPS)/peers

$(STAMPS)/bench: benchmarks/requirements.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip -q install -c constraints.txt torch==2.13.0
	$(PEERS)/bin/python -m pip -q install -c constraints.txt -e '.[neural,zh,plots,milvus,dask]' -e papers
	$(PEERS)/bin/python benchmarks/install.py --missing benchmarks/results/missing/peers.json
	@touch $@

bench: $(STAMPS)/bench ## Osler beside its peers, into docs/benchmarks.md; DATA=DIR for data sets
	-$(PEERS)/bin/python benchmarks/run.py $(if $(DATA),--data "$(DATA)")
	$(PEERS)/bin/python benchmarks/page.py && $(PEERS)/bin/python benchmarks/scale.py
	@if [ -d "$(DEMO)" ]; then $(PEERS)/bin/python benchmarks/serving.py $(DEMO); \
	else echo "serving needs the demo's library: make demo"; fi

# The promises (docs/explanation/promises.md), tried for longer than `make test` does.
FOR      ?= 600
EXAMPLES ?= 1000
MOST     ?= 1000000
OSV      ?=
FAULTS   := $(STAMPS)/faults.so

$(FAULTS): tests/promises/faults.c
	@mkdir -p $(STAMPS)
	$(CC) -O1 -shared -fPIC -o $@ $< -ldl -lpthread

# A little over an hour of one core; MOST=40 tries as many of each job's calls, evenly spread.
faults: $(STAMPS)/dev $(FAULTS) ## kill, cut off and starve every job at every one of its calls
	@for job in add remove link embed judge train; do \
	  work=$$(mktemp -d) && LD_PRELOAD=$(abspath $(FAULTS)) OMP_NUM_THREADS=1 RUST_BACKTRACE=0 \
	    $(BIN)/python tests/promises/points.py $$work $$job kill torn cut full lost broken \
	      --most $(MOST) || exit 1; \
	  rm -rf $$work; done
	@work=$$(mktemp -d) && LD_PRELOAD=$(abspath $(FAULTS)) OMP_NUM_THREADS=1 RUST_BACKTRACE=0 \
	  $(BIN)/python tests/promises/points.py $$work add often --most 50; rm -rf $$work

breaks: $(STAMPS)/dev ## break each promise in a copy of the tree; its test must fail
	$(BIN)/python tests/promises/breaks.py

fuzz: $(STAMPS)/dev ## fuzz every reader, parser and file; EXAMPLES=N a reader, FOR=N for damage
	OMP_NUM_THREADS=1 OSLER_FUZZ=$(EXAMPLES) $(BIN)/python -m pytest -n 2 tests/promises/test_fuzz.py
	RUST_BACKTRACE=0 $(BIN)/python tests/promises/damage.py --seconds $(FOR) 2>/dev/null
	-$(PIP) install atheris
	-$(BIN)/python tests/promises/atheris_readers.py pubmed -max_total_time=$(FOR)
	-$(BIN)/python tests/promises/atheris_readers.py fhir -max_total_time=$(FOR)

soak: $(STAMPS)/dev ## readers, a writer, searches and kills for FOR=600 seconds
	OMP_NUM_THREADS=1 $(BIN)/python tests/promises/soak.py --seconds $(FOR)

faithful: $(STAMPS)/dev ## are reasons faithful and confidences honest, on data sets: DATA=DIR
	$(BIN)/python benchmarks/faithfulness.py --data "$(DATA)" --out out/faithfulness --most $(MOST)

licences: $(STAMPS)/run ## list every package that Osler needs, with its licence
	@$(BIN)/osler licences

audit: $(STAMPS)/dev ## known weaknesses of the pinned packages; OSV=FILE looks them up offline
	@if [ -n "$(OSV)" ]; then $(BIN)/python tests/promises/audit.py constraints.txt "$(OSV)"; \
	else $(PIP) install pip-audit && $(BIN)/pip-audit -r constraints.txt --no-deps --disable-pip --strict; fi

# constraints.txt pins versions, hashes.txt the files: pip refuses every other one.
hashes: $(STAMPS)/dev ## write hashes.txt: the SHA-256 of every pinned package on this platform
	$(BIN)/python tests/promises/hashes.py write

hashed: $(BIN)/python ## install by hashes.txt: pip takes the pinned files and no other
	$(BIN)/python tests/promises/hashes.py check
	$(PIP) install --require-hashes --no-deps -r hashes.txt

load: $(STAMPS)/dev ## 20,000 mixed requests, a tenth dropped half-way; REQUESTS=N for another number
	$(BIN)/python benchmarks/load.py --requests $(or $(REQUESTS),20000)

clean: ## remove what was built, the demo library too
	rm -rf $(VENV) $(STAMPS) demo out
