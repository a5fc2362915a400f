"""Co-evolution by hill-climbing: a linear player that plays itself with noise on its weights, and follows where that wins.

    C <- 0
    in each generation:
        M <- C + normal(0, noise) in each weight
        C and M play some games; they begin in turn
        if M wins more than half of them: C <- C + step (M - C)

Both play the position that their net rates best, of all that a turn can lead to, and with probability epsilon any move:

    o(net) = 2 / (1 + e^(-net)) - 1 = tanh(net / 2),   net = sum_i w_i x_i

x are the features of the position as they are to the seat that has moved, without a bias: a bias changes all positions' rates
alike. That is a `Perceptron` of one layer, [inputs, 1], with activation tanh and weights w / 2, and a policy `NetworkAgent`.
As o rises with net, what a net plays without adds_reward depends on the direction of its weights alone, and since C begins at 0
and all of it is multiplied by `noise`, that number then changes nothing.

Source: J. B. Pollack, A. D. Blair, "Co-evolution in the successful learning of backgammon strategy", Machine Learning 32,
1998, as the thesis on Abalearn (P. Campos, Technical University of Lisbon, about 2003) has it for Abalone in section 3.3. What
that leaves open is a setting here.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.config import check_words
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE, FORMER_CHECKPOINT, Run
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained, Training, results_rows, train_into, write_table
from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.random import normals, stream
from boardgym.games.abalone.two import Abalone

NOISE_STREAM, GAME_STREAM = range(2)  # the paths of the streams under a training's seed
BLOCK = 100  # generations of a point of the curve
MOST_GENERATIONS = 1_000_000
ENDLESS = ("repetition_limit=0", "no_push_limit=0", "rewards=material")  # see CoevolutionConfig


@dataclass(frozen=True)
class CoevolutionConfig:
    """How to climb. The settings that have numbers are those of the thesis where it gives them.

    Attributes:
        game: id of the game, of two seats.
        option: rule options, as "name=value". None: of Abalone "repetition_limit=0", "no_push_limit=0" and "rewards=material",
            so a game continues to its end or to max_plies, and whoever is then ahead in marbles wins; of other games none.
            Greedy players repeat moves: with Abalone's default draw rules no mutant would ever win.
        features: what the net sees: the name of a feature map. None: of Abalone "cells", the board alone; of other games
            "planes".
        generations: how many generations to play.
        games: games between champion and mutant in each generation.
        wins_of: a mutant must win more than half of these games: all, or the decided ones (it then wins more than it
            loses).
        step: alpha, in [0, 1]: how far a champion moves towards a mutant that wins.
        noise: sigma, above 0: standard deviation of the noise added to each weight of a mutant.
        epsilon: in [0, 1], how often either player moves at random.
        adds_reward: add the immediate reward of a move to the net's value; a move that ends the game is worth its reward
            alone. The thesis uses the net's value alone.
        max_plies: a game is stopped after this many plies, and counts by the rewards so far: a draw if there are none.
        keep_every: save a champion every this many generations; the first one, with weights of 0, is saved too.
        setup: where games start.
        seed: the same seed and settings give the same training.
    """

    game: str = "Abalone-v0"
    option: tuple[str, ...] | None = None
    features: str | None = None
    generations: int = 2000
    games: int = 4
    wins_of: Literal["all", "decided"] = "all"
    step: float = 0.05
    noise: float = 0.1
    epsilon: float = 0.05
    adds_reward: bool = False
    max_plies: int = 400
    keep_every: int = 10
    setup: str = "standard"
    seed: int = 1


def settings_of(config: CoevolutionConfig) -> dict[str, Any]:
    """A configuration as plain data, as files have it."""
    plain: dict[str, Any] = plain_data(dataclasses.asdict(config))
    return plain


def check_config(config: CoevolutionConfig) -> None:
    """Raises OptionError for words and numbers that no training can have."""
    check_words(config)
    for name, least, most in (("generations", 0, MOST_GENERATIONS), ("games", 1, 100_000), ("seed", 0, 2**63 - 1),
                              ("keep_every", 1, MOST_GENERATIONS)):  # fmt: skip
        value = getattr(config, name)
        if type(value) is not int or not least <= value <= most:
            raise OptionError(f"{name}={value!r}: expected a whole number from {least:,} to {most:,}")
    for name in ("step", "epsilon"):
        if not 0.0 <= getattr(config, name) <= 1.0:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number from 0 to 1")
    if not 0.0 < config.noise < math.inf:
        raise OptionError(f"noise={config.noise}: expected a number above 0")


def set_weights(player: NetworkAgent, weights: NDArray[np.float64]) -> None:
    """Gives a player other weights: w of the formula, float64 (inputs,)."""
    player.net.weights[:] = 0.5 * weights


class HillClimber(Training):
    """A training: `run` goes on to the end, `save_checkpoint` keeps it.

    Args:
        config: its settings.
        num_threads: that share the games of a generation, 0 for one a core; results do not depend on it.

    Attributes:
        config, game, features. generation: done so far. champion: float64 (inputs,), its weights; not to be changed.
        agent: the champion as a policy, without its epsilon, as the last run left it. Where no option is given it
            plays the game by its usual rules, which say nothing to a net that is asked alone; with adds_reward by those of
            the training.

    Raises:
        OptionError, UnknownGameError, UnsupportedGameError: settings that cannot be had.
    """

    kind, unit = "coevolution", "generations"
    config: CoevolutionConfig

    def __init__(self, config: CoevolutionConfig, *, num_threads: int = 1) -> None:
        check_config(config)
        self.config = config
        game = get_game(config.game)
        is_abalone = issubclass(game.position_class, Abalone)
        self.game = game = get_game(
            config.game, **read_options(ENDLESS if is_abalone and config.option is None else config.option or ())
        )
        self.features = feature_map(config.features or ("cells" if is_abalone else "planes"), game)
        self.duels = Duels(game, max_plies=config.max_plies, setup=config.setup, num_threads=num_threads)
        inputs = len(self.features.names)
        zeros = np.zeros(inputs)
        self._players = [self.player(zeros, epsilon=config.epsilon) for _ in range(2)]
        usual = game if config.adds_reward or config.option is not None else get_game(config.game)
        self.agent = self._player_of(usual, zeros)
        check_memory(
            8 * inputs * (config.generations // config.keep_every + 1),
            "the champions that are kept",
            "generations, or raise keep_every",
        )
        self._kept = np.zeros((config.generations // config.keep_every + 1, inputs))
        self._results = np.zeros((config.generations, 3), np.int64)
        self._state = (0, zeros)  # one object, so that Ctrl-C comes before a generation is done or after it

    @property
    def generation(self) -> int:
        """Generations done."""
        return self._state[0]

    @property
    def done(self) -> int:
        """Generations done."""
        return self.generation

    @property
    def total(self) -> int:
        """Generations in all."""
        return self.config.generations

    @property
    def size(self) -> str:
        """How many mutants the champion has followed."""
        return f"{int(self.followed().sum()):,} mutants followed"

    @property
    def champion(self) -> NDArray[np.float64]:
        """Its weights."""
        return self._state[1]

    def followed(self) -> NDArray[np.bool_]:
        """Whether the champion followed the mutant of each generation. bool (generations,)."""
        won, _, lost = self._results[: self.generation].T
        return won > lost if self.config.wins_of == "decided" else 2 * won > self.config.games

    def player(self, weights: NDArray[np.float64], *, epsilon: float = 0.0) -> NetworkAgent:
        """A player of this training's game and features. weights: w of the formula, float64 (inputs,)."""
        player = self._player_of(self.game, weights)
        player.epsilon = epsilon
        return player

    def _player_of(self, game: Game, weights: NDArray[np.float64]) -> NetworkAgent:
        """The same of a game whose features are the same."""
        features = feature_map(self.features.text, game)
        facts = {"method": "coevolution", "discount": 1.0, "adds_reward": int(self.config.adds_reward), "pays": None,
                 "training": settings_of(self.config)}  # fmt: skip
        net = pn.make_perceptron([len(features.names), 1], ["tanh"], biases=False)
        player = NetworkAgent(features, net, facts, seed=self.config.seed, spec="coevolution")
        set_weights(player, weights)
        return player

    def champions(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The generations whose champions are kept, int64 (k,), and their weights, float64 (k, inputs)."""
        every = self.config.keep_every
        count = self.generation // every + 1
        return every * np.arange(count), self._kept[:count].copy()

    def results(self) -> NDArray[np.int64]:
        """Games that the mutant of each generation won, drew and lost. int64 (generations, 3)."""
        return self._results[: self.generation].copy()

    def run(self, *, until: int | None = None, on_generation: Callable[["HillClimber"], None] | None = None) -> NetworkAgent:
        """Climbs to the end, or to a generation. Returns the agent.

        on_generation: called after each; what it raises ends the run. However it ends, by Ctrl-C too, the training is between
        two generations and can go on from there.
        """
        last = self.config.generations if until is None else min(until, self.config.generations)
        try:
            while self.generation < last:
                self._climb()
                if on_generation is not None:
                    on_generation(self)
        finally:
            set_weights(self.agent, self.champion)
        return self.agent

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`; watch: after each generation."""
        self.run(on_generation=lambda _: watch())

    def _climb(self) -> None:
        """One generation, all of its draws from streams of its number."""
        config, (number, champion) = self.config, self._state
        ours, theirs = self._players
        mutant = champion + config.noise * normals(stream(config.seed, NOISE_STREAM, number), len(champion))
        set_weights(ours, champion)
        set_weights(theirs, mutant)
        scores = self.duels.play(
            theirs, ours, config.games, seed=config.seed, path=(GAME_STREAM, number), seat=number * config.games % 2
        ).scores
        won, lost = int((scores > 0).sum()), int((scores < 0).sum())
        if won > lost if config.wins_of == "decided" else 2 * won > config.games:
            champion = champion + config.step * (mutant - champion)
        self._results[number] = won, config.games - won - lost, lost
        if (number + 1) % config.keep_every == 0:
            self._kept[(number + 1) // config.keep_every] = champion
        self._state = number + 1, champion

    def save_checkpoint(self, path: Path) -> None:
        """Writes all that the training needs to go on, kept champions among it, whole or not at all. Raises OSError."""
        numbers, kept = self.champions()
        arrays = {"generations": numbers, "champions": kept, "champion": self.champion, "results": self.results()}
        header = {"training": settings_of(self.config), "done": self.generation}
        STORED.write(path, arrays, {**header, **self.features.header()})

    def load_checkpoint(self, path: Path) -> None:
        """Goes to where a training with the same settings, but for their number of generations, wrote its file.

        Raises:
            FileNotFoundError: there is none.
            SpecError: it is no such file, one of other settings, or of more generations.
        """
        arrays, header = STORED.read(path, {})
        ours, theirs = settings_of(self.config), header.get("training")
        other = theirs if isinstance(theirs, dict) else {}
        names = [name for name in ours if name != "generations" and ours[name] != other.get(name)]
        if names or set(other) != set(ours):
            changes = ", ".join(f"{name}={other.get(name)!r}, not {ours[name]!r}" for name in names)
            raise SpecError(f"{path}: a training with {changes or 'other settings'}; {advice(path)}")
        self.features.check_header(path, header)
        done, inputs = header.get("done"), len(self.champion)
        if type(done) is not int or not 0 <= done <= self.config.generations:
            raise SpecError(f"{path}: {done!r} generations done, asked for are {self.config.generations:,}; {advice(path)}")
        count = done // self.config.keep_every + 1
        kept = STORED.array_of(path, arrays, "champions", np.float64, (count, inputs))
        champion = STORED.array_of(path, arrays, "champion", np.float64, (inputs,))
        results = STORED.array_of(path, arrays, "results", np.int64, (done, 3))
        if not (np.isfinite(kept).all() and np.isfinite(champion).all()):
            raise SpecError(f"{path}: weights that are infinite or no numbers; {advice(path)}")
        self._kept[:count], self._results[:done], self._state = kept, results, (done, champion)
        set_weights(self.agent, champion)

    # ------------------------------------------------------------ in a folder

    @property
    def played(self) -> Game:
        """By the rules that the agent plays by, see `agent`."""
        return self.agent.game

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return Run(
            self.kind,
            settings_of(self.config),
            self.checkpoint,
            self.written,
            ("generations",),
            grows=("generations",),
            former=FORMER_CHECKPOINT,
        )

    def open(self, folder: Path) -> None:
        """As of `Training`; a checkpoint under the name that it had before takes today's."""
        if (folder / FORMER_CHECKPOINT).exists() and not (folder / CHECKPOINT).exists():
            self.load_checkpoint(folder / FORMER_CHECKPOINT)  # first: what is none of ours is left as it is
            (folder / FORMER_CHECKPOINT).replace(folder / CHECKPOINT)
        else:
            super().open(folder)

    def write_results(self, folder: Path) -> None:
        """The curve, and the last champion as the agent."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_agent(self, path: Path) -> None:
        """As of `Training`: the champion."""
        set_weights(self.agent, self.champion)  # which only the end of a run gives it
        self.agent.save(path)

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        write_table(folder / CURVE, (self.unit, "won", "drawn", "lost"), results_rows(self._blocks(), BLOCK, self.generation))

    def _blocks(self) -> NDArray[np.int64]:
        """Games that the mutants of each BLOCK of generations won, drew and lost. int64 (blocks, 3)."""
        starts = np.arange(0, self.generation, BLOCK)
        return np.add.reduceat(self.results(), starts) if len(starts) else np.zeros((0, 3), np.int64)

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        return {"champions": str(folder / CHECKPOINT), "followed": int(self.followed().sum()), "block": BLOCK,
                "results": self._blocks().tolist()}  # fmt: skip

    def lines(self, folder: Path) -> list[tuple[str, str]]:
        """As of `Training`."""
        won, drawn, lost = (int(n) for n in self.results().sum(axis=0))
        return [("champions", str(folder / CHECKPOINT)), ("games", f"{won:,} won, {drawn:,} drawn, {lost:,} lost by mutants")]


def train_coevolution(
    config: CoevolutionConfig,
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    num_threads: int = 1,
    on_generation: Callable[[HillClimber], None] | None = None,
) -> Trained[HillClimber]:
    """Climbs into a folder: see `runs.train_into`; with more generations it goes on with a training that has ended.

    num_threads: as of `HillClimber`. on_generation: called after each. Raises as both.
    """
    climber = HillClimber(config, num_threads=num_threads)
    return train_into(climber, out, checkpoint_s=checkpoint_s, on_piece=on_generation)


def load_champions(path: str | Path) -> tuple[HillClimber, NDArray[np.int64], NDArray[np.float64]]:
    """(a training as its file has it, the generations whose champions it kept, their weights): see `HillClimber.champions`.

    Raises SpecError: no such file, or a damaged one.
    """
    path = Path(path)
    try:
        header = STORED.read_header(path, {})
        known = {**header["training"], "generations": header["done"]}
        known["option"] = None if known["option"] is None else tuple(known["option"])
        climber = HillClimber(CoevolutionConfig(**known))
    except FileNotFoundError:
        raise SpecError(f"no file {str(path)!r}; expected one that boardgym train coevolution wrote") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, SpecError):
            raise
        raise SpecError(f"{path}: its header does not describe a training ({error!r}); {advice(path)}") from None
    climber.load_checkpoint(path)
    return climber, *climber.champions()


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "train into another folder, or delete it"


STORED = ArrayFiles("boardgym coevolution", 1, "a training of champions", SpecError, advice)
