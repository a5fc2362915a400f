"""Settings of trainings by name: the usual ones of a game, the study's, none; what is given on the command line goes before."""

import dataclasses
import json

import pytest

from boardgym.baselines.learning.agent_files import load_any
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.presets import PRESETS, preset_for
from boardgym.baselines.learning.td.trainer import train_network
from boardgym.cli import main, read_settings
from boardgym.commands.network import TrainNetwork, defaults
from boardgym.commands.training import can_play, compare_briefly
from boardgym.core.errors import OptionError, UntrustedFileError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy


@pytest.mark.parametrize(
    ("arguments", "name", "features"),
    [
        ("", "abalone", "formation"),
        ("--game Abalone --json", "abalone", "formation"),
        ("--preset none", "none", ""),
        ("--preset abalearn-ii --out x", "abalearn-ii", "differences"),
        ("--game TicTacToe", "none", ""),
    ],
)
def test_what_a_training_begins_with(arguments, name, features):
    found = defaults(arguments.split())
    assert (found.preset, found.config.features) == (name, features)
    if name == "none":
        assert found == TrainNetwork(config=NetworkConfig(game=found.config.game), preset="none")


def test_presets_that_there_are_not():
    with pytest.raises(OptionError, match=r"preset='abalon'; did you mean 'abalone'"):
        preset_for("Abalone", "abalon")
    with pytest.raises(OptionError, match="'abalone' is for Abalone-v0, not for Othello-v0; expected another game, or 'none'"):
        preset_for("Othello", "abalone")


@pytest.mark.parametrize("name", PRESETS)
def test_the_player_and_its_judges_play_the_game(name, tmp_path, capsys):
    """And a setting that is given goes before the preset's."""
    arguments = ["train", "td", "--preset", name, "--episodes", "0", "--seed", "5", "--compare-games", "0"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    preset, shown = PRESETS[name], capsys.readouterr().out
    agent = load_any(tmp_path / "agent.safetensors")
    training = agent.facts["training"]
    assert (training["episodes"], training["seed"], training["features"]) == (0, 5, preset.config.features)
    spec = preset.player.format(tmp_path / "agent.safetensors")
    assert f"player     {spec}" in shown
    for each in (spec, *preset.judges):
        make_policy(each, agent.game)


def test_the_usual_agent_of_abalone_beats_the_player_that_the_study_tests_against(tmp_path):
    """After a fiftieth of its games: the search over its network, which the command judges."""
    preset = PRESETS["abalone"]
    done = train_network(dataclasses.replace(preset.config, episodes=250), tmp_path)
    found = compare_briefly(preset.player.format(done.agent_path), get_game("Abalone"), preset.judges[:1], games=10)
    assert found.rows[0].score.value > 0.7


def test_the_command_tells_how_the_agent_fares(tmp_path, capsys):
    arguments = ["train", "td", "--game", "TicTacToe", "--episodes", "30", "--out", str(tmp_path)]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["comparison"]["rows"]
    assert [(row["opponent"], row["games"]) for row in rows] == [("random", 40), ("greedy", 40), ("minimax:2", 40)]
    assert main([*arguments, "--compare-games", "2"]) == 0
    assert "minimax:2" in capsys.readouterr().out
    assert main([*arguments, "--compare-games", "0"]) == 0
    assert "minimax:2" not in capsys.readouterr().out
    assert main([*arguments, "--compare-games", "2", "--judges", "greedy", "--json"]) == 0
    assert [row["opponent"] for row in json.loads(capsys.readouterr().out)["comparison"]["rows"]] == ["greedy"]


def test_judges_that_are_given_go_before_those_of_the_preset():
    words = ["--game", "Abalone", "--judges", "random"]
    assert read_settings("train td", words[:2]).judges == PRESETS["abalone"].judges
    assert read_settings("train td", words).judges == ("random",)


def test_who_cannot_be_compared():
    abalone3 = get_game("Abalone3")
    assert not can_play("minimax:2", abalone3)
    with pytest.raises(UntrustedFileError):
        can_play("engine:gtp:false", get_game("TicTacToe"))
    assert can_play("engine:gtp:false", get_game("TicTacToe"), trust=True)
    assert compare_briefly("random", abalone3, ["random"], games=2) is None
    assert compare_briefly("random", get_game("TicTacToe"), ["random"], games=0) is None


def test_a_comparison_that_fails_loses_no_result(tmp_path, capsys):
    """A comma ends a policy within another: its file's name cannot be told."""
    agent = tmp_path / "a,b" / "agent.safetensors"
    assert compare_briefly(PRESETS["abalone"].player.format(agent), get_game("Abalone"), ["random"], games=2) is None
    assert "not compared: " in capsys.readouterr().err
