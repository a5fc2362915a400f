"""Filters of examples: plain functions, each from examples to examples; and the split into sets.

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

AVERAGED, SYMMETRIES = "averaged", "symmetries"


def winners_decisions(examples: Examples) -> Examples:
    """The examples of the decisions of the seat that won its game; drawn games give none.

    The UCT-CCNN study, section 4.6. A network then sees nothing but what the winner moved to, or might have. Raises OptionError
    for averaged examples, whose results are of many games.
    """
    if AVERAGED in examples.header["filters"]:
        raise OptionError("filter 'winners' after 'averaged', which mixes games; expected it before")
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
    return found.with_columns(columns).noted(AVERAGED)


def groups_of(examples: Examples) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(the group of each row, int64 (n,); the first row of each group, int64 (groups,)): rows of equal inputs are a group."""
    _, first, number = np.unique(as_words(examples.seen), return_index=True, return_inverse=True)
    return number.reshape(-1).astype(np.int64), first.astype(np.int64)


def symmetric_forms(examples: Examples) -> Examples:
    """Each example in all forms that the symmetries of the board give it, its own first; equal ones once.

    Inputs and position are those of the form; game, ply, root and action say where the example is from. Split first: forms of
    one position on both sides of a split would make a test of what was learnt by heart (keeps_forms of `split`).

    Raises PositionError for a position that is none of the game.
    """
    name, (forms, images) = seen_name(examples.features), forms_of(examples)
    is_new = np.ones((len(examples), len(forms)), np.bool_)
    for k, form in enumerate(forms):
        for other in forms[:k]:
            is_new[:, k] &= (form != other).any(axis=1)
    row, form_of_row = np.nonzero(is_new)
    columns = {name: np.stack(forms, axis=1)[row, form_of_row], "position": np.stack(images, axis=1)[row, form_of_row]}
    return examples.take(row).with_columns(columns).noted(SYMMETRIES)


def forms_of(examples: Examples) -> tuple[list[NDArray[Any]], list[NDArray[np.int64]]]:
    """(inputs as they are kept, rows of positions) of all examples under each symmetry of the board, themselves first.

    Raises PositionError for a position that is none of the game.
    """
    game, rows, seats = examples.game, examples.columns["position"], examples.columns["seat"]
    check_rows(game, rows)
    forms, images = [examples.seen], [rows]
    for k in range(1, game.num_symmetries):
        images.append(transformed_rows(game, rows, k))
        forms.append(packed(examples.features, features_of_rows(examples.features, images[-1], seats)))
    return forms, images


def symmetric_groups(examples: Examples) -> NDArray[np.int64]:
    """The group of each row, int64 (n,): rows whose symmetric forms are the same are a group. Raises as `forms_of`."""
    forms = [as_words(form) for form in forms_of(examples)[0]]
    number = np.unique(np.concatenate(forms), return_inverse=True)[1].reshape(len(forms), len(examples))
    return np.unique(number.min(axis=0), return_inverse=True)[1].reshape(-1).astype(np.int64)


def as_words(seen: NDArray[Any]) -> NDArray[Any]:
    """Inputs, (n, ...), as one word of bytes a row, which can be sorted."""
    seen = np.ascontiguousarray(seen + seen.dtype.type(0))  # so that no zero has a minus sign
    return seen.view(np.dtype((np.void, seen.dtype.itemsize * seen.shape[1])))[:, 0]


FILTERS: dict[str, Callable[..., Examples]] = {  # as text names them; visits=N takes a number
    "winners": winners_decisions,
    "most-visited": most_visited_duplicates,
    AVERAGED: averaged_duplicates,
    "visits": least_visits,
    SYMMETRIES: symmetric_forms,
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
    if not number.isdecimal() or not 1 <= int(number) <= MOST_VISITS:
        raise OptionError(f"filter {text!r}: expected a whole number of 1 or more, as in visits=50")
    return FILTERS[name], (int(number),)


def check_shares(shares: Sequence[float]) -> None:
    """Raises OptionError for fewer than two shares, or one that is not above 0."""
    if len(shares) < 2 or not all(0.0 < share < float("inf") for share in shares):
        raise OptionError(f"shares {tuple(shares)}: expected two or more numbers above 0, as in 90, 10")


def split(
    examples: Examples, shares: Sequence[float] = (0.9, 0.1), *, seed: int = 1, keeps_forms: bool = False
) -> tuple[Examples, ...]:
    """Examples in as many sets as there are shares, drawn uniformly: (0.9, 0.1) training and test; a third set if wanted.

    Args:
        examples: to split.
        shares: in proportion; each but the first gets its share of n, rounded, and the first the rest.
        seed: of the draw. Each set keeps the order of the games.
        keeps_forms: whether all examples that are symmetric forms of one position go into one set. Then positions are drawn
            in place of examples, and the shares are of positions.

    Raises:
        OptionError: fewer than two shares, one that is not above 0, or too few examples for one in each.
        PositionError: with keeps_forms, a position that is none of the game.
    """
    check_shares(shares)
    groups = symmetric_groups(examples) if keeps_forms else np.arange(len(examples))
    total = int(groups.max()) + 1 if len(groups) else 0
    counts = [int(total * share / sum(shares) + 0.5) for share in shares[1:]]
    counts = [total - sum(counts), *counts]
    if min(counts) < 1:
        what = "positions" if keeps_forms else "examples"
        raise OptionError(
            f"{total} {what} are too few for shares {tuple(shares)}: a set would be empty; play more, or filter less"
        )
    place = np.empty(total, np.int64)  # the set of each group
    place[np.random.default_rng(int(stream(seed)[0])).permutation(total)] = np.repeat(np.arange(len(counts)), counts)
    texts = [f"split {number + 1} of {len(shares)}, seed {seed}" for number in range(len(shares))]
    return tuple(examples.take(place[groups] == number).noted(text) for number, text in enumerate(texts))


def data_sets(examples: Examples, texts: Sequence[str], shares: Sequence[float] = (), *, seed: int = 1) -> tuple[Examples, ...]:
    """What filters, by name, and a split make of examples: one set, or with shares as many as there are shares.

    From the filter "symmetries" on, filters are for the first set alone, and all forms of a position are in one set, so that
    nothing in the others is an image of what is learnt from. Raises as `apply_filters` and `split`.
    """
    if not shares:
        return (apply_filters(examples, texts),)
    late = list(texts).index(SYMMETRIES) if SYMMETRIES in texts else len(texts)
    first, *others = split(apply_filters(examples, texts[:late]), shares, seed=seed, keeps_forms=late < len(texts))
    return apply_filters(first, texts[late:]), *others
