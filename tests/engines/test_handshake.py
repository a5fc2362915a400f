"""Before the first game: players that cannot start are told at once; those that forfeit every game do not pass for losers."""

import json
import os
import sys
from pathlib import Path

import pytest

from boardgym.baselines import compare, play_match
from boardgym.baselines.arena.ladder import play_ladder
from boardgym.cli import main
from boardgym.core.errors import EngineError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy

UNRULY = f"{sys.executable} -S {Path(__file__).with_name('unruly.py')}"
GAME = "TicTacToe-v0"


class Counting:
    """Plays the first legal move, and counts how often it is asked."""

    spec = "counting"

    def __init__(self):
        self.asked = 0

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        self.asked += 1
        return board.legal_actions[0]


BROKEN = [
    ("engine:gtp:/no/such/program", "cannot be started: No such file"),
    (f"engine:gtp:{UNRULY} stillborn", "exit status 3"),
    (f"engine:uci:{UNRULY} stillborn", "exit status 3"),
    (f"engine:gtp:{UNRULY} old", "speaks GTP '1'; expected '2'"),
    ("engine:gtp,timeout=1s:cat", "gave no answer to 'protocol_version' in time"),
    (f"epsilon:0.5(engine:uci:{UNRULY} stillborn)", "exit status 3"),
    (f"mix(0.5*random, 0.5*engine:gtp:{UNRULY} stillborn)", "exit status 3"),
]


@pytest.mark.parametrize(("spec", "message"), BROKEN)
def test_no_game_is_played_with_a_player_that_cannot_start(spec, message):
    player = Counting()
    with pytest.raises(EngineError, match=message):
        compare(player, GAME, ["random", spec], games=4, trust=True)
    with pytest.raises(EngineError, match=message):
        play_match(spec, player, GAME, games=2, trust=True)
    with pytest.raises(EngineError, match=message):
        play_ladder(GAME, ["random", "greedy", spec], games=2, trust=True, on_row=lambda ladder: pytest.fail("played"))
    assert player.asked == 0


def test_one_that_plays_another_game_is_found_before_game_1():
    player = Counting()
    for way, error in (("chess", EngineError), ("otherwise", UnsupportedGameError)):
        with pytest.raises(error, match=r"Chess|size=4"):
            play_match(player, f"engine:gtp:{UNRULY} {way}", GAME, games=2, trust=True)
    assert player.asked == 0


def test_an_engine_that_runs_is_not_started_again():
    policy = make_policy(f"engine:uci:{UNRULY} well", GAME, trust=True)
    policy.start_engine()
    pid = policy.process.process.pid
    policy.start_engine()
    assert policy.process.process.pid == pid
    os.kill(pid, 0)
    policy.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "SPEC", "--opponents", "random", "--game", "TicTacToe"],
        ["match", "random", "SPEC", "--game", "TicTacToe"],
        ["ladder", "TicTacToe", "--rungs", "random", "SPEC"],
    ],
)
def test_the_command_says_so_in_one_line(capsys, arguments):
    words = ["engine:gtp:/no/such/program" if word == "SPEC" else word for word in arguments]
    assert main([*words, "--games", "4", "--trust"]) == 2
    out, err = capsys.readouterr()
    said = [line for line in err.splitlines() if "compiling" not in line]
    assert (out, len(said)) == ("", 1)
    assert "engine /no/such/program: cannot be started" in said[0]


def test_who_forfeits_every_game_is_named_and_the_status_is_1(capsys):
    spec = f"engine:gtp:{UNRULY} illegal"
    more = ["--game", "TicTacToe", "--openings", "start", "--games", "4", "--trust"]
    assert main(["compare", "random", "--opponents", "greedy", spec, *more]) == 1
    out, err = capsys.readouterr()
    assert "unruly.py illegal never played: it forfeited all 4 games against random: EngineError" in err
    assert "none" in out
    assert main(["match", spec, "random", "--json", *more]) == 1
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["losses"], row["forfeits"], row["elo"]["value"], row["elo"]["high"]) == (0, 4, None, None)
    assert main(["compare", "random", "--opponents", "greedy", *more]) == 0
