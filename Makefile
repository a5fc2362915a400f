# `make demo` trains an agent and compares it; `make test` runs the tests. Each makes its own virtual environment first.
PYTHON ?= python3
PYTHONS ?= python3.12 python3.13
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PINNED = pyproject.toml setup.py constraints.txt

RLLIB_VENV ?= .venv-rllib
RLLIB_PIP = $(RLLIB_VENV)/bin/python -m pip --disable-pip-version-check install --quiet

# What depends on Python itself: rules and their laws, environments, matches, byte code, the command line, the wheel.
CORE = tests/core tests/games tests/laws tests/envs tests/arena tests/compile tests/cli tests/packaging

.PHONY: demo test test-core test-pythons test-rllib test-slurm test-gpu test-engines test-fann test-sklearn lint bench docs web clean

demo: $(VENV)/installed-demo
	$(VENV)/bin/boardgym demo

test: $(VENV)/installed-test
	$(VENV)/bin/python -m pytest -n 2

test-core: $(VENV)/installed-test
	$(VENV)/bin/python -m pytest -n 2 $(CORE)

test-pythons:  # an environment for each, .venv-3.12 for Python 3.12
	set -e; for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		$(MAKE) test-core PYTHON=$$python VENV=$(VENV)-$$version; \
	done

test-rllib: $(RLLIB_VENV)/installed  # RLlib pins an older gymnasium, and so has an environment of its own
	$(RLLIB_VENV)/bin/python -m pytest tests/optional/rllib tests/optional/ray

test-slurm: $(VENV)/installed-slurm  # wants the Slurm that tests/optional/slurm/start_slurm.sh begins
	$(VENV)/bin/python -m pytest tests/optional/slurm

test-gpu: $(VENV)/installed-gpu  # compiles for a card, and runs in the simulator; a card is not needed
	$(VENV)/bin/python -m pytest tests/optional/gpu/test_ptx.py
	NUMBA_ENABLE_CUDASIM=1 $(VENV)/bin/python -m pytest \
		tests/optional/gpu/test_games.py tests/optional/gpu/test_learner.py tests/optional/gpu/test_playouts.py

test-engines: $(VENV)/installed-test  # wants Debian's packages grhino and gnubg
	$(VENV)/bin/python -m pytest tests/optional/engines

test-fann: $(VENV)/installed-test  # wants Debian's package libfann2
	$(VENV)/bin/python -m pytest tests/optional/fann

test-sklearn: $(VENV)/installed-test  # wants scikit-learn, which the environment does not have: pip install scikit-learn
	$(VENV)/bin/python -m pytest tests/optional/scikit_learn

lint: $(VENV)/installed-test
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy

bench: $(VENV)/installed-test
	$(VENV)/bin/python -m benchmarks

docs: $(VENV)/installed-demo
	$(VENV)/bin/python docs/generate.py

web:  # checks web/ and builds the studio's page anew from it; wants Node.js and npm
	cd web && npm ci --silent && npm run --silent check && npm run --silent test && npm run --silent build

$(VENV)/installed-demo: $(PINNED)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[all]'
	touch $@

$(VENV)/installed-test: $(PINNED)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[all,test]'
	touch $@

$(VENV)/installed-slurm: $(VENV)/installed-test constraints-slurm.txt
	$(PIP) --constraint constraints-slurm.txt --editable '.[slurm]'
	touch $@

$(VENV)/installed-gpu: $(VENV)/installed-test constraints-gpu.txt
	$(PIP) --constraint constraints-gpu.txt --editable '.[gpu]'
	touch $@

$(RLLIB_VENV)/installed: constraints-rllib.txt pyproject.toml setup.py
	$(PYTHON) -m venv $(RLLIB_VENV)
	$(RLLIB_PIP) --requirement constraints-rllib.txt
	$(RLLIB_PIP) --no-deps --editable .
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-3.* $(RLLIB_VENV) build dist *.egg-info
