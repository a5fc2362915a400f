"""Small search trees as data, for teaching: minimax with alpha-beta, and UCT, over a `Board`, one step a line.

Slow and plain on purpose, and yet the same searches: minimax gives the values of `minimax:D`; UCT draws the same random
numbers as `uct:N` when asked for its best action, so that its tree has the same counts (tests hold both).

Values of a minimax tree are those for the seat to play at the root, which takes the greatest: its nodes are "max", the
other's "min". A branch is pruned by "beta" where max has found enough for min never to let it come here, by "alpha" the other
way round. Values of a UCT tree are those for the seat that moves into the node.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from boardgym.baselines.search.alphabeta_stack import BEYOND, NEARLY_ONE
from boardgym.baselines.search.common import require_two_seats, scale_of
from boardgym.baselines.search.uct_options import C_UCT
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.policy_spec import Spec, read_number, refuse_extras

MAX_NODES = 50_000  # a tree for people; larger ones are refused
MASK64, GOLDEN = 2**64 - 1, 0x9E37_79B9_7F4A_7C15


@dataclass
class Node:
    """A position of a search tree.

    move: that led here, empty at the root. to_play: who moves here: "max", "min" (UCT: the name of the seat), "chance",
    or "" at the end of a game. value: see the head of this file; None for a branch that was pruned. alpha, beta: the window
    when the search came here (minimax). pruned: "alpha" or "beta", or empty. visits: of UCT. proven: whether the value is
    exact (UCT). is_best: whether it lies on the best line.
    """

    move: str
    action: int
    to_play: str = ""
    value: float | None = None
    alpha: float | None = None
    beta: float | None = None
    pruned: str = ""
    visits: int | None = None
    proven: bool | None = None
    is_best: bool = False
    children: list["Node"] = field(default_factory=list)

    def __iter__(self) -> Iterator["Node"]:
        """This node and all below, parents first."""
        yield self
        for child in self.children:
            yield from child


@dataclass
class SearchTree:
    """A tree and where it is from. search: the spec. seat: the name of the seat to play at the root."""

    game: str
    fen: str
    search: str
    seat: str
    root: Node


def grow_tree(board: Board, spec: Spec, *, pruning: bool = True, best_first: bool = False) -> SearchTree:
    """The tree of `minimax:D` or `uct:N` (with c=). The board is left as it was.

    pruning: whether alpha-beta cuts the branches that cannot matter; else plain minimax.
    best_first: whether minimax tries the actions in the order of their values one ply ahead, not in that of their numbers.

    Raises: SpecError for another spec, a tree of more than MAX_NODES nodes, or more than MAX_NODES simulations;
        UnsupportedGameError as the search does.
    """
    if spec.name not in ("minimax", "uct"):
        raise SpecError(f"policy spec {spec.text!r}: expected minimax:D or uct:N, whose trees can be written")
    refuse_extras(spec, keywords=("c",) if spec.name == "uct" else ())
    require_two_seats(spec, board.game)
    number = read_number(spec.argument, spec.text, "for a tree, the depth or the number of simulations", above=0, kind=int)
    trial = board.copy()
    trial.auto_roll = False
    if spec.name == "minimax":
        root = MinimaxTree(trial, spec, pruning=pruning, best_first=best_first).grow(number)
    else:
        if number > MAX_NODES:
            raise SpecError(f"policy spec {spec.text!r}: for a tree, expected at most {MAX_NODES:,} simulations")
        c_uct = read_number(spec.keywords.get("c", str(C_UCT)), spec.text, "the exploration constant c")
        root = UCTTree(trial, spec, c_uct=c_uct).grow(number)
    return SearchTree(board.game.id, board.fen(), spec.text, board.game.seat_name(board.to_play), root)


# ---------------------------------------------------------------- minimax


class MinimaxTree:
    """Minimax over a board, with alpha-beta if wanted, that keeps every node."""

    def __init__(self, board: Board, spec: Spec, *, pruning: bool, best_first: bool) -> None:
        self.board, self.spec, self.pruning, self.best_first = board, spec, pruning, best_first
        self.seat, self.scale, self.count = board.to_play, scale_of(board.game), 0

    def grow(self, depth: int) -> Node:
        """The root. depth: plies to look ahead."""
        root = Node("", -1)
        self._search(root, depth, -BEYOND, BEYOND, mover=self.seat)
        node = root
        while any(child.value is not None for child in node.children):
            searched = [child for child in node.children if child.value is not None]
            node = next(child for child in searched if child.value == node.value)
            node.is_best = True
        return root

    def _search(self, node: Node, left: int, alpha: float, beta: float, *, mover: int) -> float:
        """The value of the board for the root's seat. left: plies to go. mover: the seat that has moved here."""
        board, node.alpha, node.beta = self.board, alpha, beta
        self.count = check_size(self.spec, self.count + 1)
        node.value = self._value_of_leaf(node, left, mover)
        if node.value is not None:
            return node.value
        seat = board.to_play
        is_max = seat == self.seat
        node.to_play, best = ("max", -BEYOND) if is_max else ("min", BEYOND)
        cut = ""
        for action in self._in_order(seat):
            child = Node(board.move_text(action), action, pruned=cut)
            node.children.append(child)
            if cut:
                continue
            board.push(action)
            value = self._search(child, left - 1, alpha, beta, mover=seat)
            board.pop()
            if is_max:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if self.pruning and alpha >= beta:
                cut = "beta" if is_max else "alpha"
        node.value = best
        return best

    def _in_order(self, seat: int) -> list[int]:
        """The actions as they are to be tried: the promising ones first, or in the order of their numbers."""
        board, actions = self.board, self.board.legal_actions
        if not self.best_first:
            return actions
        values = {}
        for action in actions:
            board.push(action)
            values[action] = self._value_of_leaf(Node("", action), 0, seat) or 0.0
            board.pop()
        return sorted(actions, key=values.__getitem__, reverse=seat == self.seat)

    def _value_of_leaf(self, node: Node, left: int, mover: int) -> float | None:
        """What the game pays at its end, the heuristic at the horizon and where chance is to act, None elsewhere."""
        board = self.board
        if board.is_terminal:
            pay = board.returns()[0] * self.scale
            return pay if self.seat == 0 else -pay
        node.to_play = "chance" if board.is_chance else "max" if board.to_play == self.seat else "min"
        if left > 0 and not board.is_chance:
            return None
        seat = 1 - mover if board.is_chance else board.to_play
        estimate = min(max(board.estimate(seat), -NEARLY_ONE), NEARLY_ONE)
        return estimate if seat == self.seat else -estimate


# ---------------------------------------------------------------- UCT


@dataclass
class Arm(Node):
    """A node of UCT while it grows. total: sum of results for the seat that moves here. proof: its proven value, or None.

    arms: all children, those visited in front, `opened` of them. seat: to play here.
    """

    total: float = 0.0
    proof: float | None = None
    arms: list["Arm"] | None = None
    opened: int = 0
    seat: int = 0


class UCTTree:
    """UCB1 applied to trees, with uniformly random playouts, as `uct.py` does it."""

    def __init__(self, board: Board, spec: Spec, *, c_uct: float) -> None:
        self.board, self.spec, self.c_uct = board, spec, c_uct
        self.scale, self.count = scale_of(board.game), 0
        self.state = mix(board.key)

    def grow(self, simulations: int) -> Node:
        """The root after so many simulations, or once it is proven."""
        root = Arm("", -1, visits=0)
        while root.visits < simulations and root.proof is None:  # type: ignore[operator]
            self._simulate(root)
        root.value = None
        node: Arm | None = root
        while node is not None and node.arms and not self._is_chance(node):
            node = self._choice(node)
            if node is not None:
                node.is_best = True
                root.value = node_value(node) if root.value is None else root.value
        self._finish(root)
        return root

    def _is_chance(self, node: Arm) -> bool:
        return node.seat < 0

    def _draw(self, n: int) -> int:
        """A number in [0, n) from the stream."""
        self.state = (self.state + GOLDEN) & MASK64
        return ((mix(self.state) >> 32) * n) >> 32

    def _roll(self, outcomes: list[tuple[int, float]]) -> int:
        """The index of an outcome, by its probability."""
        self.state = (self.state + GOLDEN) & MASK64
        mark, i = (mix(self.state) >> 11) * 2.0**-53, 0
        while i + 1 < len(outcomes) and mark >= outcomes[i][1]:
            mark -= outcomes[i][1]
            i += 1
        return i

    def _simulate(self, root: Arm) -> None:
        """Selects, expands, plays out, backs up; takes its plies back."""
        board, path, start = self.board, [root], len(self.board.actions)
        node, value, is_end = root, 0.0, False
        while True:
            if node.arms is None:
                self._expand(node)
            arms = node.arms or []
            if node.seat < 0:
                node.opened = len(arms)
                child = arms[self._roll(board.outcomes)]
                is_new = child.visits == 0
            elif node.opened < len(arms):
                first, other = node.opened, node.opened + self._draw(len(arms) - node.opened)
                arms[first], arms[other] = arms[other], arms[first]
                child, is_new = arms[first], True
                node.opened += 1
            else:
                child, is_new = self._select(node), False
            path.append(child)
            if child.proof is not None:
                value = child.proof if node.seat == 0 else -child.proof
                break
            board.push(child.action)
            if is_new:
                is_end = board.is_terminal
                child.to_play = "" if is_end else board.game.seat_name(board.to_play)
                value = board.returns()[0] * self.scale if is_end else self._play_out()
                break
            node = child
        for parent, child in itertools.pairwise(path):
            child.visits += 1  # type: ignore[operator]
            child.total += value if parent.seat == 0 else -value
        root.visits += 1  # type: ignore[operator]
        if is_end:
            path[-1].proof = value if path[-2].seat == 0 else -value
            self._back_up_proof(path)
        while len(board.actions) > start:
            board.pop()

    def _expand(self, node: Arm) -> None:
        """Makes the children of a node, not visited yet."""
        board = self.board
        node.seat = board.to_play
        node.to_play = node.to_play or board.game.seat_name(node.seat)
        actions = [outcome for outcome, _ in board.outcomes] if board.is_chance else board.legal_actions
        node.arms = [Arm(board.move_text(action), action, visits=0) for action in actions]
        self.count = check_size(self.spec, self.count + len(actions))

    def _select(self, node: Arm) -> Arm:
        """The child with the greatest mean + c_uct sqrt(2 ln N / n), of those that are not lost."""
        best, top = (node.arms or [])[0], -math.inf
        spread = 2.0 * self.c_uct * self.c_uct * math.log(node.visits)  # type: ignore[arg-type]
        for child in node.arms or []:
            if child.proof != -1.0:
                share = 1.0 / child.visits  # type: ignore[operator]
                mean = child.total * share if child.proof is None else child.proof
                score = mean + math.sqrt(spread * share)
                if score > top:
                    best, top = child, score
        return best

    def _play_out(self) -> float:
        """What seat 0 gets when both seats draw their actions."""
        board, start = self.board, len(self.board.actions)
        while not board.is_terminal:
            if board.is_chance:
                outcomes = board.outcomes
                board.push(outcomes[self._roll(outcomes)][0])
            else:
                legal = board.legal_actions
                board.push(legal[self._draw(len(legal))])
        value = board.returns()[0] * self.scale
        while len(board.actions) > start:
            board.pop()
        return value

    def _back_up_proof(self, path: list[Arm]) -> None:
        """A node is won for the seat to play there if a child is, lost if all are; a draw if all are known."""
        for depth in range(len(path) - 1, 0, -1):
            parent, child = path[depth - 1], path[depth]
            if parent.seat < 0 or child.proof is None:
                return
            value = child.proof
            if value < 1.0:
                arms = parent.arms or []
                if parent.opened < len(arms) or any(arm.proof is None for arm in arms):
                    return
                value = max(arm.proof for arm in arms if arm.proof is not None)
            if depth > 1 and (path[depth - 2].seat == 0) != (parent.seat == 0):
                value = -value
            parent.proof = value

    def _choice(self, node: Arm) -> Arm | None:
        """The child to play: of the best of a proven node, else of all not lost, the most visited, then the least action."""
        opened = (node.arms or [])[: node.opened]
        top = max((arm.proof for arm in opened if arm.proof is not None), default=None)
        if node.proof is not None:
            good = [arm for arm in opened if arm.proof == top]
        else:
            good = [arm for arm in opened if arm.proof != -1.0] or opened
        return min(good, key=lambda arm: (-(arm.visits or 0), arm.action), default=None)

    def _finish(self, node: Arm) -> None:
        """Fills in what a `Node` shows, for those that have been visited."""
        if node.move:
            node.value = node_value(node)
        node.proven = node.proof is not None
        node.children = [arm for arm in node.arms or [] if arm.visits]
        node.children.sort(key=lambda child: (-(child.visits or 0), child.action))
        for child in node.arms or []:
            self._finish(child)


def node_value(node: Arm) -> float:
    """Proven value, or the mean of the results; 0 without any."""
    return node.proof if node.proof is not None else node.total / node.visits if node.visits else 0.0


def mix(word: int) -> int:
    """`core.random.mix` over Python's integers."""
    word = ((word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK64
    word = ((word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB) & MASK64
    return word ^ (word >> 31)


def check_size(spec: Spec, count: int) -> int:
    """The number of nodes. Raises SpecError beyond MAX_NODES."""
    if count > MAX_NODES:
        raise SpecError(f"policy spec {spec.text!r}: its tree has more than {MAX_NODES:,} nodes; take a smaller budget")
    return count
