"""Nine Men's Morris endgames played perfectly: tables in the user's cache, and the solver that reads them.

Those of up to four men a side are built when a policy is first made, larger ones by `boardgym tables NineMensMorris --men 5 5`;
`morris_tables.py` says what they hold. The tables know no clock and no
repetition. What follows for the game's own rules:
- A draw of the tables is a draw: both sides can avoid losing for ever, and a rule that ends games gives them the draw sooner.
- A win in d turns is a win if the clock lets d turns pass (`clock + d <= no_mill_limit`) and no earlier position comes back.
  The winner's distance falls with every turn, so no position occurs twice from here on; one of the record that has occurred so
  often that once more would draw could come back only if it is won by the same side in fewer turns than are left.
Where that is not so the solver does not answer: the side that wins in the tables may only have a draw.
"""

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.perfect.morris_build import EndgameTables, Pair
from boardgym.baselines.perfect.morris_tables import DRAW, FEWEST, MOST, WON_NOW, code_of, rank_code
from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.baselines.perfect.store import FOLDER_VARIABLE
from boardgym.baselines.progress import ProgressBar
from boardgym.core.bits import popcount
from boardgym.core.board import Board
from boardgym.core.game import Game

FIRST_MEN = (4, 4)  # of each side: tables that are built when they are first wanted, in seconds
_unwritable: set[Path] = set()  # folders about which this process has said so


class MorrisSolver:
    """Answers where no men are in hand, the tables are built, and the rules against endless games cannot bear on the value.

    Distances are turns, a removal being part of the turn that closed the mill, and 0 for actions that draw.

    Args:
        game: Nine Men's Morris with any options.
        folder: of the tables; None: the user's cache, or what BOARDGYM_TABLES names.
    """

    name, is_quick = "the endgame tables of Nine Men's Morris", True

    def __init__(self, game: Game, folder: Path | None = None) -> None:
        self.game, self.tables = game, EndgameTables(game, folder)

    def covers(self, board: Board) -> str:
        """Empty if it can answer; else why not. See `policy.Solver`. Raises TableError if a table is damaged."""
        position = board.position
        if position.own_hand or position.other_hand:
            return "men are still in hand"
        a, b = popcount(position.own), popcount(position.other) - position.must_remove
        if max(a, b) > MOST:
            return f"{a} and {b} men are on the board, and tables hold up to {MOST} of a side"
        if b < FEWEST:
            return ""  # whatever is removed wins
        if missing := self.tables.missing(a, b):
            pairs = " and ".join(f"{x}-{y}" for x, y in missing)
            return f"the tables of {pairs} men are not built, which {self.command(a, b)} does"
        codes, proven = self.look(board)
        best = max(codes.values(), key=rank_code)
        if best == DRAW:
            return ""
        wins = [action for action, code in codes.items() if value_of(code) > 0.0]
        if any(proven[action] for action in wins) if wins else all(proven.values()):
            return ""
        return (
            f"it is {'won' if wins else 'lost'} in {best - 1} turns by the tables, which know neither a draw by repetition "
            "nor one by slides without a mill, and here that may come first"
        )

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """Values and distances of the actions that are certain, the best among them. See `policy.Solver`.

        Left out are those of which the rules against endless games leave open whether they lose or draw, or win or draw.
        """
        codes, proven = self.look(board)
        known = {action: code for action, code in codes.items() if proven[action]}
        values = {action: value_of(code) for action, code in known.items()}
        distances = {action: code - 1 if code else 0 for action, code in known.items()}
        line = self.line(board, Solution(values, distances=distances).best) if detail == "full" else ()
        return Solution(values, distances=distances, line=line)

    def look(self, board: Board) -> tuple[dict[int, int], dict[int, bool]]:
        """For each legal action its code (see `morris_tables`), a draw if it ends the game so, and whether that is certain."""
        position, codes, proven, after = board.position, {}, {}, board.copy()
        if (b := popcount(position.other) - position.must_remove) >= FEWEST:
            self.tables.load(popcount(position.own), b)
        limit, returning = position.NO_MILL_LIMIT, self.returning(board)
        for action, code in self.codes(board):
            after.push(action)
            is_drawn = after.is_terminal and not any(after.returns())
            after.pop()
            codes[action] = DRAW if is_drawn else code
            turns, is_won = code - 1, code % 2 == 0
            in_time = limit == 0 or position.clock + turns <= limit
            proven[action] = codes[action] == DRAW or (in_time and not any(is_won == won and t < turns for won, t in returning))
        return codes, proven

    def codes(self, board: Board) -> list[tuple[int, int]]:
        """(action, code) of every legal action; the tables are loaded."""
        position = board.position
        if position.must_remove and popcount(position.other) == FEWEST:
            return [(action, WON_NOW) for action in board.legal_actions]
        return self.tables.codes(position)

    def returning(self, board: Board) -> list[tuple[bool, int]]:
        """(whether won for the seat to play now, turns) of what occurred so often that once more is a draw, if decided."""
        limit = board.position.REPETITION_LIMIT
        if limit == 0:
            return []
        present, counts = board.position, Counter[tuple[int, int, int]]()
        men = {popcount(present.own), popcount(present.other)}
        for position in reversed(board.history):
            is_kin = {popcount(position.own), popcount(position.other)} == men
            if not is_kin or position.own_hand or position.other_hand or position.must_remove:
                break  # what was before cannot come back
            counts[position.own, position.other, position.seat] += 1
        found = []
        for (own, other, seat), count in counts.items():
            code = code_of(own, other, self.tables.values, tuple(self.tables.maps or ())) if count >= limit - 1 else DRAW
            if code != DRAW:
                found.append(((code % 2 == 0) == (seat == present.seat), code - 1))
        return found

    def line(self, board: Board, first: int) -> tuple[int, ...]:
        """The actions of best play to the end, beginning with one that is best; only that one where the game is drawn."""
        actions, board = [first], board.copy()
        board.push(first)
        while not board.is_terminal:
            best, code = max(self.codes(board), key=lambda found: rank_code(found[1]))
            if code == DRAW:
                break
            actions.append(best)
            board.push(best)
        return tuple(actions)

    def command(self, a: int, b: int) -> str:
        """The command line that builds the tables of a men against b."""
        chosen = [
            f" --option {name}={self.game.options[name]}"
            for name, usual in (("flying", True), ("variant", "nine"))
            if self.game.options[name] != usual
        ]
        return f"boardgym tables NineMensMorris --men {a} {b}{''.join(chosen)}"


def value_of(code: int) -> float:
    """1, 0 or -1 for the side to play."""
    return 0.0 if code == DRAW else 1.0 if code % 2 == 0 else -1.0


def solver(game: Game) -> MorrisSolver:
    """The solver of a game; the tables of FIRST_MEN are built if they are not there, or it is said why they cannot be.

    Raises UnsupportedGameError for another game, TableError if one of these tables cannot be used.
    """
    made = MorrisSolver(game)
    tables, folder = made.tables, made.tables.folder
    if folder not in _unwritable and tables.missing(*FIRST_MEN):
        with ProgressBar() as bar:
            bar.say("boardgym: building the endgame tables of Nine Men's Morris, once")
            try:
                build_tables(tables, *FIRST_MEN, bar)
            except OSError as error:
                _unwritable.add(folder)
                bar.say(
                    f"boardgym: no endgame tables: {folder} cannot be written ({error.strerror or error}); perfect goes on "
                    f"without them; set {FOLDER_VARIABLE} to a folder of your own"
                )
    return made


def build_tables(tables: EndgameTables, a: int, b: int, bar: ProgressBar) -> list[Pair]:
    """Builds what positions of a men against b need and is not there; the bar shows it. Returns and raises as `build`."""

    def on_layer(pair: Pair, turns: int, decided: int) -> None:
        bar.show(0, label=f"{pair[0]}-{pair[1]}: {decided:,} positions decided in {turns} turns")

    def on_wait(pair: Pair) -> None:
        bar.show(0, label=f"{pair[0]}-{pair[1]}: waiting for another process, which builds it")

    return tables.build(a, b, on_layer=on_layer, on_wait=on_wait)
