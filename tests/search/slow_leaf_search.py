"""Leaf-parallel and tree-parallel UCT written once more, by boards and objects."""

import copy
import math

import numpy as np

from boardgym.baselines.search.common import scale_of
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, next_word, stream


class Node:
    def __init__(self, action=None):
        self.action, self.visits, self.total, self.children, self.opened = action, 0, 0.0, None, 0


def descend(board, root, rng, c=0.7):
    """The board where a simulation ends its way down, the nodes on the way, and who acted before each."""
    at, node, path, seats = copy.deepcopy(board), root, [], []
    while not at.is_terminal:
        if node.children is None:
            node.children = [Node(action) for action in at.legal_actions]
        children, is_new = node.children, node.opened < len(node.children)
        if is_new:
            other = node.opened + draw(rng, len(children) - node.opened)
            children[node.opened], children[other] = children[other], children[node.opened]
            node.opened += 1
            child = children[node.opened - 1]
        else:
            spread = 2.0 * c * c * math.log(node.visits)
            share = [1.0 / child.visits for child in children]
            scores = [one.total * s + math.sqrt(spread * s) for one, s in zip(children, share, strict=True)]
            child = children[scores.index(max(scores))]
        seats.append(at.to_play)
        at.push(child.action)
        node = child
        path.append(node)
        if is_new:
            break
    return at, path, seats


def mean_of_playouts(at, games, seed):
    """What so many playouts of a board pay each seat on average."""
    paid = []
    for k in range(games):
        end, own = copy.deepcopy(at), stream(seed, k)
        while not end.is_terminal:
            legal = end.legal_actions
            end.push(legal[draw(own, len(legal))])
        paid.append(end.returns())
    return np.array(paid).sum(axis=0) / games


def slow_search(board, simulations, games, rng, leaves=0):
    """The root after a search with solver=0, and the length of its longest path, by a board and objects, without chance.

    leaves: that wait for their playouts at a time; 0: none waits, each is backed up at once. It has the draws of the compiled
    one.
    """
    root, longest, scale, done = Node(), 0, scale_of(board.game), 0

    def back_up(path, seats, mean):
        root.visits += games
        for one, seat in zip(path, seats, strict=True):
            one.visits += games
            one.total += games * scale * mean[seat]

    while done < simulations:
        waiting = []
        while len(waiting) < max(leaves, 1) and done + len(waiting) < simulations:
            at, path, seats = descend(board, root, rng)
            longest = max(longest, len(path))
            if at.is_terminal:
                back_up(path, seats, at.returns())
                done += 1
                continue
            mean, lent = mean_of_playouts(at, games, int(np.uint64(next_word(rng)))), []
            for one in [root, *path] if leaves else []:
                lent.append(games * one.total / one.visits if one.visits else -games)
                one.visits += games
                one.total += lent[-1]
            waiting.append((path, seats, mean, lent))
        for path, seats, mean, lent in waiting:
            for one, value in zip([root, *path] if leaves else [], lent, strict=True):
                one.visits -= games
                one.total -= value
            back_up(path, seats, mean)
            done += 1
    return root, longest


def assert_written_once_more(game, board, games, simulations, start, leaves=0):
    """A search without proofs finds what `slow_search` does."""
    policy = make_policy(f"uct:{simulations},leaf_playouts={games},solver=0" + (f",leaves={leaves}" if leaves else ""), game)
    found, (root, longest) = (
        policy.analyse_with(board, stream(start)),
        slow_search(board, simulations, games, stream(start), leaves),
    )
    assert found.visit_counts == {child.action: child.visits for child in sorted(root.children, key=lambda one: one.action)}
    assert found.action_values == {child.action: child.total / child.visits for child in root.children}
    assert (found.nodes, found.depth) == (simulations, longest)
    assert sum(found.visit_counts.values()) == root.visits == simulations * games
