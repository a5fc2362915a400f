"""Commands that show: the games, a position, a recorded game. And `warm`, which compiles ahead."""

import itertools
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from rich import box
from rich.table import Table
from tyro.conf import Positional, arg

from boardgym.baselines.arena.record import GameRecord
from boardgym.baselines.players.terminal import board_text
from boardgym.commands.arguments import OutputFile
from boardgym.commands.common import GameWord, RuleOptions, UsageError, load_board, load_game, print_json, print_table, terminal
from boardgym.commands.pictures import analyse, print_values, with_bar, write_picture
from boardgym.core import verbs
from boardgym.core.escape import printable
from boardgym.core.game import GAMES, Game, load_installed_games


@dataclass
class Games:
    """List the games with their rule options, seats and numbers."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym games", "boardgym games --json")

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints the table."""
        load_installed_games()
        known = sorted(GAMES.values(), key=lambda game: game.id)
        if self.json:
            print_json([describe(game) for game in known])
            return 0
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("game", style="cyan", no_wrap=True)
        for name in ("title", "options"):
            table.add_column(name)
        for name in ("seats", "actions", "observation"):
            table.add_column(name, justify="right", no_wrap=True)
        for game in known:
            options = ", ".join(f"{name}={value}" for name, value in game.options.items())
            shape = "x".join(map(str, game.observation_shape))
            table.add_row(game.id, game.title, options or "-", str(game.num_seats), str(game.num_actions), shape)
        print_table(table)
        return 0


def describe(game: Game) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "id": game.id,
        "title": game.title,
        "options": dict(game.options),
        "setups": list(game.setups),
        "num_seats": game.num_seats,
        "seat_names": [game.seat_name(seat) for seat in range(game.num_seats)],
        "num_actions": game.num_actions,
        "max_legal_actions": game.max_legal_actions,
        "max_plies": game.max_plies,
        "observation_shape": list(game.observation_shape),
        "planes": list(game.planes),
        "min_return": game.min_return,
        "max_return": game.max_return,
    }


@dataclass
class Show:
    """Show a position: the board, the legal moves, and its value by the game's heuristic."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym show Othello",
        "boardgym show ConnectFour 7/7/7/7/3o3/3x3 x",
        "boardgym show Othello --option size=6 --moves c2 b2",
        "boardgym show TicTacToe --moves b2 a1 --values minimax:7 --png board.png",
        "boardgym show Othello --moves f5 d6 --legal --svg board.svg --gif game.gif",
    )

    game: GameWord
    """Id of the game, such as ConnectFour or Othello-v0."""
    position: Positional[Annotated[tuple[str, ...], arg(metavar="FEN")]] = ()
    """Position string; the standard start if left out."""
    moves: tuple[str, ...] = ()
    """Moves to play from there."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead."""
    svg: OutputFile = ""
    """Write the position to this file as SVG."""
    png: OutputFile = ""
    """Write it as PNG."""
    gif: OutputFile = ""
    """Write the moves that led to it to this file as an animation."""
    legal: bool = False
    """Mark the legal moves in the picture."""
    values: Annotated[str, arg(metavar="SPEC")] = ""
    """Show the value of each move by this search, such as minimax:6 or uct:1000; in the picture too."""

    def run(self) -> int:
        """Prints the position."""
        from boardgym.render.animation import animate_gif
        from boardgym.render.pixels import rasterise
        from boardgym.render.svg import draw_svg

        board = load_board(load_game(self.game, self.option), self.position, self.moves)
        analysis = analyse(board, self.values) if self.values else None
        values = analysis.action_values if analysis else None
        write_picture(self.svg, lambda: draw_svg(board, legal=self.legal, values=values))
        write_picture(self.png, lambda: rasterise(draw_svg(board, legal=self.legal, values=values)))
        write_picture(self.gif, lambda: with_bar(animate_gif, board))
        outcome = board.outcome()
        has_heuristic = verbs.has_rule("heuristic", board.game.position_class)
        value = board.estimate() if has_heuristic or outcome else None
        if self.json:
            print_json(
                {
                    "game": board.game.id,
                    "options": dict(board.game.options),
                    "fen": board.fen(),
                    "to_play": None if outcome else board.to_play,
                    "legal_moves": board.legal_moves,
                    "outcomes": {board.move_text(outcome): probability for outcome, probability in board.outcomes},
                    "legal_actions": board.legal_actions,
                    "value": value,
                    "values": values and {board.move_text(a): v for a, v in values.items()},
                    "returns": board.returns() if outcome else None,
                }
            )
            return 0
        console = terminal()
        console.print(board_text(board, colour=console.is_terminal), soft_wrap=True)
        console.print(f"position  {board.fen()}", style="dim", soft_wrap=True, markup=False)
        if outcome is None:
            moves = board.legal_moves or [board.move_text(outcome) for outcome, _ in board.outcomes]
            console.print(f"{'rolls' if board.is_chance else 'moves':10}{' '.join(moves)}", soft_wrap=True, markup=False)
            if value is not None:
                name = board.game.seat_name(max(board.to_play, 0))
                console.print(f"value     {value:+.3f} for {name}, by the game's heuristic, from -1 (lost) to 1 (won)")
            if analysis is not None:
                print_values(board, analysis)
        else:
            returns = ", ".join(f"{board.game.seat_name(seat)} {pay:+g}" for seat, pay in enumerate(outcome.returns))
            console.print(f"returns   {returns}")
        return 0


@dataclass
class Replay:
    """Show a recorded game, ply by ply."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym replay game.jsonl",
        "boardgym replay match.jsonl --number 7",
        "boardgym replay game.jsonl --gif game.gif",
        "boardgym replay game.jsonl --html game.html",
    )
    EXPORT_EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym export game.jsonl --html game.html",
        "boardgym export match.game --number 7 --svg game.svg",
    )

    file: Positional[Annotated[str, arg(metavar="FILE")]]
    """A file of records: written by play, match or demo, a game file, or a transcript (see boardgym convert)."""
    number: int = 1
    """Which of its games to show, counted from 1."""
    gif: OutputFile = ""
    """Write the game to this file as an animation, and print no boards."""
    svg: OutputFile = ""
    """The same, as an SVG that browsers play."""
    html: OutputFile = ""
    """The same, as a page to step through in a browser: one file, which needs no server and no network."""

    def record(self) -> GameRecord:
        """The game that is asked for. Raises UsageError if the file holds fewer."""
        from boardgym.baselines.arena.formats import read_records

        if self.number < 1:
            raise UsageError(f"--number {self.number}: games are counted from 1")
        # what stands after the game asked for is not read: the last one of a run that was cut short may be half-written
        records = list(itertools.islice(read_records(self.file), self.number))
        if len(records) < self.number:
            raise UsageError(f"--number {self.number}: {self.file} holds {len(records)} games")
        return records[-1]

    def run(self) -> int:
        """Prints the boards, or writes them."""
        record = self.record()
        if self.gif or self.svg or self.html:
            from boardgym.render.animation import animate_gif, animate_svg
            from boardgym.web.export import replay_page

            board = record.replay()
            write_picture(self.html, lambda: replay_page(record))
            write_picture(self.gif, lambda: with_bar(animate_gif, board))
            write_picture(self.svg, lambda: with_bar(animate_svg, board))
            return 0
        board, console = record.start_board(), terminal()
        seats = ", ".join(f"{board.game.seat_name(seat)} {name}" for seat, name in enumerate(record.policies))
        console.print(printable(f"{record.game}  {seats}  seed {record.seed}"), style="bold", markup=False, soft_wrap=True)
        console.print(board_text(board, colour=console.is_terminal), soft_wrap=True)
        comments = [[text for at, text in record.comments if at == ply] for ply in range(len(record.moves) + 1)]
        for text in comments[0]:
            console.print(printable(text), markup=False, soft_wrap=True)
        for number, move in enumerate(record.moves, start=1):
            name = board.game.seat_name(board.to_play)
            board.push_move(move)
            console.print(f"\n{board.ply}. {name} {move}", style="bold", markup=False)
            console.print(board_text(board, colour=console.is_terminal), soft_wrap=True)
            for text in comments[number]:
                console.print(printable(text), markup=False, soft_wrap=True)
        if not board.is_terminal:
            console.print(printable(f"{record.reason}  {record.message}".rstrip()), style="bold", markup=False, soft_wrap=True)
        return 0
