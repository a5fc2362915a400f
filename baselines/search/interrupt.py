"""Searches as policies on boards, which a clock or Ctrl-C stops.

A signal does not reach a kernel that runs on the main thread. So a search that can take long runs on a worker thread;
the main thread waits, and sets the flag that the search looks at before every position or simulation.
"""

import _thread
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import Reply, make_reply
from boardgym.compile import WorkClock, entry_point, kernel
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, CompiledPolicy, check_board, check_stream, choose, make_scratch
from boardgym.core.random import draw, uniform

POLL_S = 0.05  # some systems do not wake a waiting main thread for a signal


@kernel
def search_kernel(
    game: Any,
    row: NDArray[np.int64],
    history: NDArray[np.int64],
    policy: Any,
    settings: Any,
    data: Any,
    rng: NDArray[np.uint64],
    max_actions: int,
    deterministic: bool,
    reply: tuple[NDArray[Any], ...],
) -> int:
    """As `act_kernel`, for searches, with a reply from outside, the arrays of `Reply` as a plain tuple; it never strays."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    own = make_scratch(chooser, position, max_actions, data)[1]
    answer = Reply(reply[0], reply[1], reply[2], reply[3], reply[4], reply[5])
    scratch = verbs.borrow((answer, own))
    action = choose(chooser, position, verbs.borrow(history), rng, scratch, deterministic)
    verbs.keep(own)
    return action


def run_interruptible(call: Callable[[], Any], stop: NDArray[np.int64], *, seconds: float | None = None) -> Any:
    """What `call` returns, run on a worker thread, which is told to end after `seconds` or when Ctrl-C is pressed.

    stop: int64 (1,); `call` must return soon after it becomes 1.

    Raises:
        KeyboardInterrupt: as pressed, after the worker has ended.
    """
    result: list[Any] = []
    failure: list[BaseException] = []
    # A lock and flags, not `Thread` and `Event`: those are written in Python, where Ctrl-C can come between lock and release.
    begun = is_left = ended = False
    end = threading.Lock()  # released when `ended`
    end.acquire()

    def work() -> None:
        nonlocal begun, ended
        begun = True
        try:
            if not is_left:
                result.append(call())
        except BaseException as error:
            failure.append(error)
        finally:
            ended = True
            end.release()

    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        _thread.start_new_thread(work, ())
        while not ended:
            end.acquire(timeout=POLL_S if deadline is None else max(0.0, min(POLL_S, deadline - time.monotonic())))
            if deadline is not None and time.monotonic() >= deadline:
                stop[0], deadline = 1, None
    except BaseException:
        stop[0] = 1
        is_left = True  # a thread that begins only now, since Ctrl-C came while it was started, does nothing
        while begun and not ended:  # another Ctrl-C, too, waits for the worker, which would go on in what the next search uses
            with contextlib.suppress(KeyboardInterrupt):
                end.acquire()
        raise
    if failure:
        raise failure[0]
    return result[0]


class Searching:
    """What searches share that answer on boards with a reply; they define `_search`, and have a stream and a flag `_stop`."""

    game: Game
    rng: NDArray[np.uint64]
    _stop: NDArray[np.int64]

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        check_stream(rng)
        return self._search(board, rng, deterministic, make_reply(0))

    def analyse(self, board: Board) -> Analysis:
        """What the search finds, without any draw of its own. Raises as `act`."""
        return self._analyse(board, self.rng.copy(), True)

    def analyse_with(self, board: Board, rng: NDArray[np.uint64]) -> Analysis:
        """As `analyse`, with draws from a stream, as `act_with` has them: the action is what that would play."""
        check_stream(rng)
        return self._analyse(board, rng, False)

    def _analyse(self, board: Board, rng: NDArray[np.uint64], deterministic: bool) -> Analysis:
        check_board(self, board)
        reply = make_reply(self.game.max_choices)
        work = WorkClock()
        action = self._search(board, rng, deterministic, reply)
        return read_reply(reply, action, work.working_seconds)

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.analyse(board).value

    def interrupt(self) -> None:
        """Ends the search that runs, from another thread: it answers with what it has found. Nothing if none runs yet."""
        self._stop[0] = 1

    def _search(self, board: Board, rng: NDArray[np.uint64], deterministic: bool, reply: Reply) -> int:
        """The choice, with draws from a stream. The reply is filled in, as far as it has room."""
        raise NotImplementedError(f"{type(self).__name__} has to define _search()")


class SearchPolicy(Searching, CompiledPolicy):
    """A compiled search as a policy on boards: interruptible, with a time limit if wanted, and able to explain itself.

    Args:
        game: the game, of two seats.
        settings: `Minimax` or `UCT`.
        spec: the spec string that names it.
        seconds: time for each move; None: the settings alone limit it.
        is_short: whether the budget ends within 0.1 s whatever the position.
        seed: for its draws.
        evaluation: what takes the place of the game's heuristic, an `evaluations.Evaluation`, of searches that have a slot.

    Environments that step natively refuse one that `has_clock`.
    """

    is_for_cards = False

    def __init__(
        self,
        game: Game,
        settings: Any,
        spec: str,
        *,
        seconds: float | None = None,
        is_short: bool = False,
        seed: int | None = None,
        evaluation: Any = None,
    ) -> None:
        super().__init__(game, settings, spec, data=() if evaluation is None else evaluation.data, seed=seed)
        self.evaluation = evaluation
        self.seconds, self.is_short = seconds, is_short and seconds is None
        self.has_clock = seconds is not None
        self._stop = np.zeros(1, np.int64)

    def __reduce__(self) -> Any:
        rest = {"seconds": self.seconds, "is_short": self.is_short, "evaluation": self.evaluation}
        return _restore, (type(self), self.game, self.settings, self.spec, rest, self.epsilon, self.rng)

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        if self.epsilon > 0.0 and uniform(rng) < self.epsilon:
            legal = board.legal_actions
            return legal[draw(rng, len(legal))]
        return super().act_with(board, rng, deterministic=deterministic)

    def _search(self, board: Board, rng: NDArray[np.uint64], deterministic: bool, reply: Reply) -> int:
        """Runs the kernel, on a worker thread unless it is short; a clock starts when the kernel has been compiled.

        Raises MemoryError, in words, where there is no room for what the search remembers.
        """
        state = self._state_of(board)
        if self._entry_is_for is not self.data:
            self._entry = entry_point(search_kernel, *state, rng, 0, False, tuple(reply))
            self._entry_is_for = self.data

        def call() -> int:
            return int(self._entry(*state, rng, self.game.max_choices, deterministic, tuple(reply)))

        self._stop = reply.stop
        with memory_in_words(self.spec, self.game):
            return call() if self.is_short else int(run_interruptible(call, reply.stop, seconds=self.seconds))


@contextlib.contextmanager
def memory_in_words(spec: str, game: Game) -> Iterator[None]:
    """Lets a MemoryError say what to lower."""
    try:
        yield
    except MemoryError:
        raise MemoryError(
            f"{spec} for {game.id}: what it remembers needs more memory than there is; expected a smaller "
            f"nodes= or memory=, or of minimax a smaller table_bits="
        ) from None


def read_reply(reply: Reply, action: int, seconds: float) -> Analysis:
    """A reply that had room, as an analysis. action: the choice; seconds: that it took."""
    report = reply.report
    count, length = int(report[reply_at.NUM_ACTIONS]), int(report[reply_at.LINE_LENGTH])
    actions = reply.actions[:count].tolist()
    return Analysis(
        action=action,
        value=float(report[reply_at.VALUE]) + 0.0,  # nobody is to see a zero with a minus sign
        principal_variation=tuple(reply.line[:length].tolist()),
        action_values=dict(sorted(zip(actions, (reply.values[:count] + 0.0).tolist(), strict=True))),
        visit_counts=dict(sorted(zip(actions, reply.counts[:count].tolist(), strict=True))),
        depth=int(report[reply_at.DEPTH]),
        nodes=int(report[reply_at.NODES]),
        cutoffs=int(report[reply_at.CUTOFFS]),
        table_hits=int(report[reply_at.TABLE_HITS]),
        seconds=seconds,
        is_proven=bool(report[reply_at.PROVEN]),
    )


def _restore(
    kind: type[SearchPolicy],
    game: Game,
    settings: Any,
    spec: str,
    rest: dict[str, Any],
    epsilon: float,
    rng: NDArray[np.uint64],
) -> SearchPolicy:
    """A search from its copy or pickle; its stream goes on where it was."""
    policy = kind(game, settings, spec, **rest, seed=0)
    policy.epsilon, policy.rng = epsilon, rng.copy()
    return policy
