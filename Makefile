# `make demo` trains an agent and compares it; `make test` runs the tests. Each makes its own virtual environment first.
PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PINNED = pyproject.toml setup.py constraints.txt

RLLIB_VENV ?= .venv-rllib
RLLIB_PIP = $(RLLIB_VENV)/bin/python -m pip --disable-pip-version-check install --quiet

.PHONY: demo test test-rllib test-engines lint bench docs clean

demo: $(VENV)/installed-demo
	$(VENV)/bin/boardgym demo

test: $(VENV)/installed-test
	$(VENV)/bin/python -m pytest -n 2

test-rllib: $(RLLIB_VENV)/installed  # RLlib pins an older gymnasium, and so has an environment of its own
	$(RLLIB_VENV)/bin/python -m pytest tests/optional/rllib

test-engines: $(VENV)/installed-test  # wants Debian's packages grhino and gnubg
	$(VENV)/bin/python -m pytest tests/optional/engines

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

$(RLLIB_VENV)/installed: constraints-rllib.txt pyproject.toml setup.py
	$(PYTHON) -m venv $(RLLIB_VENV)
	$(RLLIB_PIP) --requirement constraints-rllib.txt
	$(RLLIB_PIP) --no-deps --editable .
	touch $@

clean:
	rm -rf $(VENV) $(RLLIB_VENV) build dist *.egg-info
