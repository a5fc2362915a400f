"""The commands that measure UCT's refinements: small presets, going on where they were."""

import dataclasses
import json
import time

import pytest

from benchmarks import uct_matches, uct_options, uct_strength


def test_options_are_measured_and_a_run_goes_on(tmp_path, capsys):
    uct_options.main(["--quick", "--out", str(tmp_path)])
    shown = capsys.readouterr().out
    heads = [line for line in shown.splitlines() if line.startswith("| Elo")]
    assert heads == ["| Elo at equal simulations | TicTacToe-v0 |", "| Elo at equal time | TicTacToe-v0 |"]
    assert shown.count("| `puct=1.25,symmetry=1,least_visits=1` | ") == 2
    assert shown.count(" (x ") == 1
    assert shown == (tmp_path / "table.md").read_text() + "\n"
    files = {path: path.read_text() for path in tmp_path.glob("simulations*.json")}
    (path, text), *others = files.items()
    assert not others
    whole = json.loads(text)
    assert len(whole["pair_scores"]) == 4
    settings = uct_options.Settings(**uct_options.QUICK, out=tmp_path)

    def play(**changes):
        return uct_matches.play_blocks(path, whole["a"], whole["b"], dataclasses.replace(settings, **changes), whole["game"])

    cut = {**whole, "pair_scores": whole["pair_scores"][:2]}
    path.write_text(json.dumps(cut))
    assert play(play=False) == whole["pair_scores"][:2]  # a table of what there is
    uct_options.main(["--quick", "--no-play", "--out", str(tmp_path)])
    assert json.loads((tmp_path / "results.json").read_text())[0]["simulations"]["games"] == 4
    assert play() == whole["pair_scores"]  # the second block is played again, and alike
    assert json.loads(path.read_text()) == whole
    path.write_text(json.dumps({**whole, "pair_scores": [1.0, 1.0, 1.0, 0.5]}))
    assert play() == [1.0, 1.0, 1.0, 0.5]  # nothing is played
    with pytest.raises(SystemExit, match="another match"):
        uct_matches.play_blocks(path, "uct:5", whole["b"], settings, whole["game"])


def test_strength_beside_open_spiel(tmp_path, capsys):
    uct_strength.main(["--quick", "--kinds", "simulations", "--out", str(tmp_path)])
    assert "| TicTacToe-v0 | simulations | uct:20,c=0.9899 | openspiel:mcts:20,c=1.4 | 4 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "results.json").read_text())[0]["games"] == 4
    for wrong, message in (
        (["--block", "3"], "even number"),
        (["--matches", "0"], "even number"),
        (["--kinds", "turns"], "turns"),
    ):
        with pytest.raises(SystemExit, match=message):
            uct_strength.main([*wrong, "--out", str(tmp_path)])


def test_the_ratio_of_speeds_is_of_processor_time():
    """Of two players the one that sleeps between its searches takes half the processor time, and longer by the clock."""

    def player(busy_s, idle_s):
        def search(board):
            time.sleep(idle_s)
            started = time.process_time()
            while time.process_time() - started < busy_s:
                pass
            return 1

        return search

    assert 1.6 < uct_matches.speed_ratio(player(0.002, 0.008), player(0.004, 0.0), "TicTacToe-v0", 0.02) < 2.4
