"""Games of matches in several processes: the same games in the same order, and nothing lost with a process that is killed."""

import json
import os
import signal

import pytest

from boardgym.baselines.arena.compare import compare
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.ladder import play_ladder
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.match_games import GameWorkers
from boardgym.baselines.arena.record import read_records
from boardgym.baselines.workers import WorkerError
from boardgym.cli import main
from boardgym.core.errors import OptionError
from boardgym.core.policy import Policy

GAME = "TicTacToe-v0"


class First(Policy):
    """Plays the first legal action. Another process can be sent it."""

    spec = "first"

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0]


class Failing(First):
    """Fails in the fourth game of a match from the start position, whatever process that is in."""

    spec = "failing"

    def reset(self, *, seed=None):
        if seed is not None and seed % 4 == 0:
            raise ValueError(f"no games with seed {seed}")


class Killed(First):
    """Ends its process within its twentieth game there, if a file says so."""

    spec = "killed"

    def __init__(self, flag):
        self.flag, self.games = flag, 0

    def reset(self, *, seed=None):
        self.games += 1

    def act(self, board, *, deterministic=False):
        if self.games == 20 and self.flag.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(board)


@pytest.fixture(scope="module")
def two():
    with GameWorkers(2) as workers:
        yield workers


@pytest.mark.parametrize(("a", "b", "more"), [
    ("greedy", "random", {"games": 60}),
    ("uct:20", "epsilon:0.3(greedy)", {"games": 7, "seat": 1, "openings": "start"}),
    (First(), Failing(), {"games": 20}),
    ("random", "random", {"games": 4, "max_plies": 3, "deterministic": False}),
])  # fmt: skip
def test_a_match_does_not_depend_on_processes(two, a, b, more):
    alone = play_match(a, b, GAME, seed=5, progress=False, **more)
    told = []
    together = play_match(
        a, b, GAME, seed=5, progress=False, processes=two, on_game=lambda m: told.append(len(m.games)), **more
    )
    assert together == alone
    assert told == list(range(1, more["games"] + 1))
    if isinstance(b, Failing):
        assert 0 < sum(game.record.forfeit is not None for game in alone.games) < 20


def test_the_record_is_the_same_and_a_cut_one_is_gone_on_with(two, tmp_path):
    def run(path, processes, resume=False):
        with GameLog(str(path), resume=resume) as log:
            return play_match("greedy", "random", GAME, games=30, progress=False, log=log, processes=processes)

    one, several, cut = (tmp_path / f"{name}.jsonl" for name in ("one", "several", "cut"))
    expected = run(one, 1)
    assert run(several, two) == expected
    lines = one.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:11]) + lines[11][:50])
    assert run(cut, two, resume=True) == expected
    assert one.read_bytes() == several.read_bytes() == cut.read_bytes()


def test_a_killed_process_loses_and_doubles_nothing(two, tmp_path):
    flag, path = tmp_path / "flag", tmp_path / "games.jsonl"
    player = Killed(flag)

    def run(resume, processes):
        with GameLog(str(path), resume=resume) as log:
            return play_match(player, "random", GAME, games=400, progress=False, log=log, processes=processes)

    flag.touch()
    with pytest.raises(WorkerError, match=r"one of 2 processes was ended from outside.*the games before are in the record"):
        run(resume=False, processes=2)
    kept = path.read_bytes()
    assert kept.count(b"\n") < 400
    flag.unlink()
    match = run(resume=True, processes=two)
    assert path.read_bytes().startswith(kept)
    assert [game.record for game in match.games] == list(read_records(path))
    assert match == play_match(player, "random", GAME, games=400, progress=False)


def test_players_that_cannot_be_sent_are_refused(two):
    player = First()
    player.function = lambda board: 0
    with pytest.raises(OptionError, match=r"processes=2: first cannot be sent to other processes .*expected a spec string"):
        play_match("random", player, GAME, games=2, progress=False, processes=two)
    with pytest.raises(OptionError, match=r"processes=2: epsilon:0.1\(human\) plays on this terminal"):
        play_match("random", "epsilon:0.1(human)", GAME, games=2, progress=False, processes=two)
    with pytest.raises(OptionError, match="GameWorkers: used outside of its context"):
        play_match("random", "random", GAME, games=2, progress=False, processes=GameWorkers(2))
    with pytest.raises(OptionError, match="processes=0: expected 1 to"):
        compare("random", GAME, ["greedy"], games=2, progress=False, processes=0)


def test_comparisons_and_ladders_do_not_depend_on_processes(two):
    of = {"games": 10, "seed": 2, "progress": False}
    for play in (
        lambda **more: compare("uct:20", GAME, ["random", First()], by_seat=True, **of, **more),
        lambda **more: play_ladder(GAME, ["random", "greedy", "uct:20"], **of, **more),
    ):
        assert play(processes=two) == play()


def test_the_commands_say_the_same_with_more_processes(capsys):
    found = []
    for processes in ("1", "2"):
        assert (
            main(["match", "greedy", "random", "--game", "TicTacToe", "--games", "20", "--json", "--processes", processes]) == 0
        )
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert main(["compare", "greedy", "--game", "TicTacToe", "--processes", "5000"]) == 2
    assert "processes=5000: expected 1 to 1024" in capsys.readouterr().err
