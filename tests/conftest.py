"""Settings of all tests: Hypothesis draws the same examples in every run, and waits for a first compilation."""

from hypothesis import settings

collect_ignore = ["optional"]  # what needs an environment of its own: `make test-rllib`, `make test-engines`

settings.register_profile("boardgym", deadline=None, derandomize=True)
settings.load_profile("boardgym")
