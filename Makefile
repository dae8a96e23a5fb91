# demo, app, test, bench, torture: each sets up what it needs in .venv first.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: demo app test bench torture check chromium screenshot clean

demo: $(VENV)/.installed
	$(PY) cli.py demo

# make app PORT=8600; BENCHWRIGHT_WORKSPACE names the file.
app: $(VENV)/.installed
	@$(VENV)/bin/streamlit run app.py $(if $(PORT),--server.port $(PORT))

test: $(VENV)/.installed-tests chromium check
	$(PY) -m pytest -n 2 --dist loadgroup

# Tests look at the app in Chromium: $$CHROMIUM, or the one on PATH; root on Debian gets it installed.
chromium:
	@test -n "$$CHROMIUM" || command -v chromium chromium-browser > /dev/null || \
	{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium > /dev/null; } || \
	{ echo "No Chromium, which the tests need: run apt-get install chromium, or set CHROMIUM to its path." >&2; exit 1; }

# The README's picture, taken from the real app.
screenshot: $(VENV)/.installed-tests chromium
	$(PY) tests/browser/look.py --readme

check: $(VENV)/.installed-tests
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

bench: $(VENV)/.installed-tests chromium
	$(PY) tests/benchmarks/run.py

# make torture ARGS="--minutes 10 --seed 7": faults strike the app at work, then nothing may be lost or double.
torture: $(VENV)/.installed-tests
	@$(PY) tests/torture/run.py $(ARGS)

# torch first: its pinned CPU build must be there before anything else asks for a torch of its own choice.
$(VENV)/.installed: requirements.txt
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' requirements.txt)"
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.installed-tests: $(VENV)/.installed tests/requirements.txt
	$(PY) -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) demo.duckdb demo.duckdb.wal demo.duckdb.exchange demo.duckdb.exports
