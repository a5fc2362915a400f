"""A policy as a user writes one: for tests on the CPU, and on a card."""

from typing import NamedTuple

import numpy as np

from boardgym.core import verbs
from boardgym.core.verbs import rule


class Echo(NamedTuple):
    """A user's policy: the first legal action, or an illegal one."""

    is_wrong: int = 0


@rule(Echo)
def make_scratch(policy, position, max_actions, data):
    """Two views of one array."""
    room = np.zeros(max_actions + 2, np.int64)
    return room[2:], room[:3]


@rule(Echo)
def choose(policy, position, history, rng, scratch, deterministic):
    """What is written to one view is read from the other."""
    legal, start = scratch
    verbs.legal_actions(position, legal)
    return start[2] + 99 * policy.is_wrong


class Recall(NamedTuple):
    """The legal action that the length of the history names; an illegal one where fewer than `least` are legal."""

    least: int = 0


@rule(Recall, verb="make_scratch")
def make_legal(policy, position, max_actions, data):
    return np.zeros(max_actions, np.int64)


@rule(Recall, verb="choose")
def choose_by_history(policy, position, history, rng, scratch, deterministic):
    count = verbs.legal_actions(position, scratch)
    return scratch[len(history) % count] if count >= policy.least else 99
