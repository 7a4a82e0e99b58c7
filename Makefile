# Two commands set everything up: `make demo` and `make test`.
# Programs of the environment are run by `python -m`: the first line of their scripts breaks in a path with a quote.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PARSERS := tests/node/node_modules/.package-lock.json
# npm keeps what it fetches in the home folder, and tries for ever if there is none: then it keeps it here.
NPM = $(if $(or $(npm_config_cache),$(shell test -d "$$HOME" -a -w "$$HOME" && echo home)),,npm_config_cache=build/npm) npm
# Each recipe that starts another Python than that of the environment checks its version first.
NEW_ENOUGH = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "stepscript needs Python 3.11 or newer; try: make PYTHON=python3.12 ..."; exit 1; }
# Installs the packages of a lock into the environment of a folder.
INSTALL = -m pip install -qq --disable-pip-version-check --require-hashes -r
NO_INDEX = { echo "pip could not install the packages above: it needs a network, or an index of your own (PIP_INDEX_URL)"; exit 1; }
CLIENTS := tests/clients/programs/node_modules/.package-lock.json

# Tests start thousands of processes, each of which would compile what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test anywhere lint types contracts tests coverage browser graphs parsers thorough soak clients mutants bench docs site wheel release format lock clean

# The demo keeps its mark of consent in the checkout, so that it needs no home folder that can be written.
demo: $(READY)
	@rm -rf build/demo
	@XDG_STATE_HOME="$$PWD/build/state" $(BIN)/python -m stepscript rehearse planner "Limit each caller's requests" --pace 0.3 --keep build/demo

test: lint types contracts tests

# The same in a copy of the checkout, under conditions that a user may have; and the tests that print, in a wide terminal.
anywhere:
	.ci/anywhere

lint: $(READY)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: $(READY)
	$(BIN)/python -m mypy

contracts: $(READY)
	$(BIN)/python -c 'from importlinter.cli import lint_imports_command as check; check()'

tests: $(READY) parsers
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# The same tests, twice as slow, and a report of the lines and branches that none of them runs.
coverage: $(READY) parsers
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --cov

# Reports, with axe, and the site in headless Chromium; needs Debian's `chromium`, and puts screenshots into tests/browser/shots.
browser: $(READY) site
	@$(NPM) ci --prefix tests/browser --no-audit --no-fund --loglevel=error
	@rm -rf tests/browser/shots && mkdir tests/browser/shots
	$(BIN)/python -m tests.browser.pages tests/browser/shots
	cd tests/browser && node check.mjs shots shots/*/report.html && node live.mjs shots/live/live.html shots/live/longer.html
	cd tests/browser && node site.mjs ../../build/site shots

graphs: $(READY) $(PARSERS)
	$(BIN)/python -m pytest tests/graph

# The parsers that drawings are checked with, for `make test`: without Node it goes on, and the tests say that they skip.
parsers:
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
		$(MAKE) -s --no-print-directory $(PARSERS) || echo "npm could not install them: drawings are not checked"; \
	else echo "Node and npm are not here: drawings are not checked by the parsers of Mermaid and Graphviz"; fi

$(PARSERS): tests/node/package-lock.json
	@echo "Setting up the parsers of Mermaid and Graphviz ..."
	$(NPM) ci --prefix tests/node --no-audit --no-fund --loglevel=error
	@touch $@

thorough: $(READY)
	STEPSCRIPT_TIMES=100 $(BIN)/python -m pytest --numprocesses auto tests/laws
	$(BIN)/python -m pytest -m thorough

# The clients' own programs, pinned, 1.5 GB of them: each is asked with a home folder that is empty, and never logs in.
# Their files are on a disk, because Codex's sandbox has a /dev/shm of its own.
clients: $(READY) $(CLIENTS)
	TMPDIR=$${TMPDIR:-/tmp} $(BIN)/python -m pytest -m 'clients or not clients' tests/clients tests/app/install/test_new_user.py

# Not `npm ci`: the lock lacks the packages of platforms that a registry does not offer, and it wants them all.
$(CLIENTS): tests/clients/programs/package-lock.json
	@echo "Setting up the programs of five clients (1.5 GB, a minute) ..."
	$(NPM) install --no-save --prefix tests/clients/programs --no-audit --no-fund --loglevel=error
	@touch $@

soak: $(READY)
	$(BIN)/python -m pytest -m 'soak or not soak' --numprocesses auto tests/run

# Hours: a copy of the checkout gets one small fault after the other, and each must make a test fail. A run goes on where the
# last one stopped; MUTANTS="--share 10 --only lib/workflow/ast" tries a tenth of those of a folder.
mutants:
	@mkdir -p build/mutants/tree && find build/mutants/tree -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -rf {} +
	@git ls-files -z | tar -c --null -T - | tar -x -C build/mutants/tree
	@$(MAKE) -s -C build/mutants/tree $(READY)
	@build/mutants/tree/$(BIN)/python -m pip install -qq --disable-pip-version-check cosmic-ray==8.7.0
	cd build/mutants/tree && $(BIN)/python -m tests.mutants ../results.jsonl $(MUTANTS)

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m lib.workflow.app.docs.tags lib/workflow/ast/reserved.py
	$(BIN)/python -m lib.workflow.app.docs.reference > docs/nodes.md
	$(BIN)/python -m lib.workflow.app.docs.api > docs/api.md
	$(BIN)/python -m lib.workflow.app.docs.cli > docs/cli.md
	$(BIN)/python -m lib.workflow.app.skills.overview README.md
	$(BIN)/python -m lib.workflow.app.docs.picture > docs/session.svg
	$(BIN)/python -m tests.run.transcript docs/running.md
	$(BIN)/python -m lib.workflow.cli.table.reference skills.planner.commands.review_table > docs/qr-commands.md
	$(BIN)/python -m lib.workflow.cli.table.reference skills.planner.commands.plan_table > docs/plan-commands.md
	$(BIN)/python -m lib.workflow.cli.table.reference skills.incoherence.commands.table > docs/state-commands.md

# The documentation as a site in build/site: open build/site/index.html, no server is needed.
site: build/site-packages/ready
	NO_MKDOCS_2_WARNING=1 build/site-packages/bin/python -m mkdocs build --quiet
	@echo "build/site/index.html"

build/site-packages/ready: docs/requirements.lock
	@$(NEW_ENOUGH)
	@echo "Setting up mkdocs-material ..."
	@rm -rf build/site-packages && $(PYTHON) -m venv build/site-packages
	@build/site-packages/bin/python $(INSTALL) docs/requirements.lock || $(NO_INDEX)
	@touch $@

# A wheel in dist/ of the files that git knows: a build in the checkout would find what earlier ones have left there.
wheel: $(READY)
	@rm -rf build/wheel dist/stepscript-*.whl && mkdir -p build/wheel
	@git ls-files -z lib skills stepscript pyproject.toml README.md LICENSE | tar -c --null -T - | tar -x -C build/wheel
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --no-build-isolation -w dist build/wheel
	@ls dist/*.whl

# The version of pyproject.toml, as a section of the changelog and an annotated tag; nothing is pushed.
# DRY_RUN=1 changes nothing.
release:
	@$(NEW_ENOUGH)
	@$(PYTHON) .ci/release $(if $(DRY_RUN),--dry-run)

format: $(READY)
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

# The environment, made again when the lock has changed. The project is installed into it as one entry of the import path,
# a relative one: before 3.13, Python reads the entry in the encoding of the locale, which may lack a letter of ours.
.venv/packages: requirements.lock
	@$(NEW_ENOUGH)
	@echo "Setting up .venv from requirements.lock (half a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python $(INSTALL) requirements.lock || $(NO_INDEX)
	@touch $@

$(READY): .venv/packages pyproject.toml
	@LC_ALL=C.UTF-8 $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@for entry in .venv/lib/python3*/site-packages/__editable__.stepscript-*.pth; do echo ../../../.. > "$$entry"; done
	@touch $@

lock:
	@$(NEW_ENOUGH)
	$(PYTHON) -m venv .lock-venv
	.lock-venv/bin/python -m pip install --quiet uv
	.lock-venv/bin/uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock" --output-file requirements.lock --quiet $(LOCK_ARGS)
	echo mkdocs-material | .lock-venv/bin/uv pip compile - --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock" --output-file docs/requirements.lock --quiet $(LOCK_ARGS)
	rm -rf .lock-venv

clean:
	rm -rf .venv tests/node/node_modules tests/clients/programs/node_modules build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
