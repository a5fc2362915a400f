"""The games of a match by number: which policies, which opening and which seeds each has, played here or by several processes.

All draws come from the match's seed by the number of the game and the seat, so a match is the same in every process, and with
any number of them.
"""

import contextlib
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from typing import Any

from boardgym.baselines.arena.game import as_policy, asked_best, make_ready, names_within, play_game, policy_name
from boardgym.baselines.arena.game_log import GameLog, GameQuestion
from boardgym.baselines.arena.openings import Openings, make_openings
from boardgym.baselines.arena.record import GameRecord
from boardgym.baselines.workers import Workers
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.random import stream

GAME_STREAM, DICE_STREAM = 1, 2  # the paths of the games' and the dice's seeds under a match's seed; `openings` uses 0
TASK_S = 0.2  # that the games take which a process is sent at a time: its messages cost a hundredth of that or less


@dataclass(frozen=True)
class Pairing:
    """What decides about the games of a match, as `play_match` has it; other processes are sent it."""

    a: Any
    b: Any
    game: Game
    games: int
    openings: Openings
    seat: int | None
    seed: int
    deterministic: tuple[bool, bool]
    trust: bool
    max_plies: int | None

    @property
    def numbers(self) -> range:
        """Of its games; with a seat they are those of the match of pairs."""
        return range(self.games) if self.seat is None else range(self.seat, 2 * self.games, 2)


class Players:
    """The policies and openings of a match. Plays any of its games, in any order.

    Raises what `as_policy`, `make_ready` and `make_openings` raise.
    """

    def __init__(self, pairing: Pairing) -> None:
        game, seed, trust = pairing.game, pairing.seed, pairing.trust
        self.pairing = pairing
        self.policies = tuple(as_policy(agent, game, seed=seed, trust=trust) for agent in (pairing.a, pairing.b))
        make_ready(*self.policies)
        count = pairing.games // 2 if pairing.seat is None else pairing.games
        self.boards = make_openings(game, pairing.openings, count=count, seed=seed)

    def opening(self, number: int) -> int:
        """The number of a game's opening."""
        return (number // 2) % len(self.boards)

    def _seated(self, number: int) -> tuple[tuple[Policy, ...], tuple[bool, ...], int]:
        """The policies of a game by seat, whether each is asked for its best actions, and the game's seed."""
        step, seed = 1 if number % 2 == 0 else -1, int(stream(self.pairing.seed, GAME_STREAM, number)[0]) >> 1
        return self.policies[::step], self.pairing.deterministic[::step], seed

    def question(self, number: int) -> GameQuestion:
        """What decides about a game."""
        policies, best, seed = self._seated(number)
        names, start = tuple(map(policy_name, policies)), self.boards[self.opening(number)].fen()
        return GameQuestion(self.pairing.game, names, asked_best(policies, best), start, seed, self.pairing.max_plies)

    def play(self, number: int) -> GameRecord:
        """Plays a game."""
        policies, best, seed = self._seated(number)
        dice = int(stream(self.pairing.seed, DICE_STREAM, number // 2)[0]) >> 1  # both games of a pair have the same dice
        board, limit = self.boards[self.opening(number)], self.pairing.max_plies
        return play_game(board, policies, deterministic=best, seed=seed, max_plies=limit, dice_seed=dice)


@dataclass(frozen=True)
class GameTask:
    """Games of a match for a process to play. match: its number among those of the same workers. pairing: pickled, once."""

    match: int
    pairing: bytes
    numbers: tuple[int, ...]


class GameWorkers(Workers[GameTask, tuple[list[GameRecord], float]]):
    """Workers that play the games of matches, one match after another: a context, as `Workers`.

    Example:
        >>> from boardgym.baselines import GameWorkers, compare
        >>> with GameWorkers(2) as workers:  # GameWorkers(16, "ray") or (16, "slurm") on a cluster
        ...     found = [compare(spec, "TicTacToe-v0", "random", games=10, processes=workers) for spec in ("greedy", "uct:50")]
        >>> [row.games for comparison in found for row in comparison.rows]
        [10, 10]
    """

    kept = "the games before are in the record, if one is kept, and --resume (GameLog's resume=True) goes on from them"

    def __init__(self, processes: int, executor: str = "processes") -> None:
        super().__init__(GamePlayer, processes, executor)
        self.matches = 0

    def play(self, pairing: Pairing, numbers: Sequence[int]) -> Iterator[tuple[int, GameRecord]]:
        """Plays games. Returns (number, record) in the order of the numbers: one that takes long holds up those after it.

        Raises OptionError for players that cannot be sent to other processes, and what `Workers.run` raises.
        """
        sent = pickled(pairing, self.processes)
        self.matches += 1
        match, left, size = self.matches, deque(numbers), 1
        played = dict[int, GameRecord]()

        def tasks() -> Iterator[GameTask]:
            while left:
                yield GameTask(match, sent, tuple(left.popleft() for _ in range(min(size, len(left)))))

        order = deque(numbers)
        for task, (records, seconds) in self.run(tasks()):
            size = max(1, min(2 * size, int(TASK_S * len(records) / max(seconds, 1e-9))))
            played.update(zip(task.numbers, records, strict=True))
            while order and order[0] in played:
                number = order.popleft()
                yield number, played.pop(number)


@contextlib.contextmanager
def game_workers(processes: "int | GameWorkers") -> Iterator[GameWorkers]:
    """So many processes for as long as the context is open, or the workers that are given, which stay. Raises OptionError."""
    if isinstance(processes, GameWorkers):
        yield processes
        return
    with GameWorkers(processes) as workers:
        yield workers


class GamePlayer:
    """Plays games in a process of `GameWorkers`, with the policies of one match at a time."""

    def __init__(self) -> None:
        self.match = 0
        self.players: Players

    def __call__(self, task: GameTask) -> tuple[list[GameRecord], float]:
        """The records of games, and the seconds that they took."""
        if self.match != task.match:
            self.match, self.players = task.match, Players(ForkingPickler.loads(task.pairing))
        begun = time.perf_counter()
        records = [self.players.play(number) for number in task.numbers]
        return records, time.perf_counter() - begun


def pickled(pairing: Pairing, processes: int) -> bytes:
    """What other processes are sent. Raises OptionError for a player that they cannot have."""
    for agent in (pairing.a, pairing.b):
        name = agent if isinstance(agent, str) else policy_name(agent)
        if "human" in names_within(name):
            raise OptionError(f"processes={processes}: {name} plays on this terminal; expected one process, of this machine")
        try:
            ForkingPickler.dumps(agent)
        except Exception as error:  # whatever a class of the user's own raises
            raise OptionError(
                f"processes={processes}: {name} cannot be sent to other processes ({error}); expected a spec string such as "
                "'file:agent.safetensors', or one process"
            ) from None
    return bytes(ForkingPickler.dumps(pairing))


def played_games(players: Players, log: GameLog, workers: GameWorkers) -> Iterator[tuple[int, GameRecord]]:
    """(number, record) of all games of a match, in order: those that the log has, and the others as they are played."""
    pairing, numbers = players.pairing, deque(players.pairing.numbers)
    while numbers and (taken := log.take(players.question(numbers[0]))) is not None:
        yield numbers.popleft(), taken
    if not numbers:
        return
    in_process = ((number, players.play(number)) for number in numbers)
    for number, record in in_process if workers.is_here else workers.play(pairing, numbers):
        log.keep(record)
        yield number, record
