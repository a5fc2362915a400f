"""Abalone by clicks: marbles in line from the rear, sideways from end to end; and why a click is refused.

In line: the rear marble, then the cell beyond the foremost. Sideways: one end of the row, the other, then where the first
of them goes. A single marble goes from its cell to the next.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from boardgym.core.places import Controls, Way
from boardgym.games.abalone.hexagon import ACTIONS, BY_ROW, CELL_OF, NAME, OFFSETS, PASS, SPOT, action_cells, neighbour, word_of

MOST = 3  # marbles that move at once
Words = Callable[[Any], Sequence[int]]


def clicks(position: Any, action: int) -> tuple[Way, ...]:
    """The ways to click an action, as `Controls.clicks`."""
    if action == PASS:
        return ()
    cells = [SPOT[bit] for bit in action_cells(position.own, action)]
    middle = len(cells) // 2
    if ACTIONS[action][2] == 1:  # in line
        return ((cells[0], cells[-1]),)
    return (cells[0], cells[middle - 1], cells[-1]), (cells[middle - 1], cells[0], cells[middle])


def line_between(first: int, last: int) -> tuple[int, list[int]] | None:
    """(direction, the cells from one to another), both included; None if they are not in a line or the same."""
    (row, column), (to_row, to_column) = CELL_OF[first], CELL_OF[last]
    steps = max(abs(to_row - row), abs(to_column - column))
    for direction, (up, right) in enumerate(OFFSETS):
        if steps and (row + steps * up, column + steps * right) == (to_row, to_column):
            cells = [neighbour(first, direction, step) for step in range(steps + 1)]
            return direction, [cell for cell in cells if cell is not None]
    return None


def why_not(position: Any, places: Sequence[int], words: Words, names: Sequence[str]) -> str:
    """Why clicking these cells plays nothing, as `Controls.why_not`. words: of each seat. names: of the seats."""
    cells = [BY_ROW[place] for place in places]
    occupants = {cell: name for word, name in zip(words(position), names, strict=True) for cell in BY_ROW if word >> cell & 1}
    mine, first = names[position.seat], cells[0]
    if occupants.get(first) != mine:
        if first not in occupants:
            return f"{NAME[first]} is empty: choose a {mine} marble"
        return f"the marble on {NAME[first]} is {occupants[first]}: choose a {mine} one"
    if len(cells) == 1:
        return f"the marble on {NAME[first]} cannot move"
    found = line_between(first, cells[1])
    if found is None:
        return f"{NAME[first]} and {NAME[cells[1]]} are not in a line"
    direction, line = found
    if occupants.get(cells[1]) != mine:
        return _why_not_in_line(line, direction, occupants, mine)
    return _why_not_sideways(line, direction, cells[2:], occupants, mine)


def _why_not_in_line(line: list[int], direction: int, occupants: dict[int, str], mine: str) -> str:
    """Of a move in line. line: from its rear marble to the cell that the foremost would go to."""
    group = line[:-1]
    pushed, ahead = 0, neighbour(group[-1], direction)
    if gaps := [cell for cell in group if occupants.get(cell) != mine]:
        return f"{NAME[gaps[0]]} holds no {mine} marble: only an unbroken line moves, by one step"
    if len(group) > MOST:
        return f"{len(group)} marbles are in the line; at most {MOST} move at once"
    while ahead is not None and occupants.get(ahead, mine) != mine:
        pushed, ahead = pushed + 1, neighbour(ahead, direction)
    if pushed >= len(group):
        return f"too weak: {marbles(len(group))} cannot push {pushed}"
    return f"the {mine} marble on {NAME[ahead]} is in the way" if ahead is not None and ahead in occupants else ""


def _why_not_sideways(line: list[int], direction: int, targets: list[int], occupants: dict[int, str], mine: str) -> str:
    """Of a move sideways. line: the row of marbles from end to end. targets: where the first goes, if it was chosen."""
    if len(line) > MOST:
        return f"{len(line)} marbles are in the row; at most {MOST} move at once"
    if gaps := [cell for cell in line if occupants.get(cell) != mine]:
        return f"{NAME[gaps[0]]}, between the two, holds no {mine} marble"
    if not targets:
        return f"the marbles from {NAME[line[0]]} to {NAME[line[-1]]} cannot move sideways"
    found = line_between(line[0], targets[0])
    if found is None or len(found[1]) > 2:
        return f"{NAME[targets[0]]} is no neighbour of {NAME[line[0]]}: the third click says where that marble goes"
    if found[0] % 3 == direction % 3:
        return "along their line, marbles move by a click on the rear one and one on the cell beyond the foremost"
    for cell in line:
        to = neighbour(cell, found[0])
        if to is None:
            return f"the marble on {NAME[cell]} would leave the board"
        if to in occupants:
            return f"{NAME[to]} is taken: marbles that move sideways push nothing"
    return ""


def controls_of(words: Words, names: Sequence[str], set_up: Callable[[Sequence[int], int], str]) -> Controls:
    """The controls of a game, but for what the picture knows. words: position -> a word for each seat. names: of the seats."""
    return Controls(clicks=clicks, why_not=functools.partial(why_not, words=words, names=names), set_up=set_up)


def words_of(kinds: Sequence[int], num_seats: int) -> list[int]:
    """The word of each seat's marbles. kinds: for each spot 0, or 1 + seat."""
    return [word_of(BY_ROW[spot] for spot, kind in enumerate(kinds) if kind == 1 + seat) for seat in range(num_seats)]


def marbles(count: int) -> str:
    """For example "2 marbles"."""
    return "1 marble" if count == 1 else f"{count} marbles"
