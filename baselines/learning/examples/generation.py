"""Example generation into a folder: games in any number of processes, kept as they end, put together at the end.

The folder holds config.json and, until all games are played, files of a block of games each, written when all of it has been
played, and once a minute. A process that is killed loses what came after that, and the same call goes on; Ctrl-C, or a worker
that is killed, loses the games under way alone.
What the games are follows from the seed and their numbers, so that the result depends neither on the number of processes nor on
how often it was cut short.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.examples.columns import (
    ADVICE,
    EXAMPLES,
    FILE,
    Examples,
    check_columns,
    header_of,
    joined,
    kinds_of,
    load_examples,
)
from boardgym.baselines.learning.examples.games import PlayedGame, play_example_game, random_states, refuse_unfit
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.learning.run_folders import Run, claim, hold
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.baselines.networks.feature_maps import GameFeatures, mover_map
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.typed_json import read_data
from boardgym.baselines.workers import Workers
from boardgym.core.errors import SpecError
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.policy_spec import make_policy

BLOCK = 10  # games of a file, until all are played
Ending = Literal["finished", "interrupted"]
Task = tuple[int, NDArray[np.int64] | None]  # number of a game, row of the position where it begins


@dataclass(frozen=True)
class Generated:
    """How a generation ended.

    Attributes:
        folder: of its files. games: that have been played, in all. total: that there are to play. resumed: that were there
            before.
        num_examples, simulations: of the games played.
        ending: "finished", or "interrupted" by Ctrl-C.
    """

    folder: Path
    games: int
    total: int
    resumed: int
    num_examples: int
    simulations: int
    ending: Ending

    @property
    def path(self) -> Path:
        """The file of examples, which is there when all games are played."""
        return self.folder / FILE

    @property
    def is_finished(self) -> bool:
        """Whether all games are played."""
        return self.ending == "finished"

    def load(self) -> Examples:
        """The examples. Raises SpecError before all games are played."""
        return load_examples(self.folder)


def generate_examples(
    config: ExamplesConfig,
    out: str | Path,
    *,
    processes: int = 1,
    executor: str = "processes",
    progress: Progress = False,
    trust: bool = False,
    played: Sequence[PlayedGame] = (),
) -> Generated:
    """Plays games and keeps what the search believes of every child of every root, in `out`/examples.safetensors.

    First the games from the start position, then those from random positions, games_per_state from each; how many random games
    these are taken from follows from the mean length of the first (30 is taken if there are none). The folder's own games are
    not played again.

    Args:
        config: what is played.
        out: the folder, made if it is not there.
        processes: that play at a time; 1: this one plays.
        executor: where they are, as of `Workers`.
        progress: as of `ProgressBar`.
        trust: whether the policy's file may be one that could execute code.
        played: games from the start position that `play_example_game` has played with this config; they are not played again.

    Returns:
        How it ended. After Ctrl-C the same call goes on.

    Raises:
        OptionError: a setting out of range, no such executor; the folder holds examples of other settings, or another process
            works there.
        UnknownGameError: no such game.
        UnsupportedGameError: a game of chance, or not of two seats; a policy whose analysis counts no visits.
        SpecError: no such policy; a file of the folder is damaged.
        WorkerError, RayError: one of the processes was killed, or the cluster gave up; the games that had ended are kept.
        OSError: the folder cannot be written.

    Example:
        >>> import tempfile
        >>> from boardgym.baselines.learning.examples import ExamplesConfig, generate_examples
        >>> policy = "uct:20,solver=0,choice=max_child"
        >>> config = ExamplesConfig(game="TicTacToe", policy=policy, start_games=2, states=2, games_per_state=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     generate_examples(config, folder).load().inputs().shape[1]
        36
    """
    config.check()
    features = features_for(config)
    game = features.game
    begin = partial(game_player, config, game, trust)
    begin()  # refuses what cannot play before anything is written
    workers: Workers[Task, PlayedGame] = Workers(begin, processes, executor)
    folder = Path(out)
    run = run_of(config)
    with hold(folder, run), ProgressBar(label="playing", progress=progress) as bar:
        claim(folder, run)
        if (folder / FILE).exists():
            whole = load_examples(folder, game=game, features=features.text).header
            counts = read_data(whole, WholeHeader, SpecError, f"the counts of examples in {folder / FILE}").counts
            remove_blocks(folder)  # of a process that was killed before it did
            games = counts.games
            return Generated(folder, games, games, games, counts.examples, counts.simulations, "finished")
        kept = Played(folder, features)
        for one in played:
            if one.number not in kept.summaries:
                kept.add(one, is_last=False)
        kept.flush()
        with workers:
            return Generation(config, game, features, kept, workers, bar).run()


def features_for(config: ExamplesConfig) -> GameFeatures:
    """The map of the inputs, for the game that is played. Raises UnknownGameError, UnsupportedGameError, OptionError."""
    return mover_map(get_game(config.game, **read_options(config.option)), config.features)


def run_of(config: ExamplesConfig) -> Run:
    """What run a folder has to hold. Raises UnknownGameError, UnsupportedGameError, OptionError."""
    features = features_for(config)
    names = [block_name(number) for number in range(0, config.num_games, BLOCK)]
    what = {name: value for name, value in header_of(features).items() if name in ("game", "options", "features")}
    settings = {**what, **config.settings()}
    advice = "write into another folder (--out), or delete this one"
    return Run("examples", settings, "", (FILE, *names), advice=advice, adopts=False)


def remove_blocks(folder: Path) -> None:
    """Deletes the files of blocks, when they are put together."""
    for path in blocks_in(folder):
        path.unlink(missing_ok=True)


def blocks_in(folder: Path) -> list[Path]:
    """The files of blocks."""
    return sorted(folder.glob("games-*.safetensors"))


def block_name(number: int) -> str:
    """The file of the block that a game is in."""
    return f"games-{number - number % BLOCK:08d}.safetensors"


class Counts(msgspec.Struct):
    """Of the header of all games, what is told again."""

    games: int
    examples: int
    simulations: int


class WholeHeader(msgspec.Struct):
    """What the file of all games says beside what all files of examples do."""

    counts: Counts


class BlockHeader(msgspec.Struct):
    """What the file of a block says: of each game what `PlayedGame.summary` does, and how many examples it has."""

    games: list[tuple[int, int, int, int, int]]


class Played:
    """The games that a folder holds, and those that have ended since a file was last written.

    summaries: (number, length, simulations, winner, examples) of all. num_examples: of all.
    """

    def __init__(self, folder: Path, features: GameFeatures) -> None:
        self.folder, self.features = folder, features
        self.summaries: dict[int, tuple[int, ...]] = {}
        self.num_examples = 0
        self.blocks: dict[str, list[int]] = {}  # file -> numbers of the games in it
        self.waiting: dict[str, list[PlayedGame]] = {}  # file -> games that it lacks yet
        for path in blocks_in(folder):
            _, header = self._read(path)
            self.blocks[path.name] = [game[0] for game in header.games]
            for game in header.games:
                self._note(game)

    def _note(self, game: tuple[int, ...]) -> None:
        self.summaries[game[0]] = game
        self.num_examples += game[4]

    def _read(self, path: Path) -> tuple[Any, BlockHeader]:
        """Columns and header of a block. Raises SpecError for a file that is damaged, or of other examples."""
        wanted = {name: value for name, value in header_of(self.features).items() if name != "filters"}
        arrays, found = EXAMPLES.read(path, wanted)
        kinds = kinds_of(self.features).items()
        columns = {name: EXAMPLES.array_of(path, arrays, name, kind, shape) for name, (kind, shape) in kinds}
        check_columns(path, columns)
        header = read_data(found, BlockHeader, SpecError, f"the games of a block in {path}; {ADVICE}")
        counts = {game[0]: game[4] for game in header.games}
        numbers, rows = np.unique(columns["game"], return_counts=True)
        if dict(zip(numbers.tolist(), rows.tolist(), strict=True)) != counts or any(block_name(n) != path.name for n in counts):
            raise SpecError(f"{path}: other games than its header says; {ADVICE}")
        return columns, header

    def add(self, game: PlayedGame, is_last: bool) -> None:
        """Keeps a game; its block is written when all of it has been played. is_last: whether that is so."""
        name = block_name(game.number)
        self._note((*game.summary(), len(game.columns["game"])))
        self.waiting.setdefault(name, []).append(game)
        if is_last:
            self._write(name)

    def flush(self) -> None:
        """Writes the blocks that are not whole yet."""
        for name in list(self.waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        games = {game.number: game.columns for game in self.waiting[name]}
        if name in self.blocks:
            columns, _ = self._read(self.folder / name)
            for number in self.blocks[name]:
                games[number] = {key: column[columns["game"] == number] for key, column in columns.items()}
        numbers = sorted(games)
        header = {**header_of(self.features), "games": [list(self.summaries[number]) for number in numbers]}
        EXAMPLES.write(self.folder / name, joined(self.features, [games[number] for number in numbers]), header)
        self.blocks[name] = numbers
        del self.waiting[name]

    def columns(self) -> Any:
        """Those of all games, in the order of their numbers."""
        return joined(self.features, [self._read(self.folder / name)[0] for name in sorted(self.blocks)])


@dataclass
class Generation:
    """The games of a folder that one process holds."""

    config: ExamplesConfig
    game: Game
    features: GameFeatures
    played: Played
    workers: Workers[Task, PlayedGame]
    bar: ProgressBar

    def run(self) -> Generated:
        """Plays what is missing, and puts it together."""
        resumed, total = len(self.played.summaries), self.config.num_games
        ending: Ending = "finished"
        try:
            first = self.config.num_start_games
            self._play([(number, None) for number in range(first)], total)
            lengths = [self.played.summaries[number][1] for number in range(first)]
            mean = sum(lengths) / len(lengths) if lengths else 30.0
            states = random_states(self.game, self.config.num_states, mean, seed=self.config.seed)
            repeats = self.config.games_per_state
            total = first + len(states) * repeats
            starts = [row for row in states for _ in range(repeats)]
            self._play([(first + k, row) for k, row in enumerate(starts)], total)
        except KeyboardInterrupt:
            self.played.flush()
            ending = "interrupted"
        except BaseException:
            self.played.flush()
            raise
        if ending == "finished":
            self._finish(len(states))
        found = self.played.summaries.values()
        simulations = sum(game[2] for game in found)
        return Generated(self.played.folder, len(found), total, resumed, self.played.num_examples, simulations, ending)

    def _play(self, tasks: list[Task], total: int) -> None:
        """Plays those of the games that are not there yet."""
        missing = [task for task in tasks if task[0] not in self.played.summaries]
        left: dict[str, int] = {}
        for number, _ in missing:
            left[block_name(number)] = left.get(block_name(number), 0) + 1
        self._show(total)
        saved = time.monotonic()
        for _, game in self.workers.run(missing):
            name = block_name(game.number)
            left[name] -= 1
            self.played.add(game, left[name] == 0)
            if time.monotonic() - saved >= CHECKPOINT_S:
                self.played.flush()
                saved = time.monotonic()
            self._show(total)

    def _show(self, total: int) -> None:
        self.bar.show(len(self.played.summaries), total=total, note=f"{self.played.num_examples:,} examples")

    def _finish(self, num_states: int) -> None:
        """Writes the file of all games, then deletes those of the blocks."""
        found = [self.played.summaries[number] for number in sorted(self.played.summaries)]
        winners = [game[3] for game in found]
        counts = {
            "games": len(found),
            "states": num_states,
            "decisions": sum(game[1] for game in found),
            "examples": self.played.num_examples,
            "simulations": sum(game[2] for game in found),
            "won_by_seat": [winners.count(0), winners.count(1)],
            "drawn": winners.count(-1),
        }
        header = {**header_of(self.features), "settings": self.config.settings(), "counts": counts}
        Examples(self.features, header, self.played.columns()).save(self.played.folder / FILE)
        remove_blocks(self.played.folder)


def game_player(config: ExamplesConfig, game: Game, trust: bool) -> Callable[[Task], PlayedGame]:
    """What a process plays with: a policy of its own. Raises as `make_policy`, `refuse_unfit`."""
    policy = make_policy(config.policy, game, seed=0, trust=trust)
    refuse_unfit(policy, config.policy)
    features = mover_map(game, config.features)

    def play(task: Task) -> PlayedGame:
        number, start = task
        return play_example_game(policy, features, number, seed=config.seed, start=start, max_plies=config.max_plies)

    return play
