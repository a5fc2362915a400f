"""Chapter 4 of the Abalearn study: grid worlds by dynamic programming and Q-learning, bandits by a softmax of averages."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.tabular.bandit import softmax_bandit
from boardgym.baselines.learning.tabular.dynamic_programming import evaluate_policy, iterate_values
from boardgym.baselines.learning.tabular.q_learning import QLearning
from boardgym.baselines.learning.tabular.solo import SoloLearner
from boardgym.solo import draw_rewards, draw_tasks
from boardgym.studies.abalearn.illustrations_pictures import draw_bandits, draw_lakes, draw_lengths
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled, spread
from boardgym.studies.verdicts import Found, all_of, greater

PRINTED_LAST = [[-59, -57, -54, -51], [-57, -54, -49, -45], [-54, -49, -40, -30], [-51, -45, -30, 0]]  # of V999 and V1000
SWEEPS = {"V1": 0, "V2": 1, "V3": 2, "V999": 998, "V1000": 999}  # V1 is before the first sweep
GRID_SWEEPS, GRID_SCALE = 100, -40.0

EPISODES, SHOWN_AFTER, DISCOUNT, EPSILON = 300, 100, 0.9, 0.1
STEP_SIZES = (0.5, 0.1)  # the first is the one that is judged
NEAR = 3  # steps
BLOCK = 50  # episodes at the beginning and at the end
MOST_STEPS = 400  # of a greedy walk

TASKS, PLAYS, LAST = 2000, 500, 50
TEMPERATURES, ARMS = (0.01, 0.1, 0.4, 1.0), (2, 5, 10, 100)
EXPERIMENTS = [(10, t) for t in TEMPERATURES] + [(n, 0.4) for n in ARMS if n != 10]


# ---------------------------------------------------------------- grids


def grids(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The two worlds with a known model."""
    four = gymnasium.make("boardgym/PolicyEvaluationGrid-v0").unwrapped
    tables = {}
    for name, sweeps in SWEEPS.items():
        values = evaluate_policy(four.transitions(), discount=1.0, sweeps=sweeps).values  # type: ignore[attr-defined]
        tables[name] = values.reshape(4, 4).tolist()
    model = gymnasium.make("boardgym/GridWorld-v0").unwrapped.transitions()  # type: ignore[attr-defined]
    found = {}
    for discount in (1.0, DISCOUNT):
        solved, settled = iterate_values(model, discount=discount, sweeps=GRID_SWEEPS), iterate_values(model, discount=discount)
        error = float(np.abs(solved.values - settled.values).max())
        found[f"{discount:g}"] = {"values": solved.values.round(3).tolist(), "error": error, "sweeps": settled.sweeps}
    return {"tables": tables, "grid": found}


def printed(name: str) -> list[list[float]]:
    """What the study printed of a table of the 4 x 4 world."""
    if name in ("V999", "V1000"):
        return [[float(x) for x in row] for row in PRINTED_LAST]
    inner, beside = {"V1": (0.0, 0.0), "V2": (-1.0, -1.0), "V3": (-2.0, -1.8)}[name]
    rows = [[inner] * 4 for _ in range(4)]
    rows[3][2] = rows[2][3] = beside
    rows[3][3] = 0.0
    return rows


def as_printed(name: str, values: Sequence[Sequence[float]]) -> list[list[float]]:
    """Our values with the study's digits: V999 and V1000 whole, towards zero; the others rounded to one."""
    if name in ("V999", "V1000"):
        return [[float(int(round(x, 6))) for x in row] for row in values]  # -30 is reached but for rounding
    return [[round(x, 1) for x in row] for row in values]


def in_a_line(rows: Sequence[Sequence[float]]) -> str:
    """A small table as text."""
    return " / ".join(" ".join(f"{x:g}" for x in row) for row in rows)


def digits_agree(figures: Figures) -> Found:
    """The tables of the 4 x 4 world, each number."""
    tables = figures["grids"][0]["tables"]
    equal = {name: as_printed(name, values) == printed(name) for name, values in tables.items()}
    text = ", ".join(f"{name} {'equal' if same else 'differs'}" for name, same in equal.items())
    return ("shown" if all(equal.values()) else "not shown"), f"16 numbers each: {text}"


def grid_settles(figures: Figures) -> Found:
    """Value iteration has settled after the study's sweeps, within the scale of its plot."""
    one = figures["grids"][0]["grid"]["1"]
    low = min(one["values"])
    text = f"discount 1: lowest value {low:g}, {one['error']:g} from the settled values, which {one['sweeps']} sweeps give"
    return ("shown" if one["error"] == 0.0 and low > GRID_SCALE else "not shown"), text


# ---------------------------------------------------------------- lakes and tunnel


def distances(cell: int, side: int) -> NDArray[np.int64]:
    """Steps from a cell to each, int64 (side * side,)."""
    rows, columns = np.divmod(np.arange(side * side), side)
    return np.abs(rows - cell // side) + np.abs(columns - cell % side)


def lakes(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Q-learning of one layout, at each step size, with the tunnel and, as a control, without."""
    found: dict[str, Any] = {}
    for step_size in STEP_SIZES:
        for has_tunnel in (True, False):
            name = f"{step_size:g}" if has_tunnel else f"{step_size:g} without"
            found[name] = learn_lakes(seed, step_size, has_tunnel, scaled(EPISODES, size, 6))
            place.tell(len(found))
    return found


def learn_lakes(seed: int, step_size: float, has_tunnel: bool, episodes: int) -> dict[str, Any]:
    """One learner: its episodes, values after a third of them, and its greedy walk at the end."""
    env = gymnasium.make("boardgym/LakesAndTunnel-v0", layout_seed=seed, has_tunnel=has_tunnel)
    world: Any = env.unwrapped
    learner = SoloLearner(env, QLearning(), step_size=step_size, discount=DISCOUNT, exploration=EPSILON, seed=seed)
    shown = episodes * SHOWN_AFTER // EPISODES
    first = learner.run(shown).lengths
    values = learner.action_values().max(axis=1)
    values[world.goal] = 0.0
    lengths = np.concatenate([first, learner.run(episodes - shown).lengths])
    to_goal, to_tunnel = distances(world.goal, world.width), distances(world.TUNNEL, world.width)
    is_lake = np.isin(np.arange(len(values)), list(world.lakes))
    is_near_goal, is_near_tunnel = (to_goal <= NEAR) & (to_goal > 0), to_tunnel <= NEAR
    beside = [values[(distances(cell, world.width) == 1) & ~is_lake] for cell in sorted(world.lakes)]
    drops = [values[cell] - around.mean() for cell, around in zip(sorted(world.lakes), beside, strict=True) if len(around)]
    price = world.LAKE_REWARD - world.step_reward
    walk, is_over = greedy_walk(env, learner.policy(), seed)
    return {
        "lengths": lengths.tolist(),
        "values": values.round(2).tolist(),
        "lakes": sorted(world.lakes),
        "near_goal": float(values[is_near_goal].mean()),
        "near_tunnel": float(values[is_near_tunnel].mean()),
        "elsewhere": float(values[~is_near_goal & ~is_near_tunnel & (to_goal > 0)].mean()),
        "drop": float(np.mean(drops)),
        "step_drop": float(price + DISCOUNT * np.mean(drops)),
        "walk": walk,
        "arrives": is_over,
        "by_tunnel": is_over and world.tunnel in walk,
        "lakes_met": sum(cell in world.lakes for cell in walk[1:]),
    }


def greedy_walk(env: Any, policy: NDArray[np.int64], seed: int) -> tuple[list[int], bool]:
    """The states of a walk by a policy, and whether it arrived."""
    state, _ = env.reset(seed=seed)
    walk, is_over = [int(state)], False
    while not is_over and len(walk) <= MOST_STEPS:
        state, _, is_over, _, _ = env.step(int(policy[state]))
        walk.append(int(state))
    return walk, bool(is_over)


def of_lakes(figures: Figures, key: str, name: str = f"{STEP_SIZES[0]:g}") -> list[Any]:
    """One figure of all layouts."""
    return [one[name][key] for one in figures["lakes"]]


def blocks(lengths: Sequence[float]) -> tuple[float, float]:
    """The mean length of the first and of the last episodes."""
    block = min(BLOCK, len(lengths) // 3)
    return mean(lengths[:block]), mean(lengths[-block:])


def rises_to_goal(figures: Figures) -> Found:
    """Near the goal values are above those elsewhere."""
    near, far = of_lakes(figures, "near_goal"), of_lakes(figures, "elsewhere")
    verdict, text = greater(near, far, 1.0)
    return verdict, f"within {NEAR} steps of the goal {spread(near, 1)}, elsewhere {spread(far, 1)}; {text}"


def rises_to_tunnel(figures: Figures) -> Found:
    """Near the tunnel values are above those of the same cells in a world without it."""
    near = of_lakes(figures, "near_tunnel")
    control = of_lakes(figures, "near_tunnel", f"{STEP_SIZES[0]:g} without")
    verdict, text = greater(near, control, 1.0)
    return verdict, f"within {NEAR} steps of the tunnel {spread(near, 1)}, there without a tunnel {spread(control, 1)}; {text}"


def lakes_are_low(key: str) -> Callable[[Figures], Found]:
    """A lake is below the dry cells beside it. key: "drop" by its value, "step_drop" by that of the step onto it."""

    def judge(figures: Figures) -> Found:
        parts = []
        for step_size in STEP_SIZES:
            drops = of_lakes(figures, key, f"{step_size:g}")
            verdict, text = greater([0.0] * len(drops), drops, 1.0)
            parts.append((verdict, f"step size {step_size:g}: a lake less the dry cells beside it {spread(drops, 1)}; {text}"))
        return parts[0][0], "; ".join(text for _, text in parts)

    return judge


def path_avoids_lakes(figures: Figures) -> Found:
    """The greedy walk meets lakes less often than cells are lakes."""
    walks, met = of_lakes(figures, "walk"), of_lakes(figures, "lakes_met")
    cells = len(of_lakes(figures, "lakes")[0]) / len(of_lakes(figures, "values")[0])
    arrive, tunnel = of_lakes(figures, "arrives"), sum(of_lakes(figures, "by_tunnel"))
    shares = [count / (len(walk) - 1) for count, walk, arrives in zip(met, walks, arrive, strict=True) if arrives]
    if not shares:
        return "not decided", f"none of {len(walks)} greedy walks arrives"
    verdict, text = greater([cells] * len(shares), shares)
    return verdict, (
        f"of all cells {100 * cells:.1f} % are lakes, of the steps of greedy walks {100 * mean(shares):.1f} %: "
        f"{text}; {sum(arrive)} of {len(walks)} walks arrive, {tunnel} by the tunnel"
    )


def episodes_shorten(figures: Figures) -> Found:
    """The last episodes are shorter than the first."""
    found = [blocks(lengths) for lengths in of_lakes(figures, "lengths")]
    verdict, text = greater([first for first, _ in found], [last for _, last in found], 1.0)
    first, last = spread([a for a, _ in found], 0), spread([b for _, b in found], 0)
    return verdict, f"steps of the first {BLOCK} episodes {first}, of the last {last}; {text}"


# ---------------------------------------------------------------- bandits


def bandits(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Both experiments."""
    found: dict[str, Any] = {}
    for number, (n, temperature) in enumerate(EXPERIMENTS):
        rng = np.random.default_rng([seed, number])
        tasks = draw_tasks(rng, scaled(TASKS, size, 2), n)
        done = softmax_bandit(tasks, temperature, plays=PLAYS, rng=rng, draw_rewards=draw_rewards)
        rewards, is_optimal = done.rewards.mean(axis=1), done.is_optimal.mean(axis=1)
        found[f"{n} {temperature:g}"] = {"rewards": rewards.round(4).tolist(), "optimal": is_optimal.round(4).tolist()}
        place.tell(number + 1)
    return found


def last_plays(figures: Figures, n: int, temperature: float, key: str) -> list[float]:
    """The mean over the last plays, of each seed."""
    return [mean(one[f"{n} {temperature:g}"][key][-LAST:]) for one in figures["bandits"]]


def in_order(figures: Figures, key: str, pairs: Sequence[tuple[tuple[int, float], tuple[int, float]]]) -> Found:
    """Whether the first of each pair of experiments has more."""
    parts = []
    for more, less in pairs:
        verdict, text = greater(last_plays(figures, *more, key), last_plays(figures, *less, key), 1.0, 3)
        parts.append((verdict, f"n {more[0]}, temperature {more[1]:g} over n {less[0]}, {less[1]:g}: {text}"))
    return all_of([verdict for verdict, _ in parts]), "; ".join(text for _, text in parts)


def best_temperature(figures: Figures) -> Found:
    """0.4 above each other."""
    return in_order(figures, "rewards", [((10, 0.4), (10, t)) for t in TEMPERATURES if t != 0.4])


def worst_temperature(figures: Figures) -> Found:
    """Each other above 1."""
    return in_order(figures, "rewards", [((10, t), (10, 1.0)) for t in TEMPERATURES if t != 1.0])


def more_arms_pay(figures: Figures) -> Found:
    """The reward grows with the arms."""
    return in_order(figures, "rewards", [((more, 0.4), (less, 0.4)) for less, more in pairwise(ARMS)])


def more_arms_hide(figures: Figures) -> Found:
    """The share of optimal plays falls with the arms."""
    return in_order(figures, "optimal", [((less, 0.4), (more, 0.4)) for less, more in pairwise(ARMS)])


# ---------------------------------------------------------------- the page


def page(figures: Figures) -> list[str]:
    """Published beside reproduced."""
    lines: list[str] = []
    if figures.get("grids"):
        one = figures["grids"][0]
        rows = []
        for name, values in one["tables"].items():
            both = [in_a_line(printed(name)), in_a_line(as_printed(name, values))]
            rows.append([name, *both])
        lines += table(["4 x 4 world, uniformly random policy", "study", "here, with its digits"], rows)
        lines += table(
            ["20 x 20 world, 100 sweeps of value iteration", "lowest value (study: scale 0 to -40)", "sweeps until it settles"],
            [[f"discount {d}", f"{min(one['grid'][d]['values']):.2f}", str(one["grid"][d]["sweeps"])] for d in one["grid"]],
        )
    if figures.get("lakes"):
        rows = []
        for name in [f"{s:g}{more}" for s in STEP_SIZES for more in ("", " without")]:
            ends = [blocks(lengths) for lengths in of_lakes(figures, "lengths", name)]
            rows.append(
                [
                    f"step size {name}{' the tunnel' if 'without' in name else ''}",
                    spread([float(max(x)) for x in of_lakes(figures, "lengths", name)], 0),
                    spread([a for a, _ in ends], 0),
                    spread([b for _, b in ends], 0),
                    spread([float(min(x)) for x in of_lakes(figures, "values", name)], 1),
                    *(spread(of_lakes(figures, key, name), 1) for key in ("near_goal", "near_tunnel", "elsewhere")),
                    f"{sum(of_lakes(figures, 'by_tunnel', name))} of {len(figures['lakes'])}",
                ]
            )
        head = ("lakes and tunnel, Q-learning", "longest episode (study: axis to 1400)", f"first {BLOCK}", f"last {BLOCK}",
                f"lowest value after {SHOWN_AFTER} (study: scale to -40)", f"within {NEAR} steps of the goal", "of the tunnel",
                "elsewhere", "greedy walks by the tunnel")  # fmt: skip
        lines += table(head, rows)
    if figures.get("bandits"):
        rows = [
            [
                f"n {n}, temperature {t:g}",
                spread(last_plays(figures, n, t, "rewards"), 3),
                spread([100 * x for x in last_plays(figures, n, t, "optimal")], 1),
            ]
            for n, t in EXPERIMENTS
        ]
        lines += table([f"bandits, last {LAST} of {PLAYS} plays", "mean reward", "best arm, %"], rows)
    return [*lines, "Means over the seeds, each of another layout or of other tasks, with 95 % intervals (Student's t).", ""]


PART = Part(
    name="illustrations",
    title="chapter 4: grid worlds and bandits",
    works={"grids": Work(grids, is_seeded=False), "lakes": Work(lakes, units=4), "bandits": Work(bandits, units=7)},
    lines=page,
    claims=(
        Claim(3, "the 4 x 4 tables, to the digit", digits_agree, ("grids",)),
        Claim(3, "20 x 20: value iteration settles within 100 sweeps and the plot's scale", grid_settles, ("grids",)),
        Claim(3, "lakes: values rise towards the goal", rises_to_goal, ("lakes",)),
        Claim(3, "lakes: and around the tunnel", rises_to_tunnel, ("lakes",)),
        Claim(3, "lakes stand out as low values", lakes_are_low("drop"), ("lakes",)),
        Claim(3, "lakes stand out by the value of the step onto them", lakes_are_low("step_drop"), ("lakes",)),
        Claim(3, "the learnt path avoids lakes", path_avoids_lakes, ("lakes",)),
        Claim(3, "episodes become shorter", episodes_shorten, ("lakes",)),
        Claim(3, "bandits: temperature 0.4 earns most", best_temperature, ("bandits",)),
        Claim(3, "bandits: temperature 1 is poor, below all others", worst_temperature, ("bandits",)),
        Claim(3, "bandits: with more arms the reward grows", more_arms_pay, ("bandits",)),
        Claim(3, "bandits: and the share of the best arm falls", more_arms_hide, ("bandits",)),
    ),
    readings=(
        ("4 x 4: policy, discount, digits", "not said", "uniformly random, 1; V1 to V3 rounded, V999, V1000 cut"),
        ("20 x 20: discount", "not said", "1, whose lowest value -30 fits the scale; 0.9 beside it"),
        ("lakes: step size, discount, epsilon", "not said", "0.5 (0.1 beside it), 0.9, 0.1; the plots' scales fit the first"),
        ("lakes: where", "43 at random", "another layout for each seed"),
        ("bandits: rewards", "N(0, 1)", "N(value of the arm, 1)"),
    ),
    pictures={"lakes": draw_lakes, "lengths": draw_lengths, "bandits": draw_bandits},
    needs={"lakes": ("grids", "lakes"), "lengths": ("lakes",), "bandits": ("bandits",)},
    made_of=(2, EPISODES, SHOWN_AFTER, DISCOUNT, EPSILON, STEP_SIZES, NEAR, TASKS, PLAYS, EXPERIMENTS),
)
