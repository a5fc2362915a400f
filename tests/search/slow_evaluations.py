"""The scores of the named evaluations of Othello and Nine Men's Morris, written once more, square by square, without bits."""

import itertools

AROUND = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
TABLE = """
    100 -20  10   5   5  10 -20 100
    -20 -50  -2  -2  -2  -2 -50 -20
     10  -2  -1  -1  -1  -1  -2  10
      5  -2  -1  -1  -1  -1  -2   5
      5  -2  -1  -1  -1  -1  -2   5
     10  -2  -1  -1  -1  -1  -2  10
    -20 -50  -2  -2  -2  -2 -50 -20
    100 -20  10   5   5  10 -20 100
"""
LEAGUE = """
    1.00 -0.25  0.10  0.05  0.05  0.10 -0.25  1.00
   -0.25 -0.25  0.01  0.01  0.01  0.01 -0.25 -0.25
    0.10  0.01  0.05  0.02  0.02  0.05  0.01  0.10
    0.05  0.01  0.02  0.01  0.01  0.02  0.01  0.05
    0.05  0.01  0.02  0.01  0.01  0.02  0.01  0.05
    0.10  0.01  0.05  0.02  0.02  0.05  0.01  0.10
   -0.25 -0.25  0.01  0.01  0.01  0.01 -0.25 -0.25
    1.00 -0.25  0.10  0.05  0.05  0.10 -0.25  1.00
"""
LEAGUE_VALUES = [[float(value) for value in row.split()] for row in LEAGUE.strip().splitlines()]
VALUES = [[int(value) for value in row.split()] for row in TABLE.strip().splitlines()]


def discs_of(board, seat):
    """{(row, column): 1 for a disc of the seat, -1 for one of the other's}; the size of the board."""
    squares, size = board.fen().split()[0], board.game.options["size"]
    marks = {"XO"[seat]: 1, "OX"[seat]: -1}
    return {divmod(i, size): marks[mark] for i, mark in enumerate(squares) if mark in marks}, size


def count_moves(discs, size, side):
    """How many squares a side could play on."""
    return sum(may_play(discs, at, side) for at in itertools.product(range(size), repeat=2) if at not in discs)


def may_play(discs, at, side):
    for step in AROUND:
        row, column, turned = at[0] + step[0], at[1] + step[1], 0
        while discs.get((row, column)) == -side:
            row, column, turned = row + step[0], column + step[1], turned + 1
        if turned and discs.get((row, column)) == side:
            return True
    return False


def is_endgame(discs, size, corner_condition):
    corners = itertools.product((0, size - 1), repeat=2)
    return len(discs) / size**2 >= 0.8 or (corner_condition and all(corner in discs for corner in corners))


def max_disc(board, seat):
    return sum(discs_of(board, seat)[0].values())


def positional(board, seat, corner_condition=True):
    discs, size = discs_of(board, seat)
    if is_endgame(discs, size, corner_condition):
        return sum(discs.values())
    return sum(side * VALUES[row][column] for (row, column), side in discs.items())


def league(board, seat):
    return 100 * sum(side * LEAGUE_VALUES[row][column] for (row, column), side in discs_of(board, seat)[0].items())


def mobility(board, seat, corner_condition=True):
    discs, size = discs_of(board, seat)
    if is_endgame(discs, size, corner_condition):
        return sum(discs.values())
    corners = sum(discs.get(corner, 0) for corner in itertools.product((0, size - 1), repeat=2))
    mine, theirs = count_moves(discs, size, 1), count_moves(discs, size, -1)
    return 10 * corners + (mine - theirs) / (mine + theirs)


def parity(board, seat):
    discs, size = discs_of(board, seat)
    left, score = {*itertools.product(range(size), repeat=2)} - {*discs}, 0
    while left:
        region, edge = set(), {min(left)}
        while edge:
            region |= edge
            edge = {(row + i, column + j) for row, column in edge for i, j in AROUND} & left - region
        left -= region
        plays_last = board.to_play if len(region) % 2 else 1 - board.to_play
        score += 1 if plays_last == seat else -1
    return score


LINES = (
    "a7 d7 g7,b6 d6 f6,c5 d5 e5,a4 b4 c4,e4 f4 g4,c3 d3 e3,b2 d2 f2,a1 d1 g1,"
    "a1 a4 a7,b2 b4 b6,c3 c4 c5,d1 d2 d3,d5 d6 d7,e3 e4 e5,f2 f4 f6,g1 g4 g7"
)
POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
DIAGONALS = ",a7 b6 c5,g7 f6 e5,a1 b2 c3,g1 f2 e3"


def mills(board, seat):
    text = board.fen().split()
    lines = [line.split() for line in (LINES + DIAGONALS * (board.position.BOARD == 1)).split(",")]
    marks = dict(zip(POINTS.split(), text[0].replace("/", ""), strict=True))
    score = 0
    for side, mark in ((1, "WB"[seat]), (-1, "BW"[seat])):
        hand = int(text[2].split(",")["WB".index(mark)])
        closed = sum(all(marks[point] == mark for point in line) for line in lines)
        pairs = [pair for a, b, c in lines for pair in ((a, b), (b, a), (b, c), (c, b))]
        slides = sum(marks[a] == mark and marks[b] == "." for a, b in pairs)
        score += side * (10 * (list(marks.values()).count(mark) + hand) + 3 * closed + slides)
    if board.position.must_remove:
        score += 10 if board.to_play == seat else -10
    return score
