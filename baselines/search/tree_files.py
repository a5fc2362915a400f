"""Search trees as files: JSON for programs, DOT for Graphviz."""

import json
from typing import Any

from boardgym.baselines.search.alphabeta_stack import BEYOND
from boardgym.baselines.search.tree_export import Node, SearchTree


def as_json(tree: SearchTree, *, max_plies: int | None = None) -> str:
    """The tree as JSON: what `SearchTree` and `Node` name, without what is empty.

    max_plies: levels below the root; a node whose children are left out has "left_out", the number of nodes below it.
    """
    head = {"game": tree.game, "fen": tree.fen, "search": tree.search, "seat": tree.seat}
    return json.dumps({**head, "root": plain(tree.root, max_plies)}, indent=1, ensure_ascii=False) + "\n"


def plain(node: Node, plies: int | None) -> dict[str, Any]:
    """A node and what lies below it as plain data."""
    shown: dict[str, Any] = {name: getattr(node, name) for name in ("move", "action", "to_play", "value", "pruned", "visits")}
    shown |= {"alpha": inside(node.alpha), "beta": inside(node.beta), "proven": node.proven, "is_best": node.is_best or None}
    shown = {name: value for name, value in shown.items() if value is not None and value != ""}
    if node.children and (plies is None or plies > 0):
        shown["children"] = [plain(child, None if plies is None else plies - 1) for child in node.children]
    elif node.children:
        shown["left_out"] = below(node)
    return shown


def below(node: Node) -> int:
    """The number of nodes below one."""
    return sum(1 for _ in node) - 1


def inside(limit: float | None) -> float | None:
    """An end of the window, None where there is no bound yet."""
    return None if limit is None or abs(limit) >= BEYOND else limit


COLOURS = {"max": "#dbe9f6", "min": "#fbe3d6", "chance": "#eeeeee", "": "#ffffff"}
BEST, CUT = "#1e8449", "#c0392b"
GREEK = {"alpha": "\N{GREEK SMALL LETTER ALPHA}", "beta": "\N{GREEK SMALL LETTER BETA}"}


def as_dot(tree: SearchTree, *, max_plies: int | None = None) -> str:
    """The tree in Graphviz's language. max_plies: levels below the root; of a node's children left out their number is told.

    Boxes are max nodes (UCT: the root's seat), ellipses min, diamonds chance; a double edge is the end of a game. The best
    line is green and thick; a pruned branch is red and dashed, with the name of the bound that cut it.
    """
    title = f"{tree.game}  {tree.search}  {tree.fen}"
    lines = [
        "digraph search {",
        f"  label={quoted(title)}; labelloc=t; fontname=Helvetica; ranksep=0.6; nodesep=0.15;",
        "  node [fontname=Helvetica fontsize=11 style=filled];",
        "  edge [fontname=Helvetica fontsize=10 arrowsize=0.5];",
    ]
    level, number = [(tree.root, 0)], 0
    lines.append(dot_node(tree.root, 0, tree.seat, is_last=max_plies == 0))
    plies = 0
    while level and (max_plies is None or plies < max_plies):
        following, plies = [], plies + 1
        for node, name in level:
            for child in node.children:
                number += 1
                lines += [dot_node(child, number, tree.seat, is_last=plies == max_plies), dot_edge(child, name, number)]
                following.append((child, number))
        level = following
    return "\n".join([*lines, "}"]) + "\n"


def dot_node(node: Node, number: int, seat: str, *, is_last: bool) -> str:
    """A line for a node. is_last: whether what lies below it is left out."""
    if node.pruned:
        return f'  n{number} [label="" shape=point color="{CUT}"];'
    side = {seat: "max"}.get(node.to_play, node.to_play)
    side = side if side in COLOURS else "min"
    is_exact = node.value in (-1.0, 1.0) and node.proven is not False
    value = "?" if node.value is None else f"{node.value:+.0f}" if is_exact else f"{node.value + 0.0:+.2f}"
    parts = [value]
    if node.alpha is not None and node.beta is not None and node.children:
        parts.append(f"[{bound(node.alpha)}, {bound(node.beta)}]")
    if node.visits is not None:
        parts.append(f"{node.visits} visit{'s' * (node.visits != 1)}{', proven' if node.proven and node.to_play else ''}")
    if is_last and node.children:
        parts.append(f"{below(node)} below")
    shape = {"max": "box", "min": "ellipse", "chance": "diamond", "": "box"}[side]
    extra = " peripheries=2" if not node.to_play else ""
    colour = f' color="{BEST}" penwidth=2' if node.is_best or not number else ""
    label = "\\n".join(parts)
    return f'  n{number} [label="{label}" shape={shape} fillcolor="{COLOURS[side]}"{colour}{extra}];'


def dot_edge(child: Node, parent: int, number: int) -> str:
    """A line for the edge to a node."""
    if child.pruned:
        text = quoted(f"{child.move} ({GREEK[child.pruned]})")
        return f'  n{parent} -> n{number} [label={text} style=dashed color="{CUT}" fontcolor="{CUT}"];'
    style = f' color="{BEST}" penwidth=2.5' if child.is_best else ""
    return f"  n{parent} -> n{number} [label={quoted(child.move)}{style}];"


def bound(value: float) -> str:
    """An end of the window; no bound is infinite."""
    return "∞" if value >= BEYOND else "-∞" if value <= -BEYOND else f"{value + 0.0:+.2f}"


def quoted(text: str) -> str:
    """A string of Graphviz's language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
