"""MENACE, the matchbox machine that learns tic-tac-toe, in plain Python.

The twin of baselines/learning/tabular/menace.py. Run: python examples/twins/menace.py

There is a box for every position. It holds beads, with a colour for every action. To move, draw a
bead and play its colour. After the game, each box that was opened gets beads of the colour that
was played, or loses some:

    beads <- max(0, beads + 3)  after a win,   + 1 after a draw,   - 1 after a loss

A box is filled when it is first opened: with 4 beads a colour at the seat's first turn, 3 at its
second, 2 at its third, 1 later. Positions that are equal by a symmetry of the board share a box,
and of actions that are equal by symmetry only one has a colour: three at the start. At an empty
box Michie's machine resigns; this one plays any action. Here two machines with the same boxes
play each other.

Sources: D. Michie, "Trial and error", Science Survey 2, 1961; "Experiments on the mechanization
of game-learning. Part I", The Computer Journal 6, 1963.
"""

from boardgym import Board
from boardgym.core.random import draw, stream, uniform

BEADS = (4.0, 3.0, 2.0, 1.0)  # a colour, at the seat's first turn, second, third, and later ones
WON, DRAWN, LOST = 3.0, 1.0, -1.0  # beads after a game
SYMMETRIES = range(8)


def turned(cell, k):
    """Where symmetry k takes a cell: k % 4 quarter turns clockwise; from 4 on, then mirrored."""
    row, column = divmod(cell, 3)
    for _ in range(k % 4):
        row, column = column, 2 - row
    return 3 * row + (2 - column if k >= 4 else column)


TURNED = [[turned(cell, k) for cell in range(9)] for k in SYMMETRIES]


def image_of(position, k):
    """A position under symmetry k: two words of marks, a bit for each cell."""
    return tuple(sum(1 << TURNED[k][cell] for cell in range(9) if marks >> cell & 1) for marks in position)


def colours(position, legal):
    """The legal actions that have a colour: the first of those that are equal by symmetry."""
    keeping = [k for k in SYMMETRIES if image_of(position, k) == tuple(position)]
    return [action for action in legal if action == min(TURNED[k][action] for k in keeping)]


def open_box(boxes, board, turn):
    """The box of a position, filled if it is new, and the names of the legal actions in it.

    turn: the number of the seat's turn, from 0. Of the eight images of a position the board
    chooses one to stand for all: the one with the smallest hash.
    """
    image, k, _ = board.canonical()
    named = [TURNED[k][action] for action in board.legal_actions]
    if image not in boxes:
        boxes[image] = dict.fromkeys(colours(image, named), BEADS[min(turn, 3)])
    return boxes[image], named


def draw_bead(beads, rng):
    """The index of an action, drawn in proportion to its beads; of any action if there are none."""
    if sum(beads) == 0.0:
        return draw(rng, len(beads))
    mark = uniform(rng) * sum(beads)
    for k, count in enumerate(beads):
        if mark < count:
            return k
        mark -= count
    return max(k for k, count in enumerate(beads) if count > 0.0)  # rounding put the mark at the end


def play_game(boxes, rng):
    """Plays one game and learns from it. Returns what it paid both seats."""
    board, opened = Board("TicTacToe"), ([], [])  # opened: each seat's boxes and colours played
    while not board.is_terminal:
        seat = board.to_play
        box, named = open_box(boxes, board, len(opened[seat]))
        k = draw_bead([box.get(action, 0.0) for action in named], rng)
        opened[seat].append((box, named[k]))
        board.push(board.legal_actions[k])
    for seat, result in enumerate(board.returns()):
        change = WON if result > 0 else LOST if result < 0 else DRAWN
        for box, action in opened[seat]:
            box[action] = max(0.0, box.get(action, 0.0) + change)
    return board.returns()


def train(episodes=2000, *, seed=1):
    """Plays and learns. Returns the boxes, position -> {action: beads}, and x's results.

    The results are [won, drawn, lost].
    """
    boxes, rng, results = {}, stream(seed, 0), [0, 0, 0]
    for _ in range(episodes):
        results[1 - int(play_game(boxes, rng)[0])] += 1
    return boxes, results


def main(episodes=2000):
    """Shows how the games go, quarter by quarter, and what is in the first box at the end."""
    boxes, rng = {}, stream(1, 0)
    for first in range(0, episodes, max(episodes // 4, 1)):
        results = [0, 0, 0]
        for _ in range(max(episodes // 4, 1)):
            results[1 - int(play_game(boxes, rng)[0])] += 1
        won, drawn, lost = results
        print(f"games from {first + 1:5}: x won {won}, {drawn} drawn, o won {lost}")
    start = Board("TicTacToe")
    beads = {start.move_text(action): int(count) for action, count in boxes[start.position].items()}
    choices = sum(len(box) > 1 for box in boxes.values())
    print(f"{len(boxes)} boxes, {choices} of them with a choice; beads of the first: {beads}")


if __name__ == "__main__":
    main()
