"""What stands between GNU Backgammon's library and our boards, as far as it goes without the library; points of pairs."""

import dataclasses
import json
import sys

import pytest

from benchmarks import backgammon as bg
from benchmarks import backgammon_peers as peers
from boardgym import Board, OptionError, UnsupportedGameError
from boardgym.baselines import make_policy
from boardgym.baselines.learning import runs
from boardgym.baselines.learning.agent_files import read_agent_header
from boardgym.baselines.learning.td.agent import load_network_agent
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.studies.abalearn.complexity import turn_ends


def rolled(fen):
    return Board("Backgammon", fen, auto_roll=False)


def test_their_board():
    """The other's points and bar, then those of the side to play, each in its own numbers; men off are left out."""
    board = rolled("-b----E-C---eE---c-d---aAA x 31")  # O: 2 on its 24, 5 on its 13 ...; X: one on the 24, one on the bar
    other, own = peers.their_board(board.position)
    assert (len(other), len(own)) == (25, 25)
    assert {k: men for k, men in enumerate(own) if men} == {5: 5, 7: 3, 12: 5, 23: 1, 24: 1}
    assert {k: men for k, men in enumerate(other) if men} == {1: 1, 5: 4, 7: 3, 12: 5, 23: 2}


@pytest.mark.parametrize(
    ("fen", "steps", "moves"),
    [
        ("-b----E-C---eE---c-e----B- x 31", [(8, 5), (6, 5)], {"8/5", "6/5"}),
        ("-b----E-C---eE---c-e----AA x 31", [(25, 22), (24, 23)], {"bar/22", "24/23"}),
        ("--A--A-----------------bb- x 65", [(5, 0), (2, 0)], {"5/off", "2/off"}),
        ("c--------N---------bbbbbbA x 65", [], {"pass"}),
    ],
)
def test_steps_of_theirs_are_actions_of_ours(fen, steps, moves):
    board = rolled(fen)
    for action in peers.actions_of(board.position, steps):
        text = board.move_text(action)
        board.push(action)
        moves = moves - {text}
    assert moves == set()
    assert board.is_chance or board.to_play == 1 or board.is_terminal


def test_a_peer_plays_whole_turns(monkeypatch):
    """Its play is asked for once a turn, from the position after the roll, in whatever order the men go."""
    asked = []

    def steps(position, first, second):
        asked.append((position, first, second))
        return [(8, 5), (6, 5)]

    monkeypatch.setitem(peers.STEPS, "pubeval", steps)
    peer, board = peers.Peer("pubeval"), Board("Backgammon", auto_roll=False)
    board.push_move("3-1")
    start = board.position
    while not board.is_chance:
        board.push(peer.act(board))
    assert asked == [(start, 3, 1)]
    assert board.fen() == "-b---BD-B---eE---c-e----B- o -"
    for dice in ("1", "66", "666"):
        with pytest.raises(UnsupportedGameError, match="another has begun"):
            peer.act(rolled(f"-b----E-C---eE---c-e----B- x {dice}"))


def test_ends_of_a_turn():
    """Each end once: seven ways to play 6-5 at the beginning, one to come in against a board that is nearly closed."""
    board = rolled("-b----E-C---eE---c-e----B- x 65")
    assert len(peers.our_ends(board)) == len(turn_ends(board)) == 7
    other, own = peers.end_of(board.position, peers.actions_of(board.position, [(24, 18), (18, 13)]))
    assert (other, own) in peers.our_ends(board)
    assert (own[23], own[12]) == (1, 6)
    assert list(other) == peers.their_board(board.position)[0]


def test_random_positions_are_such_with_a_roll():
    positions = peers.random_positions(40, seed=3)
    assert positions == peers.random_positions(40, seed=3) != peers.random_positions(40, seed=4)
    assert len(set(positions)) == 40
    assert all(len(peers.dice_of(position)) in (2, 4) for position in positions)
    assert {position.seat for position in positions} == {0, 1}


def test_points_of_pairs():
    """Mean 1/2, variance 5/3 with three degrees of freedom: 1.96 sqrt(5/12)."""
    found = bg.estimate([2.0, -1.0, 0.0, 1.0])
    assert found == {"games": 8, "points": 0.5, "half": pytest.approx(1.96 * (5.0 / 12.0) ** 0.5)}


def test_points_go_on_where_they_were(tmp_path):
    """Blocks that a file holds are not played again, and the whole is the same as at once."""
    whole = bg.points(tmp_path / "whole.json", "random", "random", 8, 4, 7)
    assert bg.points(tmp_path / "parts.json", "random", "random", 4, 4, 7) == whole[:2]
    assert bg.points(tmp_path / "parts.json", "random", "random", 8, 4, 7) == whole
    with pytest.raises(OptionError, match=r"--block 2: .* holds games with --block 4; expected that"):
        bg.points(tmp_path / "parts.json", "random", "random", 8, 2, 7)
    with pytest.raises(OptionError, match=r"--dice 8: .* holds games with --dice 7; expected that"):
        bg.points(tmp_path / "parts.json", "random", "random", 8, 4, 8)
    assert bg.points(tmp_path / "parts.json", "no such player", "random", 8, 4, 7) == whole  # nothing is left to play


SMALL = bg.Settings(hidden=(2,), episodes=6, marks=(0, 2, 6), games=4, curve_games=4, block=4)


@pytest.fixture
def config(monkeypatch):
    """A training of six games of Tic-tac-toe, whose kernels other tests want too."""
    monkeypatch.setattr(bg, "GAME", "TicTacToe-v0")
    return bg.config_of(SMALL, "tanh", 2, 1)


def weights(config, games):
    return NetworkTrainer(config).run(until=games).net.weights.tolist()


def test_the_network_of_a_mark_is_that_after_so_many_games(config, tmp_path):
    for mark in SMALL.marks:
        bg.train(config, tmp_path, mark)
        kept = bg.agent_file(tmp_path, mark)
        assert load_network_agent(kept).net.weights.tolist() == weights(config, mark)
        assert read_agent_header(kept)["episodes"] == mark
    with pytest.raises(
        OptionError, match="trained for 6 games, and the network after 3 was not kept; expected marks from 6 on"
    ):
        bg.train(config, tmp_path, 3)
    assert not bg.agent_file(tmp_path, 3).exists()
    bg.train(config, tmp_path, 2)  # is there
    with pytest.raises(OptionError, match="seed"):
        bg.train(bg.config_of(SMALL, "tanh", 2, 2), tmp_path, 6)


def test_an_interrupted_training_goes_on_where_it_was(config, tmp_path, monkeypatch):
    """Ctrl-C loses nothing; against a kill, checkpoints are written as time goes on."""
    play_to, save, saved = NetworkTrainer._play_to, NetworkTrainer.save_checkpoint, []

    def interrupt(trainer, goal, first, phase):
        if trainer.episode == 1:
            raise KeyboardInterrupt
        play_to(trainer, goal, first, phase)

    monkeypatch.setattr(NetworkTrainer, "_play_to", interrupt)
    with pytest.raises(KeyboardInterrupt):
        bg.train(config, tmp_path, 6)
    monkeypatch.setattr(NetworkTrainer, "_play_to", play_to)
    assert not bg.agent_file(tmp_path, 6).exists()

    monkeypatch.setattr(
        NetworkTrainer, "save_checkpoint", lambda trainer, path: (saved.append(trainer.episode), save(trainer, path))
    )
    monkeypatch.setattr(runs, "CHECKPOINT_S", 0.0)
    bg.train(config, tmp_path, 6)
    assert saved[0] == 2  # after the first piece, which is one game
    assert saved[-1] == 6
    assert load_network_agent(bg.agent_file(tmp_path, 6)).net.weights.tolist() == weights(config, 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--marks", "2", "1"), "--marks 2 1: expected numbers that rise, from 0 to --episodes 100000"),
        (("--marks", "-1", "1"), "expected numbers that rise"),
        (("--marks", "0", "0"), "expected numbers that rise"),
        (("--marks", "0", "7", "--episodes", "6"), "from 0 to --episodes 6"),
        (("--turns", "1", "0"), "--turns 1 0: expected different numbers from 1"),
        (("--turns", "2", "2"), "different numbers from 1"),
        (("--block", "3"), "blocks of an even number of games"),
        (("--curve-games", "150"), "blocks of an even number of games"),
    ],
)
def test_settings_that_cannot_be_had(arguments, message, tmp_path):
    with pytest.raises(SystemExit, match=message):
        bg.main([*arguments, "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_without_the_library_nothing_begins(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    for main in (bg.main, peers.main):
        with pytest.raises(SystemExit, match=r"gnubg-nn, which is not installed; expected: pip install .*\[bench\]"):
            main(["--out", str(tmp_path / "out")] if main is bg.main else [])
    assert not (tmp_path / "out").exists()


def test_table(config, tmp_path):
    """Rows of games that are kept: all turns and both opponents after the last mark, pubeval before; without a network none."""
    for mark, opponent, pairs in (
        (2, "pubeval", [1.0, -1.0]),
        (6, "gnubg-0ply", [-1.0, -1.0]),
        (6, "pubeval", [0.5, 0.5]),
        (6, "2_turns_gnubg-0ply", [0.0, 0.0]),
        (6, "2_turns_pubeval", [1.0, 1.0]),
    ):
        bg.train(config, tmp_path, mark)
        kept = {"block": 4, "dice": SMALL.dice, "pairs": pairs}
        (tmp_path / f"points_{mark}_{opponent}.json").write_text(json.dumps(kept))
    found = [row for mark in SMALL.marks for row in bg.play(dataclasses.replace(SMALL, turns=(1, 2)), tmp_path, mark)]
    lines = bg.table([{"output": "tanh", "hidden": 2, "seed": 1, **row} for row in found]).splitlines()
    assert lines[2:] == [
        "| tanh | 2 | 1 | 2 | 1 | pubeval | 4 | +0.000 ± 1.960 |",
        "| tanh | 2 | 1 | 6 | 1 | gnubg-0ply | 4 | -1.000 ± 0.000 |",
        "| tanh | 2 | 1 | 6 | 1 | pubeval | 4 | +0.500 ± 0.000 |",
        "| tanh | 2 | 1 | 6 | 2 | gnubg-0ply | 4 | +0.000 ± 0.000 |",
        "| tanh | 2 | 1 | 6 | 2 | pubeval | 4 | +1.000 ± 0.000 |",
    ]


def test_a_network_looks_ahead(config, tmp_path):
    """As the agent of its file does, or by a search over its values."""
    bg.train(config, tmp_path, 2)
    players = [make_policy(bg.player_of(bg.agent_file(tmp_path, 2), turns), bg.GAME, seed=1) for turns in (1, 2)]
    assert players[0].net.weights.tolist() == weights(config, 2)
    assert (players[1].settings.depth, players[1].evaluation is not None) == (2, True)


def test_peers_among_themselves(tmp_path):
    for name, pairs in (("gnubg-0ply_pubeval", [1.0, 1.0]), ("pubeval_random", [2.0, 3.0])):
        (tmp_path / f"points_{name}.json").write_text(json.dumps({"block": 4, "dice": SMALL.dice, "pairs": pairs}))
    assert bg.play_peers(dataclasses.replace(SMALL, out=tmp_path)).splitlines() == [
        "gnubg-0ply against pubeval: +1.000 ± 0.000 points a game, 4 games",
        "pubeval against random: +2.500 ± 0.980 points a game, 4 games",
    ]


@pytest.mark.parametrize(
    ("fen", "race"),
    [
        ("-b----E-C---eE---c-e----B- x 31", False),
        ("c--------N---------bbbbbbA x 65", False),  # a man of X's on the bar, before O's
        ("--A--A-----------------bb- x 65", True),
    ],
)
def test_races(fen, race):
    assert peers.is_race(peers.men_after(rolled(fen).position, 0)) is race
