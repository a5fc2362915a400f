"""`boardgym train td`: networks that learn by playing."""

from dataclasses import dataclass, field
from pathlib import Path

import tyro

from boardgym.baselines.neural.config import NetworkConfig
from boardgym.baselines.neural.training import NetworkTrainer
from boardgym.baselines.tabular.runs import CHECKPOINT_S
from boardgym.commands.training import Flag, train

TRAIN_EXAMPLES = (
    "boardgym train td",
    "boardgym train td --kappa 0 --epsilon 0 --opponent 'epsilon:0.1(minimax:1)' --out runs/expert",
    "boardgym train td --start-from runs/td/agent.safetensors --opponent random --out runs/stage2",
    "boardgym train td --game Backgammon --opponent learner --hidden 40 --biases all --weight-span 0.1 --discount 1 --kappa 0"
    " --epsilon 0 --output-activation linear --step-size 0.02 --episodes 20000 --out runs/backgammon",
    "boardgym train td --inspect      # play against it while it learns",
)


@dataclass(frozen=True)
class TrainNetwork:
    """Train a network by playing: TD(lambda) over features of positions, risk-sensitive if asked.

    The same command goes on with a training that was cut short.

    Attributes:
        config: the settings.
        out: folder for the agent, the checkpoint and the curve.
        inspect: play against the agent on the terminal while it learns.
        json: print the result as JSON.
        checkpoint_s: seconds from one checkpoint to the next.
        trust: whether the opponent's spec may load files that could execute code, and run programs.
    """

    config: tyro.conf.OmitArgPrefixes[NetworkConfig] = field(default_factory=NetworkConfig)
    out: Path = Path("runs/td")
    inspect: Flag = False
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    trust: Flag = False


def run_train(command: TrainNetwork) -> int:
    """Trains, and says where the agent is."""
    return train(command, lambda: NetworkTrainer(command.config, trust=command.trust))
