"""Claim 3: how many leaves of a uniform tree alpha-beta visits, in the best order, in the worst, and in a random one."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.core.board import Board
from boardgym.studies.adversarial_search.measuring import NO_AIDS, every, last_nodes, never, only
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found
from boardgym.testing import perft
from boardgym.testing.trees import CHILDREN, UNIFORM_DEPTHS, UNIFORMS, VALUES, tree

Nested = Any  # a leaf's value for MAX, or a list of subtrees
Order = Callable[[Sequence[Nested], bool], Sequence[Nested]]  # (subtrees, whether MAX moves) -> the same in another order
ORDERS = ("best", "random", "worst")
LABELS = {"best": "best first", "random": "random order", "worst": "worst first"}
GAMES = {"ConnectFour-v0": 8, "Othello-v0": 8}  # game -> depth
EXAMPLES, EXAMPLE_DEPTH = 100, 3  # binary trees of which every order is tried
ALL_ORDERS = 2**7  # two at each of the seven nodes above their eight leaves


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


def every_order(nested: Nested) -> Iterator[Nested]:
    """A tree with the children of its nodes in every order."""
    if not isinstance(nested, list):
        yield nested
        return
    for children in itertools.permutations(nested):
        yield from map(list, itertools.product(*(list(every_order(child)) for child in children)))


def as_given(children: Sequence[Nested], is_max: bool) -> Sequence[Nested]:
    """As they stand."""
    return children


def measure(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Leaves by branches, depth and order; the search's own positions; whether any order visits all; two games."""
    rng, found, own = np.random.default_rng(3), [], []
    for branches, deepest in UNIFORM_DEPTHS.items():
        roots = UNIFORMS[branches][: scaled(len(UNIFORMS[branches]), size, 2)]
        for depth in range(1, deepest + 1):
            ways = orders(rng)
            trees = [nested_tree(int(CHILDREN[root][0]), depth) for root in roots]
            counts = {name: [leaves_visited(one, False, way)[1] for one in trees] for name, way in ways.items()}
            found.append({"branches": branches, "depth": depth, "counts": counts})
        levels = sum(least(branches, d) for d in range(deepest + 1))
        options = f"{NO_AIDS},order=heuristic"
        own += [(last_nodes(deepest + 1, options, tree(root)), levels) for root in roots]
    place.tell(1)
    fullest = []
    for _ in range(scaled(EXAMPLES, size, 10)):
        nested = drawn(rng, EXAMPLE_DEPTH)
        fullest.append(max(leaves_visited(one, True, as_given)[1] for one in every_order(nested)))
    place.tell(2)
    return {"uniform": found, "own": own, "fullest": fullest, "games": {name: in_game(name, size) for name in GAMES}}


def drawn(rng: np.random.Generator, depth: int) -> Nested:
    """A binary tree of random values."""
    return float(rng.uniform(-1.0, 1.0)) if depth == 0 else [drawn(rng, depth - 1) for _ in range(2)]


def in_game(name: str, size: float) -> list[dict[str, int]]:
    """From a game's start: sequences of so many plies, and positions that the last iteration of a search visits."""
    depths = range(1, GAMES[name] + 1 if size == 1.0 else 5)
    return [
        {"depth": depth, "sequences": perft(Board(name), depth), "visited": last_nodes(depth, "table_bits=20", Board(name))}
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
        means = {name: sum(one["counts"][name]) / len(one["counts"][name]) for name in ORDERS}
        rows.append([str(b), str(d), str(least(b, d)), *(f"{means[name]:,.1f}" for name in ORDERS), f"{b**d:,}"])
    trees = len(found["uniform"][0]["counts"]["best"])
    lines = table(("b", "d", "formula", "best first", "random order", "worst first", "all, b^d"), rows)
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
    """Every tree has an order in which all leaves are visited."""
    found = only(figures)["fullest"]
    full = sum(count == 2**EXAMPLE_DEPTH for count in found)
    return never(full, len(found), f"random binary trees of {EXAMPLE_DEPTH} plies with such an order among all {ALL_ORDERS}")


def of_random(figures: Figures) -> Found:
    """Every tree of two plies or more: not fewer leaves than in the best order, not more than in the worst; means between."""
    trees = [
        (one["counts"]["best"][k], one["counts"]["random"][k], one["branches"] ** one["depth"])
        for one in only(figures)["uniform"]
        if one["depth"] > 1
        for k in range(len(one["counts"]["best"]))
    ]
    return never(sum(best <= count <= most for best, count, most in trees), len(trees), "trees with a number between")


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
            means = [sum(one["counts"][name]) / len(one["counts"][name]) for one in ones]
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
    works={"measured": Work(measure, is_seeded=False, units=3)},
    lines=page,
    claims=(
        Claim(3, "in the best order alpha-beta visits b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves of a uniform tree", of_best, ("measured",)),
        Claim(3, "with the worst moves first it visits all b^d", of_worst, ("measured",)),
        Claim(3, "there is an order in which it visits all b^d", of_some_order, ("measured",)),
        Claim(3, "in a random order it visits a number between", of_random, ("measured",)),
    ),
    readings=(
        ("the worst order", "ascending values at MAX, descending at MIN", "the same, by the true values of the subtrees"),
    ),
    pictures={"leaves": draw},
    made_of=(1, UNIFORM_DEPTHS, GAMES),
)
