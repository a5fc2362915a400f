"""Stable-Baselines3: a callback that plays a model against a ladder of opponents as it trains, and keeps the curve."""

from collections.abc import Callable, Sequence
from pathlib import Path

from boardgym.wrappers.missing import missing_extra

try:
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.learning.curve import Judge, draw_curve, ends_of, save_curve
from boardgym.core.errors import OptionError
from boardgym.core.game import Game

LADDER = ("random", "greedy", "minimax:2", "uct:100")


class LadderCallback(BaseCallback):  # type: ignore[misc]
    """A point of the learning curve every so many steps: score rates against each rung of a ladder, with 95 % intervals.

    They go to the model's logger as `ladder/random`, `ladder/random_low`, `ladder/random_high` ... (TensorBoard where the
    model has a `tensorboard_log`), and to a CSV file, rewritten whole at each point. The model plays deterministically;
    half of the games in each seat, from the same starts each time.

    Args:
        game: the game or its id, of two seats.
        ladder: specs of the opponents.
        every: steps between points; there is one before the first step and one at the end besides.
        games: against each rung, at each point.
        csv: file for the curve.
        picture: PNG file for the curve, drawn at the end (needs matplotlib).
        setup: where games start.
        seed: of the games.
        trust: whether specs may name files that could execute code.
        title: of the picture.
        on_point: called with (steps, score rates) at each point.

    Attributes:
        curve: the points so far, (steps, {rung: score rate}). Give one to go on with an earlier curve.

    Raises:
        OptionError: every or games below 1, no rungs; what `boardgym.envs.batch.Batch` raises for a rung.
    """

    def __init__(
        self,
        game: str | Game,
        ladder: Sequence[str] = LADDER,
        *,
        every: int = 100_000,
        games: int = 100,
        csv: str | Path | None = None,
        picture: str | Path | None = None,
        setup: str = "random:4",
        seed: int = 1_000_000,
        trust: bool = False,
        title: str = "",
        on_point: Callable[[int, dict[str, float]], None] | None = None,
    ) -> None:
        super().__init__()
        if every < 1 or games < 1 or not ladder:
            raise OptionError(f"every={every}, games={games}, ladder={ladder!r}: expected at least 1, 1, and one opponent")
        self.judge = Judge(game, ladder, games=games, setup=setup, seed=seed, trust=trust)
        self.every, self.title, self.on_point = every, title, on_point
        self.csv, self.picture = (None if path is None else Path(path) for path in (csv, picture))
        self.curve: list[tuple[int, dict[str, float]]] = []

    def _on_training_start(self) -> None:
        if not self.curve or self.curve[-1][0] != self.num_timesteps:
            self.add_point()

    def is_due(self) -> bool:
        """Whether it is time for the next point: `every` steps, or a multiple of them, have been passed since the last."""
        return self.num_timesteps // self.every > self.curve[-1][0] // self.every

    def _on_step(self) -> bool:
        if self.is_due():
            self.add_point()
        return True

    def _on_training_end(self) -> None:
        self.finish()

    def add_point(self) -> None:
        """Plays the games and keeps what came of them."""
        scores = self.judge.score_rates(self.model)
        self.curve.append((self.num_timesteps, scores))
        for rung, rate in scores.items():
            _, low, high = ends_of(rate, self.judge.games)
            for end, value in (("", rate), ("_low", low), ("_high", high)):
                self.logger.record(f"ladder/{rung}{end}", value)
        if self.csv is not None:
            save_curve(self.csv, self.curve, self.judge.games)
        if self.on_point is not None:
            self.on_point(self.num_timesteps, scores)

    def finish(self) -> None:
        """The last point, and the picture. Training that ends by itself calls it; after Ctrl-C, call it yourself."""
        if not self.curve or self.curve[-1][0] != self.num_timesteps:
            self.add_point()
            self.logger.dump(self.num_timesteps)
        if self.picture is not None:
            draw_curve(
                self.picture, self.title or f"{type(self.model).__name__} on {self.judge.game.id}", self.curve, self.judge.games
            )


def summary(scores: dict[str, float]) -> str:
    """Score rates in one line."""
    return "  ".join(f"{rung} {rate:.0%}" for rung, rate in scores.items())
