"""A slow twin of Abalone's rules on a dictionary of cells, for any number of seats, and boards with few marbles."""

from boardgym import Board, get_game
from boardgym.games.abalone.hexagon import BIT, word_of

DIRECTIONS = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]  # counter-clockwise from the right
BOARD = [(row, column) for row in range(9) for column in range(9) if abs(row - column) <= 4]

# each set of options is compiled for itself, so that the tests share few
STRICT = {"no_move": "loss", "repetition_limit": 2, "no_push_limit": 2}
ENDLESS = {"no_move": "pass", "repetition_limit": 0, "no_push_limit": 0}
UNEVEN = {"rewards": "material", "no_move": "pass", "lost_black": 2, "lost_white": 1}
PATIENT = {"no_move": "draw", "no_push_limit": 300}  # for three


def name(cell):
    return "abcdefghi"[cell[0]] + str(cell[1] + 1)


def cell_of(text):
    return "abcdefghi".index(text[0]), int(text[1]) - 1


def step(cell, direction, steps=1):
    return cell[0] + steps * direction[0], cell[1] + steps * direction[1]


def successors(cells, seat):
    """The moves of a seat: {text: (cells afterwards, marbles pushed off)}. cells: {(row, column): seat}."""
    found = {}
    for first in [cell for cell, owner in cells.items() if owner == seat]:
        for axis in DIRECTIONS[:3]:
            group = []
            while len(group) < 3 and cells.get(step(first, axis, len(group))) == seat:
                group.append(step(first, axis, len(group)))
                for direction in DIRECTIONS:
                    found.update(moved(cells, seat, list(group), axis, direction))
    return found


def moved(cells, seat, group, axis, direction):
    """The move of a group, as in `successors`; empty if it is not allowed."""
    if len(group) > 1 and direction in (axis, step((0, 0), axis, -1)):
        line = group if direction == axis else group[::-1]
        pushed, ahead = [], step(line[-1], direction)
        while ahead in cells and len(pushed) < len(group):
            pushed.append(ahead)
            ahead = step(ahead, direction)
        if len(pushed) >= len(group) or any(cells[cell] == seat for cell in pushed) or (not pushed and ahead not in BOARD):
            return {}
        text, shifted = name(line[0]) + name(line[1]), line + pushed
    else:
        if any(step(cell, direction) not in BOARD or step(cell, direction) in cells for cell in group):
            return {}
        text = "".join(name(cell) for cell in ([group[0]] if len(group) == 1 else [group[0], group[-1]]))
        text, shifted = text + name(step(group[0], direction)), group
    after = {cell: owner for cell, owner in cells.items() if cell not in shifted}
    arrived = {step(cell, direction): cells[cell] for cell in shifted}
    after.update({cell: owner for cell, owner in arrived.items() if cell in BOARD})
    return {text: (after, len(arrived) - sum(cell in BOARD for cell in arrived))}


def cells_of(board):
    """The marbles of a board: {(row, column): seat}."""
    rows = board.fen().split()[0].split("/")
    letters, found = "Ss" if board.game.num_seats == 2 else "bwr", {}
    for row, text in zip(range(8, -1, -1), rows, strict=True):
        column = max(0, row - 4)
        for mark in text:
            if mark in letters:
                found[row, column] = letters.index(mark)
            column += 1 if mark in letters else int(mark)
    return found


def placed(*marbles, seat=0, scores=None, clock=0, game="Abalone-v0", **options):
    """A board with any marbles, few or many, which position strings refuse. marbles: for each seat, cells as in "a1 a2"."""
    game = get_game(game, **options)
    words = [word_of(BIT[cell_of(text)] for text in cells.split()) for cells in marbles]
    scores = scores or [0] * game.num_seats
    order = [(seat + i) % game.num_seats for i in range(game.num_seats)]
    board = Board(game)
    position = game.position_class(*(words[i] for i in order), *(scores[i] for i in order), seat, clock)
    board.set_position(position, check=False)
    return board


def marbles_of(board):
    """The cells of each seat as `placed` takes them, sorted."""
    cells = cells_of(board)
    return tuple(" ".join(sorted(name(cell) for cell in cells if cells[cell] == seat)) for seat in range(board.game.num_seats))
