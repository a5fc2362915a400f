"""`boardgym train td`: networks that learn by playing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import tyro

from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.presets import preset_for
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.commands.arguments import look_ahead
from boardgym.commands.training import JUDGES, Flag, TrainCommand, train

TRAIN_EXAMPLES = (
    "boardgym train td",
    "boardgym train td --preset abalearn-ii --out runs/abalearn",
    "boardgym train td --preset none --kappa 0 --epsilon 0 --opponent 'epsilon:0.1(minimax:1)' --out runs/expert",
    "boardgym train td --preset none --start-from runs/expert/agent.safetensors --opponent random --out runs/stage2",
    "boardgym train td --game Backgammon --opponent learner --hidden 40 --biases all --weight-span 0.1 --discount 1 --kappa 0"
    " --epsilon 0 --output-activation linear --step-size 0.02 --episodes 20000 --out runs/backgammon",
    "boardgym train td --inspect      # play against it while it learns",
)


@dataclass(kw_only=True)
class TrainNetwork(TrainCommand):
    """Train a network in self-play by TD(lambda) over features of positions, optionally risk-sensitive.

    The same command continues an interrupted training.

    Attributes:
        config: the settings.
        preset: settings to start from; options that you give override them. "abalone", the default for that game: a player
            that searches over its network; "abalearn-ii": the study's Method II; "none", the default for other games: the
            general defaults.
        inspect: play against the agent on the terminal while it learns.
        trust: allow the specs of the opponent and the judges to load files that could execute code, and to run programs.
    """

    config: tyro.conf.OmitArgPrefixes[NetworkConfig] = field(default_factory=NetworkConfig)
    preset: str = ""
    inspect: Flag = False
    trust: Flag = False


def defaults(arguments: Sequence[str]) -> TrainNetwork:
    """The options that are not given: those of the preset that is. Raises as `preset_for`."""

    def look(game: str = NetworkConfig.game, preset: str = "") -> tuple[str, str]:
        return game, preset

    name, preset = preset_for(*look_ahead(look, arguments))
    return TrainNetwork(config=preset.config, preset=name, judges=tuple(preset.judges or JUDGES))


def run_train(command: TrainNetwork) -> int:
    """Trains, says where the agent is, and compares its player."""
    _, preset = preset_for(command.config.game, command.preset)
    return train(
        lambda: NetworkTrainer(command.config, trust=command.trust),
        command,
        player=preset.player,
        is_inspected=command.inspect,
        trust=command.trust,
    )
