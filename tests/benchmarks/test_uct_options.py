"""The commands that measure UCT's refinements: small presets, going on where they were."""

import json

import pytest

from benchmarks import uct_options, uct_strength


def test_options_are_measured_and_a_run_goes_on(tmp_path, capsys):
    uct_options.main(["--quick", "--out", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "| `rave=100` | TicTacToe-v0 |" in shown
    assert shown == (tmp_path / "table.md").read_text() + "\n"
    files = {path: path.read_text() for path in tmp_path.glob("simulations*.json")}
    (path, text), *others = files.items()
    assert not others
    whole = json.loads(text)
    assert len(whole["pair_scores"]) == 4
    cut = {**whole, "pair_scores": whole["pair_scores"][:2]}
    path.write_text(json.dumps(cut))
    again = uct_options.play_blocks(path, whole["a"], whole["b"], whole["game"], 8, 4)
    assert again == whole["pair_scores"]  # the second block is played again, and alike
    assert json.loads(path.read_text()) == whole
    path.write_text(json.dumps({**whole, "pair_scores": [1.0, 1.0, 1.0, 0.5]}))
    assert uct_options.play_blocks(path, whole["a"], whole["b"], whole["game"], 8, 4) == [
        1.0,
        1.0,
        1.0,
        0.5,
    ]  # nothing is played
    with pytest.raises(SystemExit, match="another match"):
        uct_options.play_blocks(path, "uct:5", whole["b"], whole["game"], 8, 4)


def test_strength_beside_open_spiel(tmp_path, capsys):
    uct_strength.main(["--quick", "--out", str(tmp_path)])
    assert "| TicTacToe-v0 | simulations | uct:20,c=0.9899 | openspiel:mcts:20,c=1.4 | 4 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "results.json").read_text())[0]["games"] == 4
    with pytest.raises(SystemExit, match="even number"):
        uct_strength.main(["--block", "3", "--out", str(tmp_path)])
