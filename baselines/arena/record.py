"""The record of one game: enough to play it again, as JSON.

    {"format": "boardgym-game", "format_version": 1, "game": "ConnectFour-v0", "options": {"height": 6, "width": 7},
     "start": "7/7/7/7/3o3/3x3 x", "moves": ["4", "3"], "policies": ["greedy", "random"], "deterministic": [true, false],
     "seed": 5, "opening_plies": 0, "returns": [1.0, -1.0], "reason": "rules", "forfeit": null, "message": ""}

Files of several games hold one a line ("JSON lines") and are read one by one, so that a run that is cut short leaves every
finished game readable.
Records with comments or tags have two fields more: "comments": [[2, "after the second move"]], "tags": {"Date": "1974"}.
"""

import dataclasses
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from boardgym.baselines.arena.text_cursor import read_utf8
from boardgym.baselines.typed_json import read_versioned
from boardgym.core.bits import MASK64
from boardgym.core.board import Board, Reason
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.frames import is_compiled
from boardgym.core.game import Game, get_game

FORMAT, FORMAT_VERSION = "boardgym-game", 1
OptionValue = bool | int | float | str  # of a rule option
UNFINISHED, FORFEIT, CAP = "unfinished", "forfeit", "cap"  # reasons beside those of `Board.outcome()`
MOST_VARIANTS = 100  # of games, with rules that are not compiled, that files may name in one process
BY_THE_BOARD = (Reason.RULES.name.lower(), Reason.REPETITION.name.lower())


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game, finished or not.

    Attributes:
        game: id, such as "ConnectFour-v0".
        options: the rule options in force.
        start: position string of the first position of the record.
        moves: the record in notation, the opening and all rolls included: one for each action.
        actions: the same as actions.
        policies: what sat at each seat, by spec.
        deterministic: whether each was asked for its best action, without drawing.
        seed: what `play_game` was given: from it the same policies make the same draws. What is rolled follows from it too,
            but in a match, where both games of a pair have the same dice; the rolls stand in `moves`.
        opening_plies: how many of the moves, rolls included, stood on the board before the policies took over.
        returns: what the game paid each seat.
        reason: "rules", "repetition", "forfeit" (a policy failed), "cap" (stopped at the limit of plies) or "unfinished".
        forfeit: the seat that failed, or None.
        message: why it failed.
        comments: (number of moves before it, text), in order.
        tags: what else is said of the game: Event, Date ...
    """

    game: str
    options: dict[str, OptionValue]
    start: str
    moves: tuple[str, ...]
    actions: tuple[int, ...] = ()
    policies: tuple[str, ...]
    deterministic: tuple[bool, ...]
    seed: Annotated[int, Meta(ge=0)] | None
    opening_plies: int
    returns: tuple[float, ...]
    reason: str
    forfeit: int | None = None
    message: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        """The seat with the greatest return; None for a draw."""
        best = max(self.returns)
        return self.returns.index(best) if self.returns.count(best) == 1 else None

    def score(self, seat: int) -> float:
        """1.0 if the seat won, 0.5 for a draw, 0.0 if another seat won."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    def start_board(self) -> Board:
        """The board as the record begins, which does not roll by itself.

        Raises NotationError, UnknownGameError, OptionError if it cannot be set up.
        """
        return board_from_file(get_game(self.game).with_options(**self.options), self.start)

    def replay(self) -> Board:
        """The board at the end of the record. Raises as `start_board`, and IllegalActionError for a move not allowed."""
        board = self.start_board()
        for move in self.moves:
            board.push_move(move)
        return board

    def check_seats(self) -> None:
        """Raises NotationError unless each seat has one entry in every list of seats, and `forfeit` is a seat or None."""
        num_seats = get_game(self.game).num_seats
        for name in ("policies", "deterministic", "returns"):
            if len(getattr(self, name)) != num_seats:
                raise NotationError(f"{name} of {len(getattr(self, name))} seats; {self.game} has {num_seats}")
        if self.forfeit is not None and (not 0 <= self.forfeit < num_seats):
            raise NotationError(f"forfeit: {self.forfeit}; expected null or a seat, 0 to {num_seats - 1}")

    def check_numbers(self) -> None:
        """Raises NotationError unless the seed is one, returns are finite, opening and comments are within the moves."""
        if self.seed is not None and self.seed > MASK64:
            raise NotationError(f"seed: {self.seed}; expected a whole number from 0 to 2**64 - 1, or null")
        if not all(map(math.isfinite, self.returns)):
            raise NotationError(f"returns: {list(self.returns)}; expected finite numbers")
        if not 0 <= self.opening_plies <= len(self.moves):
            raise NotationError(f"opening_plies: {self.opening_plies}; expected 0 to {len(self.moves)}, the number of moves")
        for ply, _ in self.comments:
            if not 0 <= ply <= len(self.moves):
                raise NotationError(f"comments: one after {ply} moves; the record has {len(self.moves)}")

    def check_outcome(self, board: Board) -> None:
        """Raises NotationError if the moves, which led to `board`, contradict what the record says of the end."""
        ended, said = board.reason.name.lower(), self.reason
        if board.is_terminal and said != ended:
            raise NotationError(f"reason: {said[:80]!r}; expected {ended!r}, for so the moves end the game")
        if not board.is_terminal and said in BY_THE_BOARD:
            raise NotationError(f"reason: {said!r}; after the last move the game goes on, at {board.fen()!r}")
        expected = tuple(board.returns())
        if said in (*BY_THE_BOARD, UNFINISHED) and self.returns != expected:
            raise NotationError(f"returns: {list(self.returns)}; the moves lead to {list(expected)}")

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, strings and numbers. The actions are left out: the moves say the same."""
        fields = dataclasses.asdict(self)
        del fields["actions"]
        for name in ("comments", "tags"):  # most records have none
            if not fields[name]:
                del fields[name]
        return {"format": FORMAT, "format_version": FORMAT_VERSION, **fields}

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """The inverse of `to_json`; the game is played through, so a record that loads can be replayed.

        Raises:
            NotationError: no record of this format, or a part of it that is missing, of another type or contradicts the moves.
            UnknownGameError, OptionError, IllegalActionError: for what they name.
        """
        record = read_versioned(text, cls, FORMAT, FORMAT_VERSION, NotationError, "the record of a game")
        record.check_seats()
        record.check_numbers()
        board = record.replay()
        record.check_outcome(board)
        return dataclasses.replace(record, moves=tuple(board.moves()), actions=tuple(board.actions))


_VARIANTS: set[tuple[str, str]] = set()  # that files have named so far


def board_from_file(game: Game, start: str | None) -> Board:
    """A board of a game that a file names, which does not roll by itself. start: a position string; None: the standard start.

    Reading a file never compiles code: a variant whose `push` was not compiled before is played by rules that run as Python.

    Raises: NotationError; OptionError if files have named more than MOST_VARIANTS variants in this process.
    """
    is_plain = not (game.is_usual or is_compiled(game.token))
    named = (game.id, json.dumps(dict(game.options), sort_keys=True))
    if is_plain and named not in _VARIANTS:
        if len(_VARIANTS) >= MOST_VARIANTS:
            raise OptionError(
                f"{game.id} with {dict(game.options)}: files have named {MOST_VARIANTS} other variants of games "
                "already, the most that one process takes; read the rest in another"
            )
        _VARIANTS.add(named)
    return Board(game, start, auto_roll=False, compiled=not is_plain)


def record_of(
    board: Board,
    policies: tuple[str, ...],
    *,
    deterministic: tuple[bool, ...],
    seed: int | None = None,
    opening_plies: int = 0,
    forfeit: tuple[int, str] | None = None,
    capped: bool = False,
) -> GameRecord:
    """The record of a board. policies: spec of each seat; forfeit: (seat, message); capped: stopped at the limit of plies."""
    game: Game = get_game(board.game)
    returns, reason = tuple(board.returns()), board.reason.name.lower() if board.is_terminal else UNFINISHED
    if forfeit is not None:
        returns = tuple(game.min_return if seat == forfeit[0] else game.max_return for seat in range(game.num_seats))
        reason = FORFEIT
    elif capped:
        returns, reason = (0.0,) * game.num_seats, CAP
    return GameRecord(
        game=game.id,
        options=dict(game.options),
        start=game.to_fen(board.history[0]),
        moves=tuple(board.moves()),
        actions=tuple(map(int, board.actions)),
        policies=policies,
        deterministic=deterministic,
        seed=seed,
        opening_plies=opening_plies,
        returns=returns,
        reason=reason,
        forfeit=None if forfeit is None else forfeit[0],
        message="" if forfeit is None else forfeit[1],
    )


def read_json(text: str, name: str) -> Iterator[GameRecord]:
    """The games of a text: one a line, or a single one over several lines. name: the file's. Raises NotationError."""
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if numbered and numbered[0][1].strip() == "{":
        numbered = [(1, text)]
    for number, line in numbered:
        try:
            yield GameRecord.from_json(line)
        except ValueError as error:
            raise NotationError(f"{name}, line {number}: {error}") from None


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The games of a file, as `read_json`. Raises OSError; NotationError for what is none."""
    yield from read_utf8(Path(path).read_bytes(), str(path), read_json)
