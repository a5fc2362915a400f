"""Claim 3: how many leaves of a uniform tree alpha-beta visits, in the best order, in the worst, and in a random one."""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from boardgym.core.board import Board
from boardgym.studies.adversarial_search.measuring import NO_AIDS, all_counted, analysed_nodes, every, last_nodes, never, only
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found
from boardgym.testing import perft
from boardgym.testing.trees import CHILDREN, UNIFORM_DEPTHS, UNIFORMS, VALUES, digest, tree

Nested = Any  # a leaf's value for MAX, or a list of subtrees
Order = Callable[[Sequence[Nested], bool], Sequence[Nested]]  # (subtrees, whether MAX moves) -> the same in another order
ORDERS = ("best", "random", "worst")
LABELS = {"best": "best first", "random": "random order", "worst": "worst first"}
GAMES = {"ConnectFour-v0": 8, "Othello-v0": 8}  # game -> depth
TABLE_BITS = 20  # for these
SEED = 3  # of the random orders


def minimax(nested: Nested, is_max: bool) -> float:
    """The value for MAX."""
    if not isinstance(nested, list):
        return float(nested)
    return (max if is_max else min)(minimax(child, not is_max) for child in nested)


def leaves_visited(
    nested: Nested, is_max: bool, order: Order, alpha: float = -math.inf, beta: float = math.inf
) -> tuple[float, int]:
    """Alpha-beta as the notes have it: (the value for MAX, how many leaves it visits)."""
    if not isinstance(nested, list):
        return float(nested), 1
    value, count = -math.inf if is_max else math.inf, 0
    for child in order(nested, is_max):
        found, visited = leaves_visited(child, not is_max, order, alpha, beta)
        value, count = (max if is_max else min)(value, found), count + visited
        if value >= beta if is_max else value <= alpha:
            break
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
    return value, count


def best_first(children: Sequence[Nested], is_max: bool) -> list[Nested]:
    """Descending values at MAX, ascending at MIN."""
    return sorted(children, key=lambda child: minimax(child, not is_max), reverse=is_max)


def orders(rng: np.random.Generator) -> dict[str, Order]:
    """By name; the random one draws."""
    return {
        "best": best_first,
        "random": lambda children, is_max: [children[k] for k in rng.permutation(len(children))],
        "worst": lambda children, is_max: best_first(children, is_max)[::-1],
    }


def nested_tree(node: int, depth: int) -> Nested:
    """A drawn tree, whose nodes at a depth are its leaves. node: its number."""
    if depth == 0:
        return float(VALUES[node][0])
    return [nested_tree(int(child), depth - 1) for child in CHILDREN[node] if child >= 0]


def least(branches: int, depth: int) -> int:
    """Leaves in the best order: b^ceil(d/2) + b^floor(d/2) - 1 (D. Knuth, R. Moore, 1975)."""
    return branches ** ((depth + 1) // 2) + branches ** (depth // 2) - 1


def full_order_exists(nested: Nested, is_max: bool) -> bool:
    """Whether in some order of the children of all nodes alpha-beta visits every leaf: all orders are tried.

    As long as nothing has been cut, what a child hands up is its minimax value. What is left of a node's children, and the
    window, are thus all that the orders of the others need to know.
    """

    def frozen(one: Nested) -> Any:
        return tuple(map(frozen, one)) if isinstance(one, list) else float(one)

    @functools.cache
    def value_of(one: Any, is_max: bool) -> float:
        return (max if is_max else min)(value_of(child, not is_max) for child in one) if isinstance(one, tuple) else one

    @functools.cache
    def is_whole(left: tuple[Any, ...], is_max: bool, alpha: float, beta: float) -> bool:
        for k, child in enumerate(left):
            others, value = left[:k] + left[k + 1 :], value_of(child, not is_max)
            window = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
            if others and window[0] >= window[1]:
                continue  # the others would be cut
            if isinstance(child, tuple) and not is_whole(child, not is_max, alpha, beta):
                continue
            if not others or is_whole(others, is_max, *window):
                return True
        return False

    return is_whole(frozen(nested), is_max, -math.inf, math.inf)


def uncut_tree(branches: int, depth: int, is_max: bool, low: float = -1.0, high: float = 1.0) -> Nested:
    """A tree of which all leaves are visited as it stands: what comes later is better, whatever way it is looked at.

    low, high: its values lie between; those of a node's children between bounds of their own, which ascend at MAX and
    descend at MIN, so that all of them lie within the window that the children before have left.
    """
    if depth == 0:
        return (low + high) / 2.0
    bounds = [low + (high - low) * k / branches for k in range(branches + 1)]
    children = [uncut_tree(branches, depth - 1, not is_max, *pair) for pair in itertools.pairwise(bounds)]
    return children if is_max else children[::-1]


def as_given(children: Sequence[Nested], is_max: bool) -> Sequence[Nested]:
    """As they stand."""
    return children


def measure(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Leaves by branches, depth and order; the search's own positions; whether some order visits all; two games."""
    rng, found, own = np.random.default_rng(SEED), [], []
    for branches, deepest in UNIFORM_DEPTHS.items():
        roots = UNIFORMS[branches][: scaled(len(UNIFORMS[branches]), size, 2)]
        for depth in range(1, deepest + 1):
            ways = orders(rng)
            trees = [nested_tree(int(CHILDREN[root][0]), depth) for root in roots]
            counts = {name: [leaves_visited(one, False, way)[1] for one in trees] for name, way in ways.items()}
            whole = [full_order_exists(one, False) for one in trees]
            uncut = leaves_visited(uncut_tree(branches, depth, True), True, as_given)[1]
            found.append({"branches": branches, "depth": depth, "counts": counts, "whole": whole, "uncut": uncut})
        levels = sum(least(branches, d) for d in range(deepest + 1))
        options = f"{NO_AIDS},order=heuristic"
        own += [(last_nodes(deepest + 1, options, tree(root), analysed_nodes), levels) for root in roots]
    place.tell(1)
    return {"uniform": found, "own": own, "games": {name: in_game(name, size) for name in GAMES}}


def in_game(name: str, size: float) -> list[dict[str, int]]:
    """From a game's start: sequences of so many plies, and positions that the last iteration of a search visits."""
    depths = range(1, GAMES[name] + 1 if size == 1.0 else 5)
    return [
        {
            "depth": depth,
            "sequences": perft(Board(name), depth),
            "visited": last_nodes(depth, f"table_bits={TABLE_BITS}", Board(name)),
        }
        for depth in depths
    ]


def exponent(one: dict[str, int]) -> float:
    """X of visited = sequences^x."""
    return math.log(one["visited"]) / math.log(one["sequences"])


# ---------------------------------------------------------------- the page


def page(figures: Figures) -> list[str]:
    """Leaves of the uniform trees; positions in games."""
    found = only(figures)
    rows = []
    for one in found["uniform"]:
        b, d = one["branches"], one["depth"]
        means = {name: mean(one["counts"][name]) for name in ORDERS}
        whole = f"{sum(one['whole'])} of {len(one['whole'])}"
        rows.append([str(b), str(d), str(least(b, d)), *(f"{means[name]:,.1f}" for name in ORDERS), f"{b**d:,}", whole])
    trees = len(found["uniform"][0]["counts"]["best"])
    lines = table(
        ("b", "d", "formula", "best first", "random order", "worst first", "all, b^d", "trees with an order that visits all"),
        rows,
    )
    lines += [f"Leaves that alpha-beta visits, means of {trees} random trees each.", ""]
    rows = [
        [name.removesuffix("-v0"), str(one["depth"]), f"{one['sequences']:,}", f"{one['visited']:,}",
         f"{exponent(one):.2f}"]
        for name, counted in found["games"].items()
        for one in counted
    ]  # fmt: skip
    lines += table(
        (
            "game, from its start",
            "d",
            "sequences of d plies",
            "positions visited by `minimax:d`",
            "log visited / log sequences",
        ),
        rows,
    )
    return [
        *lines,
        "The best order would come near one half. Visited are positions of all plies, not leaves alone.",
        "",
    ]


def of_best(figures: Figures) -> Found:
    """Every tree at every depth has as many leaves visited as the formula says, and so has our search positions."""
    found = only(figures)
    right = [count == least(one["branches"], one["depth"]) for one in found["uniform"] for count in one["counts"]["best"]]
    own = [count == levels for count, levels in found["own"]]
    return every([
        (sum(right), len(right), "trees with the formula's number of leaves"),
        (sum(own), len(own), "trees in which our search visits the formula's positions of all plies"),
    ])  # fmt: skip


def of_worst(figures: Figures) -> Found:
    """Every tree at every depth has all its leaves visited when the worst comes first."""
    ones = only(figures)["uniform"]
    shares = [count / one["branches"] ** one["depth"] for one in ones for count in one["counts"]["worst"]]
    verdict, text = never(sum(share == 1.0 for share in shares), len(shares), "trees of which all leaves are visited")
    return verdict, f"{text}; the least share is {100 * min(shares):.1f} %: a bound from two plies up or more may still cut"


def of_some_order(figures: Figures) -> Found:
    """Every tree at every depth has an order in which all leaves are visited."""
    ones = only(figures)["uniform"]
    flags = [flag for one in ones for flag in one["whole"]]
    return never(sum(flags), len(flags), "trees with such an order, among all orders of the children of all their nodes")


def of_some_tree(figures: Figures) -> Found:
    """The trees that are built for it, one for each number of branches and plies."""
    ones = only(figures)["uniform"]
    return all_counted(
        sum(one["uncut"] == one["branches"] ** one["depth"] for one in ones), len(ones), "trees built so, one for each b and d"
    )


def of_random(figures: Figures) -> Found:
    """For every number of branches and of plies, from two up: the mean is more than in the best order, and less than b^d."""
    ones = [one for one in only(figures)["uniform"] if one["depth"] > 1]
    between = [
        least(one["branches"], one["depth"]) < mean(one["counts"]["random"]) < one["branches"] ** one["depth"] for one in ones
    ]
    return never(
        sum(between), len(between), "pairs of b and d, d from 2, with a mean that is more than the least and less than b^d"
    )


def draw(path: Path, figures: Figures) -> None:
    """Leaves by depth for each number of branches, and positions of the two games."""
    found = only(figures)
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(11.5, 4.0), layout="constrained")
    colours = {"best": "tab:green", "random": "tab:blue", "worst": "tab:red"}
    for axis, branches in zip(axes, UNIFORM_DEPTHS, strict=False):
        ones = [one for one in found["uniform"] if one["branches"] == branches]
        depths = [one["depth"] for one in ones]
        axis.plot(depths, [branches**d for d in depths], "--", color="0.5", label="all, $b^d$")
        for name in reversed(ORDERS):
            means = [mean(one["counts"][name]) for one in ones]
            axis.plot(depths, means, marker="o", markersize=4, color=colours[name], label=LABELS[name])
        axis.plot(depths, [branches ** (d / 2) for d in depths], ":", color="0.5", label="$b^{d/2}$")
        axis.set(
            title=f"uniform trees, b = {branches}",
            xlabel="depth d, plies",
            ylabel="leaves visited",
            yscale="log",
            xticks=depths,
        )
    for (name, counted), colour in zip(found["games"].items(), ("tab:orange", "tab:purple"), strict=True):
        depths, title = [one["depth"] for one in counted], name.removesuffix("-v0")
        axes[2].plot(depths, [one["sequences"] for one in counted], "--", color=colour, label=f"{title}: sequences")
        axes[2].plot(
            depths, [one["visited"] for one in counted], marker="o", markersize=4, color=colour, label=f"{title}: visited"
        )
        axes[2].plot(depths, [one["sequences"] ** 0.5 for one in counted], ":", color=colour)
    axes[2].set(
        title="games, dotted: the square root", xlabel="depth d, plies", ylabel="positions", yscale="log", xticks=depths
    )
    for axis in axes:
        axis.legend(frameon=False, fontsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    keep_picture(figure, path)


GROWTH = Part(
    name="growth",
    title="claim 3: the order of moves",
    works={"measured": Work(measure, is_seeded=False, units=2)},
    lines=page,
    claims=(
        Claim(3, "in the best order alpha-beta visits b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves of a uniform tree", of_best, ("measured",)),
        Claim(3, "with the worst moves first it visits all b^d", of_worst, ("measured",)),
        Claim(3, "every tree has an order in which it visits all b^d", of_some_order, ("measured",)),
        Claim(3, "for every b and d there are trees of which it visits all b^d", of_some_tree, ("measured",)),
        Claim(3, "in a random order it visits a number between, on average", of_random, ("measured",)),
    ),
    readings=(
        ("the worst order", "ascending values at MAX, descending at MIN", "the same, by the true values of the subtrees"),
    ),
    pictures={"leaves": draw},
    made_of=(
        2,
        UNIFORM_DEPTHS,
        GAMES,
        TABLE_BITS,
        SEED,
        NO_AIDS,
        digest(root for roots in UNIFORMS.values() for root in roots),
    ),
)
