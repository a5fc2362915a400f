"""Tabular self-play: two Q-learners that learn from each other, beside OpenSpiel's in Python; and an agent's file, read."""

import functools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Effort, Row, Work, figure, if_installed, rates
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import TabularAgent, load_agent, statistics
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.core.game import Game, get_game

MANY = 10**9  # episodes: more than any run plays
STEP_SIZE, DISCOUNT, EPSILON = 0.7, 0.7, 0.3  # setting a of the study
PEERS = {"TicTacToe": "tic_tac_toe", "ConnectFour": "connect_four"}


def our_training(game: Game) -> tuple[TableTrainer, Work]:
    """A training that goes on from where it was, and what measures it: in episodes."""
    trainer = TableTrainer(TabularConfig(game=game.id, method="q", episodes=MANY, memory=4.0))

    def work(n: int) -> int:
        before = trainer.episode
        trainer.run(until=before + n)
        return trainer.episode - before

    return trainer, work


def their_training(game_id: str) -> Work:
    """OpenSpiel's `tabular_qlearner`, one for each seat, as its own example trains them."""
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import tabular_qlearner
    from open_spiel.python.rl_tools import ConstantSchedule

    env = rl_environment.Environment(game_id)
    count = env.action_spec()["num_actions"]
    agents: list[Any] = [
        tabular_qlearner.QLearner(
            seat, count, step_size=STEP_SIZE, discount_factor=DISCOUNT, epsilon_schedule=ConstantSchedule(EPSILON)
        )
        for seat in range(2)
    ]

    def work(n: int) -> int:
        for _ in range(n):
            step = env.reset()
            while not step.last():
                step = env.step([agents[step.observations["current_player"]].step(step).action])
            for agent in agents:
                agent.step(step)
        return n

    return work


def row(effort: Effort, name: str, game: Game) -> Row:
    """Episodes a second of both, with what the table holds at the end."""
    trainer, ours = our_training(game)
    subjects = [("train tabular", ours)]
    if theirs := if_installed(lambda: their_training(PEERS[game.name])):
        subjects.append(("OpenSpiel's tabular_qlearner", theirs))
    started = time.process_time()
    figures = rates(subjects, effort)
    spent = time.process_time() - started
    found = statistics(trainer.agent)
    notes: dict[str, str | float] = {
        "entries": found["entries"],
        "bytes_per_entry": found["bytes_per_entry"],
        "episodes": trainer.episode,
        "plies": trainer.plies,
        "seconds_of_all": round(spent, 3),
    }
    title = f"two Q-learners that learn from each other, {game.title}"
    absent = "OpenSpiel" if len(subjects) < 2 else None
    return Row(name, title, "episodes/s", *figures, absent=absent, notes=notes)


LARGE, SMALL, ACTIONS = 10_000_000, 40_000, 4  # entries of a file, of one for a quick run; of a position
FACTS = {"method": "q", "values": "pairs", "default": 0.0, "way": 0, "uses_symmetry": 0, "pays": [100.0, 0.0, -50.0]}


def load_row(effort: Effort) -> Row:
    """Seconds to load an agent of ten million entries, checked and hashed anew: numbers for positions, drawn at random."""
    count, rng = SMALL if effort.is_quick else LARGE, np.random.default_rng(1)
    keys = rng.permutation(count // ACTIONS) * 0x9E37_79B9  # no two alike
    columns = tb.Columns(
        np.repeat(keys, ACTIONS)[:, None],
        np.tile(np.arange(ACTIONS, dtype=np.uint16), count // ACTIONS),
        rng.normal(size=count).astype(np.float32),
        np.ones(count, np.uint16),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.safetensors"
        TabularAgent("ConnectFour", tb.table_of(columns), FACTS).save(path)
        times = [load_time(path, count) for _ in range(1 + effort.repeats)]
        size = path.stat().st_size
    cpus, walls = zip(*times[1:], strict=True)
    ours = figure("load_agent", cpus, walls, warm_up_s=times[0][0])
    return Row(
        "tabular_load",
        f"an agent's file of {count:,} entries, loaded",
        "s",
        ours,
        at_most=15.0,
        notes={"entries": count, "file_bytes": size},
    )


def load_time(path: Path, count: int) -> tuple[float, float]:
    """Processor and wall seconds that it takes to load an agent of so many entries."""
    wall, cpu = time.perf_counter(), time.process_time()
    agent = load_agent(path)
    spent = time.process_time() - cpu, time.perf_counter() - wall
    if len(agent) != count:
        raise AssertionError(f"{len(agent)} of {count} entries")
    return spent


ROWS: dict[str, Callable[[Effort], Row]] = {
    f"tabular_{game.module_name}": functools.partial(row, name=f"tabular_{game.module_name}", game=game)
    for game in (get_game("TicTacToe"), get_game("ConnectFour"))
}
ROWS["tabular_load"] = load_row
