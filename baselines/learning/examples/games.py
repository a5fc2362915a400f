"""The games that examples are from: one that a search plays against itself, and the random positions that games begin at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import Arrays
from boardgym.baselines.learning.examples.columns import COLUMNS, joined, packed, seen_name
from boardgym.baselines.learning.examples.kernels import applied_rows, features_of_rows
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.baselines.search.common import scale_of
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Analysis
from boardgym.core.random import draw, next_word, stream

GAMES, STATES = range(2)  # paths of the seed's streams: of games, of the random games that give start states
MOST_IN_VAIN = 1000  # random games one after another that give no new start state


@dataclass(frozen=True)
class PlayedGame:
    """A game and its examples.

    number: of the game. columns: see `columns.Examples`. length: in actions, each of which was searched. simulations: of all
    its searches. winner: 0, 1, or -1 for a draw.
    """

    number: int
    columns: Arrays
    length: int
    simulations: int
    winner: int

    def summary(self) -> list[int]:
        """All but the columns, as plain data."""
        return [self.number, self.length, self.simulations, self.winner]


def refuse_unfit(policy: Any, spec: str) -> None:
    """Raises UnsupportedGameError for a policy that is no search, or cannot be seeded."""
    if not callable(getattr(policy, "analyse", None)):
        raise UnsupportedGameError(f"{spec}: has no analysis; expected a search that counts visits, as uct:1000")
    if not (callable(getattr(policy, "analyse_with", None)) or callable(getattr(policy, "reset", None))):
        raise UnsupportedGameError(f"{spec}: has no reset(seed=...); expected a policy whose games differ by their seeds")


def analyser(policy: Any, rng: NDArray[np.uint64]) -> Callable[[Board], Analysis]:
    """What a policy finds on a board, with draws from a stream, so that games differ.

    A policy without `analyse_with(board, rng)` is seeded from the stream once, and then draws as its `analyse` does.
    """
    with_stream = getattr(policy, "analyse_with", None)
    if with_stream is not None:
        return lambda board: with_stream(board, rng)
    policy.reset(seed=int(next_word(rng)) >> 1)
    return policy.analyse  # type: ignore[no-any-return]


def play_example_game(
    policy: Any,
    features: GameFeatures,
    number: int,
    *,
    seed: int,
    start: NDArray[np.int64] | None = None,
    max_plies: int = 0,
    until: Callable[[], bool] = lambda: False,
) -> PlayedGame:
    """A game that a search plays on both seats, with all that it believes of every child of every root.

    Every decision is searched, passes and others without a choice too.

    Args:
        policy: the search.
        features: of the inputs; its game is played.
        number: of the game: its draws follow from it and the seed.
        seed: of all games.
        start: row of the position where it begins, None for the game's start.
        max_plies: actions after which it ends as a draw, 0 for none.
        until: asked before each action, whether to leave it, as a draw.

    Raises UnsupportedGameError for a policy whose analysis counts no visits.
    """
    game = features.game
    board = Board(game, seed=0)
    if start is not None:
        board.set_position(game.token.position(start), check=False)
    analyse = analyser(policy, stream(seed, GAMES, number))
    roots, found = list[tuple[NDArray[np.int64], int, int, int]](), list[Analysis]()  # row, seat, key, ply
    while not board.is_terminal and not (0 < max_plies <= board.ply) and not until():
        analysis = analyse(board)
        if not any(analysis.visit_counts.values()):
            raise UnsupportedGameError(f"{policy!r}: its analysis counts no visits; expected a search as uct:1000")
        roots.append((board.row, board.to_play, board.key, board.ply))
        found.append(analysis)
        board.push(analysis.action)
    returns = [value * scale_of(game) for value in board.returns()] if board.is_terminal else [0.0] * game.num_seats
    columns = columns_of(features, number, roots, found, returns)
    winner = int(np.argmax(returns)) if returns[0] != returns[1] else -1
    return PlayedGame(number, columns, len(roots), sum(one.nodes for one in found), winner)


def columns_of(
    features: GameFeatures,
    number: int,
    roots: list[tuple[NDArray[np.int64], int, int, int]],
    found: list[Analysis],
    returns: list[float],
) -> Arrays:
    """The examples of a game. roots: (row, seat to play, key, ply) of each decision; found: of the search there."""
    children = [
        (k, action, analysis.action_values[action], count)
        for k, analysis in enumerate(found)
        for action, count in analysis.visit_counts.items()
        if count > 0
    ]
    if not children:
        return joined(features, ())
    root, action, utility, visits = (np.array(column) for column in zip(*children, strict=True))
    rows, seats, keys, plies = zip(*roots, strict=True)
    seat = np.array(seats)[root]
    position = applied_rows(features.game, np.array(rows)[root], action.astype(np.int64))
    values = {
        "game": np.full(len(root), number),
        "ply": np.array(plies)[root],
        "seat": seat,
        "root": np.array(keys, np.uint64)[root],
        "action": action,
        "utility": utility,
        "visits": visits,
        "result": np.array(returns)[seat],
    }
    columns = {name: values[name].astype(kind) for name, kind in COLUMNS.items()}
    return {**columns, seen_name(features): packed(features, features_of_rows(features, position, seat)), "position": position}


def random_states(game: Game, count: int, mean_length: float, *, seed: int) -> list[NDArray[np.int64]]:
    """Start states of games: rows of different positions, from games in which both seats draw their actions.

    count / mean_length + 1 games are played, and states taken from all of them in turn, those closest to the start position
    first, until there are enough; further games are played if they give too few (the UCT-CCNN study, section 4.6). Positions
    with equal keys are one; neither the start position nor ends of games are taken.

    mean_length: of games, in actions. Returns fewer than `count` if MOST_IN_VAIN games one after another give no new position.
    """
    states, seen = list[NDArray[np.int64]](), {Board(game, seed=0).key}
    number, in_vain = 0, 0
    batch = int(count / max(mean_length, 1.0)) + 1
    while len(states) < count and in_vain < MOST_IN_VAIN:
        records = [random_record(game, stream(seed, STATES, number + k)) for k in range(batch)]
        number, batch, before = number + len(records), 1, len(states)
        for depth in range(max(map(len, records))):
            for record in records:
                if depth < len(record) and record[depth][0] not in seen and len(states) < count:
                    seen.add(record[depth][0])
                    states.append(record[depth][1])
        in_vain = 0 if len(states) > before else in_vain + 1
    return states


def random_record(game: Game, rng: NDArray[np.uint64]) -> list[tuple[int, NDArray[np.int64]]]:
    """(key, row) of the positions of a random game, those at its start and its end left out."""
    board, record = Board(game, seed=0), list[tuple[int, NDArray[np.int64]]]()
    while True:
        legal = board.legal_actions
        board.push(legal[draw(rng, len(legal))])
        if board.is_terminal:
            return record
        record.append((board.key, board.row))
