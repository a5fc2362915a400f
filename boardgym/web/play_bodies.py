"""What the calls of the room Play take, as bodies of JSON."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

OptionValue = bool | int | float | str
Text = Annotated[str, Field(max_length=2000)]


class Body(BaseModel):
    """A body of JSON: nothing but what is described."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatBody(Body):
    """Who sits at a seat: a person, or a policy by its spec."""

    kind: Literal["human", "policy"]
    spec: str = Field(default="", max_length=500)


class ClockBody(Body):
    """Seconds that each seat has, and that each of its moves adds."""

    seconds: float = Field(ge=1, le=86_400)
    increment: float = Field(default=0.0, ge=0, le=3600)


class PlayBody(Body):
    """A new game. position: a position string to start from, or else setup: the name of a set-up; moves: played at once."""

    game: str = Field(max_length=80)
    options: dict[Annotated[str, Field(max_length=40)], OptionValue] = Field(default_factory=dict, max_length=20)
    seats: list[SeatBody] = Field(min_length=1, max_length=16)
    seed: int | None = Field(default=None, ge=0, lt=2**53)
    position: Text | None = None
    setup: str | None = Field(default=None, max_length=80)
    moves: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=2000)
    clock: ClockBody | None = None


class MoveBody(Body):
    """A move: the ply that it is for, and an action or a move in the game's notation."""

    ply: int = Field(ge=0, lt=2**31)
    action: int | None = Field(default=None, ge=0, lt=2**31)
    move: str | None = Field(default=None, max_length=80)


class VersionBody(Body):
    """The version that the page shows; where it is another now, nothing is done."""

    version: int | None = Field(default=None, ge=0)


class ResignBody(VersionBody):
    """Who resigns; None: the person to play."""

    seat: int | None = Field(default=None, ge=0, lt=16)


class HintBody(Body):
    """Who is asked for a hint; empty: a search that suits the game."""

    spec: str = Field(default="", max_length=500)
