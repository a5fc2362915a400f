"""The headline of the Abalearn study under many readings of what it leaves open.

It says that learning Abalone by self-play fails with kappa 0 and succeeds below 0, at kappa -1 in 81 % of 100 games after 500
games of training and 92 % after 1,000 (tables 5.3, 6.5). Each detail that it leaves open is a factor, each way to read it a
level. All combinations are far too many: points are drawn in blocks in which each factor has each of its levels equally often,
and each pair of factors its pairs of levels about equally often. At every point a net is trained with kappa 0 and with kappa
-1, and tested under each way to read the tests. One of many points under one of many tests comes near by chance too: what
comes nearest to the printed figures in the first block is therefore only where the second stage begins: of its levels that
are not the most literal ones, each alone and each two are put into the most literal reading and trained with other seeds. The
headline is judged by the third stage alone: of the readings that have the effect in the second the one with the fewest such
levels, with ten new seeds, for longer, with all kappas of the study. Beside it stand the most literal one and what comes
nearest in the second block, by which nothing else is chosen, with ten new seeds each.
"""

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.studies.abalearn import protocol
from boardgym.studies.jobs import Place
from boardgym.studies.parts import Figures, scaled

Reading = Mapping[str, str]  # the level of each factor
Plan = Mapping[float, Sequence[int]]  # kappas, and after how many games of training their nets are tested

WITHOUT_DRAWS = ("rewards=material", "no_push_limit=0", "repetition_limit=0")  # the box knows none; a cap of plies ends games
FACTORS: dict[str, dict[str, dict[str, Any]]] = {  # level: what it changes; the most literal one first
    "inputs": {
        "list 0": {"features": "atributos"},
        "list 1": {"features": "atributos(lists=1)"},
        "signed": {"features": "atributos(is_signed=1)"},
        "scaled": {"features": "atributos(is_scaled=1)"},
        "scaled, signed": {"features": "atributos(is_scaled=1, is_signed=1)"},
        "differences": {"features": "differences"},
    },
    "chosen by": {"V": {"chooses_by": "value"}, "r + discount V": {"chooses_by": "reward-and-value"}},
    "positions learnt": {"before own ply": {"values_of": "states"}, "after it": {"values_of": "afterstates"}},
    "learnt from": {"one side": {"opponent": "self"}, "both sides": {"opponent": "learner"}},
    "traces of": {"before": {"traces_of": "before"}, "both": {"traces_of": "both"}},
    "trace decay": {"discount lambda": {"traces_decay_alone": False}, "lambda": {"traces_decay_alone": True}},
    "biases": {"hidden": {"biases": "hidden"}, "none": {"biases": "none"}, "all": {"biases": "all"}},
    "output": {"sigmoid": {"output_activation": "sigmoid"}, "tanh": {"output_activation": "tanh"}},
    "at the end": {"0": {"bootstraps_at_end": False}, "V": {"bootstraps_at_end": True}},
    "reward": {"marbles": {"reward": "paid"}, "lead in marbles": {"reward": "paid-so-far"}},
    "first weights": {"±0.01": {"weight_span": 0.01}, "±0.5": {"weight_span": 0.5}, "material 1.5": {"weight_span": 0.01}},
    "epsilon": {"0.9, times 0.99 a game": {"epsilon": "geometric(0.9, 0.99)"}, "0": {"epsilon": "0"}},
    "plies of training": {"1,000": {"max_plies": 1_000}, "300": {"max_plies": 300}},
    "start of training": {"standard": {"setup": "standard"}, "2 to 4 random plies": {"setup": "random:2-4"}},
}
LITERAL: Reading = {factor: next(iter(levels)) for factor, levels in FACTORS.items()}

BLOCK, TRIES, DESIGN_SEED = 24, 60, 7  # points; columns that are tried for a factor
BLOCKS = 2
SEARCHED = (0.0, -1.0)  # kappas
POINTS, LATER = (500, 1_000), (500, 1_000, 3_000)  # games of training
FIRST_PLAN: Plan = dict.fromkeys(SEARCHED, POINTS)
LATER_PLAN: Plan = {0.0: POINTS, -0.3: POINTS, -0.8: LATER, -1.0: LATER}  # where games end at the cap, 3,000 take minutes
NUM_NETS = len(SEARCHED) * len(POINTS)  # of a reading in the first plan
TEST_GAMES, STARTS = 100, "random:2-4"
PLAYERS = {  # tests: the off-board distance of the minimax player, and after how many plies a game is stopped
    "0": (0.0, 300), "4.5": (4.5, 300), "5": (5.0, 300), "8": (8.0, 300), "5 for 100 plies": (5.0, 100)
}  # fmt: skip
COUNTS = ("won", "won of decided", "ahead", "ahead of unequal")
TESTS = tuple(  # (player, count); with off-board 0 it pushes none off, so that it wins no decided game whoever it plays
    (player, count) for count in COUNTS for player in PLAYERS if player != "0" or " of " not in count
)
PRINTED = {500: 0.81, 1_000: 0.92}  # of kappa -1
LEAST = {500: 0.80, 1_000: 0.90}  # that is called a success
MOST = 0.20  # that is called a failure, of kappa 0; no figure is printed
# Added to numbers of work: what is chosen has seeds that did not choose it.
SEARCH_SEED, BETWEEN_SEED, FEWEST_SEED, SECOND_SEED = 1_000_000, 2_000_000, 3_000_000, 4_000_000
MOST_CHANGES, BETWEEN_SEEDS = 2, 2  # of the second stage: levels at a time that are not the most literal ones
EFFECT = 0.5  # above which kappa -1 has an effect in the second stage, if kappa 0 is at most MOST; decides what is trained


def config_of(reading: Reading, kappa: float, episodes: int) -> NetworkConfig:
    """The training of a reading."""
    changes: dict[str, Any] = {}
    for factor, level in reading.items():
        changes |= FACTORS[factor][level]
    if reading["first weights"] == "material 1.5":
        changes["input_weights"] = ("other lost=1.5" if reading["inputs"] == "list 1" else "material=1.5",)
    return NetworkConfig(option=WITHOUT_DRAWS, episodes=episodes, kappa=f"{kappa:g}", **changes)


def differences(reading: Reading) -> str:
    """The levels of a reading that are not the most literal ones, in words."""
    return ", ".join(f"{factor}: {level}" for factor, level in reading.items() if level != LITERAL[factor]) or "none"


# ---------------------------------------------------------------- the design


@functools.cache
def block(number: int) -> tuple[Reading, ...]:
    """The points of a block, from 0: a Latin hypercube of levels whose factors hang together as little as tries can find."""
    random, columns = np.random.default_rng((DESIGN_SEED, number)), list[NDArray[np.int64]]()
    for levels in FACTORS.values():
        tries = [np.argsort(random.random(BLOCK), kind="stable") % len(levels) for _ in range(TRIES)]
        columns.append(min(tries, key=lambda column: sum(imbalance(column, other) for other in columns)))
    names = [list(levels) for levels in FACTORS.values()]
    return tuple(
        dict(zip(FACTORS, (levels[column[row]] for levels, column in zip(names, columns, strict=True)), strict=True))
        for row in range(BLOCK)
    )


def imbalance(column: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Chi-square of the pairs of levels of two factors: 0 if each occurs equally often."""
    levels = column.max() + 1
    counts = np.bincount(column + levels * other, minlength=levels * (other.max() + 1))
    expected = counts.mean()
    return float(((counts - expected) ** 2 / expected).sum())


def point(number: int) -> Reading:
    """Of the design, from 1."""
    return block((number - 1) // BLOCK)[(number - 1) % BLOCK]


# ---------------------------------------------------------------- work


def sampled(
    reading: Reading, kappa: float, points: Sequence[int], size: float, seed: int, tell: Callable[[int], None]
) -> list[dict[str, Any]]:
    """Nets of a training at numbers of games, each tested against all players. tell: as of `protocol.train`."""

    def look(agent: NetworkAgent, games: int) -> dict[str, Any]:
        player, tests = protocol.frozen(agent), {}
        for k, (name, (off_board, plies)) in enumerate(PLAYERS.items()):
            terms = protocol.Terms(scaled(TEST_GAMES, size, least=2), STARTS, plies)
            other = protocol.opponent(f"minimax:1,evaluation=distance(off_board={off_board:g})", agent.game)
            tests[name] = protocol.play(player, other, terms, seed=seed, path=(games, k))
        return {"tests": tests}

    counts = [scaled(count, size) for count in points]
    samples = protocol.train([config_of(reading, kappa, counts[-1])], counts, look, seed=seed, tell=tell)
    for sample, count in zip(samples, points, strict=True):
        sample["games"] = count  # of the full size, by which results are told apart
    return samples


def trained(place: Place, reading: Reading, plan: Plan, size: float, seed: int, *, done: int = 0) -> dict[str, Any]:
    """{"reading": ..., "nets": {kappa: samples}}; a kappa that is done is not done again after a cut.

    done: points of other readings in the same place.
    """
    nets = {}
    for kappa, points in plan.items():
        name, before = f"{done}_kappa{kappa:g}", done

        def tell(count: int, before: int = before) -> None:
            place.tell(before + count)

        kept = place.read(name)
        if kept is None:
            kept = place.keep(name, {"samples": sampled(reading, kappa, points, size, seed, tell)})
        nets[f"{kappa:g}"] = kept["samples"]
        done += len(points)
    return {"reading": dict(reading), "nets": nets}


def search(place: Place, seed: int, size: float) -> dict[str, Any]:
    """A point of the design. seed: its number."""
    return trained(place, point(seed), FIRST_PLAN, size, SEARCH_SEED + seed)


def train_between(place: Place, seed: int, size: float, chosen: Reading) -> dict[str, Any]:
    """The readings from the most literal one to the nearest: {"between": what `trained` says of each}.

    Kappa 0 is trained where kappa -1 has more than EFFECT under some test: games of kappa 0 take the most plies by far.
    """
    seed, found = BETWEEN_SEED + seed, []
    for k, reading in enumerate(between(chosen)):
        one = trained(place, reading, {-1.0: POINTS}, size, seed, done=k * NUM_NETS)
        if any(all(win_rate(one, -1.0, games, *test) > EFFECT for games in POINTS) for test in TESTS):
            one["nets"] |= trained(place, reading, {0.0: POINTS}, size, seed, done=k * NUM_NETS + len(POINTS))["nets"]
        found.append(one)
    return {"between": found}


def train_fewest(place: Place, seed: int, size: float, chosen: Reading) -> dict[str, Any]:
    """The reading of the third stage (`fewest_reading`), with a new seed and all kappas."""
    return trained(place, chosen, LATER_PLAN, size, FEWEST_SEED + seed)


def train_literal(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The most literal reading."""
    return trained(place, LITERAL, FIRST_PLAN, size, seed)


def train_second(place: Place, seed: int, size: float, chosen: Reading) -> dict[str, Any]:
    """The reading that comes nearest in the second block, with a new seed."""
    return trained(place, chosen, FIRST_PLAN, size, SECOND_SEED + seed)


def between(reading: Reading) -> list[Reading]:
    """The most literal reading with one to MOST_CHANGES of a reading's other levels, the fewest first."""
    others = [(factor, level) for factor, level in reading.items() if level != LITERAL[factor]]
    counts = range(1, MOST_CHANGES + 1)
    return [{**LITERAL, **dict(some)} for count in counts for some in itertools.combinations(others, count)]


# ---------------------------------------------------------------- what the tests of a net say


def share(test: Mapping[str, Any], count: str) -> float:
    """The wins of a test, as one of COUNTS has it; NaN, neither much nor little, if fewer than a tenth of games count."""
    good, bad = ("won", "lost") if count.startswith("won") else ("ahead", "behind")
    of = test["games"] if " of " not in count else test[good] + test[bad]
    return float(test[good] / of) if 10 * of >= test["games"] else math.nan


def win_rate(one: Mapping[str, Any], kappa: float, games: int, player: str, count: str) -> float:
    """Of a result of `trained`, NaN if it cannot be judged or was not trained. player: of PLAYERS. count: of COUNTS."""
    samples = {sample["games"]: sample for sample in one["nets"].get(f"{kappa:g}", ())}
    return share(samples[games]["tests"][player], count) if samples else math.nan


def distance(one: Mapping[str, Any], player: str, count: str) -> float:
    """How far a reading is from the study: |win rate - printed| of kappa -1, and what kappa 0 is above MOST, added up.

    Infinite if one of them cannot be judged.
    """
    total = 0.0
    for games in POINTS:
        with_0, with_1 = (win_rate(one, kappa, games, player, count) for kappa in SEARCHED)
        if math.isnan(with_0) or math.isnan(with_1):
            return math.inf
        total += abs(with_1 - PRINTED[games]) + max(0.0, with_0 - MOST)
    return total


def has_headline(one: Mapping[str, Any], player: str, count: str) -> bool:
    """Kappa 0 fails, kappa -1 succeeds, after 500 and after 1,000 games."""
    return all(
        win_rate(one, -1.0, games, player, count) >= LEAST[games] and win_rate(one, 0.0, games, player, count) <= MOST
        for games in POINTS
    )


def nearest_test(one: Mapping[str, Any]) -> tuple[float, str, str]:
    """(distance, player, count) of the reading of the tests that is nearest to the study; the first of equals."""
    return min(((distance(one, player, count), player, count) for player, count in TESTS), key=lambda each: each[0])


def numbers_of(number: int) -> range:
    """Of the points of a block, from 0."""
    return range(number * BLOCK + 1, (number + 1) * BLOCK + 1)


def nearest_point(points: Sequence[Mapping[str, Any]], number: int = 0) -> Mapping[str, Any]:
    """Of a block, from 0, the point with the nearest test, the first of equals."""
    some = [one for one in points if one["seed"] in numbers_of(number)]
    return min(some, key=lambda one: (nearest_test(one)[0], one["seed"]))


def nearest_reading(figures: Figures, number: int = 0) -> Reading | None:
    """The reading of the nearest point of a block (of block 0 the second stage begins), None until the whole of it is there."""
    points = figures.get("search", ())
    if not {one["seed"] for one in points}.issuperset(numbers_of(number)):
        return None
    reading: Reading = nearest_point(points, number)["reading"]
    return reading


def judged_by(figures: Figures, kind: str = "fewest") -> tuple[str, str]:
    """(player, count) that results of a kind are judged by: the nearest test of the point that their stage began from."""
    return nearest_test(nearest_point(figures["search"], int(kind == "second")))[1:]


def has_effect(one: Mapping[str, Any], player: str, count: str) -> bool:
    """Kappa -1 wins more than EFFECT and kappa 0 fails, after 500 and after 1,000 games."""
    return all(
        win_rate(one, -1.0, games, player, count) > EFFECT and win_rate(one, 0.0, games, player, count) <= MOST
        for games in POINTS
    )


def fewest_reading(figures: Figures) -> Reading | None:
    """The reading of the third stage; None until all of the second one is there.

    Of the readings that have the effect with every seed the first of those with the fewest changes; if none has, the nearest.
    """
    results = [one for one in figures.get("between", ()) if one["seed"] <= BETWEEN_SEEDS]
    if nearest_reading(figures) is None or len(results) < BETWEEN_SEEDS:
        return None
    test = judged_by(figures)
    for of_seeds in zip(*(one["between"] for one in results), strict=True):
        if all(has_effect(one, *test) for one in of_seeds):
            reading: Reading = of_seeds[0]["reading"]
            return reading
    return nearest_reading(figures)
