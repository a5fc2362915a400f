"""What transformed observations should be, computed by other means: NumPy on what the untransformed environment shows."""

from collections import deque

import numpy as np

from boardgym.wrappers.observations import absolute, channels_first, flat, float32, stacked, with_mask

LENGTH = 3

WRAPPERS = {
    "flat": flat,
    "channels_first": channels_first,
    "float32": float32,
    "scaled": lambda env: float32(env, scale=True),
    "absolute": absolute,
    "stacked": lambda env: stacked(env, LENGTH),
    "with_mask": with_mask,
    "chain": lambda env: flat(float32(stacked(absolute(env), 2), scale=True)),
}


class Twin:
    """Makes of one seat's observations in turn, and of the board, what a wrapper should show. `see` looks, `act` goes on."""

    def __init__(self, name, game):
        self.name, self.game = name, game
        self.past = deque(maxlen=1 if name == "chain" else LENGTH - 1)

    def begin(self):
        self.past.clear()

    def act(self, planes, board):
        self.past.append(self.absolute(board) if self.name == "chain" else planes.copy())

    def absolute(self, board):
        turn = [np.full(self.game.observation_shape[:2], seat == board.to_play) for seat in range(self.game.num_seats)]
        return np.concatenate([board.observation(0), np.stack(turn, axis=-1)], axis=-1).astype(self.game.observation_dtype)

    def joined(self, present):
        missing = self.past.maxlen - len(self.past)
        return np.concatenate([np.zeros_like(present)] * missing + [*self.past, present], axis=-1)

    def see(self, planes, board, mask):
        if self.name == "chain":
            joined = self.joined(self.absolute(board)).astype(np.float64)
            channels, width = self.game.observation_shape[2], joined.shape[-1] // 2
            for c in range(joined.shape[-1]):
                joined[..., c] /= self.game.observation_max if c % width < channels else 1
            return np.array([x for row in joined for cell in row for x in cell], np.float32)
        return {
            "flat": lambda: np.array([x for row in planes for cell in row for x in cell], planes.dtype),
            "channels_first": lambda: np.stack([planes[:, :, c] for c in range(planes.shape[2])]),
            "float32": lambda: np.array(planes.tolist(), np.float32),
            "scaled": lambda: (planes / np.float64(self.game.observation_max)).astype(np.float32),
            "absolute": lambda: self.absolute(board),
            "stacked": lambda: self.joined(planes),
            "with_mask": lambda: {"observation": planes, "action_mask": mask},
        }[self.name]()


def bounds(name, game):
    """(shape, dtype, greatest value of each element) that the space of the planes should have; the least is 0."""
    height, width, channels = game.observation_shape
    seats, dtype, most = game.num_seats, np.dtype(game.observation_dtype), game.observation_max
    planes = np.full((height, width, channels), most)
    turn = np.concatenate([planes, np.ones((height, width, seats), int)], axis=-1)
    expected = {
        "flat": (dtype, planes.reshape(-1)),
        "channels_first": (dtype, planes.transpose(2, 0, 1)),
        "float32": (np.dtype(np.float32), planes),
        "scaled": (np.dtype(np.float32), np.ones_like(planes)),
        "absolute": (dtype, turn),
        "stacked": (dtype, np.full((height, width, LENGTH * channels), most)),
        "with_mask": (dtype, planes),
        "chain": (np.dtype(np.float32), np.ones(2 * height * width * (channels + seats))),
    }
    return expected[name]


def check_space(space, name, game):
    dtype, high = bounds(name, game)
    assert (space.shape, space.dtype) == (high.shape, dtype)
    np.testing.assert_array_equal(space.high, high)
    np.testing.assert_array_equal(space.low, np.zeros_like(high))


def same(shown, expected):
    """Whether observations agree in every number, dtype and shape."""
    if isinstance(expected, dict):
        assert set(shown) == set(expected)
        for key, part in expected.items():
            same(shown[key], part)
        return
    assert (shown.shape, shown.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(shown, expected)


def pick(rng, mask):
    """A uniformly random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))
