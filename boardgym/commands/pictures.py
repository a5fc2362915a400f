"""Pictures that commands write, and the values of a policy that they show."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rich import box
from rich.table import Table

from boardgym.baselines.progress import ProgressBar
from boardgym.commands.common import UsageError, print_table, say
from boardgym.core.board import Board
from boardgym.core.files import write_aside
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import make_policy
from boardgym.render.animation import num_frames

Picture = TypeVar("Picture", bound="str | bytes")


def write_picture(name: str, make: Callable[[], str | bytes]) -> None:
    """Writes a picture, as a whole or not at all, unless the name is empty. Raises OptionError, OSError."""
    if name:
        content = make()
        write_aside(Path(name), content.encode() if isinstance(content, str) else content)
        say(f"written: {name}")


def with_bar(animate: Callable[..., Picture], board: Board) -> Picture:
    """A moving picture, with a bar on stderr if it takes its time."""
    with ProgressBar(num_frames(board)) as bar:
        return animate(board, on_frame=lambda: bar.advance("drawing"))


def analyse(board: Board, spec: str) -> Analysis:
    """What a search finds on a board. Raises UsageError where there is nothing to find, or the policy tells no values."""
    if board.is_terminal or board.is_chance:
        raise UsageError(f"--values {spec}: {'the game is over' if board.is_terminal else 'chance is to act'}")
    policy = make_policy(spec, board.game, seed=0)
    if not callable(getattr(policy, "analyse", None)):
        raise UsageError(f"--values {spec}: this policy tells no values; searches such as minimax:6 and uct:1000 do")
    return policy.analyse(board)  # type: ignore[attr-defined]


def print_values(board: Board, analysis: Analysis) -> None:
    """A table of the moves and their values, the best first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("move", style="cyan")
    for name in ("value", "nodes"):
        table.add_column(name, justify="right")
    for action, value in sorted(analysis.action_values.items(), key=lambda item: -item[1]):
        table.add_row(board.move_text(action), f"{value + 0.0:+.3f}", str(analysis.visit_counts.get(action, "-")))
    print_table(table)
