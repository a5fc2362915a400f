"""A game in progress, in the manner of python-chess: count Othello's lines of play by hand, then let a search choose.

The counts of the first plies are known: 4, 12, 56, 244, 1396, 8200, 55092.
Run: python examples/05_board.py --depth 7
"""

import tyro

import boardgym
from boardgym.baselines import make_policy


def perft(board: boardgym.Board, depth: int) -> int:
    """Number of sequences of exactly `depth` actions."""
    if depth == 0:
        return 1
    count = 0
    for action in board.legal_actions:
        board.push(action)
        count += perft(board, depth - 1)
        board.pop()
    return count


def main(depth: int = 6, simulations: int = 2000) -> None:
    """Counts and searches. depth: of the count, in plies. simulations: of the search."""
    board = boardgym.Board("Othello-v0")
    print("lines of play:", *(perft(board, d) for d in range(1, depth + 1)))
    board.play(["f5", "d6", "c3", "d3", "c4"])  # the tiger opening
    print(board)
    analysis = make_policy(f"uct:{simulations}", board.game, seed=1).analyse(board)
    line = board.copy()
    for action in analysis.principal_variation:
        line.push(action)
    best = " ".join(line.moves()[board.ply :])
    print(f"{board.game.seat_name(board.to_play)} to play: value {analysis.value:+.2f}, best line {best}")


if __name__ == "__main__":
    tyro.cli(main)
