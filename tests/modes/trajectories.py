"""Small seeded games of every kind, printed as one digest a line: run in several modes, the output must be equal.

python -m tests.modes.trajectories [small]: without the games whose kernels are large.
"""

import hashlib
import random
import sys
from collections.abc import Iterator

import numpy as np

from boardgym import Board
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream, uniform
from tests.core.shuttle import SHUTTLE

POLICIES = ("random", "greedy", "epsilon:0.4(greedy)")
PLAYED = (("TicTacToe-v0", 12), ("ConnectFour-v0", 4), ("Othello-v0", 2))  # game and number of games
SMALL = (("Othello-v0", {"size": 4}, 12), (SHUTTLE, {}, 12))


@kernel
def mirror(token, row, k, action, out):
    position = verbs.unpack(token, row)
    verbs.pack(verbs.transform(position, k), out)
    return verbs.transform_action(position, action, k)


def facts(board: Board) -> Iterator[object]:
    """What every mode must agree on at one position."""
    yield board.fen(), board.key, board.legal_actions, board.to_play, board.reason, board.row.tolist()
    yield board.keys.tolist(), board.repetitions, board.outcome()


def seen(board: Board) -> Iterator[object]:
    """Observations, masks, estimates and symmetric images: these kernels are compiled for the full-size games only."""
    for seat in range(board.game.num_seats):
        observation, mask = board.look(seat)
        yield observation.tobytes().hex(), mask.tobytes().hex(), board.estimate(seat).hex()
    image, row = np.empty_like(board.row), board.row
    for k in range(8 if board.game.name != "ConnectFour" else 2):
        action = (board.legal_actions or [0])[-1]
        yield int(mirror(board.game.token, row, k, action, image)), image.tolist()


def played(game_id: str, seed: int) -> Iterator[object]:
    """A game between policies, each of which is asked at every ply."""
    board = Board(game_id, setup="random:0-4", seed=seed)
    policies = [make_policy(spec, board.game, seed=seed) for spec in POLICIES]
    while True:
        yield from facts(board)
        yield from seen(board)
        if board.is_terminal:
            return
        actions = [policy.act(board, deterministic=ply_is_even) for policy in policies for ply_is_even in (board.ply % 2 == 0,)]
        yield actions
        board.push(actions[(board.ply + seed) % len(actions)])


def wandered(game, options: dict, seed: int) -> Iterator[object]:
    """A random game, taken back by half and played on."""
    board, rng = Board(game, **options), random.Random(seed)
    for attempt in range(2):
        while not board.is_terminal:
            yield from facts(board)
            board.push(rng.choice(board.legal_actions))
        yield from facts(board)
        yield board.returns()
        for _ in range(board.ply // 2 if attempt == 0 else 0):
            board.pop()


def numbers() -> Iterator[object]:
    rng = stream(3, 4)
    for n in (1, 2, 7, 2**31 - 1):
        yield int(draw(rng, n)), float(uniform(rng)).hex(), int(rng[0])


def line(name: object, items: Iterator[object]) -> str:
    digest = hashlib.sha256()
    for item in items:
        digest.update(repr(item).encode())
    return f"{name} {digest.hexdigest()[:24]}"


def main(is_small: bool) -> None:
    """Prints a line for each game."""
    print(line("numbers", numbers()))
    for game_id, count in PLAYED[:1] if is_small else PLAYED:
        for seed in range(count):
            print(line((game_id, seed), played(game_id, seed)))
    for game, options, count in SMALL:
        for seed in range(count):
            print(line((str(getattr(game, "id", game)), options, seed), wandered(game, options, seed)))


if __name__ == "__main__":
    main("small" in sys.argv[1:])
