"""Observations in other forms: each function puts one transformation around an environment and returns one of the same kind.

`flat(float32(stacked(env, 4)))`. They take Gymnasium's environments (`gym.make`), its vector environments (`gym.make_vec`) and
PettingZoo's (`boardgym.make`); spaces are those of what is shown.
"""

from boardgym.wrappers.observations.absolute import absolute
from boardgym.wrappers.observations.around import put_around
from boardgym.wrappers.observations.channels_first import channels_first
from boardgym.wrappers.observations.flat import flat
from boardgym.wrappers.observations.float32 import float32
from boardgym.wrappers.observations.stacked import stacked
from boardgym.wrappers.observations.transformation import Transformation, View
from boardgym.wrappers.observations.with_mask import with_mask

__all__ = ["Transformation", "View", "absolute", "channels_first", "flat", "float32", "put_around", "stacked", "with_mask"]
