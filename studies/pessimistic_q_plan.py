"""The study of Pessimistic Q-learning, rerun: two tables that learn from each other, with and without the sweep.

Source: A. B. Pereira, dissertation (PUC-Rio, 2012), chapter 4. Each run of a setting and a seed trains four agents:

    q         both explore: Q-learning as the study's column "Q"
    q_twice   the same for as many episodes as the next two have in all
    control   then a second phase in which the first seat plays greedily, without the sweep
    pq        the same with the sweep after each lost game, the study's column "PQ"

The exploring phase of the four is the same one. This file says what is trained and what was
published; `pessimistic_q_seeds` has the seeds, `pessimistic_q_runs` trains and tests, `pessimistic_q_claims` judges.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.thesis_tests.positions import rows_of
from boardgym.core.game import Game, get_game, read_options

Agent = Literal["q", "q_twice", "control", "pq"]
Starts = Literal["standard", "rows", "one row"]
AGENTS: tuple[Agent, ...] = ("q", "q_twice", "control", "pq")
LETTERS = "abcde"
Figures = dict[str, Any]  # of one agent in one run
Results = dict[str, list[dict[str, Any]]]  # of a game: setting -> seeds -> agent -> figures


@dataclass(frozen=True)
class Published:
    """What the study printed of a setting: quality in percent of Q and PQ in two tests, entries ("explored states")."""

    clone_q: float
    base_q: float
    clone_pq: float
    base_pq: float
    time: str
    entries: int | None = None


@dataclass(frozen=True)
class StudyGame:
    """A game of the study.

    Attributes:
        game, option: its id and rule options.
        episodes: of each phase.
        rates: (step size, discount, epsilon) of each setting.
        published: figures of each setting.
        random: least and greatest figure that the study printed of its random test, in percent.
        starts: of cards: "standard" deals anew for each episode, "rows" are the fixed rows that the base test has too, which
            the table so meets again, "one row" is the first of these.
        settings: the letters of those that are run if nobody says.
        regret_games: how many, against random play, to measure the regret in; fewer where the solver is slow.
    """

    game: str
    option: tuple[str, ...]
    episodes: int
    rates: dict[str, tuple[float, float, float]]
    published: dict[str, Published]
    random: tuple[float, float]
    starts: Starts = "standard"
    settings: str = LETTERS
    regret_games: int = 100

    def load(self) -> Game:
        """The game itself."""
        return get_game(self.game, **read_options(self.option))

    def rows(self) -> tuple[str, ...]:
        """Where episodes begin; empty: as the game itself does."""
        rows = () if self.starts == "standard" else rows_of(self.load())
        return rows[:1] if self.starts == "one row" else rows


def _rates(step_size_of_c: float) -> dict[str, tuple[float, float, float]]:
    return {"a": (0.7, 0.7, 0.3), "b": (0.9, 0.1, 0.3), "c": (step_size_of_c, 0.9, 0.3), "d": (0.7, 0.7, 0.01),
            "e": (0.7, 0.7, 0.9)}  # fmt: skip


CARD_POINTS = {
    "a": Published(63, 82, 100, 90, "3 h 12 min"),
    "b": Published(63, 82, 100, 90, "3 h 57 min"),
    "c": Published(64, 85, 100, 90, "3 h 37 min"),
    "d": Published(80, 82, 100, 89, "3 h 12 min"),
    "e": Published(75, 84, 100, 91, "3 h 52 min"),
}


def _card_points(n_cards: int, starts: Starts, settings: str = LETTERS) -> StudyGame:
    return StudyGame("CardPoints-v0", (f"n_cards={n_cards}",), 800_000, _rates(0.1), CARD_POINTS, (50, 50), starts, settings)


GAMES = {
    "tic-tac-toe": StudyGame("TicTacToe-v0", (), 12_000, _rates(0.3), {
        "a": Published(88, 99, 100, 100, "5 s", 4136),
        "b": Published(85, 95, 94, 99, "6 s", 6591),
        "c": Published(75, 97, 100, 100, "28 s", 5586),
        "d": Published(99, 99, 100, 100, "7 s", 3888),
        "e": Published(100, 99, 100, 100, "7 s", 8395),
    }, (54, 54)),
    "connect-four": StudyGame("ConnectFour-v0", (), 4_000_000, _rates(0.1), {
        "a": Published(77, 64, 100, 92, "27 h 44 min"),
        "b": Published(78, 58, 100, 86, "27 h 49 min"),
        "c": Published(75, 64, 100, 90, "27 h 45 min"),
        "d": Published(78, 74, 100, 84, "27 h 40 min"),
        "e": Published(63, 74, 100, 92, "27 h 33 min"),
    }, (54, 55), regret_games=20),
    "card-points-8": _card_points(8, "rows"),
    "card-points-12": _card_points(12, "rows"),
    "card-points-8-deals": _card_points(8, "standard"),
    "card-points-8-one-row": _card_points(8, "one row", "a"),
}  # fmt: skip


def plan_of(
    study: StudyGame, setting: str, seed: int, agent: Agent, episodes: int, *, memory: float | None = None
) -> TabularConfig:
    """The training of an agent. episodes: of each phase. memory: as in `TabularConfig`."""
    step_size, discount, epsilon = study.rates[setting]
    return TabularConfig(
        game=study.game,
        option=study.option,
        method="pessimistic_q",
        episodes=2 * episodes if agent == "q_twice" else episodes,
        greedy_episodes=episodes if agent in ("control", "pq") else 0,
        sweep="loss" if agent == "pq" else "never",
        step_size=f"{step_size:g}",
        discount=f"{discount:g}",
        epsilon=f"{epsilon:g}",
        starts=study.rows(),
        seed=seed,
        memory=memory,
    )


def figures(results: Results, agent: str, key: str, settings: Iterable[str] | None = None) -> list[Any]:
    """One figure of an agent over all seeds of some settings; None: of all."""
    return [one[agent][key] for setting in (results if settings is None else settings) for one in results.get(setting, [])]


def paired(results: Results, a: str, b: str) -> list[tuple[Any, Any]]:
    """The runs of two settings by the seeds that both have."""
    second = {one["seed"]: one for one in results[b]}
    return [(one, second[one["seed"]]) for one in results[a] if one["seed"] in second]
