# The two commands of the README are `make demo` and `make test`; each sets everything up by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
STAMPS := .stamps
DEMO   ?= demo/library
DATA   ?=

.PHONY: help demo test check format lint types bench clean
.DEFAULT_GOAL := help

help: ## list what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/run: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[zh]'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/dev: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt torch==2.13.0
	$(PIP) install -c constraints.txt -e '.[neural,zh,plots,dev]'
	@mkdir -p $(STAMPS) && touch $@

demo: $(STAMPS)/run ## build a library of real papers and search it
	$(BIN)/osler demo $(DEMO)

# One thread a process: two test processes that each take all cores only fight.
test: $(STAMPS)/dev ## run the tests
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(STAMPS)/dev format lint types test ## format, lint, types, tests

format: $(STAMPS)/dev ## format the code
	$(BIN)/ruff format .

lint: $(STAMPS)/dev ## lint, and hold the order of the rooms
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(STAMPS)/dev ## check the types, strictly
	$(BIN)/mypy

bench: $(STAMPS)/dev ## run every benchmark beside its peers; DATA=DIR for those on data sets
	$(PIP) install -c constraints.txt -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/adding.py
	$(BIN)/python benchmarks/words.py
	$(BIN)/python benchmarks/encoding.py
	$(BIN)/python benchmarks/whole_search.py --random-vectors
	$(BIN)/python benchmarks/rank.py
	$(BIN)/python benchmarks/ask.py
	@if [ -d "$(DATA)" ]; then \
	  $(BIN)/python benchmarks/linking.py --data $(DATA) --abstracts "$$($(BIN)/python -c \
	    'from osler.fetch import fetch; print(fetch("pubmed-sample") / "pubmed21n1298.xml.gz")')" && \
	  $(BIN)/python benchmarks/paths.py --data $(DATA); \
	else echo "linking and paths need data sets: make bench DATA=DIR"; fi

clean: ## remove what was built, the demo library too
	rm -rf $(VENV) $(STAMPS) demo out
