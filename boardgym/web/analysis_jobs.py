"""What the process of an analysis does: each job is a generator of plain data, stopped from another thread.

Nothing here trusts what it is asked: games, positions, moves and specs are checked where they are read, and files that could
execute code are not loaded.
"""

import functools
import itertools
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from boardgym.baselines.arena.formats import read_records
from boardgym.baselines.arena.game_file import write_game
from boardgym.baselines.arena.mistakes import judge_game
from boardgym.baselines.arena.opening_tree import OpeningTree
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.baselines.search.analysis_data import describe
from boardgym.baselines.search.anytime import (
    DEEP_SEARCHES,
    WIDE_SEARCHES,
    Watched,
    as_search,
    with_argument,
    with_limits,
)
from boardgym.baselines.search.best_lines import best_lines
from boardgym.baselines.search.tree_export import Node, SearchTree, grow_tree
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Analysis, interrupt
from boardgym.core.policy_spec import Spec, build_policy, parse_spec
from boardgym.web.record_index import index_of

LINES_EVERY_S = 1.0
STOP_AGAIN_S = 0.01
MOST_NODES_SENT = 4_000  # of a tree, in one answer
KEPT_POLICIES, KEPT_TREES = 4, 2


class StoppedError(Exception):
    """The job is to end."""


class Job:
    """Something that is being found out. number: of the request, kind: which of JOBS."""

    def __init__(self, number: int, kind: str, request: dict[str, Any]) -> None:
        self.number, self.kind, self.request = number, kind, request
        self.is_stopped = False
        self.ended = threading.Event()
        self._running: list[Any] = []

    def build(self, spec: Spec, game: Game, *, seed: int | None = 0, trust: bool = False) -> Any:
        """A policy whose search ends when the job does. Raises StoppedError, and as `build_policy`."""
        if self.is_stopped:
            raise StoppedError
        policy = kept_solver(spec.text, game) if is_perfect(spec) else build_policy(spec, game, seed=seed, trust=trust)
        self._running = [*self._running[-7:], policy]
        return policy

    def stop(self) -> None:
        """Ends what runs, again and again: a search may be about to begin."""
        self.is_stopped = True
        while not self.ended.wait(STOP_AGAIN_S):
            for policy in self._running:
                interrupt(policy)


def is_perfect(spec: Spec) -> bool:
    """Whether a spec is of a solver."""
    return spec.name == "perfect"


SOLVERS_KEPT: OrderedDict[tuple[str, str, str], Any] = OrderedDict()  # by spec, game and options


def kept_solver(text: str, game: Game) -> Any:
    """A solver, which remembers what it has found. Raises as `build_policy`."""
    key = (text, game.id, json.dumps(dict(game.options), sort_keys=True))
    if key not in SOLVERS_KEPT:
        SOLVERS_KEPT[key] = build_policy(parse_spec(text), game, seed=0, trust=False)
        while len(SOLVERS_KEPT) > KEPT_POLICIES:
            SOLVERS_KEPT.popitem(last=False)
    return SOLVERS_KEPT[key]


def board_at(request: dict[str, Any]) -> Board:
    """The board of a request. Raises BoardgymError."""
    game = get_game(request["game"], **request["options"])
    board = Board(game, request["start"], auto_roll=False)
    board.play(request["moves"])
    return board


# ---------------------------------------------------------------- a position


def analyse_position(job: Job) -> Iterator[dict[str, Any]]:
    """What a policy finds in a position, again and again: `describe`'s data, with `lines` and `elapsed` in seconds.

    Before that {"kind": "ready"}, when all is compiled: the time of the search begins then.
    """
    request = job.request
    board = board_at(request)
    if board.is_terminal or board.is_chance:
        raise OptionError("the game is over here" if board.is_terminal else "chance is to act here")
    spec = limited(as_search(parse_spec(request["policy"]), board.game), request["seconds"], request["nodes"])
    watched = Watched(spec, board.game, build=job.build)
    watched.warm(board)
    if is_perfect(spec):
        watched.running.warm(board)
    yield {"kind": "ready"}
    started = time.perf_counter()
    timer = threading.Timer(request["seconds"] or threading.TIMEOUT_MAX, watched.stop)  # of what has no time of its own
    timer.daemon = True
    timer.start()
    found: Analysis | None = None
    lines: list[dict[str, Any]] = []
    lined, told = -LINES_EVERY_S, -1.0

    def data() -> dict[str, Any]:
        assert found is not None
        return {
            "kind": "found",
            **describe(board, request["policy"], found),
            "lines": lines,
            "elapsed": time.perf_counter() - started,
        }

    try:
        for found in watched.watch(board):
            now = time.perf_counter() - started
            if request["lines"] > 1 and now - lined >= LINES_EVERY_S:
                lines, lined = lines_of(job, board, spec, found, request["lines"]), now
            else:
                first = asdict(next(best_lines(board, spec, found, 1)))
                others = [line for line in lines[1:] if line["action"] != first["action"]]
                lines = [first, *others]
            if now - told >= 0.05:
                told = now
                yield data()
    except UnsolvedPositionError as error:
        if found is None and not (job.is_stopped or watched.is_stopped):
            yield {"kind": "nothing", "why": error.reason}
            return
    finally:
        timer.cancel()  # or it would end what this solver does next
    if found is not None:
        if not job.is_stopped:
            lines = lines_of(job, board, spec, found, request["lines"])
        yield data()
    else:
        yield {"kind": "nothing", "why": "not solved in that time"}


def lines_of(job: Job, board: Board, spec: Spec, found: Analysis, count: int) -> list[dict[str, Any]]:
    """The best lines as plain data; those that had been found when the job was stopped."""
    lines = []
    try:
        for line in best_lines(board, spec, found, count, build=job.build):
            lines.append(asdict(line))
    except StoppedError:
        pass
    return lines


def limited(spec: Spec, seconds: float | None, nodes: int | None) -> Spec:
    """A search with limits in place of its own; one that has a budget of its own keeps it and is stopped after `seconds`.

    A time alone for a search of simulations is divided into slices that grow to the end.
    """
    if spec.name == "best" and not spec.argument:
        return with_limits(spec, seconds=seconds)
    if (seconds is None and nodes is None) or spec.name not in (*DEEP_SEARCHES, *WIDE_SEARCHES):
        return spec
    if nodes is None and spec.argument:
        return spec
    has_depth = spec.name in DEEP_SEARCHES
    if nodes is None and not has_depth:
        return with_argument(spec, f"{seconds!r}s")
    return with_limits(spec if spec.argument else with_argument(spec, "1"), seconds=seconds, nodes=nodes)


# ---------------------------------------------------------------- a game, a tree, openings


def analyse_game(job: Job) -> Iterator[dict[str, Any]]:
    """The positions of a game, one by one, as `mistakes.Ply` says them."""
    request = job.request
    board = board_at(request)
    policy = job.build(parse_spec(request["policy"]), board.game)
    if not callable(getattr(policy, "analyse", None)):
        raise UnsupportedGameError(f"{request['policy']}: this policy tells no values; searches such as minimax:6 do")
    start = Board(board.game, request["start"], auto_roll=False)
    for ply in judge_game(start, board.actions, policy):
        if job.is_stopped:
            return
        yield {"kind": "ply", **ply.to_dict()}


@functools.lru_cache(KEPT_TREES)
def grown(key: tuple[Any, ...]) -> SearchTree:
    """The tree of a request, kept while it is folded out."""
    game, options, start, moves, policy, pruning, best_first = key
    board = board_at({"game": game, "options": dict(options), "start": start, "moves": list(moves)})
    if board.is_terminal or board.is_chance:
        raise OptionError("the game is over here" if board.is_terminal else "chance is to act here")
    return grow_tree(board, parse_spec(policy), pruning=pruning, best_first=best_first)


def search_tree(job: Job) -> Iterator[dict[str, Any]]:
    """A node of a search's tree, found by the moves that lead to it, with so many plies below it."""
    r = job.request
    options = tuple(sorted(r["options"].items()))
    tree = grown((r["game"], options, r["start"], tuple(r["moves"]), r["policy"], r["pruning"], r["best_first"]))
    node = tree.root
    for move in r["under"]:
        below = next((child for child in node.children if child.move == move), None)
        if below is None:
            raise OptionError(f"the tree has no {move!r} there")
        node = below
    yield {"kind": "tree", "seat": tree.seat, "search": tree.search, "root": node_data(node, r["plies"], [MOST_NODES_SENT])}


def node_data(node: Node, plies: int, room: list[int]) -> dict[str, Any]:
    """A node as plain data, with the children down to some plies; `below` counts those left out. room: nodes yet to send."""
    room[0] -= 1
    shown = node.children if plies > 0 and room[0] > len(node.children) else []
    return {
        "move": node.move,
        "to_play": node.to_play,
        "value": node.value,
        "window": None if node.alpha is None or node.beta is None else [max(node.alpha, -1.0), min(node.beta, 1.0)],
        "pruned": node.pruned,
        "visits": node.visits,
        "proven": node.proven,
        "is_best": node.is_best,
        "below": len(node.children) - len(shown),
        "children": [node_data(child, plies - 1, room) for child in shown],
    }


def count_openings(job: Job) -> Iterator[dict[str, Any]]:
    """The opening tree of a record file, as `OpeningTree.to_dict` says it."""
    request = job.request
    game = get_game(request["game"], **request["options"])
    tree = OpeningTree(game)
    records = read_records(request["path"], request["format"])
    tree.add_all(itertools.takewhile(lambda _: not job.is_stopped, records))
    if not job.is_stopped:
        yield {"kind": "openings", **tree.to_dict()}


def index_records(job: Job) -> Iterator[dict[str, Any]]:
    """The games of a record file, as `record_index.index_of` says them, without a date where the file has none."""
    request = job.request
    records = itertools.islice(read_records(request["path"], request["format"]), request["most"] + 1)
    games = [index_of(record, "") for record in itertools.takewhile(lambda _: not job.is_stopped, records)]
    if len(games) > request["most"]:
        raise OptionError(f"more than {request['most']:,} games; take fewer")
    yield {"kind": "records", "games": games}


def write_game_file(job: Job) -> Iterator[dict[str, Any]]:
    """The games of a record file as the text of a game file."""
    records = read_records(job.request["path"], job.request["format"])
    yield {
        "kind": "text",
        "text": "".join(write_game(record) for record in itertools.takewhile(lambda _: not job.is_stopped, records)),
    }


JOBS = {
    "position": analyse_position,
    "game": analyse_game,
    "tree": search_tree,
    "openings": count_openings,
    "records": index_records,
    "game_file": write_game_file,
}
