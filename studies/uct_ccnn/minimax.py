"""NeuralMinimax against the stand-ins of the UCT-CCNN study's hand-made players: tables 5.5 to 5.8, claims 7 and 10.

Bothello and J.A.R.V.I.S. are not available, and their evaluations are not printed: alpha-beta at their depth, three plies, with
a documented evaluation takes the place of each.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from boardgym.baselines.learning.network_players import spec_of
from boardgym.core.errors import SpecError
from boardgym.studies.jobs import Place
from boardgym.studies.parts import Figures
from boardgym.studies.uct_ccnn.matches import (
    FIRST,
    OPENINGS,
    SECOND,
    START,
    Counts,
    play,
    score,
)
from boardgym.studies.uct_ccnn.networks import digest_of, file_of
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS, data_set_of, kinds

REFERENCE = "uct:1000"


def heights_of(game: str, counts: dict[str, int]) -> list[int]:
    """Those of the study that are played."""
    return [height for height in GAMES[game].heights if str(height) in counts]


def network_for(place: Place, game: str, setting: str, seed: int, size: Any, digest: str) -> Path:
    """The file of a network. Raises SpecError for another network, or none."""
    path = file_of(place, game, setting, seed, size)
    if not path.exists() or digest_of(path) != digest:
        raise SpecError(f"{path}: not the network that was grown; delete its result in the folder jobs, and it is grown again")
    return path


def plays(game: str, setting: str) -> Any:
    """The work of a network's matches."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """{"start", "openings": {height: counts as first and as second player}}; what was played is kept by height."""
        plan, study = PLANS[size].minimax, GAMES[game]
        path = network_for(place, game, setting, seed, size, chosen["network"])
        found: dict[str, Any] = {"data_set": data_set_of(seed), START: {}, OPENINGS: {}}
        for k, (name, counts) in enumerate(((START, plan.games), (OPENINGS, plan.openings))):
            for height in heights_of(game, counts):
                kept = place.read(f"{name}-{height}")
                if kept is None:
                    openings = START if name == START else study.openings
                    spec = spec_of(f"minimax:{height}", path)
                    games = 2 * (counts[str(height)] or study.num_openings)
                    played = play(
                        spec, study.opponent, game, games, openings, (seed, int(setting), height, k), best=(False, True)
                    )
                    kept = place.keep(f"{name}-{height}", played)
                found[name][str(height)] = kept
                place.tell(len(found[START]) + len(found[OPENINGS]))
        return {"network": digest_of(path), **found}  # as the file is after the games

    return measure


def meets_reference(game: str) -> Any:
    """The work of a stand-in's match against UCT."""

    def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
        """From the openings, each with both seats."""
        study, games = GAMES[game], PLANS[size].reference_games
        return play(study.opponent, REFERENCE, game, games, study.openings, (0, 1), best=(True, False))

    return measure


def chosen_of(game: str, setting: str) -> Callable[[Figures], dict[int, Any]]:
    """The network of each number."""
    return lambda figures: {one["seed"]: {"network": one["network"]} for one in figures.get(f"networks_{game}_{setting}", ())}


# ---------------------------------------------------------------- what the figures say

Where = tuple[int, str]  # height, and whether as first or second player


def cells_of(one: Mapping[str, Any], name: str) -> dict[Where, Counts]:
    """The configurations of a network, from the start or from the openings."""
    return {(int(height), seat): counts[seat] for height, counts in one[name].items() for seat in (FIRST, SECOND)}


def across(figures: Figures, game: str, setting: str, name: str) -> dict[Where, list[Counts]]:
    """The counts of all networks of a setting, by configuration."""
    found: dict[Where, list[Counts]] = {}
    for one in figures.get(f"minimax_{game}_{setting}", ()):
        for where, counts in cells_of(one, name).items():
            found.setdefault(where, []).append(counts)
    return found


def winning_configurations(one: Mapping[str, Any], name: str = START) -> int:
    """In how many configurations a network wins a game, or more."""
    return sum(counts["won"] > 0 for counts in cells_of(one, name).values())


def strength(one: Mapping[str, Any]) -> float:
    """A network's score rate from the openings, the mean over its configurations."""
    return fmean(map(score, cells_of(one, OPENINGS).values()))


KINDS = tuple(kind for kind, _, _ in kinds("minimax"))
REFERENCES = tuple(f"reference_{game}" for game in GAMES)
