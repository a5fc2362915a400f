"""What the study of UCT-CCNN is rerun with: its two games, its two settings of thinking time, and how much at each size."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from boardgym.core.game import Game, get_game, read_options
from boardgym.studies.jobs import Place

Size = Literal["small", "medium", "page"]
SETTINGS = ("200", "600")  # seconds a move in the study's games; here simulations, 1 : 3
NETWORKS = 5  # of a data set
COUNTS = ("tunings", "data_sets")  # of work with different seeds: more of it leaves what is done as it is


class StudyGame(NamedTuple):
    """A game of the study.

    title: in tables. net: the study's name in its tables. id, option: of the game here. opponent: the stand-in for the study's
    hand-made player. openings: a set-up of the game. heights: of NeuralMinimax in the study. inputs: of a network.
    """

    title: str
    net: str
    id: str
    option: tuple[str, ...]
    opponent: str
    openings: str
    heights: tuple[int, ...]
    inputs: int

    @property
    def game(self) -> Game:
        """The game with its rule options."""
        return get_game(self.id, **read_options(self.option))

    @property
    def num_openings(self) -> int:
        """All openings of the set-up."""
        return len(self.game.setup(self.openings).positions)


GAMES = {
    "othello": StudyGame(
        "Othello", "Othello", "Othello-v0", (), "minimax:3,evaluation=positional", "openings-244", (3, 4, 5, 6, 7), 128
    ),
    "morris": StudyGame(
        "Nine Men's Morris",
        "Trilha",
        "NineMensMorris-v0",
        ("draw=first_repetition",),
        "minimax:3,evaluation=mills",
        "sequences:2",
        (3, 4, 5, 6),
        149,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class TuningPlan:
    """simulations: of a move. games: of a sample. tunings: of each game, with different seeds."""

    simulations: int
    games: int
    tunings: int


@dataclass(frozen=True)
class ExamplesPlan:
    """simulations: of a move, of the first setting; the second has three times as many. scale: of the study's games.

    data_sets: of each setting, with different seeds.
    """

    simulations: int
    scale: float
    data_sets: int


@dataclass(frozen=True)
class NetworkPlan:
    """rows: examples to train with, at most. units: hidden units, at most, and no more than inputs.

    patience: units without a lower test error.
    """

    rows: int
    units: int
    patience: int


@dataclass(frozen=True)
class MinimaxPlan:
    """games: of NeuralMinimax from the start position, as first and as second player each, by height.

    openings: from how many openings, each with both seats, by height; 0 for all. Fewer are taken at equal distances.
    """

    games: dict[str, int]
    openings: dict[str, int]


@dataclass(frozen=True)
class MctsPlan:
    """simulations: of a move, of both sides. games: of a network, as first and as second player each."""

    simulations: int
    games: int


@dataclass(frozen=True)
class Plan:
    """How much of everything. reference_games: of each stand-in against `uct:1000`, half of them as the first player."""

    tuning: TuningPlan
    examples: ExamplesPlan
    network: NetworkPlan
    minimax: MinimaxPlan
    mcts: MctsPlan
    reference_games: int
    positions: int

    def part(self, name: str) -> Any:
        """What each piece of a kind of work is done with, as plain data; not how many pieces there are."""
        found = getattr(self, name)
        return found if isinstance(found, int) else {key: value for key, value in asdict(found).items() if key not in COUNTS}

    @property
    def networks(self) -> int:
        """Of each game and setting."""
        return NETWORKS * self.examples.data_sets


def by_height(*counts: int) -> dict[str, int]:
    """Counts of the heights from 3 on."""
    return {str(3 + k): count for k, count in enumerate(counts)}


PLANS: dict[str, Plan] = {
    "small": Plan(
        TuningPlan(simulations=60, games=10, tunings=4),
        ExamplesPlan(simulations=200, scale=0.05, data_sets=2),
        NetworkPlan(rows=4000, units=8, patience=8),
        MinimaxPlan(games=by_height(10, 10, 5), openings=by_height(20, 20, 10)),
        MctsPlan(simulations=200, games=20),
        reference_games=100,
        positions=500,
    ),
    "medium": Plan(
        TuningPlan(simulations=300, games=16, tunings=4),
        ExamplesPlan(simulations=1000, scale=0.3, data_sets=1),
        NetworkPlan(rows=24_000, units=12, patience=4),
        MinimaxPlan(games=by_height(30, 30, 30, 30, 20), openings=by_height(122, 122, 60, 30, 15)),
        MctsPlan(simulations=1000, games=40),
        reference_games=200,
        positions=2000,
    ),
    "page": Plan(
        TuningPlan(simulations=200, games=90, tunings=4),
        ExamplesPlan(simulations=1000, scale=1.0, data_sets=2),
        NetworkPlan(rows=24_000, units=80, patience=8),
        MinimaxPlan(games=by_height(30, 30, 30, 30, 30), openings=by_height(244, 244, 60, 30, 15)),
        MctsPlan(simulations=1000, games=100),
        reference_games=400,
        positions=10_000,
    ),
}


def simulations_of(plan: Plan, setting: str) -> int:
    """A move's, in the games that examples are taken from."""
    return plan.examples.simulations * int(setting) // int(SETTINGS[0])


def data_set_of(seed: int) -> int:
    """The data set that a network learns from: the first five networks share the first, the next five the second."""
    return 1 + (seed - 1) // NETWORKS


def kinds(name: str) -> list[tuple[str, str, str]]:
    """(kind of work, game, setting) of a name, for each game and setting."""
    return [(f"{name}_{game}_{setting}", game, setting) for game in GAMES for setting in SETTINGS]


def files_of(place: Place, name: str) -> Path:
    """A folder that stays when a piece of work is done, for what later work reads: examples and networks."""
    folder = place.folder.parent.parent / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
