# `make demo` trains an agent and compares it; `make test` runs the tests. Each makes its own virtual environment first.
PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PINNED = pyproject.toml setup.py constraints.txt

.PHONY: demo test lint bench docs clean

demo: $(VENV)/installed-demo
	$(VENV)/bin/boardgym demo

test: $(VENV)/installed-test
	$(VENV)/bin/python -m pytest -n 2

lint: $(VENV)/installed-test
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy

bench: $(VENV)/installed-test
	$(VENV)/bin/python -m benchmarks

docs: $(VENV)/installed-demo
	$(VENV)/bin/python docs/generate.py

$(VENV)/installed-demo: $(PINNED)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[all]'
	touch $@

$(VENV)/installed-test: $(PINNED)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[all,test]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
