"""Both sides of many games at once: `BatchBoard` beside Pgx, with observation and mask of every ply.

Random legal actions on both sides, games that end begin anew: "random plies" with the choice of the action, "the step
alone" without it, by playing again what was chosen before.
"""

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Effort, Row, Work, if_installed, rates
from benchmarks.peer_pgx import NAMES, RECORDED, choose_by_category, pgx_random, pgx_step
from benchmarks.peers import chooser
from boardgym.core.batch_board import BatchBoard
from boardgym.core.game import Game, get_game, list_games
from boardgym.core.policy_spec import make_policy

SIZES = (1, 64, 1024, 8192)
WANTED_SIZE = 1024
WANTED_RATE = {"ConnectFour": 20e6, "Othello": 6e6, "Abalone": 2e6}
WANTED_RATIO = {"ConnectFour": 4.0, "Othello": 10.0}  # of Pgx's best
PGX_BEST = (1024, 8192)  # the sizes among which its best is
MANY_BOARDS = 64
QUICK_BOARDS = 8


def play(batch: BatchBoard, actions: NDArray[np.int64]) -> None:
    """One ply on each board, finished games begun anew; observations and masks are those of what is then on the boards."""
    _observation, _mask, _rewards, done, _to_play = batch.step(actions)
    if done.any():
        batch.reset(done)


def random_plies(game: Game, boards: int, *, num_threads: int = 1) -> Work:
    """Random legal plies on all boards, chosen by the compiled policy."""
    batch, policy = BatchBoard(game, boards, seed=1, num_threads=num_threads), make_policy("random", game, seed=1)

    def work(n: int) -> int:
        done = 0
        while done < n:
            play(batch, batch.act(policy))
            done += boards
        return done

    return work


def many_plies(game: Game, boards: int) -> Work:
    """The same by `BatchBoard.play`, many plies in a call."""
    batch, policy = BatchBoard(game, boards, seed=1), make_policy("random", game, seed=1)

    def work(n: int) -> int:
        plies = -(-n // boards)
        batch.play(policy, plies)
        return plies * boards

    return work


def recorded_plies(game: Game, boards: int, plies: int) -> Work:
    """The step alone: plies that were chosen before are played again, from a copy of the same boards.

    plies: as many are played before, so that boards stand all over their games, and as many are replayed.
    """
    start, choose = BatchBoard(game, boards, seed=1), chooser(boards)
    for _ in range(plies):
        play(start, choose(start.mask))
    batch, recorded = start.copy(), []
    for _ in range(plies):
        recorded.append(choose(batch.mask))  # not by `act`, which would draw from the streams that roll the dice
        play(batch, recorded[-1])

    def work(n: int) -> int:
        done = 0
        while done < n:
            batch = start.copy()
            for actions in recorded:
                play(batch, actions)
            done += plies * boards
        return done

    return work


def random_row(effort: Effort, name: str, game: Game, boards: int) -> Row:
    """With the choice: as many boards on both sides."""
    size = min(boards, QUICK_BOARDS) if effort.is_quick else boards
    subjects, has_peer = [("BatchBoard", random_plies(game, size))], game.name in NAMES
    if has_peer and (theirs := if_installed(lambda: pgx_random(game.name, size))):
        subjects.append(("Pgx", theirs))
    if len(subjects) > 1 and boards == WANTED_SIZE:
        subjects.append(("by category", pgx_random(game.name, size, choose_by_category)))
    ours, *others = rates(subjects, effort)
    notes = {"Pgx by jax.random.categorical": others[1].value} if len(others) > 1 else {}
    return Row(
        name,
        f"both sides, random plies, {game.title}, {boards:,} board{'s'[: boards > 1]}",
        "plies/s",
        ours,
        others[0] if others else None,
        absent="Pgx" if has_peer and not others else None,
        notes=notes,
    )


def many_row(effort: Effort, name: str, game: Game) -> Row:
    """Many plies in a call beside a call of `act`, `step` and `reset` for each."""
    size = QUICK_BOARDS if effort.is_quick else MANY_BOARDS
    ours, by_steps = rates([("play", many_plies(game, size)), ("by steps", random_plies(game, size))], effort)
    return Row(name, f"many random plies in a call, {game.title}, {size} boards", "plies/s", ours, by_steps)


def step_row(effort: Effort, name: str, game: Game) -> Row:
    """Without the choice: ours at 1,024 boards, the peer at the best of its sizes."""
    size, plies = (QUICK_BOARDS, 2) if effort.is_quick else (WANTED_SIZE, RECORDED)
    subjects, has_peer = [("BatchBoard", recorded_plies(game, size, plies))], game.name in NAMES
    if has_peer:
        for at in PGX_BEST:
            if theirs := if_installed(functools.partial(pgx_step, game.name, size if effort.is_quick else at)):
                subjects.append((f"Pgx, {at:,} boards", theirs))
    ours, *others = rates(subjects, effort)
    return Row(
        name,
        f"both sides, the step alone, {game.title}, {WANTED_SIZE:,} boards",
        "plies/s",
        ours,
        max(others, key=lambda figure: figure.value, default=None),
        at_least_ratio=WANTED_RATIO.get(game.name),
        at_least=WANTED_RATE.get(game.name),
        absent="Pgx" if has_peer and not others else None,
        notes={figure.subject: figure.value for figure in others},
    )


def given_positions(game: Game, boards: int, *, check: bool) -> Work:
    """`set_positions` alone, of rows from all over random games, with or without the look at each."""
    start, policy = BatchBoard(game, boards, seed=1), make_policy("random", game, seed=1)
    for _ in range(RECORDED):
        play(start, start.act(policy))
    batch, rows = BatchBoard(game, boards, seed=2), start.rows.copy()

    def work(n: int) -> int:
        done = 0
        while done < n:
            batch.set_positions(rows, check=check)
            done += boards
        return done

    return work


def positions_row(effort: Effort, name: str, game: Game) -> Row:
    """What it costs that positions from the caller are looked at: checked beside `check=False`."""
    size = QUICK_BOARDS if effort.is_quick else WANTED_SIZE
    subjects = [
        ("checked", given_positions(game, size, check=True)),
        ("check=False", given_positions(game, size, check=False)),
    ]
    ours, unchecked = rates(subjects, effort)
    return Row(name, f"set_positions, {game.title}, {WANTED_SIZE:,} boards", "boards/s", ours, unchecked)


def rows() -> dict[str, Callable[[Effort], Row]]:
    """For each game the step alone, positions set by the caller, many plies in a call, and random plies at each size."""
    found: dict[str, Callable[[Effort], Row]] = {}
    for game in map(get_game, list_games()):
        name = f"positions_{game.module_name}"
        found[name] = functools.partial(positions_row, name=name, game=game)
        name = f"step_{game.module_name}"
        found[name] = functools.partial(step_row, name=name, game=game)
        name = f"many_{game.module_name}"
        found[name] = functools.partial(many_row, name=name, game=game)
        for boards in SIZES:
            name = f"both_{game.module_name}_{boards}"
            found[name] = functools.partial(random_row, name=name, game=game, boards=boards)
    return found


ROWS = rows()
