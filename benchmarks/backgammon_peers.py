"""GNU Backgammon's evaluation without looking ahead (0-ply, no cube) and Tesauro's pubeval, as policies for our boards.

`python -m benchmarks.backgammon_peers` checks what stands between: that their rules and ours lead to the same ends of turns,
that positions arrive as they are, that the plays lead where their evaluations are highest (pubeval's: where no end of the turn
is a race, or the turn begins as one), and four opening moves of the books. Wants PyPI's `gnubg-nn`, which is among the extra
`bench`.

Their board is two lists of 25, the other's and that of the side to play: men on its points 1 to 24, then on its bar.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import tyro

from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.random import draw, stream
from boardgym.games.backgammon import Backgammon, parse_play, position_id
from boardgym.games.backgammon.notation import dice_of, men_of
from boardgym.studies.abalearn.complexity import turn_ends

GAME = "Backgammon-v0"
PEERS = ("gnubg-0ply", "pubeval")
OPENINGS = {"3-1": "8/5 6/5", "4-2": "8/4 6/4", "6-1": "13/7 8/7", "5-3": "8/3 6/3"}  # rolls on which all books agree
INSTALL = "pip install -c constraints.txt -c constraints-bench.txt -e '.[bench]'"
TOLERANCE = 1e-6  # of equities: their networks reckon in single precision
Men = tuple[int, ...]
Steps = Sequence[tuple[int, int]]


def demand_library() -> None:
    """Raises OptionError where the peers' library is not installed."""
    if find_spec("gnubg_nn") is None:
        raise OptionError(f"GNU Backgammon and pubeval are played by gnubg-nn, which is not installed; expected: {INSTALL}")


def their_board(position: Any) -> list[list[int]]:
    """A position as the library takes it."""
    men = men_of(position)
    return [men[1 - position.seat][1:], men[position.seat][1:]]


def gnubg_steps(position: Any, first: int, second: int) -> Steps:
    """The men's moves that GNU Backgammon finds best by its networks' equity of where they lead: (source, target) each."""
    import gnubg_nn

    return gnubg_nn.best_move(their_board(position), first, second, 0)


def pubeval_steps(position: Any, first: int, second: int) -> Steps:
    """The same of pubeval, whose weights for races are those of positions that are races before the turn."""
    import gnubg_nn

    ways = [number + 1 for number in gnubg_nn.pub_best_move(their_board(position), first, second)]
    return list(zip(ways[0::2], ways[1::2], strict=True))


STEPS: dict[str, Callable[[Any, int, int], Steps]] = dict(zip(PEERS, (gnubg_steps, pubeval_steps), strict=True))


class Peer:
    """A policy that plays whole turns as one of PEERS has them. Raises UnsupportedGameError where another began the turn."""

    def __init__(self, name: str) -> None:
        self.spec, self._steps = name, STEPS[name]
        self._plan: dict[Any, int] = {}  # the actions of the turn under way, by the positions that it goes through

    def reset(self, *, seed: int | None = None) -> None:
        """There is nothing to draw."""

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The next action of the turn."""
        position = board.position
        if position not in self._plan:
            dice = dice_of(position)
            if len(dice) != (4 if len(set(dice)) == 1 else 2):
                raise UnsupportedGameError(f"{board.fen()!r}: {self.spec} plays whole turns; another has begun this one")
            now, self._plan = board.copy(), {}
            for action in actions_of(position, self._steps(position, dice[0], dice[1])):
                self._plan[now.position] = action
                now.push(action)
        return self._plan[position]


def actions_of(position: Any, steps: Steps) -> tuple[int, ...]:
    """A play of theirs as actions of ours. position: after the roll."""
    return parse_play(position, " ".join(f"{source}/{target}" for source, target in steps) or "pass")


# ---------------------------------------------------------------- checks


def men_after(position: Any, seat: int) -> tuple[Men, Men]:
    """Men of the other and of the seat that has played a turn, as the keys of the library have them."""
    men = men_of(position)
    return tuple(men[1 - seat][1:]), tuple(men[seat][1:])


def our_ends(board: Board) -> set[tuple[Men, Men]]:
    """Where the turn that begins here can lead, as `men_after` has it."""
    return {men_after(position, board.to_play) for position in turn_ends(board)}


def their_ends(position: Any) -> set[tuple[Men, Men]]:
    """The same by their rules; nothing but the position itself where no man can move."""
    import gnubg_nn

    dice = dice_of(position)
    keys = gnubg_nn.moves(their_board(position), dice[0], dice[1])
    found = {tuple(map(tuple, gnubg_nn.board_from_position_key(key))) for key in keys}
    return found or {tuple(map(tuple, their_board(position)))}


def equity_of(end: tuple[Men, Men]) -> float:
    """What an end of a turn is worth to who has played it, by GNU Backgammon's networks: points a game."""
    import gnubg_nn

    other, own = end
    if sum(own) == 0:
        return 1.0 if sum(other) < 15 else 3.0 if other[24] + sum(other[18:24]) else 2.0
    win, gammon, backgammon, lost_gammon, lost_backgammon = gnubg_nn.probabilities([list(own), list(other)], 0)
    return -(2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon)


def score_of(end: tuple[Men, Men]) -> float:
    """What pubeval thinks of it; its scores of races and of other positions are by different weights."""
    import gnubg_nn

    other, own = end
    score: float = gnubg_nn.pub_eval_score([list(own), list(other)])
    return score


def is_race(end: tuple[Men, Men]) -> bool:
    """Whether no man of one side is behind a man of the other."""
    last, other_last = (max((point for point, count in enumerate(men, 1) if count), default=0) for men in end)
    return last + other_last < 25


def end_of(position: Any, actions: Sequence[int]) -> tuple[Men, Men]:
    """Where a turn leads."""
    board = Board(GAME, auto_roll=False)
    board.set_position(position)
    for action in actions:
        board.push(action)
    return men_after(board.position, position.seat)


@dataclass
class Checked:
    """What has been compared: positions; ends of turns in them; positions in which pubeval's scores of all ends compare."""

    positions: int = 0
    ends: int = 0
    scored: int = 0


def check_position(position: Any, found: Checked) -> None:
    """Compares theirs and ours after one roll. Raises AssertionError."""
    import gnubg_nn

    text = position_id(position)
    assert [list(side) for side in gnubg_nn.board_from_position_id(text)] == their_board(position), text
    board = Board(GAME, auto_roll=False)
    board.set_position(position)
    ends = our_ends(board)
    assert ends == their_ends(position), board.fen()
    dice = dice_of(position)
    gnubg, pubeval = (end_of(position, actions_of(position, STEPS[name](position, dice[0], dice[1]))) for name in PEERS)
    assert {gnubg, pubeval} <= ends, board.fen()
    assert max(map(equity_of, ends)) - equity_of(gnubg) < TOLERANCE, board.fen()
    if is_race(men_after(position, position.seat)) or not any(map(is_race, ends)):  # else it scores ends by other weights
        assert score_of(pubeval) == max(map(score_of, ends)), board.fen()
        found.scored += 1
    found.positions, found.ends = found.positions + 1, found.ends + len(ends)


def random_positions(count: int, seed: int) -> list[Backgammon]:
    """Positions after the roll, from games of random play, every third turn."""
    rng, positions, turns = stream(seed), list[Any](), 0
    board = Board(GAME, seed=seed)
    while len(positions) < count:
        if board.is_terminal:
            board = Board(GAME, seed=seed + len(positions))
        if len(board.actions) and dice_of(board.history[-2]) == []:
            turns += 1
            if turns % 3 == 0:
                positions.append(board.position)
        board.push(board.legal_actions[int(draw(rng, len(board.legal_actions)))])
    return positions


def check_openings() -> None:
    """GNU Backgammon plays as the books have it. Raises AssertionError."""
    for roll, play in OPENINGS.items():
        board = Board(GAME, auto_roll=False)
        board.push_move(roll)
        position = board.position
        actions = actions_of(position, gnubg_steps(position, *dice_of(position)))
        assert end_of(position, actions) == end_of(position, parse_play(position, play)), (roll, actions)


@dataclass(frozen=True)
class Settings:
    """Checks the peers.

    Attributes:
        positions: how many, of random games.
        seed: of them.
    """

    positions: int = 2_000
    seed: int = 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Checks, and says what has been compared."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.backgammon_peers", description=__doc__, args=arguments)
    try:
        demand_library()
    except OptionError as error:
        raise SystemExit(f"benchmarks.backgammon_peers: {error}") from None
    check_openings()
    found = Checked()
    for position in random_positions(settings.positions, settings.seed):
        check_position(position, found)
    print(
        f"{len(OPENINGS)} opening moves as the books have them; {found.positions:,} positions with a roll: the same "
        f"{found.ends:,} ends of turns by both rules;\nGNU Backgammon's plays are the best of them by its own networks, "
        f"pubeval's by its own scores, in the {found.scored:,} of the positions where those compare"
    )


if __name__ == "__main__":
    main()
