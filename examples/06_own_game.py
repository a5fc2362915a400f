"""A game of one's own in one file: the rules below give it environments, opponents, searches, at the speed of the others.

Domineering on a 4 x 4 board: seat 0 lays dominoes upright, seat 1 flat, who cannot move has lost. Known: who begins wins,
and indeed the search proves it. `docs/new_game.md` explains the parts.
Run: python examples/06_own_game.py
"""

from typing import NamedTuple

import gymnasium as gym
import numpy as np
import tyro

import boardgym
from boardgym.baselines import compare, make_policy
from boardgym.core.notation import cell_text, read_cell, read_rows, split_position, write_rows
from boardgym.testing import check_game, perft

SIZE = 4
CELLS = SIZE * SIZE


class Domineering(NamedTuple):
    """Bit = cell, row by row from the top. An action is the domino's upper or left cell."""

    occupied: int
    seat: int


@boardgym.rule(Domineering)
def to_play(position):
    return position.seat


@boardgym.rule(Domineering)
def legal_actions(position, out):
    n, step = 0, SIZE if position.seat == 0 else 1
    for cell in range(CELLS - step):
        fits = position.seat == 0 or cell % SIZE < SIZE - 1
        if fits and (position.occupied >> cell) & 1 == 0 and (position.occupied >> (cell + step)) & 1 == 0:
            out[n] = cell
            n += 1
    return n


@boardgym.rule(Domineering)
def apply(position, action):
    step = SIZE if position.seat == 0 else 1
    return Domineering(position.occupied | (1 << action) | (1 << (action + step)), 1 - position.seat)


@boardgym.rule(Domineering)
def is_terminal(position):
    return legal_actions(position, np.empty(CELLS, np.int64)) == 0


@boardgym.rule(Domineering)
def returns(position, seat):
    return -1.0 if seat == position.seat else 1.0


@boardgym.rule(Domineering)
def observe(position, seat, out):
    for cell in range(CELLS):
        plane = out[cell // SIZE, cell % SIZE]
        plane[0] = (position.occupied >> cell) & 1
        plane[1] = seat == position.seat
        plane[2] = seat
        plane[3] = 1


@boardgym.rule(Domineering)
def decode(planes):
    occupied = 0
    for cell in range(CELLS):
        occupied |= int(planes[cell // SIZE, cell % SIZE, 0]) << cell
    seat = int(planes[0, 0, 2])
    return Domineering(occupied, seat if planes[0, 0, 1] else 1 - seat)


def cells(position):
    """The board for drawing: 1 where a domino lies."""
    return np.array([position.occupied >> cell & 1 for cell in range(CELLS)], np.int8).reshape(SIZE, SIZE)


def from_fen(text):
    """A position from rows of `#` and digits and the side to play, `v` upright or `h` flat: `4/4/#3/#3 h`."""
    rows, side = split_position(text, "4/4/#3/#3 h")
    if side not in ("v", "h"):
        raise boardgym.NotationError(f"side to play {side!r}: expected 'v' or 'h'")
    flat = read_rows(rows, (SIZE, SIZE), ".#").reshape(CELLS)
    return Domineering(sum(1 << cell for cell in range(CELLS) if flat[cell]), "vh".index(side))


def parse_move(position, text):
    """The cell's number."""
    row, column = read_cell(text, (SIZE, SIZE))
    return row * SIZE + column


GAME = boardgym.register(
    boardgym.Game(
        name="Domineering",
        title="Domineering",
        position_class=Domineering,
        start=Domineering(0, 0),
        num_actions=CELLS,
        max_legal_actions=CELLS,
        observation_shape=(SIZE, SIZE, 4),
        planes=("occupied", "observer to play", "observer lays flat", "ones"),
        move_text=lambda position, action: cell_text(*divmod(action, SIZE), SIZE),
        parse_move=parse_move,
        to_fen=lambda position: f"{write_rows(cells(position), '.#')} {'vh'[position.seat]}",
        from_fen=from_fen,
        max_plies=CELLS // 2,
        versions=(boardgym.Version(0, "0.1.0", "first release", ""),),
        seat_names=("upright", "flat"),
        drawing=boardgym.grid_drawing(
            (SIZE, SIZE),
            cells,
            ".#",
            ("#8a5a34",),
            "#f3ead8",
            "#8c8577",
            action_cells=lambda position, action: (divmod(action, SIZE),),
        ),
    )
)


def main(games: int = 100, simulations: int = 20_000) -> None:
    """Checks the game and plays it. games: of the comparison. simulations: of the search."""
    check_game(GAME)
    board = boardgym.Board(GAME)
    print("lines of play:", *(perft(board, depth) for depth in range(1, 6)))
    analysis = make_policy(f"uct:{simulations}", GAME, seed=1).analyse(board)
    print(f"who begins with {board.move_text(analysis.action)} wins: value {analysis.value:+.0f}, proven: {analysis.is_proven}")
    print(compare("uct:200", GAME, ["random", "uct:20"], games=games, openings="start"))
    env = gym.make("boardgym/Domineering-v0", opponent="uct:50", seat="random", render_mode="ansi")
    _observation, info = env.reset(seed=1)
    is_over = False
    while not is_over:
        _observation, reward, is_over, _truncated, info = env.step(int(info["action_mask"].argmax()))
    print(env.render(), f"\nthe first legal action against uct:50: reward {reward:+.0f}")


if __name__ == "__main__":
    tyro.cli(main)
