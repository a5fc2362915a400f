"""Trainings of networks: in pieces, every setting heard or refused, stages, the command."""

import dataclasses
import json
import re

import numpy as np
import pytest

from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td import td_network as td
from boardgym.baselines.learning.td.agent import load_network_agent
from boardgym.baselines.learning.td.config import NetworkConfig, phase_of, settled
from boardgym.baselines.learning.td.risk import Piecewise
from boardgym.baselines.learning.td.trainer import NetworkTrainer, train_network
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.abalone_features import Atributos
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.cli import main
from boardgym.compile import plain
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy

SMALL = NetworkConfig(
    game="TicTacToe-v0",
    option=(),
    features="planes",
    hidden=(4,),
    episodes=30,
    weight_span=0.5,
    epsilon="0.2",
    pays_returns=False,
    kappa="-0.5",
)
PUSH = "ssss1/ssssss/2sss2/8/6SSs/8/2SSS2/SSSSS1/SSSS1 0 0 b 0"  # black can push a marble off


def changed(**settings):
    return dataclasses.replace(SMALL, **settings)


def weights(config):
    return NetworkTrainer(config).run().net.weights


@pytest.fixture(scope="module")
def base():
    return weights(SMALL)


def test_pieces_and_seeds(base):
    cut = NetworkTrainer(SMALL)
    for until in (1, 2, 17, 29, 100):
        cut.run(until=until)
    assert cut.net.weights.tolist() == base.tolist()
    assert cut.results().tolist() == [cut.results().sum(axis=0).tolist()]
    assert cut.results().sum() == cut.episode == 30
    assert weights(changed(seed=2)).tolist() != base.tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"opponent": "learner"}, {"opponent": "random"}, {"seat": "0"}, {"step_size": "linear(0.1, 0.01)"}, {"discount": "1"},
        {"trace_decay": "0"}, {"exploration": "boltzmann"}, {"exploration": "directed"},
        {"epsilon": "geometric(0.9, 0.9)"}, {"win": 2.0}, {"loss": -2.0},
        {"draw": 0.5}, {"features": "planes(scale=2)"}, {"hidden_activation": "tanh"}, {"output_activation": "tanh"},
        {"output_activation": "softsign"},
        {"weight_span": 0.1}, {"layer_rates": (1.0, 0.5)}, {"chooses_by": "value"}, {"traces_of": "both"},
        {"values_of": "states"}, {"bootstraps_at_end": True}, {"input_weights": ("own 0,0=0.5",)},
        {"traces_decay_alone": True}, {"coherence": True}, {"kappa": "0"},
        {"kappa": "linear(0, -1)"}, {"max_plies": 6}, {"setup": "random:1"}, {"starts": ("x2/1o1/3 x",)},
    ],
    ids=str,
)  # fmt: skip
def test_every_setting_is_heard(change, base):
    found = weights(changed(**change))
    assert np.isfinite(found).all()
    assert found.tolist() != base.tolist()


def test_weights_of_named_inputs():
    """Those of one input begin at a value, all others as they were drawn; what was paid so far is heard where the game pays."""
    drawn, changed_ones = NetworkTrainer(SMALL).net.weights, NetworkTrainer(changed(input_weights=("own 0,1=1.5",))).net.weights
    row = feature_map("planes", "TicTacToe").names.index("own 0,1")
    assert changed_ones[4 * row : 4 * row + 4].tolist() == [1.5] * 4
    assert (
        np.delete(changed_ones, range(4 * row, 4 * row + 4)).tolist() == np.delete(drawn, range(4 * row, 4 * row + 4)).tolist()
    )
    pays = NetworkConfig(starts=(PUSH,), max_plies=12, episodes=4, weight_span=0.5, kappa="0", epsilon="0")
    assert weights(dataclasses.replace(pays, reward="paid-so-far")).tolist() != weights(pays).tolist()


def test_mean_weights(base, tmp_path):
    """The agent has the mean of the weights after each episode of the second half, in one piece or in several."""
    config, each = changed(average_from=0.5), []
    trainer = NetworkTrainer(config)
    for until in range(1, 31):
        agent = trainer.run(until=until)
        each.append(trainer.net.weights.copy())
        wanted = np.mean(each[15:], axis=0) if until > 15 else each[-1]
        assert agent.net.weights == pytest.approx(wanted, abs=1e-12)
    assert trainer.net.weights.tolist() == base.tolist() != agent.net.weights.tolist()
    at_once = NetworkTrainer(config).run()
    assert at_once.net.weights.tolist() == agent.net.weights.tolist()
    first = NetworkTrainer(config)
    first.run(until=20)
    first.save_checkpoint(tmp_path / "c")
    second = NetworkTrainer(config)
    second.load_checkpoint(tmp_path / "c")
    assert second.agent.net.weights.tolist() == first.agent.net.weights.tolist()
    assert second.run().net.weights.tolist() == agent.net.weights.tolist()
    for share, message in ((-0.1, "average_from=-0.1: expected 0 to 1"), (float("nan"), "average_from=nan")):
        with pytest.raises(OptionError, match=message):
            NetworkTrainer(changed(average_from=share))


def test_an_interruption_leaves_nothing_out_of_the_mean(monkeypatch):
    """Ctrl-C after an episode's last game, before its weights are added."""
    config = changed(average_from=0.5)
    wanted, trainer, average = NetworkTrainer(config).run(), NetworkTrainer(config), NetworkTrainer._average

    def interrupted(self):
        if self.episode == 20:
            monkeypatch.setattr(NetworkTrainer, "_average", average)
            raise KeyboardInterrupt
        average(self)

    monkeypatch.setattr(NetworkTrainer, "_average", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    assert trainer.episode == trainer.mean.count + 15 == 20
    assert trainer.run().net.weights.tolist() == wanted.net.weights.tolist()


def test_the_game_pays():
    """Tic-tac-toe pays 1 and -1, as win and loss do."""
    paid = weights(dataclasses.replace(SMALL, pays_returns=True))
    assert paid == pytest.approx(weights(SMALL), abs=1e-12)


@pytest.mark.parametrize(
    ("change", "shapes"),
    [
        ({"hidden": ()}, [(37, 1)]),
        ({"hidden": (5, 3)}, [(37, 5), (6, 3), (3, 1)]),
        ({"biases": "all"}, [(37, 4), (5, 1)]),
        ({"biases": "none"}, [(36, 4), (4, 1)]),
    ],
)
def test_layers(change, shapes, base):
    config = changed(**change)
    wanted = sum(rows * columns for rows, columns in shapes)
    if change == {"hidden": ()}:
        wanted = 36  # the output has no bias
    assert len(NetworkTrainer(config).net.weights) == wanted
    assert len(weights(config)) == wanted


def test_games_are_cut_off():
    trainer = NetworkTrainer(changed(max_plies=3))
    trainer.run()
    assert trainer.plies == 3 * 30
    assert trainer.results().tolist() == [[0, 30, 0]]
    pushes = NetworkTrainer(NetworkConfig(starts=(PUSH,), max_plies=1, episodes=6, epsilon="0"))
    pushes.run()
    assert pushes.results().tolist() == [[0, 6, 0]]  # whoever is ahead in marbles


def test_kappa_and_transformation():
    features = feature_map("planes", "TicTacToe")
    phase = phase_of(changed(transformation="smooth(sharpness=2)", kappa="-1"), features)
    assert phase.settings[0].sharpness == 2.0
    assert type(phase.settings[0]).__name__.endswith("Smooth")
    assert (phase.schedules[1:, ln.RISK, 1] == -1.0).all()
    learner, other = phase_of(SMALL, features).settings
    assert (learner.is_learning, other.is_learning) == (1, 0)
    assert phase_of(changed(opponent="learner"), features).settings[1].is_learning == 1


def test_defaults_are_the_study_s_method_two():
    """Its table of parameters, and the readings that were taken where it is silent."""
    trainer = NetworkTrainer(NetworkConfig())
    (phase,), net, game = trainer.phases, trainer.net, trainer.game
    assert (game.id, dict(game.options)["rewards"], trainer.setup) == ("Abalone-v0", "material", game.setup("standard"))
    assert (trainer.features.text, len(trainer.features.names)) == ("atributos", 9)
    assert (net.sizes.tolist(), net.biases.tolist()) == ([9, 10, 1], [1, 0])
    assert net.kinds.tolist() == [pn.SIGMOID, pn.SIGMOID]
    assert len(net.weights) == 9 * 10 + 10 + 10
    assert 0.009 < abs(net.weights).max() <= 0.01
    assert trainer.memory.rates.tolist() == [1.0, 1.0]
    assert (phase.episodes, trainer.most_plies) == (3000, 0)
    step, discount, decay, epsilon, kappa = (
        [plain(ep.rate_at)(phase.schedules[ep.LEARNER, rate], episode) for episode in (0, 1, 100, 2999)]
        for rate in (ln.STEP_SIZE, ln.DISCOUNT, ln.TRACE_DECAY, ln.EXPLORATION, ln.RISK)
    )
    assert (step, discount, decay, kappa) == ([0.1] * 4, [0.9] * 4, [0.7] * 4, [-1.0] * 4)
    assert epsilon == pytest.approx([0.9, 0.9 * 0.99, 0.9 * 0.99**100, 0.9 * 0.99**2999])
    learner, other = phase.settings
    assert type(learner) is td.learner_class(Atributos, Piecewise)
    assert (learner.way, learner.discount, learner.adds_reward, learner.has_pays) == (ln.EPSILON, 0.9, 1, 0)
    assert (learner.includes_next, learner.decays_alone, learner.is_coherent) == (0, 0, 0)
    assert (learner.lists, learner.centre, learner.is_scaled, learner.is_signed) == (0, 1, 0, 0)
    assert other == learner._replace(is_learning=0)  # the same network plays the other seat, and learns from one
    assert (trainer.config.opponent, trainer.config.seat) == ("self", "random")


@pytest.mark.parametrize(
    ("given", "option", "features"),
    [
        ({}, ("rewards=material",), "atributos"),
        ({"game": "Abalone", "option": ("no_push_limit=50",), "features": "directo"}, ("no_push_limit=50",), "directo"),
        ({"game": "Abalone", "option": (), "pays_returns": False}, (), "atributos"),
        ({"game": "Backgammon"}, (), "tesauro"),
        ({"game": "TicTacToe"}, (), "planes"),
        ({"game": "Abalone3"}, (), "planes"),
    ],
    ids=str,
)
def test_what_is_left_open_is_the_game_s_own(given, option, features):
    config = settled(NetworkConfig(**given))
    assert (config.option, config.features) == (option, features)
    assert settled(config) == config


def test_files_say_what_was_settled():
    """A checkpoint and an agent say what was trained, whatever is usual later."""
    trainer = NetworkTrainer(changed(features=""))
    assert trainer.config == SMALL
    assert trainer.facts["training"]["features"] == "planes"
    material = NetworkTrainer(NetworkConfig(episodes=0))
    assert material.facts["training"]["option"] == ["rewards=material"]
    assert dict(material.game.options) != dict(NetworkTrainer(NetworkConfig(episodes=0, option=())).game.options)


def test_leads_of_all_turns_are_no_value_for_a_search(tmp_path):
    """An agent that learnt what was paid so far adds nothing that was paid, says so in its file; no search takes it."""
    agents = [NetworkTrainer(NetworkConfig(episodes=0, reward=reward)).agent for reward in ("paid", "paid-so-far")]
    assert [agent.scale.share for agent in agents] == [1 / 6, 0.0]
    agents[1].save(tmp_path / "leads.safetensors")
    agent = load_network_agent(tmp_path / "leads.safetensors")
    assert (agent.scale, agent.facts["reward"]) == (agents[1].scale, "paid-so-far")
    with pytest.raises(SpecError, match="was trained with reward='paid-so-far', so it adds up"):
        make_policy(f"minimax:1,evaluation=network(file:{tmp_path / 'leads.safetensors'})", agent.game)


def test_stages(tmp_path):
    """A training that begins where another ended, with other settings; its weights are those that the other left."""
    first = train_network(SMALL, tmp_path / "first")
    later = changed(start_from=str(first.agent_path), weight_span=0.01, opponent="random", kappa="0", seed=2)
    trainer = NetworkTrainer(later)
    assert trainer.net.weights.tolist() == first.training.net.weights.tolist()
    second = train_network(later, tmp_path / "second")
    assert second.training.net.weights.tolist() != first.training.net.weights.tolist()
    assert first.training.net.weights.tolist() == NetworkTrainer(later).net.weights.tolist()  # the file is as it was
    for change, words in (
        ({"hidden": (5,)}, "a network with sizes [36, 4, 1], not [36, 5, 1]"),
        ({"features": "planes(scale=2)"}, "features planes, not planes(scale=2.0)"),
        ({"hidden_activation": "tanh"}, "activations ['sigmoid', 'sigmoid'], not ['tanh', 'sigmoid']"),
        ({"start_from": str(tmp_path / "none")}, "no file"),
        ({"start_from": str(tmp_path / "first" / "checkpoint.safetensors")}, "format is 'boardgym network training'"),
    ):
        with pytest.raises(SpecError, match=re.escape(words)):
            NetworkTrainer(dataclasses.replace(later, **change))
    second.training.agent.save(first.agent_path)
    with pytest.raises(SpecError, match="a training that began from another network than start_from="):
        train_network(later, tmp_path / "second")


def test_weights_beyond_all_numbers(tmp_path):
    """Said, and nothing that was kept before is lost."""
    wild = changed(hidden_activation="linear", output_activation="linear", step_size="1", layer_rates=(1e6, 1e6), kappa="0")
    with pytest.raises(OptionError, match=r"weights after 30 episodes that are infinite .*; train with a smaller step"):
        train_network(wild, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]
    tame = dataclasses.replace(wild, layer_rates=(1.0, 1.0), kappa="-0.5", episodes=1)
    assert train_network(tame, tmp_path).training.episode == 1  # a run that kept nothing does not hold its folder


def test_settings_that_cannot_be():
    for change, error, words in (
        ({"hidden": (0,)}, OptionError, "sizes=[36, 0, 1]: expected whole numbers above 0"),
        ({"hidden": (10**7,)}, OptionError, "expected at most 16,777,216"),
        ({"hidden_activation": "relu"}, OptionError, "hidden_activation='relu'"),
        ({"biases": "some"}, OptionError, "biases='some'"),
        ({"features": "plane"}, OptionError, "did you mean 'planes'"),
        ({"features": "atributos"}, UnsupportedGameError, "is not for TicTacToe-v0"),
        ({"weight_span": float("nan")}, OptionError, "weight_span=nan: expected 0"),
        ({"input_weights": ("own 0,9=1",)}, OptionError, "did you mean 'own 0,"),
        ({"input_weights": ("own 0,0",)}, OptionError, "expected NAME=VALUE, a number"),
        ({"input_weights": ("own 0,0=nan",)}, OptionError, "expected NAME=VALUE, a number"),
        ({"input_weights": ("own 0,0=1", "own 0,1=1", "own 0,0=2")}, OptionError, "'own 0,0' is given twice"),
        ({"start_from": "a", "input_weights": ("own 0,0=1",)}, OptionError, "is of weights that are drawn"),
        ({"reward": "paid-so-far"}, OptionError, "is of what the game pays ply by ply"),
        ({"reward": "paid-so-far", "pays_returns": True}, OptionError, "says nothing where all is paid at the end"),
        ({"search_depth": 2, "values_of": "states"}, OptionError, "is of looking one ply ahead"),
        ({"search_depth": 2, "bootstraps_at_end": True}, OptionError, "is of looking one ply ahead"),
        ({"layer_rates": (1.0,)}, OptionError, "one of 0 to 1e+06 for each of 2 layers"),
        ({"kappa": "-1.5"}, OptionError, "kappa='-1.5': expected values from -1 to 1"),
        ({"transformation": "smoth"}, OptionError, "did you mean 'smooth'"),
        ({"transformation": "smooth(sharpness=0)"}, OptionError, "sharpness='0'; expected a number from 1e-06"),
        ({"transformation": "piecewise(a=1)"}, OptionError, "it has none"),
        ({"transformation": "smooth", "kappa": "linear(0, 0)"}, OptionError, "transformation says nothing where kappa is 0"),
        ({"discount": "linear(0.9, 1)"}, OptionError, "discount='linear(0.9, 1)': expected a number; what an action"),
        ({"epsilon": "geometric(0.9, 1.1)"}, OptionError, "a factor of 1.1; expected 0 to 1"),
        ({"search_depth": 2, "exploration": "directed"}, OptionError, "its counters are of positions one turn ahead"),
        ({"search_depth": 9}, OptionError, "search_depth=9: expected a whole number from 1 to 8"),
        ({"counter_decay": 0.5}, OptionError, "counter_decay is of exploration='directed'"),
        ({"counter_decay": 1.5}, OptionError, "counter_decay=1.5: expected 0 to 1"),
        ({"max_plies": -1}, OptionError, "max_plies=-1: expected at least 0"),
        ({"pays_returns": True, "win": 2.0}, OptionError, "win says nothing with pays_returns"),
        ({"hidden": (), "hidden_activation": "tanh"}, OptionError, "is of hidden layers, and there is none"),
        ({"start_from": "a", "weight_span": 0.5}, OptionError, "is of weights that are drawn"),
        ({"win": -1.0}, OptionError, "expected win > draw > loss"),
        ({"loss": 0.0, "draw": 0.5}, OptionError, "and 0 between win and loss"),
        ({"seat": "2"}, OptionError, "seat='2': expected 0 to 1 or 'random'"),
        ({"opponent": "perfekt"}, SpecError, "perfect"),
    ):
        with pytest.raises(error, match=re.escape(words)):
            NetworkTrainer(changed(**change))


def test_the_command_names_the_plies_that_end_a_game(tmp_path, capsys):
    game = ["--game", "TicTacToe", "--option", "--features", "planes", "--hidden", "4", "--episodes", "1", "--max-plies", "7"]
    assert main(["train", "td", *game, "--out", str(tmp_path)]) == 0
    assert "--game TicTacToe --max-plies 7\n" in capsys.readouterr().out


def test_the_command(tmp_path, capsys):
    game = ["--game", "TicTacToe", "--option", "--features", "planes", "--hidden", "4", "--episodes", "30"]
    arguments = ["train", "td", *game, "--out", str(tmp_path / "a")]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["episodes"], found["is_finished"], found["sizes"]) == (30, True, [36, 4, 1])
    assert main(arguments) == 0
    assert f"compare    boardgym compare file:{found['agent']} --game TicTacToe\n" in capsys.readouterr().out
    assert main(["agent", "info", found["agent"]]) == 0
    shown = capsys.readouterr().out
    assert "own 0,0" in shown
    assert "trace_decay         0.7" in shown
    assert main(["agent", "info", found["agent"], "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["inputs"]) == 36
    for options, words in (
        (["--kappa", "2"], "kappa='2': expected values from -1 to 1"),
        (["--start-from", "nowhere"], "no file 'nowhere'"),
        (["--inspect", "--json"], "--inspect with --json"),
    ):
        assert main([*arguments[:-1], str(tmp_path / "b"), *options]) == 2
        assert words in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
