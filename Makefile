# Two commands set everything up: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test lint types contracts tests thorough bench docs format lock clean

demo: $(READY)
	@$(BIN)/stepscript demo problem-analysis

test: lint types contracts tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports

tests: $(READY)
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

thorough: $(READY)
	STEPSCRIPT_TREES=200000 $(BIN)/python -m pytest -m thorough

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m lib.workflow.app.reference > docs/nodes.md
	$(BIN)/python -m lib.workflow.app.overview README.md

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The environment: made anew when the lock has changed, and told of the project when that has.
.venv/packages: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "stepscript needs Python 3.11 or newer; try: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up .venv from requirements.lock (half a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(READY): .venv/packages pyproject.toml
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lock:
	$(PYTHON) -m venv .lock-venv
	.lock-venv/bin/python -m pip install --quiet uv
	.lock-venv/bin/uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock" --output-file requirements.lock --quiet $(LOCK_ARGS)
	rm -rf .lock-venv

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
