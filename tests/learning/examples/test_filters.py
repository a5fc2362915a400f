"""Filters of examples, each on rows that are worked by hand; splits; files that are refused; the command."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from boardgym import Board
from boardgym.baselines.array_files import bytes_of
from boardgym.baselines.learning.examples import (
    Examples,
    ExamplesConfig,
    apply_filters,
    averaged_duplicates,
    generate_examples,
    least_visits,
    load_examples,
    most_visited_duplicates,
    split,
    symmetric_forms,
    winners_decisions,
)
from boardgym.baselines.learning.examples.columns import COLUMNS, EXAMPLES, FILE, header_of, packed, seen_name
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.cli import main
from boardgym.core import verbs
from boardgym.core.errors import OptionError, PositionError, SpecError
from boardgym.core.game import get_game

SPEC = "uct:12,solver=0,choice=max_child"
SETTINGS = ("--policy", SPEC, "--start-games", "3", "--states", "4", "--games-per-state", "1")


def examples_of(*rows, features="planes"):
    """Examples of tic-tac-toe. rows: (moves, utility, visits, result), of the seat that makes the last of the moves."""
    own = mover_map("TicTacToe-v0", features)
    boards = [Board("TicTacToe-v0") for _ in rows]
    for board, row in zip(boards, rows, strict=True):
        board.play(row[0].split())
    seats = np.array([board.last_mover for board in boards])
    values = {"game": range(len(rows)), "ply": 0, "seat": seats, "root": 0, "action": [board.actions[-1] for board in boards]}
    values |= dict(zip(("utility", "visits", "result"), zip(*(row[1:] for row in rows), strict=True), strict=True))
    inputs = np.array([own(board, seat) for board, seat in zip(boards, seats, strict=True)])
    columns = {name: np.broadcast_to(np.array(values[name]), len(rows)).astype(kind) for name, kind in COLUMNS.items()}
    columns |= {seen_name(own): packed(own, inputs), "position": np.array([board.row for board in boards])}
    return Examples(own, header_of(own), columns)


def told(examples, *names):
    return list(zip(*(examples.columns[name].tolist() for name in names), strict=True))


CORNER, TWICE, OTHERS = ("a1", 0.5, 10, 1.0), ("a1", 0.25, 30, -1.0), ("a1 b2", -0.5, 7, 1.0)
MANY = (CORNER, ("b2", 0.75, 40, 0.0), TWICE, OTHERS, ("a1", 0.0, 30, 1.0))


@pytest.mark.parametrize("features", ["planes", "planes(scale=2)"])
def test_filters_by_hand(features):
    many = examples_of(*MANY, features=features)
    assert told(winners_decisions(many), "game") == [(0,), (3,), (4,)]  # the game that was drawn gives none
    assert told(least_visits(many, 30), "game", "visits") == [(1, 40), (2, 30), (4, 30)]
    assert told(most_visited_duplicates(many), "game", "utility", "visits") == [(1, 0.75, 40), (2, 0.25, 30), (3, -0.5, 7)]
    averaged = averaged_duplicates(many)
    mean, result = (10 * 0.5 + 30 * 0.25) / 70, (10 - 30 + 30) / 70
    assert told(averaged, "game", "visits") == [(0, 70), (1, 40), (3, 7)]
    assert averaged.columns["utility"].tolist() == pytest.approx([mean, 0.75, -0.5], abs=1e-15)
    assert averaged.columns["result"].tolist() == pytest.approx([result, 0.0, 1.0], abs=1e-7)
    assert np.array_equal(averaged.inputs(), many.inputs()[[0, 1, 3]])
    both = apply_filters(many, ["winners", "most-visited", "visits=8"])
    assert told(both, "game") == [(4,)]
    assert both.header["filters"] == ["winners", "most-visited", "visits=8"]
    assert many.header["filters"] == []
    for name in many.columns:
        assert both.columns[name].dtype == averaged.columns[name].dtype == many.columns[name].dtype


def test_symmetric_forms_are_the_positions_of_the_board():
    many = examples_of(CORNER, ("b2", 0.75, 40, 0.0), OTHERS, ("a1 b3", 0.0, 1, 0.0))
    forms = symmetric_forms(many)
    assert np.bincount(forms.columns["game"]).tolist() == [4, 1, 4, 8]  # a corner, the middle, both, and none alike
    game, features = get_game("TicTacToe-v0"), mover_map("TicTacToe-v0")
    for number in range(4):
        of_game, wanted = forms.columns["game"] == number, []
        position = game.token.position(many.columns["position"][number])
        for k in range(8):
            image = verbs.transform(position, k)
            if image not in wanted:
                wanted.append(image)
        assert [game.token.position(row) for row in forms.columns["position"][of_game]] == wanted
        for row, image in zip(forms.inputs()[of_game], wanted, strict=True):
            board = Board(game)
            board.set_position(image)
            assert np.array_equal(row, features(board, int(many.columns["seat"][number])))
        assert set(told(forms.take(of_game), "utility", "visits")) == set(
            told(many.take(np.array([number])), "utility", "visits")
        )
    assert len(most_visited_duplicates(forms)) == 17
    bad = many.with_columns({"position": many.columns["position"] * 0 + 511})
    with pytest.raises(PositionError):
        symmetric_forms(bad)


def test_splits_are_drawn_and_sizes_are_those_of_the_study():
    many = examples_of(*[CORNER] * 40)
    train, test = split(many, seed=1)
    assert (len(train), len(test)) == (36, 4)
    assert sorted(told(train, "game") + told(test, "game")) == [(k,) for k in range(40)]
    assert told(test, "game") == sorted(told(test, "game"))
    assert told(split(many, seed=1)[1], "game") == told(test, "game") != told(split(many, seed=2)[1], "game")
    assert [len(part) for part in split(many, (80, 10, 10))] == [32, 4, 4]
    rows = np.zeros(166_529, np.int64)
    assert [len(part) for part in split(many.take(rows))] == [149_876, 16_653]  # table 5.3, Othello, 200 s
    assert [len(part) for part in split(many.take(rows[:160_243]))] == [144_219, 16_024]
    for wrong in ((1.0,), (0.9, 0.0), (0.9, -0.1), (1, float("nan"))):
        with pytest.raises(OptionError, match="shares"):
            split(many, wrong)
    with pytest.raises(OptionError, match="too few"):
        split(many.take(np.arange(3)))


@pytest.mark.parametrize("wrong", ["winner", "visits", "visits=", "visits=1.5", "visits=0", "winners=2", ""])
def test_other_filters_are_refused(wrong):
    with pytest.raises(OptionError):
        apply_filters(examples_of(CORNER), [wrong])


# ---------------------------------------------------------------- files


@pytest.fixture
def path(tmp_path):
    return examples_of(*MANY).save(tmp_path / "some.safetensors")


def test_files_come_back_and_others_can_read_them(path):
    many, found = examples_of(*MANY), load_examples(path, game="TicTacToe", features="planes")
    assert found.header == many.header
    assert all(np.array_equal(found.columns[name], many.columns[name]) for name in many.columns)
    columns = load_file(path)
    assert np.array_equal(np.unpackbits(columns["bits"], axis=1, count=36), many.inputs())
    assert found.save(path.with_name("again")).read_bytes() == path.read_bytes()


def test_files_of_another_game_or_map_are_refused(path):
    for wanted, message in (
        ({"game": "ConnectFour-v0"}, "examples of TicTacToe-v0 {}; expected those of ConnectFour-v0"),
        ({"features": "planes(scale=2)"}, r"over the features 'planes'; expected 'planes\(scale=2.0\)'"),
    ):
        with pytest.raises(SpecError, match=message):
            load_examples(path, **wanted)
    with pytest.raises(SpecError, match="no file"):
        load_examples(path.with_name("nowhere"))
    with pytest.raises(SpecError, match="not all played"):
        load_examples(path.parent)


def test_damaged_files_are_refused(path):
    content = path.read_bytes()
    for wrong in (content[:-1], content[:100], b"", content[:-1] + bytes([content[-1] ^ 1]), b"no file at all" * 50):
        path.write_bytes(wrong)
        with pytest.raises(SpecError, match=path.name):
            load_examples(path)
    save_file({"bits": np.zeros(3, np.uint8)}, path)
    with pytest.raises(SpecError, match="not examples that boardgym wrote"):
        load_examples(path)


@pytest.mark.parametrize(
    ("columns", "header", "message"),
    [
        ({"visits": np.zeros(5, np.int32)}, {}, "visits is int32"),
        ({"visits": np.zeros(4, np.int64)}, {}, "different lengths"),
        ({"bits": np.zeros((5, 4), np.uint8)}, {}, "bits is uint8"),
        ({"position": None}, {}, "position is not there"),
        ({}, {"game": "Chess-v0"}, "Chess-v0"),
        ({}, {"game": "Backgammon-v0"}, "chance"),
        ({}, {"options": {"size": 3}}, "size"),
        ({}, {"features": "tesauro"}, "tesauro"),
        ({}, {"features_version": 2}, "version 2"),
        ({}, {"num_inputs": 35}, "35 inputs"),
        ({}, {"filters": "winners"}, "filters"),
        ({}, {"game": 7}, "game"),
    ],
)
def test_strange_files_are_refused(path, columns, header, message):
    many = examples_of(*MANY)
    arrays = {name: array for name, array in (many.columns | columns).items() if array is not None}
    assert all(len(bytes_of(array)) for array in arrays.values())
    EXAMPLES.write(path, arrays, many.header | header)
    with pytest.raises(SpecError, match=message):
        load_examples(path)


# ---------------------------------------------------------------- the command


def test_forms_of_a_position_stay_on_one_side(tmp_path):
    """Of the nine first moves of tic-tac-toe, four corners are one position, four edges another."""
    config = ExamplesConfig(game="TicTacToe", policy="uct:40,solver=0,choice=max_child", start_games=8, states=0)
    many = generate_examples(config, tmp_path).load()
    for seed in range(3):
        train, test = split(most_visited_duplicates(many), (80, 20), seed=seed, keeps_forms=True)
        learnt = {row.tobytes() for row in symmetric_forms(train).seen}
        assert not learnt & {row.tobytes() for row in symmetric_forms(test).seen}
        assert 0.1 < len(test) / (len(train) + len(test)) < 0.35
    careless = split(most_visited_duplicates(many), (80, 20), seed=0)
    learnt = {row.tobytes() for row in symmetric_forms(careless[0]).seen}
    assert learnt & {row.tobytes() for row in careless[1].seen}


def test_the_winner_is_asked_before_games_are_mixed():
    many = examples_of(*[CORNER] * 4)
    with pytest.raises(OptionError, match="'winners' after 'averaged'"):
        winners_decisions(averaged_duplicates(many))


@pytest.mark.parametrize(
    "words", [["--filter", "visits=0"], ["--split", "90", "0"], ["--split", "90", "10", "--split-seed", "-1"]]
)
def test_what_cannot_be_made_is_refused_before_a_game_is_played(words, tmp_path, capsys):
    assert main(["examples", "TicTacToe", *words, "--out", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "run").exists()


def test_the_command_plays_filters_and_splits(tmp_path, capsys):
    out = tmp_path / "run"
    words = ["examples", "TicTacToe", *SETTINGS, "--out", str(out), "--json"]
    filters = ["--filter", "visits=2", "--filter", "symmetries", "--split", "80", "10", "10", "--split-seed", "3"]
    assert main([*words, *filters]) == 0
    told_of = json.loads(capsys.readouterr().out)
    assert (told_of["games"], told_of["resumed"], told_of["ending"]) == (7, 0, "finished")
    many = load_examples(out)
    sets = split(least_visits(many, 2), (80, 10, 10), seed=3, keeps_forms=True)
    wanted = [symmetric_forms(sets[0]), sets[1], sets[2]]  # a test is of positions as they were played
    for name, one in zip(("train", "validation", "test"), wanted, strict=True):
        found = load_examples(out / f"{name}.safetensors")
        assert all(np.array_equal(found.columns[key], one.columns[key]) for key in one.columns)
        assert found.header == one.header
        assert told_of["files"][str(out / f"{name}.safetensors")] == len(one)
    assert told_of["files"][str(out / FILE)] == told_of["examples"] == len(many)
    assert main([*words, "--filter", "winners"]) == 0  # the same games, another data set
    told_of = json.loads(capsys.readouterr().out)
    assert told_of["resumed"] == 7
    assert told_of["files"][str(out / "filtered.safetensors")] == len(winners_decisions(many))
    assert main(words[:-1]) == 0
    assert str(out / FILE) in capsys.readouterr().out


def test_the_command_says_what_is_wrong(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words, message in (
        (["--filter", "winner"], "winners"),
        (["--split", "100"], "two or three numbers"),
        (["--policy", "uct:5", "--game", "Backgammon"], "chance"),
        (["--scale", "0"], "scale"),
    ):
        assert main(["examples", "--out", "run", "--game", "TicTacToe", *words]) == 2
        assert message in capsys.readouterr().err
        assert not (tmp_path / "run" / FILE).exists()
    assert main(["examples", "TicTacToe", *SETTINGS]) == 0  # a folder of its own
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("tictactoe-examples-")
    assert main(["train", "td", "--game", "TicTacToe", "--out", str(folder)]) == 2
    assert "holds a run of `boardgym examples` on TicTacToe-v0" in capsys.readouterr().err
    assert generate_examples(ExamplesConfig("TicTacToe", SPEC, start_games=3, states=4, games_per_state=1), folder).resumed == 7
