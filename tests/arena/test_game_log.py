"""A run of matches that is cut short goes on from its record to the result of one that never was."""

import json

import pytest

from boardgym.baselines.arena.compare import compare
from boardgym.baselines.arena.game_log import GameLog, followed
from boardgym.baselines.arena.ladder import play_ladder
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.record import read_records
from boardgym.cli import main
from boardgym.core.errors import NotationError, OptionError

GAME = "TicTacToe-v0"
RUNS = {
    "match": lambda log, **more: play_match("greedy", "random", GAME, games=4, progress=False, log=log, **more),
    "compare": lambda log, **more: compare("greedy", GAME, ["random", "greedy"], games=4, progress=False, log=log, **more),
    "ladder": lambda log, **more: play_ladder(GAME, ["random", "greedy", "perfect"], games=4, progress=False, log=log, **more),
}
WHOLE = {"match": 4, "compare": 8, "ladder": 8}


class Stopped(Exception):
    pass


def run(kind, path, *, resume=True, stop_after=None, **more):
    """(result, games in the order of the log) of a run into a file; it raises Stopped after so many games."""
    told = []

    def look(log):
        told.append((log.done, log.total, log.taken))
        if log.done == stop_after:
            raise Stopped

    with followed(look), GameLog(str(path), resume=resume) as log:
        return RUNS[kind](log, **more), told


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("at", [1, 3, -1])
def test_a_run_goes_on_from_its_record(tmp_path, kind, at):
    total = WHOLE[kind]
    whole, half = tmp_path / "whole.jsonl", tmp_path / "half.jsonl"
    expected, told = run(kind, whole)
    assert told == [(k + 1, total, 0) for k in range(total)]
    at = at % total
    with pytest.raises(Stopped):
        run(kind, half, stop_after=at)
    with open(half, "ab") as file:
        file.write(whole.read_bytes().splitlines()[at][:40])  # half a line of a process that was killed
    found, told = run(kind, half)
    assert found == expected
    assert half.read_bytes() == whole.read_bytes()
    assert told[-1] == (total, total, at)
    assert len(list(read_records(half))) == total


def test_a_finished_run_plays_nothing(tmp_path):
    expected, _ = run("ladder", tmp_path / "x.jsonl")
    content = (tmp_path / "x.jsonl").read_bytes()
    found, told = run("ladder", tmp_path / "x.jsonl")
    assert (found, told[-1]) == (expected, (8, 8, 8))
    assert (tmp_path / "x.jsonl").read_bytes() == content


def test_a_record_of_other_games_is_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    run("match", path)
    content = path.read_bytes()
    with pytest.raises(OptionError, match=r"game 1: .* this run plays"):
        run("match", path, seed=1)
    with pytest.raises(OptionError, match=r"greedy at its best - random at .* this run plays greedy - random at"):
        run("match", path, deterministic=False)
    with pytest.raises(OptionError, match=r"game 1: . plies, rules; this run stops games at 3 plies"):
        run("match", path, max_plies=3)
    assert run("match", path, max_plies=9)[1][-1] == (4, 4, 4)  # which stops none of these games
    path.write_bytes(content.replace(b'"moves": [', b'"moves": ["z9", ', 1))
    with pytest.raises(NotationError, match=r"game 1: .*z9.* take another file"):
        run("match", path)
    with pytest.raises(OptionError, match="JSON lines"):
        GameLog(str(tmp_path / "x.game"), resume=True)
    with pytest.raises(OptionError, match="expected a record"):
        GameLog(resume=True)


def test_games_that_were_stopped_are_those_of_the_same_limit(tmp_path):
    path = tmp_path / "x.jsonl"
    expected, _ = run("match", path, max_plies=4, openings="start")
    assert {game.record.reason for game in expected.games} == {"cap"}
    assert run("match", path, max_plies=4, openings="start") == (expected, [(k + 1, 4, k + 1) for k in range(4)])
    for limit in (3, 5, None):
        with pytest.raises(OptionError, match=r"game 1: 4 plies, cap; this run stops games at"):
            run("match", path, max_plies=limit, openings="start")


def test_without_resume_games_are_appended(tmp_path):
    for count in (4, 8):
        run("match", tmp_path / "x.jsonl", resume=False)
        assert len(list(read_records(tmp_path / "x.jsonl"))) == count


def test_the_command_line_goes_on(tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    words = [
        "compare",
        "greedy",
        "TicTacToe",
        "--opponents",
        "random",
        "--games",
        "4",
        f"--record={path}",
        "--resume",
        "--json",
    ]
    assert main(words) == 0
    first = capsys.readouterr().out
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert path.read_bytes() == b"".join(lines)
    assert json.loads(first)["rows"][0]["games"] == 4
    ladder = ["ladder", "TicTacToe", f"--record={path}", "--resume", f"--out={tmp_path / 'l.json'}"]
    assert main(ladder) == 2
    assert "--out continues by itself" in capsys.readouterr().err
