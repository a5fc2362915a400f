"""Exported trees are those of the searches: values, counts, best lines; cuts are marked, and change nothing."""

import json
import re

import pytest

from boardgym import Board, SpecError, UnsupportedGameError
from boardgym.baselines.search import tree_export
from boardgym.baselines.search.tree_export import grow_tree
from boardgym.baselines.search.tree_files import as_dot, as_json
from boardgym.core.policy_spec import make_policy, parse_spec
from boardgym.testing.dice import DICE

BOARDS = [("TicTacToe", ["b2", "a1", "c1", "a3"]), ("TicTacToe", ["b2"]), ("ConnectFour", ["4", "4", "3"])]
ids = [" ".join([game, *moves]) for game, moves in BOARDS]


def board_of(game, moves):
    board = Board(game)
    board.play(moves)
    return board


def best_line(root):
    line, node = [], root
    while below := [child for child in node.children if child.is_best]:
        (node,) = below
        line.append(node.action)
    return tuple(line)


@pytest.mark.parametrize(("game", "moves"), BOARDS, ids=ids)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.plain
def test_minimax_tree_has_the_values_of_the_search(game, moves, depth):
    board, spec = board_of(game, moves), parse_spec(f"minimax:{depth}")
    found = make_policy(spec.text, board.game).analyse(board)
    whole, cut = (grow_tree(board, spec, pruning=pruning).root for pruning in (False, True))
    assert whole.value == cut.value == found.value
    assert {child.action: child.value for child in whole.children} == found.action_values
    assert not any(node.pruned for node in whole)
    assert len([node for node in cut if not node.pruned]) <= len(list(whole))
    assert board == board_of(game, moves)


def test_pruned_branches_are_those_that_cannot_matter():
    board = board_of(*BOARDS[0])
    cut = grow_tree(board, parse_spec("minimax:3")).root
    pruned = [node for node in cut if node.pruned]
    assert {node.pruned for node in pruned} == {"alpha", "beta"}
    for parent in cut:
        below = [child for child in parent.children if child.pruned]
        if below:  # max cuts by beta once it has as much, min by alpha
            assert {child.pruned for child in below} == {"beta" if parent.to_play == "max" else "alpha"}
            assert parent.value >= parent.beta if parent.to_play == "max" else parent.value <= parent.alpha
            assert all(child.value is None and not child.children for child in below)
    whole = grow_tree(board, parse_spec("minimax:3"), pruning=False).root
    assert len(list(whole)) == 74
    assert len([node for node in cut if not node.pruned]) < len(list(whole))


@pytest.mark.parametrize(("game", "moves"), BOARDS[1:], ids=ids[1:])
def test_promising_actions_first_let_more_be_cut(game, moves):
    board, spec = board_of(game, moves), parse_spec("minimax:4")
    usual, ordered = (grow_tree(board, spec, best_first=best_first).root for best_first in (False, True))
    assert ordered.value == usual.value
    assert {child.action for child in ordered.children} == set(board.legal_actions)
    assert 1.3 * len([node for node in ordered if not node.pruned]) < len([node for node in usual if not node.pruned])
    assert board == board_of(game, moves)


@pytest.mark.parametrize(("game", "moves"), BOARDS, ids=ids)
@pytest.mark.parametrize("spec", ["uct:10", "uct:300", "uct:100,c=2"])
@pytest.mark.plain
def test_uct_tree_is_that_of_the_search(game, moves, spec):
    """The same random numbers, so the same visits, values, proofs and best line."""
    board = board_of(game, moves)
    root, found = grow_tree(board, parse_spec(spec)).root, make_policy(spec, board.game).analyse(board)
    visited = {action: count for action, count in found.visit_counts.items() if count}
    assert {child.action: child.visits for child in root.children} == visited
    assert {child.action: child.value for child in root.children} == {action: found.action_values[action] for action in visited}
    assert (root.value, root.proven, root.visits) == (found.value, found.is_proven, found.nodes)
    assert best_line(root) == found.principal_variation
    assert board == board_of(game, moves)


@pytest.mark.parametrize("spec", ["uct:20", "uct:400"])
@pytest.mark.plain
def test_uct_tree_of_a_game_of_chance_is_that_of_the_search(spec):
    board = Board(DICE, "3 4 0 1", auto_roll=False)
    root, found = grow_tree(board, parse_spec(spec)).root, make_policy(spec, DICE).analyse(board)
    assert {child.action: child.visits for child in root.children} == {a: n for a, n in found.visit_counts.items() if n}
    assert {child.action: child.value for child in root.children} == found.action_values
    assert root.value == found.value
    assert {child.to_play for child in root.children} == {"chance"}


def test_json_and_dot_say_the_same():
    tree = grow_tree(board_of(*BOARDS[0]), parse_spec("minimax:3"))
    data = json.loads(as_json(tree))
    assert (data["game"], data["search"], data["seat"]) == ("TicTacToe-v0", "minimax:3", "x")

    def count(node, name):
        return (name in node) + sum(count(child, name) for child in node.get("children", []))

    nodes = list(tree.root)
    assert count(data["root"], "move") == len(nodes) - 1
    assert count(data["root"], "pruned") == sum(bool(node.pruned) for node in nodes)
    assert count(data["root"], "value") == sum(node.value is not None for node in nodes)
    dot = as_dot(tree)
    assert len(re.findall(r"^  n\d+ \[", dot, re.MULTILINE)) == len(nodes)
    assert len(re.findall(r"->", dot)) == len(nodes) - 1
    assert len(re.findall(r"\([αβ]\)", dot)) == sum(bool(node.pruned) for node in nodes)
    shallow = as_dot(tree, max_plies=1)
    assert shallow.count("->") == len(tree.root.children)
    assert "left_out" not in as_json(tree)
    kept = json.loads(as_json(tree, max_plies=1))["root"]["children"]
    assert "children" not in kept[0]
    assert len(kept) + sum(child.get("left_out", 0) for child in kept) == len(nodes) - 1
    assert re.findall(r"(\d+) below", shallow) == [str(child["left_out"]) for child in kept if "left_out" in child]
    assert f"{len(nodes) - 1} below" in as_dot(tree, max_plies=0)


@pytest.mark.parametrize(
    ("game", "spec", "message"),
    [
        ("TicTacToe", "greedy", "expected minimax:D or uct:N"),
        ("TicTacToe", "minimax:4,nodes=5", "unknown setting 'nodes'"),
        ("TicTacToe", "minimax:1s", "expected a whole number above 0"),
        ("TicTacToe", "minimax:6", "more than 500 nodes"),
        ("TicTacToe", "uct:400", "more than 500 nodes"),
        ("TicTacToe", "uct:900", "at most 500 simulations"),
    ],
)
def test_what_has_no_tree_is_refused(game, spec, message, monkeypatch):
    monkeypatch.setattr(tree_export, "MAX_NODES", 500)
    with pytest.raises(SpecError, match=message):
        grow_tree(Board(game), parse_spec(spec), pruning=False)


def test_trees_are_of_games_for_two():
    with pytest.raises(UnsupportedGameError, match="two seats"):
        grow_tree(Board("Abalone3"), parse_spec("minimax:1"))
