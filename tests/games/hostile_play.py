"""Plays hostile positions of every game, in a child process, and says how many were refused, played, or fatal.

    python -m tests.games.hostile_play 10000

A hostile position is one of play with some bits turned, fields exchanged or set to what they never are, or it is nothing but
random words. `Board.set_position` has to refuse it; or the laws of `boardgym.testing` hold for it, and it can be played on, to
the end or for MOST_PLIES. NUMBA_BOUNDSCHECK=1 makes an error of every look beyond an array.
"""

import dataclasses
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgym import Board, Game, PositionError, get_game
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.testing import check_board
from tests.variants import VARIANTS, label

MOST_PLIES = 300  # then a game is left
NAMED = {label(case): case for case in VARIANTS}
EXTREMES = (-(2**63), -(2**31), -1, 0, 1, 2, 2**31, 2**40, 2**61, 2**62, 2**63 - 1)


@dataclasses.dataclass
class Report:
    """What became of hostile positions. crashes: what the child said at its end, one entry for each time it died."""

    refused: int = 0
    played: int = 0
    crashes: list[str] = dataclasses.field(default_factory=list)


@kernel
def other_rules(token, row, out):  # type: ignore[no-untyped-def]
    """The rules that neither the laws nor play ask for. out: int64, with room for all actions."""
    position = verbs.unpack(token, row)
    return verbs.noisy_actions(position, out) + verbs.repetition_window(position) + verbs.canonical_symmetry(position)


def honest_rows(game: Game, count: int = 60) -> NDArray[np.int64]:
    """Positions of random games, int64 (count, fields), the ends of games among them."""
    rows, board, rng = list[NDArray[np.int64]](), Board(game, seed=0, auto_roll=False), np.random.default_rng(0)
    while len(rows) < count:
        if board.is_terminal:
            board = Board(game, seed=len(rows), auto_roll=False)
        choices = board.legal_actions or [outcome for outcome, _ in board.outcomes]
        board.push(int(rng.choice(choices)))
        if rng.random() < 0.2 or board.is_terminal:
            rows.append(board.row)
    return np.array(rows)


def hostile_row(honest: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """One hostile position. honest: as of `honest_rows`."""
    row = honest[rng.integers(len(honest))].copy()
    fields, kind = len(row), rng.integers(8)
    if kind == 0:
        return rng.integers(-(2**63), 2**63 - 1, fields, endpoint=True)
    if kind == 1:  # words of few bits
        return np.bitwise_and.reduce(rng.integers(0, 2**63 - 1, (4, fields)), axis=0)
    for _ in range(rng.integers(1, 4)):
        field = rng.integers(fields)
        if kind == 2:
            row[field] = rng.choice(EXTREMES)
        elif kind == 3:
            row[field] = rng.integers(-2, 40)
        elif kind == 4:
            row[field] = honest[rng.integers(len(honest)), rng.integers(fields)]
        elif kind == 5:
            row[field] ^= np.int64(1) << rng.integers(0, 64)
        else:  # a man goes to another place, or over to another field
            places = [place for place in range(64) if row[field] >> place & 1] or [0]
            man, to = (np.int64(1) << place for place in (rng.choice(places), rng.integers(0, 62)))
            other = field if kind == 6 else rng.integers(fields)
            row[field] &= ~man
            row[other] |= to if kind == 6 else man
    return row


def play_on(board: Board, rng: np.random.Generator) -> None:
    """Plays random actions and outcomes to the end."""
    for _ in range(MOST_PLIES):
        if board.is_terminal:
            return
        board.push(int(rng.choice(board.legal_actions or [outcome for outcome, _ in board.outcomes])))


def play(name: str, first: int, count: int, progress: NDArray[np.int64]) -> None:
    """Plays the hostile positions first to first + count - 1 of a game. progress: int64 (3,), [next, refused, played]."""
    game = get_game(NAMED[name][0], **NAMED[name][1])
    honest, board, out = honest_rows(game), Board(game, auto_roll=False), np.empty(game.num_actions + 64, np.int64)
    for number in range(first, first + count):
        progress[0], rng = number, np.random.default_rng(number)
        row = hostile_row(honest, rng)
        try:
            board.set_position(game.token.position(row))
        except PositionError:
            progress[1] += 1
            continue
        progress[2] += 1
        check_board(board)
        other_rules(game.token, row, out)
        play_on(board, rng)


def in_child(work: Callable[[], None]) -> tuple[int, str]:
    """(exit status, standard error) of a child process that does some work: a fork, which has all modules and kernels."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.dup2(writing, 2)
            work()
            os._exit(0)
        except BaseException as error:
            os.write(2, "".join(traceback.format_exception(error)).encode())
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading) as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def hostile_play(name: str, count: int) -> Report:
    """Plays so many hostile positions of a game. After a crash it goes on behind the position that caused it."""
    report, first = Report(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "progress"
        while first < count:
            progress = np.memmap(path, np.int64, "w+", shape=3)
            status, said = in_child(lambda start=first, seen=progress: play(name, start, count - start, seen))
            report.refused, report.played = report.refused + int(progress[1]), report.played + int(progress[2])
            if status == 0:
                break
            lines = said.strip().splitlines()
            report.crashes.append(f"position {progress[0]}, exit {status}: {lines[-1] if lines else ''}")
            first = int(progress[0]) + 1
    return report


def main(arguments: Sequence[str]) -> int:
    """`COUNT [GAME ...]`."""
    has_crashed = False
    for name in arguments[1:] or NAMED:
        report = hostile_play(name, int(arguments[0]))
        print(f"{name:34} refused {report.refused:6}  played {report.played:6}  crashed {len(report.crashes):6}", flush=True)
        for crash in report.crashes:
            print(f"    {crash}")
        has_crashed |= bool(report.crashes)
    return int(has_crashed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
