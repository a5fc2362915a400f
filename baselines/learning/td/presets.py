"""Settings for `boardgym train td` by name: what to train, and with which player to judge what has been learnt."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.core.errors import OptionError, nearest
from boardgym.core.game import get_game

NONE = "none"  # the settings' own defaults
ITSELF = "file:{}"  # the agent, one ply ahead


@dataclass(frozen=True)
class Preset:
    """Settings that belong together.

    Attributes:
        config: all settings of the training.
        player: spec of the player that is compared with others, {} in place of the agent's file.
        judges: specs of the opponents that it is compared with; none: as after any training.
        is_usual: whether trainings on its game begin with it where no preset is named.
    """

    config: NetworkConfig
    player: str = ITSELF
    judges: Sequence[str] = ()
    is_usual: bool = False


PRESETS = MappingProxyType(
    {
        # self-play for a value that a search of three plies then reads: measured in docs/td_network.md
        "abalone": Preset(
            NetworkConfig(
                game="Abalone-v0",
                option=(),
                opponent="learner",
                setup="random:0-6",
                features="formation",
                hidden=(),
                biases="all",
                output_activation="softsign",
                discount="1",
                trace_decay="0.95",
                kappa="0",
                exploration="boltzmann",
                epsilon="0.03",
                step_size="exponential(0.01, 0.0003)",
                average_from=0.5,
                episodes=12_000,
            ),
            # so few nodes that no thread has to watch over the search
            player="minimax:3,beam=5,nodes=50000,evaluation=network(file:{})",
            judges=("minimax:1,evaluation=distance", "minimax:3,evaluation=distance"),
            is_usual=True,
        ),
        # Method II of the study of Abalearn with kappa -1, in the most literal reading under which its headline appears
        "abalearn-ii": Preset(
            NetworkConfig(
                game="Abalone-v0",
                option=("rewards=material", "no_push_limit=0", "repetition_limit=0"),
                max_plies=1000,
                features="differences",
                input_weights=("material=1.5",),
                values_of="states",
                chooses_by="value",
            ),
            judges=("random", "minimax:1,evaluation=distance"),
        ),
    }
)


def preset_for(game: str, name: str = "") -> tuple[str, Preset]:
    """A preset and its name. name: empty for the usual one of the game, which is "none" where it has none.

    Raises: OptionError for an unknown name, and for a preset of another game. UnknownGameError.
    """
    plays = get_game(game).id
    usual = [known for known, preset in PRESETS.items() if preset.is_usual and preset.config.game == plays]
    name = name or (usual[0] if usual else NONE)
    if name == NONE:
        return name, Preset(NetworkConfig(game=game))
    if name not in PRESETS:
        raise OptionError(f"preset={name!r}; {nearest(name, [*PRESETS, NONE])}")
    if PRESETS[name].config.game != plays:
        theirs = PRESETS[name].config.game
        raise OptionError(f"preset={name!r} is for {theirs}, not for {plays}; expected another game, or {NONE!r}")
    return name, PRESETS[name]
