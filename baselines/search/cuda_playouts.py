"""Random playouts on a CUDA card, a thread for each: the same `play_row` as on the CPU."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.playing_out import IN_POINTS, play_row
from boardgym.baselines.search.uct import UCT
from boardgym.compile.cuda import card_kernel, cuda, types
from boardgym.core import verbs
from boardgym.core.cuda_board import is_on_card
from boardgym.core.cuda_rows import MOST_THREADS
from boardgym.core.game import Game
from boardgym.core.policy import token_of

_KERNELS: dict[str, Any] = {}  # by the game's token


def make_playouts(game: Game) -> Any:
    """A kernel play(positions, endings, seeds, settings, count, paid, plies), see `playing_out.play_rows`."""
    token, policy, most = game.token, token_of(UCT), game.max_choices

    def play(positions, endings, seeds, settings, count, paid, plies):
        j = cuda.grid(1)
        if j < plies.shape[0]:
            i = j // count
            moves, weights = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
            chooser = verbs.unpack(policy, settings)
            plies[j] = play_row(token, chooser, positions[i], endings[i], seeds[i], j - i * count, moves, weights, paid[j])

    return card_kernel(play)


class PlayoutsOnCard:
    """Plays out positions of a game on a card, as `PlayoutsOnCPU` does."""

    def __init__(self, game: Game) -> None:
        if game.token.name not in _KERNELS:
            _KERNELS[game.token.name] = make_playouts(game)
        self.game, self._kernel = game, _KERNELS[game.token.name]
        self._settings = cuda.to_device(IN_POINTS)

    def play(
        self, positions: Any, endings: Any, seeds: NDArray[np.uint64], count: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """As `PlayoutsOnCPU.play`; positions and endings may be on the card."""
        n, seats = len(seeds), self.game.num_seats
        positions, endings = (array if is_on_card(array) else cuda.to_device(array) for array in (positions, endings))
        paid = cuda.device_array((n * count, seats), np.float64)
        plies = cuda.device_array(n * count, np.int32)
        args = (positions, endings, cuda.to_device(seeds), self._settings, count, paid, plies)
        self._kernel[-(-n * count // MOST_THREADS), MOST_THREADS](*args)
        return paid.copy_to_host().reshape(n, count, seats), plies.copy_to_host().reshape(n, count)
