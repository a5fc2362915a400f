"""GNU Backgammon as a policy, spoken to as a person at its prompt would: set the board and the dice, ask for a hint.

    engine:gnubg:gnubg -t -q          -t: no window, -q: no sounds; it evaluates without looking ahead unless told otherwise

It thinks in whole turns, which are up to four plies here. Its choice is the best of its turns whose end can be reached from
where the board is, so that somebody else may have begun the turn. Where a record begins within a turn, whose roll is not known,
it is asked what each end of the turn is worth.
"""

import re
import time
from typing import Any

from boardgym.baselines.engines.policies import EnginePolicy
from boardgym.core.board import Board
from boardgym.core.errors import NotationError, UnsupportedGameError
from boardgym.games.backgammon.notation import dice_of, position_id

HINTS = 100  # turns that it is asked for: the best, and if the turn is under way, all
LAST_LINE = "Will not automatically roll the dice."  # what the last command of a request makes it say
LAST_COMMAND = "set automatic roll off"
EQUITY = re.compile(r"\s*(?:static|\d+ ply):(?:\s+[-+]?\d+\.\d+){5}\s+([-+]?\d+\.\d+)")  # the sixth number, without the cube
HINT = re.compile(r"\s*\d+\.\s+\S+\s+\S+\s+(\S.*?)\s+Eq\.:\s*([-+]?\d+\.\d+)")


class GnubgEngine(EnginePolicy):
    """GNU Backgammon by its text interface."""

    has_clock = False  # it looks so many plies ahead

    def check_game(self) -> None:
        """Raises UnsupportedGameError for a game other than backgammon."""
        if self.game.name != "Backgammon":
            raise UnsupportedGameError(f"policy spec {self.spec!r}: GNU Backgammon does not play {self.game.id}")

    def begin(self) -> None:
        """Nothing is to happen by itself, and there is no cube."""
        self.compare_rules(None)
        self.request(
            *(f"set automatic {what} off" for what in ("game", "move", "bearoff")),
            *(f"set player {seat} human" for seat in (0, 1)),
            "set cube use off",
        )

    def new_game(self) -> None:
        """A session in which positions can be set up."""
        self.request("new session", "set turn 0")

    def request(self, *commands: str) -> list[str]:
        """What it says to some commands."""
        for command in (*commands, LAST_COMMAND):
            self.engine.send(command)
        deadline = time.monotonic() + self.timeout
        lines: list[str] = []
        while True:
            line = self.engine.read_line(commands[-1], deadline=deadline)
            if line.strip() == LAST_LINE:
                return lines
            lines.append(line)

    def ask(self, board: Board) -> int:
        """The next ply of its best turn that can still be played."""
        trial = turn_start(board)
        position, dice = trial.position, dice_of(trial.position)
        if len(dice) not in (2, 4) or (len(dice) == 4) != (len(set(dice)) == 1):
            return self.best_end(board)
        lines = self.request(f"set board {position_id(position)}", f"set dice {dice[0]} {dice[1]}", f"hint {HINTS}")
        firsts = {end: action for action, end in reversed(ends_of(board))}
        for match in filter(None, map(HINT.match, lines)):
            try:
                actions = self.game.parse_turn(position, match[1])  # type: ignore[misc]
            except NotationError as error:
                raise self.engine.failure(f"gave a move that cannot be played: {error}") from None
            end = trial.copy()
            for action in actions:
                end.push(action)
            if end.position in firsts:
                return firsts[end.position]
        raise self.engine.failure(
            f"gave no move at {board.fen()!r}: {' | '.join(line for line in lines if line.strip())[:200]}"
        )

    def best_end(self, board: Board) -> int:
        """The first ply of the way to the end of the turn that is worth the least to the other seat."""
        worth = {end: self.worth(end) for end in dict.fromkeys(end for _, end in ends_of(board))}
        return max(ends_of(board), key=lambda way: worth[way[1]])[0]

    def worth(self, end: Any) -> float:
        """What the end of a turn is worth to the seat that has played it, in points."""
        after = Board(self.game, auto_roll=False)
        after.set_position(end, check=False)
        if after.is_terminal:
            return max(after.returns())
        lines = self.request("set turn 0", f"set board {position_id(end)}", "eval")
        found = [match[1] for match in map(EQUITY.match, lines) if match]
        if not found:
            raise self.engine.failure(f"gave no value of {self.game.to_fen(end)!r}")
        return -float(found[-1])  # of the seat that is to roll


def turn_start(board: Board) -> Board:
    """The board as it was after the roll, or at the start of its record."""
    trial = board.copy()
    trial.auto_roll = False
    while trial.actions:
        trial.pop()
        if trial.is_chance:
            trial.push(board.actions[len(trial.actions)])
            break
    return trial


def ends_of(board: Board) -> list[tuple[int, Any]]:
    """(first ply, position) of every way to end the turn."""
    trial = board.copy()
    trial.auto_roll = False

    def below() -> list[Any]:
        if trial.is_chance or trial.is_terminal:
            return [trial.position]
        return [end for action in trial.legal_actions for end in after(action)]

    def after(action: int) -> list[Any]:
        trial.push(action)
        ends = below()
        trial.pop()
        return ends

    return [(action, end) for action in trial.legal_actions for end in after(action)]
