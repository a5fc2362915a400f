"""How nets of the Abalearn study are trained and tested: sampled after numbers of games, and frozen to play others.

A game is won by six marbles pushed off ("won", "drawn", "lost": whatever ends it before that draws), or by who has pushed off
more when it ends ("ahead", "level", "behind"). All of it is for Abalone with rewards=material.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.search.evaluations import evaluation_of
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.games.abalone.two import GOAL, AbaloneMaterial

STAGE_STREAM, GAME_STREAM = 20, 21  # paths under the seed of a piece of work
TOLD_EVERY = 10  # games of a training


@dataclass(frozen=True)
class Terms:
    """Of games between frozen players, begun in turn. setup: where they start. max_plies: after which one is stopped."""

    games: int = 100
    setup: str = "random:2-4"
    max_plies: int = 400


def play(
    first: CompiledPolicy, second: CompiledPolicy, terms: Terms, *, seed: int, path: tuple[int, ...] = (), seat: int = 0
) -> dict[str, Any]:
    """Games between two players, for the first of them, as plain data; they depend on seed and path alone.

    seat: of the first player in the first game. Returns {"games", "won", "drawn", "lost", "ahead", "level", "behind": counts;
    "pushed", "gone": marbles of the other's pushed off and own ones lost; "plies": these three means of a game}.

    Raises: as `Duels` and its `play`; UnsupportedGameError for another game.
    """
    game = first.game
    check_game(game)
    duels = Duels(game, max_plies=terms.max_plies, setup=terms.setup)
    played = duels.play(first, second, terms.games, seed=seed, path=(GAME_STREAM, *path), seat=seat)
    seats = (seat + np.arange(terms.games)) % 2
    pushed, gone = np.array([marbles(game, row, int(own)) for row, own in zip(played.positions, seats, strict=True)]).T
    counts = {"won": pushed >= GOAL, "drawn": np.maximum(pushed, gone) < GOAL, "lost": gone >= GOAL,
              "ahead": pushed > gone, "level": pushed == gone, "behind": pushed < gone}  # fmt: skip
    return {
        "games": terms.games,
        **{name: int(flags.sum()) for name, flags in counts.items()},
        "pushed": float(pushed.mean()),
        "gone": float(gone.mean()),
        "plies": float(played.plies.mean()),
    }


def check_game(game: Game) -> None:
    """Raises UnsupportedGameError for another game than Abalone that pays by marbles."""
    if not issubclass(game.position_class, AbaloneMaterial):
        raise UnsupportedGameError(f"{game.id} {dict(game.options)}: expected Abalone-v0 with rewards=material")


def marbles(game: Game, row: Any, seat: int) -> tuple[int, int]:
    """(marbles of the other's that a seat has pushed off, own ones that it has lost) where a position stands."""
    position = game.token.position(row)
    if position.seat == seat:
        return int(position.own_score), int(position.other_score)
    return int(position.other_score), int(position.own_score)


def rate(found: dict[str, Any], name: str = "ahead") -> float:
    """The share of all games of a result of `play`: by default of those that were ended ahead in marbles."""
    return float(found[name]) / float(found["games"])


# ---------------------------------------------------------------- players


def opponent(spec: str, game: Game) -> CompiledPolicy:
    """A player by its spec, drawing from the streams of the games. Raises as `make_policy`."""
    policy: CompiledPolicy = make_policy(spec, game, seed=0)
    return policy


def frozen(agent: NetworkAgent, *, depth: int = 1, game: Game | None = None) -> CompiledPolicy:
    """A player with the weights that an agent has now.

    depth: plies; beyond 1, minimax with V at the leaves. game: Abalone with other rules for draws than it was taught by.
    """
    net = agent.net._replace(weights=agent.net.weights.copy())
    features = agent.features if game is None else feature_map(agent.features.text, game)
    if depth == 1:
        return NetworkAgent(features, net, dict(agent.facts), seed=0, spec="net")
    search = opponent(f"minimax:{depth}", features.game)
    pays = agent.facts["pays"]
    evaluation = evaluation_of(features, net, pays=None if pays is None else (pays[0], pays[2]))
    return SearchPolicy(features.game, search.settings, f"net at depth {depth}", seed=0, evaluation=evaluation)


# ---------------------------------------------------------------- training


class Trained(NamedTuple):
    """A game of a training. pushed, gone: marbles that the learner has pushed off, and lost. epsilon: its exploration."""

    pushed: int
    gone: int
    plies: int
    epsilon: float


def train(
    stages: Sequence[NetworkConfig],
    points: Sequence[int],
    look: Callable[[NetworkAgent, int], dict[str, Any]],
    *,
    seed: int,
    tell: Callable[[int], None],
) -> list[dict[str, Any]]:
    """Trains a net, and looks at it after numbers of games.

    Args:
        stages: one after another with the same net, each of its `episodes`; schedules begin anew with each.
        points: numbers of games over all stages, rising, from 0 on.
        look: (the agent as it plays at that point, the number of games) -> what is to be kept of it, plain data.
        seed: of all of it, in place of those of the stages.
        tell: called now and then with how many points are done; what it raises ends the training.

    Returns a dictionary a point: "games"; of the games since the point before "finished" (the share in which six were pushed
    off), "ahead" and "behind" (of the learner, in marbles), means of "pushed", "gone" (by and of the learner) and "plies", and
    "epsilon" of the last, all None where there were none; "weights" and "sums", by input: the mean over the hidden units of
    w_ih, and the sum over h of w_ih v_h; and what `look` says.

    Raises: as `NetworkTrainer`; OptionError for points beyond the stages; UnsupportedGameError for another game.
    """
    total = sum(config.episodes for config in stages)
    if list(points) != sorted(points) or not 0 <= min(points) <= max(points) <= total:
        raise OptionError(f"points {tuple(points)} of a training of {total} games: expected numbers that rise, from 0 on")
    trainers, samples = trainers_of(stages, seed), list[dict[str, Any]]()
    trainer, begun = next(trainers), 0  # games of the stages before this one
    for point in points:
        log: list[Trained] = []
        while begun + trainer.episode < point:
            if trainer.episode == trainer.total:
                begun, trainer = begun + trainer.total, next(trainers)
                continue
            log.append(one_game(trainer))
            if len(log) % TOLD_EVERY == 0:
                tell(len(samples))
        samples.append({"games": point, **of_games(log), **of_inputs(trainer.agent), **look(trainer.agent, point)})
        tell(len(samples))
    return samples


def trainers_of(stages: Sequence[NetworkConfig], seed: int) -> Iterator[NetworkTrainer]:
    """The trainers of the stages, each with the weights that the one before has come to."""
    before: NetworkTrainer | None = None
    for number, config in enumerate(stages):
        trainer = NetworkTrainer(replace(config, seed=int(stream(seed, STAGE_STREAM, number)[0]) >> 1))
        check_game(trainer.game)
        if before is not None:
            trainer.net.weights[:] = before.net.weights
        yield trainer
        before = trainer


def one_game(trainer: NetworkTrainer) -> Trained:
    """Trains for a game."""
    plies = trainer.plies
    trainer.run(until=trainer.episode + 1)
    play = trainer.play
    seat = int(np.flatnonzero(play.lineup == ep.LEARNER)[0])
    pushed, gone = marbles(trainer.game, play.rows.positions[0], seat)
    return Trained(pushed, gone, trainer.plies - plies, float(play.records.rates[seat, ln.EXPLORATION]))


def of_games(log: Sequence[Trained]) -> dict[str, float | None]:
    """What `train` says of games."""
    if not log:
        return dict.fromkeys(("finished", "ahead", "behind", "pushed", "gone", "plies", "epsilon"))
    return {
        "finished": fmean(max(game.pushed, game.gone) >= GOAL for game in log),
        "ahead": fmean(game.pushed > game.gone for game in log),
        "behind": fmean(game.pushed < game.gone for game in log),
        "pushed": fmean(game.pushed for game in log),
        "gone": fmean(game.gone for game in log),
        "plies": fmean(game.plies for game in log),
        "epsilon": log[-1].epsilon,
    }


def of_inputs(agent: NetworkAgent) -> dict[str, dict[str, float]]:
    """What `train` says of weights; nothing of a net that has not one hidden layer."""
    layers, names = pn.layers_of(agent.net), agent.features.names
    if len(layers) != 2:
        return {}
    first, second = layers[0][: len(names)], layers[1][: agent.net.sizes[1], 0]
    return {
        "weights": dict(zip(names, map(float, first.mean(axis=1)), strict=True)),
        "sums": dict(zip(names, map(float, first @ second), strict=True)),
    }
