"""The game file: nothing is lost, what is cut short or contradicts itself is refused, and errors name the place."""

import dataclasses
import json
import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardgym
from boardgym import Board, BoardgymError, NotationError, get_game
from boardgym.baselines.arena.formats import as_text, read_records, write_records
from boardgym.baselines.arena.game_file import read_games, result_words, rounds_of, seat_tags, write_game
from boardgym.baselines.arena.record import GameRecord, record_of
from boardgym.core.game import GAMES
from boardgym.core.verbs import CHANCE
from tests.support import ROOT

SIZES = [("Othello-v0", {"size": 4}), ("ConnectFour-v0", {"width": 9, "height": 5})]
MOST_PLIES = 150
COMMENTS = ("plain", "brace } and \\ backslash", "two\nlines; [Tag] 1-0", "é \u2028 \xa0 \x00 \U0001f600")


def as_parameter(case, *marks):
    return pytest.param(case, id=case[0] + "".join(map(str, case[1].values())), marks=marks)


every_case = pytest.mark.parametrize(
    "case",
    [
        *(as_parameter((name, {})) for name in boardgym.list_games()),
        *(as_parameter(case, pytest.mark.plain(boards=True)) for case in SIZES),
    ],
)


def played(game, rng, *, most=MOST_PLIES, moves=()):
    """A board after random moves and rolls, to the game's end or `most` of them."""
    board = Board(game, auto_roll=False)
    board.play(moves)
    while not board.is_terminal and len(board.actions) < most:
        board.push(rng.choice([outcome for outcome, _ in board.outcomes] or board.legal_actions))
    return board


def recorded(board, **fields):
    seats = board.game.num_seats
    record = record_of(board, tuple(f"policy {seat}" for seat in range(seats)), deterministic=(True,) + (False,) * (seats - 1))
    return dataclasses.replace(record, **fields)


def records_of(game, rng):
    """Finished, unfinished, with everything that a record may hold."""
    yield recorded(played(game, rng))
    yield recorded(played(game, rng, most=0), seed=0)
    yield recorded(played(game, rng, most=7), seed=2**64 - 1, opening_plies=1, policies=("?",) * game.num_seats)
    board = played(game, rng, most=9)
    comments = tuple((rng.randrange(len(board.actions) + 1), text) for text in COMMENTS)
    tags = {"Event": 'A "quoted" \\ name', "Date": "1974", "Note": "tab\t, line\n, sign \x7f"}
    yield recorded(board, comments=tuple(sorted(comments, key=lambda comment: comment[0])), tags=tags)
    for seat in range(game.num_seats):
        fields = {"deterministic": (False,) * game.num_seats, "forfeit": (seat, "ValueError: no [\n] move"), "seed": 3}
        yield record_of(played(game, rng, most=3), ("a", "b", "c")[: game.num_seats], **fields)
    yield record_of(
        played(game, rng, most=3), ("a", "b", "c")[: game.num_seats], deterministic=fields["deterministic"], capped=True
    )
    start = Board(game, played(game, rng, most=4).fen(), auto_roll=False)
    start.push(([outcome for outcome, _ in start.outcomes] or start.legal_actions)[0])
    yield recorded(start)


def test_many_comments_take_time_in_proportion():
    """Once 60,000 took over 100 s; eight times as many lines may take sixteen times as long on a busy machine."""
    board = played(get_game("ConnectFour"), random.Random(3))

    def seconds(count):
        plies = sorted(k % (len(board.actions) + 1) for k in range(count))
        record = recorded(board, comments=tuple((ply, f"comment {k}") for k, ply in enumerate(plies)))
        started = time.process_time()
        (again,) = read_games(write_game(record))
        spent = time.process_time() - started
        assert again == record
        return spent

    seconds(10)
    assert seconds(24_000) < 16.0 * min(seconds(3_000) for _ in range(3)) + 0.5


@every_case
def test_nothing_is_lost(case):
    game, rng = get_game(case[0], **case[1]), random.Random(1)
    records = list(records_of(game, rng))
    texts = [write_game(record) for record in records]
    for record, text in zip(records, texts, strict=True):
        assert list(read_games(text)) == [record]
        assert write_game(record) == text
        assert GameRecord.from_json(record.to_json()) == record
        assert list(read_games(text.replace("\n", "\r\n"))) == [record]
    assert list(read_games("".join(texts))) == records
    assert list(read_games("".join(texts).rstrip())) == records


@every_case
def test_no_part_of_a_game_is_a_game(case):
    game = get_game(case[0], **case[1])
    text = write_game(recorded(played(game, random.Random(2), most=20), comments=((2, "a \\} b"),))).rstrip()
    for end in range(1, len(text)):
        with pytest.raises(NotationError, match=r"^x, line \d+, column \d+: "):
            list(read_games(text[:end], "x"))


@every_case
def test_mangled_files_are_refused_or_can_be_replayed(case):
    game, rng = get_game(case[0], **case[1]), random.Random(3)
    texts = [write_game(record) for record in records_of(game, rng)]
    read = 0
    for _ in range(400):
        text = list(rng.choice(texts))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 1, 5))] = rng.choice(["", *'"\\{}[];\n 19.-*/', "1-0", "1.", "\ud800", "٣"])
        try:
            records = list(read_games("".join(text)))
        except NotationError:
            continue
        read += bool(records)
        for record in records:
            board = record.replay()
            assert board.moves() == list(record.moves)
            assert board.is_terminal == (record.reason in ("rules", "repetition"))
            record.check_outcome(board)
            record.check_seats()
    assert 0 < read < 400


@given(text=st.text(), at=st.integers(0, 2))
@settings(max_examples=200, deadline=None)
def test_any_text_of_comments_and_tags(text, at):
    board = played(get_game("TicTacToe"), random.Random(4), most=2)
    comments = ((at, text.strip()),) if text.strip() else ()
    record = recorded(board, comments=comments, tags={"Note": text}, policies=(text, "b"))
    assert list(read_games(write_game(record))) == [record]


GAME = """[Game "TicTacToe-v0"]
[X "a"]
[O "b"]
[Result "1-0"]

1. a1 b1 2. a2 {first
second} c1
3. a3 1-0
"""


def test_what_people_write():
    (record,) = read_games(GAME)
    assert record.moves == ("a1", "b1", "a2", "c1", "a3")
    assert record.comments == ((3, "first\nsecond"),)
    loose = '\ufeff; before\n[Game   "TicTacToe"]   ; no version\n{ more }\n[Player0 "x"]1.a1 1... b1;aside {\na2 c1 3.a3 1-0'
    (record,) = read_games(loose)
    assert record.moves == ("a1", "b1", "a2", "c1", "a3")
    assert record.comments == ((0, "before"), (0, "no version"), (0, "more"), (2, "aside {"))
    assert record.policies == ("?", "?")
    assert record.tags == {"Player0": "x"}
    assert (record.reason, record.returns, record.game) == ("rules", (1.0, -1.0), "TicTacToe-v0")
    assert list(read_games("")) == list(read_games(" \n\n")) == []


def test_the_game_of_the_page():
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```\n(\[Game.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    (record,) = read_games(text)
    assert record.comments == ((2, "the usual\nreply"), (3, "to be continued"))
    assert (record.options, record.tags, record.seed) == ({"size": 6}, {"Event": "A club evening"}, 5)


MISTAKES = [
    ("[Game", "[Gane", "line 6, column 1: got '1. a1 b1 2. a2 {first'; expected a game's tags"),
    ('[Game "TicTacToe-v0"]', "", "line 6, column 1: got '1. a1 b1 2. a2 {first'; expected a game's tags"),
    ("TicTacToe-v0", "TikTakTo-v0", "line 1, column 7: tag Game: no game 'TikTakTo-v0'; did you mean 'TicTacToe-v0'"),
    ('[X "a"]', '[X a"]', "line 2, column 4: tag X, got 'a\"]'; expected its value in double quotes"),
    ('[X "a"]', '[X "a]', "line 2, column 4: tag X breaks off: expected '\"' at its end, on the same line"),
    ('[X "a"]', '[X "a"', "line 2, column 7: tag X, got ''; expected ']'"),
    ('[X "a"]', '[X "a\\q"]', "line 2, column 6: tag X has '\\\\q\"]'; expected"),
    ('[X "a"]', '[X "a\\u12"]', "line 2, column 6: tag X has"),
    ('[X "a"]', "[ ]", "line 2, column 2: got ' ]' after '['; expected a tag"),
    ('[X "a"]', '[X "a"]\n[X "c"]', "line 3, column 1: tag X is given twice"),
    ('[X "a"]', '[FEN "nonsense"]', "line 2, column 6: tag FEN: "),
    ('[X "a"]', '[Options "size=6"]', "line 2, column 10: tag Options: TicTacToe-v0 has no option 'size'"),
    ('[X "a"]', '[Options "size"]', "line 2, column 10: tag Options: 'size': expected each option once"),
    ('[X "a"]', '[Options "\'"]', "line 2, column 10: tag Options: No closing quotation"),
    ('[X "a"]', '[Seed "-1"]', "line 2, column 7: tag Seed: '-1'; expected a whole number"),
    ('[X "a"]', f'[Seed "{2**64}"]', "tag Seed: '18446744073709551616'; expected a whole number"),
    ('[X "a"]', '[OpeningPlies "6"]', "line 2, column 15: tag OpeningPlies: '6'; expected a number from 0 to 5"),
    ('[X "a"]', '[Returns "1"]', "line 2, column 10: tag Returns: '1'; expected 2 numbers"),
    ('[X "a"]', '[Returns "1 nan"]', "tag Returns: '1 nan'; expected 2 numbers"),
    ('[X "a"]', '[Returns "-1 1"]', "line 8, column 7: result '1-0' contradicts the returns -1.0 1.0"),
    ('[X "a"]', '[Returns "1 -2"]', "line 8, column 7: returns: [1.0, -2.0]; the moves lead to [1.0, -1.0]"),
    ('[X "a"]', '[Deterministic "yes no"]', "tag Deterministic: 'yes no'; expected 'true' or 'false'"),
    ('[X "a"]', '[Forfeit "Z"]', "tag Forfeit: 'Z'; expected X or O"),
    ('[X "a"]', '[Reason "cap"]', "line 8, column 7: reason: 'cap'; expected 'rules'"),
    ('[Result "1-0"]', '[Result "0-1"]', "line 4, column 9: tag Result: '0-1'; expected '1-0', which stands after the moves"),
    ("second}", "second", "line 6, column 16: the comment breaks off: expected '}'"),
    ("second}", "sec\\ond}", "line 7, column 4: the comment has '\\\\ond} '; expected"),
    ("2. a2", "2. a1", "line 6, column 13: 'a1' is illegal in TicTacToe-v0 at"),
    ("2. a2", "2. d9", "line 6, column 13: 'd9' names no cell"),
    ("2. a2", "3. a2", "line 6, column 10: number 3. before a move of round 2; is a move missing"),
    (
        "2. a2",
        "2. (a2",
        "line 6, column 13: the game breaks off, got '(a2 {first'; expected a move, or a result: 1-0, 0-1, 1/2-1/2, *",
    ),
    ("b1 2. a2", "2. a2", "line 6, column 7: number 2. before a move of round 1"),
    ("1-0\n", "", "line 8, column 7: the game breaks off, but the file ends; expected a move, or a result"),
    ("1-0\n", "0-1\n", "line 8, column 7: result '0-1', but by the moves the game is over: expected '1-0'"),
    ("1-0\n", "*\n", "line 8, column 7: result '*', but by the moves the game is over: expected '1-0'"),
    ("3. a3 1-0\n", "1-0\n", "line 8, column 1: result '1-0', but after the last move the game goes on, at"),
    ("1-0\n", "1-0\n{after}", "line 9, column 1: a comment that no game follows"),
    ("1-0\n", "1-0\nstray", "line 9, column 1: got 'stray'; expected a game's tags"),
    ("1-0\n", '[Game "TicTacToe"]', "line 8, column 7: the game breaks off, got '[Game"),
]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES, ids=[message[:40] for *_, message in MISTAKES])
def test_mistakes_name_the_place(old, new, message):
    text = GAME if "Result" in old else GAME.replace('[Result "1-0"]', '[Note ""]')
    assert old in text
    head, _, tail = text.rpartition(old)
    with pytest.raises(NotationError) as caught:
        list(read_games(head + new + tail))
    assert message.replace("\\\\", "\\") in str(caught.value).replace("\\\\", "\\")


def test_a_result_without_an_end_needs_a_reason():
    text = '[Game "TicTacToe-v0"]\n[Reason "resigned"]\n1. a1 {o gives up} 1-0\n'
    (record,) = read_games(text)
    assert (record.reason, record.returns) == ("resigned", (1.0, -1.0))
    with pytest.raises(NotationError, match="the game goes on"):
        list(read_games(text.replace("1-0", "*")))
    with pytest.raises(NotationError, match="the game goes on"):
        list(read_games(text.replace("resigned", "rules")))
    (record,) = read_games(text.replace("1-0", "1/2-1/2"))
    assert record.returns == (0.0, 0.0)


def test_json_that_contradicts_itself_is_refused():
    (record,) = read_games(GAME)
    for changed in ({"returns": [0.0, 0.0]}, {"reason": "cap"}, {"moves": record.moves[:-1]}, {"comments": [[6, "x"]]}):
        with pytest.raises(NotationError, match=r"returns|reason|comment"):
            GameRecord.from_json(json.dumps(record.to_dict() | changed))
    with pytest.raises(NotationError):
        write_game(dataclasses.replace(record, returns=(0.0, 0.0)))


def test_what_a_game_file_cannot_hold_is_refused():
    (record,) = read_games(GAME)
    for name in ("Game", "X", "no name", "", "1"):
        with pytest.raises(NotationError, match="expected letters, digits"):
            write_game(dataclasses.replace(record, tags={name: "x"}))
    with pytest.raises(NotationError, match="half a character"):
        write_game(dataclasses.replace(record, message="\ud800"))


ODD = ("1-0", "*", "4.", "a b", 'q"\\', "[x", "{", "1", "x\ny")


def test_moves_that_look_like_something_else(monkeypatch):
    """A user's game may write its moves in any way."""
    usual = get_game("TicTacToe")
    odd = dataclasses.replace(
        usual,
        name="OddMoves",
        move_text=lambda position, action: ODD[action],
        parse_move=lambda position, text: ODD.index(text),
    )
    monkeypatch.setitem(GAMES, "OddMoves", odd)
    for seed in range(20):
        record = recorded(played(odd, random.Random(seed)))
        text = write_game(record)
        assert list(read_games(text)) == [record]


def test_results_of_any_number_of_seats():
    assert list(result_words(1).values()) == ["1"]
    assert list(result_words(2).values()) == ["1-0", "0-1", "1/2-1/2"]
    assert result_words(3)[(1,)] == "0-1-0"
    assert result_words(3)[(0, 2)] == "1/2-0-1/2"
    assert result_words(3)[(0, 1, 2)] == "1/3-1/3-1/3"


def test_rounds():
    assert rounds_of([0, 1, 0, 1, 0]) == [1, 1, 2, 2, 3]
    assert rounds_of([1, 0, 1]) == [1, 2, 2]
    assert rounds_of([0, 0, 1, 1, 0]) == [1, 1, 1, 1, 2]  # a seat may act several plies running
    assert rounds_of([0, 1, 2, 0, 2, 0]) == [1, 1, 1, 2, 2, 3]
    assert rounds_of([CHANCE, 1, 1, CHANCE, 0, CHANCE, 1, CHANCE]) == [1, 1, 1, 2, 2, 2, 2, 0]  # a roll goes with its turn


def test_seats_are_called_by_their_names():
    assert seat_tags(get_game("Othello")) == ["Black", "White"]
    othello = dataclasses.replace(get_game("Othello"), seat_names=())
    assert seat_tags(othello) == ["Player0", "Player1"]
    assert seat_tags(dataclasses.replace(othello, seat_names=("Seed", "é"))) == ["Player0", "Player1"]


def test_files(tmp_path):
    (record,) = read_games(GAME)
    path = tmp_path / "x.game"
    write_records([record, record], str(path))
    assert list(read_records(str(path))) == [record, record]
    assert [file.name for file in tmp_path.iterdir()] == ["x.game"]
    path.write_text(path.read_text() + as_text(record, str(path)), encoding="utf-8")
    assert list(read_records(str(path))) == [record] * 3
    other = tmp_path / "no suffix"
    for text in (GAME, "\n" + record.to_json()):
        other.write_text(text, encoding="utf-8")
        assert list(read_records(str(other))) == [record]
    other.write_bytes(b"[\n\xff")
    with pytest.raises(NotationError, match="line 2: byte 0xff"):
        list(read_records(str(other)))
    other.write_text("abc", encoding="utf-8")
    with pytest.raises(NotationError, match="line 1: neither the start of a game file nor JSON"):
        list(read_records(str(other)))
    with pytest.raises(BoardgymError, match=r"no suffix, game 1: of TicTacToe-v0; the format 'othello'"):
        write_records([record], str(other), "othello")
    with pytest.raises(NotationError, match="are only read; expected one of game, json"):
        write_records([record], str(tmp_path / "x.mat"))
