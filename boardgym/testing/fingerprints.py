"""Fingerprints: a digest of what seeded games look like, so that no rule changes without a new version."""

import hashlib

import numpy as np

from boardgym.core.board import Board
from boardgym.core.game import Game, get_game
from boardgym.core.random import draw, stream

NUM_GAMES = 32


def fingerprint(game: str | Game) -> str:
    """Digest of the observations, masks, rewards and endings of seeded random games. 16 hex digits.

    Equal on all machines; different as soon as the same actions give something else to see, to do or to earn.
    """
    game = get_game(game)
    digest = hashlib.sha256(repr((game.id, game.num_actions, game.observation_shape)).encode())
    planes = np.zeros(game.observation_shape, game.observation_dtype)
    mask, rewards = np.zeros(game.num_actions, np.int8), np.zeros(game.num_seats)
    for number in range(NUM_GAMES):
        rng, board = stream(0, number), Board(game, seed=number)
        while not board.is_terminal:
            legal = board.legal_actions
            board.push_and_look(legal[draw(rng, len(legal))], planes, mask, rewards)
            digest.update(planes.astype("<i8").tobytes() + mask.tobytes() + rewards.astype("<f8").tobytes())
        digest.update(repr((board.ply, int(board.reason), board.returns())).encode())
    return digest.hexdigest()[:16]
