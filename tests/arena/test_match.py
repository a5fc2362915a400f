"""Games and matches: pairs, seats, forfeits, caps, records."""

import json

import numpy as np
import pytest

from boardgym.baselines import GameRecord, make_policy, play_game, play_match
from boardgym.baselines.arena.game import has_clock, is_random
from boardgym.baselines.arena.record import read_records
from boardgym.baselines.players.mixtures import Epsilon
from boardgym.core.board import Board
from boardgym.core.errors import NotationError, OptionError, SpecError, UnsupportedGameError

C4 = "ConnectFour-v0"


class Scripted:
    """Calls a function for each action."""

    def __init__(self, function, spec="scripted"):
        self.function, self.spec, self.seeds = function, spec, []

    def reset(self, *, seed=None):
        self.seeds.append(seed)

    def act(self, board, *, deterministic=False):
        return self.function(board)


def first(board):
    return board.legal_actions[0]


def test_pairs_have_one_opening_and_swapped_seats():
    match = play_match("greedy", "random", C4, games=20, seed=3)
    assert [game.seat for game in match.games] == [0, 1] * 10
    for one, two in zip(match.games[0::2], match.games[1::2], strict=True):
        assert one.record.start == two.record.start
        assert one.record.policies == ("greedy", "random")
        assert two.record.policies == ("random", "greedy")
    assert len({game.record.start for game in match.games}) == 10


def test_scores_follow_the_agent_and_not_the_seat():
    """At tic-tac-toe from the start, `first` against `last` is a fixed game for each seat."""
    a, b = Scripted(first, "first"), Scripted(lambda board: board.legal_actions[-1], "last")
    match = play_match(a, b, "TicTacToe-v0", games=2, openings="start")
    ends = [game.record.replay().returns() for game in match.games]
    assert [game.record.returns for game in match.games] == [tuple(end) for end in ends]
    assert [game.score for game in match.games] == [(ends[0][0] + 1) / 2, (ends[1][1] + 1) / 2]
    assert match.pair_scores == [sum(game.score for game in match.games) / 2]


def test_openings_are_equal_for_every_agent():
    starts = [[g.record.start for g in play_match(a, "random", C4, games=10, seed=5).games] for a in ("greedy", "random")]
    assert starts[0] == starts[1]


def test_few_openings_come_round_again():
    match = play_match("random", "random", C4, games=8, openings=[["4"], ["3"]])
    assert [game.opening for game in match.games] == [0, 0, 1, 1, 0, 0, 1, 1]
    assert len({game.record.actions for game in match.games}) > 4  # draws differ from game to game


def test_seed_decides_all():
    plays = [play_match("epsilon:0.3(greedy)", "mix(0.5*random, 0.5*greedy)", C4, games=12, seed=s) for s in (1, 1, 2)]
    assert plays[0] == plays[1]
    assert plays[0].games != plays[2].games


def test_a_game_can_be_played_again_from_its_record():
    game = play_match("epsilon:0.3(greedy)", "random", C4, games=4, seed=9).games[3].record
    policies = [make_policy(spec, C4) for spec in game.policies]
    assert play_game(game.start_board(), policies, deterministic=game.deterministic, seed=game.seed) == game


def test_deterministic_is_for_the_first_agent():
    seen = {}

    class Watcher(Scripted):
        def act(self, board, *, deterministic=False):
            seen.setdefault(self.spec, set()).add(deterministic)
            return first(board)

    play_match(Watcher(first, "a"), Watcher(first, "b"), C4, games=2)
    assert seen == {"a": {True}, "b": {False}}
    match = play_match("random", "greedy", C4, games=2)
    assert match.deterministic == (False, False)  # random has no best action
    assert play_match("greedy", "greedy", C4, games=2, deterministic=(True, True)).deterministic == (True, True)


@pytest.mark.parametrize("spec", ["random", "mix(0.5*random, 0.5*greedy)", "epsilon:0.1(random)"])
def test_random_by_spec(spec):
    assert is_random(make_policy(spec, C4))


def test_not_random_by_spec():
    assert not is_random(make_policy("epsilon:0.1(greedy)", C4))
    assert not is_random(Scripted(first, "a model (of mine"))


def test_random_stays_random_when_tested():
    match = play_match("random", "greedy", C4, games=10, openings="start")
    assert len({game.record.actions for game in match.games}) > 5


def test_a_policy_that_raises_forfeits():
    def act(board):
        if board.ply >= 3:
            raise RuntimeError("out of ideas")
        return first(board)

    match = play_match(Scripted(act), Scripted(first, "other"), C4, games=2, openings="start")
    for game in match.games:
        record = game.record
        assert (record.reason, record.forfeit, game.score) == ("forfeit", game.seat, 0.0)
        assert record.message == "RuntimeError: out of ideas"
        assert record.returns[game.seat] == -1.0
        assert record.replay().ply == len(record.moves)


@pytest.mark.parametrize("answer", [7, -1, 2.0, "4", None])
def test_an_illegal_action_forfeits(answer):
    match = play_match("greedy", Scripted(lambda board: answer, "bad"), C4, games=2, openings="start")
    assert [game.score for game in match.games] == [1.0, 1.0]
    assert all(game.record.message for game in match.games)


def test_a_policy_that_plays_on_the_board_forfeits():
    def act(board):
        board.push(first(board))
        return first(board)

    record = play_game(Board(C4), [Scripted(act), Scripted(first)])
    assert (record.forfeit, record.moves) == (0, ())
    assert "board.copy()" in record.message


def test_a_failing_reset_forfeits():
    class Broken(Scripted):
        def reset(self, *, seed=None):
            raise OSError("no model")

    assert play_game(Board(C4), [Scripted(first), Broken(first)]).forfeit == 1


def test_ctrl_c_is_no_forfeit():
    def act(board):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game(Board(C4), [Scripted(act), Scripted(first)])


def test_caps_are_draws():
    match = play_match("greedy", "random", C4, games=4, openings="start", max_plies=3)
    assert [game.record.reason for game in match.games] == ["cap"] * 4
    assert match.pair_scores == [0.5, 0.5]
    assert all(len(game.record.moves) == 3 for game in match.games)


def test_record_round_trip_and_replay(tmp_path):
    match = play_match("epsilon:0.5(greedy)", "random", "Othello-v0", games=4, seed=2)
    path = tmp_path / "games.jsonl"
    path.write_text("".join(game.record.to_json() + "\n" for game in match.games), encoding="utf-8")
    records = list(read_records(path))
    assert records == [game.record for game in match.games]
    single = tmp_path / "game.json"
    single.write_text(json.dumps(records[0].to_dict(), indent=1), encoding="utf-8")
    assert list(read_records(single)) == records[:1]
    for record in records:
        board = record.replay()
        assert board.is_terminal
        assert tuple(board.returns()) == record.returns
        assert board.moves() == list(record.moves)


def test_a_record_holds_the_opening_and_the_options():
    board = Board("Othello-v0", size=6)
    board.play([board.legal_moves[0]])
    start = board.copy()
    record = play_game(board, [Scripted(first), Scripted(first)], seed=4)
    assert board == start  # the board given is left as it was
    assert (record.opening_plies, record.options) == (1, {"size": 6})
    assert GameRecord.from_json(record.to_json()).replay().game.options["size"] == 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "expected the record of a game"),
        ({"format_version": 9}, "in the format 'boardgym-game' 1; got 'boardgym-game' 9"),
        ({"moves": ["4", "99"]}, "is no column"),
        ({"moves": 3}, r"Expected `array`, got `int` - at `\$\.moves`"),
        ({"options": None}, r"Expected `object`, got `null` - at `\$\.options`"),
        ({"start": "nonsense"}, "expected the pieces"),
        ({"policies": ["a", "b", "c"]}, "policies of 3 seats"),
        ({"returns": [1.0]}, "returns of 1 seats"),
        ({"forfeit": 2}, "forfeit: 2; expected null or a seat"),
        ({"seed": -1}, r"Expected `int` >= 0 - at `\$\.seed`"),
        ({"seed": 2**64}, "seed: 18446744073709551616; expected a whole number"),
        ({"message": "\ud800"}, "expected the record of a game"),
        ({"opening_plies": float("inf")}, "JSON is malformed"),
        ({"options": {"size": [6]}}, "options"),
        ({"deterministic": [1, 0]}, "Expected `bool`, got `int`"),
        ({"options": {"fen": "x"}}, "no option 'fen'"),
        ({"options": {"self": 1}}, "no option 'self'"),
    ],
)
def test_a_bad_record_is_refused(tmp_path, change, message):
    record = play_match("greedy", "random", C4, games=2).games[0].record
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(record.to_dict() | change) + "\n", encoding="utf-8")
    with pytest.raises(NotationError, match=message):
        list(read_records(path))


def test_text_that_is_no_record(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(NotationError, match="line 1"):
        list(read_records(path))
    with pytest.raises(NotationError, match="expected the record of a game: Input data was truncated"):
        GameRecord.from_json("{")
    with pytest.raises(NotationError, match="expected the record of a game"):
        GameRecord.from_json("[" * 100_000)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotationError, match="no text file"):
        list(read_records(path))


def test_bad_matches_are_refused():
    with pytest.raises(OptionError, match="games=3"):
        play_match("greedy", "random", C4, games=3)
    for games in ("4", 4.0, True):
        with pytest.raises(OptionError, match="games="):
            play_match("greedy", "random", C4, games=games)
    for seed in (-1, 2**64, 0.5, "1", None, True):
        with pytest.raises(OptionError, match="seed="):
            play_match("greedy", "random", C4, games=2, seed=seed)
    with pytest.raises(OptionError, match="1 policies"):
        play_game(Board(C4), [Scripted(first)])
    with pytest.raises(OptionError, match="max_plies=0"):
        play_game(Board(C4), [Scripted(first)] * 2, max_plies=0)
    with pytest.raises(UnsupportedGameError, match="greedy plays Othello-v0"):
        play_match(make_policy("greedy", "Othello-v0"), "random", C4, games=2)
    with pytest.raises(SpecError):
        play_match(object(), "random", C4, games=2)


def test_clocks_are_found_inside():
    timed = Scripted(first)
    timed.has_clock = True
    assert has_clock(Epsilon(timed, 0.1))
    assert not has_clock(Epsilon(Scripted(first), 0.1))
    assert play_match(timed, "random", C4, games=2).has_clock


def test_what_a_users_class_calls_its_own_is_left_alone():
    """`start`, `members` and the like mean something only in the bundled policies."""

    class Own(Scripted):
        members, fallback, inner = 3, "none", ("a", "b")

        def start(self, board):
            raise AssertionError(board)

    match = play_match(Own(first, "own"), "random", "TicTacToe-v0", games=2)
    assert [game.record.forfeit for game in match.games] == [None, None]


def test_games_at_one_seat_are_those_of_the_pairs():
    """Single games, one an opening: the same moves as in a match of pairs, whatever is drawn."""
    agents = ("epsilon:0.2(greedy)", "random")
    pairs = play_match(*agents, C4, games=12, openings="sequences:1", seed=4)
    for seat in (0, 1):
        single = play_match(*agents, C4, games=6, openings="sequences:1", seat=seat, seed=4)
        assert single.games == [game for game in pairs.games if game.seat == seat]
        assert (single.finished_games, single.pair_scores) == (single.games, [])
    assert len(play_match(*agents, C4, games=5, seat=1).finished_games) == 5
    assert type(play_match(*agents, C4, games=1, seat=np.int64(1)).seat) is int


def test_bad_seats():
    for seat in (2, -1, True, False, 0.0, 1.0, np.bool_(True), np.ones(2), "black"):
        with pytest.raises(OptionError, match="expected 0 or 1"):
            play_match("greedy", "random", C4, games=2, seat=seat)
    for games in (0, -2, 1.0, True):
        with pytest.raises(OptionError, match="expected a whole number from 1"):
            play_match("greedy", "random", C4, games=games, seat=0)
