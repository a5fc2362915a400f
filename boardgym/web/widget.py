"""Boards in notebooks: `BoardWidget` to look at and to play on, `ReplayWidget` to step through a recorded game.

They need anywidget (`pip install 'boardgym[notebook]'`), and draw with the very component of the studio, without a network.

    from boardgym.web.widget import BoardWidget

    board = boardgym.Board("Othello-v0")
    BoardWidget(board)
"""

import weakref
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from boardgym.baselines.arena.record import GameRecord
from boardgym.core.board import Board
from boardgym.core.description import describe_board, describe_game
from boardgym.web.export import replay_data

CODE = (files("boardgym.web") / "static" / "widget.js").read_text(encoding="utf-8")


class BoardWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """A board that follows a game and lets people click moves.

    Args:
        board: that is shown. It is looked at again after each cell that is run, and whenever `refresh` is called.
        interactive: whether clicks play moves.
        on_move: called with the board after a move was clicked; what it plays is shown too. A reply, say.
        values: numbers on the actions, from -1 to 1 for the seat to play, until the next move.
        arrows: actions to draw as arrows, until the next move.
        flipped: seen from the other side.
        palette: "colour-blind" for colours that nearly all can tell apart.

    `interactive`, `values`, `arrows`, `flipped` and `palette` can be set at any time.

    Example:
        widget = BoardWidget(board, on_move=lambda board: board.push(policy.act(board)))
    """

    _esm = CODE
    game = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    interactive = traitlets.Bool(True).tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    arrows = traitlets.List().tag(sync=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    palette = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        board: Board,
        *,
        interactive: bool = True,
        on_move: Callable[[Board], Any] | None = None,
        values: Mapping[int, float] | None = None,
        arrows: Sequence[int] = (),
        flipped: bool = False,
        palette: str = "",
    ) -> None:
        self.board, self.on_move = board, on_move
        super().__init__(
            game=describe_game(board.game),
            state=describe_board(board),
            interactive=interactive,
            values=dict(values or {}),
            arrows=list(arrows),
            flipped=flipped,
            palette=palette,
        )
        self.on_msg(self._clicked)
        follow_cells(self)

    def refresh(self) -> None:
        """Shows the board as it is now; values and arrows of an earlier position go."""
        state = describe_board(self.board)
        if state != self.state:
            with self.hold_sync():
                self.values, self.arrows, self.state = {}, [], state

    def _clicked(self, _: Any, content: Any, __: Any) -> None:
        """A click of the page. One that comes late, or is of no legal action, only shows the board anew."""
        board, said = self.board, content if isinstance(content, dict) else {}
        if self.interactive and said.get("ply") == board.ply and said.get("action") in board.legal_actions:
            board.push(said["action"])
            self.refresh()
            if self.on_move is not None:
                self.on_move(board)
        self.refresh()


class ReplayWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """A recorded game to step through.

    Args:
        record: the game, of `boardgym.baselines.play_match` or a file.
        index: how many moves have been played in what is shown; follows the page, and may be set.
        flipped, palette: as of `BoardWidget`.

    Raises:
        as `GameRecord.start_board`, and IllegalActionError for a move that is not allowed.
    """

    _esm = CODE
    replay = traitlets.Dict().tag(sync=True)
    index = traitlets.Int(0, min=0).tag(sync=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    palette = traitlets.Unicode("").tag(sync=True)

    def __init__(self, record: GameRecord, *, index: int = 0, flipped: bool = False, palette: str = "") -> None:
        super().__init__(replay=replay_data(record), index=index, flipped=flipped, palette=palette)


def follow_cells(widget: BoardWidget) -> None:
    """Lets a widget look at its board after each cell that a notebook runs, as long as there is the widget."""
    from IPython import get_ipython

    shell, found = get_ipython(), weakref.ref(widget)  # type: ignore[no-untyped-call]
    if shell is None:
        return

    def look(*_: Any) -> None:
        alive = found()
        if alive is None or alive.comm is None:
            shell.events.unregister("post_run_cell", look)
        else:
            alive.refresh()

    shell.events.register("post_run_cell", look)
