"""What stands between GNU Backgammon's library and our boards, as far as it goes without the library; points of pairs."""

import pytest

from benchmarks import backgammon as bg
from benchmarks import backgammon_peers as peers
from boardgym import Board, UnsupportedGameError
from boardgym.baselines.studies.abalearn.complexity import turn_ends


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
    whole = bg.points(tmp_path / "whole.json", "random", "random", 8, 4)
    assert bg.points(tmp_path / "parts.json", "random", "random", 4, 4) == whole[:2]
    assert bg.points(tmp_path / "parts.json", "random", "random", 8, 4) == whole
    with pytest.raises(SystemExit, match="blocks of 4 games"):
        bg.points(tmp_path / "parts.json", "random", "random", 8, 2)
    assert bg.points(tmp_path / "parts.json", "no such player", "random", 8, 4) == whole  # nothing is left to play
