"""Filters of examples: plain functions, each from examples to examples, in any order.

Rows are the same position to a network where their inputs are equal. What a filter keeps stands in the order of the games.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.examples.columns import MOST_VISITS, Examples, packed, seen_name
from boardgym.baselines.learning.examples.kernels import features_of_rows, transformed_rows
from boardgym.core.errors import OptionError, nearest
from boardgym.core.random import stream
from boardgym.core.validity import check_rows


def winners_decisions(examples: Examples) -> Examples:
    """The examples of the decisions of the seat that won its game; drawn games give none.

    The UCT-CCNN study, section 4.6. A network then sees nothing but what the winner moved to, or might have.
    """
    return examples.take(examples.columns["result"] > 0.0).noted("winners")


def least_visits(examples: Examples, visits: int) -> Examples:
    """The examples with at least so many visits. Raises OptionError for fewer than 1."""
    if not 1 <= visits <= MOST_VISITS:
        raise OptionError(f"least_visits of {visits}: expected a number of 1 or more")
    return examples.take(examples.columns["visits"] >= visits).noted(f"visits={visits}")


def most_visited_duplicates(examples: Examples) -> Examples:
    """Of the examples with equal inputs the one with the most visits, of several the first.

    The UCT-CCNN study, section 4.6.
    """
    number, first = groups_of(examples)
    visits = examples.columns["visits"]
    order = np.lexsort((np.arange(len(examples)), -visits, number))  # a group in a row, what is kept in front
    kept = order[np.searchsorted(number[order], np.arange(len(first)))]
    return examples.take(np.sort(kept)).noted("most-visited")


def averaged_duplicates(examples: Examples) -> Examples:
    """One of the examples with equal inputs, the first, with the visits of all, and the means of utility and result by visits.

    The UCT-CCNN study names it as future work, section 6.1.
    """
    number, first = groups_of(examples)
    visits = examples.columns["visits"]
    total = np.zeros(len(first), np.int64)
    np.add.at(total, number, visits)
    means = {
        name: (np.bincount(number, visits * examples.columns[name].astype(np.float64), len(first)) / total).astype(
            examples.columns[name].dtype
        )
        for name in ("utility", "result")
    }
    order = np.argsort(first)
    found = examples.take(first[order])
    columns = {name: column[order] for name, column in {"visits": total, **means}.items()}
    return found.with_columns(columns).noted("averaged")


def groups_of(examples: Examples) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(the group of each row, int64 (n,); the first row of each group, int64 (groups,)): rows of equal inputs are a group."""
    seen = np.ascontiguousarray(examples.seen + examples.seen.dtype.type(0))  # so that no zero has a minus sign
    rows = seen.view(np.dtype((np.void, seen.dtype.itemsize * seen.shape[1])))[:, 0]
    _, first, number = np.unique(rows, return_index=True, return_inverse=True)
    return number.reshape(-1).astype(np.int64), first.astype(np.int64)


def symmetric_forms(examples: Examples) -> Examples:
    """Each example in all forms that the symmetries of the board give it, its own first; equal ones once.

    Inputs and position are those of the form; game, ply, root and action say where the example is from. Split first: forms of
    one position on both sides of a split would make a test of what was learnt by heart.

    Raises PositionError for a position that is none of the game.
    """
    game, rows = examples.game, examples.columns["position"]
    check_rows(game, rows)
    name, seats = seen_name(examples.features), examples.columns["seat"]
    forms, images = [examples.seen], [rows]
    for k in range(1, game.num_symmetries):
        images.append(transformed_rows(game, rows, k))
        forms.append(packed(examples.features, features_of_rows(examples.features, images[-1], seats)))
    is_new = np.ones((len(examples), len(forms)), np.bool_)
    for k, form in enumerate(forms):
        for other in forms[:k]:
            is_new[:, k] &= (form != other).any(axis=1)
    row, form_of_row = np.nonzero(is_new)
    columns = {name: np.stack(forms, axis=1)[row, form_of_row], "position": np.stack(images, axis=1)[row, form_of_row]}
    return examples.take(row).with_columns(columns).noted("symmetries")


FILTERS: dict[str, Callable[..., Examples]] = {  # as text names them; visits=N takes a number
    "winners": winners_decisions,
    "most-visited": most_visited_duplicates,
    "averaged": averaged_duplicates,
    "visits": least_visits,
    "symmetries": symmetric_forms,
}


def apply_filters(examples: Examples, texts: Sequence[str]) -> Examples:
    """Filters by name, one after another: "winners", "visits=50", "most-visited". Raises OptionError for another name."""
    for call, arguments in [read_filter(text) for text in texts]:
        examples = call(examples, *arguments)
    return examples


def read_filter(text: str) -> tuple[Callable[..., Examples], tuple[Any, ...]]:
    """(a filter, what it takes beside the examples). Raises OptionError naming the nearest."""
    name, has_number, number = text.partition("=")
    if name not in FILTERS:
        raise OptionError(f"filter {text!r}; {nearest(name, FILTERS)}")
    if (name == "visits") != bool(has_number):
        raise OptionError(f"filter {text!r}: expected visits=N, and the others without a number")
    if not has_number:
        return FILTERS[name], ()
    if not number.isdecimal():
        raise OptionError(f"filter {text!r}: expected a whole number, as in visits=50")
    return FILTERS[name], (int(number),)


def split(examples: Examples, shares: Sequence[float] = (0.9, 0.1), *, seed: int = 1) -> tuple[Examples, ...]:
    """Examples in as many sets as there are shares, drawn uniformly: (0.9, 0.1) training and test; a third set if wanted.

    shares: in proportion; each but the first gets its share of n, rounded, and the first the rest. seed: of the draw. Each set
    keeps the order of the games.

    Raises OptionError for fewer than two shares, one that is not above 0, or too few examples for one in each.
    """
    if len(shares) < 2 or not all(0.0 < share < float("inf") for share in shares):
        raise OptionError(f"shares {tuple(shares)}: expected two or more numbers above 0, as in 90, 10")
    counts = [int(len(examples) * share / sum(shares) + 0.5) for share in shares[1:]]
    counts = [len(examples) - sum(counts), *counts]
    if min(counts) < 1:
        raise OptionError(f"{len(examples)} examples are too few for shares {tuple(shares)}: a set would be empty")
    order = np.random.default_rng(int(stream(seed)[0])).permutation(len(examples))
    parts = np.split(order, np.cumsum(counts)[:-1])
    texts = [f"split {number + 1} of {len(shares)}, seed {seed}" for number in range(len(shares))]
    return tuple(examples.take(np.sort(part)).noted(text) for part, text in zip(parts, texts, strict=True))
