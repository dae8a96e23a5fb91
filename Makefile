# demo, app, test, bench: each sets up what it needs in .venv first.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: demo app test bench check clean

demo: $(VENV)/.installed
	$(PY) cli.py demo

# make app PORT=8600; BENCHWRIGHT_WORKSPACE names the file.
app: $(VENV)/.installed
	@$(VENV)/bin/streamlit run app.py $(if $(PORT),--server.port $(PORT))

test: $(VENV)/.installed-tests check
	$(PY) -m pytest -n 2 --dist loadgroup

check: $(VENV)/.installed-tests
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

bench: $(VENV)/.installed-tests
	$(PY) tests/benchmarks/run.py

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
	rm -rf $(VENV) demo.duckdb demo.duckdb.wal demo.duckdb.exchange
