"""Records that are cut short, hold what cannot be, or are written in turns of several actions."""

import dataclasses
import json
import math

import pytest
from numba.core import config

from boardgym import Board, NotationError, OptionError, get_game
from boardgym.baselines.arena import record as records
from boardgym.baselines.arena.formats import as_text, read_records, record_format
from boardgym.baselines.arena.game_file import read_games, write_game
from boardgym.baselines.arena.record import GameRecord, read_json, record_of
from boardgym.baselines.arena.record import read_records as read_json_records
from boardgym.core.game import GAMES
from tests.support import counting_compilations


def record_after(*moves, game="TicTacToe", **fields):
    board = Board(game, auto_roll=False)
    board.play(moves)
    return dataclasses.replace(record_of(board, ("a", "b"), deterministic=(False, False)), **fields)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"opening_plies": -1}, "opening_plies: -1; expected 0 to 2"),
        ({"opening_plies": 3}, "opening_plies: 3; expected 0 to 2"),
        ({"comments": [[3, "x"]]}, "comments: one after 3 moves"),
    ],
)
def test_numbers_that_cannot_be_are_refused(changed, message):
    record = record_after("a1", "b1")
    with pytest.raises(NotationError, match=message):
        GameRecord.from_json(json.dumps(record.to_dict() | changed))
    fields = {name: tuple(map(tuple, value)) if name == "comments" else value for name, value in changed.items()}
    with pytest.raises(NotationError, match=message):
        write_game(dataclasses.replace(record, **fields))


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_returns_are_finite(value):
    record = record_after("a1", "b1", returns=(value, 0.0), reason="resigned")
    with pytest.raises(NotationError, match="returns"):
        write_game(record)
    with pytest.raises(NotationError, match="malformed"):
        GameRecord.from_json(record.to_json())


def test_the_opening_counts_rolls():
    board = Board("Backgammon", seed=1)
    while board.ply < 2:
        board.push(board.legal_actions[0])
    count = len(board.actions)
    assert count > board.ply
    record = record_of(board, ("a", "b"), deterministic=(False, False), opening_plies=count)
    assert GameRecord.from_json(record.to_json()) == record
    assert list(read_games(write_game(record))) == [record]


def test_moves_are_kept_as_the_game_writes_them():
    record = record_after("a1", "b1")
    assert GameRecord.from_json(json.dumps(record.to_dict() | {"moves": [" A1\x1c", "B1"]})) == record


@pytest.mark.parametrize("suffix", [".game", ".GAME", ".jsonl", ""])
@pytest.mark.parametrize("cut", [5, -1])
def test_what_stands_before_a_half_written_game_can_be_read(tmp_path, suffix, cut):
    path = tmp_path / f"x{suffix}"
    records = [record_after("a1"), record_after("a1", "b1", comments=((2, "é"),)), record_after()]
    last = record_after("c1", policies=("é", "b"))
    whole = "".join(as_text(record, str(path)) for record in records).encode()
    half = as_text(last, str(path)).encode()
    path.write_bytes(whole + half[: half.index(b"\xc3") + 1 if cut < 0 else cut])  # within a sign, or soon after the start
    for read in [read_records] if suffix.lower() == ".game" else [read_records, read_json_records]:
        found = read(str(path))
        assert [next(found) for _ in records] == records
        with pytest.raises(NotationError, match=r"line \d+"):
            next(found)


def test_errors_before_a_broken_sign_do_not_hide_it(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes((record_after("a1").to_json() + "\n").encode() + b"\xff\n{}")
    with pytest.raises(NotationError, match="line 2: byte 0xff is no UTF-8"):
        list(read_records(str(path)))


@pytest.mark.parametrize("path", ["x.othello", "x.MAT", "x.connect4", "x.wtb"])
def test_records_are_not_appended_under_the_name_of_another_format(path):
    with pytest.raises(NotationError, match=r"records are appended to files in \.game or \.jsonl"):
        as_text(record_after("a1"), path)


def test_a_suffix_may_have_capitals(tmp_path):
    assert [record_format(name) for name in ("x.GAME", "x.game", "x.JSONL", "x", "x.txt")] == ["game", "game", *["json"] * 3]
    path = tmp_path / "X.GAME"
    path.write_text(as_text(record_after("a1"), str(path)), encoding="utf-8")
    assert list(read_records(str(path))) == [record_after("a1")]


@pytest.mark.parametrize("name", ["self", "game", "fen", "options", "seed", "3"])
def test_options_with_the_names_of_arguments_are_unknown(name):
    text = f'[Game "Othello"]\n[Options "{name}=3"]\n*\n'
    with pytest.raises(NotationError, match=f"x, line 2, column 10: tag Options: Othello-v0 has no option '{name}'"):
        list(read_games(text, "x"))
    with pytest.raises(NotationError, match=f"no option '{name}'"):
        list(read_json(json.dumps(record_after(game="Othello").to_dict() | {"options": {name: 3}}), "x"))


def both(position, text):
    """Two moves with a plus between them are one turn."""
    game = get_game("TicTacToe")
    actions = []
    for move in text.split("+"):
        actions.append(game.parse_move(position, move))
        position = Board.from_fen(game.to_fen(position), game).position
    return tuple(actions)


def test_turns_of_several_actions(monkeypatch):
    turns = dataclasses.replace(get_game("TicTacToe"), name="Turns", parse_turn=both)
    monkeypatch.setitem(GAMES, "Turns", turns)
    text = '[Game "Turns"]\n[OpeningPlies "2"]\n{start} a1+b1 {two} a2 b2+a3 {five} 1-0\n'
    (record,) = read_games(text)
    assert record.moves == ("a1", "b1", "a2", "b2", "a3")
    assert record.comments == ((0, "start"), (2, "two"), (5, "five"))
    assert record.opening_plies == 2
    assert list(read_games(write_game(record))) == [record]
    with pytest.raises(NotationError, match=r"line 3, column 9: action 6 \(a1\) is illegal"):
        list(read_games(text.replace("a1+b1", "a1+a1")))
    with pytest.raises(NotationError):  # in JSON each action is a move
        GameRecord.from_json(json.dumps(record.to_dict() | {"moves": ["a1+b1", "a2", "b2", "a3"]}))


def test_turns_of_the_games():
    opening = "d6 d2 g7 b4 f6 f2 b2 d1 d3 e3 c5 d7 f4 a7 g4 c3"
    (record,) = read_games(f'[Game "NineMensMorris"]\n{opening} b6xd1 {{a mill}} *\n')
    assert record.moves == (*opening.split(), "b6", "xd1")
    assert record.comments == ((18, "a mill"),)
    (record,) = read_games('[Game "Backgammon"]\n1. 3-1 "8/5 6/5" 6-6 "24/18(2) 13/7(2)" {both} 2. 1-2 *\n')
    plays = ["3-1", *sorted(record.moves[1:3]), "6-6", *sorted(record.moves[4:8]), "1-2"]  # within a play, the order is free
    assert plays == ["3-1", "6/5", "8/5", "6-6", "13/7", "13/7", "24/18", "24/18", "1-2"]
    assert len(record.moves) == len(plays)
    assert record.comments == ((8, "both"),)
    assert list(read_games(write_game(record))) == [record]


def test_moves_with_brackets_need_no_quotes():
    (record,) = read_games('[Game "Backgammon"]\n3-1 {made by hand} "8/5" *\n')
    text = write_game(record)
    assert list(read_games(text)) == [record]
    with pytest.raises(NotationError, match=r"'8/5\(9\)'"):
        list(read_games(text.replace("8/5", "8/5(9)")))


def test_a_file_of_many_variants_has_nothing_compiled(monkeypatch):
    monkeypatch.setattr(records, "_VARIANTS", set())
    games = [get_game("Abalone", repetition_limit=1000 + k) for k in range(6)]
    games += [get_game("ConnectFour", width=4 + k, height=7) for k in range(3)]
    games += [get_game("Abalone3", no_push_limit=1000 + k) for k in range(3)]
    with counting_compilations() as compiled:
        made = []
        for game in games:
            board = Board(game, compiled=False)
            while board.ply < 8:
                board.push(board.legal_actions[-1])
            seats = range(game.num_seats)
            made.append(record_of(board, tuple("abc"[i] for i in seats), deterministic=tuple(False for _ in seats)))
        text = "\n".join(record.to_json() for record in made)
        assert list(read_json(text, "x")) == made
        assert list(read_games("\n".join(map(write_game, made)))) == made
    assert compiled == []
    assert len(records._VARIANTS) == len(games)


def test_variants_of_files_are_few_in_one_process(monkeypatch):
    monkeypatch.setattr(records, "_VARIANTS", set())
    boards = [Board("ConnectFour", width=4 + k, height=9, compiled=False) for k in range(3)]
    made = [record_of(board, ("a", "b"), deterministic=(False, False)) for board in boards]
    text = write_game(made[2])
    monkeypatch.setattr(records, "_VARIANTS", set())
    monkeypatch.setattr(records, "MOST_VARIANTS", 2)
    for record in (*made[:2], *made[:2], record_after("a1")):
        assert GameRecord.from_json(record.to_json()) == record
    with pytest.raises(OptionError, match="have named 2 other variants"):
        GameRecord.from_json(made[2].to_json())
    with pytest.raises(NotationError, match=r"tag .*: ConnectFour-v0 with .*have named 2 other variants"):
        list(read_games(text))


def test_what_is_compiled_already_is_used_for_files():
    board = Board("ConnectFour", width=5, height=4)
    board.play(["1", "2"])
    record = record_of(board, ("a", "b"), deterministic=(False, False))
    assert record.replay() == board
    assert record.replay().is_plain == bool(config.DISABLE_JIT)
