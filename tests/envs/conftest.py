"""What the environments' tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def child_environment():
    """The environment variables of a child process that imports this checkout."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
