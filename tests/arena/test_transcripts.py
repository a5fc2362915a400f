"""Transcripts of other programs: known games, games that OpenSpiel has played, and files that are not right."""

import random
import re
import struct
from pathlib import Path

import pyspiel
import pytest

from boardgym import Board, NotationError, get_game
from boardgym.baselines.arena.formats import read_records
from boardgym.baselines.arena.game_file import read_games, write_game
from boardgym.baselines.arena.transcripts import read_connect4, read_mat, read_othello, read_wthor, write_moves

OTHELLO, CONNECT4, BACKGAMMON = (get_game(name) for name in ("Othello-v0", "ConnectFour-v0", "Backgammon-v0"))
MATCH = Path(__file__).parents[1] / "data" / "records" / "mochizuki_suzuki.mat"
# H. Takizawa, "Othello is solved" (2023), https://arxiv.org/abs/2310.19387, figure 1: perfect play, a draw with 32 discs each
SOLVED = """F5D6C3D3 C4F4F6F3 E6E7D7C5 B6D8C6C7 D2B5A5A6 A7G5E3B4 C8G6G4C2 E8D1F7E2
            G3H4F1E1 F2G1B1F8 G8B3H3B2 H5B7A3A4 A1A2C1H2 H1G2B8A8 G7H8H7H6"""


def openspiel_games(count):
    """(moves without passes, number of passes, discs of black and white at the end) of random games, by OpenSpiel's rules."""
    rng = random.Random(5)
    for _ in range(count):
        state, moves, passes = pyspiel.load_game("othello").new_initial_state(), [], 0
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            passes += action == 64
            moves += [f"{'abcdefgh'[action % 8]}{action // 8 + 1}"] if action < 64 else []
            state.apply_action(action)
        cells = re.findall(r"[-xo]", re.sub(r"(?m)^.*(?:to play|Terminal).*$|[a-h] b|  a.*", "", str(state)))
        yield moves, passes, (cells.count("x"), cells.count("o"))


def discs(record):
    cells = record.replay().fen().split()[0]
    return cells.count("X"), cells.count("O")


def test_the_solved_game():
    (record,) = read_othello("".join(SOLVED.split()), "x", OTHELLO)
    assert len(record.moves) == 60
    assert (record.reason, record.returns, discs(record)) == ("rules", (0.0, 0.0), (32, 32))
    assert list(read_othello(" ".join(SOLVED.split()).lower() + "\n", "x", OTHELLO)) == [record]
    assert write_moves(record) == "".join(SOLVED.split()).lower() + "\n"


def test_passes_that_are_left_out():
    games = list(openspiel_games(60))
    assert sum(passes for _, passes, _ in games) > 20
    records = list(read_othello("".join("".join(moves) + "\n" for moves, _, _ in games), "x", OTHELLO))
    for record, (moves, passes, final) in zip(records, games, strict=True):
        assert record.reason == "rules"
        assert record.moves.count("pass") == passes
        assert discs(record) == final
        assert write_moves(record) == "".join(moves) + "\n"
        for word in ("--", "pa", "PS", "pass"):
            line = "".join(record.moves).replace("pass", word)
            assert list(read_othello(line, "x", OTHELLO)) == [record]


def test_unfinished_lines():
    first, second = read_othello("f5d6\n\n c3 \n".replace("c3", "c4"), "x", OTHELLO)
    assert (first.moves, second.moves) == (("f5", "d6"), ("c4",))
    assert first.reason == second.reason == "unfinished"


def test_connect_four():
    won, unfinished = read_connect4("1212121\n44 53", "x", CONNECT4)
    assert (won.moves, won.returns) == (tuple("1212121"), (1.0, -1.0))
    assert unfinished.moves == ("4", "4", "5", "3")
    assert "".join(map(write_moves, (won, unfinished))) == "1212121\n4453\n"


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_othello, "f5d6\nf5f5", r"x, line 2, column 3: 'f5' is illegal"),
        (read_othello, "f5d", r"x, line 1, column 3: got 'd'; expected a move such as 'f5'"),
        (read_othello, "f5 d9", r"x, line 1, column 4: 'd9' names no cell"),
        (read_othello, "f5--", r"x, line 1, column 3: '--' is illegal"),
        (read_othello, "f5d6 +3", r"x, line 1, column 6: got '\+3'"),
        (read_connect4, "444444\n4444444", r"x, line 2, column 7: '4' is illegal"),
        (read_connect4, "48", r"x, line 1, column 2: '8' is no column"),
        (read_connect4, "12121213", r"x, line 1, column 8: '3' is illegal"),
        (read_connect4, "4x", r"x, line 1, column 2: got 'x'; expected the digit"),
    ],
)
def test_lines_that_are_wrong(read, text, message):
    with pytest.raises(NotationError, match=message):
        list(read(text, "x", CONNECT4 if read is read_connect4 else OTHELLO))


def test_a_transcript_begins_at_the_start():
    (record,) = read_connect4("4453", "x", CONNECT4)
    (later,) = read_games(write_game(record).replace("[X", '[FEN "7/7/7/7/7/3x3 o"]\n[X'))
    with pytest.raises(NotationError, match="begins at the standard start"):
        write_moves(later)


# ------------------------------------------------------------ WTHOR


def wthor(games, *, size=0, kind=0):
    """A file of (moves, score) as the format's description has it."""
    data = struct.pack("<4Bihh4B", 20, 24, 1, 31, len(games), 0, 2001, size, kind, 0, 0)
    for number, (moves, score) in enumerate(games):
        squares = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves)
        data += struct.pack("<3h2B60s", 7, number, 1000 + number, score, score, squares)
    return data


def test_wthor(tmp_path):
    games = [(moves, first + (64 - first - second) * (first > second) + (64 - first - second) // 2 * (first == second))
             for moves, _, (first, second) in openspiel_games(30)]  # fmt: skip
    path = tmp_path / "WTH_2001.wtb"
    path.write_bytes(wthor([*games, (["f5", "d6"], 40), ([], 64)]))
    records = list(read_records(str(path)))
    for record, (moves, score) in zip(records, games, strict=False):
        assert [move for move in record.moves if move != "pass"] == moves
        assert record.tags == {"Event": "WTHOR tournament 7", "Date": "2001", "BlackScore": str(score)}
    assert [len(record.moves) for record in records[-2:]] == [2, 0]
    assert records[0].policies == ("WTHOR player 0", "WTHOR player 1000")
    assert list(read_games("".join(map(write_game, records)))) == records


def test_wthor_with_a_score_that_is_not_the_position():
    moves = re.findall("..", "".join(SOLVED.split()).lower())
    first, second = read_wthor(wthor([(moves, 33), (moves, 32)]), "x.wtb", OTHELLO)
    assert (first.comments, second.comments) == (((60, "the file gives black 33, the moves 32"),), ())
    assert first.returns == (0.0, 0.0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes; a WTHOR file begins with 16"),
        (wthor([(["f5"], 0)])[:-1], "83 bytes; with the 1 games that byte 5 tells of, expected 84"),
        (wthor([], size=10), "size 10, type 0; expected games on 8 x 8"),
        (wthor([], kind=1), "size 0, type 1"),
        (wthor([(["f5"], 0), (["f5", "f5"], 0)]), "game 2: moves, line 1, column 4: 'f5' is illegal"),
        (wthor([(["f5"], 0)])[:25] + b"\x00\x40" + bytes(57), "game 1: no move in place 2, but moves after it"),
        (wthor([(["f5"], 0)])[:24] + b"\xff" + bytes(59), "game 1: moves, line 1, column 1: "),
    ],
)  # fmt: skip
def test_wthor_that_is_wrong(data, message):
    with pytest.raises(NotationError, match=message):
        list(read_wthor(data, "x.wtb", OTHELLO))


# ------------------------------------------------------------ .mat


def test_a_game_of_a_match():
    (record,) = read_records(str(MATCH))
    assert record.policies == ("Mochizuki_Masayouki_(JPN)", "Takumitsu_Suzuki_(JPN)")
    assert record.tags == {"MatchLength": "7", "Round": "1", "Score": "0-0"}
    assert record.moves[:6] == ("2-3", "13/11", "24/21", "5-2", "6/4*", "13/8")  # the higher die of seat 1 begins
    assert [text for _, text in record.comments] == ["x doubles to 2", "o takes"]
    assert record.moves[record.comments[0][0]] == "2-1"
    assert (record.reason, record.returns) == ("rules", (1.0, -1.0))  # points without the cube
    assert list(read_games(write_game(record))) == [record]


def play_at_random(rng):
    """A game as a list of (seat, roll, play), and its record's moves, by the rules of this package."""
    board, turns = Board(BACKGAMMON, auto_roll=False), []
    while not board.is_terminal:
        board.push(rng.choice(board.outcomes)[0])
        seat, roll, plays = board.to_play, board.moves()[-1], []
        while not board.is_terminal and not board.is_chance:
            board.push(rng.choice(board.legal_actions))
            plays.append(board.moves()[-1])
        high_first = "".join(sorted(roll.replace("-", ""), reverse=True))
        turns.append((seat, f"{high_first}: {' '.join(play.partition(':')[0] for play in plays if play != 'pass')}"))
    return board, turns


def test_matches_of_random_games():
    rng, text, boards = random.Random(8), " 5 point match\n", []
    for number in range(1, 11):
        board, turns = play_at_random(rng)
        text += f"\n Game {number}\n A : 0                          B b : 3\n"
        cells = ([""] if turns[0][0] else []) + [turn for _, turn in turns]
        for row in range(0, len(cells), 2):
            text += f"{row // 2 + 1:3d}) {cells[row]:27s} {cells[row + 1] if row + 1 < len(cells) else ''}".rstrip() + "\n"
        points, winner = max(board.returns()), board.returns().index(max(board.returns()))
        text += f"{'' if winner == 0 else ' ' * 28}      Wins {points:.0f} point{'s' * (points > 1)}\n"
        boards.append(board)
    records = list(read_mat(text, "x.mat", BACKGAMMON))
    assert [record.policies for record in records] == [("A", "B b")] * 10
    for record, board in zip(records, boards, strict=True):
        assert record.replay().fen() == board.fen()  # the order of a turn's moves may differ
        assert record.returns == tuple(board.returns())


HEAD = " 3 point match\n\n Game 1\n White : 0      Black : 0\n"


@pytest.mark.parametrize(
    ("turns", "reason", "returns"),
    [
        ("  1) 31: 8/5 6/5                   42: 8/4 6/4\n", "unfinished", (0, 0)),
        ("  1) 31: 8/5 6/5              Doubles => 2\n  2)  Drops\n                    Wins 1 point\n", "dropped", (-1, 1)),
        ("  1) 31: 8/5 6/5\n      Wins 2 points\n", "resigned", (2, -2)),
        ("  1)                               61: 13/7 8/7\n  2) Doubles => 2                    Takes\n"
         "  3) 42: 8/4 6/4                     Wins 4 points\n", "resigned", (-2, 2)),
    ],
)  # fmt: skip
def test_games_that_stop(turns, reason, returns):
    (record,) = read_mat(HEAD + turns, "x", BACKGAMMON)
    assert (record.reason, record.returns) == (reason, returns)
    assert list(read_games(write_game(record))) == [record]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "x, line 1, column 1: 'nonsense'; expected 'Game 1'"),
        (" Game 1\n White\n", "x, line 2, column 2: got 'White'; expected both players"),
        (HEAD + "  1) 33: 8/5 6/5\n", "line 5, column 6: '3-3' is no roll; expected two different dice"),
        (HEAD + "  1) 31: 8/5 6/4\n", "line 5, column 6: '8/5 6/4' is no legal play"),
        (HEAD + "  1) 31: 8/5\n", "line 5, column 6: '8/5' is no legal play"),
        (HEAD + "  1) 31 8/5 6/5\n", "line 5, column 5: '31 8/5 6/5'; expected a roll"),
        (HEAD + "  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n", "line 6, column 6: '31: 8/5 6/5' stands in the column of x"),
        (HEAD + "  1) 31: 8/5 6/5              Doubles => 4\n", "column 31: 'Doubles => 4'; expected a roll, 'Doubles => 2'"),
        (HEAD + "  1) 31: 8/5 6/5                   Takes\n", "'Takes'; expected a roll"),
        (HEAD + "  1) 31: 8/5 6/5              Doubles => 2\n  2) 31: 8/5 6/5\n", "expected 'Takes' or 'Drops' after"),
        (HEAD + "  1) 31: 8/5 6/5\n  Wins 4 points\n", "said to win 4 points, with the cube at 1"),
        (HEAD + "  1) 31: 8/5 6/5\n  Wins 1 point\n  2) 31: 8/5 6/5\n", "line 7, column 6: '31: 8/5 6/5' after the end"),
        (HEAD + "  1) 31: 8/5 6/5   42: 8/4 6/4   31: 8/5\n", "line 5, column 34: '31:'; expected a line to have two columns"),
        (HEAD + "  1) 31: 8/5 6/5\n  hello\n", "line 6, column 1: 'hello'; expected"),
    ],
)  # fmt: skip
def test_matches_that_are_wrong(text, message):
    with pytest.raises(NotationError, match=re.escape(message)):
        list(read_mat(text, "x", BACKGAMMON))


def test_a_result_that_the_moves_contradict():
    text = MATCH.read_text(encoding="utf-8").replace("Wins 2 points", "Wins 4 points")
    with pytest.raises(NotationError, match="said to win 4 points; by the moves it wins 1, with the cube at 2"):
        list(read_mat(text, "x", BACKGAMMON))


def test_mangled_transcripts_are_refused_or_can_be_replayed():
    rng, match = random.Random(9), MATCH.read_text(encoding="utf-8")
    cases = [(read_mat, BACKGAMMON, match), (read_othello, OTHELLO, SOLVED), (read_connect4, CONNECT4, "4453\n1212121\n" * 6)]
    for read, game, text in cases:
        for _ in range(150):
            letters = list(text)
            for _ in range(rng.randint(1, 3)):
                at = rng.randrange(len(letters))
                letters[at : at + rng.choice((0, 1, 1, 20))] = rng.choice(["", *"0123456789 \n:/*)abf-"])
            try:
                records = list(read("".join(letters), "x", game))
            except NotationError:
                continue
            for record in records:
                record.check_outcome(record.replay())


def test_mangled_wthor_files_are_refused_or_can_be_replayed():
    rng = random.Random(10)
    data = wthor([(["f5", "d6", "c3"], 20), (re.findall("..", "".join(SOLVED.split()).lower()), 32)])
    for _ in range(300):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] = rng.randrange(256)
        try:
            records = list(read_wthor(bytes(changed), "x", OTHELLO))
        except NotationError:
            continue
        for record in records:
            record.check_outcome(record.replay())
