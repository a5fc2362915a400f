"""What a transformation of observations is: how the space changes, how a batch changes, what is kept of an episode.

One definition serves every kind of environment, since `around.py` hands it batches in all of them: of one board, of many, or
of the agent that looks. A transformation works on the planes alone; where the observation is a dictionary, they are its
part "observation", and the mask beside them stays as it is.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.core.errors import OptionError, nearest
from boardgym.core.game import Game

Layout = Literal["planes last", "planes first", "flat"]
Rows = slice | NDArray[np.intp]  # which boards or agents: an index into the first axis of what is kept
ALL = slice(None)


@dataclass(frozen=True)
class View:
    """What observations look like at some point of a chain of transformations.

    space: of the planes of one observation. layout: of its axes: (H, W, C), (C, H, W) or (H * W * C,). has_mask: whether the
    observation is a dictionary that holds the mask too. steps: names of the transformations so far, the first one first.
    """

    game: Game
    space: Box
    layout: Layout = "planes last"
    has_mask: bool = False
    steps: tuple[str, ...] = ()

    @property
    def channel_axis(self) -> int:
        """The axis of one observation along which planes lie."""
        return -1 if self.layout == "planes last" else 0

    def describe(self) -> str:
        """For messages: what has been done, and the shape."""
        return f"observations of shape {self.space.shape} after {' and '.join(self.steps) or 'nothing'}"


class Transformation:
    """Base of all transformations. A subclass names itself: `class Flat(Transformation, name="flat")`.

    Args:
        given: what it is put on.
        num_rows: how many boards or agents it serves.

    Attributes:
        given, gives: the views before and after.
        keeps_history: whether what it shows depends on earlier observations of the episode.
        adds_mask: whether it makes the observation a dictionary with the mask.

    Raises:
        OptionError: it cannot be put on what is given.
    """

    name: ClassVar[str]
    keeps_history: ClassVar[bool] = False
    adds_mask: ClassVar[bool] = False

    def __init_subclass__(cls, *, name: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = name
        TRANSFORMATIONS[name] = cls

    def __init__(self, given: View, num_rows: int) -> None:
        self.given, self.num_rows = given, num_rows
        self.gives = given

    def becomes(self, space: Box, layout: Layout | None = None) -> View:
        """The view after this transformation, for `gives`."""
        given, has_mask = self.given, self.given.has_mask or self.adds_mask
        return View(given.game, space, layout or given.layout, has_mask, (*given.steps, self.name))

    def refuse(self, reason: str) -> OptionError:
        """The error for a transformation that cannot be put where it was."""
        return OptionError(f"{self.name} on {self.given.describe()}: {reason}")

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """The transformed observations, (k, *gives.space.shape). Changes nothing.

        observations: (k, *given.space.shape), the present ones of the k rows; the result may share their memory.
        """
        raise NotImplementedError

    def remember(self, shown: NDArray[Any], rows: Rows) -> None:
        """Takes note of what `apply` gave and has been acted upon, (k, *gives.space.shape). For those that keep history."""

    def forget(self, rows: Rows) -> None:
        """A new episode begins on these rows. For those that keep history."""


TRANSFORMATIONS: dict[str, type[Transformation]] = {}


def make_transformation(name: str, given: View, num_rows: int, **settings: Any) -> Transformation:
    """A transformation by name. Raises OptionError for an unknown name, or one that cannot be put on what is given."""
    if name not in TRANSFORMATIONS:
        raise OptionError(f"no transformation {name!r}; {nearest(str(name), TRANSFORMATIONS)}")
    return TRANSFORMATIONS[name](given, num_rows, **settings)
