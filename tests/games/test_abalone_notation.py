"""Abalone's position strings, moves, options and drawings, for two players and for three."""

import dataclasses
import random
import re

import pytest

from boardgym import Board, NotationError, OptionError, get_game
from boardgym.core.game import Setup
from boardgym.games.abalone import hexagon
from boardgym.testing import check_game
from tests.games.abalone_twin import PATIENT, UNEVEN, placed

START = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS"
THREE = "ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr"
GAMES = ["Abalone-v0", "Abalone3-v0"]
ALPHABET = "Ssbwr/0123456789 aeiof-.\t\n\x00é٣½\U0001f600"


LATE_GAMES = [("Abalone-v0", {}, 193, 11), *(pytest.param(*case, marks=pytest.mark.plain(boards=True))
              for case in (("Abalone-v0", UNEVEN, 198, 6), ("Abalone3-v0", PATIENT, 297, 4)))]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "clock", "positions"), LATE_GAMES)
def test_laws(game, options, clock, positions):
    """All laws at each position of a few games that soon end by the limit."""
    found = get_game(game, **options)
    names = [name for name in ("standard", "sibe") if name in found.setups]
    late = {name: Setup((found.setups[name].positions[0]._replace(clock=clock),)) for name in names}
    assert check_game(dataclasses.replace(found, setups=late), games=len(late), seed=4) >= positions


def test_move_texts():
    """Along the line: rear and next cell. Sideways: first, last, and where the first goes; either end may be first."""
    board = Board("Abalone-v0")
    read = board.game.parse_move
    for text, same in (("c3d3", " C3D3 "), ("c3c5d3", "c5c3d5"), ("c3c4d3", "c4c3d4"), ("a5a4b5", "a4a5b4")):
        assert read(board.position, text) == read(board.position, same)
    for action in range(board.game.num_actions):
        text = board.move_text(action)
        assert re.fullmatch(r"([a-i][1-9]){2,3}", text)
        texts = [text]
        if len(text) == 6:
            first, last, target = (hexagon.CELL_OF[hexagon.BIT_OF[text[i : i + 2]]] for i in (0, 2, 4))
            there = hexagon.NAME[hexagon.BIT[last[0] + target[0] - first[0], last[1] + target[1] - first[1]]]
            texts.append(text[2:4] + text[:2] + there)
        for one in texts:
            said = read(board.position, one)
            assert said == read(board.position, one.upper())
            is_other = action not in board.legal_actions and said in board.legal_actions  # what it means in the other form
            assert said == action or (len(text) == 6 and is_other)


def test_broadsides_whose_last_cell_is_beside_the_last_marble():
    """Of all moves sideways, from either end of the line; of two moves the legal one is read, else that of tournaments."""
    board = placed("h4 g3 i5", "a1")
    assert board.move_text(board.action_of("h4i5i6")) == "h4i5h5"
    assert board.move_text(board.action_of("g3i5i6")) == "g3i5g4"
    usual, others = {}, []
    for action in hexagon.TEXTS.values():
        direction, axis, length, first = hexagon.ACTIONS[action]
        ends = first, hexagon.neighbour(first, axis, length - 1)
        for one, other in (ends, ends[::-1]) if length > 1 else ():
            targets = [hexagon.NAME[hexagon.neighbour(cell, direction)] for cell in (one, other)]
            line = hexagon.NAME[one] + hexagon.NAME[other]
            usual[line + targets[0]] = action
            others.append((line + targets[1], action))
    assert len(usual) == len(others) == 2 * 6 * 2 * (44 + 36)
    for text, action in others:
        first = usual.get(text, action)
        expected = action if first not in board.legal_actions and action in board.legal_actions else first
        assert board.game.parse_move(board.position, text) == expected
    start = Board("Abalone-v0")
    assert start.move_text(start.action_of("b1b2c2")) == "b1b2c1"  # as in tournaments it would be illegal
    assert sum(text in usual for text, _ in others) == 480  # pairs alone; 1440 moves are read in this form


def test_two_cells_that_are_not_neighbours():
    """From the first marble to where the last arrives: the moves of which one alone does so, and those that it names."""
    board = placed("a1 b2 e3 e4 g5 g6 g7", "d5 h9")
    for text, same in (("a1c3", "a1b2"), (" E3e5 ", "e3e4"), ("e4e2", "e4e3"), ("g5g8", "g5g6"), ("e3f5", "e3e4f4"),
                       ("e4d2", "e3e4d2"), ("g5h8", "g5g7h6"), ("g7f4", "g5g7f4")):  # fmt: skip
        assert board.action_of(text) == board.action_of(same)
    board = placed("e3 e4", "e5 d4")
    assert board.action_of("e3e5") == board.action_of("e3e4")  # a push
    assert board.move_text(board.action_of("e3f4")) == "e3f4"  # neighbours: not e3 and e4 to f3 and f4
    for text in ("e3e6", "e4f6", "e5e3", "e3e3"):
        with pytest.raises(NotationError, match="is no move"):
            board.action_of(text)
    with pytest.raises(NotationError, match="'c3d5' could be 'c3c4d4' or 'c3c5d3'; expected one of these"):
        Board("Abalone-v0").action_of("c3d5")


@pytest.mark.parametrize("game", GAMES)
def test_all_moves_in_two_cells(game):
    """At random positions: what stands for one move alone is read as it, what stands for several names them."""
    board, rng, read = Board(game), random.Random(6), {1: 0, 2: 0}
    for _ in range(40):
        board.push(rng.choice(board.legal_actions))
        moves = {}
        for action in board.legal_actions:
            spots = board.game.drawing.action_spots(board.position, action)
            cells = [hexagon.NAME[hexagon.BY_ROW[spot]] for spot in spots]
            half = len(cells) // 2
            ends = {cells[0] + cells[-1]} if action % 212 < 52 else {cells[0] + cells[half], cells[half - 1] + cells[-1]}
            for text in ends - set(hexagon.TEXTS):
                moves.setdefault(text, []).append(action)
        for text, actions in moves.items():
            if len(actions) == 1:
                assert board.action_of(text) == actions[0]
            else:
                with pytest.raises(NotationError) as caught:
                    board.action_of(text)
                assert all(repr(board.move_text(action)) in str(caught.value) for action in actions)
            read[min(len(actions), 2)] += 1
    assert min(read.values()) > 20


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a1",
        "a1a",
        "a1-b2",
        "pass",
        "--",
        "a6b6",
        "a1c2",
        "a1c3",
        "a1a1",
        "a1a4b1",
        "a1a3a4",
        "a1a2a3",
        "a1b3c4",
        "a1i9b1",
        "a1a3c1",
        "j1i1",
        "a0a1",
        "a1b2c3d4",
        "\uff411b2",
        "a\u0661b2",
    ],
)
def test_unreadable_moves(text):
    for game in GAMES:
        if game == "Abalone3-v0" and text in ("pass", "--"):
            continue
        with pytest.raises(NotationError, match="is no move"):
            Board(game).action_of(text)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the rows, the marbles pushed off by each side"),
        (START, "expected the rows"),
        (f"{START} 0 0 b", "as in 'sssss/"),
        (f"{START} 0 0 b 0 1 1", "expected the rows"),
        (f"{START[:-6]} 0 0 b 0", "has 8 rows; expected 9"),
        (f"{START[1:]} 0 0 b 0", "row i, 'ssss', describes 4 cells; expected 5"),
        (f"{START[:-1]}SS 0 0 b 0", "row a, 'SSSSSS', describes 6 cells"),
        (START.replace("9", "x8") + " 0 0 b 0", "row e, 'x8', has 'x'"),
        (START.replace("9", ".8") + " 0 0 b 0", "row e, '.8', has '.'"),
        (f"{START} 0 0 x 0", "side to play 'x': expected one of 'b', 'w'"),
        (f"{START} 0 0 bw 0", "side to play 'bw'"),
        (f"{START} x 0 b 0", "0 b 0': marbles pushed off by black: 'x' is no number"),
        (f"{START} 0 x b 0", "marbles pushed off by white: 'x' is no number"),
        (f"{START} 0 0 b -1", "plies since a marble was pushed off: '-1' is no number"),
        (f"{START} 0 0 b 0 x", "move number: 'x' is no number"),
        (f"{START} ٣ 0 b 0", "is no number"),
        (f"{START} 0 0 b 201", "'sssss/.* b 201': 201 plies .* at most 200, the option no_push_limit"),
        ("sssss/ssssss/2sss2/8/9/8/2SS3/SSSSSS/SSSSS 0 0 b 0", "13 black and 14 white marbles, .*; expected 14 and 14"),
        ("1ssss/ssssss/2sss2/8/9/8/2SS3/SSSSSS/SSSSS 0 0 b 0", "13 black and 13 white marbles"),
        ("4s/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 3 0 w 0", "14 black and 13 white marbles"),
        (f"{START} 0 0 b 0 of 13-14", "14 black and 14 white marbles, .*; expected 13 and 14"),
        (f"{START.replace('2sss2', '2s4')} 0 0 b 0 of 14-12", "in all: '14-12'; expected one of 12-12, 13-13, 13-14"),
        (f"{START} 0 0 b 0 of", "'of' is no number"),
        (f"{START} 0 0 b 0 of x-14", "in all: 'x-14'; expected one of"),
        (f"{START} 0 0 b of 14-14", "expected the rows"),
        ("of 14-14", "expected the rows"),
        (f"{START} 1 0 b 0", "14 black and 15 white marbles"),
        (f"{START} 7 0 b 0", "black has pushed off 7"),
        (START.replace("9", "S8") + " 0 0 b 0", "15 black and 14 white"),
        (START.replace("2sss2", "2s4") + " 0 0 b 0", "14 black and 12 white"),
        ("sssss/sss3/7/8/9/8/2SSS2/SSSSSS/SSSSS 6 0 b 0", "'b' to play has pushed off 6"),
        ("sssss/sss3/7/8/9/8/2SSS2/SSSSSS/SSSSS 6 0 w 3", "3 plies since a marble was pushed off, which ended"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError, match=message):
        Board("Abalone-v0", fen)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        (f"{THREE} 0 0 b 0", "expected the rows"),
        (f"{THREE} 0 0 x b 0", "marbles pushed off by red: 'x' is no number"),
        (f"{THREE} 0 0 0 b x", "plies since a marble was pushed off: 'x' is no number"),
        (f"{THREE} 0 0 0 b 201", "'ww1bb.*': 201 plies .* at most 200, the option no_push_limit"),
        (f"{THREE} 0 0 0 s 0", "expected one of 'b', 'w', 'r'"),
        (f"{THREE} 1 0 0 b 0", "while they lack"),
        (THREE.replace("w6b", "w7") + " 1 0 0 b 0", "while they lack"),
        (THREE.replace("w6b", "bw5b") + " 0 0 0 b 0", "12 black marbles; expected at most 11"),
        (THREE.replace("rrrrrr", "6") + " 6 0 0 b 0", "expected the next side to play"),
    ],
)
def test_malformed_positions_of_three(fen, message):
    with pytest.raises(NotationError, match=message):
        Board("Abalone3-v0", fen)


def test_position_strings():
    """Those of the web are read, with the move number; the sides are told apart as there."""
    web = Board("Abalone-v0", "SS1ss/SSSsss/1SS1ss1/8/9/8/1ss1SS1/sssSSS/ss1SS 0 0 b 0 1")
    assert web.fen() == "SS1ss/SSSsss/1SS1ss1/8/9/8/1ss1SS1/sssSSS/ss1SS 0 0 b 0"
    assert len(web.legal_actions) == 52
    board = Board("Abalone-v0", "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1")
    assert board.position == Board("Abalone-v0", setup="belgian_daisy").position
    assert board.fen() == "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0"
    assert Board("Abalone-v0", f"{START} 0 0 w 17").to_play == 1
    over = Board("Abalone-v0", "sssss/sss3/7/8/9/8/2SSS2/SSSSSS/SSSSS 6 0 w 0")
    assert over.is_terminal
    assert over.outcome().winner == 0
    assert Board("Abalone-v0", f"{START} 0 0 b 200").is_terminal
    board = Board("Abalone3-v0", THREE.replace("w6b", "w7") + " 0 1 0 r 3 5")
    assert board.to_play == 2
    assert board.fen() == THREE.replace("w6b", "w7") + " 0 1 0 r 3"


@pytest.mark.parametrize(
    "options", [{}, pytest.param(UNEVEN, marks=pytest.mark.plain(boards=True))], ids=["standard", "handicap"]
)
def test_position_strings_of_every_set_up(options):
    """From the start on, through marbles pushed off: those without 14 marbles a side say how many, and must."""
    game, rng = get_game("Abalone-v0", **options), random.Random(7)
    stated, pushed_off = set(), 0
    for setup in game.setups:
        board = Board(game, setup=setup)
        totals = tuple(word.bit_count() for word in board.position[:2])
        ending = "" if totals == (14, 14) else f" of {totals[0]}-{totals[1]}"
        stated.add(ending)
        for _ in range(60):
            text = board.fen()
            assert text.endswith(f"{board.position.clock}{ending}")
            assert game.from_fen(text) == board.position
            if ending:
                with pytest.raises(NotationError, match="expected 14 and 14"):
                    game.from_fen(text.removesuffix(ending))
                assert game.from_fen(text.replace(" of ", " 21 of ")) == board.position
            if board.is_terminal:
                break
            board.push(rng.choice(board.legal_actions))
            pushed_off += board.position.clock == 0
    assert pushed_off > 0
    assert stated == {"", " of 12-12", " of 13-13", " of 13-14", " of 14-13", " of 15-15"}


def test_clocks_from_games_with_another_limit():
    """Without a limit, the clock only says whether it is above 0."""
    for game, text in (("Abalone-v0", f"{START} 0 0 b"), ("Abalone3-v0", f"{THREE} 0 0 0 b")):
        endless = get_game(game, no_push_limit=0)
        assert [endless.from_fen(f"{text} {clock}").clock for clock in (0, 1, 2, 150, 99_999)] == [0, 1, 1, 1, 1]
        short = get_game(game, no_push_limit=1)
        assert short.from_fen(f"{text} 1").clock == 1
        with pytest.raises(NotationError, match="expected at most 1, the option no_push_limit"):
            short.from_fen(f"{text} 2")


def mangled(text, rng):
    """A string with a few characters changed, left out, doubled or put in."""
    letters = list(text)
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(letters) + 1)
        change = rng.randrange(4)
        if change == 0 or at == len(letters):
            letters.insert(at, rng.choice(ALPHABET))
        elif change == 1:
            letters[at] = rng.choice(ALPHABET)
        elif change == 2:
            letters.insert(at, letters[at])
        else:
            del letters[at]
    return "".join(letters)


@pytest.mark.parametrize("game", GAMES)
def test_any_string_is_read_or_refused(game):
    found, rng, accepted = get_game(game), random.Random(2), 0
    names = [name for name in ("standard", "sibe") if name in found.setups]
    board = Board(game)
    for number in range(4_000):
        if board.is_terminal:
            board = Board(game, setup=rng.choice(names))
        if number % 4 == 0:
            board.push(rng.choice(board.legal_actions))
        rows, rest = board.fen().split(" ", 1)
        text = [
            "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(60))),
            "/".join(rng.sample(rows.split("/"), 9)) + " " + rest,
            mangled(board.fen(), rng),
            mangled(board.fen(), rng),
        ][number % 4]
        try:
            position = found.from_fen(text)
        except NotationError:
            continue
        accepted += 1
        assert found.from_fen(found.to_fen(position)) == position
        assert type(position) is found.position_class
    assert accepted > 200


@pytest.mark.parametrize("game", GAMES)
def test_any_move_is_read_or_refused(game):
    found, rng = get_game(game), random.Random(3)
    for _ in range(10_000):
        text = mangled(rng.choice(["a1b2", "a1a3b1", "e5e6", "pass", "c3c4d3"]), rng)
        try:
            action = found.parse_move(found.start, text)
        except NotationError:
            continue
        assert 0 <= action < found.num_actions
        assert found.parse_move(found.start, found.move_text(found.start, action)) == action


@pytest.mark.parametrize(
    ("game", "options"),
    [("Abalone-v0", {name: value}) for name, value in (
        ("repetition_limit", 1), ("repetition_limit", -1), ("repetition_limit", 3.0), ("no_push_limit", -1),
        ("no_push_limit", 32_001), ("no_push_limit", True), ("no_move", "skip"), ("no_move", 0), ("rewards", "marbles"),
        ("lost_black", 6), ("lost_white", -1), ("handicap", 1))]
    + [("Abalone3-v0", {"no_move": "loss"}), ("Abalone3-v0", {"rewards": "material"}), ("Abalone3-v0", {"no_push_limit": -3})],
)  # fmt: skip
def test_options_refused(game, options):
    with pytest.raises(OptionError):
        get_game(game, **options)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["repetition_limit", "no_push_limit"])
def test_limits_beyond_sense(game, name):
    for value in (32_001, 2**31 - 1, -1):
        with pytest.raises(OptionError, match=f"{name}={value}: expected [12] to 32000 "):
            get_game(game, **{name: value})
    with pytest.raises(OptionError, match=f"{name}=1000000000000.*at most"):
        get_game(game, **{name: 10**30})
    assert get_game(game, **{name: 32_000}).options[name] == 32_000


def test_observations_hold_the_clock():
    assert get_game("Abalone-v0", no_push_limit=255).observation_dtype.__name__ == "uint8"
    assert get_game("Abalone-v0", no_push_limit=256).observation_dtype.__name__ == "int16"
    assert get_game("Abalone3-v0", no_push_limit=0).observation_max == 6
    assert get_game("Abalone-v0").observation_max == 200
    assert get_game("Abalone-v0").max_plies == 2200
    assert get_game("Abalone3-v0").max_plies == 3200


def test_text_board():
    board = Board("Abalone3-v0")
    assert board.game.drawing.text(board.position) == [
        "    i O O . X X",
        "   h O O . . X X",
        "  g O O . . . X X",
        " f O O . . . . X X",
        "e O O . . . . . X X",
        " d O . . . . . . X 9",
        "  c . . . . . . . 8",
        "   b V V V V V V 7",
        "    a V V V V V 6",
        "       1 2 3 4 5",
    ]
    assert board.game.drawing.notes(board.position) == ("pushed off: 0 by black, 0 by white, 0 by red",)


@pytest.mark.parametrize("game", GAMES)
def test_drawings_hold_every_cell_once(game):
    drawing = get_game(game).drawing
    assert len(drawing.spots) == 61
    assert len({(spot.row, spot.column) for spot in drawing.spots}) == 61
    for spot in drawing.spots:
        assert drawing.template[spot.row][spot.column] == "."
        assert 20 < spot.x < drawing.size[0] - 20
        assert 20 < spot.y < drawing.size[1] - 20
    distances = [(a.x - b.x) ** 2 + (a.y - b.y) ** 2 for i, a in enumerate(drawing.spots) for b in drawing.spots[:i]]
    assert min(distances) > 63.9**2
    assert sum(d < 64.1**2 for d in distances) == 156  # pairs of neighbours


def test_spots_of_a_move_end_where_it_arrives():
    board = placed("c3 c4 c5", "d5 c6")
    drawing = board.game.drawing
    cells = ["abcdefghi"[8 - spot.row] for spot in drawing.spots]

    def names(text):
        spots = drawing.action_spots(board.position, board.action_of(text))
        return [hexagon.NAME[hexagon.BY_ROW[spot]] for spot in spots]

    assert names("c3c4") == ["c3", "c4", "c5", "c6"]
    assert names("c4c3") == ["c4", "c3", "c2"]
    assert names("c3d3") == ["c3", "d3"]
    assert names("c3c4d3") == ["c3", "c4", "d4", "d3"]
    assert cells[0] == "i"
