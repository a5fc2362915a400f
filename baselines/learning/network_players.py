"""Searches that ask a network that has been learnt, by their specs."""

import tempfile
from pathlib import Path

import numpy as np

from boardgym.baselines.learning.run_folders import AGENT
from boardgym.baselines.networks.cascade_files import save_cascade
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import make_cascade
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.core.errors import SpecError
from boardgym.core.policy_spec import make_policy


def check_search(search: str, features: GameFeatures) -> None:
    """Raises SpecError for a player that cannot ask a network: now, not after the games."""
    with tempfile.TemporaryDirectory() as folder:
        path, inputs = Path(folder) / AGENT, len(features.names)
        save_cascade(path, make_cascade(inputs, [], [(LINEAR, 1.0, np.zeros(inputs + 1))]), features=features)
        try:
            make_policy(spec_of(search, path), features.game)
        except SpecError as error:
            said = str(error).replace(str(path), AGENT)
            raise SpecError(f"search={search!r}: expected a search that asks an evaluation, as minimax:3; {said}") from None


def spec_of(search: str, path: Path) -> str:
    """The spec of a search that asks the network in a file."""
    return f"{search}{',' if ':' in search else ':'}evaluation=cascade(file:{path})"
