"""`boardgym analyse`: what a search finds in a position, while it searches; its tree, for teaching."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from rich import box
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text
from tyro.conf import arg

from boardgym.baselines.players.terminal import board_text
from boardgym.baselines.search.analysis_data import describe, exact_facts, known_values, ranked
from boardgym.baselines.search.anytime import Watched, moves_of
from boardgym.commands.arguments import OutputFile
from boardgym.commands.common import (
    INTERRUPTED,
    GameWord,
    PositionText,
    RuleOptions,
    UsageError,
    load_board,
    load_game,
    print_json,
    print_table,
    say,
    terminal,
)
from boardgym.commands.pictures import write_picture
from boardgym.core.board import Board
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import parse_spec

LINE_SHOWN = 24  # moves of the best line


@dataclass
class Analyse:
    """What a search finds in a position: its value, the best line, a table of the moves."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym analyse ConnectFour --policy minimax:12",
        "boardgym analyse Othello --moves f5 d6 c3 --policy uct:5s --png board.png",
        'boardgym analyse TicTacToe --position "1o1/1x1/3 x" --policy minimax:9 --json',
        "boardgym analyse TicTacToe --moves b2 a1 c1 a3 --policy minimax:3 --tree tree.dot",
    )

    game: GameWord
    """Id of the game, such as ConnectFour or Othello-v0."""
    policy: Annotated[str, arg(metavar="SPEC")] = "uct:20000"
    """The search, such as minimax:8, uct:20000 or uct:5s; perfect:detail=full also gives a solver's scores and best line."""
    position: PositionText = ""
    """Position string; the standard start if left out."""
    moves: tuple[str, ...] = ()
    """Moves to play from there."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    top: int = 12
    """How many moves the table shows, the best ones."""
    json: bool = False
    """Print JSON instead, with all moves."""
    svg: OutputFile = ""
    """Write the board with the values of the moves to this file as SVG."""
    png: OutputFile = ""
    """Write it as PNG."""
    tree: OutputFile = ""
    """Write the tree of a small minimax or uct search to this file: as DOT for Graphviz, or as JSON if it ends in .json."""
    tree_plies: int = 0
    """Write only this many plies of the tree; 0: all."""
    no_pruning: bool = False
    """Write the tree of plain minimax, without alpha-beta's cuts."""
    best_first: bool = False
    """Search promising actions first, so that alpha-beta cuts more of the tree."""
    trust: bool = False
    """Load model files that could execute code, run the programs of engines."""

    def run(self) -> int:
        """Searches and shows what it finds."""
        if self.top < 1:
            raise UsageError(f"--top {self.top}: expected at least 1")
        if self.tree_plies < 0:
            raise UsageError(f"--tree-plies {self.tree_plies}: expected 0 or more")
        board = load_board(load_game(self.game, self.option), self.position.split(), self.moves)
        if board.is_terminal or board.is_chance:
            raise UsageError(f"{board.fen()!r}: {'the game is over' if board.is_terminal else 'chance is to act'}")
        if self.tree:
            self._write_tree(board)
        watched = Watched(self.policy, board.game, trust=self.trust)
        watched.warm(board)
        console = terminal()
        if console.is_terminal and not self.json:
            analysis, was_stopped = self._watch(watched, board)
            if analysis is None:
                return INTERRUPTED
        else:
            analysis, was_stopped = watched.running.analyse(board), False
            if self.json:
                print_json(describe(board, self.policy, analysis))
            else:
                console.print(board_text(board, colour=False), soft_wrap=True)
                print_table(move_table(board, analysis, self.top))
                print("\n".join(facts(board, analysis)))
        if was_stopped:
            say("interrupted: this is what had been found by then", style="yellow")
        self._write_pictures(board, analysis)
        return INTERRUPTED if was_stopped else 0

    def _watch(self, watched: Watched, board: Board) -> tuple[Analysis | None, bool]:
        """Shows a table that follows the search. Returns what was found, None if nothing, and whether Ctrl-C ended it."""
        console = terminal()
        console.print(board_text(board), soft_wrap=True)
        view = View(board, self.policy, min(self.top, max(console.height - 9, 3)))
        with Live(view, console=console, refresh_per_second=8):
            try:
                for analysis in watched.watch(board):
                    view.analysis = analysis
            except KeyboardInterrupt:
                view.is_over = True
                return view.analysis, True
            view.is_over = True
        return view.analysis, False

    def _write_pictures(self, board: Board, analysis: Analysis) -> None:
        from boardgym.render.pixels import rasterise
        from boardgym.render.svg import draw_svg

        values = known_values(analysis)
        write_picture(self.svg, lambda: draw_svg(board, values=values))
        write_picture(self.png, lambda: rasterise(draw_svg(board, values=values)))

    def _write_tree(self, board: Board) -> None:
        from boardgym.baselines.search.tree_export import grow_tree
        from boardgym.baselines.search.tree_files import as_dot, as_json

        with terminal(stderr=True).status(f"growing the tree of {self.policy} ...", spinner="line"):
            tree = grow_tree(board, parse_spec(self.policy), pruning=not self.no_pruning, best_first=self.best_first)
        most = self.tree_plies or None
        as_text = as_json if Path(self.tree).suffix == ".json" else as_dot
        write_picture(self.tree, lambda: as_text(tree, max_plies=most))
        size = f"{sum(1 for _ in tree.root):,} nodes"
        say(f"{self.tree}: {f'of a tree of {size} what is not deeper than ply {most}' if most else size}")


class View:
    """The live display: what has been found, and for how long the search has gone on."""

    def __init__(self, board: Board, policy: str, top: int) -> None:
        self.board, self.policy, self.top = board, policy, top
        self.analysis: Analysis | None = None
        self.is_over = False
        self.started = time.perf_counter()
        self.ended = self.started

    def __rich__(self) -> Any:
        if not self.is_over:
            self.ended = time.perf_counter()
        state = f"{self.policy}  {'' if self.is_over else 'searching '}{self.ended - self.started:.1f} s"
        if self.analysis is None:
            return Text(state, "dim")
        lines = [Text(line) for line in facts(self.board, self.analysis)]
        return Group(move_table(self.board, self.analysis, self.top), *lines, Text(state, "dim"))


def move_table(board: Board, analysis: Analysis, top: int) -> Table:
    """A table of the best moves: value, what a solver adds, nodes or simulations, their share."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("move", style="cyan", no_wrap=True)
    exact = exact_facts(analysis)
    for name in ("value", *exact, "nodes", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    order, values, counts = ranked(analysis), known_values(analysis), analysis.visit_counts
    total = sum(counts.values())
    for action in order[:top]:
        value, count = values.get(action), counts.get(action)
        table.add_row(
            board.move_text(action),
            "-" if value is None else value_text(value),
            *(str(numbers.get(action, "-")) for numbers in exact.values()),
            "-" if count is None else f"{count:,}",
            "-" if count is None or not total else f"{count / total:.1%}",
            style="bold" if action == analysis.action else "",
        )
    if len(order) > top:
        table.caption, table.caption_justify = f"and {len(order) - top} more", "left"
    return table


def value_text(value: float) -> Text:
    """A value, green for good and red for bad."""
    return Text(f"{value + 0.0:+.3f}", "green" if value > 0.05 else "red" if value < -0.05 else "")


def facts(board: Board, analysis: Analysis) -> Iterator[str]:
    """What there is to say besides the table, as lines."""
    name, proof = board.game.seat_name(board.to_play), ", proven" if analysis.is_proven else ""
    yield f"value  {analysis.value + 0.0:+.3f} for {name}, from -1 (lost) to 1 (won){proof}"
    line = moves_of(board, analysis.principal_variation)
    yield f"line   {' '.join(line[:LINE_SHOWN])}{' ...' if len(line) > LINE_SHOWN else ''}"
    speed = f", {analysis.nodes / analysis.seconds:,.0f} a second" if analysis.seconds > 0.001 else ""
    yield f"depth  {analysis.depth}, {analysis.nodes:,} nodes in {analysis.seconds:.3f} s{speed}"
    if analysis.cutoffs or analysis.table_hits:
        yield f"pruned {analysis.cutoffs:,} positions cut short, {analysis.table_hits:,} answered by the table"
