"""A training that goes on in a thread while somebody plays against its agent."""

import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from boardgym.baselines.learning import runs
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained
from boardgym.baselines.learning.trainer import Trainer
from boardgym.core.board import Board


class Background:
    """A training that goes on in a thread while its agent plays: a context that ends the training.

    Args:
        trainer, out, checkpoint_s, snapshots: as `train_into`.

    Attributes:
        policy: the agent as it is at the moment of each move.
    """

    def __init__(
        self, trainer: Trainer[Any], out: str | Path, *, checkpoint_s: float = CHECKPOINT_S, snapshots: int = 0
    ) -> None:
        self.trainer = trainer
        self.result: Trained[Any] | None = None
        self.error: BaseException | None = None
        self._lock, self._stop, self._begun = threading.Lock(), threading.Event(), threading.Event()
        self._lock.acquire()

        def work() -> None:
            try:
                self.result = runs.train_into(
                    trainer, out, checkpoint_s=checkpoint_s, snapshots=snapshots, on_piece=self._give_way
                )
            except BaseException as error:
                self.error = error
            finally:
                self._begun.set()
                self._lock.release()

        self._thread = threading.Thread(target=work, name="boardgym training", daemon=True)
        try:
            self._thread.start()
            self._begun.wait()
        except BaseException:  # Ctrl-C, while the kernels are compiled: what has begun is ended and kept
            self._stop.set()
            self._thread.join()
            raise
        if self.error is not None:
            raise self.error
        self.policy = _Learning(self)

    def _give_way(self, trainer: Trainer[Any]) -> None:
        """Between two pieces: lets the agent be asked."""
        self._begun.set()
        if self._stop.is_set():
            raise KeyboardInterrupt
        self._lock.release()
        time.sleep(0.001)
        self._lock.acquire()

    def ask(self, board: Board, *, deterministic: bool) -> int:
        """The agent's action, between two pieces of the training."""
        with self._lock:
            action: int = self.trainer.agent.act(board, deterministic=deterministic)
            return action

    def __enter__(self) -> "Background":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()


class _Learning:
    """The agent of a training in the background as a policy."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self.game = background.trainer.game

    @property
    def spec(self) -> str:
        """What it is called: with how far the training has come."""
        trainer = self.background.trainer
        return f"{trainer.name} after {trainer.episode:,} episodes"

    def reset(self, *, seed: int | None = None) -> None:
        """Nothing: its draws go on."""

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The agent's action at present."""
        return self.background.ask(board, deterministic=deterministic)
