"""`boardgym train ...`: loaded only when asked for, because they need torch.

Their options are the dataclasses of `boardgym.wrappers`, which also write them beside a run.
"""

from boardgym.commands.common import INTERRUPTED, say, terminal
from boardgym.wrappers.selfplay_training import SelfPlayConfig, train_selfplay
from boardgym.wrappers.training import TrainConfig, TrainResult, train_sb3

TRAIN_EXAMPLES = (
    "boardgym train sb3",
    "boardgym train sb3 --game Othello --opponent greedy --steps 1000000 --out runs/othello",
)
SELFPLAY_EXAMPLES = (
    "boardgym train selfplay",
    "boardgym train selfplay --minutes 30 --seed 2 --out runs/seed2",
    "boardgym train selfplay --resume --out runs/seed2",
    "boardgym train selfplay --opponent greedy --out runs/control",
)


def run_train(config: TrainConfig) -> int:
    """Trains, and says where the model is. Ctrl-C keeps what was learnt until then."""
    result = train_sb3(config)
    model = result.model_path
    terminal().print(f"model      {model}\ncompare    boardgym compare sb3:{model} --game {config.game}\n"
                     f"play       boardgym play {config.game} human sb3:{model}", markup=False, soft_wrap=True)  # fmt: skip
    return finish(result)


def run_selfplay(config: SelfPlayConfig) -> int:
    """Trains by self-play, and says where the network is. Ctrl-C keeps what was learnt until then."""
    result = train_selfplay(config)
    path = result.network_path
    terminal().print(f"network    {path}\ncompare    boardgym compare network:{path} --game {config.game}\n"
                     f"play       boardgym play {config.game} human network:{path}", markup=False, soft_wrap=True)  # fmt: skip
    return finish(result)


def finish(result: TrainResult) -> int:
    """The exit status of a training: 130 if Ctrl-C ended it early."""
    if result.is_finished:
        return 0
    say("interrupted: the files hold what was learnt until then", style="yellow")
    return INTERRUPTED
