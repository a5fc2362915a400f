"""Trainings of tabular learners: what they learn in is a table of values."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.baselines.array_files import ArrayFiles, Pieces
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent_files import AGENTS, check_game, open_agent
from boardgym.baselines.learning.config import Phase, settings_of
from boardgym.baselines.learning.runs import CHECKPOINT_S, TableFullError, Trained, train_into
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import KIND, StoredColumns, TabularAgent, num_words, stored_actions
from boardgym.baselines.learning.tabular.config import TabularConfig, check_settings, learners_of, phases_of
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.td import TD
from boardgym.baselines.learning.trainer import PILOT_STREAM, Trainer, advice
from boardgym.baselines.memory import check_memory, in_words, machine_memory
from boardgym.baselines.typed_json import plain_data
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.random import draw, stream

CHECKPOINTS = ArrayFiles("boardgym tabular training", 1, "a checkpoint", SpecError, advice)
PILOT_GAMES = 20


class TableTrainer(Trainer[TabularAgent]):
    """A training of a tabular learner; see `Trainer`.

    Args:
        config: its settings.
        trust: whether the opponent's spec may load files that could execute code.
        quality: as of `Trainer`.
        start_from: the file of an agent whose table to start from; empty: an empty table.

    Attributes:
        table: the values. agent: a policy whose table it is.

    Raises:
        OptionError, SpecError, UnknownGameError: settings that cannot be had, more memory than the machine has among them.
        UnsupportedGameError: the opponent cannot play the game, or the table to start from is of another one.
    """

    config: TabularConfig
    files = CHECKPOINTS
    kind = KIND

    def __init__(
        self, config: TabularConfig, *, trust: bool = False, quality: float | None = None, start_from: str = ""
    ) -> None:
        if quality is not None and not 0.0 <= quality <= 100.0:
            raise OptionError(f"quality={quality}: expected percent, 0 to 100")
        super().__init__(config, trust=trust)
        self.quality, self.start_from = quality, start_from
        if start_from:
            self.facts["start_from"] = start_from
            self._clear_memory()

    @property
    def table(self) -> tb.Table:
        """What it learns in."""
        table: tb.Table = self.memory
        return table

    @property
    def name(self) -> str:
        """The method."""
        return self.config.method

    @property
    def size(self) -> str:
        """Bytes and entries of the table."""
        return f"{in_words(tb.bytes_in_use(self.table))}, {int(self.table.used.sum()):,} entries"

    @property
    def others_role(self) -> int:
        """With itself, all learn by the same settings; another learner has its own."""
        return ep.OTHER if self.config.opponent == "learner" else ep.LEARNER

    def entries_by_seat(self) -> list[int]:
        """How many entries of the table each seat has made."""
        return [int(count) for count in self.play.records.entries[:, 0]]

    def _read_phases(self) -> list[Phase]:
        check_settings(self.config, self.game)
        self.words = num_words(self.game)
        return phases_of(self.config)

    def _key_words(self) -> int:
        return self.words

    def _make_memory(self) -> tb.Table:
        max_bytes = self._max_bytes()
        try:
            return tb.make_table(self.words, max_bytes)
        except (MemoryError, ValueError, OverflowError):  # beyond what addresses reach, too
            raise OptionError(
                f"the table and its room to grow need {in_words(max_bytes)} of memory, more than can be had; "
                "say how many GiB it may take (memory), fewer than that"
            ) from None

    def _max_bytes(self) -> int:
        """Bytes that the table may take. Raises OptionError if it may need more than there are, and nobody said how many."""
        config, machine = self.config, machine_memory()
        if config.memory is not None:
            if not 0.0 < config.memory < math.inf:
                raise OptionError(f"memory={config.memory}: expected a number of GiB above 0")
            check_memory(int(config.memory * 2**30), "the table and its room to grow", "memory")
            return int(config.memory * 2**30)
        room = 2**32 if machine is None else machine * 3 // 4
        each = self.game.max_legal_actions if config.method == "menace" else 1  # entries of a turn
        most = int(self.total * self._turns() * each * tb.entry_bytes(self.words) * 1.5) + tb.LEAST_BYTES * 64
        if most > room:
            raise OptionError(
                f"{self.total:,} episodes of {self.game.id} may meet so much that is new that the table takes {in_words(most)} "
                f"and three quarters of the memory are {in_words(room)}; train for fewer episodes, or say how many GiB it may "
                "take (memory): it then goes on until they are full"
            )
        return min(room, 4 * most)  # games may grow longer than random ones

    def _turns(self) -> float:
        """Learners' turns of a game, on average over a few random ones."""
        counted = 0
        learners = self.game.num_seats if self.config.opponent in ("learner", "self") else 1
        rng = stream(self.config.seed, PILOT_STREAM)
        for _ in range(PILOT_GAMES):
            board = Board(self.game, setup=self.config.setup, seed=int(rng[0]) >> 1)
            if self.config.starts:
                board.set_position(self.setup.positions[draw(rng, len(self.setup.positions))], check=False)
            while not board.is_terminal:
                legal = board.legal_actions
                board.push(legal[draw(rng, len(legal))])
                counted += 1
        return counted / PILOT_GAMES * learners / self.game.num_seats + 1.0

    def _facts(self) -> dict[str, Any]:
        """What the agent's file says of it."""
        config, settings = self.config, self.phases[0].settings[0] if self.phases else learners_of(self.config, sweeps=False)[0]
        pays = None if config.pays_returns or config.method == "menace" else [config.win, config.draw, config.loss]
        return {
            "method": config.method,
            "values": "positions" if isinstance(settings, TD) else "pairs",
            "default": settings.default,
            "way": ln.PROPORTIONAL if isinstance(settings, Menace) else ln.EPSILON,
            "uses_symmetry": int(settings.uses_symmetry),
            "pays": pays,
            "training": settings_of(config),
        }

    def _make_agent(self) -> TabularAgent:
        self.legal = stored_actions(self.game, self.facts)
        return TabularAgent(self.game, self.table, self.facts, seed=self.config.seed, spec=self.config.method)

    def _pieces(self) -> Mapping[str, Pieces]:
        return tb.pieces_of(self.table, in_order=False)

    def _read_memory(self, path: Path, arrays: Mapping[str, Pieces], header: Mapping[str, Any]) -> Callable[[], None]:
        columns = StoredColumns(CHECKPOINTS, path, dict(arrays), self.words, self.legal)
        if not tb.has_room(self.table, columns.counts):
            most = in_words(tb.bytes_at_most(self.table))
            raise TableFullError(f"{path}: {columns.size:,} entries do not fit into {most}; give the table more (memory)")

        def fill() -> None:
            tb.clear(self.table, columns.counts)
            columns.fill(self.table)

        return fill

    def _clear_memory(self) -> None:
        if not self.start_from:
            tb.clear(self.table, np.zeros(tb.SEGMENTS, np.int64))
            return
        path, columns = Path(self.start_from), self._read_start()
        if not tb.has_room(self.table, columns.counts):
            raise TableFullError(f"{path}: {columns.size:,} entries do not fit into the table; give it more (memory)")
        tb.clear(self.table, columns.counts)
        columns.fill(self.table)

    def _read_start(self) -> StoredColumns:
        """The entries of the agent to start from. Raises SpecError, UnsupportedGameError; OptionError if it does not fit."""
        path = Path(self.start_from)
        arrays, header = open_agent(path, KIND)
        check_game(path, header, self.game)
        for name in ("values", "way", "uses_symmetry", "pays"):
            if header.get(name) != plain_data(self.facts[name]):
                raise OptionError(
                    f"start_from={self.start_from!r}: its {name} are {header.get(name)!r}, this training's "
                    f"{self.facts[name]!r}; expected an agent of the same method and rewards"
                )
        return StoredColumns(AGENTS, path, arrays, self.words, self.legal)


def train_tabular(
    config: TabularConfig,
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    trust: bool = False,
    on_piece: Callable[[TableTrainer], None] | None = None,
) -> Trained[TableTrainer]:
    """Trains a table into a folder, or goes on with the training that the folder holds: see `runs.train_into`.

    Args:
        config: the settings.
        out: the folder, made if it is not there.
        checkpoint_s: seconds between checkpoints, 0 or more.
        trust: whether the opponent's spec may load files that could execute code.
        on_piece: called with the training now and then, between episodes; what it raises ends the training.

    Returns:
        How the training ended; `training.agent` plays what it has learnt, and `player` is the spec of its file.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: as `TableTrainer`; SpecError also if the folder holds
            a checkpoint of other settings, or damaged files; OptionError also if another run has the folder, no game can
            begin, or checkpoint_s is no number of seconds.
        OSError: the folder cannot be written.
        IllegalActionError: of the opponent; and whatever else it raises.

    Example:
        >>> import tempfile, boardgym
        >>> from boardgym.baselines.learning.tabular.config import TabularConfig
        >>> from boardgym.baselines.learning.tabular.trainer import train_tabular
        >>> config = TabularConfig(game="TicTacToe-v0", method="td", opponent="random", greedy_episodes=0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trained = train_tabular(config, folder)
        ...     print(trained.message, sorted(path.name for path in trained.folder.iterdir()))
        all episodes are done ['agent.safetensors', 'checkpoint.safetensors', 'config.json', 'curve.csv']
        >>> board = boardgym.Board.from_fen("xx1/oo1/3 x", "TicTacToe-v0")
        >>> board.move_text(trained.training.agent.act(board, deterministic=True))
        'c3'
    """
    return train_into(TableTrainer(config, trust=trust), out, checkpoint_s=checkpoint_s, on_piece=on_piece)
