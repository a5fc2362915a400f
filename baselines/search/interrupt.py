"""What the searches share: their reply to the caller, and stopping them by a clock or by Ctrl-C.

A signal does not reach a kernel that runs on the main thread. So a search that can take long runs on a worker thread;
the main thread waits, and sets the flag that the search looks at before every position or simulation.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.cache import inner, kernel
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import (
    Analysis,
    CompiledPolicy,
    Spec,
    check_board,
    choose_or_stray,
    make_scratch,
    read_number,
)

POLL_S = 0.05  # some systems do not wake a waiting main thread for a signal
VALUE, DEPTH, NODES, PROVEN, LINE_LENGTH, NUM_ACTIONS = range(6)  # columns of Reply.report


class Reply(NamedTuple):
    """What a search writes besides its choice, and the flag that ends it. The first item of a search's scratch.

    stop: int64 (1,), set from outside. report: float64 (6,), see the names above. actions, counts: int64, values:
    float64, line: int64: filled in only if they have room (max_legal_actions; any length for the best line).
    """

    stop: NDArray[np.int64]
    report: NDArray[np.float64]
    actions: NDArray[np.int64]
    counts: NDArray[np.int64]
    values: NDArray[np.float64]
    line: NDArray[np.int64]


@inner
def silent_reply():
    """A reply that nobody reads, for searches within other kernels."""
    nothing = np.empty(0, np.int64)
    return Reply(np.zeros(1, np.int64), np.zeros(6, np.float64), nothing, nothing, np.empty(0, np.float64), nothing)


@kernel
def search_kernel(game, row, history, policy, settings, epsilon, rng, max_actions, deterministic, reply):
    """As `act_kernel`, for searches, with a reply from outside. reply: the arrays of `Reply` as a plain tuple."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    own = make_scratch(chooser, position, max_actions)[1]
    scratch = (Reply(reply[0], reply[1], reply[2], reply[3], reply[4], reply[5]), own)
    legal = np.empty(max_actions, np.int64)
    return choose_or_stray(game, chooser, epsilon, position, history, rng, scratch, legal, deterministic)


def run_interruptible(call: Callable[[], Any], stop: NDArray[np.int64], *, seconds: float | None = None) -> Any:
    """What `call` returns, run on a worker thread, which is told to end after `seconds` or when Ctrl-C is pressed.

    stop: int64 (1,); `call` must return soon after it becomes 1.

    Raises:
        KeyboardInterrupt: as pressed, after the worker has ended.
    """
    result: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            result.append(call())
        except BaseException as error:
            failure.append(error)

    worker = threading.Thread(target=work, name="boardgym-search", daemon=True)
    deadline = None if seconds is None else time.monotonic() + seconds
    worker.start()
    try:
        while worker.is_alive():
            left = POLL_S if deadline is None else min(POLL_S, deadline - time.monotonic())
            if left <= 0.0:
                stop[0] = 1
                left = POLL_S
            worker.join(left)
    except BaseException:
        stop[0] = 1
        worker.join()
        raise
    if failure:
        raise failure[0]
    return result[0]


class SearchPolicy(CompiledPolicy):
    """A compiled search as a policy on boards: interruptible, with a time limit if wanted, and able to explain itself.

    Args:
        game: the game, of two seats.
        settings: `Minimax` or `UCT`.
        spec: the spec string that names it.
        seconds: time for each move; None: the settings alone limit it.
        is_short: whether the budget ends within a few hundredths of a second whatever the position.
        seed: for its draws.

    Environments that step natively refuse one that `has_clock`.
    """

    def __init__(
        self,
        game: Game,
        settings: Any,
        spec: str,
        *,
        seconds: float | None = None,
        is_short: bool = False,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, settings, spec, seed=seed)
        self.seconds, self.is_short = seconds, is_short and seconds is None
        self.has_clock = seconds is not None
        self._is_compiled = False

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        if self.has_clock and len(board.legal_actions) == 1:
            return board.legal_actions[0]
        return self._search(board, rng, self.epsilon, deterministic, make_reply(0))

    def analyse(self, board: Board) -> Analysis:
        """What the search finds, without any draw of its own. Raises as `act`."""
        check_board(self, board)
        reply = make_reply(self.game.max_legal_actions)
        started = time.perf_counter()
        action = self._search(board, self.rng.copy(), 0.0, True, reply)
        seconds = time.perf_counter() - started
        report = reply.report
        count, length = int(report[NUM_ACTIONS]), int(report[LINE_LENGTH])
        actions = reply.actions[:count].tolist()
        return Analysis(
            action=action,
            value=float(report[VALUE]),
            principal_variation=tuple(reply.line[:length].tolist()),
            action_values=dict(sorted(zip(actions, reply.values[:count].tolist(), strict=True))),
            visit_counts=dict(sorted(zip(actions, reply.counts[:count].tolist(), strict=True))),
            depth=int(report[DEPTH]),
            nodes=int(report[NODES]),
            seconds=seconds,
            is_proven=bool(report[PROVEN]),
        )

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.analyse(board).value

    def _search(self, board: Board, rng: NDArray[np.uint64], epsilon: float, deterministic: bool, reply: Reply) -> int:
        """Runs the kernel, on a worker thread unless it is short; a clock starts when the kernel has been compiled."""

        def call(reply: Reply = reply, rng: NDArray[np.uint64] = rng) -> int:
            return int(search_kernel(self.game.token, board.row, board.keys, self.token, self.row, epsilon, rng,
                                     self.game.max_legal_actions, deterministic, tuple(reply)))  # fmt: skip

        if self.has_clock and not self._is_compiled:
            aside = make_reply(0)
            aside.stop[0] = 1
            call(aside, rng.copy())
            self._is_compiled = True
        return call() if self.is_short else int(run_interruptible(call, reply.stop, seconds=self.seconds))


def make_reply(room: int) -> Reply:
    """A reply with room for so many actions, and for a line; none if room is 0."""
    words, line = np.zeros(room, np.int64), np.zeros(128 if room else 0, np.int64)
    return Reply(np.zeros(1, np.int64), np.zeros(6), words, words.copy(), np.zeros(room), line)


def require_two_seats(spec: Spec, game: Game) -> None:
    """Raises UnsupportedGameError for a game that is not for two."""
    if game.num_seats != 2:
        raise UnsupportedGameError(f"policy spec {spec.text!r}: {spec.name} plays games of two seats; {game.id} has "
                                   f"num_seats = {game.num_seats}")  # fmt: skip


def read_budget(spec: Spec, what: str, most: int) -> tuple[int | None, float | None, int | None]:
    """The limits of a search's spec: (whole number, seconds, nodes), None where not given.

    what: the meaning of the number. most: its greatest value.

    Raises:
        SpecError: no limit, or one that is not a positive number of its kind.
    """
    example = f"{spec.name}:4 or {spec.name}:0.5s"
    number = seconds = nodes = None
    if not spec.argument:
        raise SpecError(f"policy spec {spec.text!r}: a budget is missing; expected {what} or a time, as in {example}")
    if spec.argument.endswith("s"):
        seconds = read_number(spec.argument[:-1], spec.text, "the time in seconds", above=0.0)
    else:
        number = read_number(spec.argument, spec.text, what, above=0, kind=int)
        if number > most:
            raise SpecError(f"policy spec {spec.text!r}: {what} {number}; expected at most {most}")
    if "time" in spec.keywords:
        text = spec.keywords["time"]
        if seconds is not None:
            raise SpecError(f"policy spec {spec.text!r}: two times, {spec.argument!r} and {text!r}; expected one")
        if not text.endswith("s"):
            raise SpecError(f"policy spec {spec.text!r}: the time {text!r}; expected seconds, as in time=0.5s")
        seconds = read_number(text[:-1], spec.text, "the time in seconds", above=0.0)
    if "nodes" in spec.keywords:
        nodes = read_number(spec.keywords["nodes"], spec.text, "the number of nodes", above=0, kind=int)
    return number, seconds, nodes


def scale_of(game: Game) -> float:
    """What turns the game's returns into values in [-1, 1]."""
    return 1.0 / max(abs(game.min_return), abs(game.max_return))
