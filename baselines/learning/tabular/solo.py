"""The tabular learners on one-player problems: any Gymnasium environment whose observations and actions are numbers.

The learners are those of games, and so are their update rules: a state is a position that knows its number alone, all actions
are legal in it, and an episode is one seat's record, in which nobody moves between two turns. What an episode paid in all says
whether it counts as won or lost to those who ask (the pessimistic sweep, MENACE).

An episode that is cut off (truncated) has no end to learn from: its last step is learnt as any other, from the state it led
to, and `finish` is not called.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.episodes import rate_at, result_of
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.q_learning import MinimaxQ, QLearning
from boardgym.baselines.learning.tabular.td import TD
from boardgym.baselines.memory import check_memory
from boardgym.compile import kernel, plain
from boardgym.core import verbs
from boardgym.core.errors import OptionError
from boardgym.core.random import fresh_seed, stream, uniform

FIRST_TURNS = 256  # of a record
RATES = ("step_size", "discount", "exploration", "trace_decay")  # in the order of `learning`
IDLE = {QLearning: RATES[3:], MinimaxQ: RATES[3:], Menace: RATES}  # what a learner does not heed
SPREAD = 4  # times the mean of a segment's entries that it has room for, and so many states besides


class State(NamedTuple):
    """A position that is a number."""

    number: int


class Episodes(NamedTuple):
    """How episodes went. returns: float64 (n,), the sum of rewards, not discounted. lengths: int64 (n,), steps."""

    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]


# ---------------------------------------------------------------- kernels, each a verb


@kernel
def turn_kernel(
    learner: Any, settings: Any, table: tb.Table, record: ln.Record, number: int, num_actions: int, rng: NDArray[np.uint64]
) -> int:
    """A learner's turn in a state: learns from the one before. Returns the action, or table.NO_ROOM."""
    table, record, chooser = verbs.borrow(table), verbs.borrow(record), verbs.unpack(learner, settings)
    own = ln.make_choices(num_actions, 1)
    choices = verbs.borrow(own)
    for k in range(num_actions):
        choices.legal[k] = k
    k, _, code = ln.take_turn(chooser, State(number), table, record, choices, num_actions, rng)
    verbs.keep(own)
    return k if code == 0 else code


@kernel
def visit_kernel(learner: Any, settings: Any, table: tb.Table, record: ln.Record, number: int) -> int:
    """A turn of one who values states and does not choose: learns from the one before. Returns 0, or table.NO_ROOM."""
    table, record, chooser, t = verbs.borrow(table), verbs.borrow(record), verbs.unpack(learner, settings), record.length[0]
    record.keys[t, 0], record.actions[t], record.rewards[t], record.traces[t] = number, tb.VALUE_OF_POSITION, 0.0, 0.0
    slot = tb.find(table, record.keys[t], tb.VALUE_OF_POSITION)
    record.values[t, ln.CHOSEN] = chooser.default if slot == tb.ABSENT else np.float64(table.values[slot])
    record.length[0] = t + 1
    return ln.learn(chooser, table, record, t - 1) if t > 0 else 0


@kernel
def learn_kernel(learner: Any, settings: Any, table: tb.Table, record: ln.Record, t: int) -> int:
    """The verb `learn` of turn t of a record. Returns 0, or table.NO_ROOM."""
    return ln.learn(verbs.unpack(learner, settings), verbs.borrow(table), verbs.borrow(record), t)


@kernel
def finish_kernel(learner: Any, settings: Any, table: tb.Table, record: ln.Record, result: int) -> int:
    """The verb `finish` of a record. result: WIN, DRAW or LOSS. Returns 0, or table.NO_ROOM."""
    return ln.finish(verbs.unpack(learner, settings), verbs.borrow(table), verbs.borrow(record), result)


@kernel
def read_kernel(table: tb.Table, first_action: int, values: NDArray[np.float64]) -> None:
    """Fills values, float64 (states, actions), with the entries that there are: of the actions from `first_action` on."""
    words = np.empty(1, np.int64)
    for number in range(values.shape[0]):
        words[0] = number
        for k in range(values.shape[1]):
            slot = tb.find(table, words, first_action + k)
            if slot != tb.ABSENT:
                values[number, k] = np.float64(table.values[slot])


# ---------------------------------------------------------------- the learners


def read_space(env: Any, name: str) -> tuple[int, int]:
    """Size and first number of a Discrete space. Raises OptionError for another space."""
    space = getattr(env, name)
    if not hasattr(space, "n") or not hasattr(space, "start"):
        raise OptionError(f"{name} is {space}: expected a Discrete space, whose values are numbers")
    return int(space.n), int(space.start)


class SoloLearner:
    """A tabular learner on a Gymnasium environment with Discrete observations and actions.

    Rates are numbers, or schedules over the episodes of a call of `run` as text (see `schedules.read_schedule`):
    "linear(0.3, 0.01)".

    Args:
        env: the environment. Nothing but the episodes' own ends, or a time limit on it, ends an episode.
        learner: settings of the method: QLearning, Sarsa, Menace ... Not TD, which values afterstates, of which environments
            do not tell; see `SoloPredictor`.
        step_size, discount, trace_decay: rates from 0 to 1. Those that the learner does not heed are refused: trace_decay of
            QLearning, all of Menace.
        exploration: the rate of the learner's way to explore: of BOLTZMANN the temperature, else from 0 to 1.
        seed: for its draws, and for the first reset of the environment. None: a fresh one.

    Attributes:
        table: its entries. episodes: how many there have been.

    Raises: OptionError, naming what is wrong.
    """

    def __init__(
        self,
        env: Any,
        learner: Any = QLearning(),  # noqa: B008  (a tuple)
        *,
        step_size: float | str = 0.1,
        discount: float | str = 0.9,
        exploration: float | str = 0.1,
        trace_decay: float | str = 0.0,
        seed: int | None = None,
    ) -> None:
        if isinstance(learner, TD) and type(self) is SoloLearner:
            raise OptionError(
                "TD values the position after an action, which an environment does not tell; use QLearning or "
                "Sarsa to act, SoloPredictor to value the states of a given policy"
            )
        self.env, self.learner = env, learner
        self.num_states, self._first_state = read_space(env, "observation_space")
        self.num_actions, self._first_action = read_space(env, "action_space")
        self._texts = (step_size, discount, exploration, trace_decay)  # in the order of the rates
        self._check_idle()
        self._read_rates(1)
        self.seed = fresh_seed() if seed is None else seed
        self.episodes = 0
        self._rng = stream(self.seed)
        self._token = verbs.Token(type(learner))
        self._settings = self._token.row(learner)
        self.table = self._make_table()
        self._records = ln.make_records(1, FIRST_TURNS, 1)
        self._record = plain(ln.record_of)(self._records, 0)

    def _check_idle(self) -> None:
        """Raises OptionError for rates that the learner would not heed: who gives one expects it to do something."""
        usual, kind = SoloLearner.__init__.__kwdefaults__ or {}, type(self.learner)
        for name, text in zip(RATES, self._texts, strict=True):
            if name in IDLE.get(kind, ()) and text != usual[name]:
                raise OptionError(f"{name}={text!r}: {name} says nothing to {kind.__name__}; leave it out")

    def _read_rates(self, episodes: int) -> NDArray[np.float64]:
        """Schedules of the rates, float64 (NUM_RATES, 4). Raises OptionError."""
        is_temperature = self.learner.way == ln.BOLTZMANN
        return np.array(
            [
                read_schedule(
                    name, text, low=0.0, high=np.inf if name == "exploration" and is_temperature else 1.0, episodes=episodes
                )
                for name, text in zip(RATES, self._texts, strict=True)
            ]
        )

    def _make_table(self) -> tb.Table:
        """A table with room for all pairs, unevenly as hashes may spread them over its segments. Raises OptionError."""
        pairs = self.num_states * self.num_actions
        room = min(pairs, SPREAD * (pairs // tb.SEGMENTS + 4 * self.num_actions)) * tb.FULL[1] // tb.FULL[0] + tb.FIRST_SLOTS
        what = f"the values of {self.num_states:,} states and {self.num_actions:,} actions"
        check_memory(pairs * tb.entry_bytes(1) * tb.FULL[1] // tb.FULL[0], what, "their number")
        try:
            return tb.make_table(1, room * (tb.SEGMENTS + 1) * tb.entry_bytes(1))
        except (MemoryError, ValueError, OverflowError):  # beyond what addresses reach, too
            raise OptionError(f"{what} need more memory than can be had; lower their number") from None

    def _make_room(self) -> None:
        """Gives the record twice the turns."""
        self._records = ln.with_turns(self._records, 2 * len(self._record.actions))
        self._record = plain(ln.record_of)(self._records, 0)

    def run(self, episodes: int) -> Episodes:
        """Plays so many episodes and learns from them. Can be called again, to go on.

        Raises: OptionError for a number below 0, or a schedule that does not fit it.
        """
        if episodes < 0:
            raise OptionError(f"episodes={episodes!r}: expected 0 or more")
        schedules = self._read_rates(episodes)
        done = Episodes(np.zeros(episodes), np.zeros(episodes, np.int64))
        for i in range(episodes):
            self._record.length[0] = 0
            self._record.rates[: len(schedules)] = [plain(rate_at)(schedule, i) for schedule in schedules]  # risk stays 0
            done.returns[i], done.lengths[i] = self._play()
        return done

    def _play(self) -> tuple[float, int]:
        """An episode. Returns what it paid and its steps."""
        state, _ = self.env.reset(seed=self.seed if self.episodes == 0 else None)
        self.episodes += 1
        total, steps = 0.0, 0
        while True:
            state, reward, terminated, truncated, _ = self.env.step(self._turn(int(state)) + self._first_action)
            self._record.rewards[steps] += reward
            total, steps = total + float(reward), steps + 1
            if terminated:
                self._check(learn_kernel(self._token, self._settings, self.table, self._record, steps - 1))
                result = plain(result_of)(total)
                self._check(finish_kernel(self._token, self._settings, self.table, self._record, result))
                return total, steps
            if truncated:
                self._turn(int(state))  # learns from the step before
                return total, steps

    def _turn(self, state: int) -> int:
        """Learns from the turn before, and chooses an action, counted from 0."""
        if self._record.length[0] == len(self._record.actions):
            self._make_room()
        number = state - self._first_state
        return self._check(
            turn_kernel(self._token, self._settings, self.table, self._record, number, self.num_actions, self._rng)
        )

    @staticmethod
    def _check(code: int) -> int:
        if code < 0:
            raise MemoryError("the table of a one-player problem is full: its states do not spread over its segments")
        return int(code)

    def action_values(self) -> NDArray[np.float64]:
        """What each action is worth, float64 (states, actions); the learner's default where it has not been tried."""
        values = np.full((self.num_states, self.num_actions), float(self.learner.default))
        read_kernel(self.table, 0, values)
        return values

    def policy(self) -> NDArray[np.int64]:
        """The best action of each state, the first of equals, as the environment numbers them: int64 (states,)."""
        return self.action_values().argmax(axis=1) + self._first_action


class SoloPredictor(SoloLearner):
    """TD(0) or TD(lambda) of the values of states under a given policy, with accumulating traces unless told otherwise.

        V(s) <- V(s) + step_size (r + discount V(s') - V(s)) trace(s),   V = 0 after the end

    Args:
        env: as of `SoloLearner`.
        policy: int (states,), an action of each state; or float (states, actions), probabilities; None: uniformly random.
        replaces: replacing traces.
        initial: the value of states that have not been met.
        step_size, discount, trace_decay: rates from 0 to 1, or schedules. A trace_decay (lambda) of 0 is TD(0).
        seed: as of `SoloLearner`.

    Raises: OptionError, naming what is wrong.
    """

    def __init__(
        self,
        env: Any,
        policy: ArrayLike | None = None,
        *,
        replaces: bool = False,
        initial: float = 0.0,
        step_size: float | str = 0.1,
        discount: float | str = 0.9,
        trace_decay: float | str = 0.0,
        seed: int | None = None,
    ) -> None:
        learner = TD(default=initial, replaces=int(replaces))
        super().__init__(
            env, learner, step_size=step_size, discount=discount, exploration=0.0, trace_decay=trace_decay, seed=seed
        )
        self._limits = np.cumsum(self._read_policy(policy), axis=1)

    def _read_policy(self, policy: ArrayLike | None) -> NDArray[np.float64]:
        """Probabilities, float64 (states, actions). Raises OptionError."""
        shape = self.num_states, self.num_actions
        given = np.full(shape, 1.0 / self.num_actions) if policy is None else np.asarray(policy)
        if given.shape == shape[:1] and given.dtype.kind in "iu":
            given = (given[:, None] == np.arange(self.num_actions) + self._first_action).astype(np.float64)
        if given.shape != shape or not (given >= 0).all() or not np.allclose(given.sum(axis=1), 1.0):
            raise OptionError(
                f"policy: expected an action of each of the {self.num_states} states, or probabilities of shape "
                f"{shape} that add up to 1 in each"
            )
        return given

    def _turn(self, state: int) -> int:
        if self._record.length[0] == len(self._record.actions):
            self._make_room()
        number = state - self._first_state
        self._check(visit_kernel(self._token, self._settings, self.table, self._record, number))
        mark = uniform(self._rng)
        return min(int(np.searchsorted(self._limits[number], mark, side="right")), self.num_actions - 1)

    def state_values(self) -> NDArray[np.float64]:
        """The value of each state, float64 (states,); `initial` for those that have not been met."""
        values = np.full((self.num_states, 1), float(self.learner.default))
        read_kernel(self.table, tb.VALUE_OF_POSITION, values)
        return values[:, 0]
