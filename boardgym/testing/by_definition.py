"""Searches by their definitions, played out on a board in plain Python: what the compiled ones are held to.

They are slow, and have none of the aids that a search lives by: no order, no table but where a memo is handed to them.
"""

from typing import Any

from boardgym.core.board import Board


def minimax(board: Board, depth: int, memo: dict[Any, float] | None = None) -> float:
    """Minimax without bounds: the value for the seat to play, in the game's returns.

    memo: by position and depth; not for games where the record decides.
    """
    if memo is not None and (board.position, depth) in memo:
        return memo[board.position, depth]
    if board.is_terminal or depth == 0:
        value = board.estimate(board.to_play)
    else:
        value = max(value_after(board, action, depth - 1, memo) for action in board.legal_actions)
    if memo is not None:
        memo[board.position, depth] = value
    return value


def value_after(board: Board, action: int, depth: int, memo: dict[Any, float] | None = None) -> float:
    """What an action is worth to the seat that plays it."""
    seat = board.to_play
    board.push(action)
    value = minimax(board, depth, memo)
    value = value if board.to_play == seat else -value
    board.pop()
    return value


def maxn(board: Board, depth: int) -> tuple[list[float], list[int]]:
    """The value of each seat, and the best line: the seat to play takes the first child that is best for itself."""
    if board.is_terminal or depth == 0:
        return [board.estimate(seat) for seat in range(board.game.num_seats)], []
    best: tuple[list[float], list[int]] | None = None
    mover = board.to_play
    for action in board.legal_actions:
        board.push(action)
        values, line = maxn(board, depth - 1)
        board.pop()
        if best is None or values[mover] > best[0][mover]:
            best = values, [action, *line]
    assert best is not None
    return best


def expectiminimax(board: Board, seat: int, depth: int, counts: list[int], *, counts_turns: bool = False) -> float:
    """The value for `seat`, in [-1, 1], by enumeration of all rolls and actions.

    board: does not roll by itself. depth: in plies of the seats, rolls do not count; or, with counts_turns, in turns, which end
    where another seat is to play or chance is to act. counts: how many positions are looked at, in how many of them a seat
    acts, and how many actions these have; added to.
    """
    counts[0] += 1
    if board.is_terminal:
        return board.returns()[seat] / board.game.max_return
    if depth == 0:
        return board.estimate(seat)
    if board.is_chance:
        value = 0.0
        for outcome, probability in board.outcomes:
            board.push(outcome)
            value += probability * expectiminimax(board, seat, depth, counts, counts_turns=counts_turns)
            board.pop()
        return value
    mover, values, legal = board.to_play, [], board.legal_actions
    counts[1] += 1
    counts[2] += len(legal)
    for action in legal:
        board.push(action)
        left = depth if counts_turns and board.to_play == mover else depth - 1
        values.append(expectiminimax(board, mover, left, counts, counts_turns=counts_turns))
        board.pop()
    return max(values) if mover == seat else -max(values)
