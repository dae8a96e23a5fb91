# demo, app, test, docs, fuzz, bench, torture, scale: each sets up what it needs in .venv first.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

# Without compiled files each of the many processes of the tests would compile every package that it loads.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo app test docs fuzz bench bench-smoke torture scale check run-tests components chromium screenshot clean

demo: $(VENV)/.installed
	$(PY) cli.py demo

# make app PORT=8600; BENCHWRIGHT_WORKSPACE names the file.
app: $(VENV)/.installed
	@$(VENV)/bin/streamlit run app.py $(if $(PORT),--server.port $(PORT))

test: $(VENV)/.installed-tests node_modules/.installed chromium
	@$(MAKE) --no-print-directory -j 2 check run-tests

# One process compiles the tests for all four, which would each compile all of them, while `check` has the other core. Tests of one
# file share a process, with what the file sets up once; the order is that of tests/conftest.py.
run-tests:
	@$(PY) -m pytest --collect-only -qq > /dev/null 2>&1 || true
	$(PY) -m pytest -n 4 --dist loadfile --no-loadscope-reorder

# Tests look at the app in Chromium: $$CHROMIUM, or the one on PATH; root on Debian gets it installed.
chromium:
	@test -n "$$CHROMIUM" || which chromium-headless-shell chromium chromium-browser | grep -q . || \
	{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell > /dev/null; } || \
	{ echo "No Chromium, which the tests need: run apt-get install chromium, or set CHROMIUM to its path." >&2; exit 1; }

# The pictures of README and docs, taken from the real app.
screenshot: $(VENV)/.installed-tests chromium
	$(PY) tests/browser/look.py --docs

# The documentation, into site/; a broken link or a missing page ends it.
docs: $(VENV)/.installed-docs
	$(PY) -m mkdocs build --strict --quiet
	@echo "The documentation is in site/: open site/index.html."

check: $(VENV)/.installed-tests node_modules/.installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	npm run --silent check
	$(VENV)/bin/mypy

# The bundles of pages/components that the app loads; commit them with their sources.
components: node_modules/.installed
	npm run --silent build

# Ten thousand changes to the files of each format that can be imported; make fuzz SEEDS=1000.
fuzz: $(VENV)/.installed-tests
	BENCHWRIGHT_FUZZ=$(or $(SEEDS),10000) $(PY) -m pytest -n 2 tests/store/formats/test_formats_mutated.py

bench: $(VENV)/.installed-tests chromium
	$(PY) tests/benchmarks/run.py

# Whether every benchmark still runs, in a minute, at sizes at which its figures mean nothing; the tests run the cheapest alone.
bench-smoke: $(VENV)/.installed-tests chromium
	$(PY) tests/benchmarks/small.py

# make torture ARGS="--minutes 10 --seed 7": faults strike the app at work, then nothing may be lost or double. With --sign-in
# the annotators have accounts, one is removed and one token is stolen in the middle, and nobody else may decide anything.
torture: $(VENV)/.installed-tests
	@$(PY) tests/torture/run.py $(ARGS)

# make scale ARGS="--small 1000 --large 10000": a whole project at two sizes, verb by verb, with seconds, memory and bytes per item;
# default 10,000 and 1,000,000. Everything is written into a temporary folder ($$TMPDIR) that is removed; --keep names one that stays.
scale: $(VENV)/.installed-tests
	@$(PY) tests/scale/run.py $(ARGS)

node_modules/.installed: package.json package-lock.json .npmrc
	@command -v npm > /dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || \
	{ echo "The checks of pages/components need Node.js 20 or later with npm: install it (Debian: apt-get install nodejs npm)." >&2; exit 1; }
	@npm ci --silent
	@touch $@

$(VENV)/.installed: requirements.txt install.sh
	@PYTHON=$(PYTHON) ./install.sh $(VENV) requirements.txt
	@touch $@

$(VENV)/.installed-tests: requirements.txt install.sh tests/requirements.txt
	@PYTHON=$(PYTHON) ./install.sh $(VENV) requirements.txt tests/requirements.txt
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: $(VENV)/.installed docs/requirements.txt
	@PYTHON=$(PYTHON) ./install.sh $(VENV) requirements.txt docs/requirements.txt
	@touch $@

clean:
	rm -rf $(VENV) node_modules site demo.duckdb demo.duckdb.wal demo.duckdb.commits demo.duckdb.metadata demo.duckdb.exchange demo.duckdb.exports demo.duckdb.indexes demo.duckdb.engines
