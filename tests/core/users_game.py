"""A user's own rules file, outside the package: copied to another folder, edited, imported there or run as `__main__`.

A heap of 7: a seat takes 1 or 2 in its turn; who takes the last wins.
"""

import json
from typing import NamedTuple

from users_helpers import taken

from boardgym import Board, Game, Version, register, rule
from boardgym.core import frames

HEAP = 7


class Heap(NamedTuple):
    """What is left, and whose turn it is."""

    left: int
    seat: int


@rule(Heap)
def to_play(position):
    return position.seat


@rule(Heap)
def legal_actions(position, out):
    n = 0
    for action in range(min(2, position.left)):
        out[n] = action
        n += 1
    return n


@rule(Heap)
def apply(position, action):
    return Heap(max(position.left - taken(action), 0), 1 - position.seat)


@rule(Heap)
def is_terminal(position):
    return position.left == 0


@rule(Heap)
def returns(position, seat):
    return -1.0 if seat == position.seat else 1.0


@rule(Heap)
def observe(position, seat, out):
    out[0, 0, 0], out[0, 0, 1], out[0, 0, 2] = position.left, seat == position.seat, seat


@rule(Heap)
def decode(planes):
    seat = int(planes[0, 0, 2])
    return int(planes[0, 0, 0]), seat if planes[0, 0, 1] else 1 - seat


GAME = register(
    Game(
        name="Heap",
        title="Heap",
        position_class=Heap,
        start=Heap(HEAP, 0),
        num_actions=2,
        max_legal_actions=2,
        observation_shape=(1, 1, 3),
        observation_max=HEAP,
        planes=("left", "observer to play", "seat"),
        move_text=lambda position, action: str(action + 1),
        parse_move=lambda position, text: int(text) - 1,
        to_fen=lambda position: f"{position.left} {position.seat}",
        from_fen=lambda text: Heap(*map(int, text.split())),
        max_plies=HEAP,
        versions=(Version(0, "0.1.0", "for tests", ""),),
    )
)


def play() -> list[str]:
    """The positions of a game in which the first legal action is always taken."""
    board = Board("Heap-v0")
    while not board.is_terminal:
        board.push(board.legal_actions[0])
    assert sorted(board.returns()) == [-1.0, 1.0]
    return [board.game.to_fen(position) for position in board.history]


def report() -> None:
    """Prints the game, and how often a kernel came from the cache or had to be compiled."""
    fens = play()
    stats = [kernel.stats for kernel in (frames.push, frames.pay)]
    hits, misses = (sum(sum(getattr(s, name).values()) for s in stats) for name in ("cache_hits", "cache_misses"))
    print(json.dumps({"fens": fens, "hits": hits, "misses": misses}))


if __name__ == "__main__":
    report()
