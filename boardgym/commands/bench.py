"""`boardgym bench`: how fast the games run on this machine. The comparison with other libraries is `python -m benchmarks`."""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from rich import box
from rich.table import Table

from boardgym.commands.common import GameWord, RuleOptions, load_game, print_json, print_table
from boardgym.core.board import Board
from boardgym.core.errors import OptionError
from boardgym.core.game import GAMES, Game
from boardgym.core.policy_spec import make_policy

REPEATS = 5
SIMULATIONS = 2000
What = Literal["aec", "board", "uct"]
TITLES = {"aec": "PettingZoo environment, plies/s", "board": "Board, plies/s", "uct": "UCT, simulations/s"}


@dataclass(frozen=True)
class Figure:
    """One measurement: medians of several runs, per second of CPU time of this process and of the clock."""

    game: str
    what: str
    per_cpu_s: float
    per_wall_s: float


@dataclass
class Bench:
    """Plies and simulations a second on this machine, on one core: medians of five runs."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym bench",
        "boardgym bench Othello --seconds 1",
        "boardgym bench ConnectFour --what uct --json",
    )

    game: GameWord = "all"
    """Id of the game, or all."""
    what: tuple[What, ...] = ("aec", "board", "uct")
    """What to measure: the AEC loop, legal actions and push on a Board, searches from the start."""
    seconds: float = 0.3
    """Seconds that each of the five runs takes."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Measures and prints."""
        if not 0.0 < self.seconds <= 60.0:
            raise OptionError(f"--seconds {self.seconds:g}: expected above 0, at most 60")
        if self.game == "all" and not self.option:
            chosen = sorted(GAMES.values(), key=lambda game: game.id)
        else:
            chosen = [load_game(self.game, self.option)]
        figures = [measure(game, what, self.seconds) for game in chosen for what in self.what]
        if self.json:
            print_json([asdict(figure) for figure in figures])
            return 0
        table = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, caption=f"medians of {REPEATS} runs, one core", caption_justify="left"
        )
        table.add_column("game", style="cyan")
        table.add_column("what")
        table.add_column("by CPU time", justify="right")
        table.add_column("by the clock", justify="right")
        for figure in figures:
            table.add_row(figure.game, TITLES[figure.what], f"{figure.per_cpu_s:,.0f}", f"{figure.per_wall_s:,.0f}")
        print_table(table)
        return 0


def measure(game: Game, what: str, seconds: float) -> Figure:
    """One figure of a game; a first run that is not counted compiles what it needs."""
    work = WORK[what](game)
    work()
    runs = [_run(work, seconds) for _ in range(REPEATS)]
    return Figure(game.id, what, *(statistics.median(column) for column in zip(*runs, strict=True)))


def _run(work: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Units of work per CPU second and per second."""
    units, cpu, wall = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        units += work()
    return units / max(time.process_time() - cpu, 1e-9), units / (time.perf_counter() - wall)


def board_work(game: Game) -> Callable[[], int]:
    """Plays a random game on a Board; a unit is a ply."""
    choices, start = _choices(), Board(game)

    def work() -> int:
        board = start.copy()
        legal = board.legal_actions
        while legal:
            board.push(legal[choices[board.ply % len(choices)] % len(legal)])
            legal = board.legal_actions
        return board.ply

    return work


def aec_work(game: Game) -> Callable[[], int]:
    """Plays a random game in the PettingZoo environment; a unit is a ply."""
    import boardgym

    env: Any = boardgym.make(game.id, **game.options)
    choices = _choices()

    def work() -> int:
        env.reset(seed=0)
        plies = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[choices[plies % len(choices)] % len(legal)]))
            plies += 1
        return plies

    return work


def uct_work(game: Game) -> Callable[[], int]:
    """Searches from the start; a unit is a simulation."""
    policy, board = make_policy(f"uct:{SIMULATIONS}", game, seed=0), Board(game)

    def work() -> int:
        return int(policy.analyse(board).nodes)  # fewer than asked for where the search proves its result

    return work


def _choices() -> list[int]:
    """Random numbers drawn ahead, so that drawing them is not measured."""
    return np.random.default_rng(0).integers(1 << 20, size=997).tolist()  # type: ignore[no-any-return]


WORK: dict[str, Callable[[Game], Callable[[], int]]] = {"aec": aec_work, "board": board_work, "uct": uct_work}
