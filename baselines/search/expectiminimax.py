"""Expectiminimax with Star1 and Star2 pruning, for games of two seats in which chance plays.

A roll is worth the mean of what its outcomes are worth, weighted by their probabilities; a seat takes the best action as in
minimax. Values are in [-1, 1], those of `search` for the seat that it is asked for. The depth counts plies of the seats:
rolls on the way are looked through, but nothing beyond the last ply. Heuristics have to be expectations for that, not only
an order.

Pruning leaves the value of the root unchanged, but for the last bits of its sums. No outcome is worth less than -1 or more
than 1: as soon as those that are known hold the mean outside of the window whatever the others are, the roll is cut, and each
outcome is searched in the window in which it can still matter (Star1). Star2 first looks at one action behind each outcome,
the best by the heuristic, which bounds the outcome on one side.

Source: B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983; T. Hauk, M. Buro, J.
Schaeffer, "*-Minimax performance in backgammon", 2004.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.search.common import (
    SLOWER,
    evaluation_for,
    is_repeated,
    is_short_budget,
    read_budget,
    require_two_seats,
    room_in_brackets,
    scale_of,
    silent_reply,
    slowness,
)
from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import MAX_DEPTH
from boardgym.baselines.search.root import (
    BEYOND,
    CUTOFFS,
    FIELDS,
    KEY,
    LENGTH,
    NONE,
    ONE,
    STOPPED,
    Stack,
    choose_best,
    drawn_payoff,
    estimate,
    must_stop,
    pick_move,
    rate_by_evaluation,
    take_line,
)
from boardgym.baselines.search.table import make_table
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.errors import SpecError
from boardgym.core.game import Game
from boardgym.core.policy import Spec, read_number, refuse_extras
from boardgym.core.verbs import rule

PROBABILITY, LOWER, UPPER = range(3)  # columns of the outcomes of a roll, behind those of the root's actions


class Expectiminimax(NamedTuple):
    """Settings of expectiminimax. max_nodes: 0 for no limit. star: 0 no pruning of rolls, 1 or 2. scale: returns to values."""

    depth: int
    max_nodes: int
    star: int
    scale: float


@rule(Expectiminimax)
def make_scratch(policy, position, max_actions, data):
    """As of minimax, with a row for each ply and each roll, and in `root` the outcomes of the rolls on the path."""
    plies = 2 * policy.depth + 2
    stack = Stack(
        np.zeros((plies, FIELDS + 2 * max_actions + plies), np.int64),
        np.empty((2, 1), np.int64),
        np.empty((max_actions * plies, 3), np.float64),
        make_table(0),
        horizon_of(data, position),
    )
    return silent_reply(), stack


@inner
def search(policy, position, seat, history, stop, frames, odds, horizon, ply, left, width, low, high):
    """Value for `seat`, a bound where it lies outside of low and high, and whether it is closed, as in `minimax.py`.

    width: how many actions to look at, the best by the heuristic; 0: all. odds: the outcomes of the rolls on the path.
    """
    if must_stop(policy, stop, frames):
        return 0.0, False
    frames[ply, LENGTH] = 0
    if left == 0 or verbs.is_terminal(position) or ply + 1 == frames.shape[0]:
        return estimate(policy, position, history, frames, horizon, ply, 0, seat)
    max_actions = (frames.shape[1] - frames.shape[0] - FIELDS) // 2
    if verbs.repetition_limit(position) > 0:
        frames[ply, KEY] = as_int64(verbs.key(position))
        if is_repeated(position, history, frames[:, KEY], ply):
            return drawn_payoff(policy, position, seat), True
    mover, buffer = verbs.to_play(position), frames[ply, FIELDS:]
    if verbs.has_chance(position) and mover == verbs.CHANCE:
        chances = odds[ply * max_actions : (ply + 1) * max_actions]
        count = verbs.chance(position, buffer, chances[:, PROBABILITY])
        lowest, highest = -1.0, 1.0  # of the roll, from the bounds of its outcomes
        if policy.star == 0:
            low, high = -BEYOND, BEYOND
        for i in range(count):
            chances[i, LOWER], chances[i, UPPER] = -1.0, 1.0
        for i in range(count if policy.star == 2 and left > 1 else 0):
            child, p = verbs.apply(position, buffer[i]), chances[i, PROBABILITY]
            after = verbs.to_play(child)
            if p <= 0.0 or after == verbs.CHANCE or verbs.is_terminal(child):
                continue
            floor = max(1.0 - (highest - low) / p, -BEYOND)
            ceiling = min(-1.0 + (high - lowest) / p, BEYOND)
            value, is_closed = search(
                policy, child, seat, history, stop, frames, odds, horizon, ply + 1, left, ONE, floor, ceiling
            )
            if frames[0, STOPPED]:
                return 0.0, False
            if after == seat and value > max(floor, -1.0):  # it is at least worth that to the seat to play there
                lowest += p * (value + 1.0)
                chances[i, LOWER] = value
                if lowest >= high:
                    frames[0, CUTOFFS] += 1
                    return lowest, False
            elif after != seat and value < min(ceiling, 1.0):
                highest += p * (value - 1.0)
                chances[i, UPPER] = value
                if highest <= low:
                    frames[0, CUTOFFS] += 1
                    return highest, False
        total, all_closed = 0.0, True
        for i in range(count):
            p, lower, upper = chances[i, PROBABILITY], chances[i, LOWER], chances[i, UPPER]
            if p <= 0.0:
                continue
            floor = max(upper - (highest - low) / p, -BEYOND)
            ceiling = min(lower + (high - lowest) / p, BEYOND)
            child = verbs.apply(position, buffer[i])
            value, is_closed = search(
                policy, child, seat, history, stop, frames, odds, horizon, ply + 1, left, NONE, floor, ceiling
            )
            if frames[0, STOPPED]:
                return 0.0, False
            total += p * value
            lowest += p * (value - lower)
            highest += p * (value - upper)
            if value <= floor or value >= ceiling:
                frames[0, CUTOFFS] += int(i + 1 < count)
                return (highest if value <= floor else lowest), False
            all_closed = all_closed and is_closed
        frames[ply, LENGTH] = 0
        return total, all_closed
    is_turned = mover != seat
    if is_turned:
        low, high = -high, -low
    count, moves_at, scores_at = verbs.legal_actions(position, buffer), FIELDS, FIELDS + max_actions
    is_ordered = left > 1 or width > 0
    if is_ordered:
        rate_by_evaluation(policy, position, frames, horizon, ply, mover, count, moves_at, scores_at)
    best, all_closed, tries = -BEYOND, width == 0 or width >= count, min(width, count) if width > 0 else count
    for index in range(tries):
        action = pick_move(frames, ply, index, count, moves_at, scores_at) if is_ordered else frames[ply, moves_at + index]
        child = verbs.apply(position, action)
        if left == 1:
            if must_stop(policy, stop, frames):
                return 0.0, False
            frames[ply + 1, LENGTH] = 0
            value, is_closed = estimate(policy, child, history, frames, horizon, ply + 1, 0, mover)
        else:
            value, is_closed = search(
                policy, child, mover, history, stop, frames, odds, horizon, ply + 1, left - 1, NONE, low, high
            )
        if frames[0, STOPPED]:
            return 0.0, False
        all_closed = all_closed and is_closed
        if value > best:
            best = value
            if value > low:
                low = value
                take_line(frames, ply, action)
            if best >= min(high, 1.0):
                frames[0, CUTOFFS] += int(index + 1 < tries)
                break
    is_closed = all_closed or best >= 1.0 or (best <= -1.0 and width == 0)
    return (-best if is_turned else best), is_closed


@rule(Expectiminimax)
def search_below(policy, position, memory, window):
    """See `root.search_below`."""
    history, stop, stack = memory
    seat, left, low, high = window
    return search(policy, position, seat, history, stop, stack.frames, stack.root, stack.horizon, ONE, left, NONE, low, high)


@rule(Expectiminimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched."""
    return choose_best(policy, position, history, rng, scratch, deterministic)


def make_expectiminimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`expectiminimax:D`, `expectiminimax:0.5s`; star=0, 1 or 2 (the default); nodes=, time=, evaluation= as of minimax.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time", "star", "evaluation"), inner=room_in_brackets(spec))
    require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    star = read_number(spec.keywords.get("star", "2"), spec.text, "star", above=-1, kind=int)
    if star > 2:
        raise SpecError(f"policy spec {spec.text!r}: star={star}; expected 0 (no pruning of rolls), 1 or 2")
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    settings = Expectiminimax(depth, max_nodes, star, scale_of(game))
    slower = slowness(evaluation, SLOWER)
    is_short = is_short_budget(game.max_legal_actions * max(game.num_outcomes, 1), depth, max_nodes, slower)
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed, evaluation=evaluation)
