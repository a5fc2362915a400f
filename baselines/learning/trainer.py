"""Training: episodes, checkpoints, and the agent that plays while it goes on, whatever it is that learns.

The same settings give the same agent, in one run or in several, however often it was interrupted. Learning is done by one
thread: what is learnt from an episode decides how the next is played. Several seeds are trained at once in processes of their
own.

A kind of learner is a subclass of `Trainer`: `tabular.trainer.TableTrainer`, `td.trainer.NetworkTrainer`.
"""

import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles, Pieces, as_pieces
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import read_own_header
from boardgym.baselines.learning.config import Phase, TrainingConfig, settings_of
from boardgym.baselines.learning.python_opponent import PythonOpponent
from boardgym.baselines.learning.run_folders import AGENT, CURVE, Run
from boardgym.baselines.learning.runs import TableFullError, Training, results_rows, write_table
from boardgym.baselines.players.simple import Random
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.core import rows as rw
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import Setup, get_game, read_options
from boardgym.core.policy import CompiledPolicy, token_of
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream

PLAY_STREAM, OPPONENT_STREAM, PILOT_STREAM = range(3)  # the paths of the streams under a training's seed

FIRST_TURNS = 64  # of a record
PIECE_S = 0.1  # of a call of the kernel: a signal waits no longer, nor longer than an episode
PIECES = 64  # calls of a training at least, for those who watch it
BLOCK = 1000  # episodes of a point of the curve


A = TypeVar("A", bound=LearntAgent)


class Trainer(Training, Generic[A]):
    """A training: `run` goes on to the end, `agent` plays what has been learnt so far, `save_checkpoint` keeps it.

    Args:
        config: its settings.
        trust: whether the opponent's spec may load files that could execute code.

    Attributes:
        config, game, phases; episode: episodes done, of `total`; agent: a policy that plays what the learner knows at present.
        memory: what is learnt in, a NamedTuple of arrays with the verbs `remember` and `take_back`. files: of checkpoints.
        kind: of training, the word after `boardgym train`.
        quality: percent of the games of a block of BLOCK episodes that the learner has to win or draw for `go_on` to end
            early, after that block; None: it goes on to the end. No setting: with another one the training goes on.

    Raises:
        OptionError, SpecError, UnknownGameError: settings that cannot be had, more memory than the machine has among them.
        UnsupportedGameError: the opponent cannot play the game.
    """

    files: ArrayFiles
    unit = "episodes"
    agent: A
    quality: float | None = None

    def __init__(self, config: TrainingConfig, *, trust: bool = False) -> None:
        self.config = config
        self.game = get_game(config.game, **read_options(config.option or ()))
        self.phases = self._read_phases()
        self.opponent, lineup = self._read_opponent(trust)
        self.setup = self._read_setup()
        self.memory = self._make_memory()
        self.play = self._make_play(lineup)
        self.play.rows.rngs[:] = stream(config.seed, PLAY_STREAM)
        self.facts = self._facts()
        self.agent = self._make_agent()

    # ------------------------------------------------------------ what a kind of learner has to say

    @abstractmethod
    def _read_phases(self) -> list[Phase]:
        """Checks the settings. Raises OptionError, UnsupportedGameError."""

    @abstractmethod
    def _make_memory(self) -> Any:
        """The memory before the first episode."""

    @abstractmethod
    def _key_words(self) -> int:
        """Words that a turn is known by in a record."""

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """What the agent's file says of it."""

    @abstractmethod
    def _make_agent(self) -> A:
        """A policy over the memory as it is, and as it comes to be."""

    @abstractmethod
    def _pieces(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """The memory, as a checkpoint has it."""

    @abstractmethod
    def _read_memory(self, path: Path, arrays: Mapping[str, Pieces], header: Mapping[str, Any]) -> Callable[[], None]:
        """What puts a checkpoint's arrays into the memory, once they are found to fit. Raises SpecError, TableFullError."""

    def _header(self) -> dict[str, Any]:
        """What a checkpoint says beside its settings."""
        return {}

    @abstractmethod
    def _clear_memory(self) -> None:
        """Forgets all that was learnt."""

    @property
    @abstractmethod
    def others_role(self) -> int:
        """The role of the other seats where no policy plays them: LEARNER or OTHER of `episodes`."""

    # ------------------------------------------------------------ how far it has come

    @property
    def episode(self) -> int:
        """Episodes done."""
        return int(self.play.counters[ep.EPISODE])

    @property
    def done(self) -> int:
        """Episodes done."""
        return self.episode

    @property
    def total(self) -> int:
        """Episodes of all phases."""
        return sum(phase.episodes for phase in self.phases)

    @property
    def plies(self) -> int:
        """Plies of all seats so far."""
        return int(self.play.counters[ep.PLIES])

    def results(self) -> NDArray[np.int64]:
        """Wins, draws and losses of the learner's role in every block of BLOCK episodes. int64 (blocks, 3)."""
        blocks = -(-self.episode // BLOCK)
        return self.play.results[:blocks, ep.LEARNER].copy()

    # ------------------------------------------------------------ settings

    def _read_opponent(self, trust: bool) -> tuple[Any, list[int]]:
        """The policy to play against (one that is never asked, if learners do), and the roles from the learner's seat on."""
        config, game = self.config, self.game
        if config.opponent in ("learner", "self"):
            other = self.others_role
            policy: Any = CompiledPolicy(game, Random(), "random", seed=0)
        else:
            other, policy = ep.OPPONENT, make_policy(config.opponent, game, seed=config.seed, trust=trust)
        return policy, [ep.LEARNER, *[other] * (game.num_seats - 1)]

    @property
    def is_asked(self) -> bool:
        """Whether the opponent is a policy in Python, asked ply by ply."""
        return not (isinstance(self.opponent, CompiledPolicy) and not self.opponent.has_clock)

    def _read_setup(self) -> Setup:
        """Where episodes begin. Raises OptionError, NotationError."""
        config, game = self.config, self.game
        if not config.starts:
            return game.setup(config.setup)
        if config.setup != "standard":
            raise OptionError(f"setup={config.setup!r} with starts: expected one of them")
        boards = [Board(game, fen) for fen in config.starts]
        over = [board.fen() for board in boards if board.is_terminal]
        if over:
            raise OptionError(f"starts: the game is over at {over[0]!r}")
        return Setup(tuple(board.position for board in boards))

    def _make_play(self, lineup: list[int]) -> ep.Play:
        """The arrays of a game that has not begun."""
        game, config = self.game, self.config
        rows = rw.make_rows(game.token, 1, has_history=game.repetition_limit > 0)
        rows.positions[0] = game.token.row(game.start)
        if config.seat != "random" and config.seat not in map(str, range(game.num_seats)):
            raise OptionError(f"seat={config.seat!r}: expected 0 to {game.num_seats - 1} or 'random' in {game.id}")
        seat = 0 if config.seat == "random" else int(config.seat)
        usual = np.roll(np.array(lineup, np.int64), seat)
        counters = np.zeros(ep.NUM_COUNTERS, np.int64)
        counters[ep.FIXED] = config.seat != "random"
        results = np.zeros((max(-(-self.total // BLOCK), 1), 3, 3), np.int64)
        records = ln.make_records(game.num_seats, FIRST_TURNS, self._key_words())
        answer, told, begun = np.full(1, -1), np.full(1, -1), np.zeros(ep.BEGUN_ENTRIES + game.num_seats, np.int64)
        return ep.Play(rows, records, usual.copy(), usual, np.zeros(game.num_seats), counters, results, answer, told, begun)

    # ------------------------------------------------------------ going on

    def run(self, *, until: int | None = None, on_piece: Callable[["Trainer[A]"], None] | None = None) -> A:
        """Trains to the end, or to a number of episodes. Returns the agent.

        on_piece: called between episodes: about ten times a second, but after each of them if one takes longer, or if the
            opponent is asked. What it raises ends the run.

        However it ends, by Ctrl-C too, all is between two episodes: what a game under way had changed is taken back, and the
        training can go on from there.

        Raises:
            TableFullError: the table may not grow any more; the agent has what was learnt until then.
            IllegalActionError: of the opponent.
            OptionError: the set-up begins with the end of the game.
        """
        last, piece, most = self.total if until is None else min(until, self.total), 1, max(self.total // PIECES, 1)
        self.take_back()  # what a second Ctrl-C may have left
        try:
            while self.episode < last:
                first, phase = self._phase_at(self.episode)
                goal = self.episode + 1 if self.is_asked else min(last, first + phase.episodes, self.episode + piece)
                started = time.perf_counter()
                self._play_to(goal, first, phase)
                spent = time.perf_counter() - started
                piece = min(max(1, int(piece * min(max(PIECE_S / max(spent, 1e-6), 0.25), 4.0))), most)
                self.facts["episodes"] = self.episode
                if on_piece is not None:
                    on_piece(self)
        finally:
            self.take_back()
        return self.agent

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`; with a `quality`, to the end of the first block of episodes that has it."""
        while self.episode < self.total and not self.has_quality:
            until = self.total if self.quality is None else (self.episode // BLOCK + 1) * BLOCK
            self.run(until=min(until, self.part_end), on_piece=lambda _: watch())

    @property
    def has_quality(self) -> bool:
        """Whether the learner has won or drawn as many games of the last whole block of episodes as it was to."""
        if self.quality is None or self.episode < BLOCK:
            return False
        won, drawn, _ = self.play.results[self.episode // BLOCK - 1, ep.LEARNER]
        return bool(100.0 * (won + drawn) >= self.quality * BLOCK)

    @property
    def ended(self) -> str:
        """As of `Training`."""
        if self.episode < self.total:
            return f"{self.quality:g} % of the last {BLOCK:,} episodes were won or drawn, as intended"
        return super().ended

    def take_back(self) -> None:
        """Makes undone what a game under way has changed, if there is one."""
        if self.play.counters[ep.UNDER_WAY] != 0:
            ep.take_back_kernel(self.memory, self.play)
        self.facts["episodes"] = self.episode

    def _phase_at(self, episode: int) -> tuple[int, Phase]:
        """The phase that an episode belongs to, and the number of its first episode."""
        first = 0
        for phase in self.phases:
            if episode < first + phase.episodes:
                return first, phase
            first += phase.episodes
        raise AssertionError(f"episode {episode} of {first}")

    def _play_to(self, goal: int, first: int, phase: Phase) -> None:
        """Plays episodes up to `goal`, all of one phase: one, if the opponent is asked, which is reset for each."""
        game, config = self.game, self.config
        learner = token_of(type(phase.settings[0]))
        settings = np.array([learner.row(role) for role in phase.settings])
        asked = PythonOpponent(self.opponent, game) if self.is_asked else None
        policy = self.opponent if asked is None else CompiledPolicy(game, Random(), "random", seed=0)
        pays = np.zeros(0) if config.pays_returns else np.array([config.win, config.draw, config.loss], np.float64)
        terms = ep.Terms(
            phase.schedules,
            pays,
            np.array([game.token.row(p) for p in self.setup.positions]),
            np.array(self.setup.random_plies),
            np.array([BLOCK, first, self.most_plies]),
        )
        self.play.counters[ep.UNTIL] = goal
        while True:
            play = self.play
            reason = ep.train_kernel(
                game.token,
                learner,
                settings,
                policy.token,
                policy.row,
                policy.data,
                policy.epsilon,
                self.memory,
                play,
                terms,
                game.max_choices,
                asked is not None,
            )
            if reason == ep.TOLD and asked is not None:
                position = game.token.position(play.rows.positions[0])
                if play.told[0] < 0:
                    asked.begin(position, int(stream(config.seed, OPPONENT_STREAM, self.episode)[0]) >> 1)
                else:
                    asked.tell(int(play.told[0]), position)
            elif reason == ep.ASKED and asked is not None:
                play.answer[0] = asked.act()
            elif reason == ep.SHORT:
                self._make_room()
            elif reason == ep.NO_ROOM:
                raise TableFullError(
                    f"the table is full: {self.size} after {self.episode:,} of {self.total:,} episodes; give it more (memory)"
                )
            elif reason == ep.OVER:
                raise OptionError(f"set-up {config.setup!r}: every draw of its random plies ends the game")
            else:
                if asked is not None:
                    asked.end(int(play.told[0]), game.token.position(play.rows.positions[0]))
                return

    def _make_room(self) -> None:
        """More room for turns and keys of the game that is under way."""
        rows, records = self.play.rows, self.play.records
        turns = records.actions.shape[1]
        if int(records.length.max()) == turns:
            records = ln.with_turns(records, 2 * turns)
        self.play = self.play._replace(rows=rw.with_room(self.game.token, rows, 64), records=records)

    # ------------------------------------------------------------ checkpoints

    def save_checkpoint(self, path: Path) -> None:
        """Writes all that the training needs to go on, whole or not at all. Between episodes. Raises OSError."""
        self.take_back()
        play = self.play
        small = {"rngs": play.rows.rngs, "counters": play.counters, "results": play.results, "by_seat": play.records.entries}
        arrays = {**self._pieces(), **{name: as_pieces(array) for name, array in small.items()}}
        self.files.write(path, arrays, {"training": settings_of(self.config), **self._header()})

    def load_checkpoint(self, path: Path, *, may_differ: Sequence[str] = ("memory",)) -> None:
        """Goes back, or on, to where a training with the same settings wrote its checkpoint.

        may_differ: names of settings that need not be the same; with "episodes" and the like, another training goes on from
        there.

        Raises:
            FileNotFoundError: there is none.
            SpecError: it is no checkpoint, or one of other settings.
            TableFullError: the table may not take as many entries.

        The training is as it was then; if only the last pass over what was learnt failed, as for a file that is changed while
        it is read, it is at its beginning.
        """
        arrays, header = self.files.open(path, {})
        ours, theirs = settings_of(self.config), header.get("training")
        other = theirs if isinstance(theirs, dict) else {}
        names = [name for name in ours if name not in may_differ and ours[name] != other.get(name)]
        if names or set(other) != set(ours):
            changes = ", ".join(f"{name}={other.get(name)!r}, not {ours[name]!r}" for name in names)
            raise SpecError(f"{path}: a training with {changes or 'other settings'}; {advice(path)}")
        play = self.play

        def small(name: str, dtype: type, shape: tuple[int | None, ...]) -> NDArray[Any]:
            found = self.files.array_of(path, arrays, name, dtype, shape)
            return np.concatenate([np.zeros((0, *found.shape[1:]), dtype), *found.parts()])

        rngs, counters = (small("rngs", np.uint64, play.rows.rngs.shape), small("counters", np.int64, play.counters.shape))
        by_seat = small("by_seat", np.int64, play.records.entries.shape)
        results = small("results", np.int64, (None, 3, 3))
        blocks = min(len(results), len(play.results))
        if not 0 <= counters[ep.EPISODE] <= self.total or counters[ep.UNDER_WAY] != 0:
            raise SpecError(f"{path}: {counters[ep.EPISODE]} of {self.total} episodes done; {advice(path)}")
        fill = self._read_memory(path, arrays, header)
        try:
            fill()
        except BaseException:
            self._begin_anew()
            raise
        play.results[:] = 0
        play.rows.rngs[:], play.counters[:], play.results[:blocks] = rngs, counters, results[:blocks]
        play.records.entries[:] = by_seat
        self.facts["episodes"] = self.episode

    def _begin_anew(self) -> None:
        """Forgets all that was learnt."""
        play = self.play
        self._clear_memory()
        play.rows.rngs[:] = stream(self.config.seed, PLAY_STREAM)
        for done in (play.results, play.records.entries, play.records.length):
            done[:] = 0
        play.counters[[ep.EPISODE, ep.PLIES, ep.UNDER_WAY]] = 0
        self.facts["episodes"] = 0

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return Run(self.kind, settings_of(self.config), self.checkpoint, self.written, ("memory",))

    def is_written(self, folder: Path) -> bool:
        """As of `Training`. An agent that was pruned in place has other entries."""
        return self.has_written(folder, read_own_header, plain_data(self.agent.header()))

    def write_results(self, folder: Path) -> None:
        """The curve, then the agent: that it is of this episode says that the others are, see `is_written`."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        self.agent.save(path)

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        names = (self.unit, "won", "drawn", "lost")
        write_table(folder / CURVE, names, results_rows(self.results(), BLOCK, self.episode))

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        return {"plies": self.plies, "block": BLOCK, "results": self.results().tolist(), **self.agent.statistics()}

    def lines(self, folder: Path) -> list[tuple[str, str]]:
        """As of `Training`."""
        results = self.results()
        won, drawn, lost = results[-1] if len(results) else (0, 0, 0)
        return [("last", f"{won} won, {drawn} drawn, {lost} lost of the last block of episodes, by the learner")]


def advice(path: Path) -> str:
    """What to do about a checkpoint that cannot be used."""
    return "train into another folder, or delete it"
