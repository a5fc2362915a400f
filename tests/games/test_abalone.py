"""Abalone for two: moves on lines in all directions, against a slow twin, and how games end."""

import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, Reason, get_game
from boardgym.compile import kernel, plain
from boardgym.core import verbs
from boardgym.games.abalone import hexagon
from boardgym.games.abalone.moves import placement
from boardgym.games.abalone.two import TOTALS
from boardgym.testing import check_board
from tests.games.abalone_twin import DIRECTIONS, ENDLESS, STRICT, UNEVEN, cells_of, name, placed, step, successors

BLOCKED = "SSSSS/ssssSS/SSSSssS/sssss1sS/7sS/7s/7/6/5 0 0 b 0"  # no marble of black can move


def line_in(direction):
    """The nine cells through the middle in a direction."""
    return [step((4, 4), DIRECTIONS[direction], i) for i in range(-4, 5)]


def test_start():
    board = Board("Abalone-v0")
    assert board.fen() == "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0"
    assert len(board.legal_actions) == 44
    assert {"c3d3", "a3b3", "c3c5d3", "b1c1", "b1b2c1"} <= set(board.legal_moves)
    board.push_move("a1b2")
    assert board.fen() == "sssss/ssssss/2sss2/8/9/3S4/2SSS2/SSSSSS/1SSSS 0 0 w 1"
    assert len(board.legal_actions) == 44


def test_the_torus_of_61_bits():
    """Neighbours are one rotation away, in each direction; the names and numbers are those of the documentation."""
    assert len(hexagon.BIT) == 61
    assert sorted(hexagon.BIT.values()) == list(range(61))
    for cell, bit in hexagon.BIT.items():
        for d, direction in enumerate(DIRECTIONS):
            there = hexagon.BIT.get(step(cell, direction))
            assert (hexagon.HAS[d] >> bit & 1) == (there is not None)
            assert there in (None, (bit + hexagon.STEP[d]) % 61)
    ends = [hexagon.BIT_OF[text] for text in ("a1", "a5", "b1", "c1", "d8", "e1", "e9", "f2", "g9", "h4", "i5", "i9")]
    assert ends == [0, 4, 13, 26, 46, 52, 60, 5, 25, 33, 47, 51]


def test_numbers_of_actions():
    assert get_game("Abalone-v0").num_actions == 1272 == 6 * hexagon.PER_DIRECTION
    assert hexagon.PER_DIRECTION == hexagon.IN_LINE + 2 * (hexagon.PAIRS + hexagon.TRIPLES)
    lengths = [action[2] for action in hexagon.ACTIONS[: hexagon.PER_DIRECTION]]
    assert lengths == [1] * 52 + [2] * 44 + [3] * 36 + [2] * 44 + [3] * 36
    assert len(set(map(plain_text, range(1272)))) == 1272
    assert [plain_text(action) for action in (0, 52, 96, 132, 176, 212)] == [
        "a1a2",
        "a1b2a2",
        "a1c3a2",
        "a1b1a2",
        "a1c1a2",
        "a1b2",
    ]
    for low, high in ((0, 52), (52, 96), (96, 132), (132, 176), (176, 212)):
        rows = [plain_text(action)[0] for action in range(low, high)]
        assert rows == sorted(rows, key="afbgchdie".index)


def plain_text(action):
    return hexagon.move_text(None, action)


LINES = [  # before, after the marble marked by the index moves on; None: it may not
    ("B........", 0, ".B......."),
    ("BB.......", 0, ".BB......"),
    ("BBB......", 0, ".BBB....."),
    ("BBBB.....", 0, None),  # four never move
    ("BBBB.....", 1, "B.BBB...."),
    (".BBW.....", 1, "..BBW...."),
    (".BBBW....", 1, "..BBBW..."),
    (".BBBWW...", 1, "..BBBWW.."),
    (".BBBW....", 2, ".B.BBW..."),  # the two in front push alone
    ("BBBBWW...", 0, None),
    ("BBBBWW...", 1, "B.BBBWW.."),
    (".BW......", 1, None),
    (".BWW.....", 1, None),
    (".BBWW....", 1, None),
    (".BBBWWW..", 1, None),
    ("BBBBWWWW.", 0, None),
    (".BBWB....", 1, None),  # an own marble behind the other's
    (".BBBWWB..", 1, None),
    (".BBBWB...", 1, None),
    ("BBBWBW...", 0, None),
    (".BB.W....", 1, "..BBW...."),  # a gap: no push
    ("....BBBWW", 4, ".....BBBW"),  # off the board, as are the next
    (".....BBBW", 5, "......BBB"),
    ("......BBW", 6, ".......BB"),
    ("...BBBWWW", 3, None),
    (".....BBWW", 5, None),
    (".......BW", 7, None),
    ("......BBB", 6, None),  # one's own stay on
    ("........B", 8, None),
    ("....BBBWB", 4, None),
]


@pytest.mark.parametrize("direction", range(6))
def test_lines_in_each_direction(direction):
    cells = line_in(direction)
    for before, rear, after in LINES:
        men = [" ".join(name(cells[i]) for i in range(9) if before[i] == mark) for mark in "BW"]
        board = placed(*men)
        ahead = cells[rear + 1] if rear < 8 else None
        moves = [m for m in board.legal_moves if ahead is not None and m == name(cells[rear]) + name(ahead)]
        assert bool(moves) == (after is not None), (before, rear)
        if after is None:
            continue
        board.push_move(moves[0])
        now = cells_of(board)
        assert "".join("BW"[now[cell]] if cell in now else "." for cell in cells) == after
        fallen = before.count("W") - after.count("W")
        assert board.position.other_score == fallen
        assert len(now) == 9 - after.count(".")


@pytest.mark.parametrize("direction", range(6))
def test_sideways_into_empty_cells_only(direction):
    """Two and three marbles in the middle, along each other axis; a marble of either colour on any target stops them."""
    for axis in {0, 1, 2} - {direction % 3}:
        for length in (2, 3):
            line = [step((4, 4), DIRECTIONS[axis], i) for i in range(length)]
            targets = [step(cell, DIRECTIONS[direction]) for cell in line]
            text = name(line[0]) + name(line[-1]) + name(targets[0])
            own = " ".join(map(name, line))
            board = placed(own, "")
            assert text in board.legal_moves
            board.push_move(text)
            assert sorted(cells_of(board)) == sorted(targets)
            for target in targets:
                assert text not in placed(own, name(target)).legal_moves
                assert text not in placed(f"{own} {name(target)}", "").legal_moves


def random_board(rng, game):
    """A board with up to 14 (11) marbles a side, anywhere or close together at the bottom."""
    sides = get_game(game).num_seats
    count = rng.randint(1, 14 if sides == 2 else 11)
    among = sorted(map(name, hexagon.BIT))[: rng.choice([61, max(30, sides * count + 3)])]
    cells = rng.sample(among, sides * count)
    return placed(*(" ".join(cells[i::sides]) for i in range(sides)), seat=rng.randrange(sides), game=game)


def agrees_with_twin(board):
    expected = successors(cells_of(board), board.to_play)
    assert sorted(board.legal_moves) == sorted(expected)
    assert len(board.legal_actions) <= board.game.max_legal_actions
    for action in board.legal_actions:
        after, fallen = expected[board.move_text(action)]
        board.push(action)
        assert cells_of(board) == after
        assert board.position.clock == (0 if fallen else 1)
        board.pop()


@pytest.mark.parametrize("game", ["Abalone-v0", "Abalone3-v0"])
def test_moves_agree_with_a_slow_twin_on_random_boards(game):
    rng = random.Random(5)
    for _ in range(12):
        agrees_with_twin(random_board(rng, game))


def test_moves_agree_with_a_slow_twin_in_all_set_ups():
    for setup in get_game("Abalone-v0").setups:
        board = Board("Abalone-v0", setup=setup)
        assert sorted(board.legal_moves) == sorted(successors(cells_of(board), 0))


def test_no_position_overruns_the_buffers():
    """The bound of legal actions, by what n marbles leave room for.

    In line there is at most one action for a marble and a direction. P_a pairs of neighbours along axis a hold at most
    P_a - 1 triples, and n - P_a runs; only the front of a run is free to leave it, so that at most n - P_d marbles are free
    in a direction of axis d: they have at most one pair fewer, and two triples fewer, along another axis a.
    """

    def bound(n):
        return 6 * n + 2 * max(
            sum(
                min(p[a], n - p[d] - 1) + min(max(p[a] - 1, 0), max(n - p[d] - 2, 0))
                for d in range(3)
                for a in range(3)
                if a != d
            )
            for p in np.ndindex(n, n, n)
        )

    assert bound(15) == get_game("Abalone-v0").max_legal_actions
    assert max(marbles for totals in TOTALS for marbles in totals) == 15
    assert bound(11) == get_game("Abalone3-v0").max_legal_actions


def test_six_pushed_off_end_the_game():
    board = placed("e7 e8", "e9 a1", scores=(5, 5), clock=7)
    board.push_move("e7e8")
    assert board.is_terminal
    assert board.legal_actions == []
    assert board.reason is Reason.RULES
    assert board.outcome().winner == 0
    assert board.returns() == [1.0, -1.0]
    assert board.fen().split()[1:5] == ["6", "5", "w", "0"]
    with pytest.raises(IllegalActionError, match="the game is over"):
        board.push_move("a1a2")
    other = placed("e9 a1", "e7 e8", scores=(5, 5), seat=1)
    other.push_move("e7e8")
    assert other.returns() == [-1.0, 1.0]
    assert other.outcome().winner == 1
    five = placed("e7 e8", "e9 a1", scores=(4, 5))
    five.push_move("e7e8")
    assert not five.is_terminal


@pytest.mark.plain(boards=True)
def test_draw_by_the_limit_of_plies_without_a_push():
    board = placed("e1 e2", "e9 h8", clock=198)
    board.play(["e1e2", "h8h9"])
    assert board.position.clock == 200
    assert board.is_terminal
    assert board.reason is Reason.RULES
    assert board.returns() == [0.0, 0.0]
    board = placed("e7 e8", "e9 a1", clock=199)
    board.push_move("e7e8")
    assert not board.is_terminal
    assert board.position.clock == 0
    short = placed("e1 e2", "e9 h8", **STRICT)
    short.play(["e1e2", "h8h9"])
    assert short.is_terminal
    endless = placed("e1", "e9", **ENDLESS)
    for _ in range(100):
        endless.play(["e1e2", "e9e8", "e2e1", "e8e9"])
    assert not endless.is_terminal
    assert endless.position.clock == 1


@pytest.mark.plain(boards=True)
def test_draw_by_repetition():
    shuttle = ["c3d3", "g7f7", "d3c3", "f7g7"]
    board = Board("Abalone-v0")
    board.play(shuttle * 2)
    assert board.is_terminal
    assert board.reason is Reason.REPETITION
    assert board.returns() == [0.0, 0.0]
    never = Board("Abalone-v0", **ENDLESS)
    never.play(shuttle * 5)
    assert not never.is_terminal


@pytest.mark.plain(boards=True)
def test_a_side_without_a_move():
    for options, returns in (({}, [0.0, 0.0]), (STRICT, [-1.0, 1.0])):
        board = Board("Abalone-v0", BLOCKED, **options)
        assert board.is_terminal
        assert board.legal_actions == []
        assert board.returns() == returns
        check_board(board)
    board = Board("Abalone-v0", BLOCKED, **ENDLESS)
    check_board(board)
    assert board.game.num_actions == 1273
    assert board.legal_actions == [1272]
    assert board.legal_moves == ["pass"]
    assert board.action_of(" -- ") == board.action_of("Pass") == 1272
    board.push_move("pass")
    assert board.fen() == BLOCKED.replace("b 0", "w 1")
    assert board.legal_actions[-1] < 1272
    with pytest.raises(IllegalActionError):
        board.push(1272)


@kernel
def end_of(token, row):
    """Whether a position is over, and what it pays the first seat."""
    position = verbs.unpack(token, row)
    return verbs.is_terminal(position), verbs.returns(position, 0)


def test_compiled_rules_know_too_that_a_side_without_a_move_loses():
    """Nothing else compiles these options."""
    for fen, found in ((BLOCKED, (True, -1.0)), (f"{BLOCKED[:-1]}2", (True, 0.0)), (None, (False, 0.0))):
        board = Board("Abalone-v0", fen, compiled=False, **STRICT)
        assert end_of(board.game.token, board.row) == found


@pytest.mark.plain(boards=True)
def test_material_rewards_add_up():
    """The handicap, 2 and 1 marbles at the start, does not pay."""
    rng, paid, pushes = random.Random(3), np.zeros(2), 0
    board = placed("c3 c4 c5 d3 d4 d5 d6 e4 e5 e6 e7 e8", "a1 a2 a3 e9 i5 i9 b1 h9 g9 f9", scores=(1, 2), **UNEVEN)
    assert (board.game.min_return, board.game.max_return) == (-6.0, 6.0)
    planes, mask, rewards = np.empty((9, 9, 9), np.uint8), np.empty(board.game.num_actions, np.int8), np.empty(2)
    while not board.is_terminal:
        before, legal = board.position, board.legal_actions
        shoves = [action for action in legal if verbs_apply(before, action).clock == 0]
        board.push_and_look(rng.choice(shoves or legal), planes, mask, rewards)
        gained = board.position.other_score - before.own_score
        assert rewards[before.seat] == gained == -rewards[1 - before.seat]
        paid += rewards
        pushes += gained
    assert pushes >= 3
    assert board.returns() == paid.tolist()  # however it ended


def verbs_apply(position, action):
    return type(position)(*map(int, plain(verbs.find_rule("apply", type(position)))(position, action)))


@pytest.mark.plain(boards=True)
def test_a_draw_pays_the_balance_where_marbles_pay():
    board = placed("e1 e2", "e9 h8", clock=199, scores=(5, 2), **UNEVEN)
    board.push_move("e1e2")
    assert board.returns() == [4.0, -4.0]
    by_repetition = plain(verbs.find_rule("draw_returns", type(board.position)))
    assert [by_repetition(board.position, seat) for seat in (0, 1)] == [4.0, -4.0]


@pytest.mark.plain(boards=True)
def test_handicap():
    board = Board("Abalone-v0", **UNEVEN)
    assert board.fen() == "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 1 2 b 0"
    assert Board("Abalone-v0", board.fen(), **UNEVEN).fen() == board.fen()
    last = placed("e7 e8", "e9 a1", scores=(5, 4), clock=3, **UNEVEN)
    last.push_move("e7e8")
    assert last.is_terminal
    assert last.returns() == [3.0, -3.0]  # 6 - 1 of the handicap, less 4 - 2


def test_observation_shows_the_board_as_it_is_drawn():
    board = placed("a1 c4", "i9 e1", seat=1, scores=(2, 3), clock=77)
    planes = np.moveaxis(board.observation(), 2, 0)
    assert np.argwhere(planes[0]).tolist() == [[0, 8], [4, 0]]
    assert np.argwhere(planes[1]).tolist() == [[6, 3], [8, 0]]
    assert np.argwhere(planes[2]).tolist() == [[8 - r, c] for r, c in sorted(hexagon.BIT, key=lambda cell: (-cell[0], cell[1]))]
    assert [np.unique(plane).tolist() for plane in planes[3:]] == [[3], [2], [77], [1], [1], [1]]
    planes = np.moveaxis(board.observation(0), 2, 0)
    assert np.argwhere(planes[0]).tolist() == [[6, 3], [8, 0]]
    assert [np.unique(plane).tolist() for plane in planes[3:]] == [[2], [3], [77], [0], [0], [1]]


def test_symmetries():
    """Six turns counter-clockwise, then the mirror; corners and moves go where they should."""
    corners = ["i9", "i5", "e1", "a1", "a5", "e9"]
    bits = [hexagon.BIT_OF[text] for text in corners]
    for k in range(12):
        images = [hexagon.NAME[hexagon.CELL_IMAGES[k][bit]] for bit in bits]
        turned = corners[k % 6 :] + corners[: k % 6]
        mirrored = {"i9": "i5", "i5": "i9", "e1": "e9", "e9": "e1", "a1": "a5", "a5": "a1"}
        assert images == (turned if k < 6 else [mirrored[text] for text in turned])
    third = hexagon.ACTION_IMAGE[3]
    assert plain_text(third[hexagon.TEXTS["a1b2"]]) == "i9h8"
    assert plain_text(third[hexagon.TEXTS["a1a3b1"]]) == "i7i9h7"
    assert (hexagon.ACTION_IMAGE[:, hexagon.PASS] == hexagon.PASS).all()


@pytest.mark.plain(boards=True)
def test_the_heuristic_likes_the_centre_company_and_marbles():
    def value(*marbles, seat=0, **kwargs):
        position = placed(*marbles, **kwargs).position
        return plain(find(position))(position, seat)

    def find(position):
        return verbs.find_rule("heuristic", type(position))

    assert value("e5", "a1") > 0 > value("a1", "e5")
    assert value("e5", "a1") == -value("e5", "a1", seat=1)
    assert value("e5 e6", "e1 e2") > value("e5", "e1")
    assert value("e5", "a1", scores=(0, 1)) < 0 < value("a1", "e5", scores=(1, 0))
    assert value("a1 a2", "i8 i9", scores=(5, 0)) < 1.0
    assert plain(placement)(0) == 0.0
    for material in (value("e5", "a1", scores=(5, 2), **UNEVEN), value("e5", "a1", scores=(5, 0))):
        assert 0.5 < material < 1.0
