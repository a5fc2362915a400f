"""One run of the Pessimistic Q-learning study: the four agents of a setting and a seed, trained and tested.

Their figures are those of the first seat, the one that sweeps. Its table meets, in the clone test, the second seat that it was
trained with, and the second seat of `q_twice`, the same for all four. Seconds are processor time of the training alone, after
the kernels have been compiled or loaded; peak memory is that of the process.
"""

import gc
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.baselines.arena.game import play_game
from boardgym.baselines.arena.ratings import ratio_interval
from boardgym.baselines.arena.regret import Judge, Tally, make_judge
from boardgym.baselines.learning.config import settings_of
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import TabularAgent, load_agent
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.learning.trainer import BLOCK, Trainer
from boardgym.baselines.perfect.policy import PerfectPolicy
from boardgym.baselines.thesis_tests.answers import positions_test
from boardgym.baselines.thesis_tests.base import base_test
from boardgym.baselines.thesis_tests.lines import Below, Walk, best_actions
from boardgym.baselines.thesis_tests.play import clone_test, random_test
from boardgym.baselines.thesis_tests.positions import base_set_of
from boardgym.baselines.thesis_tests.shares import Shares
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.core.sources import SOURCES
from boardgym.studies.jobs import Place
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES, LETTERS, Agent, StudyGame, plan_of

TESTS = 2  # version of what is measured: results of another are not reused
CLONE_GAMES = 1000
RANDOM_GAMES = 100_000
CHECKPOINT_S = 120.0
WARM_UP = 500  # episodes before the clock
PERFECT_STEP = 500  # episodes between two looks for lost lines
MOST_RELOADED = 1_000_000  # entries of an agent whose file is written and read again in every run
BOLD_MOVES = (((2, 1), 8), ((3, 4, 6, 9), 2), ((5, 9, 8, 2), 7))  # cells 1 to 9 played before, and the one that loses
SMALLER_CARD = "take the smaller card"  # the base positions' category
IN_ORDER: tuple[Agent, ...] = ("q_twice", "q", "control", "pq")  # all meet the first one's table
PHASES = ("episodes", "greedy_episodes", "sweep", "memory")


def digest_of(name: str, setting: str, episodes: int) -> str:
    """Of all that the results of a game's setting depend on beside the seed: settings of the trainings, tests, positions."""
    study = GAMES[name]
    plans = [settings_of(plan_of(study, setting, 0, agent, episodes)) for agent in AGENTS] if setting else []
    try:
        positions = base_set_of(study.load()).to_text()
    except UnsupportedGameError:
        positions = ""
    numbers = (TESTS, CLONE_GAMES, study.regret_games, RANDOM_GAMES, PERFECT_STEP)
    return hashlib.sha256(json.dumps([plans, positions, numbers], sort_keys=True).encode()).hexdigest()[:16]


def run_job(
    place: Place, name: str, setting: str, seed: int, episodes: int, *, memory: float | None = None, agents: str = ""
) -> dict[str, Any]:
    """The four agents of a game's setting and a seed: plain data by agent; without a setting the game's random test.

    memory: GiB for the tables, of which there are two at a time. agents: the folder for the agents' files, if wanted.
    """
    if setting not in LETTERS or not setting:
        told = random_test(GAMES[name].load(), games=RANDOM_GAMES, progress=lambda *_: place.tell(0))
        return told.to_dict()
    return Run(place, name, setting, seed, episodes, memory, agents).result()


class Run:
    """The trainings of one setting and seed. `place`: where they go on when they were cut short."""

    def __init__(
        self, place: Place, name: str, setting: str, seed: int, episodes: int, memory: float | None, agents: str
    ) -> None:
        self.place, self.name, self.setting, self.seed, self.episodes = place, name, setting, seed, episodes
        self.study: StudyGame = GAMES[name]
        self.memory = None if memory is None else memory / 2.0  # beside a table that is tested stands that of q_twice
        self.agents = agents
        self.looks = name == "tic-tac-toe"  # for lost lines, while it trains

    def result(self) -> dict[str, Any]:
        """Trains and tests what is missing."""
        self._trainer("pq", episodes=WARM_UP).run()  # compiles, or loads what was compiled
        gc.collect()  # what compiling has left is not the training's
        self.train("q", before=0)
        found: dict[str, Any] = {}
        for number, agent in enumerate(IN_ORDER):
            kept = self.place.read(f"result_{agent}")
            if kept is None:
                trained = self.train(agent, before=max(number - 1, 0) * self.episodes)
                done = (max(number, 1) + 1) * self.episodes
                kept = self.place.keep(f"result_{agent}", self.measure(agent, *trained, partial(self.place.tell, done)))
                del trained  # the next needs its memory
                if agent in ("control", "pq"):  # the tables of the others are asked for again
                    (self.place.folder / f"{agent}.safetensors").unlink()
            found[agent] = kept
        return {agent: found[agent] for agent in AGENTS}

    def _trainer(self, agent: Agent, episodes: int | None = None) -> TableTrainer:
        return TableTrainer(plan_of(self.study, self.setting, self.seed, agent, episodes or self.episodes, memory=self.memory))

    # ------------------------------------------------------------ training

    def train(self, agent: Agent, *, before: int) -> tuple[TableTrainer, dict[str, Any]]:
        """Trains an agent to the end, from its own last checkpoint or from the end of q's training on.

        before: episodes of the agents that are trained already, for the progress. Returns the training, and notes of it:
        "seconds" in all; "peak" of the process's memory in its last phase, without what it takes to write checkpoints;
        in tic-tac-toe "first_perfect", after how many episodes it first lost no line, whichever of equal actions it takes, and
        "perfect_after", since when it has lost none up to the end; None if it never did, or does lose one at the end.
        """
        trainer, own = self._trainer(agent), self.place.folder / f"{agent}.safetensors"
        notes: dict[str, Any] | None = None
        if own.exists():
            trainer.load_checkpoint(own)
            notes = self.place.read(f"notes_{agent}_{trainer.episode}")
        elif agent != "q":
            trainer.load_checkpoint(self.place.folder / "q.safetensors", may_differ=PHASES)
            notes = {**(self.place.read(f"notes_q_{trainer.episode}") or {}), "peak": None}
        begun, saved = trainer.episode if own.exists() else -1, time.monotonic()
        clock = Clock(notes or {"seconds": 0.0, "peak": None, "first_perfect": None, "perfect_after": None})

        def watch(_: Trainer[Any]) -> None:
            nonlocal saved
            with clock.stopped():
                self.place.tell(before + trainer.episode)
                if time.monotonic() - saved >= CHECKPOINT_S:
                    self.save(agent, trainer, clock.notes)
                    saved = time.monotonic()

        step = PERFECT_STEP if self.looks and agent != "q" else trainer.total

        def look() -> None:
            """Looks for lost lines where that is due; once more at the same episode, after a cut, changes nothing."""
            at = trainer.episode
            if not self.looks or at == 0 or (at % step != 0 and at != trainer.total):
                return
            is_perfect = loses_no_line(trainer.agent)
            if is_perfect and clock.notes["first_perfect"] is None:
                clock.notes["first_perfect"] = at
            clock.notes["perfect_after"] = (clock.notes["perfect_after"] or at) if is_perfect else None

        reset_peak()
        try:
            look()  # a cut may have come between the last episode of a step and its look
            while trainer.episode < trainer.total:
                clock.start()
                trainer.run(until=(trainer.episode // step + 1) * step, on_piece=watch)
                clock.stop()
                look()
            if trainer.episode > begun:
                self.save(agent, trainer, clock.notes)
            else:
                self.place.keep(f"notes_{agent}_{trainer.episode}", clock.notes)
        except KeyboardInterrupt:  # in the last save too
            self.save(agent, trainer, clock.notes)
            raise
        return trainer, clock.notes

    def save(self, agent: Agent, trainer: TableTrainer, notes: dict[str, Any]) -> None:
        """Writes a checkpoint, and before it what belongs to it, under a name that tells of which episode it is."""
        notes["peak"] = max(notes["peak"] or 0, peak_memory() or 0) or None  # of the training: writing a file takes more
        self.place.keep(f"notes_{agent}_{trainer.episode}", notes)
        trainer.save_checkpoint(self.place.folder / f"{agent}.safetensors")
        reset_peak()

    # ------------------------------------------------------------ measuring

    def measure(
        self, agent: Agent, trainer: TableTrainer, notes: dict[str, Any], tell: Callable[[], None] = lambda: None
    ) -> dict[str, Any]:
        """The study's tests of a trained table's first seat, what it holds and what it took.

        tell: called all the while; what it raises ends the tests. Those that are finished are kept, and not done again.
        """
        table, game, rows = trainer.agent, trainer.game, self.study.rows()

        def part(name: str, test: Callable[[], Any]) -> Any:
            kept = self.place.read(f"test_{agent}_{name}")
            tell()
            return (kept or self.place.keep(f"test_{agent}_{name}", {"found": test()}))["found"]

        found: dict[str, Any] = {
            "clone": part("clone", lambda: self._clone(table, table, tell)),
            "clone_common": part("clone_common", lambda: self._clone_common(agent, table, tell)),
            **part("base", lambda: self._base(table, tell)),
            "opening": None if game.num_outcomes else table.act(Board(game), deterministic=True),
            "regret": part("regret", lambda: regret_of(table, game, rows, self.seed, self.study.regret_games, tell)),
            "entries": trainer.entries_by_seat()[0],
            "all_entries": len(table),
            "bytes": tb.bytes_in_use(trainer.table),
            "peak_memory": notes["peak"],
            "seconds": round(notes["seconds"], 3),
            **{
                name: None if notes[name] is None else max(0, notes[name] - self.episodes)
                for name in ("first_perfect", "perfect_after")
            },
            "episodes": trainer.episode,
            "plies": trainer.plies,
            "block": BLOCK,
            "sources": SOURCES[:12],
            "curve": trainer.results().tolist(),
        }
        for which in ("clone", "clone_common"):
            found[f"{which}_quality"] = 1.0 - found[which]["lost"]
        if game.name == "TicTacToe":
            found["bold_moves"] = bold_moves(table)
        else:
            found["positions"] = part("positions", lambda: position_figures(table, game, tell))
        found["reloads"] = self._reload(agent, table)
        return found

    def _base(self, table: TabularAgent, tell: Callable[[], None]) -> dict[str, Any]:
        """The base test, with what it asked of the agent."""
        own_row = self.study.rows() if self.study.starts == "one row" else ()  # it knows no other
        test = base_test(table, table.game, seats=(0,), seed=self.seed, starts=own_row, progress=lambda *_: tell())
        base = test.lines[0]
        return {
            "base": {name: getattr(base, name) / base.lines for name in ("won", "drawn", "lost")},
            "base_quality": base.quality.value,
            "is_perfect": base.is_perfect,
            "floor": base.floor.value,
            "decisions": {one.category: [one.met, one.right] for one in test.decisions},
            "outcomes": [round(share, 4) for share in base.outcomes],
        }

    def _clone(self, table: TabularAgent, other: TabularAgent, tell: Callable[[], None]) -> dict[str, float]:
        """Against the second seat of a table."""
        test = clone_test(
            table, other, table.game, games=CLONE_GAMES, seed=self.seed, starts=self.study.rows(), progress=lambda *_: tell()
        )
        return plain_shares(test.shares)

    def _clone_common(self, agent: Agent, table: TabularAgent, tell: Callable[[], None]) -> dict[str, float]:
        """Against the second seat of q_twice, of which that agent itself needs no second table."""
        if agent == "q_twice":
            return self._clone(table, table, tell)
        other = self._trainer("q_twice")
        other.load_checkpoint(self.place.folder / "q_twice.safetensors")
        return self._clone(table, other.agent, tell)

    def _reload(self, agent: Agent, table: TabularAgent) -> bool | None:
        """Whether the agent's file, read again, has the same entries; None if it was not written."""
        if not self.agents and len(table) > MOST_RELOADED:
            return None
        folder = Path(self.agents) if self.agents else self.place.folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}_{self.setting}_{self.episodes}_{self.seed}_{agent}.safetensors"
        table.save(path)
        if len(table) > MOST_RELOADED:
            return None
        ours, theirs = table.columns()._asdict(), load_agent(path, table.game).columns()._asdict()
        return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def plain_shares(shares: Shares) -> dict[str, float]:
    """Shares won, drawn and lost."""
    return {"won": shares.won.value, "drawn": shares.drawn.value, "lost": shares.lost.value}


def position_figures(table: TabularAgent, game: Game, tell: Callable[[], None]) -> dict[str, Any]:
    """The published positions, first seat: quality, share unknown, and of the smaller cards that are to be taken."""
    test = positions_test(table, game, progress=lambda *_: tell())
    total = test.total(0)
    smaller = [score for score in test.categories if score.seat == 0 and score.category == SMALLER_CARD]
    return {
        "quality": total.quality.value,
        "floor": test.floor,
        "positions": total.positions,
        "unknown": total.unknown,
        "smaller": sum(score.positions for score in smaller),
        "smaller_right": sum(score.right for score in smaller),
    }


def walk_of(agent: TabularAgent) -> tuple[Walk, Below]:
    """All lines of a small game that the first seat may play, whichever of equal actions it takes, and what they come to."""
    walk = Walk(0, lambda board: best_actions(agent, board))
    return walk, walk.lines(Board(agent.game))


def loses_no_line(agent: TabularAgent) -> bool:
    """Whether the first seat of a small game loses none."""
    return walk_of(agent)[1].lost == 0.0


def bold_moves(agent: TabularAgent) -> dict[str, int]:
    """Of the study's three failing episodes (section 2.4), in how many the move that loses is among the agent's best.

    "met": in how many its own lines come to the position of that move; "bold_met": how often it is among the best there.
    """
    walk, counts = walk_of(agent)[0], Counter[str](met=0, bold=0, bold_met=0)
    for cells, bold in BOLD_MOVES:
        board = Board(agent.game)
        for cell in cells:
            board.push(cell - 1)
        is_met, is_bold = board.position in walk.found, bold - 1 in best_actions(agent, board)[0]
        counts.update(met=is_met, bold=is_bold, bold_met=is_met and is_bold)
    return dict(counts)


class WatchedJudge(Judge):
    """A judge that tells before each action: some positions take a solver long."""

    def __init__(self, perfect: PerfectPolicy, tell: Callable[[], None]) -> None:
        super().__init__(perfect)
        self.tell = tell

    def losses(self, board: Board, action: int) -> tuple[float, float | None]:
        """As in `Judge`."""
        self.tell()
        return super().losses(board, action)


def regret_of(
    agent: Policy, game: Game, rows: Sequence[str], seed: int, games: int, tell: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Value that the first seat gives away per ply of games against random play, by the exact solver; with its interval.

    rows: where the games begin; empty: as the game itself does, dealt from the seed, so that agents of one seed meet the same.
    tell: called all the while; what it raises ends the test.
    """
    judge, opponent = WatchedJudge(make_judge("perfect", game).perfect, tell), make_policy("random", game, seed=seed)
    tally = Tally(judge, is_alone=False)
    for number in range(games):
        own_seed = int(stream(seed, number)[0]) >> 1
        board = Board(game, rows[number % len(rows)] if rows else None, seed=own_seed)
        tally.add(play_game(board, [agent, opponent], deterministic=(True, False), seed=own_seed), (0,))
    found = ratio_interval([row.lost for row in tally.rows], [row.plies for row in tally.rows], most=2.0)
    return {
        "plies": sum(row.plies for row in tally.rows),
        "mistakes": sum(row.mistakes for row in tally.rows),
        "unsolved": sum(sum(row.unsolved.values()) for row in tally.rows),
        "loss": None if found is None else [found.value, found.low, found.high],
    }


# ---------------------------------------------------------------- time and memory of the process


class Clock:
    """Processor time of a training. notes: what is known of it, of which "seconds" go on."""

    def __init__(self, notes: dict[str, Any]) -> None:
        self.notes, self.mark = notes, 0.0

    def start(self) -> None:
        """From here on time counts."""
        self.mark = time.process_time()

    def stop(self) -> None:
        """Up to here."""
        self.notes["seconds"] += time.process_time() - self.mark

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """What is done within does not count."""
        self.stop()
        yield
        self.start()


STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def reset_peak() -> None:
    """Begins to watch the process's memory anew, where the system can."""
    try:
        CLEAR.write_text("5")
    except OSError:
        return


def peak_memory() -> int | None:
    """Bytes that the process has had at most since `reset_peak`; None where the system does not tell."""
    try:
        lines = STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)
