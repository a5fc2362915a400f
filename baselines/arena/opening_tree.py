"""What has been played from each position, how often and with what success: the opening tree of a set of records.

Positions that are reached by different moves are one (`Board.key`, which leaves clocks out).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from boardgym.baselines.arena.record import UNFINISHED, GameRecord
from boardgym.core.board import Board
from boardgym.core.errors import NotationError
from boardgym.core.game import Game

MAX_PLIES = 40  # of a game that are counted
MAX_POSITIONS = 200_000


@dataclass
class Branch:
    """A move from a position. games: in which it was played. wins: of each seat. draws. The rest have no result."""

    games: int = 0
    wins: list[int] = field(default_factory=list)
    draws: int = 0


class OpeningTree:
    """Counts over records of one game with its options.

    Args:
        game: the game.
        max_plies: of each game that are counted.

    Attributes: games, counted so far; others, records of other games or options, left out.
    """

    def __init__(self, game: Game, *, max_plies: int = MAX_PLIES) -> None:
        self.game, self.max_plies, self.games, self.others = game, max_plies, 0, 0
        self.branches: dict[int, dict[int, Branch]] = {}  # key of a position -> action -> counts

    def add_all(self, records: Iterable[GameRecord]) -> None:
        """Counts records. Raises NotationError for more positions than MAX_POSITIONS, and as reading them does."""
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Counts a record. Raises NotationError if there are more positions than MAX_POSITIONS."""
        if (record.game, dict(record.options)) != (self.game.id, dict(self.game.options)):
            self.others += 1
            return
        board, seen = record.start_board(), set[tuple[int, int]]()
        for action in record.actions[: self.max_plies]:
            place = board.key, action
            if not board.is_chance and place not in seen:  # once a game, though it may come back to a position
                seen.add(place)
                self._count(board.key, action, record)
            board.push(action)
        self.games += 1

    def _count(self, key: int, action: int, record: GameRecord) -> None:
        if key not in self.branches and len(self.branches) >= MAX_POSITIONS:
            raise NotationError(f"more than {MAX_POSITIONS:,} positions; take fewer games")
        branch = self.branches.setdefault(key, {}).setdefault(action, Branch(wins=[0] * self.game.num_seats))
        branch.games += 1
        if record.reason != UNFINISHED:
            if record.winner is None:
                branch.draws += 1
            else:
                branch.wins[record.winner] += 1

    def moves_at(self, board: Board) -> list[dict[str, Any]]:
        """The moves played from a position, the most frequent first: move, action, games, wins of each seat, draws, and score.

        score: (wins + draws / 2) / finished games, of the seat to play; None without finished games.
        """
        rows = []
        for action, branch in self.branches.get(board.key, {}).items():
            if action not in board.legal_actions:
                continue
            finished = sum(branch.wins) + branch.draws
            score = (branch.wins[board.to_play] + branch.draws / 2) / finished if finished else None
            rows.append(
                {
                    "move": board.move_text(action),
                    "action": action,
                    "games": branch.games,
                    "wins": branch.wins,
                    "draws": branch.draws,
                    "score": score,
                }
            )
        return sorted(rows, key=lambda row: (-row["games"], row["action"]))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, from which `from_dict` makes the tree again in another process."""
        branches = {
            str(key): {str(action): [branch.games, branch.draws, *branch.wins] for action, branch in actions.items()}
            for key, actions in self.branches.items()
        }
        return {"games": self.games, "others": self.others, "branches": branches}

    @classmethod
    def from_dict(cls, game: Game, data: dict[str, Any]) -> "OpeningTree":
        """The inverse of `to_dict`."""
        tree = cls(game)
        tree.games, tree.others = data["games"], data["others"]
        for key, actions in data["branches"].items():
            tree.branches[int(key)] = {
                int(action): Branch(games, wins, draws) for action, (games, draws, *wins) in actions.items()
            }
        return tree
