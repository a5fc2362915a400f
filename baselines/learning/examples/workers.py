"""Who plays the games of examples: this process, or several others, which end with it."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.examples.games import PlayedGame, play_example_game
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.networks.feature_maps import GameFeatures, mover_map
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.core.policy import interrupt
from boardgym.core.policy_spec import make_policy

POLL_S = 0.1
Task = tuple[int, NDArray[np.int64] | None]  # number of a game, row of the position where it begins


class WorkerError(BoardgymError, RuntimeError):
    """A process that played games has been ended by somebody else."""


class Pool:
    """Who plays: this process, or others, each with a policy of its own."""

    def __init__(
        self, config: ExamplesConfig, game: Game, policy: Any, features: GameFeatures, processes: int, trust: bool
    ) -> None:
        self.config, self.policy, self.features = config, policy, features
        self.executor: ProcessPoolExecutor | None = None
        self.stop: Any = None
        if processes > 1:
            context = get_context("spawn")
            self.stop = context.RawValue("b", 0)  # no Event: setting one waits for all who wait for it, killed ones among them
            begin = (config, game, trust, self.stop)
            self.executor = ProcessPoolExecutor(processes, mp_context=context, initializer=begin_worker, initargs=begin)

    def play(self, tasks: list[Task]) -> Iterator[PlayedGame]:
        """Plays games; each is given when it has ended. Raises WorkerError, and what the policy raises."""
        if self.executor is None:
            for number, start in tasks:
                yield play_task(self.config, self.policy, self.features, number, start)
            return
        try:
            running: set[Future[PlayedGame]] = {self.executor.submit(play_in_worker, *task) for task in tasks}
            while running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        except BrokenProcessPool:
            raise WorkerError(
                "a process that played games was ended from outside, as the system does when memory runs out; the games that "
                "had ended are kept, and the same command goes on"
            ) from None

    def close(self) -> None:
        """Ends the processes, within the time of a search that is told to stop."""
        if self.executor is not None:
            self.stop.value = 1
            self.executor.shutdown(wait=True, cancel_futures=True)


def play_task(
    config: ExamplesConfig,
    policy: Any,
    features: GameFeatures,
    number: int,
    start: NDArray[np.int64] | None,
    watch: Callable[[], None] = lambda: None,
) -> PlayedGame:
    """A game of a configuration."""
    return play_example_game(policy, features, number, seed=config.seed, start=start, max_plies=config.max_plies, watch=watch)


_WORKER: dict[str, Any] = {}  # what a process plays with


def begin_worker(config: ExamplesConfig, game: Game, trust: bool, stop: Any) -> None:
    """What a process begins with: its policy, and threads that end it with the process that began it, and its searches."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the first tells the others
    policy = make_policy(config.policy, game, seed=0, trust=trust)
    _WORKER.update(config=config, policy=policy, features=mover_map(game, config.features), stop=stop)
    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    threading.Thread(target=_end_searches, args=(policy, stop), daemon=True).start()


def _end_with(parent: Any) -> None:
    connection.wait([parent.sentinel])
    os._exit(1)


def _end_searches(policy: Any, stop: Any) -> None:
    while True:
        time.sleep(POLL_S)
        if stop.value:
            interrupt(policy)  # again and again: one may begin just now


def play_in_worker(number: int, start: NDArray[np.int64] | None) -> PlayedGame:
    """A game, in a process of its own. Raises InterruptedError when it is told to stop."""

    def watch() -> None:
        if _WORKER["stop"].value:
            raise InterruptedError("told to stop")

    game = play_task(_WORKER["config"], _WORKER["policy"], _WORKER["features"], number, start, watch)
    watch()  # what a search had found when it was told to stop is no game
    return game
