"""The regression that ProbCut needs: how the value of a deep search follows from that of a shallow one, per game.

deep value = slope * shallow value + offset, with a standard deviation. `boardgym probcut GAME` fits it by least squares over
positions after random plies, and keeps it in the user's cache folder; regressions that we have fitted come with the package.
Positions that either search finds decided are left out: no estimate went into their values, and ProbCut cuts none of them.

Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from boardgym.baselines.typed_json import read_json
from boardgym.compile.store import cache_root
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.files import write_aside
from boardgym.core.game import Game
from boardgym.core.policy_spec import make_policy

FEWEST = 20  # pairs of values for a fit

# (game, deep, shallow) -> slope, offset, deviation, as the command finds them; docs/search_minimax.md has how
SHIPPED: dict[tuple[str, int, int], tuple[float, float, float]] = {
    ("ConnectFour-v0", 4, 2): (1.133, 0.0096, 0.1345),
    ("Othello-v0", 4, 2): (1.012, 0.001, 0.0903),
}
_LENT: dict[tuple[str, int, int], tuple[float, float, float]] = {}  # (token of the game, deep, shallow), within `using`


@dataclass(frozen=True)
class Regression:
    """A fit. positions: how many pairs of values it is from. correlation: of the two values."""

    game: str
    options: dict[str, object]
    deep: int
    shallow: int
    slope: float
    offset: float
    deviation: float
    correlation: float
    positions: int


class Fit(msgspec.Struct):
    """What is used of a fit that was kept."""

    slope: Annotated[float, msgspec.Meta(gt=0.0, le=1e6)]
    offset: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
    deviation: Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]


def path_of(game: Game, deep: int, shallow: int) -> Path:
    """Where a fit is kept: in the folder that NUMBA_CACHE_DIR names, else in the user's cache, as the compiled kernels are."""
    options = hashlib.sha256(json.dumps(dict(game.options), sort_keys=True).encode()).hexdigest()[:8]
    return cache_root() / "boardgym-probcut" / f"{game.id}-{options}-{deep}-{shallow}.json"


def find_regression(game: Game, deep: int, shallow: int, spec: str) -> tuple[float, float, float]:
    """Slope, offset and deviation for a game: that of `using`, the user's own fit, else ours.

    Raises SpecError where there is none, saying what fits one, or where the user's file cannot be read.
    """
    if (game.token.name, deep, shallow) in _LENT:
        return _LENT[game.token.name, deep, shallow]
    path = path_of(game, deep, shallow)
    if path.is_file():
        fit = read_fit(path, spec)
        return fit.slope, fit.offset, fit.deviation
    if (game.id, deep, shallow) in SHIPPED and game.is_usual:
        return SHIPPED[game.id, deep, shallow]
    raise SpecError(
        f"policy spec {spec!r}: no regression of depth {deep} on {shallow} for {game.id}; fit one by "
        f"`boardgym probcut {game.name} --deep {deep} --shallow {shallow}`"
    )


@contextlib.contextmanager
def using(game: Game, deep: int, shallow: int, fit: tuple[float, float, float]) -> Iterator[None]:
    """Within it policies for a game take this fit, before the user's own; not in several threads at once.

    fit: slope, offset and deviation; kept nowhere.
    """
    key = game.token.name, deep, shallow
    before = _LENT.get(key)
    _LENT[key] = fit
    try:
        yield
    finally:
        if before is None:
            del _LENT[key]
        else:
            _LENT[key] = before


def read_fit(path: Path, spec: str) -> Fit:
    """A fit that was kept. spec: that asks for it. Raises SpecError."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SpecError(f"policy spec {spec!r}: {path} cannot be read ({error.strerror})") from None
    return read_json(text, Fit, SpecError, f"a regression in {path}, for the policy spec {spec!r}; fit it again")


def random_board(game: Game, rng: np.random.Generator, most_plies: int) -> Board:
    """A board after 0 to most_plies random plies, cut short where the game ends."""
    board = Board(game, seed=int(rng.integers(2**62)))
    for _ in range(int(rng.integers(most_plies + 1))):
        before = board.copy()
        board.push(int(rng.choice(board.legal_actions)))
        if board.is_terminal:
            return before
    return board


def fit_regression(
    game: Game,
    deep: int,
    shallow: int,
    *,
    positions: int = 500,
    most_plies: int = 40,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Regression:
    """Fits the regression over `positions` random positions. progress: called after each.

    Raises:
        SpecError: depths or positions out of range, or too few positions that are not decided.
        UnsupportedGameError: a game that minimax does not play.
    """
    if not 0 < shallow < deep or positions < FEWEST:
        raise SpecError(
            f"deep {deep}, shallow {shallow}, positions {positions}; expected 0 < shallow < deep, and at least "
            f"{FEWEST} positions"
        )
    rng, pairs = np.random.default_rng(seed), []
    searches = [make_policy(f"minimax:{depth}", game, seed=0) for depth in (shallow, deep)]
    for number in range(positions):
        board = random_board(game, rng, most_plies)
        values = [search.evaluate(board) for search in searches]
        if max(map(abs, values)) < 1.0:
            pairs.append(values)
        if progress is not None:
            progress(number + 1)
    if len(pairs) < FEWEST:
        raise SpecError(f"{game.id}: {len(pairs)} of {positions} positions are not decided; a fit needs {FEWEST}")
    x, y = np.array(pairs).T
    if np.ptp(x) == 0.0:
        raise SpecError(f"{game.id}: the shallow value is the same in all positions; is there a heuristic?")
    slope, offset = np.polyfit(x, y, 1)
    deviation = float(np.std(y - slope * x - offset, ddof=2))
    correlation = float(np.corrcoef(x, y)[0, 1]) if np.ptp(y) > 0.0 else 0.0
    if slope <= 0.0:
        raise SpecError(
            f"{game.id}: the deep value falls where the shallow one rises (slope {slope:.3g}); ProbCut is no use here"
        )
    return Regression(
        game.id, dict(game.options), deep, shallow, float(slope), float(offset), deviation, correlation, len(pairs)
    )


def save_regression(game: Game, fit: Regression) -> Path:
    """Keeps a fit where `find_regression` looks. Returns the path. Raises OSError if the folder cannot be written."""
    path = path_of(game, fit.deep, fit.shallow)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, json.dumps(asdict(fit), indent=2).encode())
    return path
