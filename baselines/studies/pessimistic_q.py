"""The study of Pessimistic Q-learning, rerun: two tables that learn from each other, with and without the sweep.

Source: A. B. Pereira, dissertation (PUC-Rio, 2012), chapter 4. Each run of a setting and a seed trains four agents:

    q         both explore: Q-learning as the study's column "Q"
    q_twice   the same for as many episodes as the next two have in all
    control   then a second phase in which the first seat plays greedily, without the sweep
    pq        the same with the sweep after each lost game, the study's column "PQ"

The exploring phase of the four is the same one. The first seat's table meets that of the second seat it was trained with
(clone test), and the positions or lines of the base test.
"""

import dataclasses
import json
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from boardgym.baselines.studies.jobs import Job, run_jobs
from boardgym.baselines.tabular.config import TabularConfig
from boardgym.baselines.tabular.training import BLOCK, Trainer
from boardgym.baselines.trials.base import base_test
from boardgym.baselines.trials.play import clone_test
from boardgym.core.board import Board
from boardgym.core.cache import write_aside
from boardgym.core.errors import OptionError, nearest

Sweep = Literal["loss", "never"]
AGENTS = ("q", "q_twice", "control", "pq")
CLONE_GAMES = 1000
PHASES = ("episodes", "greedy_episodes", "sweep", "memory")


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
    """A game of the study. rates: (step size, discount, epsilon) of each setting. episodes: of each phase. seeds: how many."""

    game: str
    option: tuple[str, ...]
    episodes: int
    seeds: int
    rates: dict[str, tuple[float, float, float]]
    published: dict[str, Published]


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
GAMES = {
    "tic-tac-toe": StudyGame("TicTacToe-v0", (), 12_000, 10, _rates(0.3), {
        "a": Published(88, 99, 100, 100, "5 s", 4136),
        "b": Published(85, 95, 94, 99, "6 s", 6591),
        "c": Published(75, 97, 100, 100, "28 s", 5586),
        "d": Published(99, 99, 100, 100, "7 s", 3888),
        "e": Published(100, 99, 100, 100, "7 s", 8395),
    }),
    "connect-four": StudyGame("ConnectFour-v0", (), 4_000_000, 3, _rates(0.1), {
        "a": Published(77, 64, 100, 92, "27 h 44 min"),
        "b": Published(78, 58, 100, 86, "27 h 49 min"),
        "c": Published(75, 64, 100, 90, "27 h 45 min"),
        "d": Published(78, 74, 100, 84, "27 h 40 min"),
        "e": Published(63, 74, 100, 92, "27 h 33 min"),
    }),
    "card-points-8": StudyGame("CardPoints-v0", ("n_cards=8",), 800_000, 3, _rates(0.1), CARD_POINTS),
    "card-points-12": StudyGame("CardPoints-v0", ("n_cards=12",), 800_000, 3, _rates(0.1), CARD_POINTS),
}  # fmt: skip


def config_of(study: StudyGame, setting: str, seed: int, *, episodes: int, greedy: int, sweep: Sweep) -> TabularConfig:
    """The training of one phase plan. sweep: "loss" or "never"."""
    step_size, discount, epsilon = study.rates[setting]
    return TabularConfig(
        game=study.game, option=study.option, method="pessimistic_q", episodes=episodes, greedy_episodes=greedy, sweep=sweep,
        step_size=f"{step_size:g}", discount=f"{discount:g}", epsilon=f"{epsilon:g}", seed=seed,
    )  # fmt: skip


def run_setting(name: str, setting: str, seed: int, episodes: int) -> dict[str, Any]:
    """Trains and tests the four agents of a game's setting and a seed. Returns plain data by agent."""
    study, found = GAMES[name], dict[str, Any]()
    Trainer(config_of(study, setting, seed, episodes=1, greedy=1, sweep="loss")).run()  # compiles, or loads what was compiled
    with TemporaryDirectory(prefix="boardgym-study-") as folder:
        shared = Path(folder) / "q.safetensors"
        for agent in AGENTS:
            exploring = 2 * episodes if agent == "q_twice" else episodes
            greedy = episodes if agent in ("control", "pq") else 0
            plan = config_of(
                study, setting, seed, episodes=exploring, greedy=greedy, sweep="loss" if agent == "pq" else "never"
            )
            trainer = Trainer(plan)
            started, seconds = time.process_time(), 0.0
            if agent != "q":
                trainer.load_checkpoint(shared, may_differ=PHASES)
                seconds = found["q"]["seconds"]
            trainer.run()
            seconds += time.process_time() - started
            if agent == "q":
                trainer.save_checkpoint(shared)
            found[agent] = {**measure(trainer), "seconds": round(seconds, 3)}
            del trainer  # the next needs its memory
    return found


def measure(trainer: Trainer) -> dict[str, Any]:
    """The study's tests of a trained table's first seat, and what it holds."""
    agent, game = trainer.agent, trainer.game
    clone = clone_test(agent, agent, game, games=CLONE_GAMES, seed=trainer.config.seed, progress=False)
    base = base_test(agent, game, progress=False)
    shares = clone.shares
    opening = None if game.num_outcomes else agent.act(Board(game), deterministic=True)
    return {
        "clone": {"won": shares.won.value, "drawn": shares.drawn.value, "lost": shares.lost.value},
        "clone_quality": shares.won.value + shares.drawn.value,
        "base": base.to_dict(),
        "base_quality": base.quality,
        "entries": trainer.entries_by_seat()[0],
        "opening": opening,
        "curve": trainer.results().tolist(),
        "block": BLOCK,
        "episodes": trainer.episode,
        "plies": trainer.plies,
    }


@dataclass(frozen=True)
class Settings:
    """What to rerun.

    Attributes:
        game: "tic-tac-toe", "connect-four", "card-points-8", "card-points-12"; all of them if empty.
        setting: letters of the study's settings, such as "a" or "abcde".
        seeds: how many; 0 for the number that the reproduction is made of, ten for tic-tac-toe and three for the others.
        episodes: of each phase; 0 for those of the study.
        processes: trainings at a time.
        out: folder of the results; a run that was cut short goes on there.
    """

    game: str = ""
    setting: str = "abcde"
    seeds: int = 0
    episodes: int = 0
    processes: int = 1
    out: Path = Path("runs/pessimistic-q")


def games_of(settings: Settings) -> list[str]:
    """The names of the games asked for. Raises OptionError."""
    if settings.game and settings.game not in GAMES:
        raise OptionError(f"game={settings.game!r}; {nearest(settings.game, GAMES)}")
    if not settings.setting or not set(settings.setting) <= set("abcde"):
        raise OptionError(f"setting={settings.setting!r}: expected letters a to e")
    if settings.seeds < 0 or settings.episodes < 0:
        raise OptionError(f"seeds={settings.seeds}, episodes={settings.episodes}: expected at least 0")
    return [settings.game] if settings.game else list(GAMES)


def reproduce(settings: Settings) -> dict[str, Any]:
    """Trains and tests what is missing. Returns {game: {setting: [results of a seed, by agent]}}, which results.json holds too.

    Raises: as `run_jobs`; OptionError for names that there are not.
    """
    jobs, places = [], []
    for name in games_of(settings):
        study = GAMES[name]
        for setting in sorted(set(settings.setting)):
            for seed in range(1, (settings.seeds or study.seeds) + 1):
                episodes = settings.episodes or study.episodes
                arguments = {"name": name, "setting": setting, "seed": seed, "episodes": episodes}
                jobs.append(Job(f"{name}_{setting}_{episodes}_{seed}", arguments))
                places.append((name, setting))
    results = run_jobs(run_setting, jobs, settings.out / "jobs", processes=settings.processes, label="trainings")
    found: dict[str, dict[str, list[Any]]] = {}
    for (name, setting), result in zip(places, results, strict=True):
        found.setdefault(name, {}).setdefault(setting, []).append(result)
    plain = {"settings": {**dataclasses.asdict(settings), "out": str(settings.out)}, "results": found}
    write_aside(settings.out / "results.json", json.dumps(plain).encode())
    return found
