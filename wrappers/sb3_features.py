"""Features extractors of Stable-Baselines3 for small boards, given in `policy_kwargs`.

    policy_kwargs={"features_extractor_class": SmallBoardCNN, "features_extractor_kwargs": {"channels": 32}, "net_arch": [64]}

Nothing else is needed: `normalize_images` divides uint8 images of 0 to 255 by 255 and leaves planes as they are, and the
checks of images (36 x 36 and more, channels of bytes) belong to "CnnPolicy"; use "MlpPolicy" with these extractors.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.core.errors import OptionError


class Windows(torch.nn.Module):
    """One dense layer over every window of size x size cells: what a pattern looks like is learnt once for the whole board.

    A convolution without padding over planes that come channels last. `dense` is the same as one layer over all cells.

    shape: of the planes, (H, W, C). channels: outputs for each window.
    """

    def __init__(self, shape: Sequence[int], size: int, channels: int) -> None:
        super().__init__()
        height, width, planes = shape
        if not 1 <= size <= min(height, width) or channels < 1:
            raise OptionError(
                f"windows of {size} x {size} cells, {channels} channels, on {height} x {width}: expected windows "
                "that fit the board, and at least 1 channel"
            )
        self.shape, self.size = tuple(shape), size
        self.linear = torch.nn.Linear(planes * size * size, channels)
        self.outputs = (height - size + 1) * (width - size + 1) * channels

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, H, W, C) to (batch, outputs), windows row by row, the channels of each together."""
        patches = x.unfold(1, self.size, 1).unfold(2, self.size, 1)  # (batch, rows, columns, C, size, size)
        rows, columns = patches.shape[1:3]
        return self.linear(patches.reshape(len(x), rows * columns, -1)).flatten(1)  # type: ignore[no-any-return]

    def dense(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Weights (H * W * C, outputs) and bias (outputs,) that do the same to the flattened planes."""
        inputs = math.prod(self.shape)
        with torch.no_grad():
            bias = self(torch.zeros(1, *self.shape))[0]
            return self(torch.eye(inputs).reshape(inputs, *self.shape)) - bias, bias


class SharedLayers(BaseFeaturesExtractor):  # type: ignore[misc]
    """A multilayer perceptron with rectified units that actor and critic share: half the work of one for each.

    hidden: units of each layer. window, channels: before them, a layer over windows of so many cells a side (`Windows`); 0:
    none.
    """

    def __init__(self, observation_space: Any, hidden: Sequence[int] = (256, 256), window: int = 0, channels: int = 32) -> None:
        super().__init__(observation_space, hidden[-1])
        layers: list[torch.nn.Module] = [torch.nn.Flatten()]
        first = math.prod(observation_space.shape)
        if window:
            windows = Windows(observation_space.shape, window, channels)
            layers, first = [windows, torch.nn.ReLU()], windows.outputs
        for inputs, outputs in itertools.pairwise((first, *hidden)):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.layers = torch.nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(batch, ...) to (batch, hidden[-1])."""
        return self.layers(observations)  # type: ignore[no-any-return]


class LandingFeatures(BaseFeaturesExtractor):  # type: ignore[misc]
    """For boards on which stones fall: the lines of cells through the place where each column's next stone lands.

    One small layer looks at every line, horizontal, vertical and both diagonals, through each landing cell and the cell above
    it, with the same weights for all; a second, the same for all columns, joins the lines of a column. So what a stone
    completes, prevents or allows is learnt once and not at each place of the board. A dense layer over the whole board and
    what was found at the columns stands beside them. Actor and critic share all of it.

    The planes of a line are the observer's stones, the other's, and empty cells; beyond the edges all three are 0. The lines
    of a full column go through its top cell.

    Args:
        observation_space: a Box of shape (H, W, C), whose first two planes are the stones of either side, row 0 on top.
        reach: cells of a line to each side; 3 holds every four in a row through the cell.
        heights: how many cells have lines, from the landing cell up.
        channels: outputs for each line.
        per_column: outputs for each column.
        hidden: units of the dense layers.

    Raises:
        OptionError: a space of another shape, numbers below 1, no hidden layer.
    """

    offsets: torch.Tensor

    def __init__(
        self,
        observation_space: Any,
        reach: int = 3,
        heights: int = 2,
        channels: int = 32,
        per_column: int = 32,
        hidden: Sequence[int] = (128,),
    ) -> None:
        if len(observation_space.shape or ()) != 3 or observation_space.shape[2] < 2:
            raise OptionError(
                f"LandingFeatures: observations of shape {observation_space.shape}; expected planes (H, W, C), "
                "the stones of each side first"
            )
        if min(reach, heights, channels, per_column, len(hidden), *hidden) < 1:
            raise OptionError(
                f"LandingFeatures: reach={reach}, heights={heights}, channels={channels}, "
                f"per_column={per_column}, hidden={hidden}; expected at least 1, and a hidden layer"
            )
        height, width, planes = observation_space.shape
        super().__init__(observation_space, width * per_column + hidden[-1])
        self.reach, self.heights, self.lines = reach, heights, 4 * heights
        self.line = torch.nn.Sequential(torch.nn.Linear(3 * (2 * reach + 1), channels), torch.nn.ReLU(inplace=True))
        self.column = torch.nn.Sequential(torch.nn.Linear(self.lines * channels, per_column), torch.nn.ReLU(inplace=True))
        layers: list[torch.nn.Module] = []
        for inputs, outputs in itertools.pairwise((height * width * planes + width * per_column, *hidden)):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU(inplace=True)]
        self.board = torch.nn.Sequential(*layers)
        row, steps = width + 2 * reach, range(-reach, reach + 1)  # of the padded board, whose cells are numbered row by row
        offsets = [(k * down - h) * row + k * right
                   for h in range(heights) for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)) for k in steps]  # fmt: skip
        self.register_buffer("offsets", torch.tensor(offsets), persistent=False)

    def lines_of(self, observations: torch.Tensor) -> torch.Tensor:
        """(batch, H, W, C) to (batch, W, lines, 3 * (2 * reach + 1)): cell by cell, the three planes of each together."""
        stones, edge, top = observations[..., :2], self.reach, self.reach + self.heights - 1
        empty = 1.0 - stones.sum(dim=-1, keepdim=True)
        padded = torch.nn.functional.pad(torch.cat([stones, empty], dim=-1), (0, 0, edge, edge, top, edge))
        boards, rows, row = padded.shape[:3]
        columns = torch.arange(observations.shape[2], device=observations.device)
        landing = empty[..., 0].sum(dim=1).long().clamp(min=1) - 1  # the last of a column's empty cells
        first = torch.arange(boards, device=observations.device)[:, None] * rows
        cells = (first + landing + top) * row + columns + edge
        found = padded.reshape(-1, 3).index_select(0, (cells[..., None] + self.offsets).reshape(-1))
        return found.reshape(boards, len(columns), self.lines, -1)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(batch, H, W, C) to (batch, W * per_column + hidden[-1])."""
        found = self.column(self.line(self.lines_of(observations)).flatten(2)).flatten(1)
        return torch.cat([found, self.board(torch.cat([observations.flatten(1), found], dim=1))], dim=1)


class ResidualBlock(torch.nn.Module):
    """x + convolution(relu(convolution(relu(x)))): the size stays (He, Zhang, Ren, Sun, "Identity mappings in deep residual
    networks", 2016, without batch normalisation, whose statistics change as the games do).
    """  # noqa: D205

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(channels, channels, 3, padding=1)
        self.second = torch.nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, channels, H, W) to the same."""
        return x + self.second(torch.relu(self.first(torch.relu(x))))  # type: ignore[no-any-return]


class SmallBoardCNN(BaseFeaturesExtractor):  # type: ignore[misc]
    """3 x 3 convolutions with padding over a board of any size, then one dense layer, all rectified.

    Planes come channels last, (H, W, C), as the environments give them. Where planes hold counters (a greatest value above
    1), every value x enters as log2(1 + x): 0 and 1 stay what they are, 200 becomes 7.7.

    Args:
        observation_space: a Box of shape (H, W, C).
        features: outputs of the dense layer.
        channels: of the convolutions.
        convolutions: how many, at least 1.
        blocks: residual blocks of two convolutions each after them.

    Raises:
        OptionError: a space of another shape, numbers below 1 (blocks: below 0).
    """

    def __init__(
        self, observation_space: Any, features: int = 128, channels: int = 32, convolutions: int = 2, blocks: int = 0
    ) -> None:
        if len(observation_space.shape or ()) != 3:
            raise OptionError(f"SmallBoardCNN: observations of shape {observation_space.shape}; expected planes (H, W, C)")
        if min(features, channels, convolutions) < 1 or blocks < 0:
            raise OptionError(
                f"SmallBoardCNN: features={features}, channels={channels}, convolutions={convolutions}, "
                f"blocks={blocks}; expected at least 1, blocks at least 0"
            )
        super().__init__(observation_space, features)
        height, width, planes = observation_space.shape
        self.has_counters = bool(observation_space.high.max() > 1)
        layers: list[torch.nn.Module] = []
        for inputs in (planes, *[channels] * (convolutions - 1)):
            layers += [torch.nn.Conv2d(inputs, channels, 3, padding=1), torch.nn.ReLU()]
        layers += [ResidualBlock(channels) for _ in range(blocks)]
        dense = torch.nn.Linear(channels * height * width, features)
        self.layers = torch.nn.Sequential(*layers, torch.nn.Flatten(), dense, torch.nn.ReLU())

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(batch, H, W, C) to (batch, features)."""
        if self.has_counters:
            observations = torch.log2(1.0 + observations)
        return self.layers(observations.permute(0, 3, 1, 2))  # type: ignore[no-any-return]
